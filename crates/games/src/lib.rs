//! The games, one folder each.
//!
//! Belongs here: rules, notation, what a network sees of a position, hand-written experts and exact solvers
//! that know one game. Does not belong here: any method that works for several games, files, threads beyond a
//! solver's own.

pub mod chess;
pub mod minesweeper;
pub mod pushover;
pub mod quoridor;
