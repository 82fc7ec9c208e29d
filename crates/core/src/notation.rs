//! The texts of a game: moves, positions, pictures.
//!
//! Invariant: what is written can be read back. A text that cannot be read gives an error of one sentence that quotes it.

use crate::{Game, MoveOf, Position, PositionHistory, Referee};

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

/// A position with texts: all that the [`Notation`] of a game without hidden information needs.
pub trait PositionNotation: Position {
    /// What the game calls its seats, in the order of play.
    const SEAT_NAMES: [&'static str; 2];

    /// See [`Notation::write_move`].
    fn write_move(&self, mv: Self::Move) -> String;

    /// See [`Notation::read_move`].
    fn read_move(&self, text: &str) -> Result<Self::Move, IllegalMove>;

    /// See [`Notation::write_position`].
    fn write(&self) -> String;

    /// The position in the text, on a board like this one. See [`Notation::read_position`].
    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition>;

    /// See [`Notation::picture`].
    fn picture(&self) -> String;
}

impl<P: PositionNotation> Notation for Referee<P> {
    fn write_move(&self, state: &PositionHistory<P>, mv: P::Move) -> String {
        state.now.write_move(mv)
    }

    fn read_move(&self, state: &PositionHistory<P>, text: &str) -> Result<P::Move, IllegalMove> {
        if self.outcome(state).is_some() {
            return Err(IllegalMove(format!("the move '{text}' cannot be played: the game is over")));
        }
        state.now.read_move(text)
    }

    fn write_position(&self, state: &PositionHistory<P>) -> String {
        state.now.write()
    }

    fn read_position(&self, text: &str) -> Result<PositionHistory<P>, MalformedPosition> {
        self.start.read_like(text).map(PositionHistory::from)
    }

    fn picture(&self, state: &PositionHistory<P>) -> String {
        state.now.picture()
    }

    fn seat_names(&self) -> [&'static str; 2] {
        P::SEAT_NAMES
    }
}
