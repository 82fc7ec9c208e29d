//! Tables: games that are played, kept, and looked at from several places at once.
//!
//! Belongs here: what a table is ([`live`]), what is said of it ([`document`]), all of them together ([`hall`]), who thinks
//! ([`mind`]) and how much all of them may remember ([`memory`]), whose clock runs ([`timing`]), and the routes. Does not belong here: questions that leave the table as it is (see [`crate::analysis`]).
//!
//! Law: a table changes under its lock, is saved before it is shown, and nobody thinks while holding the lock.

mod document;
mod hall;
mod live;
mod memory;
mod mind;
pub(crate) mod routes;
mod timing;

pub(crate) use document::{OpinionInfo, Outcome, SeatName, TableInfo};
pub(crate) use hall::{Hall, lock};
pub(crate) use live::{Given, Live, name_of, replay};
