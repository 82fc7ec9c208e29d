//! How many positions are won, lost and drawn, and the longest win.
//!
//! Law: every position of every stage that play may reach counts, not only one of its images; whether play can reach
//! the position within its stage is not asked.

use std::cmp::Reverse;

use outplay_core::Staged;
use rayon::prelude::*;

use super::Solution;
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

impl<P> Census<P> {
    /// All positions in which the game goes on.
    pub const fn unfinished(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// What was counted so far.
#[derive(Clone, Copy, Default)]
struct Tally {
    finished: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// The distance of the farthest win, and the first of all places with such a win.
    farthest: Option<(usize, Reverse<usize>)>,
}

impl Tally {
    /// Counts the places of a stage that stands for so many; the first has this number.
    fn of_stage(grades: &[Grade], first: usize, images: u64) -> Self {
        let mut tally = Self::default();
        for (place, &grade) in grades.iter().enumerate().filter(|&(_, &grade)| grade != Grade::NONE) {
            match grade {
                Grade::DRAW => tally.draws += images,
                Grade::WON | Grade::LOST => tally.finished += images,
                grade if grade.is_win() => {
                    tally.wins += images;
                    tally.farthest = tally.farthest.max(Some((grade.distance(), Reverse(first + place))));
                }
                _ => tally.losses += images,
            }
        }
        tally
    }

    fn and(self, other: Self) -> Self {
        Self {
            finished: self.finished + other.finished,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            farthest: self.farthest.max(other.farthest),
        }
    }
}

impl<P: Staged> Solution<P> {
    /// Counts all positions.
    pub fn census(&self) -> Census<P> {
        let places = self.atlas.places;
        let stages = self.atlas.stages().par_iter().zip(self.grades.par_chunks(places)).enumerate();
        let counted =
            stages.map(|(stage, (known, grades))| Tally::of_stage(grades, stage * places, known.images));
        let Tally { finished, wins, losses, draws, farthest } = counted.reduce(Tally::default, Tally::and);
        let longest = farthest.and_then(|(plies, Reverse(number))| {
            Some(Longest { plies: plies as u32, example: self.seen_at(number / places, number % places)? })
        });
        Census { finished, wins, losses, draws, longest }
    }

    /// A position that play may reach, up to the places of a stage, and whose image is at this place of this stage.
    fn seen_at(&self, number: usize, place: usize) -> Option<P> {
        let seen = self.atlas.stages()[number].seen;
        let (_, symmetry) = P::represent(seen);
        let mut positions = (0..self.atlas.places).filter_map(|place| P::at(seen, place));
        positions.find(|position| position.place(symmetry) == place)
    }
}
