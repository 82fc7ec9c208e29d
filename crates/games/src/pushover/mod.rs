//! Push-over, the game of Müller's document (1992), after *Jeux & Stratégie* no 2 (1980).
//!
//! A move enters a piece from an edge of the 4×4 (or 5×5) board and pushes the pieces in its way by one cell. A full line
//! of one's own pieces wins. Boards are pairs of bitboards, *mine* and *theirs*, seen by the side to move; colours (`o`
//! moves first, then `+`) appear only where positions are written or drawn.

mod board;
pub mod database;
pub mod encode;
mod expert;
mod notation;
mod rules;
mod scene;
mod seat_encoder;
pub mod solver;

pub use board::{PushoverBoard, PushoverMove};
pub use expert::{ExpertWeights, PushoverExpert};
pub use notation::{PushoverMoveError, PushoverTextError};
pub use rules::Pushover;
pub use seat_encoder::PushoverSeatEncoder;
