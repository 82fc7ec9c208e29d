//! The lab: where games meet players.
//!
//! Belongs here: the registry, matches and what they mean, training runs, the documents' tables, and all that
//! needs files, threads or serialisation. Does not belong here: rules, methods, screens.
//!
//! Laws of this room:
//! - the same request with the same seed gives the same bytes, on any number of threads;
//! - whatever is written to disk is there whole or not at all.
#![warn(missing_docs)]

pub mod artefact;
pub mod bench;
pub mod chess;
pub mod console;
mod counted;
mod error;
pub mod exactness;
pub mod files;
pub mod knockout;
pub mod learning;
pub mod matches;
mod memory;
pub mod minesweeper;
pub mod papers;
pub mod pool;
pub mod pushover;
pub mod quoridor;
pub mod ratings;
pub mod record;
pub mod registry;
pub mod review;
pub mod seeds;
pub mod spec;
pub mod stats;
mod store;
pub mod sweep;
mod table;
mod threads;
pub mod tournament;
pub mod training;
mod watch;

pub use error::{Feature, LabError};
pub use matches::{Contestant, GameOutcome, MatchPlan, run_match};
pub use record::GameRecord;
pub use registry::{AnyGame, games, open_game};
pub use store::Store;
pub use table::{CandidateText, Listener, Opinion, PlayedMove, Snapshot, Table};
pub use threads::Allowance;
pub use watch::{Progress, Watch};
