//! How wrong a network is on a test set (§3.2.4).
//!
//! The error of a sample is |target − prediction|. Samples made of one sub-grid are not independent of each
//! other, so what is uncertain about a mean is told by the means of sub-grids.

use outplay_games::minesweeper::subgrids::{CELLS, SampleSet};
use outplay_nn::{Extent, Network, Predictor};
use outplay_runtime::WorkError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_arena::stats::BoxPlotStats;
use outplay_runtime::{Progress, Watch};

/// Intervals of the error in the document's histograms.
pub const BINS: usize = 10;
/// Intervals in which the errors of a scatter are counted.
pub const FINE_BINS: usize = 20;
/// Samples judged at a time.
const SHARE: usize = 1000;

/// The errors of a network on a test set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Samples.
    pub samples: u64,
    /// The mean error.
    pub mae: f64,
    /// The standard error of that mean.
    pub mae_error: f64,
    /// The mean squared error.
    pub mse: f64,
    /// The standard error of that mean.
    pub mse_error: f64,
    /// What a box plot of the errors shows.
    pub spread: BoxPlotStats,
    /// The share of errors in each tenth from 0 to 1.
    pub distribution: Vec<f64>,
    /// The errors by the number of unmasked empty cells, from none to 24.
    pub by_unmasked: Vec<ErrorsOfSome>,
}

/// The errors of some samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorsOfSome {
    /// Samples.
    pub samples: u64,
    /// Their mean error; 0 of none.
    pub mean: f64,
    /// How many errors lie in each twentieth from 0 to 1.
    pub bins: Vec<u64>,
}

/// The error of one sample.
#[derive(Clone, Copy)]
struct Missed {
    error: f64,
    unmasked: usize,
}

impl Errors {
    /// Judges a whole test set; sub-grids of one origin stand side by side in it.
    pub fn of(network: &Network, set: &SampleSet, watch: Watch<'_>) -> Result<Self, WorkError> {
        let shares: Vec<u64> = (0..set.len()).step_by(SHARE).collect();
        let done = AtomicU64::new(0);
        let judge = |predictor: &mut Predictor, &first: &u64| {
            if watch.is_stopped() {
                return None;
            }
            let missed = judge_share(predictor, set, first);
            let judged = missed.len() as u64;
            let done = done.fetch_add(judged, Ordering::Relaxed) + judged;
            watch.show(Progress { task: "judging", done, total: set.len(), unit: "samples" });
            Some(missed)
        };
        let missed: Option<Vec<Vec<Missed>>> =
            shares.par_iter().map_init(|| Predictor::new(network), judge).collect();
        Ok(Self::summarise(&missed.ok_or(WorkError::Stopped)?.concat(), set.config().masks))
    }

    fn summarise(missed: &[Missed], masks: usize) -> Self {
        let mean = |of: &dyn Fn(f64) -> f64| {
            let groups: Vec<f64> = missed
                .chunks(masks)
                .map(|group| group.iter().map(|one| of(one.error)).sum::<f64>() / group.len() as f64)
                .collect();
            let mean = groups.iter().sum::<f64>() / groups.len() as f64;
            let squares = groups.iter().map(|group| (group - mean).powi(2)).sum::<f64>();
            (mean, (squares / (groups.len() as f64 - 1.0).max(1.0) / groups.len() as f64).sqrt())
        };
        let ((mae, mae_error), (mse, mse_error)) = (mean(&|error| error), mean(&|error| error * error));
        let mut sorted: Vec<f64> = missed.iter().map(|one| one.error).collect();
        sorted.sort_by(f64::total_cmp);
        let share = |tenth: usize| {
            let inside = sorted.iter().filter(|&&error| bin(error, BINS) == tenth).count();
            inside as f64 / sorted.len() as f64
        };
        Self {
            samples: missed.len() as u64,
            mae,
            mae_error,
            mse,
            mse_error,
            spread: BoxPlotStats::of(&sorted),
            distribution: (0..BINS).map(share).collect(),
            by_unmasked: by_unmasked(missed),
        }
    }

