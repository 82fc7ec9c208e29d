//! The shapes of documents that are read or written as plain JSON: subjects, facts of a game, exact answers, reviews, records,
//! standings, live messages.
//!
//! These types only describe: `/api/openapi.json` and the page's types come from them, and no value of them is ever made.

#![expect(dead_code, reason = "the fields describe JSON that is written elsewhere")]

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use outplay_core::Text;
use outplay_core::scene::Touch;

use crate::bounded_schemas::{MovesSchema, SpecSchema, WideInputSchema};
use crate::jobs::JobInfo;
use crate::json_u64::JsonU64;
use crate::papers::ArtefactDetail;
use crate::refusal::{ErrorBody, Refusal};
use crate::tables::{OpinionInfo, TableInfo};

/// What to analyse: a position of a table, or the one after some moves of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Subject)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum SubjectSchema {
    Table {
        table: String,
        /// The present one if not given.
        ply: Option<usize>,
        /// A last move by what is touched; if it is not legal, the refusal says why.
        touches: Option<Vec<Touch>>,
        /// The player whose opinion is asked for, where one is.
        #[schema(value_type = Option<SpecSchema>)]
        player: Option<String>,
    },
    Game {
        #[schema(value_type = SpecSchema)]
        game: String,
        position: Option<String>,
        /// The seed of the set-up of a recorded game.
        #[schema(value_type = Option<WideInputSchema>)]
        setup: Option<JsonU64>,
        #[schema(value_type = Option<MovesSchema>)]
        moves: Option<Vec<String>>,
        /// The last one if not given.
        ply: Option<usize>,
        /// A last move by what is touched; if it is not legal, the refusal says why.
        touches: Option<Vec<Touch>>,
        /// The player whose opinion is asked for, where one is.
        #[schema(value_type = Option<SpecSchema>)]
        player: Option<String>,
    },
}

/// A move by its text or by what is touched, with the number of moves that the client has seen.
#[derive(Serialize, ToSchema)]
#[schema(as = MoveRequest)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum MoveSchema {
    Text {
        #[serde(rename = "move")]
        mv: String,
        ply: usize,
    },
    Touches {
        touches: Vec<Touch>,
        ply: usize,
    },
}

/// What a game adds to a position; which of them there are depends on the game.
#[derive(ToSchema)]
#[schema(as = Facts)]
pub(crate) struct FactsSchema {
    score: Option<i64>,
    highest_score: Option<i64>,
    needs_guess: Option<bool>,
    gold_left: Option<i64>,
    turns: Option<i64>,
    most_turns: Option<i64>,
    /// After the end: how it came.
    end: Option<LevelEndSchema>,
    /// After the end: what the guards followed.
    policy: Option<String>,
    /// After the end: where the mines were.
    laid: Option<Vec<String>>,
}

/// How a game of Lode Runner ended.
#[derive(Serialize, ToSchema)]
#[schema(as = LevelEnd)]
#[serde(rename_all = "lowercase")]
enum LevelEndSchema {
    Won,
    Caught,
    Buried,
    Late,
}

/// What follows from the numbers of a Minesweeper board.
#[derive(ToSchema)]
#[schema(as = SurveyFacts)]
pub(crate) struct SurveySchema {
    /// The chance of a mine by cell, row by row; null where nothing is hidden.
    probability: Vec<Option<f64>>,
    /// The same by the printed formula of Bourdet & Abadie.
    #[schema(required = true)]
    by_formula: Option<Vec<Option<f64>>>,
    /// The same by their Listing 2.1, where the board is small enough for it.
    #[schema(required = true)]
    by_listing: Option<Vec<Option<f64>>>,
    safe: Vec<String>,
    mined: Vec<String>,
    #[schema(required = true)]
    off_frontier: Option<f64>,
    log10_solutions: f64,
    /// The number of placements that fit, in digits.
    #[schema(required = true)]
    solutions: Option<String>,
    dead: Vec<String>,
    guesses: Vec<GuessSchema>,
    /// The chance to win the game by the cell that is opened next.
    #[schema(required = true)]
    win_chance: Option<HashMap<String, f64>>,
    why: HashMap<String, Vec<String>>,
    proof: HashMap<String, ProofSchema>,
}

/// Cells among which one has to guess.
#[derive(ToSchema)]
#[schema(as = ForcedGuess)]
struct GuessSchema {
    cells: Vec<String>,
    best: String,
    chance: f64,
}

