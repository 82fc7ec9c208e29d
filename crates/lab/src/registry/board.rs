//! What can be done with one board of a game: lists and options, filled in by the game.
//!
//! What is not in a list, or is `None`, is not offered anywhere: no command lists it and the studio shows no button for it.

use outplay_runtime::WorkError;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use outplay_core::{Game, Notation, PerftCount, Player, Rng, Seat, Text};
use serde::Serialize;

use super::texts::{EditorDef, GameFormat, TextReader};
use super::{
    Answer, DataReport, DataRequest, Evaluation, EvaluationRequest, Facts, Listing, Question, Survey,
};
use crate::bench::Measurement;
use crate::console::Console;
use crate::error::Feature;
use crate::params::{Param, ParamKind, Params};
use crate::review::{Inquiry, Review};
use crate::spec::{Noun, Spec, SpecError, find_named};
use crate::store::Store;
use outplay_arena::record::GameTranscript;
use outplay_runtime::Watch;
use outplay_training::Training;

/// Makes players that all play alike, one for each thread.
pub type PlayerFactory<V> = Arc<dyn Fn() -> Box<dyn Player<V>> + Send + Sync>;

/// One board of a game, with the referee and everything that can be done with it.
pub struct BoardDef<G: Notation> {
    /// The referee.
    pub game: G,
    /// A good opponent for a user who names none.
    pub opponent: &'static str,
    /// A player whose analysis covers many moves.
    pub analyst: &'static str,
    /// A player that is strong for its time, for reviews of whole games.
    pub reviewer: &'static str,
    /// The players, `random` first.
    pub players: Vec<PlayerDef<G>>,
    /// The evaluators that a player with the parameter `eval` can be given, the default first.
    pub evaluators: Vec<Listing>,
    /// The ways to train.
    pub methods: Vec<MethodDef<G>>,
    /// What is measured without training first, and so can be swept like a method.
    pub exams: Vec<MethodDef<G>>,
    /// Counts the leaves below each move. A game with secrets cannot: its future cannot be simulated.
    pub perft: Option<Perft<G>>,
    /// Exact values.
    pub solver: Option<SolverDef<G>>,
    /// Sets of examples to train from.
    pub data: Option<DataDef<G>>,
    /// How good a trained network is, by measures of the game's own.
    pub evaluation: Option<EvaluationDef<G>>,
    /// An interactive console in which programs are trained and played.
    pub console: Option<OpenConsole>,
    /// Reads games in a file format of the game's own.
    pub game_reader: Option<GameReader>,
    /// The file formats of the game's own in which a game can be written.
    pub formats: &'static [GameFormat<G>],
    /// Reads pasted texts in those formats.
    pub text_reader: Option<TextReader>,
    /// How positions are set up by hand.
    pub editor: Option<EditorDef<G>>,
    /// Whether there is more than players see, so that moves alone do not tell a game.
    pub has_secrets: bool,
    /// Whether a seat can still win, which it does when the other's time runs out; always, if not given.
    pub can_win: Option<fn(&G::State, Seat) -> bool>,
    /// The board on which a pasted position occurs, where that can be another one than this.
    pub board_of: Option<BoardOf<G>>,
    /// Another board for the n-th replay of a tied knock-out match, as it is written on the command line.
    pub other_board: Option<OtherBoard<G>>,
    /// More facts about a state, by name: a score, say.
    pub facts: Option<fn(&G, &G::State) -> Facts>,
    /// What is known of a position without asking any player.
    pub survey: Option<SurveyOf<G>>,
    /// What every move of a recorded game was worth.
    pub review: Reviewer<G>,
    /// The speeds of the game on this machine.
    pub bench: Option<Bench<G>>,
}

