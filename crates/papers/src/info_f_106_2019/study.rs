//! Networks that learn by self-play in several variants, measured as they learn. A pupil is one such network.
//!
//! A pupil follows from its variant and its number: pupils of one number start from the same seed in every variant.
//! The pupils of a variant learn side by side, one per thread, and are recorded in order.

use outplay_core::{Referee, Rng, Seat};
use outplay_games::quoridor::{Cells, Quoridor, StartColumns, Walls};
use outplay_players::ActionSelection;
use outplay_runtime::WorkError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use super::super::share_difference::ShareDifference;
use super::super::yes_no_row::YesNoRow;
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan, run_match};
use outplay_arena::stats::Tally;
use outplay_arena::stats::{CrossedShares, Shares};
use outplay_lab::Store;
use outplay_lab::exactness::{Exam, ask};
use outplay_lab::learning::{LearnersOpponent, NetworkTraining, TrainingConfig};
use outplay_lab::quoridor::{board_def, exact, on_cells, referee};
use outplay_lab::registry::PlayerFactory;
use outplay_report::{Number, Section};
use outplay_runtime::Watch;

/// One way to train a network.
#[derive(Clone, Debug)]
pub(crate) struct TrainingVariant {
    /// Its name in the records and tables.
    pub(crate) label: String,
    /// Tiles along an edge.
    pub(crate) size: u8,
    /// The walls in hand.
    pub(crate) walls: u8,
    /// The training configuration.
    pub(crate) course: TrainingConfig,
    /// Where the pawns begin on even boards.
    pub(crate) columns: StartColumns,
    /// Who plays against it, in both seats by turns, if it does not play against itself.
    pub(crate) opponent: Option<&'static str>,
}

impl TrainingVariant {
    /// A network that plays against itself.
    pub(crate) const fn new(label: String, size: u8, walls: u8, course: TrainingConfig) -> Self {
        Self { label, size, walls, course, columns: StartColumns::Mirrored, opponent: None }
    }

    fn game<C: Cells>(&self) -> Referee<Quoridor<C>> {
        let start = Quoridor::start_in(self.columns, self.size, self.walls, Walls::EMPTY);
        referee(start.expect("a board of the rules"), None)
    }
}

/// What was added later is left out at its default, so that earlier runs are found again.
impl Serialize for TrainingVariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plain = (&self.label, self.size, self.walls, self.course.fingerprint_text());
        match (self.columns, self.opponent) {
            (StartColumns::Mirrored, None) => plain.serialize(serializer),
            (columns, opponent) => (plain, format!("{columns:?}"), opponent).serialize(serializer),
        }
    }
}

/// How a pupil is measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) enum Yardstick {
    /// By games against a player.
    Match {
        /// The name of the player in the report.
        label: &'static str,
        /// The player.
        opponent: &'static str,
        /// The share of moves that the pupil plays at random, so that games differ.
        epsilon: f64,
    },
    /// By the exact solution: in how many positions its best move keeps the value.
    Exam {
        /// The positions, the same for every pupil.
        problems: u64,
    },
}

impl Yardstick {
    /// What is counted, as a caption.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Match { label, .. } => format!("Games won against {label}"),
            Self::Exam { problems } => {
                format!("Moves that keep the exact value, in {problems} positions where others lose it")
            }
        }
    }

    /// What is counted, as the name of an axis.
    pub(super) const fn axis(&self) -> &'static str {
        match self {
            Self::Match { .. } => "% of games won",
            Self::Exam { .. } => "% of values kept",
        }
    }

    /// The opponent as on the command line, and the share of random moves of the pupil.
    pub(super) fn who(&self) -> Option<String> {
        match self {
            Self::Match { label, opponent, epsilon } => {
                Some(format!("{label} is `{opponent}`, the pupil `eps={epsilon}`"))
            }
            Self::Exam { .. } => None,
        }
    }

    /// A short name for its numbers.
    pub(crate) const fn label(&self) -> &'static str {
        match self {
            Self::Match { label, .. } => label,
            Self::Exam { .. } => "value kept",
        }
    }
}

/// A yardstick with its opponent or exam made ready.
enum ReadyYardstick<C: Cells> {
    Match { opponent: PlayerFactory<Quoridor<C>>, epsilon: f64 },
    Exam(Exam<Quoridor<C>>),
}

impl<C: Cells> ReadyYardstick<C> {
    fn of(
        yardstick: &Yardstick,
        game: &Referee<Quoridor<C>>,
        conditions: &Conditions<'_>,
    ) -> Result<Self, WorkError> {
        Ok(match *yardstick {
            Yardstick::Match { opponent, epsilon, .. } => {
                Self::Match { opponent: make_player(game, opponent, conditions.store)?, epsilon }
            }
            Yardstick::Exam { problems } => {
                let oracle = exact::solution(&game.start, conditions.store, conditions.watch)?;
                Self::Exam(Exam::set(game, &oracle, problems, conditions.seed_of("exam")))
            }
        })
    }

