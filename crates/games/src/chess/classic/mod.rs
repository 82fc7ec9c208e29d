//! The classic evaluation: what players of chess say of a position, in numbers.
//!
//! Material and the place of every piece, how far it reaches, pawns (doubled, isolated, backward, abreast, supported,
//! passed), the king's shelter and the attack on it, threats, bishops, rooks on open files, the move. Each term has two
//! weights, for the middle of a game and for its end, between which the material that is left decides (tapered
//! evaluation); all weights are in one table, which Texel's method tunes.
//!
//! Laws: the judgement is the same for both sides, the board turned round; a hundredth of a pawn means the same log-odds
//! as in [`Material`](super::Material), so four pawns make ten to one.
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

/// Thousandths of log-odds in a hundredth of a pawn, times a hundred.
const LOG_ODDS: i32 = 576;

/// Judges by the classic terms.
#[derive(Clone, Debug)]
pub struct ClassicEvaluator {
    weights: Arc<ClassicWeights>,
}

impl Default for ClassicEvaluator {
    fn default() -> Self {
        Self { weights: ClassicWeights::tuned() }
    }
}

/// Adds terms up as they are counted.
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

/// How much of the middle of the game is left, from 24 to 0.
#[inline]
fn phase(position: &Chess) -> i32 {
    let [_, knights, bishops, rooks, queens, _] = position.by_kind;
    let left = (knights | bishops).len() + 2 * rooks.len() + 4 * queens.len();
    left.min(MAX_PHASE as u32) as i32
}

/// All pieces are there.
const MAX_PHASE: i32 = 24;

/// Who has the advantage.
const fn stronger_side(white: i32) -> Seat {
    if white > 0 { Seat::First } else { Seat::Second }
}

/// How much of the advantage of the side that has it counts, in parts of 64: less where it can hardly win.
#[inline]
fn scale_factor(position: &Chess, ahead: Seat) -> i32 {
    let [pawns, knights, bishops, rooks, queens, _] = position.by_kind;
    let own = position.pieces_of_seat(ahead);
    let minors = |side| ((knights | bishops) & side).len();
    let heavy = |side| 5 * (rooks & side).len() + 9 * (queens & side).len();
    if (pawns & own).is_empty() {
        let worth = |side| 3 * minors(side) + heavy(side);
        let (mine, theirs) = (worth(own), worth(position.pieces_of_seat(!ahead)));
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
    /// A judge with weights of one's own.
    pub const fn with_weights(weights: Arc<ClassicWeights>) -> Self {
        Self { weights }
    }

    /// The worth of a position to the side to move, in hundredths of a pawn.
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

/// The score that so many hundredths of a pawn mean.
pub(super) const fn score_of(centipawns: i32) -> Score {
    Score::judged(centipawns * LOG_ODDS / 100)
}

impl Evaluator<Chess> for ClassicEvaluator {
    fn serve(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Chess) -> Score {
        score_of(self.centipawns(position))
    }

    fn consider(&mut self, position: &Chess, _depth: u32, visit: impl FnMut(super::ChessMove, i32)) -> usize {
        ordering::consider(position, visit)
    }
}

#[cfg(test)]
mod tests;
