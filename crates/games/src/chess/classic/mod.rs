//! The classic hand-crafted evaluation: material, piece-square tables, mobility, pawn structure, king safety, threats.
//!
//! Every term has a weight for the middlegame and one for the endgame, interpolated by the material that is left (tapered
//! evaluation). All weights are in one table, which Texel's method tunes. The evaluation is symmetric: it is the same for
//! both sides with the board flipped. A centipawn means the same log-odds as in
//! [`MaterialEvaluator`](super::MaterialEvaluator), so four pawns make ten to one.
//!
//! Reference: P. Österlund, Texel's tuning method (Chess Programming Wiki, 2014).

mod features;
mod pawns;
mod tapered;
mod terms;
mod trace;
mod weights;

pub use features::{FEATURES, GROUPS, WeightGroup};
pub use tapered::TaperedScore;
pub use trace::EvalTrace;
pub use weights::{ClassicWeights, WeightsError};

use std::sync::Arc;

use outplay_core::{Evaluator, Score, Seat, View};

use super::ordering;
use super::pieces::PieceKind;
use super::rules::{Chess, DARK_SQUARES};
use terms::TermSink;

/// Thousandths of log-odds per pawn.
const LOG_ODDS: i32 = 576;

/// The classic evaluation.
#[derive(Clone, Debug)]
pub struct ClassicEvaluator {
    weights: Arc<ClassicWeights>,
}

impl Default for ClassicEvaluator {
    fn default() -> Self {
        Self { weights: ClassicWeights::tuned() }
    }
}

/// Adds up the weighted terms.
struct WeightedSum<'a> {
    weights: &'a ClassicWeights,
    sum: TaperedScore,
}

impl TermSink for WeightedSum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.sum += self.weights.of(feature) * count;
    }
}

/// The game phase by the material left, from 24 (all pieces) to 0 (endgame).
#[inline]
fn phase(position: &Chess) -> i32 {
    let [_, knights, bishops, rooks, queens, _] = position.by_kind;
    let left = (knights | bishops).len() + 2 * rooks.len() + 4 * queens.len();
    left.min(MAX_PHASE as u32) as i32
}

/// The phase with all pieces on the board.
const MAX_PHASE: i32 = 24;

/// The side with the advantage.
const fn stronger_side(white: i32) -> Seat {
    if white > 0 { Seat::First } else { Seat::Second }
}

/// Scale factor for the advantage of the stronger side, in 64ths: less where it can hardly win.
#[inline]
fn scale_factor(position: &Chess, ahead: Seat) -> i32 {
    let [pawns, knights, bishops, rooks, queens, _] = position.by_kind;
    let own = position.pieces_of_seat(ahead);
    let minors = |side| ((knights | bishops) & side).len();
    let heavy = |side| 5 * (rooks & side).len() + 9 * (queens & side).len();
    if (pawns & own).is_empty() {
        let value = |side| 3 * minors(side) + heavy(side);
        let (mine, theirs) = (value(own), value(position.pieces_of_seat(!ahead)));
        if mine < 5 || (minors(own) == 2 && heavy(own) == 0 && (bishops & own).is_empty()) {
            return 0;
        }
        if mine <= theirs + 3 {
            return 8;
        }
    }
    let of = |seat| position.pieces(seat, PieceKind::Bishop);
    let [white, black] = Seat::BOTH.map(of);
    let opposed = white.len() == 1
        && black.len() == 1
        && (white & DARK_SQUARES).is_empty() != (black & DARK_SQUARES).is_empty();
    if opposed {
        return if (knights | rooks | queens).is_empty() { 30 } else { 52 };
    }
    let count = (pawns & own).len() as i32;
    (40 + 6 * count).min(64)
}

impl ClassicEvaluator {
    /// The evaluation with these weights.
    pub const fn with_weights(weights: Arc<ClassicWeights>) -> Self {
        Self { weights }
    }

    /// The score of a position for the side to move, in centipawns.
    #[inline]
    pub fn centipawns(&self, position: &Chess) -> i32 {
        let mut sum = WeightedSum { weights: &self.weights, sum: TaperedScore::ZERO };
        terms::count(position, &mut sum);
        let phase = phase(position);
        let white = (sum.sum.middlegame() * phase + sum.sum.endgame() * (MAX_PHASE - phase)) / MAX_PHASE;
        let white = white * scale_factor(position, stronger_side(white)) / 64;
        if position.seat() == Seat::First { white } else { -white }
    }
}

/// Converts centipawns to a score in log-odds.
pub(super) const fn score_of(centipawns: i32) -> Score {
    Score::eval(centipawns * LOG_ODDS / 100)
}

impl Evaluator<Chess> for ClassicEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Chess) -> Score {
        score_of(self.centipawns(position))
    }

    fn plausible_moves(
        &mut self,
        position: &Chess,
        _depth: u32,
        visit: impl FnMut(super::ChessMove, i32),
    ) -> usize {
        ordering::consider(position, visit)
    }
}

#[cfg(test)]
mod tests;
