//! Matches, records and tournaments over two toy games.

mod matches;
mod records;
mod resuming;
mod tournaments;
mod toy;
