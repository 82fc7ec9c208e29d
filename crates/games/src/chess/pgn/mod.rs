//! Portable Game Notation: a tolerant reader (`read`), an exact writer (`write`), and what engines leave in comments
//! (`comment`). A written game reads back as the same game.

mod comment;
mod read;
mod write;

pub use comment::{CommentScore, EngineComment};
pub use read::{PgnError, PgnFault, PgnReader};

use outplay_core::{Outcome, Seat};

use super::moves::ChessMove;
use super::rules::Chess;

/// A game with its tags and annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Tag names and values, in order.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Chess,
    /// The main line.
    pub line: PgnLine,
    /// The result.
    pub result: PgnResult,
}

/// A sequence of annotated moves: the main line or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnLine {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<PgnPly>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnPly {
    /// The move.
    pub mv: ChessMove,
    /// Numeric annotation glyphs: 1 is a good move, 2 a mistake …
    pub nags: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// Variations: alternatives to this move.
    pub variations: Vec<PgnLine>,
}

impl PgnPly {
    /// A move without annotations.
    pub const fn new(mv: ChessMove) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// It was finished.
    Finished(Outcome),
    /// Unfinished or unknown.
    Open,
}

const RESULTS: [(&str, PgnResult); 4] = [
    ("1-0", PgnResult::Finished(Outcome::Win(Seat::First))),
    ("0-1", PgnResult::Finished(Outcome::Win(Seat::Second))),
    ("1/2-1/2", PgnResult::Finished(Outcome::Draw)),
    ("*", PgnResult::Open),
];

impl PgnResult {
    /// Its PGN text, such as `1-0`.
    pub fn mark(self) -> &'static str {
        RESULTS.iter().find(|(_, result)| *result == self).map_or("*", |(mark, _)| mark)
    }

    /// The result with this PGN text.
    pub fn from_mark(mark: &str) -> Option<Self> {
        RESULTS.iter().find(|(text, _)| *text == mark).map(|&(_, result)| result)
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
