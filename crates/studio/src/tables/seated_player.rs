//! A player with a board of its own, so that it can think while the table is used.
//!
//! It follows the moves of the table, taking back what was taken back, so it keeps what it has searched. Unloading drops the player
//! and its memory; its RNG continues from the same state when it is loaded again.

use outplay_runtime::{MemoryReservation, Watch, WorkError};
use std::time::{Duration, Instant};

use outplay_core::Seat;
use outplay_lab::{AnyGame, Listener, Opinion, Table};

use super::saved_table::GameStart;

/// A player in its seat.
pub(super) struct SeatedPlayer {
    /// In the form that the lab reads.
    player: String,
    seat: Seat,
    table: Box<dyn Table>,
    moves: Vec<String>,
    /// Its share of the memory, while it is loaded.
    memory: Option<MemoryReservation>,
    /// When it was last asked for a move.
    asked: Instant,
}

impl SeatedPlayer {
    /// A player that is not loaded yet.
    pub(super) fn new(
        board: &dyn AnyGame,
        game_start: &GameStart,
        seat: Seat,
        player: &str,
    ) -> Result<Self, WorkError> {
        let table = board.table(game_start.start.as_deref(), game_start.seed)?;
        let player = player.to_owned();
        Ok(Self { player, seat, table, moves: Vec::new(), memory: None, asked: Instant::now() })
    }

    /// Whether it is this player in this seat.
    pub(super) fn is(&self, seat: Seat, player: &str) -> bool {
        self.seat == seat && self.player == player
    }

    /// Whether it was unloaded, or never loaded.
    pub(super) fn is_unloaded(&self) -> bool {
        self.memory.is_none()
    }

    /// Makes the player.
    pub(super) fn load(&mut self, memory: MemoryReservation, watch: Watch<'_>) -> Result<(), WorkError> {
        self.table.seat(self.seat, &self.player, watch)?;
        self.memory = Some(memory);
        Ok(())
    }

    /// Drops the player if it was not asked for this long.
    pub(super) fn unload_after(&mut self, pause: Duration) {
        if self.asked.elapsed() >= pause {
            self.table.leave(self.seat);
            self.memory = None;
        }
    }

    /// Its opinion of the position after these moves.
    pub(super) fn think(
        &mut self,
        moves: &[String],
        watch: Watch<'_>,
        listener: Listener<'_>,
    ) -> Result<Opinion, WorkError> {
        let common = self.moves.iter().zip(moves).take_while(|(own, new)| own == new).count();
        while self.moves.len() > common {
            self.moves.pop();
            self.table.undo();
        }
        for mv in &moves[common..] {
            self.table.play(mv)?;
            self.moves.push(mv.clone());
        }
        let opinion = self.table.think(watch, listener);
        self.asked = Instant::now();
        opinion
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use outplay_lab::{Store, open_game};

    use super::*;

    /// The first moves of a player against itself, unloaded before each if `is_unloaded`.
    fn moves(game: &str, player: &str, is_unloaded: bool) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let board = open_game(game, &Arc::new(Store::at(folder.path()))).unwrap();
        let game_start = GameStart { game: game.to_owned(), start: None, seed: 7 };
        let budget = outplay_runtime::MemoryBudget::of_machine();
        let mut players = [Seat::First, Seat::Second]
            .map(|seat| SeatedPlayer::new(&*board, &game_start, seat, player).unwrap());
        let mut moves = Vec::new();
        for ply in 0..12 {
            let seated = &mut players[ply % 2];
            if is_unloaded {
                seated.unload_after(Duration::ZERO);
            }
            if seated.is_unloaded() {
                let memory = budget.try_reserve(player, board.player_memory(player).unwrap()).unwrap();
                seated.load(memory, Watch::nobody()).unwrap();
            }
            let best = seated.think(&moves, Watch::nobody(), None).unwrap().best;
            moves.push(best);
        }
        moves
    }

    #[test]
    fn an_unloaded_player_goes_on_with_the_game_and_its_rng() {
        for (game, player) in
            [("pushover", "random"), ("quoridor:size=5", "random"), ("chess", "alphabeta:depth=1")]
        {
            assert_eq!(moves(game, player, true), moves(game, player, false), "{player} at {game}");
        }
        assert_eq!(moves("chess", "engine:nodes=500", true).len(), 12);
    }
}
