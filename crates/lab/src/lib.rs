//! The lab joins games to methods: what each game offers, its parameters, and the data directory.
//!
//! The same request with the same seed gives the same bytes, on any number of threads. Rules, methods, matches and screens are other
//! crates'.
#![warn(missing_docs)]

pub mod bench;
pub mod chess;
mod connectfour;
pub mod console;
mod error;
pub mod exactness;
pub mod keyboard;
pub mod learning;
pub mod loderunner;
pub mod minesweeper;
mod othello;
pub mod params;
pub mod pushover;
pub mod quoridor;
pub mod registry;
pub mod review;
pub mod seeds;
pub mod spec;
mod store;
pub mod sweep;
mod table;
mod tictactoe;
mod training_memory;
pub mod zero;

pub use error::{BoardError, Feature};
pub use registry::{AnyGame, games, open_game};
pub use store::Store;
pub use table::{CandidateText, Listener, Opinion, PlayedMove, Snapshot, Table};
