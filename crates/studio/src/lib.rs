//! The studio: a local server that puts the lab on screen.
//!
//! This crate has the routes, live updates, tables and jobs that outlive a request, and serves the page. Rules, methods and experiments
//! are the lab's; drawing is the page's (`web/`). The protocol between page and server is `docs/protocol.md`.
//!
//! - Work that blocks or computes runs on blocking threads, never on the asynchronous ones.
//! - Everything that clients can ask for is bounded (see [`bounds`]).
//! - No request names a path: files are found by identifiers that the studio gives out.
//! - A change is on disk before it is published.

mod access;
mod analysis;
mod arrival;
mod bounded_schemas;
mod bounds;
mod catalogue;
mod clock;
mod connections;
mod database;
mod description;
mod export;
mod head_refusal;
mod jobs;
mod json_u64;
mod judgements;
mod page;
mod papers;
mod refusal;
mod routes;
mod schemas;
mod server;
mod socket;
mod specs;
mod studio;
mod tables;

pub use routes::openapi;
pub use server::{Server, ServerConfig, StartError};
