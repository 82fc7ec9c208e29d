//! What a learner sees of a position: a fixed number of inputs that are on or off.
//!
//! Belongs here: the word for it. Does not belong here: any encoding; each sits beside its game, outside the rules.
//!
//! Law: the inputs after a move are those before it with the move's changes made, in any order.

use crate::Position;

/// An input that a move turns on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Which.
    pub input: u32,
    /// Whether it is on after the move; it was the other way before.
    pub on: bool,
}

/// A way to show positions to a learner.
pub trait Encoder<P: Position>: Clone + Send + Sync + 'static {
    /// How many inputs there are.
    fn inputs(&self) -> usize;

    /// Visits the inputs that are on, each once.
    fn each_on(&self, position: &P, visit: impl FnMut(u32));

    /// Visits what a legal move changes, each input at most once. A move changes few inputs, so a learner that
    /// weighs many moves needs this to be quick: quicker than to play them.
    fn each_change(&self, position: &P, mv: P::Move, visit: impl FnMut(Change));
}
