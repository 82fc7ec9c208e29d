//! The document's evaluations of a network: its errors on a test set, and its games beside random ones.

use outplay_runtime::WorkError;
use std::collections::HashMap;
use std::path::Path;

use outplay_core::{Language, Text, errors};
use outplay_games::minesweeper::Minesweeper;
use outplay_games::minesweeper::subgrids::FlagPolicy;
use serde_json::json;

use super::FlagParams;
use super::charts::{self, PolicyGrid};
use super::config;
use super::errors::Errors;
use super::network::SubgridNetwork;
use super::scores::{Scores, network_scores, random_scores};
use crate::params;
use crate::params::Tracked;
use crate::registry::{Evaluation, EvaluationDef, EvaluationFigure, EvaluationRequest};
use outplay_runtime::{Progress, Watch};

errors! {
    /// Why nothing is measured.
    pub enum SubgridEvaluationError {
        NoHeatMap { heat: u64 } =
            "heat={heat} has no effect: a heat map is drawn with --svg for networks that use flags"
            | "heat={heat} est sans effet : une carte est dessinée avec --svg pour les réseaux qui usent de drapeaux",
    }
}

params! {
    /// How much a network is measured.
    pub(super) struct SubgridEvaluationParams {
        samples: usize = 100_000, in 100..=100_000_000,
            "masked sub-grids of the test set; the document's has 100 000"
            | "sous-grilles masquées de l’ensemble de test ; celui du document en a 100 000";
        games: u64 = 1000, in 1..=100_000_000,
            "games played by the network, and as many by the random player"
            | "parties jouées par le réseau, et autant par le joueur au hasard";
        heat: Tracked<u64> = 100.into(), in 1..=1_000_000,
            "where figures are drawn and the network uses flags: games of each square of the heat map of playful × threshold"
            | "si les figures sont dessinées et que le réseau use de drapeaux : parties par case de la carte playful × threshold";
    }
    memory |params| memory_of(params)
}

/// A sample takes some 50 bytes with its error, and a game 16 with its score.
fn memory_of(params: &SubgridEvaluationParams) -> u32 {
    let bytes = 50 * params.samples as u64 + 16 * params.games.max(*params.heat);
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX).saturating_add(16)
}

/// The evaluation on a board's list.
pub(in crate::minesweeper) fn evaluation() -> EvaluationDef<Minesweeper> {
    EvaluationDef::new(
        Text::new(
            "the errors of a network of sub-grids on fresh samples, and the games it wins",
            "les erreurs d’un réseau de sous-grilles sur des exemples nouveaux, et les parties qu’il gagne",
        ),
        default_params(),
        |path: &Path| SubgridNetwork::open(path).map(drop),
        evaluate,
    )
    .with_figures()
}

fn default_params() -> (SubgridEvaluationParams, FlagParams) {
    Default::default()
}

/// The games of an evaluation, counted as one piece of work.
struct CountedGames<'a> {
    game: &'a Minesweeper,
    network: &'a SubgridNetwork,
    seed: u64,
    watch: Watch<'a>,
    total: u64,
    done: u64,
}

impl CountedGames<'_> {
    /// Plays `games` games, which count from those that were played before.
    fn count(
        &mut self,
        games: u64,
        play: impl FnOnce(&Self, Watch<'_>) -> Result<Scores, WorkError>,
    ) -> Result<Scores, WorkError> {
        let (before, total, watch) = (self.done, self.total, self.watch);
        let show =
            |progress: Progress<'_>| watch.show(Progress { done: before + progress.done, total, ..progress });
        let scores = play(self, Watch::new(watch.stop_flag(), &show))?;
        self.done += games;
        Ok(scores)
    }

    fn by_network(&mut self, games: u64, policy: FlagPolicy) -> Result<Scores, WorkError> {
        self.count(games, |own, watch| network_scores(own.game, own.network, policy, games, own.seed, watch))
    }

    fn at_random(&mut self, games: u64) -> Result<Scores, WorkError> {
        self.count(games, |own, watch| random_scores(own.game, games, own.seed, watch))
    }
}

