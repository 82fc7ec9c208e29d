//! Players that learn while they play.
//!
//! Law: a learner keeps across games what it was taught and nothing else. Two learners that were given the same
//! games with the same generators know the same.

use crate::{Outcome, Player, View};

/// What a learner is told.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a, V: View> {
    /// The move that the learner chose in this view has been made.
    Moved(&'a V, V::Move),
    /// The game ended here, like this.
    Ended(&'a V, Outcome),
}

/// A player that may sit in one seat or in both, and learns from what it plays.
///
/// A game is one call of [`new_game`](Player::new_game), then, at each of its turns,
/// [`choose`](Player::choose) and [`Step::Moved`], and at last [`Step::Ended`]. Where it sits in both seats
/// the view says for which of them it chooses.
pub trait Learner<V: View>: Player<V> {
    /// Learns from what just happened.
    fn learn(&mut self, step: Step<'_, V>);
}
