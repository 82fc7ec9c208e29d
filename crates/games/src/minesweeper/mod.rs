//! Minesweeper, the game of two documents: Bourdet & Abadie (exact probabilities, 2025) and Salamone (a network
//! that judges sub-grids, 2018).
//!
//! The player unmasks cells of a field with hidden mines; an unmasked cell shows how many of its neighbours are
//! mined, and a 0 unmasks its neighbours in turn. All empty cells unmasked wins, a mine loses. The second seat is
//! nature.
//!
//! Belongs here: rules, texts, exact probabilities, and whatever else knows this one game. Does not belong here:
//! methods that would play another game as well.
//!
//! Law of this room: mines are known to [`State`] alone. A [`Seen`] holds what the player may know, and the
//! [`Solver`] and every player are given nothing else.

pub mod endgame;
mod field;
mod grid;
pub mod groups;
pub mod insight;
pub mod lessons;
pub mod naive;
mod noguess;
mod notation;
pub mod optimal;
pub mod planes;
pub mod printed;
mod rules;
mod scene;
mod seen;
pub mod solver;
pub mod strategy;
pub mod subgrids;
mod text;

pub use grid::{Cell, CellSet, MAX_SIDE};
pub use rules::{BadGame, FirstClick, Minesweeper, State};
pub use seen::{Action, Seen, Shown};
pub use solver::{Contradiction, Probabilities, Solver, Unsolved};
pub use text::BadBoard;
