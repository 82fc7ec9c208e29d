//! A trainer with the number of batches that it has learnt.
//!
//! A checkpoint is that number and the trainer's own checkpoint; a damaged one is refused and changes nothing.

use outplay_nn::Trainer;

use crate::error::LabError;

/// A trainer and how many batches it has learnt since the beginning.
pub(crate) struct CountedTrainer {
    pub(crate) trainer: Trainer,
    pub(crate) done: u64,
}

impl CountedTrainer {
    pub(crate) const fn new(trainer: Trainer) -> Self {
        Self { trainer, done: 0 }
    }

    pub(crate) fn checkpoint(&self) -> Vec<u8> {
        [&self.done.to_le_bytes()[..], &self.trainer.checkpoint()].concat()
    }

    pub(crate) fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        let unusable = |reason: String| LabError::refused(format!("the checkpoint cannot be used: {reason}"));
        let (done, trainer) =
            checkpoint.split_first_chunk().ok_or_else(|| unusable("it is cut short".into()))?;
        self.trainer.restore(trainer).map_err(|error| unusable(error.to_string()))?;
        self.done = u64::from_le_bytes(*done);
        Ok(())
    }
}
