//! Training runs: steps, records, checkpoints, resumption. What is trained, and on which game, is not known here.
#![warn(missing_docs)]

mod counted;
mod run;
mod segments;

pub use counted::{CountedTrainer, ResumeError};
pub use run::{Run, RunError, RunState, Training, TrainingReport, TrainingStep};
pub use segments::Segment;
