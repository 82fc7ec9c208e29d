//! Connect Four in the lab: its players, its exact values, what its networks see.

use outplay_core::Text;
use outplay_games::connectfour::{ConnectFour, ThreatEvaluator};

use crate::learning::show_pieces;
use crate::registry::{GameDef, OpenGame, SearchDefaults};
use crate::zero::measure_search;

const SUMMARY: Text = Text::new(
    "drop discs into columns; four in line win",
    "laissez tomber des jetons dans les colonnes ; quatre alignés gagnent",
);
const THREATS: Text = Text::new(
    "cells that would complete a line, discs near the middle",
    "cases qui compléteraient une ligne, jetons près du centre",
);

/// Positions with at most this many empty cells are solved in seconds.
const SOLVABLE: u32 = 30;

/// Connect Four on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::without_params(Text::new("Connect Four", "Puissance 4"), || {
        OpenGame::new("connectfour", SUMMARY, ConnectFour::START)
            .evaluator("threats", THREATS, (), |()| Ok(ThreatEvaluator))
            .search_defaults(SearchDefaults { depth: 10, ..SearchDefaults::default() })
            .opponents("alphabeta:depth=10", "alphabeta:depth=10,candidates=7", "alphabeta:depth=8")
            .self_play("net")
            .editor()
            .bench(|game, _, _| Ok(vec![measure_search("connect four", game, 128)]))
            .solved_by_search(ThreatEvaluator, |position| position.empty_cells() <= SOLVABLE)
    })
}

show_pieces!(ConnectFour, "discs", |_start| [("COLUMNS", 7), ("ROWS", 6)]);
