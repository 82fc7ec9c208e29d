//! Perft: counting the leaves of the game tree, the usual test of a move generator.

use std::ops::ControlFlow;

use crate::Position;

/// The number of move sequences of exactly `depth` plies. Finished positions have no moves.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.move_count() as u64,
        _ => {
            let mut leaves = 0;
            let _ = position.each_move(|mv| {
                leaves += perft(&position.after(mv), depth - 1);
                ControlFlow::<()>::Continue(())
            });
            leaves
        }
    }
}
