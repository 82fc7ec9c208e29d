//! The worth of a position to the side to move.
//!
//! Law: between the bands of certain wins and losses, a score is a log-odds in thousandths, so that
//! every evaluation, whatever its origin, means a probability ([`Score::chance`]).

use std::ops::Neg;

/// The worth of a position, always from the point of view of the side to move there.
///
/// From worst to best: a loss now, a loss far away, evaluations below zero, an even position,
/// evaluations above zero, a win far away, a win now.
///
/// ```
/// use outplay_core::{Forecast, Score};
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert!(Score::win_in(5) > Score::judged(i32::MAX));
/// assert!(Score::loss_in(2) < Score::loss_in(4));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// assert_eq!(Score::win_in(3).forecast(), Some(Forecast::Win(3)));
/// assert_eq!(Score::EVEN.chance(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Score(i32);

/// A certain result, with the number of plies to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forecast {
    /// The side to move wins in so many plies.
    Win(u32),
    /// The side to move loses in so many plies.
    Loss(u32),
}

impl Score {
    /// A win that is already there.
    const WON: i32 = 1_000_000;
    /// Evaluations stay within this; beyond it lie certain results.
    const JUDGED: i32 = 900_000;
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

    /// An evaluation in thousandths of log-odds, held inside the band of evaluations.
    pub const fn judged(milli_log_odds: i32) -> Self {
        if milli_log_odds > Self::JUDGED {
            Self(Self::JUDGED)
        } else if milli_log_odds < -Self::JUDGED {
            Self(-Self::JUDGED)
        } else {
            Self(milli_log_odds)
        }
    }

    /// The score as a plain number, for ordering and for tables.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The inverse of [`value`](Self::value), for tables that keep scores in few bits.
    pub const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// The certain result that the score stands for, if it is one.
    pub const fn forecast(self) -> Option<Forecast> {
        if self.0 > Self::JUDGED {
            Some(Forecast::Win((Self::WON - self.0) as u32))
        } else if self.0 < -Self::JUDGED {
            Some(Forecast::Loss((self.0 + Self::WON) as u32))
        } else {
            None
        }
    }

    /// The same certain result seen from `plies` earlier in the game; evaluations do not change.
    #[must_use]
    pub const fn delayed(self, plies: u32) -> Self {
        match self.forecast() {
            Some(Forecast::Win(_)) => Self(self.0 - plies as i32),
            Some(Forecast::Loss(_)) => Self(self.0 + plies as i32),
            None => self,
        }
    }

    /// The same certain result seen from `plies` later in the game; the inverse of [`delayed`](Self::delayed).
    #[must_use]
    pub const fn advanced(self, plies: u32) -> Self {
        match self.forecast() {
            Some(Forecast::Win(_)) => Self(self.0 + plies as i32),
            Some(Forecast::Loss(_)) => Self(self.0 - plies as i32),
            None => self,
        }
    }

    /// The share of points that the side to move may expect, from 0 to 1.
    pub fn chance(self) -> f64 {
        match self.forecast() {
            Some(Forecast::Win(_)) => 1.0,
            Some(Forecast::Loss(_)) => 0.0,
            None => 1.0 / (1.0 + (-f64::from(self.0) / Self::UNIT).exp()),
        }
    }
}

impl Neg for Score {
    type Output = Self;

    /// The same position's worth to the other side.
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
            assert!((Score::judged(milli_log_odds).chance() - chance).abs() < 1e-6);
        }
        assert_eq!((Score::win_in(7).chance(), Score::loss_in(7).chance()), (1.0, 0.0));
    }

    #[test]
    fn delay_moves_certain_results_only() {
        assert_eq!(Score::win_in(3).delayed(2), Score::win_in(5));
        assert_eq!(Score::loss_in(3).delayed(2), Score::loss_in(5));
        assert_eq!(Score::judged(70).delayed(2), Score::judged(70));
        assert_eq!(Score::loss_in(9).delayed(4).advanced(4), Score::loss_in(9));
    }
}
