//! The players of Minesweeper.
//!
//! Belongs here: the name, parameters and factory of each. Does not belong here: how they choose.

use std::sync::Arc;

use outplay_games::minesweeper::{Minesweeper, Seen, groups::Groups};

use crate::registry::{Factory, Listing, PlayerEntry, random_player};

/// All of them, the simplest first.
pub(super) fn all() -> Vec<PlayerEntry<Minesweeper>> {
    vec![random_player(), groups()]
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
            let factory: Factory<Seen> = Arc::new(|| Box::new(Groups::new()));
            Ok(factory)
        },
    }
}
