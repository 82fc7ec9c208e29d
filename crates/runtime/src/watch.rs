//! Progress and cancellation of long work.
//!
//! Watching does not change the result. After the stop flag is raised, everything is left in a state from
//! which the work can continue.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::WorkError;

/// How far a piece of work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The task.
    pub task: &'a str,
    /// How much is done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
    /// The unit that is counted.
    pub unit: &'a str,
}

/// How long work reports its progress and learns that it should stop.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    show: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl<'a> Watch<'a> {
    /// Shows progress by `show` until `stop` is raised.
    pub fn new(stop: &'a AtomicBool, show: &'a (dyn Fn(Progress<'_>) + Sync)) -> Self {
        Self { stop, show }
    }

    /// Shows nothing and never stops.
    pub fn nobody() -> Watch<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Watch { stop: &NEVER, show: &|_| {} }
    }

    /// Shows how far the work has come.
    pub fn show(&self, progress: Progress<'_>) {
        (self.show)(progress);
    }

    /// Whether the work should end now.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Refuses to go on once the work should end.
    pub fn check(&self) -> Result<(), WorkError> {
        if self.is_stopped() { Err(WorkError::Stopped) } else { Ok(()) }
    }

    /// The flag itself, for work that runs elsewhere.
    pub fn stop_flag(&self) -> &'a AtomicBool {
        self.stop
    }
}
