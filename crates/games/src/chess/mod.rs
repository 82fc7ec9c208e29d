//! Chess by the FIDE laws, and Chess960.
//!
//! The rules are our own; no library is asked. Legal moves are generated without playing any of them. A position is
//! small and copied for every move; there is no undo.

pub mod attacks;
pub mod classic;
pub mod dataset;
mod encoder;
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
mod scene;
mod seat_encoder;
mod squares;
mod zobrist;

pub use classic::ClassicEvaluator;
pub use encoder::ChessEncoder;
pub use fen::FenError;
pub use material::MaterialEvaluator;
pub use moves::{ChessMove, MoveKind};
pub use notation::ChessMoveError;
pub use pieces::PieceKind;
pub use rules::{Chess, DrawClock};
pub use seat_encoder::ChessSeatEncoder;
pub use squares::{Bitboard, ChessSquare};
