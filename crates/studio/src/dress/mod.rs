//! What a game has on screen beyond what every game has, one file or folder per game.
//!
//! Law: a dress adds what the drawing needs (squares, facts, formats) and decides nothing: rules and results are the lab's.

mod chess;
mod minesweeper;

use outplay_core::{Outcome, Seat};
use outplay_lab::Snapshot;
use outplay_lab::registry::Facts;
use outplay_lab::spec::Spec;

use crate::refusal::Refusal;

/// A game's dress.
pub(crate) struct Dress {
    name: &'static str,
    /// In which forms a game can be exported.
    pub(crate) formats: &'static [&'static str],
    /// Whether more is there than is seen, so that moves alone do not tell a game.
    pub(crate) has_secrets: bool,
    /// The squares that moves go from and to, where their notation does not say it.
    pub(crate) squares: Option<Squares>,
    /// What else the drawing needs.
    pub(crate) facts: fn(&Scene<'_>) -> Facts,
    /// Whether a seat could still win, which it does when the other's time runs out.
    pub(crate) may_win: fn(&Scene<'_>, Seat) -> bool,
    /// A game in a form of its own.
    pub(crate) export: fn(&Played<'_>, &str) -> Option<String>,
    /// A game read from a form of its own; nothing if the text is not in one.
    pub(crate) import: fn(&str) -> Option<Result<Imported, Refusal>>,
}

/// The squares of moves in a position, one by one.
pub(crate) type Squares = fn(&Scene<'_>, &[String]) -> Vec<String>;

/// A position and how it came about.
pub(crate) struct Scene<'a> {
    /// The game.
    pub(crate) spec: &'a Spec,
    /// Where it began, if not as the game does.
    pub(crate) start: Option<&'a str>,
    /// Who sits where.
    pub(crate) seats: &'a [String],
    /// How things stand.
    pub(crate) snapshot: &'a Snapshot,
}

/// A game as far as it was played.
pub(crate) struct Played<'a> {
    /// Where it stands.
    pub(crate) scene: Scene<'a>,
    pub(crate) moves: &'a [String],
    /// How it ended, on the board or otherwise.
    pub(crate) result: Option<Outcome>,
}

/// What a text holds.
pub(crate) struct Imported {
    /// The position in which it begins, if not the game's own.
    pub(crate) position: Option<String>,
    /// The moves from there.
    pub(crate) moves: Vec<String>,
    /// Who played.
    pub(crate) players: Vec<String>,
}

/// The dress of a game that needs none.
const PLAIN: Dress = Dress {
    name: "",
    formats: &["text", "json"],
    has_secrets: false,
    squares: None,
    facts: |scene| scene.snapshot.facts.clone(),
    may_win: |_, _| true,
    export: |_, _| None,
    import: |_| None,
};

static DRESSES: &[Dress] = &[chess::DRESS, minesweeper::DRESS, PLAIN];

/// The dress of the game of this name.
pub(crate) fn of(game: &str) -> &'static Dress {
    DRESSES.iter().find(|dress| dress.name == game).unwrap_or(&DRESSES[DRESSES.len() - 1])
}

/// All that read forms of their own, with the names of their games.
pub(crate) fn readers() -> impl Iterator<Item = (&'static str, &'static Dress)> {
    DRESSES.iter().filter(|dress| !dress.name.is_empty()).map(|dress| (dress.name, dress))
}
