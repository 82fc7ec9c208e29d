//! How many positions are won, lost and drawn, and the longest win.
//!
//! Law: every position of every stage that play may reach counts, not only one of its images; whether play can reach
//! the position within its stage is not asked.

use outplay_core::Staged;
use rayon::prelude::*;

use super::Solution;
use super::atlas::Known;
use super::grade::Grade;

/// The positions of a game by their value to the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census<P> {
    /// Positions in which the game is over.
    pub finished: u64,
    /// Positions it wins.
    pub wins: u64,
    /// Positions it loses.
    pub losses: u64,
    /// Positions neither side can win.
    pub draws: u64,
    /// A win that takes longest.
    pub longest: Option<Longest<P>>,
}

/// A win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest<P> {
    /// The plies to the win.
    pub plies: u32,
    /// Where it begins.
    pub example: P,
}

impl<P: Staged> Census<P> {
    const EMPTY: Self = Self { finished: 0, wins: 0, losses: 0, draws: 0, longest: None };

    /// All positions in which the game goes on.
    pub const fn unfinished(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    fn of_stage(known: &Known<P::Stage>, grades: &[Grade]) -> Self {
        let mut census = Self::EMPTY;
        let mut farthest: Option<(usize, usize)> = None;
        for (place, &grade) in grades.iter().enumerate().filter(|&(_, &grade)| grade != Grade::NONE) {
            match grade {
                Grade::DRAW => census.draws += known.images,
                Grade::WON | Grade::LOST => census.finished += known.images,
                grade if grade.is_win() => {
                    census.wins += known.images;
                    if farthest.is_none_or(|(plies, _)| grade.distance() > plies) {
                        farthest = Some((grade.distance(), place));
                    }
                }
                _ => census.losses += known.images,
            }
        }
        census.longest = farthest.and_then(|(plies, place)| {
            Some(Longest { plies: plies as u32, example: P::at(known.stage, place)? })
        });
        census
    }

    /// Of equally long wins that of the earlier stages remains the example.
    fn and(mut self, later: Self) -> Self {
        self.finished += later.finished;
        self.wins += later.wins;
        self.losses += later.losses;
        self.draws += later.draws;
        let plies = |longest: &Option<Longest<P>>| longest.as_ref().map(|longest| longest.plies);
        if plies(&later.longest) > plies(&self.longest) {
            self.longest = later.longest;
        }
        self
    }
}

impl<P: Staged> Solution<P> {
    /// Counts all positions.
    pub fn census(&self) -> Census<P> {
        let stages = self.atlas.stages().par_iter().zip(self.grades.par_chunks(self.atlas.places));
        let counted = stages.map(|(known, grades)| Census::of_stage(known, grades));
        counted.reduce(|| Census::EMPTY, Census::and)
    }
}
