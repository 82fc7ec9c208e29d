//! A player at a table of its own, so that it can think while others look at the board.
//!
//! Law: a mind follows the moves of its table, taking back what was taken back, so it keeps what it learnt of the game.

use std::sync::atomic::AtomicBool;

use outplay_core::Seat;
use outplay_lab::{House, LabError, Listener, Opinion, Table};

use super::live::Given;

/// A player with what it remembers of the game.
pub(super) struct Mind {
    /// As the lab reads it.
    player: String,
    seat: Seat,
    table: Box<dyn Table>,
    moves: Vec<String>,
}

impl Mind {
    /// A newcomer to the game.
    pub(super) fn hire(house: &dyn House, given: &Given, seat: Seat, player: &str) -> Result<Self, LabError> {
        let mut table = house.table(given.start.as_deref(), given.seed)?;
        table.seat(seat, player)?;
        Ok(Self { player: player.to_owned(), seat, table, moves: Vec::new() })
    }

    /// Whether it is this player in this seat.
    pub(super) fn is(&self, seat: Seat, player: &str) -> bool {
        self.seat == seat && self.player == player
    }

    /// What it would play after these moves.
    pub(super) fn think(
        &mut self,
        moves: &[String],
        stop: &AtomicBool,
        listener: Listener<'_>,
    ) -> Result<Opinion, LabError> {
        let common = self.moves.iter().zip(moves).take_while(|(own, new)| own == new).count();
        while self.moves.len() > common {
            self.moves.pop();
            self.table.undo();
        }
        for mv in &moves[common..] {
            self.table.play(mv)?;
            self.moves.push(mv.clone());
        }
        self.table.think(stop, listener)
    }
}
