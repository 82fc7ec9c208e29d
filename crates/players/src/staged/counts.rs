//! Counts of won, lost and drawn positions, and the longest win.
//!
//! Every position of every stage that play may reach is counted, symmetric ones included, whether or not play can
//! reach the position within its stage.

use std::cmp::Reverse;

use outplay_core::StagedPosition;
use rayon::prelude::*;

use super::StagedSolution;
use super::packed_value::PackedValue;

/// The number of positions by their value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCounts<P> {
    /// Positions in which the game is over.
    pub finished: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Positions neither side can win.
    pub draws: u64,
    /// The longest forced win.
    pub longest: Option<LongestForcedWin<P>>,
}

/// A forced win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestForcedWin<P> {
    /// The plies to the win.
    pub plies: u32,
    /// A position where it begins.
    pub example: P,
}

impl<P> ValueCounts<P> {
    /// The number of positions in which the game is not over.
    pub const fn unfinished(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// The counts of some stages.
#[derive(Clone, Copy, Default)]
struct StageCounts {
    finished: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// The distance of the farthest win, and the first of all places with such a win.
    farthest: Option<(usize, Reverse<usize>)>,
}

impl StageCounts {
    /// Counts the places of a stage that represents `images` stages; `first` is the number of its first place.
    fn of_stage(values: &[PackedValue], first: usize, images: u64) -> Self {
        let mut counts = Self::default();
        for (place, &packed) in values.iter().enumerate().filter(|&(_, &packed)| packed != PackedValue::NONE)
        {
            match packed {
                PackedValue::DRAW => counts.draws += images,
                PackedValue::WON | PackedValue::LOST => counts.finished += images,
                packed if packed.is_win() => {
                    counts.wins += images;
                    counts.farthest = counts.farthest.max(Some((packed.distance(), Reverse(first + place))));
                }
                _ => counts.losses += images,
            }
        }
        counts
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

impl<P: StagedPosition> StagedSolution<P> {
    /// Counts all positions.
    pub fn value_counts(&self) -> ValueCounts<P> {
        let places = self.stage_index.places;
        let stages = self.stage_index.stages().par_iter().zip(self.values.par_chunks(places)).enumerate();
        let counted = stages
            .map(|(stage, (indexed, values))| StageCounts::of_stage(values, stage * places, indexed.images));
        let StageCounts { finished, wins, losses, draws, farthest } =
            counted.reduce(StageCounts::default, StageCounts::and);
        let longest = farthest.and_then(|(plies, Reverse(number))| {
            Some(LongestForcedWin {
                plies: plies as u32,
                example: self.example_at(number / places, number % places)?,
            })
        });
        ValueCounts { finished, wins, losses, draws, longest }
    }

    /// A position of a reachable stage whose image is at this place of this stage.
    fn example_at(&self, number: usize, place: usize) -> Option<P> {
        let seen = self.stage_index.stages()[number].seen;
        let (_, symmetry) = P::canonical(seen);
        let mut positions = (0..self.stage_index.places).filter_map(|place| P::at(seen, place));
        positions.find(|position| position.place(symmetry) == place)
    }
}
