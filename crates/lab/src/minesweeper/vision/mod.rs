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
pub use sight::{VisionNetwork, VisionNetworkError};
pub use train::{BoardChoice, VisionTrainingParams};

use outplay_core::Text;
use std::sync::Arc;

use outplay_games::minesweeper::Minesweeper;

use super::NetworkFile;
use crate::registry::{Measure, MethodDef, PlayerDef};
use crate::{params, words};

const SUMMARY: Text = Text::new(
    "a network for boards of any size, taught by exact probabilities",
    "un réseau pour plateaux de toute taille, instruit par des probabilités exactes",
);

/// What is known of its answers in the end.
const MEASURES: &[Measure] = &[
    Measure::lower("error_on_frontier", "/error_on_frontier"),
    Measure::lower("safe_cell_missed", "/safe_cell_missed"),
    Measure::LOSS,
];

/// The method as the registry lists it.
pub(super) fn method() -> MethodDef<Minesweeper> {
    MethodDef::new("net", SUMMARY, VisionTrainingParams::default(), MEASURES, |game, params, seed, _, _| {
        train::begin(game, params, seed)
    })
}

params! {
    /// How the player begins.
    pub struct NetPlayerParams {
        first: FirstCell = FirstCell::Own,
            "who chooses the first cell: the network, or chance" | "qui choisit la première case : le réseau, ou le hasard";
    }
}

words!(FirstCell {
    "own" => FirstCell::Own,
    "random" => FirstCell::Random,
});

/// The player as the registry lists it.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    let defaults = (NetworkFile::default(), NetPlayerParams::default());
    PlayerDef::new("net", SUMMARY, defaults, |_, (network, params)| {
        let network = match network.file.path() {
            Some(path) => VisionNetwork::load(path)?,
            None => VisionNetwork::shipped()?,
        };
        let first = params.first;
        Ok(Arc::new(move || Box::new(NetPlayer::new(VisionNetwork::new(&network), first))))
    })
}
