//! How many positions are won, lost and drawn, and the longest win.
//!
//! Every board counts, not only one of its images. Boards are seen by the side to move, so each position is counted once,
//! not once per side to move.

use outplay_core::{Seat, Value};
use rayon::prelude::*;

use super::board_index::{BoardIndex, BoardShape};
use super::{BoardState, PushoverSolution, RepetitionRule, has_line};
use crate::pushover::{Pushover, PushoverBoard};

/// The positions of Push-over 4×4 by value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PushoverCensus {
    /// Boards with a line, on which the game is over. Together with `boards` these are all 3¹⁶.
    pub finished: u64,
    /// Unfinished boards with nothing forbidden.
    pub boards: PushoverValueCounts,
    /// Pairs (B, F) of unfinished boards: the opponent can push from F to B, the mover could push from B back
    /// to F and may not. None where repetition is allowed.
    pub restricted: PushoverValueCounts,
}

/// Counts for the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PushoverValueCounts {
    /// Positions it wins.
    pub wins: u64,
    /// Positions it loses.
    pub losses: u64,
    /// Positions neither side can win.
    pub draws: u64,
    /// A win that takes longest.
    pub longest: Option<PushoverLongestWin>,
}

/// A win of the side to move, with the first seat to move.
#[derive(Clone, Debug, PartialEq)]
pub struct PushoverLongestWin {
    /// The plies to the win.
    pub plies: u32,
    /// Where it begins.
    pub example: Pushover<4>,
}

impl PushoverValueCounts {
    /// All that was counted.
    pub const fn total(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    fn count(&mut self, value: Value, weight: u64, state: BoardState) {
        match value {
            Value::Win(plies) => {
                self.wins += weight;
                if self.longest.as_ref().is_none_or(|longest| plies > longest.plies) {
                    let example = Pushover::set_up(state.board, state.forbidden, Seat::First, None);
                    self.longest = Some(PushoverLongestWin { plies, example });
                }
            }
            Value::Loss(_) => self.losses += weight,
            Value::Draw => self.draws += weight,
        }
    }

    /// Of equally long wins the earlier counted one remains the example.
    fn add(&mut self, later: Self) {
        self.wins += later.wins;
        self.losses += later.losses;
        self.draws += later.draws;
        let plies = |longest: &Option<PushoverLongestWin>| longest.as_ref().map(|longest| longest.plies);
        if plies(&later.longest) > plies(&self.longest) {
            self.longest = later.longest;
        }
    }
}

impl PushoverSolution {
    /// Counts all positions.
    pub fn census(&self) -> PushoverCensus {
        let shapes: Vec<PushoverCensus> =
            BoardIndex::get().shapes().par_iter().map(|shape| self.census_of(shape)).collect();
        let mut census = PushoverCensus::default();
        for shape in shapes {
            census.finished += shape.finished;
            census.boards.add(shape.boards);
            census.restricted.add(shape.restricted);
        }
        census
    }

    fn census_of(&self, shape: &BoardShape) -> PushoverCensus {
        let mut census = PushoverCensus::default();
        for board in shape.boards() {
            if has_line(board) {
                census.finished += shape.images;
                continue;
            }
            let free = BoardState { board, forbidden: None };
            census.boards.count(self.byte_value(free).value(), shape.images, free);
            if self.rule == RepetitionRule::Forbidden {
                for forbidden in forbidden_boards(board) {
                    let state = BoardState { board, forbidden: Some(forbidden) };
                    census.restricted.count(self.byte_value(state).value(), shape.images, state);
                }
            }
        }
        census
    }
}

/// The boards from which the opponent can have pushed to `board` and which the mover could make again, each
/// once, seen by the mover.
fn forbidden_boards(board: PushoverBoard<4>) -> Vec<PushoverBoard<4>> {
    let mut forbidden = Vec::new();
    for entry in PushoverBoard::<4>::entries() {
        let made = board.push(entry);
        let came_from =
            || PushoverBoard::<4>::entries().any(|back| made.flipped().push(back) == board.flipped());
        if made.pieces() == board.pieces() && !has_line(made) && !forbidden.contains(&made) && came_from() {
            forbidden.push(made);
        }
    }
    forbidden
}
