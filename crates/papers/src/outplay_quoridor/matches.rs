//! Lists of matches, each as `outplay match` plays it, and the networks that have to be trained for them.
//!
//! A match follows from its two players, its board and the run's seed. Budgets are counted, not timed, except where
//! the clock is the question.

use outplay_core::Text;
use outplay_runtime::WorkError;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale, fingerprint};
use outplay_arena::matches::MatchPlan;
use outplay_arena::stats::{Interval, Tally};
use outplay_lab::Store;
use outplay_lab::registry::{AnyGame, TrainPlan, open_game};
use outplay_report::{Block, Number, Section};
use outplay_runtime::files::make_folder;

/// The player on one side.
#[derive(Clone, Debug, Serialize)]
pub(crate) enum MatchSide {
    /// A player as on the command line.
    Player(String),
    /// A network that is trained first, and the share of moves that it plays at random.
    Learnt {
        /// The method with its parameters.
        method: String,
        /// The seed of the training.
        seed: u64,
        /// The share of random moves.
        eps: f64,
    },
}

impl MatchSide {
    pub(crate) fn player(name: &str) -> Self {
        Self::Player(name.to_owned())
    }

    /// The player as on the command line; a network is trained if its file does not exist yet.
    pub(crate) fn ready(
        &self,
        any_game: &dyn AnyGame,
        conditions: &Conditions<'_>,
    ) -> Result<String, WorkError> {
        let (method, seed, eps) = match self {
            Self::Player(name) => return Ok(name.clone()),
            Self::Learnt { method, seed, eps } => (method, *seed, eps),
        };
        let file = network_file(any_game, method, seed, conditions.store);
        if !file.exists() {
            make_folder(&conditions.store.path(NETWORKS))?;
            let resume = file.with_extension("run").exists();
            let plan = TrainPlan { method, seed, out: &file, resume, threads: conditions.threads };
            if !any_game.train(&plan, conditions.watch)?.finished {
                return Err(WorkError::Stopped);
            }
        }
        Ok(format!("net:file={},eps={eps}", file.display()))
    }
}

fn network_file(any_game: &dyn AnyGame, method: &str, seed: u64, store: &Store) -> PathBuf {
    let name = fingerprint(format!("{} {method} {seed}", any_game.info().spec.clone()).as_bytes());
    store.path(&format!("{NETWORKS}/quoridor-{name:016x}"))
}

/// The folder of trained networks.
const NETWORKS: &str = "networks";

/// One match.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ListedMatch {
    /// Its name in the table.
    pub(crate) label: String,
    /// The board.
    pub(crate) game: &'static str,
    /// The first-named player, whose score is counted, and the other.
    pub(crate) sides: [MatchSide; 2],
    /// Games, in pairs with colours swapped.
    pub(crate) games: u64,
    /// Random moves at the beginning.
    pub(crate) random_plies: u32,
}

/// The result of a match.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ListedMatchResult {
    tally: Tally,
    distinct: u64,
    score: f64,
    low: f64,
    high: f64,
}

impl ListedMatchResult {
    /// The points of the first-named player.
    pub(crate) fn number(&self, label: &str) -> Number {
        let Self { tally, distinct, score, low, high } = *self;
        let Tally { wins, draws, losses } = tally;
        let name = format!("{label} (+{wins} ={draws} −{losses}, {distinct} different)");
        Number::percent(name, score, Interval { low, high }, 1, tally.games())
    }
}

/// A list of matches.
pub(super) struct MatchList {
    /// The text above the table.
    pub(super) remark: &'static str,
    /// The list.
    pub(super) pairings: fn(Scale) -> Vec<ListedMatch>,
}

impl Experiment for MatchList {
    type Config = Vec<ListedMatch>;

    fn config(&self, scale: Scale) -> Vec<ListedMatch> {
        (self.pairings)(scale)
    }

    fn run(
        &self,
        config: &Vec<ListedMatch>,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        for pairing in config {
            recorder.once(&pairing.label, || play_listed(pairing, conditions))?;
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Vec<ListedMatch>,
        records: &Records,
        _: &Published,
    ) -> Result<Section, WorkError> {
        let number = |pairing: &ListedMatch| {
            Ok(records.get::<ListedMatchResult>(&pairing.label)?.number(&pairing.label))
        };
        let numbers = config.iter().map(number).collect::<Result<Vec<Number>, WorkError>>()?;
        let table = Block::Table(Number::table(&numbers, Text::new("games", "parties")));
        Ok(Section { blocks: vec![Block::text(self.remark), table], numbers })
    }
}

/// Plays a match; networks are trained first.
pub(crate) fn play_listed(
    pairing: &ListedMatch,
    conditions: &Conditions<'_>,
) -> Result<ListedMatchResult, WorkError> {
    let store = Arc::new(Store::at(conditions.store.root()));
    let any_game = open_game(pairing.game, &store)?;
    let players = pairing
        .sides
        .iter()
        .map(|side| side.ready(&*any_game, conditions))
        .collect::<Result<Vec<String>, WorkError>>()?;
    let plan = MatchPlan {
        games: pairing.games,
        seed: conditions.seed_of(&pairing.label),
        random_plies: pairing.random_plies,
        threads: conditions.threads,
        ..MatchPlan::default()
    };
    let summary = any_game
        .entrants(&players, conditions.watch)?
        .run_match_of_all(&plan, None, conditions.watch)?
        .summary;
    match (summary.interrupted, summary.score, summary.score_low, summary.score_high) {
        (false, Some(score), Some(low), Some(high)) => {
            Ok(ListedMatchResult { tally: summary.tally, distinct: summary.distinct_games, score, low, high })
        }
        _ => Err(WorkError::Stopped),
    }
}
