//! The terms of one position as a sparse vector, for tuning the weights.
//!
//! The score that a trace gives under some weights is the evaluation under them, except for rounding.

use super::terms::{self, TermSink};
use super::{ClassicWeights, FEATURES, MAX_PHASE, TaperedScore, phase, scale_factor, stronger_side};
use crate::chess::rules::Chess;

/// The feature counts of a position (white minus black) and its game phase.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalTrace {
    /// Features and their counts, each feature once.
    pub counts: Box<[(u16, i16)]>,
    /// The factor of the middlegame weights, from 0 to 1.
    pub middlegame: f32,
    /// The factor of the endgame weights.
    pub endgame: f32,
}

struct TermCounts([i16; FEATURES]);

impl TermSink for TermCounts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count as i16;
    }
}

impl EvalTrace {
    /// The terms of a position. The given weights decide which side is stronger, for the scale factor.
    pub fn of(position: &Chess, weights: &ClassicWeights) -> Self {
        let mut counts = TermCounts([0; FEATURES]);
        terms::count(position, &mut counts);
        let counts: Box<[(u16, i16)]> = (0..).zip(counts.0).filter(|&(_, count)| count != 0).collect();
        let middle = phase(position) as f32 / MAX_PHASE as f32;
        let mut trace = Self { counts, middlegame: middle, endgame: 1.0 - middle };
        let chances = scale_factor(position, stronger_side(trace.white_score(weights) as i32)) as f32 / 64.0;
        trace.middlegame *= chances;
        trace.endgame *= chances;
        trace
    }

    /// White's score under weights given by index, in centipawns.
    pub fn white_score_with(&self, weights: impl Fn(usize) -> (f32, f32)) -> f32 {
        let value = |&(feature, count): &(u16, i16)| {
            let (middle, end) = weights(usize::from(feature));
            f32::from(count) * (middle * self.middlegame + end * self.endgame)
        };
        self.counts.iter().map(value).sum()
    }

    /// White's score under a table of weights.
    pub fn white_score(&self, weights: &ClassicWeights) -> f32 {
        let halves = |pair: TaperedScore| (pair.middlegame() as f32, pair.endgame() as f32);
        self.white_score_with(|feature| halves(weights.of(feature)))
    }
}
