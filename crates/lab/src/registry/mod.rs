//! What there is: games, their players, their methods.
//!
//! Law: a game is one folder and one line in [`GAMES`]; whatever the command line or the studio can do with a
//! game, they do through [`House`], so a new game comes with all of it.

mod dwelling;
mod exact;
mod hosted;
mod house;
mod open;

use std::io::BufRead;
use std::sync::Arc;

use outplay_core::{Game, Notation, Player, Rng};
use serde::Serialize;

use crate::bench::Measurement;
use crate::console::Console;
use crate::error::LabError;
use crate::record::ToldGames;
use crate::review::{Inquiry, Review};
use crate::spec::{Param, Spec, Values, find_named};
use crate::store::Store;
use crate::training::Training;
use crate::watch::Watch;
use crate::{chess, minesweeper, pushover, quoridor};

pub(crate) use dwelling::Dwelling;
pub(crate) use exact::{exact_answer, hire_perfect, perfect_player};
pub use hosted::Hosted;
pub(crate) use hosted::{judged_by_playing, told_by_records};
pub use house::{House, MatchReport, PerftReport, TournamentReport, TrainPlan, Trial};
pub use open::{
    EvaluatorEntry, EvaluatorUser, FixedDepth, Judged, hire_preset, names, open_divide, open_evaluators,
    open_players, random_player,
};

/// All games.
pub static GAMES: &[GameEntry] = &[pushover::ENTRY, minesweeper::ENTRY, quoridor::ENTRY, chess::ENTRY];

/// A game on the list.
pub struct GameEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The house of the game with these parameters.
    pub open: Open,
}

/// Opens the house of a game with these parameters, or says why there is no such game.
pub type Open = fn(Spec, &Values, Arc<Store>) -> Result<Box<dyn House>, LabError>;

/// Makes players that all play alike, one for each thread.
pub type Factory<V> = Arc<dyn Fn() -> Box<dyn Player<V>> + Send + Sync>;

/// Makes a player from what the user wrote.
pub type Hire<G> = fn(&G, &Spec, &Store, Watch<'_>) -> Result<Factory<<G as Game>::View>, LabError>;

/// Prepares a training with these parameters and seed.
pub type Begin<G> = fn(&G, &Values, u64, &Store, Watch<'_>) -> Result<Box<dyn Training>, LabError>;

/// A player on a game's list.
pub struct PlayerEntry<G: Game> {
    /// What is shown of it.
    pub listing: Listing,
    /// Makes it from what the user wrote.
    pub hire: Hire<G>,
}

/// A way to train on a game's list.
pub struct MethodEntry<G: Game> {
    /// What is shown of it.
    pub listing: Listing,
    /// By what of its last record its end is judged, the best measure first.
    pub measures: &'static [Measure],
    /// Prepares a training with these parameters and seed.
    pub begin: Begin<G>,
}

/// A number of a training's last record by which its end is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// Where it stands in the record, as a JSON pointer.
    pub place: &'static str,
    /// Which end of it is the good one.
    pub better: Better,
}

/// Which of two numbers is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The higher.
    Higher,
    /// The lower.
    Lower,
}

impl Measure {
    /// Something of which more is better.
    pub const fn higher(name: &'static str, place: &'static str) -> Self {
        Self { name, place, better: Better::Higher }
    }

    /// Something of which less is better.
    pub const fn lower(name: &'static str, place: &'static str) -> Self {
        Self { name, place, better: Better::Lower }
    }
}

/// The mean loss of the last step, where nothing else is measured.
pub(crate) const LOSS: Measure = Measure::lower("loss", "/loss");

/// What is shown of a player or a method.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// A game with what the lab can do with it.
pub trait Kit: Notation + Clone {
    /// A good opponent for someone who names none.
    const OPPONENT: &'static str;
    /// A player whose opinion covers many moves.
    const ANALYST: &'static str;
    /// A player who is strong for its time, to play on from the moves of a recorded game that is reviewed.
    const REVIEWER: &'static str;
    /// Whether a rule forbids to bring a position back, which a solver can be asked to leave out.
    const HAS_KO: bool;

    /// The players, `random` first.
    fn players() -> Vec<PlayerEntry<Self>>;

    /// The evaluators that players with `eval=` can be given.
    fn evaluators() -> Vec<Listing>;

    /// The ways to train.
    fn methods() -> Vec<MethodEntry<Self>>;

    /// What is examined without having been taught, and so can be swept like a method.
    fn exams() -> Vec<MethodEntry<Self>>;

    /// What `data` and `evaluate` take, as far as the game has them.
    fn chores() -> Vec<Listing>;

