//! A judgement that has its own opinion of moves, right or wrong.

use outplay_core::{Evaluator, Position, Rng, Score, Seat};

use super::Noise;

/// Judges as [`Noise`] and considers only moves of even slots, if there are any, the greatest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choosy {
    pub(crate) noise: Noise,
    /// How many of the moves deserve the whole depth.
    pub(crate) in_full: usize,
}

impl Choosy {
    /// What it considers.
    pub(crate) fn choice<P: Position>(position: &P) -> Vec<P::Move> {
        let mut moves = position.moves();
        if moves.iter().any(|&mv| P::slot(mv) % 2 == 0) {
            moves.retain(|&mv| P::slot(mv) % 2 == 0);
        }
        moves
    }
}

impl<P: Position> Evaluator<P> for Choosy {
    fn serve(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &P) -> Score {
        self.noise.score(position)
    }

    fn consider(&mut self, position: &P, _depth: u32, mut visit: impl FnMut(P::Move, i32)) -> usize {
        for mv in Self::choice(position) {
            visit(mv, P::slot(mv) as i32);
        }
        self.in_full
    }

    fn expect(&mut self, position: &P, _rng: &mut Rng, _scratch: &mut Vec<P::Move>) -> P::Move {
        Self::choice(position)[0]
    }
}
