//! Statistics of results: counts of wins, draws and losses, intervals, Elo differences, sequential tests.
//!
//! - Every interval is a 95% interval, and its coverage is checked by simulation.
//! - When games were played in pairs from the same opening with the seats swapped, the pair is the unit of
//!   evidence: its two games are not independent.
//! - Nothing here is infinite or not a number: an Elo that has no finite value is `None`.

mod crossed;
mod estimate;
mod normal;
mod share;
mod spread;
mod sprt;
mod student;

use std::iter::Sum;
use std::ops::AddAssign;

use outplay_core::{Outcome, Seat};
use serde::{Deserialize, Serialize};

pub use crossed::CrossedShares;
pub use estimate::{Elo, Estimate, Interval, elo_from_score, score_from_elo, wilson};
pub use normal::{Z95, normal_cdf};
pub use share::Shares;
pub use spread::BoxPlotStats;
pub use sprt::{Sprt, SprtError, SprtReport, SprtVerdict};
pub use student::student_interval;

/// How many games were won, drawn and lost, from one player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game that the player played in `seat`.
    pub fn count(&mut self, outcome: Outcome, seat: Seat) {
        match outcome {
            Outcome::Draw => self.draws += 1,
            Outcome::Win(winner) if winner == seat => self.wins += 1,
            Outcome::Win(_) => self.losses += 1,
        }
    }

    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// One point for a win, half a point for a draw.
    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games from the other player's point of view.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut total, tally| {
            total += tally;
            total
        })
    }
}

/// How many pairs of games brought one player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts the pair in which the player made `points`, from 0 to 2.
    pub fn count(&mut self, points: f64) {
        self.0[(points * 2.0).round() as usize] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_from_its_seat() {
        let mut tally = Tally::default();
        tally.count(Outcome::Win(Seat::First), Seat::First);
        tally.count(Outcome::Win(Seat::First), Seat::Second);
        tally.count(Outcome::Win(Seat::Second), Seat::Second);
        tally.count(Outcome::Draw, Seat::Second);
        assert_eq!(tally, Tally { wins: 2, draws: 1, losses: 1 });
        assert_eq!((tally.games(), tally.points()), (4, 2.5));
        assert_eq!(tally.reversed().points(), 1.5);
        assert_eq!([tally, tally.reversed()].into_iter().sum::<Tally>().points(), 4.0);
    }

    #[test]
    fn pairs_fall_into_five_boxes() {
        let mut pairs = PairCounts::default();
        for points in [0.0, 0.5, 1.0, 1.5, 2.0, 2.0] {
            pairs.count(points);
        }
        assert_eq!(pairs, PairCounts([1, 1, 1, 1, 2]));
        assert_eq!(pairs.pairs(), 6);
    }
}
