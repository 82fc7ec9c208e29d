//! The vocabulary of the house: what a position, a game, a player, a score is.
//!
//! Belongs here: the words every other room speaks, and the few mechanisms that follow from them alone
//! (perft, the referee of open games, the conformance suite), and the chance and the arithmetic that must be the
//! same everywhere. Does not belong here: any game, any method,
//! files, threads, serialisation.
//!
//! Laws of this room:
//! - a [`Score`] is always the side to move's;
//! - a finished position has no moves, and an unfinished one has at least one;
//! - every random choice comes from an [`Rng`] that was handed down.
#![warn(missing_docs)]

pub mod conformance;
pub mod elementary;
mod encoder;
mod exact;
mod game;
mod learner;
mod notation;
mod open;
mod perft;
mod permutation;
mod player;
mod rng;
pub mod scene;
mod score;
mod seat;
mod staged;

pub use encoder::{Change, Encoder};
pub use exact::{Oracle, Value};
pub use game::{Game, MoveOf, Position, View};
pub use learner::{Learner, Step};
pub use notation::{IllegalMove, MalformedPosition, Notation, Written};
pub use open::{Line, Open};
pub use perft::perft;
pub use permutation::Permutation;
pub use player::{Candidate, Evaluator, Player, Thought, Turn};
pub use rng::{Rng, scatter};
pub use score::{Forecast, Score};
pub use seat::{Outcome, Seat};
pub use staged::Staged;
