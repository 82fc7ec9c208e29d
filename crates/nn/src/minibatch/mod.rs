//! Training by one batch after the other: optimisers, the trainer, its checkpoints.
//!
//! Where batches come from, in which order, with which rates, and when to stop is the caller's.

mod checkpoint;
mod optimiser;
mod trainer;

pub use optimiser::Optimiser;
pub use trainer::{Batch, Trainer};
