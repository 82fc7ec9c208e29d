//! What long work needs from the machine: worker threads, progress and cancellation, memory, files. Nothing here knows a game.
//!
//! A file is complete or absent, and appended records survive a torn last line.
#![warn(missing_docs)]

pub mod files;
mod memory;
mod watch;
mod work_error;
mod worker_pool;

pub use memory::{MemoryBudget, MemoryError, MemoryReservation, check_memory};
pub use watch::{Progress, Watch};
pub use work_error::WorkError;
pub use worker_pool::{Allowance, ThreadError, WorkerPool, on_threads, own_threads};
