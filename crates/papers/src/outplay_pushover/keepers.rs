//! The players, the positions that each is asked about, and its games against perfect play.

use outplay_runtime::WorkError;
use std::iter::Sum;
use std::sync::Arc;

use outplay_games::pushover::Pushover;
use outplay_games::pushover::solver::{PushoverSolution, RepetitionRule};
use outplay_players::{Perfect, TerminalAwareness};
use serde::{Deserialize, Serialize};

use super::super::mueller_1992::{Competitor, LIMIT, Schooling, TrainedNetwork, expert, network};
use super::super::yes_no_row::YesNoRow;
use super::problems::{ProblemSample, ProblemSource, describe};
use super::report;
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::{PairCounts, Tally};
use outplay_lab::exactness::ask;
use outplay_lab::pushover::network::Encoding;
use outplay_lab::pushover::train::Winners;
use outplay_lab::pushover::{referee, solution, solved_board};
use outplay_lab::registry::PlayerFactory;
use outplay_report::Section;

/// All players, from the least search per move to the most.
pub(super) const PLAYERS: [&str; 15] = [
    "random",
    "e1",
    "e2",
    "r1",
    "r2",
    "r*1",
    "r*2",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "alphabeta:depth=6",
    "alphabeta:nodes=10000",
    "mcts:sims=100",
    "mcts:sims=1000",
    "mcts:sims=10000",
    "perfect",
];

/// Who keeps the value of the game, and who holds out against perfect play.
pub(super) struct Keepers;

#[derive(Serialize)]
pub(super) struct Config {
    /// The version of the record format; records of another version belong to another run.
    form: u32,
    players: [&'static str; 15],
    pub(super) networks: u64,
    pub(super) positions: u64,
    source: ProblemSource,
    /// Against `perfect`, by each player.
    games: u64,
    random_plies: u32,
    schooling: Schooling,
}

/// Results against `perfect`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct ScoreAgainstPerfect {
    pub(super) as_o: Tally,
    pub(super) as_plus: Tally,
    pub(super) pairs: PairCounts,
}

impl ScoreAgainstPerfect {
    /// The results in both seats.
    pub(super) fn tally(&self) -> Tally {
        [self.as_o, self.as_plus].into_iter().sum()
    }
}

impl Sum for ScoreAgainstPerfect {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, Self { as_o, as_plus, pairs }| {
            sum.as_o += as_o;
            sum.as_plus += as_plus;
            sum.pairs.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum += count);
            sum
        })
    }
}

/// One player; a network player has one entrant per network.
#[derive(Clone, Copy)]
pub(super) struct Entrant {
    pub(super) name: &'static str,
    /// The network with which it evaluates, if any.
    number: Option<u64>,
}

/// How many positions, or games, make one unit of work.
const BATCH: u64 = 200;

impl Entrant {
    /// The entrants that play under this name.
    pub(super) fn all(name: &'static str, config: &Config) -> Vec<Self> {
        match competitor(name) {
            Some((Competitor { is_network: true, .. }, _)) => {
                (0..config.networks).map(|number| Self { name, number: Some(number) }).collect()
            }
            _ => vec![Self { name, number: None }],
        }
    }

    fn title(self) -> String {
        self.number
            .map_or_else(|| self.name.to_owned(), |number| format!("{} of network {number}", self.name))
    }

    /// The keys of its answers, with the first position of each batch.
    fn asked_keys(self, config: &Config) -> impl Iterator<Item = (String, u64)> {
        batches(config.positions)
            .map(move |first| (format!("{}: positions from {first}", self.title()), first))
    }

    /// The keys of its games, with the first game of each batch.
    fn played_keys(self, config: &Config) -> impl Iterator<Item = (String, u64)> {
        batches(config.games).map(move |first| (format!("{}: games from {first}", self.title()), first))
    }

    /// In which positions it kept the value.
    pub(super) fn kept(self, config: &Config, records: &Records) -> Result<Vec<bool>, WorkError> {
        let batches: Result<Vec<YesNoRow>, WorkError> =
            self.asked_keys(config).map(|(key, _)| records.get(&key)).collect();
        Ok(batches?.into_iter().flat_map(|YesNoRow(row)| row).collect())
    }