/// Leaves of the game tree below each move.
pub type Perft<G> = fn(&<G as Game>::State, u32) -> Vec<(String, PerftCount)>;
/// Games that are read one after the other.
pub type ToldGames<'a> = Box<dyn Iterator<Item = Result<GameTranscript, WorkError>> + 'a>;
/// Reads games one by one.
pub type GameReader = for<'a> fn(Box<dyn BufRead + 'a>) -> ToldGames<'a>;
/// The board on which the position of the text occurs.
pub type BoardOf<G> = fn(&G, &str) -> Result<BoardDef<G>, WorkError>;
/// A board for a replay.
pub type OtherBoard<G> = fn(&G, u32, &mut Rng) -> String;
/// What is known of a position without asking any player.
pub type SurveyOf<G> = fn(&G, &<G as Game>::State) -> Result<Survey, WorkError>;
/// Judges the moves of a recorded game.
pub type Reviewer<G> = fn(&G, &Inquiry<'_, G>, Watch<'_>) -> Result<Review, WorkError>;
/// Measures speeds.
pub type Bench<G> = fn(&G, &Store, Watch<'_>) -> Result<Vec<Measurement>, WorkError>;

impl<G: Notation> BoardDef<G> {
    /// What works on this board.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let features = [
            (Feature::Perft, self.perft.is_some()),
            (Feature::Solver, self.solver.is_some()),
            (Feature::Data, self.data.is_some()),
            (Feature::Evaluation, self.evaluation.is_some()),
            (Feature::Console, self.console.is_some()),
            (Feature::GameFiles, self.game_reader.is_some()),
            (Feature::Survey, self.survey.is_some()),
            (Feature::Editor, self.editor.is_some()),
        ];
        features.into_iter().filter_map(|(feature, is_there)| is_there.then_some(feature)).collect()
    }

    /// Whether a state of this board can be solved exactly.
    pub(crate) fn can_solve(&self, state: &G::State) -> bool {
        self.solver.as_ref().is_some_and(|solver| (solver.can_solve)(&self.game, state))
    }

    /// A board of which nothing but the rules is known.
    pub fn new(game: G, review: Reviewer<G>) -> Self {
        Self {
            game,
            opponent: "random",
            analyst: "random",
            reviewer: "random",
            players: Vec::new(),
            evaluators: Vec::new(),
            methods: Vec::new(),
            exams: Vec::new(),
            perft: None,
            solver: None,
            data: None,
            evaluation: None,
            console: None,
            game_reader: None,
            formats: &[],
            text_reader: None,
            editor: None,
            has_secrets: false,
            can_win: None,
            board_of: None,
            other_board: None,
            facts: None,
            survey: None,
            review,
            bench: None,
        }
    }

    /// The player that the user wrote; the names of its parameters are checked.
    pub(crate) fn find_player(&self, spec: &Spec) -> Result<&PlayerDef<G>, WorkError> {
        let def = find_named(Noun::Player, &spec.name, &self.players, |def| def.listing.name)?;
        let params = player_params(spec, &def.listing, &self.evaluators)?;
        spec.check_names(&Noun::Player.named(&spec.name), &params)?;
        Ok(def)
    }

    /// Makes the player that the user wrote.
    pub fn make_player(
        &self,
        text: &str,
        store: &Store,
        watch: Watch<'_>,
    ) -> Result<PlayerFactory<G::View>, WorkError> {
        let spec = self.player_spec(text)?;
        let def = self.find_player(&spec)?;
        (def.make)(&PlayerRequest { game: &self.game, spec: &spec, store, watch })
    }

    /// A player as it is written. The bare name of an `.npz` file stands for `net:file=…`.
    pub(crate) fn player_spec(&self, text: &str) -> Result<Spec, WorkError> {
        let is_file =
            std::path::Path::new(text).extension().is_some_and(|end| end.eq_ignore_ascii_case("npz"));
        let names_a_player = text
            .split_once(':')
            .is_some_and(|(name, _)| self.players.iter().any(|def| def.listing.name == name));
        if is_file && !names_a_player {
            return Ok(Spec { name: "net".to_owned(), values: vec![("file".to_owned(), text.to_owned())] });
        }
        Ok(text.parse()?)
    }
}

