//! Matches, records and tournaments over two toy games.

mod matches;
mod records;
mod tournaments;
mod toy;
