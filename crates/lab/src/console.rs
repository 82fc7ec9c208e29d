//! A conversation line by line, typed or from a script: what the command line needs to hold one.
//!
//! Belongs here: the words between whoever reads the lines and whoever obeys them. Does not belong here: any command
//! (in the folder of the game that has a console), reading, drawing.
//!
//! Law: a line is obeyed whole or refused in one sentence, and a refused line changes nothing; one that is stopped
//! leaves what it had done by then.

use outplay_core::Seat;

use crate::error::LabError;
use crate::registry::Facts;
use crate::table::Table;
use outplay_runtime::Watch;

/// Someone who obeys lines.
pub trait Console {
    /// What may be said.
    fn help(&self) -> String;

    /// Does what a line says.
    fn obey(&mut self, line: &str, watch: Watch<'_>) -> Result<Reply, LabError>;
}

/// What comes of a line.
pub enum Reply {
    /// Nothing: the line was empty.
    Nothing,
    /// An answer for people, and the same by name for programs.
    Said(String, Facts),
    /// A game to be played at this table by whoever reads the lines, in this seat or, without one, in both. The other
    /// seat is taken, and its player can be asked for advice as [`AI`].
    Game(Box<dyn Table>, Option<Seat>),
    /// The end.
    Quit,
}

/// What the player that a console has made is called at its tables.
pub const AI: &str = "ai";