/// All parameters of the player that the user wrote: its own, and those of the evaluator that `eval=` names.
pub(super) fn player_params(
    spec: &Spec,
    player: &Listing,
    evaluators: &[Listing],
) -> Result<Vec<Param>, WorkError> {
    let mut params = player.params.clone();
    if let Some(eval) = params.iter().find(|param| matches!(param.kind, ParamKind::Evaluator))
        && let Some(name) = spec.get(eval.name).or(eval.default.as_deref())
    {
        params.extend_from_slice(
            &find_named(Noun::Evaluator, name, evaluators, |listing| listing.name)?.params,
        );
    }
    Ok(params)
}

/// Opens a console, with the data directory.
pub type OpenConsole = fn(&Arc<Store>) -> Box<dyn Console>;

/// A player on a board's list.
pub struct PlayerDef<G: Game> {
    /// What is shown of it.
    pub listing: Listing,
    /// Makes it.
    pub make: MakePlayer<G>,
    /// The MiB of memory that one such player may come to use.
    pub memory: MemoryOf,
}

/// The MiB of memory that something with these parameters may come to use.
pub type MemoryOf = Box<dyn Fn(&Spec) -> Result<u32, SpecError> + Send + Sync>;

/// Makes a player from its parameters, or says why there is none.
pub type MakePlayer<G> =
    Box<dyn Fn(&PlayerRequest<'_, G>) -> Result<PlayerFactory<<G as Game>::View>, WorkError> + Send + Sync>;

/// What a player is made from.
pub struct PlayerRequest<'a, G> {
    /// The game it is to play.
    pub game: &'a G,
    /// What the user wrote.
    pub spec: &'a Spec,
    /// The data directory.
    pub store: &'a Store,
    /// Shows the progress of long preparations.
    pub watch: Watch<'a>,
}

