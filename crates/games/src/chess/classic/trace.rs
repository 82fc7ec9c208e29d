//! The terms of one position written down, so that weights can be fitted to many.
//!
//! Law: the worth that a trace gives under some weights is the evaluation under them, but for rounding.

use super::terms::{self, TermSink};
use super::{ClassicWeights, FEATURES, MAX_PHASE, TaperedScore, phase, scale_factor, stronger_side};
use crate::chess::rules::Chess;

/// Which features a position has, white's counted up and black's down, and how they are weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalTrace {
    /// Features and their counts, each feature once.
    pub counts: Box<[(u16, i16)]>,
    /// The share of the weights for the middle of the game, from 0 to 1.
    pub middlegame: f32,
    /// The share of the weights for its end.
    pub endgame: f32,
}

struct TermCounts([i16; FEATURES]);

impl TermSink for TermCounts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count as i16;
    }
}

impl EvalTrace {
    /// The terms of a position. Whose chances count is decided by the given weights.
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

    /// White's worth under weights given by number, in hundredths of a pawn.
    pub fn white_score_with(&self, weights: impl Fn(usize) -> (f32, f32)) -> f32 {
        let worth = |&(feature, count): &(u16, i16)| {
            let (middle, end) = weights(usize::from(feature));
            f32::from(count) * (middle * self.middlegame + end * self.endgame)
        };
        self.counts.iter().map(worth).sum()
    }

    /// The same under a table.
    pub fn white_score(&self, weights: &ClassicWeights) -> f32 {
        let halves = |pair: TaperedScore| (pair.middlegame() as f32, pair.endgame() as f32);
        self.white_score_with(|feature| halves(weights.of(feature)))
    }
}
