//! Othello in the lab: its boards, its players, its exact values, what its networks see.

use outplay_core::Text;
use outplay_core::placement::PlacementPosition;
use outplay_games::othello::{MobilityEvaluator, Othello};

use crate::learning::show_pieces;
use crate::params;
use crate::params::Choice;
use crate::registry::{GameDef, OpenGame, SearchDefaults};

const SUMMARY: Text =
    Text::new("turn the discs between yours; most discs win", "prenez en tenaille ; le plus de pions gagne");
const MOBILITY: Text =
    Text::new("corners, moves to choose from, and at the end discs", "coins, mobilité et, à la fin, pions");

params! {
    struct OthelloParams {
        size: Choice = Choice::first_of(&["8", "6", "4"]), "cells along an edge" | "cases le long d’un bord";
    }
}

/// Positions with at most this many empty cells are solved in seconds.
const SOLVABLE: u32 = 16;

pub(crate) fn game() -> GameDef {
    let (name, title, defaults) = ("othello", Text::same("Othello"), OthelloParams::default());
    GameDef::new(name, title, SUMMARY, defaults, move |spec, params, store| {
        let size = params.size.word().as_bytes()[0] - b'0';
        let board = OpenGame::new(name, SUMMARY, Othello::start(size))
            .evaluator("mobility", MOBILITY, (), |()| Ok(MobilityEvaluator))
            .search_defaults(SearchDefaults { depth: 7, ..SearchDefaults::default() })
            .opponents("alphabeta:depth=7", "alphabeta:depth=7,candidates=20", "alphabeta:depth=5")
            .self_play("net")
            .editor()
            .solved_by_search(MobilityEvaluator, |position| position.empty_cells() <= SOLVABLE);
        Ok(board.open(spec, store))
    })
}

show_pieces!(Othello, "discs", |start| [("N", i64::from(start.grid().columns))]);