/// What proves a cell safe or mined.
#[derive(ToSchema)]
#[schema(as = Proof)]
struct ProofSchema {
    numbers: Vec<String>,
    /// Whether the total of mines is needed too.
    mines: bool,
}

/// An exact value: a result, or a chance to win.
#[derive(Serialize, ToSchema)]
#[schema(as = Worth)]
#[serde(untagged)]
pub(crate) enum WorthSchema {
    Result(ResultSchema),
    Chance(f64),
}

/// A result under best play.
#[derive(Serialize, ToSchema)]
#[schema(as = ExactResult)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultSchema {
    Win,
    Loss,
    Draw,
}

/// A game that was played.
#[derive(ToSchema)]
#[schema(as = GameRecord)]
pub(crate) struct RecordSchema {
    format: u32,
    game: String,
    players: Vec<String>,
    seed: JsonU64,
    index: u64,
    setup: JsonU64,
    /// Where it began, if not at the game's own start.
    position: Option<String>,
    random_plies: usize,
    moves: Vec<String>,
    outcome: RecordedOutcomeSchema,
    /// Why the loser gave up, if that is how it ended.
    forfeit: Option<String>,
    plies: usize,
}

/// A game as a file for programs: a record, or what can be told of a game that did not end on the board.
#[derive(ToSchema)]
#[schema(as = ExportedGame)]
pub(crate) struct ExportedGameSchema {
    game: String,
    players: Vec<String>,
    moves: Vec<String>,
    position: Option<String>,
    #[schema(value_type = Option<WideInputSchema>)]
    setup: Option<JsonU64>,
    outcome: Option<RecordedOutcomeSchema>,
    /// What is left out, and why.
    note: Option<String>,
}

/// The games of a tournament as a file for programs.
#[derive(ToSchema)]
#[schema(as = ExportedJob)]
pub(crate) struct ExportedJobSchema {
    job: JobInfo,
    games: Vec<ExportedGameSchema>,
}

/// How a recorded game ended.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedOutcome)]
#[serde(rename_all = "lowercase")]
enum RecordedOutcomeSchema {
    First,
    Second,
    Draw,
}

/// What a job has brought.
#[derive(Serialize, ToSchema)]
#[schema(as = JobResult)]
#[serde(untagged)]
pub(crate) enum JobResultSchema {
    Tournament(StandingSchema),
    Training(TrainingResultSchema),
    Evaluation(EvaluationResultSchema),
    Paper(PaperResultSchema),
}

/// What a training has brought, beside its network.
#[derive(Serialize, ToSchema)]
#[schema(as = TrainingResult)]
pub(crate) struct TrainingResultSchema {
    /// What it has learned from.
    games: Option<u64>,
    samples: Option<u64>,
    /// Its last record, if it has any.
    #[schema(required = true)]
    last: Option<HashMap<String, Value>>,
    finished: bool,
}

/// What an evaluation has found.
#[derive(Serialize, ToSchema)]
#[schema(as = EvaluationResult)]
pub(crate) struct EvaluationResultSchema {
    /// The game's own numbers, by name; some in groups, some in lists.
    numbers: HashMap<String, Value>,
    figures: Vec<EvaluationFigureSchema>,
}

/// A drawing of an evaluation, with its words in both languages.
#[derive(Serialize, ToSchema)]
#[schema(as = EvaluationFigure)]
struct EvaluationFigureSchema {
    name: String,
    caption: Text,
    svg: Text,
}

/// What the run of a paper has brought.
#[derive(Serialize, ToSchema)]
#[schema(as = PaperResult)]
pub(crate) struct PaperResultSchema {
    artefacts: Vec<ArtefactDetail>,
}

/// Where a tournament stands.
#[derive(Serialize, ToSchema)]
#[schema(as = TournamentResult)]
pub(crate) struct StandingSchema {
    players: Vec<String>,
    pairs: Vec<PairSchema>,
    ratings: Vec<RatingSchema>,
    bracket: Option<BracketSchema>,
}

