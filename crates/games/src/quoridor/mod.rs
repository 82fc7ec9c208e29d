//! Quoridor, the game of the INFO-F-106 document (2019), on boards from 3×3 to 9×9.
//!
//! A move steps one's pawn or places a wall two tiles long; the first to reach the opposite row wins. White begins on row 1
//! and walks up.
//!
//! A tile and the wall north-east of it share one number, so walls, tiles and passages are bitboards of one shape
//! ([`Cells`]). Both pawns always have a path to their goal. The size of a board is known at run time, the width of its
//! bitboards at compile time: [`SmallQuoridor`] serves every size but 9×9.

mod arrangements;
mod boards;
mod cells;
mod encode;
mod move_selection;
mod notation;
mod path_evaluator;
mod paths;
mod rules;
mod scene;
mod seat_encoder;
mod setup;
mod stages;
mod text;
mod walls;
mod zobrist;

pub use boards::{BOARDS, NamedBoard};
pub use cells::Cells;
pub use encode::QuoridorEncoder;
pub use notation::QuoridorMoveError;
pub use path_evaluator::{MoveSelection, PathEvaluator, PathWeights};
pub use paths::Passages;
pub use rules::{MAX_WALLS, Quoridor, QuoridorMove};
pub use seat_encoder::QuoridorSeatEncoder;
pub use setup::{QuoridorSetup, SetupError, StartColumns};
pub use stages::{QuoridorSymmetry, WallStage};
pub use text::QuoridorPositionError;
pub use walls::Walls;

/// Positions on boards from 3×3 to 8×8.
pub type SmallQuoridor = Quoridor<u64>;
/// Positions on the 9×9 board (and on smaller ones, more slowly).
pub type LargeQuoridor = Quoridor<u128>;
