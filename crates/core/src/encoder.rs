//! The interface of encoders: a position as a fixed number of binary inputs for a learner.
//!
//! The encodings themselves are in the folders of their games. Invariant: the inputs after a move are the inputs before
//! it with the move's changes applied, in any order.

use crate::{Position, Seat};

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

/// An encoding of positions and moves for networks with a value and a policy, as a seat sees them: the seat's own pieces are
/// always in the same inputs, whichever seat it is, and its moves have the same slots.
///
/// Inputs are of two kinds. Those of [`each_on`](Self::each_on) are told for either seat, and a move changes few of them.
/// Those of [`each_computed`](Self::each_computed) are worked out anew for every position.
pub trait SeatEncoder<P: Position>: Clone + Send + Sync + 'static {
    /// How many inputs there are, of both kinds.
    fn inputs(&self) -> usize;

    /// The most inputs that can be on at once.
    fn most_on(&self) -> usize;

    /// How many move slots there are.
    fn slots(&self) -> usize;

    /// Visits the inputs that are on as this seat sees the position, each once, without computed ones.
    fn each_on(&self, position: &P, seat: Seat, visit: impl FnMut(u32));

    /// Visits the inputs, as this seat sees them, that a legal move changes, each at most once, without computed ones.
    fn each_change(&self, position: &P, mv: P::Move, seat: Seat, visit: impl FnMut(Change));

    /// Visits the computed inputs that are on, each once, as the side to move sees the position.
    fn each_computed(&self, _position: &P, _visit: impl FnMut(u32)) {}

    /// The slot of a legal move, as the side to move sees it. Two legal moves never share a slot.
    fn slot(&self, position: &P, mv: P::Move) -> u16;

    /// The symmetries of the board besides the identity.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }
}

/// A symmetry of a board, as it moves inputs and move slots: the mirrored position has exactly the images of the inputs of the
/// position on, and the images of its moves' slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each input goes.
    pub inputs: Vec<u32>,
    /// Where each slot goes.
    pub slots: Vec<u16>,
}