/// Two players who have met, by their places in the list, as the first one sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = TournamentPair)]
struct PairSchema {
    first: usize,
    second: usize,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// How well a player did: Elo among several players, a share of the games in a game for one.
#[derive(Serialize, ToSchema)]
#[schema(as = TournamentRating)]
struct RatingSchema {
    player: usize,
    points: f64,
    games: Option<u64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    share: Option<f64>,
    share_low: Option<f64>,
    share_high: Option<f64>,
}

/// A knock-out.
#[derive(Serialize, ToSchema)]
#[schema(as = TournamentBracket)]
struct BracketSchema {
    ranking: Vec<RankedSchema>,
    rounds: Vec<Vec<TieSchema>>,
}

/// A place in the preselection.
#[derive(Serialize, ToSchema)]
#[schema(as = RankedPlayer)]
struct RankedSchema {
    player: usize,
    wins: u64,
    points: f64,
}

/// A pairing of a knock-out: players by their places, fewer than two while a pairing before is open.
#[derive(Serialize, ToSchema)]
#[schema(as = Tie)]
struct TieSchema {
    players: Vec<usize>,
    legs: Vec<LegSchema>,
    #[schema(required = true)]
    winner: Option<usize>,
    #[schema(required = true)]
    settled_by: Option<SettledSchema>,
}

/// A pair of games with exchanged seats.
#[derive(Serialize, ToSchema)]
#[schema(as = TieLeg)]
struct LegSchema {
    game: String,
    random_plies: u32,
    wins: [u64; 2],
    draws: u64,
}

/// What decided a pairing.
#[derive(Serialize, ToSchema)]
#[schema(as = SettledBy)]
#[serde(rename_all = "lowercase")]
enum SettledSchema {
    Games,
    Points,
    Preselection,
}

/// A number of ours beside the document's.
#[derive(ToSchema)]
#[schema(as = PaperNumber)]
pub(crate) struct NumberSchema {
    name: String,
    unit: String,
    ours: f64,
    interval: IntervalSchema,
    n: u64,
    published: Option<f64>,
    difference: Option<f64>,
    verdict: Option<VerdictSchema>,
}

/// The ends of an interval.
#[derive(ToSchema)]
#[schema(as = Interval)]
struct IntervalSchema {
    low: f64,
    high: f64,
}

/// Whether a number agrees with the document's.
#[derive(Serialize, ToSchema)]
#[schema(as = PaperVerdict)]
#[serde(rename_all = "lowercase")]
enum VerdictSchema {
    Reproduced,
    Differs,
}

/// What is to be said of an artefact in a word.
#[derive(Serialize, ToSchema)]
#[schema(as = Badge)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BadgeSchema {
    Reproduced,
    Differs,
    Measured,
    NotRun,
}

/// The size of a run of the documents.
#[derive(Serialize, ToSchema)]
#[schema(as = Scale)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScaleSchema {
    Smoke,
    Desk,
    Full,
}

/// What can be done with a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobAct)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobActSchema {
    Pause,
    Resume,
    Stop,
}

/// What the socket at `/api/live` says.
#[expect(clippy::large_enum_variant, reason = "it is never made")]
#[derive(Serialize, ToSchema)]
#[schema(as = LiveMessage)]
#[serde(untagged)]
pub(crate) enum LiveMessageSchema {
    /// What time it is at the server.
    Time { topic: String, now: i64 },
    /// A table has changed.
    Table { topic: String, table: TableInfo },
    /// The list of jobs has changed.
    Jobs { topic: String, jobs: Vec<JobInfo> },
    /// A job has changed, or has new records.
    Job {
        topic: String,
        job: JobInfo,
        /// The number of the first record, if the job has records.
        from: Option<usize>,
        #[schema(value_type = Option<Vec<HashMap<String, Value>>>)]
        records: Option<Vec<Value>>,
    },
    /// Something that was asked for is not there.
    Error { topic: String, error: Refusal },
}

/// A line of `/api/thoughts`; the last one is final.
#[derive(Serialize, ToSchema)]
#[schema(as = ThoughtLine)]
#[serde(untagged)]
pub(crate) enum ThoughtLineSchema {
    Opinion {
        opinion: OpinionInfo,
        #[serde(rename = "final")]
        is_final: bool,
    },
    /// The player failed.
    Error(ErrorBody),
}

/// A line of `/api/graph`.
#[derive(Serialize, ToSchema)]
#[schema(as = GraphLine)]
#[serde(untagged)]
pub(crate) enum GraphLineSchema {
    Point(GraphPointSchema),
    /// The player failed.
    Error(ErrorBody),
}

/// A record of an artefact's run.
#[derive(ToSchema)]
#[schema(as = RecordLine)]
pub(crate) struct RecordLineSchema(HashMap<String, Value>);

/// One position of a value graph.
#[derive(Serialize, ToSchema)]
#[schema(as = GraphPoint)]
pub(crate) struct GraphPointSchema {
    ply: usize,
    /// What the first seat may expect.
    #[schema(required = true)]
    first_value: Option<f64>,
}