    /// Its results against `perfect`.
    pub(super) fn scored(self, config: &Config, records: &Records) -> Result<ScoreAgainstPerfect, WorkError> {
        self.played_keys(config).map(|(key, _)| records.get::<ScoreAgainstPerfect>(&key)).sum()
    }

    /// The player itself.
    fn player(
        self,
        config: &Config,
        conditions: &Conditions<'_>,
    ) -> Result<PlayerFactory<Pushover<4>>, WorkError> {
        match (competitor(self.name), self.number) {
            (Some((Competitor { depth, .. }, sight)), Some(number)) => {
                let trained = TrainedNetwork::get(&config.schooling, number, conditions)?;
                Ok(network(&trained.evaluator(&config.schooling)?, depth, sight))
            }
            (Some((Competitor { depth, .. }, _)), None) => Ok(expert(depth)),
            (None, _) => solved_board(LIMIT).make_player(self.name, conditions.store, conditions.watch),
        }
    }

    /// Games `first` and on against `perfect`.
    fn play(
        self,
        first: u64,
        key: &str,
        config: &Config,
        solution: &Arc<PushoverSolution>,
        conditions: &Conditions<'_>,
    ) -> Result<ScoreAgainstPerfect, WorkError> {
        let player = self.player(config, conditions)?;
        let perfect = || Box::new(Perfect::new(Arc::clone(solution))) as Box<_>;
        let contestants =
            [Contestant { name: self.name, make: &*player }, Contestant { name: "perfect", make: &perfect }];
        let plan = MatchPlan {
            games: BATCH.min(config.games - first),
            random_plies: config.random_plies,
            ..MatchPlan::default()
        };
        let standing = conditions.play(key, &referee(LIMIT), &contestants, &plan)?;
        let [as_o, as_plus] = standing.by_seat;
        Ok(ScoreAgainstPerfect { as_o, as_plus, pairs: standing.pairs.unwrap_or_default() })
    }
}

/// Where each batch begins.
fn batches(count: u64) -> impl Iterator<Item = u64> {
    (0..count).step_by(BATCH as usize)
}

/// The competitor of the document's tables that has this name.
fn competitor(name: &str) -> Option<(Competitor, TerminalAwareness)> {
    let sights = [TerminalAwareness::Blind, TerminalAwareness::Outcomes].into_iter();
    let mut all = sights.flat_map(|sight| Competitor::ALL.map(|competitor| (competitor, sight)));
    all.find(|(competitor, sight)| competitor.name(*sight) == name)
}

/// The key of what the positions are like.
const SAMPLE: &str = "sample";

/// What the positions are like.
pub(super) fn sample(records: &Records) -> Result<ProblemSample, WorkError> {
    records.get(SAMPLE)
}

impl Experiment for Keepers {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (networks, positions, games) = match scale {
            Scale::Smoke => (2, 40, 4),
            Scale::Desk => (8, 2000, 400),
            Scale::Full => (30, 10_000, 2000),
        };
        Config {
            form: 2,
            players: PLAYERS,
            networks,
            positions,
            source: ProblemSource { random_plies: 4, expert_depth: 2, random_share: 0.25 },
            games,
            random_plies: 4,
            schooling: Schooling::of(scale, Encoding::Cells, Winners::Any),
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let solution = solution(RepetitionRule::Forbidden, conditions.store, conditions.watch)?;
        let problems = config.source.draw(config.positions, conditions.seed_of("positions"), &solution);
        recorder.once(SAMPLE, || Ok(describe(&problems)))?;
        for entrant in config.players.iter().flat_map(|name| Entrant::all(name, config)) {
            for (key, first) in entrant.asked_keys(config) {
                recorder.once(&key, || {
                    conditions.show(&key, first, config.positions, "positions");
                    let batch = &problems[first as usize..];
                    let batch = &batch[..batch.len().min(BATCH as usize)];
                    let player = entrant.player(config, conditions)?;
                    let seed = conditions.seed_of(&key);
                    conditions.on_threads(|| ask(&player, batch, seed, conditions.watch)).map(YesNoRow)
                })?;
            }
            for (key, first) in entrant.played_keys(config) {
                recorder.once(&key, || entrant.play(first, &key, config, &solution, conditions))?;
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        report::keepers(config, records)
    }
}
