//! A table as it is saved: how its game began, its moves and its clocks.

use outplay_core::Text;
use outplay_core::scene::Touch;
use outplay_lab::{AnyGame, Table};
use serde::{Deserialize, Serialize};

use super::clocks::TableClocks;
use super::document::{OpinionInfo, SeatName, TableOutcome, TableSummary};
use super::errors::StudioTableError;
use crate::refusal::Refusal;

/// How a game begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameStart {
    /// The game as the request wrote it.
    pub(crate) game: String,
    /// The first position, if it is not the game's usual one.
    pub(crate) start: Option<String>,
    /// The seed of the set-up and of the players.
    pub(crate) seed: u64,
}

/// A table as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTable {
    pub(crate) id: String,
    pub(crate) rev: u64,
    #[serde(flatten)]
    pub(crate) game_start: GameStart,
    pub(crate) seats: Vec<String>,
    pub(crate) moves: Vec<String>,
    /// Moves taken back, the next one last.
    pub(crate) undone: Vec<String>,
    pub(crate) resigned: Option<SeatName>,
    pub(crate) paused: bool,
    pub(crate) opinion: Option<OpinionInfo>,
    #[serde(flatten)]
    pub(crate) times: TableClocks,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// The side to move, for lists.
    pub(crate) to_move: Option<SeatName>,
    /// The winner and the outcome in words, for lists.
    pub(crate) ended: Option<(Option<SeatName>, Text)>,
}

impl SavedTable {
    /// The table as lists show it.
    pub(super) fn summary(self) -> TableSummary {
        let reason = self.resigned.map(|_| "resigned").or_else(|| self.times.flagged.map(|_| "time"));
        TableSummary {
            name: name_of(&self.game_start.game),
            id: self.id,
            rev: self.rev,
            game: self.game_start.game,
            seats: self.seats,
            ply: self.moves.len(),
            to_move: self.to_move,
            outcome: self.ended.map(|(winner, words)| TableOutcome { winner, words, reason }),
            created: self.created,
            updated: self.updated,
        }
    }
}

/// The name of a game, without its parameters.
pub(crate) fn name_of(game: &str) -> String {
    game.split(':').next().unwrap_or_default().to_owned()
}

/// A table of the lab with these moves played.
pub(crate) fn replay(
    board: &dyn AnyGame,
    game_start: &GameStart,
    moves: &[String],
) -> Result<Box<dyn Table>, Refusal> {
    let mut table = board.table(game_start.start.as_deref(), game_start.seed)?;
    for (number, mv) in moves.iter().enumerate() {
        table.play(mv).map_err(|reason| StudioTableError::Move { number: number + 1, reason })?;
    }
    Ok(table)
}

/// The move that these touches mean, legal or not.
pub(crate) fn attempted(table: &dyn Table, touches: &[Touch]) -> Result<String, StudioTableError> {
    table.attempted_move(touches).ok_or(StudioTableError::Untouchable)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Older versions saved the outcome in English only.
    #[test]
    fn a_table_of_an_older_version_is_read() {
        let saved = r#"{ "id": "k3v9x2ma", "rev": 3, "game": "chess", "start": null, "seed": 1, "seats": ["human", "human"],
            "moves": ["e4"], "undone": [], "resigned": "first", "paused": false, "opinion": null, "clocks": [1.5, 0.0],
            "created": 1, "updated": 2, "to_move": "second", "ended": ["second", "black wins"] }"#;
        let summary = serde_json::from_str::<SavedTable>(saved).unwrap().summary();
        assert_eq!(summary.outcome.unwrap().words, Text::same("black wins"));
    }
}
