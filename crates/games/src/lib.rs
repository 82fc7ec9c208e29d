//! The games, one folder each: rules, notation, what a network sees of a position, hand-written evaluations, and exact
//! solvers that know one game.
//!
//! Methods that work for several games, files and threads other than a solver's own are in other crates.

pub mod chess;
mod colours;
pub mod connectfour;
pub mod loderunner;
pub mod minesweeper;
pub mod othello;
pub mod pushover;
pub mod quoridor;
pub mod tictactoe;
