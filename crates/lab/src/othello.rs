//! Othello in the lab: its boards, its players, its exact values, what its networks see.

use outplay_core::placement::{PlacementEncoder, PlacementPosition};
use outplay_games::othello::{MobilityEvaluator, Othello};

use crate::learning::SelfPlayGame;
use crate::registry::{GameDef, OpenGame, SearchDefaults};
use crate::spec::{Param, ParamKind};

const NAME: &str = "othello";
const SUMMARY: &str = "turn the discs between yours; most discs win";
const SIZES: ParamKind = ParamKind::Word(&["8", "6", "4"]);
const PARAMS: &[Param] =
    &[Param { name: "size", kind: SIZES, default: Some("8"), help: "cells along an edge" }];

/// Positions with at most this many empty cells are solved in seconds.
const SOLVABLE: u32 = 16;

/// Othello on the list of games.
pub(crate) fn game() -> GameDef {
    GameDef::new(NAME, "Othello", SUMMARY, PARAMS, |spec, values, store| {
        let size = values.word("size").as_bytes()[0] - b'0';
        let board = OpenGame::new(NAME, SUMMARY, Othello::start(size))
            .evaluator("mobility", "corners, moves to choose from, and at the end discs", &[], |_| {
                Ok(MobilityEvaluator)
            })
            .search_defaults(SearchDefaults { depth: 7, ..SearchDefaults::default() })
            .opponents("alphabeta:depth=7", "alphabeta:depth=7,candidates=20", "alphabeta:depth=5")
            .self_play("net")
            .editor()
            .solved_by_search(MobilityEvaluator, |position| position.empty_cells() <= SOLVABLE);
        Ok(board.open(spec, store))
    })
}

impl SelfPlayGame for Othello {
    type Encoder = PlacementEncoder;
    const ENCODINGS: &'static [&'static str] = &["discs"];

    fn encoder(&self, _name: &str) -> PlacementEncoder {
        PlacementEncoder
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", i64::from(self.grid().columns))]
    }
}
