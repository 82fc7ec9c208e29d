//! A wrapper that plays a random move with probability ε and otherwise the wrapped player's move.
//!
//! Deterministic players repeat the same game against each other; a small ε varies the games without deciding them in the
//! opening. With ε = 0 the wrapped player plays exactly as it does alone.

use outplay_core::{Player, Seat, Turn, View};

use crate::random::Random;

/// A player that plays a random move with probability ε.
#[derive(Clone, Debug)]
pub struct EpsilonRandom<P> {
    inner: P,
    epsilon: f64,
}

impl<P> EpsilonRandom<P> {
    /// Wraps `inner`; `epsilon` is the probability of a random move.
    pub const fn new(inner: P, epsilon: f64) -> Self {
        Self { inner, epsilon }
    }
}

impl<V: View, P: Player<V>> Player<V> for EpsilonRandom<P> {
    fn new_game(&mut self, seat: Seat) {
        self.inner.new_game(seat);
    }

    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move {
        if self.epsilon > 0.0 && turn.rng.unit() < self.epsilon {
            Random.choose(view, turn)
        } else {
            self.inner.choose(view, turn)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TicTacToe, choose};
    use crate::{EvenEvaluator, Minimax};
    use outplay_core::Rng;

    #[test]
    fn random_moves_come_with_probability_epsilon() {
        let (start, first) = (TicTacToe::START, || Minimax::greedy(EvenEvaluator));
        let unchanged = |seed| {
            choose(&mut EpsilonRandom::new(first(), 0.0), &start, seed) == choose(&mut first(), &start, seed)
        };
        assert!((0..200).all(unchanged));
        // In three games of ten the move is the random player's, with the generator one step further.
        let random = (0..1000).filter(|&seed| {
            let mut rng = Rng::new(seed);
            let is_random = rng.unit() < 0.3;
            let drawn = Random.choose(&start, &mut Turn::new(&mut rng));
            is_random && choose(&mut EpsilonRandom::new(first(), 0.3), &start, seed) == drawn
        });
        assert!((250..350).contains(&random.count()));
    }
}
