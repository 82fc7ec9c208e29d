//! Tic-tac-toe in the lab. `CONTRIBUTING.md` walks through this file as the example of a new game.

use outplay_core::BitboardEncoder;
use outplay_games::tictactoe::TicTacToe;

use crate::learning::SelfPlayGame;
use crate::registry::{GameDef, OpenGame};

/// Tic-tac-toe on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::without_params("Tic-tac-toe", || {
        OpenGame::new("tictactoe", "three in a row win; best play is a draw", TicTacToe::START)
            .self_play("net")
            .editor()
            .exhaustive_solver()
    })
}

impl SelfPlayGame for TicTacToe {
    type Encoder = BitboardEncoder;
    const ENCODINGS: &'static [&'static str] = &["cells"];

    fn encoder(&self, _name: &str) -> BitboardEncoder {
        BitboardEncoder { cells: 9 }
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 3)]
    }
}
