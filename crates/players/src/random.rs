//! The random player, the baseline of all comparisons.

use std::time::Duration;

use outplay_core::{Candidate, Player, Seat, Thought, Turn, View};

/// Plays uniformly random legal moves, in any game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<V: View> Player<V> for Random {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &V, turn: &mut Turn<'_, V::Move>) -> V::Move {
        let chosen = view.random_move(turn.rng, &mut Vec::new());
        turn.show(|| {
            let moves = view.moves();
            let share = 1.0 / moves.len() as f64;
            let others = moves.into_iter().filter(|&mv| mv != chosen);
            Thought {
                candidates: std::iter::once(chosen)
                    .chain(others)
                    .map(|mv| Candidate::expected(mv, 0.5, share, vec![mv]))
                    .collect(),
                depth: 0,
                nodes: 0,
                elapsed: Duration::ZERO,
            }
        });
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TicTacToe;
    use outplay_core::Rng;

    #[test]
    fn every_legal_move_is_played_and_no_other() {
        let position = TicTacToe::read("XO. .X. ... O");
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 9];
        for _ in 0..6000 {
            let mv = Random.choose(&position, &mut Turn::new(&mut rng));
            counts[usize::from(mv)] += 1;
        }
        for (cell, &count) in counts.iter().enumerate() {
            let expected = if position.is_legal(cell as u8) { 850..1150 } else { 0..1 };
            assert!(expected.contains(&count), "{counts:?}");
        }
    }

    #[test]
    fn the_shown_candidates_are_the_legal_moves_chosen_first() {
        let position = TicTacToe::START;
        let mut shown = Vec::new();
        let mut watch = |thought: Thought<u8>| shown.push(thought);
        let mut rng = Rng::new(4);
        let mv = Random.choose(&position, &mut Turn::new(&mut rng).watched(&mut watch));
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].candidates[0].mv, mv);
        assert_eq!(shown[0].candidates.len(), 9);
        assert!((shown[0].candidates.iter().map(|c| c.weight).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
