//! A conversation line by line, typed or from a script.
//!
//! The types between the program that reads the lines and the game's console that executes them. A line is executed
//! whole or refused in one sentence, and a refused line changes nothing; one that is stopped keeps what it had done by
//! then.

use outplay_core::Seat;
use outplay_runtime::WorkError;

use crate::registry::Facts;
use crate::table::Table;
use outplay_runtime::Watch;

/// Executes lines.
pub trait Console {
    /// The commands there are.
    fn help(&self) -> String;

    /// Executes a line.
    fn execute(&mut self, line: &str, watch: Watch<'_>) -> Result<ConsoleReply, WorkError>;
}

/// The result of a line.
pub enum ConsoleReply {
    /// Nothing: the line was empty.
    Nothing,
    /// An answer for people, and the same by name for programs.
    Said(String, Facts),
    /// A game that the user plays at this table, in this seat or, without one, in both. The other seat is taken, and its
    /// player can be asked for advice as [`AI`].
    Game(Box<dyn Table>, Option<Seat>),
    /// The console is to be left.
    Quit,
}

/// The name of the console's player at its tables.
pub const AI: &str = "ai";
