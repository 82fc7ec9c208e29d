//! Salamone's networks: trained, kept, and measured by their errors and by the games they win.
//!
//! Joins the sub-grids of `games` to the networks of `nn`; the document's tables and figures are in `papers`. A network
//! carries in its notes how it was trained, so that it is played and measured accordingly.

mod bench;
pub mod config;
mod data;
pub mod errors;
pub mod network;
pub mod scores;
pub mod train;

use std::path::Path;
use std::sync::Arc;

use outplay_games::minesweeper::subgrids::{FlagPolicy, SubgridAi};
use outplay_games::minesweeper::{FirstClick, Minesweeper};
use serde_json::json;

use super::NETWORK_FILE;
use crate::error::LabError;
use crate::registry::{DataReport, EvaluationRequest, Listing, Measure, MethodDef, PlayerDef};
use crate::spec::{Param, ParamKind, Spec, Values};
pub(super) use bench::measure;
use config::SubgridTrainingConfig;
use errors::Errors;
use network::SubgridNetwork;
use outplay_runtime::Watch;
use scores::{Scores, network_scores, random_scores};
use train::SubgridTraining;

const PLAYER_PARAMS: &[Param] = &[
    NETWORK_FILE,
    Param {
        name: "flags",
        kind: ParamKind::Word(&["yes", "no"]),
        default: None,
        help: "whether it uses flags, on the board or in its head (as the network was taught)",
    },
    Param {
        name: "playful",
        kind: ParamKind::Real(0.0, 2.0),
        default: Some("1.15"),
        help: "with flags: how much rather it unmasks than flags; 1 is neutral",
    },
    Param {
        name: "threshold",
        kind: ParamKind::Real(0.0, 1.0),
        default: Some("0.96"),
        help: "with flags: what a prediction must exceed for a flag",
    },
];

/// The player `subgrids`.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "subgrids",
        "a network that judges the 5×5 cells around each masked one (Salamone 2018)",
        PLAYER_PARAMS.to_vec(),
        |request| {
            let network = SubgridNetwork::of(request.values)?;
            let temper = temper(request.values, &network);
            Ok(Arc::new(move || Box::new(SubgridAi::new(network.judge(), temper))))
        },
    )
}

/// The temper that the user asked for; without flags if the network was trained without them.
fn temper(values: &Values, network: &SubgridNetwork) -> FlagPolicy {
    let flags = values.optional_word("flags").map_or(network.has_flags(), |word| word == "yes");
    if flags {
        FlagPolicy { playful: values.real("playful") as f32, threshold: values.real("threshold") as f32 }
    } else {
        FlagPolicy::WITHOUT_FLAGS
    }
}

/// The method `subgrids`.
pub(super) fn method() -> MethodDef<Minesweeper> {
    MethodDef::new(
        "subgrids",
        "a network taught by masked 5×5 sub-grids, for the player subgrids (Salamone 2018)",
        config::PARAMS.to_vec(),
        &[Measure::LOSS],
        |game, values, seed, _, _| {
            Ok(Box::new(SubgridTraining::new(
                SubgridTrainingConfig::of(values, config::board_of(game))?,
                seed,
            )?))
        },
    )
}

const EVALUATION_PARAMS: &[Param] = &[
    Param {
        name: "samples",
        kind: ParamKind::Whole(100, 100_000_000),
        default: Some("100000"),
        help: "masked sub-grids of the test set; the document's has 100 000",
    },
    Param {
        name: "games",
        kind: ParamKind::Whole(1, 100_000_000),
        default: Some("1000"),
        help: "games played by the network, and as many by the random player",
    },
    PLAYER_PARAMS[1],
    PLAYER_PARAMS[2],
    PLAYER_PARAMS[3],
];

/// What `data` takes.
pub(super) fn data_listing() -> Listing {
    Listing {
        name: "data",
        summary: "masked 5×5 sub-grids, each with whether its centre is mined",
        params: data::PARAMS.to_vec(),
    }
}

/// What `evaluate` takes.
pub(super) fn evaluation_listing() -> Listing {
    Listing {
        name: "evaluate",
        summary: "the errors of a network of sub-grids on fresh samples, and the games it wins",
        params: EVALUATION_PARAMS.to_vec(),
    }
}

/// The document's evaluations of the network in a file: its errors on a test set, and its games beside random ones.
pub(super) fn evaluate(
    game: &Minesweeper,
    &EvaluationRequest { path, spec, seed }: &EvaluationRequest<'_>,
    watch: Watch<'_>,
) -> Result<DataReport, LabError> {
    let seed = seed.unwrap_or_default();
    let values = spec.resolve("the evaluation of sub-grid networks", EVALUATION_PARAMS)?;
    let network = SubgridNetwork::open(path)?;
    let set = config::test_set(
        config::board_of(game),
        values.whole("samples") as usize,
        network.has_flags(),
        seed,
    )?;
    let errors = Errors::of(network.network(), &set, watch)?;
    // Sub-grid players keep their flags in the head; so the game needs none.
    let game = &Minesweeper::new(game.rows(), game.cols(), game.mines(), game.first())
        .map_err(|fault| LabError::refused(fault.to_string()))?;
    let games = values.whole("games") as u64;
    let temper = temper(&values, &network);
    let own = network_scores(game, &network, temper, games, seed, watch)?;
    let random = random_scores(game, games, seed, watch)?;
    let value = json!({ "errors": errors, "scores": described(&own), "random": described(&random) });
    let serde_json::Value::Object(report) = value else { unreachable!("an object was written") };
    Ok(report)
}

/// Makes a set of sub-grids of the game's boards and writes it.
pub(super) fn make_data(
    game: &Minesweeper,
    spec: &Spec,
    seed: u64,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, LabError> {
    data::make(config::board_of(game), spec, seed, out, watch)
}

pub(super) use data::describe as describe_data;

/// The numbers of a box plot and the win rate.
fn described(scores: &Scores) -> serde_json::Value {
    let [first, median, third] = scores.quartiles();
    let won = scores.won();
    json!({
        "games": scores.games(),
        "wins": scores.wins(),
        "win_rate": won.mean(),
        "win_rate_low": won.interval().low,
        "win_rate_high": won.interval().high,
        "mean": scores.mean(),
        "min": scores.min(),
        "first_quartile": first,
        "median": median,
        "third_quartile": third,
        "max": scores.max(),
        "highest_possible": scores.most(),
    })
}

/// A game of the document's kind: the first click is safe, flags are kept in the head.
pub fn game_of(rows: usize, cols: usize, mines: usize) -> Result<Minesweeper, LabError> {
    Minesweeper::new(rows, cols, mines, FirstClick::Safe)
        .map_err(|fault| LabError::refused(fault.to_string()))
}
