//! The evaluator for methods that need none.

use outplay_core::{Evaluator, Position, Score, Seat};

/// Scores every position as even.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenEvaluator;

impl<P: Position> Evaluator<P> for EvenEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, _position: &P) -> Score {
        Score::EVEN
    }
}
