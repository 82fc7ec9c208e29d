//! An evaluator that selects and orders moves by an arbitrary rule.

use outplay_core::{Evaluator, Position, Rng, Score, Seat};

use super::Noise;

/// Scores as [`Noise`]; its plausible moves are those of even slots, if there are any, the greatest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectiveEvaluator {
    pub(crate) noise: Noise,
    /// The number of moves searched to full depth.
    pub(crate) full_depth_moves: usize,
}

impl SelectiveEvaluator {
    /// Its plausible moves.
    pub(crate) fn selected<P: Position>(position: &P) -> Vec<P::Move> {
        let mut moves = position.moves();
        if moves.iter().any(|&mv| P::slot(mv) % 2 == 0) {
            moves.retain(|&mv| P::slot(mv) % 2 == 0);
        }
        moves
    }
}

impl<P: Position> Evaluator<P> for SelectiveEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &P) -> Score {
        self.noise.score(position)
    }

    fn plausible_moves(&mut self, position: &P, _depth: u32, mut visit: impl FnMut(P::Move, i32)) -> usize {
        for mv in Self::selected(position) {
            visit(mv, P::slot(mv) as i32);
        }
        self.full_depth_moves
    }

    fn playout_move(&mut self, position: &P, _rng: &mut Rng, _scratch: &mut Vec<P::Move>) -> P::Move {
        Self::selected(position)[0]
    }
}
