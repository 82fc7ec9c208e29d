//! Players that learn while they play.
//!
//! Invariant: a learner keeps across games what it has learnt and nothing else. Two equal learners that are given the
//! same games with the same generators stay equal.

use crate::{Outcome, Player, View};

/// What a learner is told during a game.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a, V: View> {
    /// The move that the learner chose in this view has been made.
    Moved(&'a V, V::Move),
    /// The opponent has made this move in this view.
    OpponentMoved(&'a V, V::Move),
    /// The game ended in this view with this outcome.
    Ended(&'a V, Outcome),
}

/// A player that learns from the games it plays, in one seat or in both.
///
/// A game is one call of [`new_game`](Player::new_game), then, at each of its turns,
/// [`choose`](Player::choose) and [`Step::Moved`], at each turn of an opponent [`Step::OpponentMoved`], and at last
/// [`Step::Ended`]. If it plays both seats, the view says for which of them it chooses.
pub trait Learner<V: View>: Player<V> {
    /// Learns from what just happened.
    fn learn(&mut self, step: Step<'_, V>);
}
