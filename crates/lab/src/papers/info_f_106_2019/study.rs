//! Networks that teach themselves in one way or another, measured as they learn.
//!
//! Laws of this room:
//! - a pupil follows from its course and its number: pupils of one number begin with the same chance in every variant;
//! - the pupils of a variant learn side by side, one a thread, and are recorded in order.

use outplay_core::{Open, Rng};
use outplay_games::quoridor::Small;
use outplay_players::Choice;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale, Section, Shares};
use crate::error::LabError;
use crate::learning::{NetworkCourse, NetworkTraining};
use crate::matches::{Contestant, MatchPlan, run_match};
use crate::quoridor::referee;
use crate::registry::{Factory, Kit};
use crate::spec::{Spec, find_named};
use crate::stats::Tally;
use crate::store::Store;
use crate::watch::Watch;

/// A way to learn.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// What it is called in the records and tables.
    pub(super) label: String,
    /// The walls in hand; the board is 5×5.
    pub(super) walls: u8,
    /// What learns, and how.
    pub(super) course: NetworkCourse,
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.label, self.walls, format!("{:?}", self.course)).serialize(serializer)
    }
}

/// Against whom a pupil is measured. The exact answer of a small board would be one more of these.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Yardstick {
    /// What it is called.
    pub(super) label: &'static str,
    /// The player.
    pub(super) opponent: &'static str,
    /// The share of moves that the pupil draws blindly, so that games differ.
    pub(super) epsilon: f64,
}

/// Everything that decides a study.
#[derive(Serialize)]
pub(super) struct Config {
    pub(super) variants: Vec<Variant>,
    /// Pupils of each variant.
    pub(super) pupils: u64,
    /// After how many games they are measured; the last is the end.
    pub(super) after: Vec<u64>,
    pub(super) yardsticks: Vec<Yardstick>,
    /// Games of each measurement, colours alternating.
    pub(super) games: u64,
}

impl Config {
    fn key(variant: &Variant, pupil: u64) -> String {
        format!("{}: pupil {pupil}", variant.label)
    }
}

/// What a pupil achieved: by measurement, then by yardstick.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Curve(Vec<Vec<Tally>>);

/// What the pupils of one variant achieved.
pub(super) struct Finding {
    curves: Vec<Curve>,
}

impl Finding {
    /// The shares of games won at a measurement by a yardstick, pupil by pupil.
    pub(super) fn won(&self, measurement: usize, yardstick: usize) -> Shares {
        let of = |curve: &Curve| {
            let tally = curve.0[measurement][yardstick];
            (tally.wins, tally.games())
        };
        Shares::of_groups(self.curves.iter().map(of).collect())
    }

    /// The games drawn there, of all.
    pub(super) fn drawn(&self, measurement: usize, yardstick: usize) -> (u64, u64) {
        let tallies = || self.curves.iter().map(|curve| curve.0[measurement][yardstick]);
        (tallies().map(|tally| tally.draws).sum(), tallies().map(|tally| tally.games()).sum())
    }
}

/// A study of several ways to learn.
pub(super) struct Study {
    /// The artefact's name, under which its figures are kept.
    pub(super) name: &'static str,
    /// What is particular about it.
    pub(super) remark: &'static str,
    /// What is done.
    pub(super) config: fn(Scale) -> Config,
    /// What is said of it.
    pub(super) report: fn(&Study, &Config, &[Finding]) -> Section,
}

impl Experiment for Study {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        (self.config)(scale)
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), LabError> {
        for (number, variant) in config.variants.iter().enumerate() {
            let key = |pupil| Config::key(variant, pupil);
            let missing: Vec<u64> = (0..config.pupils).filter(|&pupil| !recorder.has(&key(pupil))).collect();
            conditions.show(&variant.label, number as u64, config.variants.len() as u64, "ways to learn");
            let curves: Vec<Curve> = conditions.on_threads(|| {
                missing.par_iter().map(|&pupil| learn(config, variant, pupil, conditions)).collect()
            })?;
            for (pupil, curve) in missing.into_iter().zip(curves) {
                recorder.once(&key(pupil), || Ok(curve))?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, LabError> {
        let find = |variant: &Variant| {
            let curves = (0..config.pupils).map(|pupil| records.get(&Config::key(variant, pupil)));
            Ok(Finding { curves: curves.collect::<Result<_, LabError>>()? })
        };
        let findings: Vec<Finding> = config.variants.iter().map(find).collect::<Result<_, LabError>>()?;
        Ok((self.report)(self, config, &findings))
    }
}

/// The game on 5×5.
pub(super) fn game(walls: u8) -> Open<Small> {
    referee(Small::start(5, walls).expect("a board of 5×5"), None)
}

/// A player of the registry.
pub(super) fn hire(game: &Open<Small>, player: &str, store: &Store) -> Result<Factory<Small>, LabError> {
    let spec: Spec = player.parse()?;
    let entries = <Open<Small> as Kit>::players();
    let entry = find_named("player", &spec.name, &entries, |entry| entry.listing.name)?;
    (entry.hire)(game, &spec, store, Watch::nobody())
}

fn learn(
    config: &Config,
    variant: &Variant,
    pupil: u64,
    conditions: &Conditions<'_>,
) -> Result<Curve, LabError> {
    let game = game(variant.walls);
    let learning = Open { repetitions: None, ..game.clone() };
    let seed = conditions.seed_of(&format!("pupil {pupil}"));
    let mut training = NetworkTraining::new(&learning, variant.course.clone(), seed);
    let opponents =
        config.yardsticks.iter().map(|yardstick| hire(&game, yardstick.opponent, conditions.store));
    let opponents: Vec<Factory<Small>> = opponents.collect::<Result<_, LabError>>()?;
    let mut curve = Vec::new();
    for &after in &config.after {
        while training.games() < after {
            if conditions.watch.is_stopped() {
                return Err(LabError::Stopped);
            }
            training.learn(1000.min(after - training.games()));
        }
        let yardsticks = config.yardsticks.iter().zip(&opponents).zip(0..);
        let tallies = yardsticks.map(|((yardstick, opponent), number)| {
            let mine = training.players(Choice::Greedy { epsilon: yardstick.epsilon, noise: 0.0 });
            measure(
                &game,
                [&mine, opponent],
                config.games,
                Rng::stream(seed ^ after, number).seed(),
                conditions,
            )
        });
        curve.push(tallies.collect::<Result<_, LabError>>()?);
    }
    Ok(Curve(curve))
}

fn measure(
    game: &Open<Small>,
    [mine, other]: [&Factory<Small>; 2],
    games: u64,
    seed: u64,
    conditions: &Conditions<'_>,
) -> Result<Tally, LabError> {
    let contestants =
        [Contestant { name: "pupil", make: &**mine }, Contestant { name: "other", make: &**other }];
    let plan = MatchPlan { games, seed, threads: Some(1), ..MatchPlan::default() };
    let result = run_match(game, &contestants, &plan, &mut |_| {}, conditions.watch.stop_flag())?;
    if result.interrupted { Err(LabError::Stopped) } else { Ok(result.standing.tally()) }
}
