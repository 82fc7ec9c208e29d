//! The arena: matches, tournaments, knock-outs, ratings, the statistics of their results, and records of games.
//!
//! Everything here is generic over the game. The caller makes the players and decides where records are stored.
#![warn(missing_docs)]

pub mod contest;
pub mod knockout;
pub mod matches;
pub mod rated_files;
pub mod ratings;
pub mod record;
pub mod stats;
pub mod tournament;

pub use matches::{Contestant, GameOutcome, MatchPlan, run_match};
pub use record::GameRecord;
