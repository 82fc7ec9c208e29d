//! How a game is written down: moves, positions, pictures.
//!
//! Law: what is written can be read back, and what cannot be read is refused in one sentence that names it.

use crate::{Game, MoveOf};

/// A move that cannot be played: the sentence names the text, the rule, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct IllegalMove(pub String);

/// A position text that cannot be read or cannot occur.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MalformedPosition(pub String);

/// The texts of a game.
pub trait Notation: Game {
    /// The move in the game's notation.
    fn write_move(&self, state: &Self::State, mv: MoveOf<Self>) -> String;

    /// The legal move that the text names, or the reason why there is none.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<MoveOf<Self>, IllegalMove>;

    /// The position as one text from which play can go on.
    fn write_position(&self, state: &Self::State) -> String;

    /// The game that continues from the position in the text.
    fn read_position(&self, text: &str) -> Result<Self::State, MalformedPosition>;

    /// A picture for the terminal, several lines, no colour.
    fn picture(&self, state: &Self::State) -> String;

    /// What the game calls its seats, in the order of play.
    fn seat_names(&self) -> [&'static str; 2];
}
