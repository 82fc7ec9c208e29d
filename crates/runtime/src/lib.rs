//! What long work needs of the machine: worker threads, progress and cancellation, memory, files.
//!
//! Files are whole or absent, and records that are appended survive a torn last line. Nothing here knows a game.
#![warn(missing_docs)]

pub mod files;
mod memory;
mod watch;
mod worker_pool;

pub use memory::{MemoryError, check_memory};
pub use watch::{Progress, Watch};
pub use worker_pool::{Allowance, ThreadError, WorkerPool, on_threads, own_threads};
