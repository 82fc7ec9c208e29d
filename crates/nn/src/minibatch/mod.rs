//! Learning from one batch after the other.
//!
//! Belongs here: optimisers, the trainer, its checkpoints. Does not belong here: where batches come from, in
//! which order, with which rates (the caller's schedule), or when to stop.

mod checkpoint;
mod optimiser;
mod trainer;

pub use optimiser::Optimiser;
pub use trainer::{Batch, Trainer};
