//! The vocabulary that all other crates share: positions, games, players, evaluators, scores.
//!
//! Also here are the few mechanisms that follow from it (perft, the referee of games without hidden information, the
//! conformance suite), random numbers, and arithmetic that gives the same bits on every machine. This crate contains no
//! game, no method, no file access and no threads.
//!
//! Invariants:
//! - a [`Score`] is always from the point of view of the side to move;
//! - a finished position has no moves, and an unfinished one has at least one;
//! - every random choice comes from an [`Rng`] that the caller passes in.
#![warn(missing_docs)]

pub mod conformance;
pub mod elementary;
mod encoder;
mod exact;
mod game;
mod learner;
mod notation;
mod perft;
mod permutation;
pub mod placement;
mod player;
mod referee;
mod rng;
pub mod scene;
mod score;
mod seat;
mod staged;
mod text;

pub use encoder::{Change, Encoder, SeatEncoder, Symmetry};
pub use exact::{Oracle, Value};
pub use game::{Game, MoveOf, Position, View};
pub use learner::{Learner, Step};
pub use notation::{IllegalMove, MalformedPosition, MoveError, Notation, PositionNotation};
pub use perft::{PerftCount, count_tree, perft};
pub use permutation::Permutation;
pub use player::{Candidate, Evaluator, Player, Thought, Turn};
pub use referee::{PositionHistory, Referee};
pub use rng::{Rng, mix64};
pub use score::{ForcedResult, Score};
pub use seat::{Outcome, Seat};
pub use staged::StagedPosition;
pub use text::{ForeignWords, In, Language, Localize, LocalizedError, Text, serialize_english, visible};
