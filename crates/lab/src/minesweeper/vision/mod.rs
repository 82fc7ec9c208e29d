//! A network that looks at the whole board and works on any board size.
//!
//! For every cell it says how likely the cell is mined, and whether the teacher would guess there. It learns from exact
//! probabilities of positions that came up in play ([`outplay_games::minesweeper::labelled`]), on boards of many sizes
//! and densities. Here are its architecture, its training and the player that follows it; its inputs and labels are in
//! `games`.

mod foresight;
mod player;
mod reconcile;
mod sight;
#[cfg(test)]
mod tests;
mod train;

pub use player::{FirstCell, NetPlayer};
pub use sight::VisionNetwork;

use std::sync::Arc;

use outplay_games::minesweeper::Minesweeper;

use super::NETWORK_FILE;
use crate::registry::{Measure, MethodDef, PlayerDef};
use crate::spec::{Param, ParamKind};

const SUMMARY: &str = "a network for boards of any size, taught by exact probabilities";

/// What is known of its answers in the end.
const MEASURES: &[Measure] = &[
    Measure::lower("error_on_frontier", "/error_on_frontier"),
    Measure::lower("safe_cell_missed", "/safe_cell_missed"),
    Measure::LOSS,
];

/// The method as the registry lists it.
pub(super) fn method() -> MethodDef<Minesweeper> {
    MethodDef::new("net", SUMMARY, train::PARAMS.to_vec(), MEASURES, |game, values, seed, _, _| {
        train::begin(game, values, seed)
    })
}

/// What the player takes.
const PLAYER_PARAMS: &[Param] = &[
    NETWORK_FILE,
    Param {
        name: "first",
        kind: ParamKind::Word(&["own", "random"]),
        default: Some("own"),
        help: "who chooses the first cell: the network, or chance",
    },
];

/// The player as the registry lists it.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    PlayerDef::new("net", SUMMARY, PLAYER_PARAMS.to_vec(), |request| {
        let network = match request.values.optional_file("file") {
            Some(path) => VisionNetwork::load(path)?,
            None => VisionNetwork::shipped()?,
        };
        let is_random = request.values.word("first") == "random";
        let first = if is_random { FirstCell::Random } else { FirstCell::Own };
        Ok(Arc::new(move || Box::new(NetPlayer::new(VisionNetwork::new(&network), first))))
    })
}
