//! Scores: how good a position is for the side to move.
//!
//! Forced wins and losses have bands of their own at the ends of the range. In between, a score is a log-odds in
//! thousandths, so every evaluation, whatever its origin, means a probability ([`Score::chance`]).

use std::ops::Neg;

/// The value of a position, always from the point of view of the side to move there.
///
/// From worst to best: a loss now, a loss far away, evaluations below zero, an even position,
/// evaluations above zero, a win far away, a win now.
///
/// ```
/// use outplay_core::{ForcedResult, Score};
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert!(Score::win_in(5) > Score::eval(i32::MAX));
/// assert!(Score::loss_in(2) < Score::loss_in(4));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// assert_eq!(Score::win_in(3).forced_result(), Some(ForcedResult::Win(3)));
/// assert_eq!(Score::EVEN.chance(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Score(i32);

/// A forced result, with the number of plies to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForcedResult {
    /// The side to move wins in this many plies.
    Win(u32),
    /// The side to move loses in this many plies.
    Loss(u32),
}

impl Score {
    /// A win in 0 plies.
    const WON: i32 = 1_000_000;
    /// Evaluations stay within this bound; beyond it lie forced results.
    const MAX_EVAL: i32 = 900_000;
    /// One unit of log-odds.
    const UNIT: f64 = 1000.0;

    /// A draw, or a position that favours nobody.
    pub const EVEN: Self = Self(0);
    /// Below every score.
    pub const MIN: Self = Self(-Self::WON - 1);
    /// Above every score.
    pub const MAX: Self = Self(Self::WON + 1);

    /// The side to move wins in `plies`.
    pub const fn win_in(plies: u32) -> Self {
        Self(Self::WON - plies as i32)
    }

    /// The side to move loses in `plies`.
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - Self::WON)
    }

    /// A heuristic evaluation in thousandths of log-odds, clamped to the band of evaluations.
    pub const fn eval(milli_log_odds: i32) -> Self {
        if milli_log_odds > Self::MAX_EVAL {
            Self(Self::MAX_EVAL)
        } else if milli_log_odds < -Self::MAX_EVAL {
            Self(-Self::MAX_EVAL)
        } else {
            Self(milli_log_odds)
        }
    }

    /// The score as a plain number, for ordering and for tables.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The inverse of [`value`](Self::value).
    pub const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// The forced result that the score stands for, if it is one.
    pub const fn forced_result(self) -> Option<ForcedResult> {
        if self.0 > Self::MAX_EVAL {
            Some(ForcedResult::Win((Self::WON - self.0) as u32))
        } else if self.0 < -Self::MAX_EVAL {
            Some(ForcedResult::Loss((self.0 + Self::WON) as u32))
        } else {
            None
        }
    }

    /// The same forced result seen from `plies` earlier in the game; evaluations do not change.
    #[must_use]
    pub const fn delayed(self, plies: u32) -> Self {
        match self.forced_result() {
            Some(ForcedResult::Win(_)) => Self(self.0 - plies as i32),
            Some(ForcedResult::Loss(_)) => Self(self.0 + plies as i32),
            None => self,
        }
    }

    /// The same forced result seen from `plies` later in the game; the inverse of [`delayed`](Self::delayed).
    #[must_use]
    pub const fn advanced(self, plies: u32) -> Self {
        match self.forced_result() {
            Some(ForcedResult::Win(_)) => Self(self.0 + plies as i32),
            Some(ForcedResult::Loss(_)) => Self(self.0 - plies as i32),
            None => self,
        }
    }

    /// The expected points of the side to move, from 0 to 1.
    pub fn chance(self) -> f64 {
        match self.forced_result() {
            Some(ForcedResult::Win(_)) => 1.0,
            Some(ForcedResult::Loss(_)) => 0.0,
            None => 1.0 / (1.0 + (-f64::from(self.0) / Self::UNIT).exp()),
        }
    }
}

impl Neg for Score {
    type Output = Self;

    /// The same position's score for the other side.
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_the_inverse_of_its_log_odds() {
        for (milli_log_odds, chance) in
            [(0, 0.5), (1000, 0.731_058_6), (-1000, 0.268_941_4), (3000, 0.952_574_1)]
        {
            assert!((Score::eval(milli_log_odds).chance() - chance).abs() < 1e-6);
        }
        assert_eq!((Score::win_in(7).chance(), Score::loss_in(7).chance()), (1.0, 0.0));
    }

    #[test]
    fn delay_changes_forced_results_only() {
        assert_eq!(Score::win_in(3).delayed(2), Score::win_in(5));
        assert_eq!(Score::loss_in(3).delayed(2), Score::loss_in(5));
        assert_eq!(Score::eval(70).delayed(2), Score::eval(70));
        assert_eq!(Score::loss_in(9).delayed(4).advanced(4), Score::loss_in(9));
    }
}
