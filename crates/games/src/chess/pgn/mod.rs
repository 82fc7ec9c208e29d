//! Games as text: Portable Game Notation.
//!
//! Belongs here: reading (`read`, one game at a time, forgiving), writing (`write`, exact), and what comments say that
//! programs leave behind (`remark`).
//!
//! Law: what was written reads back as the same game.

mod read;
mod remark;
mod write;

pub use read::{PgnError, Reader};
pub use remark::{Remark, Verdict};

use outplay_core::{Outcome, Seat};

use super::moves::Move;
use super::rules::Chess;

/// A game with all that was noted down about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Chess,
    /// The moves that were played.
    pub line: Line,
    /// How it ended.
    pub ending: Ending,
}

/// Moves one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs: 1 is a good move, 2 a mistake …
    pub glyphs: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// What might have been played in its place.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move of which nothing is said.
    pub const fn new(mv: Move) -> Self {
        Self { mv, glyphs: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// How a game ended, as far as its text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It was finished.
    Finished(Outcome),
    /// It goes on, or nobody knows.
    Open,
}

const ENDINGS: [(&str, Ending); 4] = [
    ("1-0", Ending::Finished(Outcome::Win(Seat::First))),
    ("0-1", Ending::Finished(Outcome::Win(Seat::Second))),
    ("1/2-1/2", Ending::Finished(Outcome::Draw)),
    ("*", Ending::Open),
];

impl Ending {
    /// Its mark.
    pub fn mark(self) -> &'static str {
        ENDINGS.iter().find(|(_, ending)| *ending == self).map_or("*", |(mark, _)| mark)
    }

    /// The ending with this mark.
    pub fn of_mark(mark: &str) -> Option<Self> {
        ENDINGS.iter().find(|(text, _)| *text == mark).map(|&(_, ending)| ending)
    }
}

impl Game {
    /// A game without moves.
    pub const fn new(start: Chess) -> Self {
        Self {
            tags: Vec::new(),
            start,
            line: Line { comments: Vec::new(), plies: Vec::new() },
            ending: Ending::Open,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests;
