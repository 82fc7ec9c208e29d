//! Chess, by the laws of FIDE, and Chess960.
//!
//! Laws of this room: no library knows the rules for us; legal moves are found without trying any out; the position
//! is small and copied, never undone.

pub mod attacks;
pub mod classic;
pub mod dataset;
pub mod engine;
mod fen;
mod material;
mod movegen;
mod moves;
mod notation;
mod ordering;
pub mod pgn;
mod pieces;
mod rules;
mod squares;
mod zobrist;

pub use classic::ClassicEvaluator;
pub use fen::FenError;
pub use material::MaterialEvaluator;
pub use moves::{ChessMove, MoveKind};
pub use pieces::PieceKind;
pub use rules::{Chess, DrawClock};
pub use squares::{Bitboard, ChessSquare};