fn evaluate(
    game: &Minesweeper,
    &EvaluationRequest { path, spec, seed, draws, .. }: &EvaluationRequest<'_>,
    watch: Watch<'_>,
) -> Result<Evaluation, WorkError> {
    let seed = seed.unwrap_or_default();
    let owner = Text::new("the evaluation of sub-grid networks", "l’évaluation des réseaux de sous-grilles");
    let (SubgridEvaluationParams { samples, games, heat }, flags) = spec.read(&owner, &default_params())?;
    let network = &SubgridNetwork::open(path)?;
    let policy = flags.policy(network);
    let heat_map = (draws && policy != FlagPolicy::WITHOUT_FLAGS).then(policy_grid);
    if heat.is_given() && heat_map.is_none() {
        return Err(SubgridEvaluationError::NoHeatMap { heat: *heat }.into());
    }
    let heat = *heat;
    let set = config::test_set(config::board_of(game), samples, network.has_flags(), seed)?;
    let errors = Errors::of(network.network(), &set, watch)?;
    // Sub-grid players keep their flags in the head; so the game needs none.
    let game = &Minesweeper::new(game.rows(), game.cols(), game.mines(), game.first())?;
    let squares = heat_map.as_ref().map_or(0, |grid| grid.pairs().count() as u64);
    let total = 2 * games + squares * heat;
    let mut played = CountedGames { game, network, seed, watch, total, done: 0 };
    let (own, random) = (played.by_network(games, policy)?, played.at_random(games)?);
    let value = json!({ "errors": errors, "scores": described(&own), "random": described(&random) });
    let serde_json::Value::Object(report) = value else { unreachable!("an object was written") };
    let mut figures = Vec::new();
    if draws {
        figures.extend(draw_errors(&errors));
        figures.push(draw_scores(&own, &random));
    }
    if let Some(grid) = heat_map {
        figures.push(draw_heat_map(&grid, flags.restore, heat, &mut played)?);
    }
    Ok(Evaluation { report, figures })
}

static NETWORK: Text = Text::new("network", "réseau");

fn draw_errors(errors: &Errors) -> [EvaluationFigure; 2] {
    let name = |language| NETWORK.get(language);
    [
        EvaluationFigure::drawn(|language| charts::histogram(name(language), errors, &[], language)),
        EvaluationFigure::drawn(|language| charts::scatter(name(language), errors, language)),
    ]
}

fn draw_scores(own: &Scores, random: &Scores) -> EvaluationFigure {
    static RANDOM: Text = Text::new("random", "au hasard");
    let row = |label: &str, scores: &Scores| charts::score_row(label, scores, Vec::new());
    EvaluationFigure::drawn(|language: Language| {
        let rows = vec![row(NETWORK.get(language), own), row(RANDOM.get(language), random)];
        charts::score_boxes("scores", own.most(), rows, language)
    })
}

fn policy_grid() -> PolicyGrid {
    PolicyGrid {
        levels: vec![60, 80, 100, 115, 130, 150],
        thresholds: vec![50, 70, 80, 90, 93, 96, 98, 99, 100],
    }
}

/// Games won by playful level and flag threshold, all from the same first clicks.
fn draw_heat_map(
    grid: &PolicyGrid,
    restores: bool,
    games: u64,
    played: &mut CountedGames<'_>,
) -> Result<EvaluationFigure, WorkError> {
    let mut won = HashMap::new();
    for pair in grid.pairs() {
        let policy = FlagPolicy { restores, ..FlagPolicy::of_hundredths(pair) };
        let scores = played.by_network(games, policy)?;
        won.insert(pair, 100.0 * scores.won().mean());
    }
    let where_ =
        Text { en: format!("{games} games a square").into(), fr: format!("{games} parties par case").into() };
    let won = |pair| won.get(&pair).copied();
    Ok(EvaluationFigure::drawn(|language| grid.figure("heat-map", where_.get(language), won, language)))
}

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
