//! The players of Minesweeper.
//!
//! Belongs here: the name, parameters and factory of each. Does not belong here: how they choose.

use std::sync::Arc;

use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{Minesweeper, VisibleBoard, groups::GroupsPlayer};

use super::{optimal, subgrids, vision};
use crate::error::LabError;
use crate::registry::{Factory, Listing, PlayerEntry, random_player};
use crate::spec::{Kind, Param, Spec, find_named};
use crate::store::Store;
use crate::watch::Watch;

/// All of them, the simplest first.
pub(super) fn all() -> Vec<PlayerEntry<Minesweeper>> {
    vec![random_player(), groups(), solver(), subgrids::player(), vision::player(), optimal::player()]
}

/// The player that a text names.
pub(crate) fn hire(
    text: &str,
    game: &Minesweeper,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Factory<VisibleBoard>, LabError> {
    let spec: Spec = text.parse()?;
    let entries = all();
    let entry = find_named("player", &spec.name, &entries, |entry| entry.listing.name)?;
    (entry.hire)(game, &spec, store, watch)
}

fn groups() -> PlayerEntry<Minesweeper> {
    PlayerEntry {
        listing: Listing {
            name: "groups",
            summary: "the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)",
            params: Vec::new(),
        },
        hire: |_, spec, _, _| {
            spec.resolve("player 'groups'", &[])?;
            let factory: Factory<VisibleBoard> = Arc::new(|| Box::new(GroupsPlayer::new()));
            Ok(factory)
        },
    }
}

const SOLVER: &[Param] = &[
    Param {
        name: "effort",
        kind: Kind::Word(&["fast", "strong", "deep"]),
        default: Some("strong"),
        help: "how much is looked at before a guess; deep plays on from late ones",
    },
    Param {
        name: "nodes",
        kind: Kind::Whole(0, 100_000_000),
        default: None,
        help: "sets of placements that one search of the endgame may look at, instead of the effort's own",
    },
];

fn solver() -> PlayerEntry<Minesweeper> {
    PlayerEntry {
        listing: Listing {
            name: "solver",
            summary: "plays to win: proven cells, forced guesses, exact endgames, guesses by what follows them",
            params: SOLVER.to_vec(),
        },
        hire: |game, spec, _, _| {
            let values = spec.resolve("player 'solver'", SOLVER)?;
            let mut effort = match values.word("effort") {
                "fast" => Effort::FAST,
                "deep" => Effort::DEEP,
                _ => Effort::STRONG,
            };
            if let Some(nodes) = values.optional_whole("nodes") {
                effort.nodes = nodes as u64;
            }
            let first = game.first();
            let factory: Factory<VisibleBoard> = Arc::new(move || Box::new(Strategist::new(first, effort)));
            Ok(factory)
        },
    }
}
