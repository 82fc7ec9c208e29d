//! Quoridor, the game of the INFO-F-106 document (2019), on boards from 3×3 to 9×9.
//!
//! A move steps one's pawn or places a wall two tiles long; whoever first reaches the opposite row wins. White
//! begins on row 1 and walks up.
//!
//! Laws of this room: a tile and the wall north-east of it share one number, so walls, tiles and passages are
//! bitboards of one shape ([`Cells`]); both pawns always have a way to their goal. The size of a board is known
//! at run time, the width of its bitboards at compile time: [`Small`] serves every size but 9×9.

mod arrangements;
mod boards;
mod cells;
mod encode;
mod judge;
mod keys;
mod notation;
mod path;
mod prospects;
mod rules;
mod scene;
mod stages;
mod text;
mod walls;

pub use boards::{BOARDS, NamedBoard};
pub use cells::Cells;
pub use encode::Bits;
pub use judge::{Outlook, PathJudge, PathWeights};
pub use path::Passages;
pub use rules::{Fault, MAX_WALLS, Move, Quoridor, Setup};
pub use stages::{Stage, Symmetry};
pub use walls::Walls;

/// Positions on boards from 3×3 to 8×8.
pub type Small = Quoridor<u64>;
/// Positions on the 9×9 board (and on smaller ones, more slowly).
pub type Large = Quoridor<u128>;
