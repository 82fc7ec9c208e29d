//! Games as text: Portable Game Notation.
//!
//! Belongs here: reading (`read`, one game at a time, forgiving), writing (`write`, exact), and what comments say that
//! programs leave behind (`remark`).
//!
//! Law: what was written reads back as the same game.

mod comment;
mod read;
mod write;

pub use comment::{CommentScore, EngineComment};
pub use read::{PgnError, PgnReader};

use outplay_core::{Outcome, Seat};

use super::moves::ChessMove;
use super::rules::Chess;

/// A game with all that was noted down about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Chess,
    /// The moves that were played.
    pub line: PgnLine,
    /// How it ended.
    pub result: PgnResult,
}

/// Moves one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnLine {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<PgnPly>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnPly {
    /// The move.
    pub mv: ChessMove,
    /// Numeric annotation glyphs: 1 is a good move, 2 a mistake …
    pub nags: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// What might have been played in its place.
    pub variations: Vec<PgnLine>,
}

impl PgnPly {
    /// A move of which nothing is said.
    pub const fn new(mv: ChessMove) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// How a game ended, as far as its text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// It was finished.
    Finished(Outcome),
    /// It goes on, or nobody knows.
    Open,
}

const RESULTS: [(&str, PgnResult); 4] = [
    ("1-0", PgnResult::Finished(Outcome::Win(Seat::First))),
    ("0-1", PgnResult::Finished(Outcome::Win(Seat::Second))),
    ("1/2-1/2", PgnResult::Finished(Outcome::Draw)),
    ("*", PgnResult::Open),
];

impl PgnResult {
    /// Its mark.
    pub fn mark(self) -> &'static str {
        RESULTS.iter().find(|(_, ending)| *ending == self).map_or("*", |(mark, _)| mark)
    }

    /// The ending with this mark.
    pub fn from_mark(mark: &str) -> Option<Self> {
        RESULTS.iter().find(|(text, _)| *text == mark).map(|&(_, ending)| ending)
    }
}

impl PgnGame {
    /// A game without moves.
    pub const fn new(start: Chess) -> Self {
        Self {
            tags: Vec::new(),
            start,
            line: PgnLine { comments: Vec::new(), plies: Vec::new() },
            result: PgnResult::Open,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests;
