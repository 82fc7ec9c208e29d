//! The evaluator for methods that want none.

use outplay_core::{Evaluator, Position, Score, Seat};

/// Judges every position even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Even;

impl<P: Position> Evaluator<P> for Even {
    fn serve(&mut self, _seat: Seat) {}

    fn score(&mut self, _position: &P) -> Score {
        Score::EVEN
    }
}
