//! Samples for full-batch training, cut into tiles.
//!
//! Numbers from outside are checked here; where they come from is the caller's. TileRow beyond the last sample hold
//! zeros, and a [`TileBlock`] says how many of its lanes are samples.

use crate::error::DatasetError;
use crate::tiles::{LANES, TileRow};

/// Tiles that are worked on together: few enough for the processor's nearest memory, enough to spread the
/// cost of summing lanes.
pub(crate) const BLOCK_TILES: usize = 32;

/// Samples, each some inputs and the targets that a network should answer.
#[derive(Clone, Debug)]
pub struct Dataset {
    samples: usize,
    inputs_each: usize,
    targets_each: usize,
    /// Tile after tile, one row per input.
    inputs: Vec<TileRow>,
    /// Tile after tile, one row per target.
    targets: Vec<TileRow>,
}

/// Neighbouring tiles of a data set.
pub(crate) struct TileBlock<'a> {
    /// How many lanes, counted over all tiles, are samples.
    pub(crate) samples: usize,
    pub(crate) inputs: &'a [TileRow],
    pub(crate) targets: &'a [TileRow],
}

impl Dataset {
    /// The samples whose inputs and targets lie one after the other, so many numbers each.
    ///
    /// ```
    /// let data = outplay_nn::Dataset::new(2, 1, &[0.0, 0.0, 0.0, 1.0], &[0.0, 1.0])?;
    /// assert_eq!(data.len(), 2);
    /// # Ok::<(), outplay_nn::DatasetError>(())
    /// ```
    pub fn new(
        inputs_each: usize,
        targets_each: usize,
        inputs: &[f32],
        targets: &[f32],
    ) -> Result<Self, DatasetError> {
        if inputs_each == 0 || targets_each == 0 || inputs.is_empty() {
            return Err(DatasetError::Empty);
        }
        let samples = inputs.len() / inputs_each;
        if samples * inputs_each != inputs.len() || samples.checked_mul(targets_each) != Some(targets.len()) {
            return Err(DatasetError::Ragged {
                inputs: inputs.len(),
                targets: targets.len(),
                inputs_each,
                targets_each,
            });
        }
        for (numbers, each) in [(inputs, inputs_each), (targets, targets_each)] {
            if let Some(index) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(DatasetError::NotFinite { sample: index / each });
            }
        }
        let (inputs, targets) = (tiled(inputs, inputs_each), tiled(targets, targets_each));
        Ok(Self { samples, inputs_each, targets_each, inputs, targets })
    }

    /// How many samples there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a data set is never empty")]
    pub fn len(&self) -> usize {
        self.samples
    }

    /// Inputs per sample.
    pub fn inputs(&self) -> usize {
        self.inputs_each
    }

    /// Targets per sample.
    pub fn targets(&self) -> usize {
        self.targets_each
    }

    /// Every target of every sample, in no promised order.
    pub(crate) fn all_targets(&self) -> impl Iterator<Item = f64> {
        let live = |(row, lanes): (usize, &TileRow)| {
            let count = (self.samples - row / self.targets_each * LANES).min(LANES);
            lanes.0.into_iter().take(count)
        };
        self.targets.iter().enumerate().flat_map(live)
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = TileBlock<'_>> {
        let inputs = self.inputs.chunks(BLOCK_TILES * self.inputs_each);
        let targets = self.targets.chunks(BLOCK_TILES * self.targets_each);
        inputs.zip(targets).enumerate().map(|(index, (inputs, targets))| {
            let samples = (self.samples - index * BLOCK_TILES * LANES).min(BLOCK_TILES * LANES);
            TileBlock { samples, inputs, targets }
        })
    }

    /// A number that another data set hardly shares.
    pub(crate) fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for size in [self.samples, self.inputs_each, self.targets_each] {
            hasher.update(&(size as u64).to_le_bytes());
        }
        for number in self.inputs.iter().chain(&self.targets).flat_map(|lanes| lanes.0) {
            hasher.update(&number.to_le_bytes());
        }
        hasher.finalize()
    }
}

/// Row-major samples of `each` numbers as tiles of `each` rows.
fn tiled(numbers: &[f32], each: usize) -> Vec<TileRow> {
    let mut tiles = Vec::with_capacity((numbers.len() / each).div_ceil(LANES) * each);
    for samples in numbers.chunks(LANES * each) {
        for row in 0..each {
            let mut lanes = TileRow::ZERO;
            for (lane, sample) in lanes.0.iter_mut().zip(samples.chunks_exact(each)) {
                *lane = f64::from(sample[row]);
            }
            tiles.push(lanes);
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let make =
            |inputs: &[f32], targets: &[f32]| Dataset::new(2, 1, inputs, targets).map(|data| data.len());
        assert_eq!(make(&[], &[]), Err(DatasetError::Empty));
        assert!(matches!(make(&[1.0; 3], &[1.0]), Err(DatasetError::Ragged { .. })));
        assert!(matches!(make(&[1.0; 4], &[1.0]), Err(DatasetError::Ragged { .. })));
        assert_eq!(make(&[1.0, 0.0, 1.0, f32::NAN], &[1.0; 2]), Err(DatasetError::NotFinite { sample: 1 }));
        assert_eq!(make(&[1.0; 4], &[f32::INFINITY, 1.0]), Err(DatasetError::NotFinite { sample: 0 }));
    }

    #[test]
    fn blocks_hold_every_sample_once() {
        let samples = BLOCK_TILES * LANES * 2 + 5;
        let numbers: Vec<f32> = (0..samples * 3).map(|i| i as f32).collect();
        let targets: Vec<f32> = (0..samples).map(|i| -(i as f32)).collect();
        let data = Dataset::new(3, 1, &numbers, &targets).unwrap();
        let mut seen = 0;
        for block in data.blocks() {
            for index in 0..block.samples {
                let (tile, lane) = (index / LANES, index % LANES);
                assert_eq!(block.targets[tile].0[lane], -((seen + index) as f64));
                assert_eq!(block.inputs[tile * 3 + 2].0[lane], ((seen + index) * 3 + 2) as f64);
            }
            seen += block.samples;
        }
        assert_eq!(seen, samples);
        assert_eq!(data.all_targets().count(), samples);
        assert_eq!(data.all_targets().sum::<f64>(), targets.iter().map(|&t| f64::from(t)).sum::<f64>());
    }

    #[test]
    fn a_changed_number_changes_the_fingerprint() {
        let one = Dataset::new(2, 1, &[1.0, 2.0], &[0.0]).unwrap();
        let other = Dataset::new(2, 1, &[1.0, 2.5], &[0.0]).unwrap();
        assert_ne!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.fingerprint(), one.clone().fingerprint());
    }
}