    /// The game in which the position of the text occurs, if it is not this one.
    fn around(&self, position: &str) -> Result<Self, LabError>;

    /// What else a program may want to know of a state, by name: a score, say.
    fn facts(&self, state: &Self::State) -> Facts;

    /// What is known of a position without asking any player.
    fn survey(&self, state: &Self::State) -> Result<Survey, LabError>;

    /// What every move of a recorded game was worth, where the game can say it.
    fn review(&self, inquiry: &Inquiry<'_, Self>, watch: Watch<'_>) -> Result<Review, LabError>;

    /// The number of leaves below each move, where the future can be simulated.
    fn divide(&self, state: &Self::State, depth: u32) -> Option<Vec<(String, u64)>>;

    /// The exact answer, where there is a solver.
    fn solve(
        &self,
        question: &Question<'_, Self>,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<Answer, LabError>;

    /// The speeds of this game on this machine.
    fn bench(&self, store: &Store, watch: Watch<'_>) -> Result<Vec<Measurement>, LabError>;

    /// Makes or describes the game's data base of examples.
    fn data(&self, request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError>;

    /// How good a trained network is, by measures of the game's own.
    fn evaluate(&self, request: &EvaluationRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError>;

    /// A console in which the game's AIs are made and played, where there is one.
    fn console(&self) -> Result<Box<dyn Console>, LabError>;

    /// The games in a text of a form of the game's own, where it has one.
    fn read_games<'a>(&self, source: Box<dyn BufRead + 'a>) -> Result<ToldGames<'a>, LabError>;

    /// The game on another board, as it is written: the one on which a tie of a knock-out is played again for the
    /// so-many-th time, drawn where it has to be. Nothing in games that have but one board.
    fn another_board(&self, replay: u32, rng: &mut Rng) -> Option<String>;
}

/// What is known of a position without asking any player; nothing of most games.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// By name.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// The same for people, a picture of the board included.
    pub page: Option<String>,
}

/// What a solver is asked.
pub struct Question<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Leaves out the rule against repetition; asked only of a game that has one.
    pub no_ko: bool,
}

/// The exact worth of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Worth {
    /// `win`, `loss` or `draw`.
    Result(&'static str),
    /// The chance to win by the best play, where chance has a part in the game.
    Chance(f64),
}

/// What a solver answers, for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The worth of the position.
    pub value: Worth,
    /// Plies to the end under best play; null for a draw and for a chance.
    pub distance: Option<u32>,
    /// Every move with its worth to the player who makes it, best first.
    pub moves: Vec<MoveAnswer>,
    /// Best play from here; nothing where it depends on chance.
    pub line: Vec<String>,
    /// What the answer rests on, by name.
    pub counts: serde_json::Map<String, serde_json::Value>,
}

/// A move with its exact worth.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its worth to the player who makes it.
    pub value: Worth,
    /// Plies to the end, this one included.
    pub distance: Option<u32>,
}

/// A request about a data base of examples.
pub enum DataRequest<'a> {
    /// Make one and write it there.
    Make {
        /// The parameters the user wrote, `data:key=value,…`.
        spec: &'a Spec,
        /// The seed.
        seed: u64,
        /// Where to.
        out: &'a std::path::Path,
        /// Goes on with an unfinished run, where the work is long enough to have one.
        resume: bool,
        /// Threads to work on; it changes nothing but the time.
        threads: Option<usize>,
    },
    /// Describe the one in this file.
    Describe(&'a std::path::Path),
}

/// What is said to someone who wants to go on with work that is never left unfinished.
pub(crate) fn made_in_one_go() -> LabError {
    LabError::refused("such a data base is made in one go: leave out --resume")
}

/// A request to evaluate a trained network.
pub struct EvaluationRequest<'a> {
    /// Its file.
    pub path: &'a std::path::Path,
    /// The parameters the user wrote, `evaluation:key=value,…`.
    pub spec: &'a Spec,
    /// The seed, if one was given; else the file's own, or 0.
    pub seed: Option<u64>,
}

/// Things by their names, for programs.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// What is said of a data base or a network.
pub type DataReport = Facts;

/// The house of the game that the user wrote.
pub fn open_game(text: &str, store: &Arc<Store>) -> Result<Box<dyn House>, LabError> {
    let spec: Spec = text.parse()?;
    let entry = find_named("game", &spec.name, GAMES, |entry| entry.name)?;
    let values = spec.resolve(&format!("game '{}'", entry.name), entry.params)?;
    (entry.open)(spec, &values, Arc::clone(store))
}
