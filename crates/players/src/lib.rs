//! Search and learning methods that work for any game: random, minimax, alpha-beta, Monte Carlo tree search,
//! temporal-difference learning, nearest neighbours, exact solutions.
//!
//! There is one file or folder per method. Rules, evaluations of a particular game, files and matches are elsewhere.
//!
//! Invariants:
//! - trait bounds say what a method needs: a [`View`](outplay_core::View) is enough to play every game, a method that
//!   looks ahead needs a [`Position`](outplay_core::Position);
//! - the searches assume that the seats alternate (a game in which a player may pass has a pass move);
//! - a player remembers nothing across `new_game`, except what a learner has learnt. Within a game, its move depends on
//!   the views since `new_game`, on the turn and on the generator; it does not depend on being watched or on the number of
//!   cores (unless its budget is a time).
#![warn(missing_docs)]

mod alphabeta;
mod budget;
mod confusion_matrix;
mod epsilon_random;
mod even_evaluator;
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
mod terminal;
#[cfg(test)]
mod testing;
mod tree;
mod zero;

pub use alphabeta::{AlphaBeta, ExactSearch};
pub use budget::Budget;
pub use confusion_matrix::{ClassReport, ConfusionMatrix};
pub use epsilon_random::EpsilonRandom;
pub use even_evaluator::EvenEvaluator;
pub use exploration::{ActionSelection, Exploration, Ramp};
pub use mcts::{Mcts, Playout, PlayoutPolicy, PlayoutResult, tree_memory};
pub use minimax::{Minimax, TerminalAwareness};
pub use neural::{ByNetwork, Ends, LearningConfig, Rule, TdLearner, TraceSets};
pub use perfect::Perfect;
pub use random::Random;
pub use reachable::{ReachableError, ReachableSolution};
pub use selfplay::{Opponent, SelfPlayResult, learning_game, self_play};
pub use tabular::{StateEstimate, TablePlayer, TabularConfig, TabularLearner, UpdateRule, ValueTable};
pub use zero::{
    NetworkPolicyValue, PolicyValue, PolicyValueEvaluator, Puct, RootExploration, Zero, ZeroGame,
    ZeroPosition, ZeroSelfPlay, ZeroSelfPlayConfig,
};
