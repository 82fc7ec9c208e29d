//! Salamone's networks: trained, kept, and measured by their errors and by the games they win.
//!
//! Joins the sub-grids of `games` to the networks of `nn`; the document's tables and figures are in `papers`. A network
//! carries in its notes how it was trained, so that it is played and measured accordingly.

mod bench;
pub mod charts;
pub mod config;
mod data;
pub mod errors;
pub mod network;
pub mod scores;
pub mod train;

use outplay_runtime::WorkError;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::{FlagPolicy, SubgridAi};
use outplay_games::minesweeper::{BadGame, FirstClick, Minesweeper};
use serde_json::json;

use super::NetworkFile;
use crate::params;
use crate::params::USUAL_MEMORY;
use crate::registry::{
    DataDef, DataReport, Evaluation, EvaluationDef, EvaluationRequest, MakeData, Measure, MethodDef,
    PlayerDef,
};
use crate::spec::Spec;
pub(super) use bench::measure;
use charts::PolicyGrid;
use config::{SubgridTrainingConfig, SubgridTrainingParams};
use errors::Errors;
use network::SubgridNetwork;
use outplay_report::Figure;
use outplay_runtime::Watch;
use scores::{Scores, network_scores, random_scores};
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

params! {
    /// How much a network is measured.
    pub struct SubgridEvaluationParams {
        samples: usize = 100_000, in 100..=100_000_000,
            "masked sub-grids of the test set; the document's has 100 000"
            | "sous-grilles masquées de l’ensemble de test ; celui du document en a 100 000";
        games: u64 = 1000, in 1..=100_000_000,
            "games played by the network, and as many by the random player"
            | "parties jouées par le réseau, et autant par le joueur au hasard";
        heat: u64 = 100, in 1..=1_000_000,
            "where figures are drawn and the network uses flags: games of each square of the heat map of playful × threshold"
            | "si les figures sont dessinées et que le réseau use de drapeaux : parties par case de la carte playful × threshold";
    }
    // A sub-grid without a mask takes 16 bytes, and ten samples are made of it.
    memory |own| USUAL_MEMORY + ((own.samples * 16 / 10) >> 20) as u32
}

fn default_evaluation() -> (SubgridEvaluationParams, FlagParams) {
    Default::default()
}

/// The command `data`, which this makes.
pub(super) fn data_def(make: MakeData<Minesweeper>) -> DataDef<Minesweeper> {
    let summary = Text::new(
        "masked 5×5 sub-grids, each with whether its centre is mined",
        "des sous-grilles 5×5 masquées, chacune avec l’état de son centre, miné ou non",
    );
    DataDef::new(summary, data::default_params(), make)
}

/// The command `evaluate`.
pub(super) fn evaluation_def() -> EvaluationDef<Minesweeper> {
    let summary = Text::new(
        "the errors of a network of sub-grids on fresh samples, and the games it wins",
        "les erreurs d’un réseau de sous-grilles sur des exemples nouveaux, et les parties qu’il gagne",
    );
    EvaluationDef::new(summary, default_evaluation(), true, evaluate)
}

/// The document's evaluations of the network in a file: its errors on a test set, and its games beside random ones.
fn evaluate(
    game: &Minesweeper,
    &EvaluationRequest { path, spec, seed, draws }: &EvaluationRequest<'_>,
    watch: Watch<'_>,
) -> Result<Evaluation, WorkError> {
    let seed = seed.unwrap_or_default();
    let owner = Text::new("the evaluation of sub-grid networks", "l’évaluation des réseaux de sous-grilles");
    let (SubgridEvaluationParams { samples, games, heat }, flags) =
        spec.read(&owner, &default_evaluation())?;
    let network = SubgridNetwork::open(path)?;
    let set = config::test_set(config::board_of(game), samples, network.has_flags(), seed)?;
    let errors = Errors::of(network.network(), &set, watch)?;
    // Sub-grid players keep their flags in the head; so the game needs none.
    let game = &Minesweeper::new(game.rows(), game.cols(), game.mines(), game.first())?;
    let own = network_scores(game, &network, flags.policy(&network), games, seed, watch)?;
    let random = random_scores(game, games, seed, watch)?;
    let value = json!({ "errors": errors, "scores": described(&own), "random": described(&random) });
    let serde_json::Value::Object(report) = value else { unreachable!("an object was written") };
    if !draws {
        return Ok(Evaluation { report, figures: Vec::new() });
    }
    let row = |label: &str, scores: &Scores| charts::score_row(label, scores, Vec::new());
    let mut figures = vec![
        charts::histogram("network", &errors, &[]),
        charts::scatter("network", &errors),
        charts::score_boxes("scores", own.most(), vec![row("network", &own), row("random", &random)]),
    ];
    if flags.policy(&network) != FlagPolicy::WITHOUT_FLAGS {
        figures.push(heat_map(game, &network, flags.restore, (heat, seed), watch)?);
    }
    Ok(Evaluation { report, figures })
}

/// Games won by playful level and flag threshold, all from the same first clicks.
fn heat_map(
    game: &Minesweeper,
    network: &SubgridNetwork,
    restores: bool,
    (games, seed): (u64, u64),
    watch: Watch<'_>,
) -> Result<Figure, WorkError> {
    let grid = PolicyGrid {
        levels: vec![60, 80, 100, 115, 130, 150],
        thresholds: vec![50, 70, 80, 90, 93, 96, 98, 99, 100],
    };
    let mut won = HashMap::new();
    for pair in grid.pairs() {
        let policy = FlagPolicy { restores, ..FlagPolicy::of_hundredths(pair) };
        let scores = network_scores(game, network, policy, games, seed, watch)?;
        won.insert(pair, 100.0 * scores.won().mean());
    }
    let where_ = format!("{games} games a square");
    Ok(grid.figure("heat-map", &where_, |pair| won.get(&pair).copied()))
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
pub fn game_of(rows: usize, cols: usize, mines: usize) -> Result<Minesweeper, BadGame> {
    Minesweeper::new(rows, cols, mines, FirstClick::Safe)
}
