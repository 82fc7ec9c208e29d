//! Perft: counting the leaves of the game tree, the usual test of a move generator.

use std::iter::Sum;
use std::ops::{Add, ControlFlow};

use crate::Position;

/// What a walk through the game tree counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCount {
    /// Move sequences of exactly the depth asked for.
    pub leaves: u64,
    /// Games that end before that depth. Some sources count them as leaves.
    pub ended: u64,
}

impl Add for PerftCount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { leaves: self.leaves + other.leaves, ended: self.ended + other.ended }
    }
}

impl Sum for PerftCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

/// The number of move sequences of exactly `depth` plies. Finished positions have no moves.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    count_tree(position, depth).leaves
}

/// The leaves at this depth, and the games that end before it.
pub fn count_tree<P: Position>(position: &P, depth: u32) -> PerftCount {
    if depth == 0 {
        return PerftCount { leaves: 1, ended: 0 };
    }
    if depth == 1 {
        let leaves = position.move_count() as u64;
        return PerftCount { leaves, ended: u64::from(leaves == 0) };
    }
    let mut count = PerftCount::default();
    let _ = position.each_move(|mv| {
        count = count + count_tree(&position.after(mv), depth - 1);
        ControlFlow::<()>::Continue(())
    });
    if count == PerftCount::default() { PerftCount { leaves: 0, ended: 1 } } else { count }
}
