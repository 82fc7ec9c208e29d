//! The arena: matches, tournaments, ratings, the statistics of their results, and records of games.
//!
//! Everything here is generic over the game. How players are made, and where records are kept, is the caller's.
#![warn(missing_docs)]

pub mod matches;
pub mod ratings;
pub mod record;
pub mod stats;
pub mod tournament;

pub use matches::{Contestant, GameOutcome, MatchPlan, run_match};
pub use record::GameRecord;
