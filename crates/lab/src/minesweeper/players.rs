//! The players of Minesweeper: the name, parameters and factory of each.

use std::sync::Arc;

use outplay_core::{Game, Rng};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Minesweeper, groups::GroupsPlayer};

use super::{optimal, subgrids, vision};
use crate::registry::{PlayerDef, PlayerRequest, random_player};
use crate::spec::{Param, ParamKind};

/// Those that can play on this board, the simplest first.
pub(super) fn of(game: &Minesweeper) -> Vec<PlayerDef<Minesweeper>> {
    let mut players = vec![random_player(), groups(), solver(), subgrids::player(), vision::player()];
    if optimal::can_solve(game, &game.start(&mut Rng::new(0))) {
        players.push(optimal::player());
    }
    players
}

fn groups() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "groups",
        "the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)",
        Vec::new(),
        |_| Ok(Arc::new(|| Box::new(GroupsPlayer::new()))),
    )
}

const SOLVER: &[Param] = &[
    Param {
        name: "effort",
        kind: ParamKind::Word(&["fast", "strong", "deep"]),
        default: Some("strong"),
        help: "how much is searched before a guess; deep also plays out late guesses",
    },
    Param {
        name: "nodes",
        kind: ParamKind::Whole(0, 100_000_000),
        default: None,
        help: "sets of placements that one search of the endgame may look at, instead of the effort's own",
    },
];

fn solver() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "solver",
        "plays to win: proven cells, forced guesses, exact endgames, guesses by what follows them",
        SOLVER.to_vec(),
        |request: &PlayerRequest<'_, Minesweeper>| {
            let mut effort = match request.values.word("effort") {
                "fast" => Effort::FAST,
                "deep" => Effort::DEEP,
                _ => Effort::STRONG,
            };
            if let Some(nodes) = request.values.optional_whole("nodes") {
                effort.nodes = nodes as u64;
            }
            let first = request.game.first();
            Ok(Arc::new(move || Box::new(Strategist::new(first, effort))))
        },
    )
}
