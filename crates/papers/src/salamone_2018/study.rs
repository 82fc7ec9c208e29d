//! A step of the document: some networks are taught, their errors measured, and perhaps their games played.

use outplay_games::minesweeper::subgrids::FlagPolicy;
use serde::{Deserialize, Serialize, Serializer};

use super::ladder::Sizes;
use super::pupil::{Pupil, teach_all};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_lab::LabError;
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_lab::minesweeper::subgrids::game_of;
use outplay_lab::minesweeper::subgrids::scores::{Scores, network_scores, random_scores};
use outplay_report::Section;

/// One network of a study.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// What it is called in the records and figures.
    pub(super) label: String,
    /// How it is taught.
    pub(super) pupil: Pupil,
    /// Whether it plays, and how.
    pub(super) plays: Option<FlagPolicy>,
}

impl Variant {
    /// A network whose errors are measured.
    pub(super) fn new(label: impl Into<String>, pupil: Pupil) -> Self {
        Self { label: label.into(), pupil, plays: None }
    }

    /// A network that plays as well.
    pub(super) fn playing(label: impl Into<String>, pupil: Pupil, temper: FlagPolicy) -> Self {
        Self { plays: Some(temper), ..Self::new(label, pupil) }
    }
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Part of recorded configurations, so it must not change.
        let plays = self.plays.map(|FlagPolicy { playful, threshold }| {
            format!("Temper {{ playful: {playful:?}, threshold: {threshold:?} }}")
        });
        (&self.label, self.pupil.lesson.to_string(), self.pupil.number, plays).serialize(serializer)
    }
}

/// What came of a variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finding {
    /// The seed with which the command line makes the same network.
    pub(super) seed: u64,
    /// Its errors.
    pub(super) errors: Errors,
    /// Its scores, if it played.
    pub(super) scores: Option<Scores>,
}

/// A step of the document.
pub(super) struct Study {
    /// The artefact's name, under which its numbers are published.
    pub(super) name: &'static str,
    /// What is particular about it.
    pub(super) remark: &'static str,
    /// The networks.
    pub(super) variants: fn(Scale, Sizes) -> Vec<Variant>,
    /// What is said of the findings.
    pub(super) report: fn(&Study, &Findings, &Published) -> Result<Section, LabError>,
}

/// What came of a study.
pub(super) struct Findings {
    /// The networks with what came of each.
    pub(super) variants: Vec<(Variant, Finding)>,
    /// The random AI in the same games.
    pub(super) random: Scores,
}

/// The key under which the random AI's scores are recorded.
const RANDOM: &str = "random AI";

/// Everything that decides a study.
#[derive(Serialize)]
pub(super) struct Config {
    pub(super) variants: Vec<Variant>,
    pub(super) test_grids: usize,
    pub(super) games: u64,
}

impl Experiment for Study {
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
    ) -> Result<(), LabError> {
        let missing: Vec<&Pupil> =
            config.variants.iter().filter(|v| !recorder.has(&v.label)).map(|v| &v.pupil).collect();
        teach_all(&missing, conditions)?;
        for variant in &config.variants {
            recorder.once(&variant.label, || conditions.on_threads(|| find(variant, config, conditions)))?;
        }
        recorder.once(RANDOM, || {
            let (game, seed) = (game_of(10, 10, 10)?, conditions.seed_of("games"));
            conditions.on_threads(|| random_scores(&game, config.games, seed, conditions.watch))
        })?;
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, published: &Published) -> Result<Section, LabError> {
        let find = |variant: &Variant| Ok((variant.clone(), records.get(&variant.label)?));
        let variants = config.variants.iter().map(find).collect::<Result<_, LabError>>()?;
        (self.report)(self, &Findings { variants, random: records.get(RANDOM)? }, published)
    }
}

fn find(variant: &Variant, config: &Config, conditions: &Conditions<'_>) -> Result<Finding, LabError> {
    let errors = variant.pupil.errors(config.test_grids, conditions)?;
    let play = |temper| {
        let network = variant.pupil.network(conditions)?;
        let seed = conditions.seed_of("games");
        network_scores(&game_of(10, 10, 10)?, &network, temper, config.games, seed, conditions.watch)
    };
    let scores = variant.plays.map(play).transpose()?;
    Ok(Finding { seed: variant.pupil.seed(conditions), errors, scores })
}
