//! A game with everything that can be done with it, its types hidden.
//!
//! Belongs here: what can be asked of any game, and what is answered. Does not belong here: who answers.
//!
//! Law: nothing here names the types of a game.

use std::io::BufRead;
use std::path::Path;

use serde::Serialize;

use super::{Answer, DataReport, DataRequest, EvaluationRequest, Listing, Measure};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::matches::{MatchPlan, MatchSummary};
use crate::ratings::Ratings;
use crate::record::{GameRecord, RecordSink, Told, ToldGames};
use crate::review::{Review, ReviewPlan};
use crate::table::{Snapshot, Table};
use crate::tournament::{CrossTable, TournamentPlan};
use crate::training::TrainingReport;
use crate::watch::Watch;

/// A game as the command line and the studio see it.
pub trait House: Send + Sync {
    /// The game as the user wrote it.
    fn spec(&self) -> String;

    /// How many seats have a player in them.
    fn seats(&self) -> usize;

    /// What the game calls its seats.
    fn seat_names(&self) -> [&'static str; 2];

    /// A good opponent for someone who names none.
    fn opponent(&self) -> &'static str;

    /// A player whose opinion covers many moves.
    fn analyst(&self) -> &'static str;

    /// A player to play on from the moves of a recorded game that is reviewed.
    fn reviewer(&self) -> &'static str;

    /// The players there are.
    fn players(&self) -> Vec<Listing>;

    /// The evaluators that players with `eval=` can be given.
    fn evaluators(&self) -> Vec<Listing>;

    /// The ways to train there are.
    fn methods(&self) -> Vec<Listing>;

    /// What is examined without having been taught.
    fn exams(&self) -> Vec<Listing>;

    /// What can be swept: the ways to train, and what is examined without having been taught.
    fn trials(&self) -> Vec<Trial>;

    /// What `data` and `evaluate` take.
    fn chores(&self) -> Vec<Listing>;

    /// Refuses what is not the name of a player with its parameters.
    fn check_player(&self, player: &str, watch: Watch<'_>) -> Result<(), LabError>;

    /// A table with a game at the start or at a position.
    fn table(&self, position: Option<&str>, seed: u64) -> Result<Box<dyn Table>, LabError>;

    /// Plays a match and hands every game over as it is counted, if someone writes them down.
    fn run_match(
        &self,
        players: &[String],
        plan: &MatchPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<MatchReport, LabError>;

    /// Plays every pairing, likewise.
    fn run_tournament(
        &self,
        players: &[String],
        plan: &TournamentPlan,
        records: Option<&mut (dyn RecordSink + '_)>,
        watch: Watch<'_>,
    ) -> Result<TournamentReport, LabError>;

    /// Counts the leaves of the game tree.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<PerftReport, LabError>;

    /// Answers exactly.
    fn solve(&self, position: Option<&str>, no_ko: bool, watch: Watch<'_>) -> Result<Answer, LabError>;

    /// Trains and writes what was learnt.
    fn train(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<TrainingReport, LabError>;

    /// Makes one trial to its end, from where it stands on disk; what is finished is only read. The last record.
    fn attempt(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<serde_json::Value, LabError>;

    /// The speeds of the game on this machine.
    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError>;

    /// Makes or describes a data base of examples.
    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError>;

    /// How good a trained network is, by measures of the game's own.
    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError>;

    /// A console in which the game's AIs are made and played, where there is one.
    fn console(&self) -> Result<Box<dyn Console>, LabError>;

    /// The game on another board, for the so-many-th replay of a tie; see [`Kit::another_board`].
    fn another_board(&self, replay: u32, seed: u64) -> Option<String>;

    /// Every position of a recorded game.
    fn replay(&self, record: &GameRecord) -> Result<Vec<Snapshot>, LabError>;

    /// The games in a text of a form of the game's own, where it has one.
    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError>;

    /// Says of every move of a game what it was worth.
    fn review(&self, told: &Told, plan: &ReviewPlan<'_>, watch: Watch<'_>) -> Result<Review, LabError>;

    /// Plays a recorded game through. Games that were played alike have the same number, others very likely not;
    /// it means nothing outside of this process.
    fn fingerprint(&self, record: &GameRecord) -> Result<u64, LabError>;
}

/// A training as the user asked for it.
#[derive(Clone, Copy)]
pub struct TrainPlan<'a> {
    /// The method with its parameters.
    pub method: &'a str,
    /// The seed.
    pub seed: u64,
    /// The file to write.
    pub out: &'a Path,
    /// Goes on with an unfinished run.
    pub resume: bool,
    /// Threads to learn on; it changes nothing but the time.
    pub threads: Option<usize>,
}

/// Something that can be swept.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What is shown of it.
    pub listing: Listing,
    /// By what it is judged, the best measure first.
    pub measures: &'static [Measure],
}

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The game.
    pub game: String,
    /// The players, the first-named first.
    pub players: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The numbers.
    #[serde(flatten)]
    pub summary: MatchSummary,
}

/// A tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    /// The game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// How many different games there are among all of them.
    pub distinct_games: u64,
    /// Who made how many points against whom.
    #[serde(flatten)]
    pub table: CrossTable,
    /// The players by strength.
    pub ratings: Ratings,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
}

/// Leaves of the game tree.
#[derive(Clone, Debug, Serialize)]
pub struct PerftReport {
    /// All of them.
    pub nodes: u64,
    /// By first move.
    pub divide: Vec<(String, u64)>,
}
