//! The terms of one position written down, so that weights can be fitted to many.
//!
//! Law: the worth that a trace gives under some weights is the evaluation under them, but for rounding.

use super::terms::{self, Tally};
use super::{FEATURES, PHASES, Pair, Weights, chances, leader, phase};
use crate::chess::rules::Chess;

/// Which features a position has, white's counted up and black's down, and how they are weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Features and their counts, each feature once.
    pub counts: Box<[(u16, i16)]>,
    /// The share of the weights for the middle of the game, from 0 to 1.
    pub middle: f32,
    /// The share of the weights for its end.
    pub end: f32,
}

struct Counts([i16; FEATURES]);

impl Tally for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count as i16;
    }
}

impl Trace {
    /// The terms of a position. Whose chances count is decided by the given weights.
    pub fn of(position: &Chess, weights: &Weights) -> Self {
        let mut counts = Counts([0; FEATURES]);
        terms::count(position, &mut counts);
        let counts: Box<[(u16, i16)]> = (0..).zip(counts.0).filter(|&(_, count)| count != 0).collect();
        let middle = phase(position) as f32 / PHASES as f32;
        let mut trace = Self { counts, middle, end: 1.0 - middle };
        let chances = chances(position, leader(trace.white(weights) as i32)) as f32 / 64.0;
        trace.middle *= chances;
        trace.end *= chances;
        trace
    }

    /// White's worth under weights given by number, in hundredths of a pawn.
    pub fn worth(&self, weights: impl Fn(usize) -> (f32, f32)) -> f32 {
        let worth = |&(feature, count): &(u16, i16)| {
            let (middle, end) = weights(usize::from(feature));
            f32::from(count) * (middle * self.middle + end * self.end)
        };
        self.counts.iter().map(worth).sum()
    }

    /// The same under a table.
    pub fn white(&self, weights: &Weights) -> f32 {
        let halves = |pair: Pair| (pair.middle() as f32, pair.end() as f32);
        self.worth(|feature| halves(weights.of(feature)))
    }
}
