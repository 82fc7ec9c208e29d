//! A player who is not always at its best: for beginners to win against.
//!
//! Law: how often it slips is drawn from the turn's generator before every move; when it does not slip, it plays as the
//! player it is made of.

use outplay_core::{Player, Seat, Turn, View};

use crate::Random;

/// A player who now and then makes any legal move.
#[derive(Clone, Debug)]
pub struct Careless<T> {
    player: T,
    slips: f64,
}

impl<T> Careless<T> {
    /// The player, slipping in this share of its moves.
    pub const fn new(player: T, slips: f64) -> Self {
        Self { player, slips }
    }
}

impl<V: View, T: Player<V>> Player<V> for Careless<T> {
    fn new_game(&mut self, seat: Seat) {
        self.player.new_game(seat);
    }

    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move {
        if turn.rng.unit() < self.slips { Random.choose(view, turn) } else { self.player.choose(view, turn) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TicTacToe, choose};
    use crate::{Even, Minimax, Sight};

    #[test]
    fn it_slips_as_often_as_it_should() {
        // One move wins at once; a slip finds it one time in four.
        let position = TicTacToe::read("XX. OO. ..X O");
        let winning = choose(&mut Minimax::new(Even, 1, Sight::Outcomes), &position, 0);
        let hits = |slips| {
            let mut player = Careless::new(Minimax::new(Even, 1, Sight::Outcomes), slips);
            (0..2000).filter(|&seed| choose(&mut player, &position, seed) == winning).count()
        };
        assert_eq!(hits(0.0), 2000);
        // 2000 × (½ + ½ · ¼) = 1250, with a deviation of 22.
        assert!((1140..1360).contains(&hits(0.5)), "{}", hits(0.5));
    }
}
