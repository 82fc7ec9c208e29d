//! A player who does not always pay attention: now and then it draws a move blindly.
//!
//! Games between players who always choose alike repeat each other; a little distraction tells them apart without
//! deciding the game in the opening.
//!
//! Law: a player who is never distracted plays exactly as it does alone.

use outplay_core::{Player, Seat, Turn, View};

use crate::random::Random;

/// Another player, distracted.
#[derive(Clone, Debug)]
pub struct Distracted<P> {
    inner: P,
    epsilon: f64,
}

impl<P> Distracted<P> {
    /// Draws a move blindly with probability `epsilon`.
    pub const fn new(inner: P, epsilon: f64) -> Self {
        Self { inner, epsilon }
    }
}

impl<V: View, P: Player<V>> Player<V> for Distracted<P> {
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
    use crate::{Even, Minimax};
    use outplay_core::Rng;

    #[test]
    fn attention_is_lost_as_often_as_it_should_be() {
        let (start, first) = (TicTacToe::START, || Minimax::greedy(Even));
        let undistracted = |seed| {
            choose(&mut Distracted::new(first(), 0.0), &start, seed) == choose(&mut first(), &start, seed)
        };
        assert!((0..200).all(undistracted));
        // Whoever is distracted in three games of ten draws like `random`, with the generator one step further.
        let lost = (0..1000).filter(|&seed| {
            let mut rng = Rng::new(seed);
            let is_lost = rng.unit() < 0.3;
            let blind = Random.choose(&start, &mut Turn::new(&mut rng));
            is_lost && choose(&mut Distracted::new(first(), 0.3), &start, seed) == blind
        });
        assert!((250..350).contains(&lost.count()));
    }
}