    fn by_chance(&self) -> Option<f64> {
        match self {
            Self::Match { .. } => None,
            Self::Exam(exam) => Some(exam.by_chance()),
        }
    }

    /// The result of a pupil.
    fn measure(
        &self,
        game: &Referee<Quoridor<C>>,
        pupil: impl Fn(ActionSelection) -> PlayerFactory<Quoridor<C>>,
        games: u64,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<YardstickResult, WorkError> {
        match self {
            Self::Match { opponent, epsilon } => {
                let mine = pupil(ActionSelection::Greedy { epsilon: *epsilon, noise: 0.0 });
                measure(game, [&mine, opponent], games, seed, watch).map(YardstickResult::Games)
            }
            Self::Exam(exam) => {
                let kept = ask(&pupil(ActionSelection::BEST), exam.problems(), seed, watch)?;
                Ok(YardstickResult::Kept(YesNoRow(kept)))
            }
        }
    }
}

/// The configuration of a study.
#[derive(Serialize)]
pub(crate) struct Config {
    pub(crate) variants: Vec<TrainingVariant>,
    /// Pupils of each variant.
    pub(crate) pupils: u64,
    /// The first pupil's seed, if they are to be those that `train --seeds` makes; drawn from the run's own if not.
    pub(crate) first_seed: Option<u64>,
    /// After how many games they are measured; the last is the end.
    pub(crate) after: Vec<u64>,
    pub(crate) yardsticks: Vec<Yardstick>,
    /// Games of each measurement, with alternating colours.
    pub(crate) games: u64,
}

impl Config {
    fn key(variant: &TrainingVariant, pupil: u64) -> String {
        format!("{}: pupil {pupil}", variant.label)
    }

    fn chance_key(variant: &TrainingVariant) -> String {
        format!("{}: random moves", variant.label)
    }
}

/// The result of a pupil by one yardstick.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum YardstickResult {
    /// Games won, drawn and lost.
    Games(Tally),
    /// In which positions of the exam it kept the value.
    Kept(YesNoRow),
}

impl YardstickResult {
    /// How many it won or kept, and of how many.
    fn share(&self) -> (u64, u64) {
        match self {
            Self::Games(tally) => (tally.wins, tally.games()),
            Self::Kept(YesNoRow(kept)) => {
                (kept.iter().filter(|kept| **kept).count() as u64, kept.len() as u64)
            }
        }
    }

    fn answers(&self) -> Option<Vec<bool>> {
        match self {
            Self::Games(_) => None,
            Self::Kept(YesNoRow(kept)) => Some(kept.clone()),
        }
    }

    fn drawn(&self) -> (u64, u64) {
        match self {
            Self::Games(tally) => (tally.draws, tally.games()),
            Self::Kept(_) => (0, 0),
        }
    }
}

/// The same by measurement, then by yardstick.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LearningCurve(Vec<Vec<YardstickResult>>);

/// The results of the pupils of one variant.
pub(crate) struct VariantResult {
    curves: Vec<LearningCurve>,
    /// The share of problems of an exam that random moves solve, if there was one.
    pub(crate) by_chance: Option<f64>,
}

impl VariantResult {
    /// The result of each pupil at a measurement by a yardstick.
    fn achieved(&self, measurement: usize, yardstick: usize) -> impl Iterator<Item = &YardstickResult> {
        self.curves.iter().map(move |curve| &curve.0[measurement][yardstick])
    }

    /// The share of games won, or of values kept, with its interval. Pupils have games of their own, but sit one exam.
    pub(crate) fn number(&self, name: String, measurement: usize, yardstick: usize) -> Number {
        let answers: Option<Vec<Vec<bool>>> =
            self.achieved(measurement, yardstick).map(YardstickResult::answers).collect();
        match answers {
            Some(answers) => Number::crossed(name, &CrossedShares::of(&answers)),
            None => Number::share(name, &self.shares(measurement, yardstick)),
        }
    }

    /// The share itself.
    pub(crate) fn mean(&self, measurement: usize, yardstick: usize) -> f64 {
        self.shares(measurement, yardstick).mean()
    }

    fn shares(&self, measurement: usize, yardstick: usize) -> Shares {
        Shares::of_groups(self.achieved(measurement, yardstick).map(YardstickResult::share).collect())
    }

    /// By how much more it won than another.
    pub(super) fn gain(&self, other: &Self, measurement: usize, yardstick: usize) -> ShareDifference {
        let [ours, theirs] = [self, other].map(|result| result.shares(measurement, yardstick));
        ShareDifference::of(&ours, &theirs)
    }

    /// The games drawn there, of all.
    pub(crate) fn drawn(&self, measurement: usize, yardstick: usize) -> (u64, u64) {
        let each = self.achieved(measurement, yardstick).map(YardstickResult::drawn);
        each.fold((0, 0), |(drawn, all), (d, n)| (drawn + d, all + n))
    }
}

