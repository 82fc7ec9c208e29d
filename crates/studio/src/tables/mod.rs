//! Tables: games that are played, saved, and followed by several pages at once.
//!
//! Analysis, which changes no table, is in [`crate::analysis`]. A table changes only under its lock, and a change is saved before it is
//! published. No player thinks while it holds the lock.

mod clocks;
mod collection;
mod document;
mod errors;
mod open_table;
pub(crate) mod routes;
mod saved_table;
mod seated_player;
mod thinking;

pub(crate) use collection::{StudioTables, lock};
pub(crate) use document::{OpinionInfo, SeatName, TableInfo, TableOutcome};
pub(crate) use errors::StudioTableError;
pub(crate) use open_table::OpenTable;
pub(crate) use saved_table::{GameStart, attempted, name_of, replay};
