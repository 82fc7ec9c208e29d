//! Tic-tac-toe in the lab. `CONTRIBUTING.md` walks through this file as the example of a new game.

use outplay_core::Text;
use outplay_games::tictactoe::TicTacToe;

use crate::learning::show_pieces;
use crate::registry::{GameDef, OpenGame};

const SUMMARY: Text =
    Text::new("three in a row win; best play is a draw", "trois alignés gagnent ; le meilleur jeu est nul");

/// Tic-tac-toe on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::without_params(Text::new("Tic-tac-toe", "Morpion"), || {
        OpenGame::new("tictactoe", SUMMARY, TicTacToe::START)
            .self_play("net")
            .editor()
            .exhaustive_solver(20_000)
    })
}

show_pieces!(TicTacToe, "cells", |_start| [("N", 3)]);
