//! How much memory the training of a network takes.

use std::thread::available_parallelism;

use crate::params::USUAL_MEMORY;

/// Numbers that a trainer keeps for each parameter: the weight, its mirror for the way back and the two averages of Adam, the
/// gradients of up to 16 shares of a batch, and while it is measured or saved up to five copies more.
const COPIES: u64 = 25;

/// Bytes of a number.
const NUMBER: u64 = 4;

/// The width of a layer in memory: kernels work on 16 channels or neurons at a time.
pub(crate) const fn padded(width: usize) -> usize {
    width.next_multiple_of(16)
}

/// What has to be in memory at the same time.
pub(crate) struct TrainingMemory {
    /// Parameters of the network, of padded width.
    pub(crate) parameters: u64,
    /// Outputs of all layers together, for the piece of a batch that one thread works on.
    pub(crate) outputs: u64,
    /// Bytes of the examples: the training set, and the batch that is learnt.
    pub(crate) examples: u64,
}

impl TrainingMemory {
    /// In MiB: the copies of all parameters, on each thread the outputs and their slopes, the examples, and the usual for all
    /// else.
    pub(crate) fn mebibytes(&self) -> u32 {
        let threads = available_parallelism().map_or(1, usize::from) as u64;
        let passes = (2 * threads).saturating_mul(self.outputs);
        let numbers = COPIES.saturating_mul(self.parameters).saturating_add(passes);
        let bytes = NUMBER.saturating_mul(numbers).saturating_add(self.examples);
        u32::try_from(bytes >> 20).unwrap_or(u32::MAX).saturating_add(USUAL_MEMORY)
    }
}
