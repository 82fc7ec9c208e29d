//! The studio: a local server that puts the lab on screen.
//!
//! Belongs here: routes, live updates, tables and jobs that outlive a request, and the page they serve. Does not belong here: rules,
//! methods, experiments (the lab's), anything drawn (the page's, in `web/`). What passes between the two is `docs/protocol.md`.
//!
//! Laws of this room:
//! - whatever blocks or computes runs off the asynchronous threads;
//! - whatever can be asked for without end is bounded (see [`bounds`]);
//! - nothing in a request names a path: files are found by identifiers that the studio gave out;
//! - a change is on disk before it is shown.

mod analysis;
mod bounds;
mod catalogue;
mod clock;
mod connections;
mod database;
mod dress;
mod export;
mod guard;
mod jobs;
mod live;
mod memory;
mod page;
mod papers;
mod pulse;
mod refusal;
mod routes;
mod schemas;
mod server;
mod studio;
mod tables;
mod terms;
mod wide;

pub use memory::return_memory;
pub use routes::openapi;
pub use server::{Server, Settings, StartError};