impl<G: Game> PlayerDef<G> {
    /// A player by its name, one line about it, its parameters with their defaults, and how it is made from them.
    pub fn new<A: Params>(
        name: &'static str,
        summary: Text,
        defaults: A,
        make: impl Fn(&PlayerRequest<'_, G>, &A) -> Result<PlayerFactory<G::View>, WorkError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let listing = Listing { name, summary, params: defaults.list() };
        let usual = defaults.clone();
        Self {
            listing,
            make: Box::new(move |request| make(request, &defaults.read(request.spec)?)),
            memory: Box::new(move |spec| Ok(usual.read(spec)?.memory())),
        }
    }
}

/// Prepares a training from what the user wrote, with this seed.
pub type Begin<G> =
    Box<dyn Fn(&G, &Spec, u64, &Store, Watch<'_>) -> Result<Box<dyn Training>, WorkError> + Send + Sync>;

/// A way to train on a board's list.
pub struct MethodDef<G: Game> {
    /// What is shown of it.
    pub listing: Listing,
    /// The numbers of its last record that a sweep compares, the most telling one first.
    pub measures: &'static [Measure],
    /// Prepares a training.
    pub begin: Begin<G>,
    /// The MiB of memory that a training may come to use.
    pub memory: MemoryOf,
}

impl<G: Game> MethodDef<G> {
    /// A method by its name, one line about it, its parameters with their defaults, what it is measured by, and how it begins.
    pub fn new<A: Params>(
        name: &'static str,
        summary: Text,
        defaults: A,
        measures: &'static [Measure],
        begin: impl Fn(&G, &A, u64, &Store, Watch<'_>) -> Result<Box<dyn Training>, WorkError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let listing = Listing { name, summary, params: defaults.list() };
        let usual = defaults.clone();
        Self {
            listing,
            measures,
            begin: Box::new(move |game, spec, seed, store, watch| {
                begin(game, &defaults.read(spec)?, seed, store, watch)
            }),
            memory: Box::new(move |spec| Ok(usual.read(spec)?.memory())),
        }
    }
}

/// A number of a training's last record by which trainings are compared.
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
    /// The mean loss of the last step, for methods that measure nothing else.
    pub const LOSS: Self = Self::lower("loss", "/loss");

    /// A measure of which more is better.
    pub const fn higher(name: &'static str, place: &'static str) -> Self {
        Self { name, place, better: Better::Higher }
    }

    /// A measure of which less is better.
    pub const fn lower(name: &'static str, place: &'static str) -> Self {
        Self { name, place, better: Better::Lower }
    }
}

/// The exact solver of a board.
pub struct SolverDef<G: Game> {
    /// Whether a state is small enough to be solved.
    pub can_solve: CanSolve<G>,
    /// Answers for one state.
    pub solve: Solve<G>,
    /// Whether a rule forbids to bring a position back, which the solver can be asked to leave out.
    pub has_ko: bool,
}

/// Whether a state can be solved.
pub type CanSolve<G> = Box<dyn Fn(&G, &<G as Game>::State) -> bool + Send + Sync>;

/// The exact answer for a state.
pub type Solve<G> =
    Box<dyn Fn(&G, &Question<'_, G>, &Store, Watch<'_>) -> Result<Answer, WorkError> + Send + Sync>;

/// How a board's sets of examples are made and described.
pub struct DataDef<G> {
    /// What is shown of it.
    pub listing: Listing,
    /// The MiB of memory that it takes to make a set.
    pub memory: MemoryOf,
    /// Makes or describes a set.
    pub run: MakeData<G>,
}

/// Makes or describes a set.
pub type MakeData<G> = fn(&G, &DataRequest<'_>, Watch<'_>) -> Result<DataReport, WorkError>;

impl<G> DataDef<G> {
    /// Sets by one line about them, their parameters with the defaults, and how they are made.
    pub fn new<A: Params>(summary: Text, defaults: A, run: MakeData<G>) -> Self {
        let listing = Listing { name: "data", summary, params: defaults.list() };
        Self { listing, memory: Box::new(move |spec| Ok(defaults.read(spec)?.memory())), run }
    }
}

/// How a board's trained networks are measured.
pub struct EvaluationDef<G> {
    /// What is shown of it.
    pub listing: Listing,
    /// Refuses a file that holds nothing to be measured.
    pub check: CheckEvaluated,
    /// The MiB of memory that a measurement takes beside the file.
    pub memory: MemoryOf,
    /// How many times as large as a file its content may be in memory.
    pub growth: u64,
    /// Whether it can draw figures.
    pub has_figures: bool,
    /// Measures one.
    pub run: Evaluate<G>,
}

/// Refuses a file that holds nothing to be measured.
pub type CheckEvaluated = fn(&Path) -> Result<(), WorkError>;

/// Measures a network.
pub type Evaluate<G> = fn(&G, &EvaluationRequest<'_>, Watch<'_>) -> Result<Evaluation, WorkError>;

impl<G> EvaluationDef<G> {
    /// A measurement by one line about it, its parameters with their defaults, the files it can measure, and how it does.
    pub fn new<A: Params>(summary: Text, defaults: A, check: CheckEvaluated, run: Evaluate<G>) -> Self {
        let listing = Listing { name: "evaluate", summary, params: defaults.list() };
        let memory: MemoryOf = Box::new(move |spec| Ok(defaults.read(spec)?.memory()));
        Self { listing, check, memory, growth: NETWORK_GROWTH, has_figures: false, run }
    }

    /// The same, drawing figures where they are wanted.
    #[must_use]
    pub fn with_figures(self) -> Self {
        Self { has_figures: true, ..self }
    }

    /// The same of files whose content grows more than a network's.
    #[must_use]
    pub fn with_growth(self, growth: u64) -> Self {
        Self { growth, ..self }
    }

    /// The MiB of memory that it takes to measure a file. A set of examples is there twice: as it was read, and divided.
    pub(super) fn memory_for(&self, path: &Path, spec: &Spec) -> Result<u32, WorkError> {
        Ok((self.memory)(spec)?.saturating_add(file_memory(path, self.growth)).saturating_mul(2))
    }
}

/// How many times as large as its file a network may be in memory.
const NETWORK_GROWTH: u64 = 10;

/// The MiB that the content of a file takes in memory if it grows so many times.
pub(crate) fn file_memory(path: &Path, growth: u64) -> u32 {
    let bytes = path.metadata().map_or(0, |about| about.len());
    u32::try_from(bytes.saturating_mul(growth) >> 20).unwrap_or(u32::MAX)
}
