//! The studio as a page meets it: over HTTP and a socket, on a loopback port.

mod analysis;
mod bounds;
mod client;
mod jobs;
mod openapi;
mod safety;
mod tables;
