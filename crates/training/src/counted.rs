//! A trainer with the number of batches that it has learnt.
//!
//! A checkpoint is that number and the trainer's own checkpoint; a damaged one is refused and changes nothing.

use outplay_core::errors;
use outplay_nn::{CheckpointError, Trainer};
use outplay_runtime::WorkError;

errors! {
    /// Why a training cannot go on from a checkpoint.
    pub enum ResumeError {
        CutShort =
            "the checkpoint cannot be used: it is cut short" | "le point de reprise ne peut servir : il est tronqué",
        Unusable { reason: String } =
            "the checkpoint cannot be used: {reason}" | "le point de reprise ne peut servir : {reason}",
        OtherNetwork =
            "the checkpoint cannot be used: expected one of this network"
            | "le point de reprise ne peut servir : attendu celui de ce réseau",
    }
}

/// A trainer and how many batches it has learnt since the beginning.
pub struct CountedTrainer {
    /// The trainer.
    pub trainer: Trainer,
    /// The batches.
    pub done: u64,
}

impl CountedTrainer {
    /// A trainer that has learnt nothing yet.
    pub const fn new(trainer: Trainer) -> Self {
        Self { trainer, done: 0 }
    }

    /// Everything needed to go on later.
    pub fn checkpoint(&self) -> Vec<u8> {
        [&self.done.to_le_bytes()[..], &self.trainer.checkpoint()].concat()
    }

    /// Goes back to where the checkpoint was taken.
    pub fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let (done, trainer) = checkpoint.split_first_chunk().ok_or(ResumeError::CutShort)?;
        let unusable = |reason: CheckpointError| ResumeError::Unusable { reason: reason.to_string() };
        self.trainer.restore(trainer).map_err(unusable)?;
        self.done = u64::from_le_bytes(*done);
        Ok(())
    }
}
