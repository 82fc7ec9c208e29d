//! One board of any game, its types hidden: what the command line and the studio talk to.
//!
//! Positions and moves cross this interface as texts in the game's notation.

use outplay_runtime::WorkError;
use std::io::BufRead;
use std::path::Path;

use outplay_core::Text;
use outplay_core::scene::{Draft, Palette};
use serde::Serialize;

use super::board::{Measure, player_params};
use super::texts::FormatInfo;
use super::{Answer, DataReport, DataRequest, Evaluation, EvaluationRequest, Listing};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::Feature;
use crate::params::Param;
use crate::registry::board::ToldGames;
use crate::review::{Review, ReviewPlan};
use crate::spec::{Noun, Spec, find_named};
use crate::table::{Snapshot, Table};
use outplay_arena::contest::Entrants;
use outplay_arena::record::{GameRecord, GameTranscript};
use outplay_runtime::Watch;
use outplay_training::TrainingReport;

/// One board of a game as the command line and the studio see it.
pub trait AnyGame: Send + Sync {
    /// What the board is called and what it offers.
    fn info(&self) -> &BoardInfo;

    /// The MiB of memory that a player may come to use.
    fn player_memory(&self, player: &str) -> Result<u32, WorkError>;

    /// The MiB of memory that a training may come to use.
    fn method_memory(&self, method: &str) -> Result<u32, WorkError>;

    /// A table with a game at the start or at a position.
    fn table(&self, position: Option<&str>, seed: u64) -> Result<Box<dyn Table>, WorkError>;

    /// Makes the players of a contest.
    fn entrants(&self, players: &[String], watch: Watch<'_>) -> Result<Box<dyn Entrants + '_>, WorkError>;

    /// Counts the leaves of the game tree.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<PerftReport, WorkError>;

    /// The exact value of a position and of its moves.
    fn solve(&self, position: Option<&str>, no_ko: bool, watch: Watch<'_>) -> Result<Answer, WorkError>;

    /// Trains, and writes the result to a file.
    fn train(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<TrainingReport, WorkError>;

    /// Runs one trial to its end, resuming what is on disk; a finished one is only read. Returns the last record.
    fn attempt(&self, plan: &TrainPlan<'_>, watch: Watch<'_>) -> Result<serde_json::Value, WorkError>;

    /// The speeds of the game on this machine.
    fn bench(&self, watch: Watch<'_>) -> Result<Vec<Measurement>, WorkError>;

    /// Makes or describes a set of examples.
    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, WorkError>;

    /// Refuses a file that [`AnyGame::evaluate`] cannot measure.
    fn check_evaluation(&self, path: &Path) -> Result<(), WorkError>;

    /// Whether evaluations can draw figures.
    fn draws_evaluations(&self) -> bool;

    /// The MiB of memory that the evaluation of a file may come to use.
    fn evaluation_memory(&self, path: &Path, spec: &Spec) -> Result<u32, WorkError>;

    /// How good a trained network is, by measures of the game's own.
    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<Evaluation, WorkError>;

    /// An interactive console in which programs are trained and played.
    fn console(&self) -> Result<Box<dyn Console>, WorkError>;

    /// The board for the n-th replay of a tied knock-out match; `None` if the game has only one.
    fn other_board(&self, replay: u32, seed: u64) -> Option<String>;

    /// Every position of a recorded game.
    fn replay(&self, record: &GameRecord) -> Result<Vec<Snapshot>, WorkError>;

    /// Reads games in a file format of the game's own.
    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, WorkError>;

    /// Reads a text that may hold a game in a format of the game's own; `None` if it does not look like one.
    fn read_text(&self, text: &str) -> Option<Result<GameTranscript, WorkError>>;

    /// The text of a position that was set up by hand, or the reason why it cannot occur.
    fn read_draft(&self, draft: &Draft) -> Result<String, WorkError>;

    /// Says of every move of a game what it was worth.
    fn review(
        &self,
        told: &GameTranscript,
        plan: &ReviewPlan<'_>,
        watch: Watch<'_>,
    ) -> Result<Review, WorkError>;

    /// Plays a recorded game through. Games that were played alike have the same number, others very likely not;
    /// it means nothing outside of this process.
    fn fingerprint(&self, record: &GameRecord) -> Result<u64, WorkError>;
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

/// What a board is called and what it offers. What is absent here does not work on it.
#[derive(Clone, Debug)]
pub struct BoardInfo {
    /// The game as the user wrote it.
    pub spec: String,
    /// How many seats have a player in them: 2, or 1 in a game against nature.
    pub seats: usize,
    /// What the game calls its seats.
    pub seat_names: [Text; 2],
    /// A good opponent for a user who names none.
    pub opponent: &'static str,
    /// A player whose analysis covers many moves.
    pub analyst: &'static str,
    /// A player that is strong for its time, for reviews of whole games.
    pub reviewer: &'static str,
    /// The players.
    pub players: Vec<Listing>,
    /// The evaluators that a player with the parameter `eval` can be given.
    pub evaluators: Vec<Listing>,
    /// The ways to train.
    pub methods: Vec<Trial>,
    /// What is measured without training first.
    pub exams: Vec<Trial>,
    /// What `data` takes.
    pub data: Option<Listing>,
    /// What `evaluate` takes.
    pub evaluation: Option<Listing>,
    /// What else works on this board.
    pub features: Vec<Feature>,
    /// Whether the whole game can be solved exactly, not only some of its positions.
    pub is_solved: bool,
    /// The file formats of the game's own in which a game can be written.
    pub formats: Vec<FormatInfo>,
    /// Whether there is more than players see, so that moves alone do not tell a game.
    pub has_secrets: bool,
    /// Whether turns can pass by the clock, without anyone's move.
    pub is_real_time: bool,
    /// What the position editor offers; `None` if the game has no editor.
    pub palette: Option<Palette>,
}

impl BoardInfo {
    /// Whether this works on the board.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// What can be swept: methods and exams.
    pub fn trials(&self) -> impl Iterator<Item = &Trial> {
        self.methods.iter().chain(&self.exams)
    }

    /// All parameters of the player that the user wrote: its own, and those of the evaluator that `eval=` names.
    pub fn player_params(&self, spec: &Spec) -> Result<Vec<Param>, WorkError> {
        let player = find_named(Noun::Player, &spec.name, &self.players, |listing| listing.name)?;
        player_params(spec, player, &self.evaluators)
    }
}

/// A method or an exam: something that can be swept.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What is shown of it.
    pub listing: Listing,
    /// The numbers of its last record that a sweep compares, the most telling one first.
    pub measures: &'static [Measure],
}

/// Leaves of the game tree.
#[derive(Clone, Debug, Serialize)]
pub struct PerftReport {
    /// All of them.
    pub nodes: u64,
    /// Games that end before the depth asked for. Some sources count them as leaves.
    pub ended: u64,
    /// By first move.
    pub divide: Vec<(String, u64)>,
}
