//! The evaluation by shortest ways: who is nearer, and who has more walls left.
//!
//! Law: the judgement is the same for both sides, up to the half step that the move is worth.

use outplay_core::{Evaluator, Score, Seat, View};

use super::cells::Cells;
use super::rules::Quoridor;

/// What a step and a wall are worth, in thousandths of log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathWeights {
    /// A step that the other side is farther from its goal.
    pub step: i32,
    /// A wall more in hand.
    pub wall: i32,
}

impl Default for PathWeights {
    fn default() -> Self {
        Self { step: 400, wall: 200 }
    }
}

/// Judges by path lengths and walls in hand.
#[derive(Clone, Copy, Debug)]
pub struct PathJudge {
    weights: PathWeights,
}

impl PathJudge {
    /// A judge with these weights.
    pub const fn new(weights: PathWeights) -> Self {
        Self { weights }
    }
}

impl<C: Cells> Evaluator<Quoridor<C>> for PathJudge {
    fn serve(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Quoridor<C>) -> Score {
        let (me, other) = (position.seat(), !position.seat());
        let distance = |seat| position.distance(seat).map_or(0, |steps| steps as i32);
        let walls = i32::from(position.in_hand(me)) - i32::from(position.in_hand(other));
        let half_steps = 2 * (distance(other) - distance(me)) + 1;
        Score::judged(self.weights.step * half_steps / 2 + self.weights.wall * walls)
    }
}