/// A study of several variants of training.
pub(crate) struct SelfPlayStudy {
    /// The artefact's name, under which its figures are kept.
    pub(crate) name: &'static str,
    /// What is special about it, for the report.
    pub(crate) remark: &'static str,
    /// What its published run, at full scale with seed 0, has shown.
    pub(crate) conclusion: Option<&'static str>,
    /// Its configuration at a scale.
    pub(crate) config: fn(Scale) -> Config,
    /// Makes the report.
    pub(crate) report: fn(&SelfPlayStudy, &Config, &[VariantResult]) -> Section,
}

impl Experiment for SelfPlayStudy {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        (self.config)(scale)
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for (number, variant) in config.variants.iter().enumerate() {
            let key = |pupil| Config::key(variant, pupil);
            let missing: Vec<u64> = (0..config.pupils).filter(|&pupil| !recorder.has(&key(pupil))).collect();
            conditions.show(&variant.label, number as u64, config.variants.len() as u64, "ways to learn");
            // A stop costs the pupils that are learning, not those that have finished.
            for pupils in missing.chunks(conditions.threads.unwrap_or_else(rayon::current_num_threads)) {
                let (curves, by_chance) =
                    on_cells!(variant.size, C => train::<C>(config, variant, pupils, conditions)?);
                recorder.once(&Config::chance_key(variant), || Ok(by_chance))?;
                for (&pupil, curve) in pupils.iter().zip(curves) {
                    recorder.once(&key(pupil), || Ok(curve))?;
                }
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let find = |variant: &TrainingVariant| {
            let curves = (0..config.pupils).map(|pupil| records.get(&Config::key(variant, pupil)));
            let by_chance = records.get(&Config::chance_key(variant))?;
            Ok(VariantResult { curves: curves.collect::<Result<_, WorkError>>()?, by_chance })
        };
        let findings: Vec<VariantResult> =
            config.variants.iter().map(find).collect::<Result<_, WorkError>>()?;
        Ok((self.report)(self, config, &findings))
    }
}

/// A player of the registry.
pub(crate) fn make_player<C: Cells>(
    game: &Referee<Quoridor<C>>,
    player: &str,
    store: &Store,
) -> Result<PlayerFactory<Quoridor<C>>, WorkError> {
    board_def(game.clone()).make_player(player, store, Watch::nobody())
}

/// Trains these pupils of a variant side by side; also returns what random moves would get in an exam.
fn train<C: Cells>(
    config: &Config,
    variant: &TrainingVariant,
    pupils: &[u64],
    conditions: &Conditions<'_>,
) -> Result<(Vec<LearningCurve>, Option<f64>), WorkError> {
    let game = variant.game::<C>();
    let yardsticks: Vec<ReadyYardstick<C>> = config
        .yardsticks
        .iter()
        .map(|yardstick| ReadyYardstick::of(yardstick, &game, conditions))
        .collect::<Result<_, WorkError>>()?;
    let learn = |&pupil: &u64| learn(config, variant, &game, &yardsticks, pupil, conditions);
    let curves: Vec<LearningCurve> =
        conditions.on_threads(|| pupils.par_iter().map(learn).collect::<Result<_, WorkError>>())?;
    Ok((curves, yardsticks.iter().find_map(ReadyYardstick::by_chance)))
}

fn learn<C: Cells>(
    config: &Config,
    variant: &TrainingVariant,
    game: &Referee<Quoridor<C>>,
    yardsticks: &[ReadyYardstick<C>],
    pupil: u64,
    conditions: &Conditions<'_>,
) -> Result<LearningCurve, WorkError> {
    let learning = Referee { repetitions: None, ..game.clone() };
    let drawn = || conditions.seed_of(&format!("pupil {pupil}"));
    let seed = config.first_seed.map_or_else(drawn, |first| first + pupil);
    let mut training = NetworkTraining::new(&learning, variant.course.clone(), seed);
    if let Some(name) = variant.opponent {
        let player = make_player(game, name, conditions.store)?();
        training.set_opponent(Some(LearnersOpponent::of(player, name.to_owned(), Seat::Second, true)));
    }
    let mut curve = Vec::new();
    for &after in &config.after {
        training.learn(after - training.games(), conditions.watch)?;
        let players = |choice| training.players(choice);
        let achieved = yardsticks.iter().zip(0..).map(|(yardstick, number)| {
            let seed = Rng::stream(seed ^ after, number).seed();
            yardstick.measure(game, players, config.games, seed, conditions.watch)
        });
        curve.push(achieved.collect::<Result<_, WorkError>>()?);
    }
    Ok(LearningCurve(curve))
}

fn measure<C: Cells>(
    game: &Referee<Quoridor<C>>,
    [mine, other]: [&PlayerFactory<Quoridor<C>>; 2],
    games: u64,
    seed: u64,
    watch: Watch<'_>,
) -> Result<Tally, WorkError> {
    let contestants =
        [Contestant { name: "pupil", make: &**mine }, Contestant { name: "other", make: &**other }];
    let plan = MatchPlan { games, seed, threads: Some(1), ..MatchPlan::default() };
    let result = run_match(game, &contestants, &plan, &mut |_| {}, watch.stop_flag())?;
    if result.interrupted { Err(WorkError::Stopped) } else { Ok(result.standing.tally()) }
}
