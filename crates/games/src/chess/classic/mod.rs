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
mod pair;
mod pawns;
mod terms;
mod trace;
mod weights;

pub use features::{FEATURES, GROUPS, Group};
pub use pair::Pair;
pub use trace::Trace;
pub use weights::{BadWeights, Weights};

use std::sync::Arc;

use outplay_core::{Evaluator, Score, Seat, View};

use super::ordering;
use super::pieces::Kind;
use super::rules::{Chess, DARK};
use terms::Tally;

/// Thousandths of log-odds in a hundredth of a pawn, times a hundred.
const LOG_ODDS: i32 = 576;

/// Judges by the classic terms.
#[derive(Clone, Debug)]
pub struct Classic {
    weights: Arc<Weights>,
}

impl Default for Classic {
    fn default() -> Self {
        Self { weights: Weights::tuned() }
    }
}

/// Adds terms up as they are counted.
struct Sum<'a> {
    weights: &'a Weights,
    sum: Pair,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.sum += self.weights.of(feature) * count;
    }
}

/// How much of the middle of the game is left, from 24 to 0.
#[inline]
fn phase(position: &Chess) -> i32 {
    let [_, knights, bishops, rooks, queens, _] = position.kinds;
    let left = (knights | bishops).len() + 2 * rooks.len() + 4 * queens.len();
    left.min(PHASES as u32) as i32
}

/// All pieces are there.
const PHASES: i32 = 24;

/// Who has the advantage.
const fn leader(white: i32) -> Seat {
    if white > 0 { Seat::First } else { Seat::Second }
}

/// How much of the advantage of the side that has it counts, in parts of 64: less where it can hardly win.
#[inline]
fn chances(position: &Chess, ahead: Seat) -> i32 {
    let [pawns, knights, bishops, rooks, queens, _] = position.kinds;
    let own = position.of_seat(ahead);
    let minors = |side| ((knights | bishops) & side).len();
    let heavy = |side| 5 * (rooks & side).len() + 9 * (queens & side).len();
    if (pawns & own).is_empty() {
        let worth = |side| 3 * minors(side) + heavy(side);
        let (mine, theirs) = (worth(own), worth(position.of_seat(!ahead)));
        if mine < 5 || (minors(own) == 2 && heavy(own) == 0 && (bishops & own).is_empty()) {
            return 0;
        }
        if mine <= theirs + 3 {
            return 8;
        }
    }
    let of = |seat| position.of(seat, Kind::Bishop);
    let [white, black] = Seat::BOTH.map(of);
    let opposed =
        white.len() == 1 && black.len() == 1 && (white & DARK).is_empty() != (black & DARK).is_empty();
    if opposed {
        return if (knights | rooks | queens).is_empty() { 30 } else { 52 };
    }
    let count = (pawns & own).len() as i32;
    (40 + 6 * count).min(64)
}

impl Classic {
    /// A judge with weights of one's own.
    pub const fn with(weights: Arc<Weights>) -> Self {
        Self { weights }
    }

    /// The worth of a position to the side to move, in hundredths of a pawn.
    #[inline]
    pub fn centipawns(&self, position: &Chess) -> i32 {
        let mut sum = Sum { weights: &self.weights, sum: Pair::ZERO };
        terms::count(position, &mut sum);
        let phase = phase(position);
        let white = (sum.sum.middle() * phase + sum.sum.end() * (PHASES - phase)) / PHASES;
        let white = white * chances(position, leader(white)) / 64;
        if position.seat() == Seat::First { white } else { -white }
    }
}

/// The score that so many hundredths of a pawn mean.
pub(super) const fn score_of(centipawns: i32) -> Score {
    Score::eval(centipawns * LOG_ODDS / 100)
}

impl Evaluator<Chess> for Classic {
    fn set_root_seat(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Chess) -> Score {
        score_of(self.centipawns(position))
    }

    fn plausible_moves(
        &mut self,
        position: &Chess,
        _depth: u32,
        visit: impl FnMut(super::Move, i32),
    ) -> usize {
        ordering::consider(position, visit)
    }
}

#[cfg(test)]
mod tests;
