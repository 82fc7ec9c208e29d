//! The studio as a client uses it: over HTTP and a WebSocket, on a loopback port.

mod analysis;
mod bounds;
mod client;
mod durability;
mod evaluations;
mod generated;
mod jobs;
mod languages;
mod openapi;
mod safety;
mod tables;
