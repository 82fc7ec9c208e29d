//! Small games and evaluators for testing the methods.
//!
//! Their true values are known independently (counted, solved or obvious), never from the methods under test.

mod drop;
mod noise;
mod selective;
mod tictactoe;
mod tug;

use outplay_core::{Player, Position, Rng, Thought, Turn, View};

pub(crate) use drop::Drop3;
pub(crate) use noise::Noise;
pub(crate) use selective::SelectiveEvaluator;
pub(crate) use tictactoe::{Marks, TicTacToe};
pub(crate) use tug::{Height, Knot, Tug};

/// A turn without limits whose generator has this seed: the move and every thought shown.
pub(crate) fn watch<V: View>(
    player: &mut impl Player<V>,
    view: &V,
    seed: u64,
) -> (V::Move, Vec<Thought<V::Move>>) {
    let (mut rng, mut thoughts) = (Rng::new(seed), Vec::new());
    let mut watcher = |thought| thoughts.push(thought);
    let mv = player.choose(view, &mut Turn::new(&mut rng).watched(&mut watcher));
    (mv, thoughts)
}

/// The move at a turn without limits and without a watcher.
pub(crate) fn choose<V: View>(player: &mut impl Player<V>, view: &V, seed: u64) -> V::Move {
    player.choose(view, &mut Turn::new(&mut Rng::new(seed)))
}

/// Up to `plies` random moves from `start`, none of which ends the game.
pub(crate) fn wander<P: Position>(start: &P, plies: u32, seed: u64) -> P {
    let (mut rng, mut scratch, mut position) = (Rng::new(seed), Vec::new(), start.clone());
    for _ in 0..plies {
        if position.outcome().is_some() {
            break;
        }
        let next = position.after(position.random_move(&mut rng, &mut scratch));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}