    /// All errors, as some.
    pub fn all(&self) -> ErrorsOfSome {
        let mut bins = vec![0; FINE_BINS];
        for some in &self.by_unmasked {
            bins.iter_mut().zip(&some.bins).for_each(|(sum, count)| *sum += count);
        }
        ErrorsOfSome { samples: self.samples, mean: self.mae, bins }
    }
}

fn judge_share(predictor: &mut Predictor, set: &SampleSet, first: u64) -> Vec<Missed> {
    let samples = (set.len() - first).min(SHARE as u64) as usize;
    let (mut inputs, mut targets) = (vec![0.0; samples * CELLS], vec![0.0; samples]);
    let mut predictions = vec![0.0; samples];
    set.fill(|i| first + i, &mut inputs, &mut targets);
    predictor.predict(Extent::samples(samples), &inputs, &mut predictions);
    let missed = |((subgrid, target), prediction): ((&[f32], &f32), &f32)| Missed {
        error: f64::from((target - prediction).abs()),
        unmasked: subgrid.iter().filter(|&&code| code >= 0.0).count(),
    };
    inputs.chunks_exact(CELLS).zip(&targets).zip(&predictions).map(missed).collect()
}

fn by_unmasked(missed: &[Missed]) -> Vec<ErrorsOfSome> {
    let mut all = vec![ErrorsOfSome { bins: vec![0; FINE_BINS], ..ErrorsOfSome::default() }; CELLS];
    for one in missed {
        let some = &mut all[one.unmasked];
        some.samples += 1;
        some.mean += one.error;
        some.bins[bin(one.error, FINE_BINS)] += 1;
    }
    for some in &mut all {
        some.mean /= some.samples.max(1) as f64;
    }
    all
}

/// The interval in which an error lies; 1 belongs to the last.
fn bin(error: f64, bins: usize) -> usize {
    ((error * bins as f64) as usize).min(bins - 1)
}

#[cfg(test)]
mod tests {
    use super::super::config::test_set;
    use super::*;
    use outplay_core::Rng;
    use outplay_games::minesweeper::subgrids::SourceBoard;
    use outplay_nn::{Activation, Architecture};

    #[test]
    fn numbers_are_those_of_the_formulas() {
        let one = |error, unmasked| Missed { error, unmasked };
        let errors = Errors::summarise(&[one(0.1, 0), one(0.3, 3), one(1.0, 3), one(0.2, 24)], 2);
        assert!((errors.mae - 0.4).abs() < 1e-12 && (errors.mse - 0.285).abs() < 1e-12);
        // The sub-grids' means are 0.2 and 0.6: their variance is 0.08, halved, and its root.
        assert!((errors.mae_error - 0.2).abs() < 1e-12);
        assert_eq!(errors.distribution, [0.0, 0.25, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25]);
        assert_eq!(errors.by_unmasked[3].samples, 2);
        assert!((errors.by_unmasked[3].mean - 0.65).abs() < 1e-12);
        assert_eq!(errors.by_unmasked[3].bins.iter().sum::<u64>(), 2);
        assert_eq!(errors.all().bins[19], 1);
    }

    #[test]
    fn a_network_that_knows_nothing_errs_by_a_half() {
        let plan = Architecture::dense(&[CELLS, 1], Activation::Relu, Activation::Sigmoid).unwrap();
        let network = Network::new(plan, &mut Rng::new(1)).unwrap();
        let set = test_set(SourceBoard::OF_DOCUMENT, 2000, false, 1).unwrap();
        let errors = Errors::of(&network, &set, Watch::nobody()).unwrap();
        assert_eq!(errors.samples, 2000);
        assert!((0.3..0.7).contains(&errors.mae) && errors.mse <= errors.mae, "{errors:?}");
        assert!((errors.distribution.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
