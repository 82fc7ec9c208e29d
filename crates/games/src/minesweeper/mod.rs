//! Minesweeper, the game of two documents: Bourdet & Abadie (exact probabilities, 2025) and Salamone (a network that
//! predicts mines from sub-grids, 2018).
//!
//! The player unmasks cells of a field with hidden mines; an unmasked cell shows how many of its neighbours are
//! mined, and a 0 unmasks its neighbours in turn. The player wins when all empty cells are unmasked, and loses on a
//! mine. The second seat is nature.
//!
//! Here are the rules, the texts, exact probabilities, and players made for this one game.
//!
//! Invariant: only [`MinesweeperState`] knows the mines. A [`VisibleBoard`] holds what the player may know; the
//! [`Solver`] and every player are given nothing else.

pub mod endgame;
mod grid;
pub mod group_methods;
pub mod groups;
pub mod insight;
pub mod labelled;
pub mod listing;
mod mine_field;
pub mod naive;
mod no_guess;
mod notation;
pub mod optimal;
pub mod planes;
pub mod printed_formula;
mod rules;
mod scene;
pub mod solver;
pub mod strategy;
pub mod subgrids;
mod text;
mod visible_board;

use std::sync::atomic::AtomicBool;

pub use grid::{BoardCell, CellSet, MAX_SIDE};
pub use notation::MinesweeperMoveError;
pub use rules::{BadGame, FirstClick, Minesweeper, MinesweeperState};
pub use solver::{Contradiction, Probabilities, ProbabilityError, Solver};
pub use text::BadBoard;
pub use visible_board::{Action, CellContent, VisibleBoard};

/// The stop flag of work that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);
