//! Chess programs of others, driven through the Universal Chess Interface.
//!
//! Nothing that a program does or fails to do holds the caller up beyond its time-out, and no process outlives the value that
//! started it.

mod announced;
mod engine;
mod program;

pub use engine::{Engine, Reply, Terms};
pub use program::Fault;
