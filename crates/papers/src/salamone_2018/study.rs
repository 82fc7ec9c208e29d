//! One step of the document: networks are trained, their errors measured, and for some steps their games played.

use outplay_games::minesweeper::subgrids::FlagPolicy;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize, Serializer};

use super::ladder::Sizes;
use super::numbered_network::{NumberedNetwork, train_all};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores, random_scores};
use outplay_report::Section;

/// One network of a step.
#[derive(Clone, Debug)]
pub(super) struct StepVariant {
    /// Its name in the records and figures.
    pub(super) label: String,
    /// The network and its training.
    pub(super) network: NumberedNetwork,
    /// Whether it plays, and how.
    pub(super) plays: Option<FlagPolicy>,
    /// Whether its flags lie on the board, where they stop cascades, and not in its head.
    pub(super) flags_on_board: bool,
}

impl StepVariant {
    /// A network whose errors are measured.
    pub(super) fn new(label: impl Into<String>, network: NumberedNetwork) -> Self {
        Self { label: label.into(), network, plays: None, flags_on_board: false }
    }

    /// A network that also plays.
    pub(super) fn playing(label: impl Into<String>, network: NumberedNetwork, temper: FlagPolicy) -> Self {
        Self { plays: Some(temper), ..Self::new(label, network) }
    }
}

impl Serialize for StepVariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Part of recorded configurations, so it must not change.
        let plays = self.plays.map(|FlagPolicy { playful, threshold, restores }| {
            let on_board = if self.flags_on_board { ", flags on the board" } else { "" };
            let restores = if restores { ", flags come back" } else { "" };
            format!("Temper {{ playful: {playful:?}, threshold: {threshold:?} }}{on_board}{restores}")
        });
        (&self.label, self.network.lesson.to_string(), self.network.number, plays).serialize(serializer)
    }
}

/// The result of a variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StepFinding {
    /// The seed with which the command line makes the same network.
    pub(super) seed: u64,
    /// Its errors.
    pub(super) errors: Errors,
    /// Its scores, if it played.
    pub(super) scores: Option<Scores>,
}

/// A step of the document.
pub(super) struct LadderStep {
    /// The artefact's name, under which its numbers are published.
    pub(super) name: &'static str,
    /// What is special about it, for the report.
    pub(super) remark: &'static str,
    /// The networks.
    pub(super) variants: fn(Scale, Sizes) -> Vec<StepVariant>,
    /// Makes the report.
    pub(super) report: fn(&LadderStep, &StepFindings, &Published) -> Result<Section, WorkError>,
}

/// The results of a step.
pub(super) struct StepFindings {
    /// The networks with the result of each.
    pub(super) variants: Vec<(StepVariant, StepFinding)>,
    /// The random AI in the same games.
    pub(super) random: Scores,
}

/// The key under which the random AI's scores are recorded.
const RANDOM: &str = "random AI";

/// The configuration of a step.
#[derive(Serialize)]
pub(super) struct Config {
    pub(super) variants: Vec<StepVariant>,
    pub(super) test_grids: usize,
    pub(super) games: u64,
}

impl Experiment for LadderStep {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let sizes = Sizes::of(scale);
        let variants = (self.variants)(scale, sizes);
        Config { variants, test_grids: sizes.test_grids, games: sizes.games }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let missing: Vec<&NumberedNetwork> =
            config.variants.iter().filter(|v| !recorder.has(&v.label)).map(|v| &v.network).collect();
        train_all(&missing, conditions)?;
        for variant in &config.variants {
            recorder.once(&variant.label, || conditions.on_threads(|| find(variant, config, conditions)))?;
        }
        recorder.once(RANDOM, || {
            let (game, seed) = (game_of(10, 10, 10)?, conditions.seed_of("games"));
            conditions.on_threads(|| random_scores(&game, config.games, seed, conditions.watch))
        })?;
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let find = |variant: &StepVariant| Ok((variant.clone(), records.get(&variant.label)?));
        let variants = config.variants.iter().map(find).collect::<Result<_, WorkError>>()?;
        (self.report)(self, &StepFindings { variants, random: records.get(RANDOM)? }, published)
    }
}

fn find(
    variant: &StepVariant,
    config: &Config,
    conditions: &Conditions<'_>,
) -> Result<StepFinding, WorkError> {
    let errors = variant.network.errors(config.test_grids, conditions)?;
    let play = |temper| {
        let network = variant.network.load(conditions)?;
        let seed = conditions.seed_of("games");
        let game = game_of(10, 10, 10)?;
        let game = if variant.flags_on_board { game.with_flags() } else { game };
        network_scores(&game, &network, temper, config.games, seed, conditions.watch)
    };
    let scores = variant.plays.map(play).transpose()?;
    Ok(StepFinding { seed: variant.network.seed(conditions), errors, scores })
}
