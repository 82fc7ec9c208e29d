//! Chess, by the laws of FIDE, and Chess960.
//!
//! Laws of this room: no library knows the rules for us; legal moves are found without trying any out; the position
//! is small and copied, never undone.

pub mod classic;
pub mod engine;
pub mod examples;
mod fen;
mod generate;
mod judge;
mod keys;
mod moves;
mod notation;
mod ordering;
pub mod pgn;
mod pieces;
pub mod reach;
mod rules;
mod scene;
mod squares;

pub use classic::Classic;
pub use fen::BadFen;
pub use judge::Material;
pub use moves::{Move, Nature};
pub use pieces::Kind;
pub use rules::{Chess, DrawClock};
pub use squares::{Square, Squares};
