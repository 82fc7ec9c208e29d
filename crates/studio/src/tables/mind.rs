//! A player at a table of its own, so that it can think while others look at the board.
//!
//! Laws of this room:
//! - a mind follows the moves of its table, taking back what was taken back, so it keeps what it learnt of the game;
//! - a mind that rests has let its player go, with all that it remembered; what chance has in store for it goes on where it stood.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use outplay_core::Seat;
use outplay_lab::{AnyGame, LabError, Listener, Opinion, Table};

use super::live::Given;
use super::memory::Room;

/// A player with what it remembers of the game.
pub(super) struct Mind {
    /// As the lab reads it.
    player: String,
    seat: Seat,
    table: Box<dyn Table>,
    moves: Vec<String>,
    /// What its player takes, unless it rests.
    room: Option<Room>,
    /// When it was last asked.
    asked: Instant,
}

impl Mind {
    /// A mind that rests until it is given room.
    pub(super) fn new(
        house: &dyn AnyGame,
        given: &Given,
        seat: Seat,
        player: &str,
    ) -> Result<Self, LabError> {
        let table = house.table(given.start.as_deref(), given.seed)?;
        let player = player.to_owned();
        Ok(Self { player, seat, table, moves: Vec::new(), room: None, asked: Instant::now() })
    }

    /// Whether it is this player in this seat.
    pub(super) fn is(&self, seat: Seat, player: &str) -> bool {
        self.seat == seat && self.player == player
    }

    /// Whether its player has gone.
    pub(super) fn rests(&self) -> bool {
        self.room.is_none()
    }

    /// Seats its player as a newcomer.
    pub(super) fn wake(&mut self, room: Room) -> Result<(), LabError> {
        self.table.seat(self.seat, &self.player)?;
        self.room = Some(room);
        Ok(())
    }

    /// Lets its player go if it was not asked for this long.
    pub(super) fn rest_after(&mut self, pause: Duration) {
        if self.asked.elapsed() >= pause {
            self.table.leave(self.seat);
            self.room = None;
        }
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
        let opinion = self.table.think(stop, listener);
        self.asked = Instant::now();
        opinion
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use outplay_lab::{Store, open_game};

    use super::super::memory::Memory;
    use super::*;

    /// The first moves of a game of one player against itself, which may rest before each.
    fn moves(game: &str, player: &str, rests: bool) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let house = open_game(game, &Arc::new(Store::at(folder.path()))).unwrap();
        let given = Given { game: game.to_owned(), start: None, seed: 7 };
        let memory = Memory::new();
        let mut minds =
            [Seat::First, Seat::Second].map(|seat| Mind::new(&*house, &given, seat, player).unwrap());
        let mut moves = Vec::new();
        for ply in 0..12 {
            let mind = &mut minds[ply % 2];
            if rests {
                mind.rest_after(Duration::ZERO);
            }
            if mind.rests() {
                mind.wake(memory.try_take(house.player_memory(player).unwrap()).unwrap()).unwrap();
            }
            let best = mind.think(&moves, &AtomicBool::new(false), None).unwrap().best;
            moves.push(best);
        }
        moves
    }

    #[test]
    fn a_mind_that_rested_goes_on_with_the_game_and_with_its_chance() {
        for (game, player) in
            [("pushover", "random"), ("quoridor:size=5", "random"), ("chess", "alphabeta:depth=1")]
        {
            assert_eq!(moves(game, player, true), moves(game, player, false), "{player} at {game}");
        }
        assert_eq!(moves("chess", "engine:nodes=500", true).len(), 12);
    }
}
