//! The methods: ways to choose moves that know no game by name.
//!
//! Belongs here: one file or folder per method, each with its contract at its head. Does not belong here:
//! rules, evaluations of a particular game, files, matches.
//!
//! Laws of this room:
//! - the bounds state the theory: what needs only a [`View`](outplay_core::View) plays every game, what looks
//!   ahead asks for a [`Position`](outplay_core::Position);
//! - the searches take it that the seats alternate: every move hands the turn to the other seat (a game in
//!   which a player may do nothing has a move that does nothing);
//! - a player remembers nothing across `new_game`, but for what a learner has learnt; within a game, its move depends on what it was shown since
//!   then, on the turn and on the generator, never on who watches nor on how many cores there are (a budget of
//!   time excepted, for a clock is never the same twice).
#![warn(missing_docs)]

mod alphabeta;
mod budget;
mod confusion;
mod distracted;
mod even;
mod exploration;
pub mod knn;
mod mcts;
mod minimax;
mod neural;
mod perfect;
mod random;
mod reachable;
mod selfplay;
pub mod staged;
mod tabular;
#[cfg(test)]
mod testing;
mod verdict;

pub use alphabeta::AlphaBeta;
pub use budget::Budget;
pub use confusion::{ClassReport, Confusion};
pub use distracted::Distracted;
pub use even::Even;
pub use exploration::{Choice, Exploration, Ramp};
pub use mcts::{Guide, Mcts, Playout};
pub use minimax::{Minimax, Sight};
pub use neural::{ByNetwork, Ends, LearningConfig, Rule, TdLearner};
pub use perfect::Perfect;
pub use random::Random;
pub use reachable::{OutOfReach, Reachable};
pub use selfplay::{SelfPlayed, self_play};
pub use tabular::{ByTable, Course, Strategy, Table, Tabular};
