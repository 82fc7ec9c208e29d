//! A person who can be asked for moves while something learns.

use std::fmt::Debug;

use outplay_core::{Player, PositionNotation, Seat, Text, Turn};
use std::sync::Arc;

/// Where a person sits. Nobody does in the studio, whose trainings run unattended.
pub trait Keyboard: Debug + Send + Sync {
    /// Shows a position and asks for a move; `None` if the person leaves.
    fn ask(&self, question: &MoveQuestion) -> Option<String>;
}

/// A position in which a person has to move.
#[derive(Clone, Debug)]
pub struct MoveQuestion {
    /// The board as text.
    pub picture: String,
    /// The side to move.
    pub to_move: Text,
    /// Why the last answer was no move.
    pub refusal: Option<String>,
}

/// A player whose moves a person types. It forfeits when the person leaves.
#[derive(Debug)]
pub(crate) struct TypedPlayer(pub(crate) Arc<dyn Keyboard>);

impl<P: PositionNotation> Player<P> for TypedPlayer {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let [first, second] = P::SEAT_NAMES;
        let to_move = if view.seat() == Seat::First { first } else { second };
        let mut question = MoveQuestion { picture: view.draw().to_text(), to_move, refusal: None };
        loop {
            let Some(text) = self.0.ask(&question) else {
                turn.forfeit("the person left");
                return view.moves()[0];
            };
            match view.read_move(text.trim()) {
                Ok(mv) => return mv,
                Err(refusal) => question.refusal = Some(refusal.to_string()),
            }
        }
    }
}
