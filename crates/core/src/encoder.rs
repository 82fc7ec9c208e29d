//! The interface of encoders: a position as a fixed number of binary inputs for a learner.
//!
//! The encodings themselves are in the folders of their games. Invariant: the inputs after a move are the inputs before
//! it with the move's changes applied, in any order.

use crate::Position;

/// An input that a move turns on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The index of the input.
    pub input: u32,
    /// Whether it is on after the move; it was the other way before.
    pub on: bool,
}

/// An encoding of positions as binary inputs.
pub trait Encoder<P: Position>: Clone + Send + Sync + 'static {
    /// How many inputs there are.
    fn inputs(&self) -> usize;

    /// Visits the inputs that are on, each once.
    fn each_on(&self, position: &P, visit: impl FnMut(u32));

    /// Visits the inputs that a legal move changes, each at most once. Learners that evaluate many moves rely on this
    /// being faster than playing the moves.
    fn each_change(&self, position: &P, mv: P::Move, visit: impl FnMut(Change));
}
