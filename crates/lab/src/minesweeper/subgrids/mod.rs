//! Salamone's networks: trained, kept, and measured by their errors and by the games they win.
//!
//! Joins the sub-grids of `games` to the networks of `nn`; the document's tables and figures are in `papers`. A network
//! carries in its notes how it was trained, so that it is played and measured accordingly.

mod bench;
pub mod charts;
pub mod config;
mod data;
pub mod errors;
mod evaluation;
pub mod network;
pub mod scores;
pub mod train;

use outplay_runtime::WorkError;
use std::path::Path;
use std::sync::Arc;

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::{FlagPolicy, SubgridAi};
use outplay_games::minesweeper::{BadGame, FirstClick, Minesweeper};

use super::NetworkFile;
use crate::params;
use crate::registry::{DataDef, DataReport, MakeData, Measure, MethodDef, PlayerDef};
use crate::spec::Spec;
pub(super) use bench::measure;
use config::{SubgridTrainingConfig, SubgridTrainingParams};
pub(super) use evaluation::evaluation;
use network::SubgridNetwork;
use outplay_runtime::Watch;
use train::SubgridTraining;

params! {
    /// How a player uses flags.
    pub struct FlagParams {
        flags: Option<bool> = None,
            "whether it uses flags, on the board or in its head (as the network was taught)"
            | "s’il use de drapeaux, sur le plateau ou en tête (comme le réseau fut instruit)";
        playful: f64 = 1.15, in 0.0..=2.0,
            "with flags: how much rather it unmasks than flags; 1 is neutral"
            | "avec drapeaux : combien il préfère dévoiler à marquer ; 1 est neutre";
        threshold: f64 = 0.96, in 0.0..=1.0,
            "with flags: what a prediction must exceed for a flag"
            | "avec drapeaux : ce qu’une prédiction doit dépasser pour un drapeau";
        restore: bool = false,
            "with flags: whether they come back after all were removed to unmask a cell"
            | "avec drapeaux : s’ils reviennent après avoir tous été ôtés pour dévoiler une case";
    }
}

impl FlagParams {
    /// The policy of a player with this network: without flags if the network was trained without them.
    fn policy(&self, network: &SubgridNetwork) -> FlagPolicy {
        if self.flags.unwrap_or(network.has_flags()) {
            let Self { playful, threshold, restore, .. } = *self;
            FlagPolicy { playful: playful as f32, threshold: threshold as f32, restores: restore }
        } else {
            FlagPolicy::WITHOUT_FLAGS
        }
    }
}

/// The player `subgrids`.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "subgrids",
        Text::new(
            "a network that judges the 5×5 cells around each masked one (Salamone 2018)",
            "un réseau qui juge les 5×5 cases autour de chaque case masquée (Salamone 2018)",
        ),
        (NetworkFile::default(), FlagParams::default()),
        |_, (NetworkFile { file }, flags)| {
            let network = SubgridNetwork::of(file)?;
            let policy = flags.policy(&network);
            Ok(Arc::new(move || Box::new(SubgridAi::new(network.judge(), policy))))
        },
    )
}

/// The method `subgrids`.
pub(super) fn method() -> MethodDef<Minesweeper> {
    MethodDef::new(
        "subgrids",
        Text::new(
            "a network taught by masked 5×5 sub-grids, for the player subgrids (Salamone 2018)",
            "un réseau instruit par des sous-grilles 5×5 masquées, pour le joueur subgrids (Salamone 2018)",
        ),
        SubgridTrainingParams::default(),
        &[Measure::LOSS],
        |game, params, seed, _, _| {
            let config = SubgridTrainingConfig::of(params, config::board_of(game))?;
            Ok(Box::new(SubgridTraining::new(config, seed)?))
        },
    )
}

/// The command `data`, which this makes.
pub(super) fn data_def(make: MakeData<Minesweeper>) -> DataDef<Minesweeper> {
    let summary = Text::new(
        "masked 5×5 sub-grids, each with whether its centre is mined",
        "des sous-grilles 5×5 masquées, chacune avec l’état de son centre, miné ou non",
    );
    DataDef::new(summary, data::default_params(), make)
}

/// Makes a set of sub-grids of the game's boards and writes it.
pub(super) fn make_data(
    game: &Minesweeper,
    spec: &Spec,
    seed: u64,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, WorkError> {
    data::make(config::board_of(game), spec, seed, out, watch)
}

pub(super) use data::describe as describe_data;

/// A game of the document's kind: the first click is safe, flags are kept in the head.
pub fn game_of(rows: usize, cols: usize, mines: usize) -> Result<Minesweeper, BadGame> {
    Minesweeper::new(rows, cols, mines, FirstClick::Safe)
}
