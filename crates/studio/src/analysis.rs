//! Analysis of positions and games, which changes no table.
//!
//! The work stops when the client closes the request.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::Json;
use axum::body::Body as Stream;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_core::scene::{Draft, Mark, Palette, Scene, Touch};
use outplay_core::{Outcome, Seat, errors};
use outplay_lab::registry::{Facts, Survey};
use outplay_lab::review::ReviewPlan;
use outplay_lab::{AnyGame, BoardError, Feature, Opinion, Table};
use outplay_runtime::{Watch, WorkError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use crate::bounded_schemas::{GraphLinesSchema, SpecSchema, ThoughtLinesSchema};
use crate::bounds;
use crate::export::told;
use crate::json_u64::JsonU64;
use crate::judgements::{AnswerInfo, ReviewInfo};
use crate::refusal::{Code, CodedError, Refusal, RequestError, run_blocking};
use crate::routes::{JsonBody, JsonReply, StudioState};
use crate::schemas::{FactsSchema, SubjectSchema, SurveySchema};
use crate::studio::Studio;
use crate::tables::{
    GameStart, OpinionInfo, SeatName, StudioTableError, TableOutcome, attempted, lock, replay,
};

errors! {
    /// A request for an analysis that does not say of what.
    pub(crate) enum SubjectError {
        Nothing =
            "nothing to look at: expected either a table or a game" | "rien à regarder : attendu une partie ou un jeu",
        TableHasMoves =
            "a table has a position, a set-up and moves of its own: expected none of these with it"
            | "une partie a sa position, son tirage et ses coups : attendu aucun d’eux avec elle",
    }
}

impl CodedError for SubjectError {
    fn code(&self) -> Code {
        Code::Malformed
    }
}

/// What to analyse: a position of a table, or the one after some moves of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    table: Option<String>,
    ply: Option<usize>,
    game: Option<String>,
    position: Option<String>,
    /// The seed of the set-up of a recorded game.
    setup: Option<JsonU64>,
    moves: Option<Vec<String>>,
    /// A last move by what is touched; if it is not legal, the refusal says why.
    touches: Option<Vec<Touch>>,
    /// The player whose opinion is asked for, where one is.
    player: Option<String>,
}

/// The position of a subject, with its game.
struct AnalysedPosition {
    board: Arc<dyn AnyGame>,
    game_start: GameStart,
    moves: Vec<String>,
}

impl Subject {
    pub(crate) fn at_table(id: String) -> Self {
        Self {
            table: Some(id),
            ply: None,
            game: None,
            position: None,
            setup: None,
            moves: None,
            touches: None,
            player: None,
        }
    }

    fn resolve(&self, studio: &Studio) -> Result<AnalysedPosition, Refusal> {
        let (game_start, mut moves) = match (&self.table, &self.game) {
            (Some(_), None) if self.position.is_some() || self.setup.is_some() || self.moves.is_some() => {
                return Err(SubjectError::TableHasMoves.into());
            }
            (Some(id), None) => {
                let table = studio.tables.find(id)?;
                let live = lock(&table);
                (live.saved.game_start.clone(), live.all_moves())
            }
            (None, Some(game)) => {
                let (start, seed) = (self.position.clone(), self.setup.unwrap_or_default().0);
                (GameStart { game: game.clone(), start, seed }, self.moves.clone().unwrap_or_default())
            }
            _ => return Err(SubjectError::Nothing.into()),
        };
        let ply = self.ply.unwrap_or_else(|| self.present(studio).unwrap_or(moves.len()));
        if ply > moves.len() || moves.len() > bounds::MOVES {
            return Err(StudioTableError::Ply { ply, last: moves.len() }.into());
        }
        moves.truncate(ply);
        let board = studio.tables.open_board(&game_start.game)?;
        let mut position = AnalysedPosition { board, game_start, moves };
        if let Some(touches) = &self.touches {
            let mut table = position.table()?;
            let mv = attempted(&*table, touches)?;
            position.moves.push(table.play(&mv)?.mv);
        }
        Ok(position)
    }

    /// The number of moves played at the table, without those taken back.
    fn present(&self, studio: &Studio) -> Option<usize> {
        let table = studio.tables.find(self.table.as_deref()?).ok()?;
        let played = lock(&table).saved.moves.len();
        Some(played)
    }
}

impl AnalysedPosition {
    fn table(&self) -> Result<Box<dyn Table>, Refusal> {
        replay(&*self.board, &self.game_start, &self.moves)
    }

    /// The player that was asked for, as the request wrote it and as the lab reads it.
    fn player(&self, studio: &Studio, asked: Option<String>) -> Result<(String, String), Refusal> {
        let name = asked.unwrap_or_else(|| self.board.info().analyst.to_owned());
        let player = studio.tables.player(&*self.board, &name)?;
        Ok((name, player))
    }
}

/// Raises the stop flag when it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does long work that is stopped when the client closes the request.
pub(crate) async fn stoppable<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let permit = Arc::clone(turns).acquire_owned().await.map_err(|_| RequestError::Closing)?;
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&stop));
    run_blocking(move || {
        let _permit = permit;
        work(&stop)
    })
    .await
}

/// A player's opinion of a position.
pub(crate) async fn opinion(
    studio: Arc<Studio>,
    subject: Subject,
    player: Option<String>,
) -> Result<OpinionInfo, Refusal> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |stop| {
        let position = subject.resolve(&studio)?;
        let (name, player) = position.player(&studio, player)?;
        let mut table = position.table()?;
        let _memory = studio.tables.reserve_player(&*position.board, &player, stop)?;
        let opinion = OpinionInfo::of(&name, table.advise(&player, Watch::new(stop, &|_| {}), None)?);
        Ok(OpinionInfo { ply: Some(position.moves.len()), ..opinion })
    })
    .await
}

/// A position with its legal moves.
#[derive(Serialize, ToSchema)]
#[schema(as = Look)]
pub(crate) struct PositionInfo {
    game: String,
    position: String,
    scene: Scene,
    to_move: SeatName,
    #[schema(required = true)]
    outcome: Option<TableOutcome>,
    #[schema(value_type = FactsSchema)]
    facts: Facts,
    moves: Vec<String>,
    /// Whether the position can be solved exactly.
    solvable: bool,
    /// The position as the editor shows it; null where the game has no editor.
    #[schema(required = true)]
    draft: Option<Draft>,
    /// What the editor offers on this board; null where the game has no editor.
    #[schema(required = true)]
    palette: Option<Palette>,
}

/// A position with its legal moves.
#[utoipa::path(post, path = "/api/look", request_body = SubjectSchema, responses((status = 200, body = PositionInfo)))]
pub(crate) async fn look(
    State(studio): StudioState,
    JsonBody(subject): JsonBody<Subject>,
) -> JsonReply<PositionInfo> {
    run_blocking(move || {
        let position = subject.resolve(&studio)?;
        let table = position.table()?;
        let snapshot = table.snapshot();
        Ok(Json(PositionInfo {
            game: position.game_start.game.clone(),
            to_move: snapshot.to_move.into(),
            outcome: TableOutcome::of(&snapshot, &position.board.info().seat_names),
            facts: snapshot.facts,
            moves: snapshot.moves,
            solvable: table.can_solve(),
            draft: table.draft(),
            palette: table.palette(),
            scene: snapshot.scene,
            position: snapshot.position,
        }))
    })
    .await
}

/// A position that is being set up by hand.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftRequest {
    #[schema(value_type = SpecSchema)]
    game: String,
    draft: Draft,
}

/// The position that was set up.
#[derive(Serialize, ToSchema)]
pub(crate) struct DraftInfo {
    position: String,
    scene: Scene,
}

/// The position of a draft, or the reason why it cannot occur.
#[utoipa::path(post, path = "/api/draft", request_body = DraftRequest, responses((status = 200, body = DraftInfo)))]
pub(crate) async fn draft(
    State(studio): StudioState,
    JsonBody(request): JsonBody<DraftRequest>,
) -> JsonReply<DraftInfo> {
    run_blocking(move || {
        let board = studio.tables.open_board(&request.game)?;
        let position = board.read_draft(&request.draft)?;
        let scene = board.table(Some(&position), 0)?.snapshot().scene;
        Ok(Json(DraftInfo { position, scene }))
    })
    .await
}

/// Facts of a position that need no player.
#[derive(Serialize, ToSchema)]
pub(crate) struct SurveyInfo {
    #[schema(value_type = SurveySchema)]
    facts: Facts,
    /// What is to be shown on the board.
    marks: Vec<Mark>,
}

/// Facts of a position that need no player, such as the probabilities of mines.
#[utoipa::path(post, path = "/api/survey", request_body = SubjectSchema, responses((status = 200, body = SurveyInfo)))]
pub(crate) async fn survey(
    State(studio): StudioState,
    JsonBody(subject): JsonBody<Subject>,
) -> JsonReply<SurveyInfo> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |_| {
        let position = subject.resolve(&studio)?;
        let info = position.board.info();
        if !info.has(Feature::Survey) {
            let absent = BoardError::Absent { game: info.spec.clone(), feature: Feature::Survey };
            return Err(WorkError::from(absent).into());
        }
        let Survey { facts, marks, .. } = position.table()?.survey()?;
        Ok(Json(SurveyInfo { facts, marks }))
    })
    .await
}

/// The exact value of a position and of its moves.
#[utoipa::path(post, path = "/api/solve", request_body = SubjectSchema, responses((status = 200, body = AnswerInfo)))]
pub(crate) async fn solve(
    State(studio): StudioState,
    JsonBody(subject): JsonBody<Subject>,
) -> JsonReply<AnswerInfo> {
    let turns = Arc::clone(&studio.solving);
    stoppable(&turns, move |stop| {
        let position = subject.resolve(&studio)?;
        let text = position.table()?.snapshot().position;
        let watch = Watch::new(stop, &|_| {});
        let answer = position.board.solve(Some(&text), false, watch)?;
        Ok(Json(AnswerInfo::of(answer)))
    })
    .await
}

/// A game to review.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    table: String,
    /// The number of playouts for each judgement.
    samples: Option<u64>,
}

/// What the moves of a game were worth.
#[utoipa::path(post, path = "/api/review", request_body = ReviewRequest, responses((status = 200, body = ReviewInfo)))]
pub(crate) async fn review(
    State(studio): StudioState,
    JsonBody(request): JsonBody<ReviewRequest>,
) -> JsonReply<ReviewInfo> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |stop| {
        let table = studio.tables.find(&request.table)?;
        let (board, told) = {
            let live = lock(&table);
            (Arc::clone(&live.board), told(&live))
        };
        let samples = request.samples.unwrap_or(200).clamp(2, bounds::REVIEW_SAMPLES);
        let plan = ReviewPlan { player: board.info().reviewer, samples, seed: 0 };
        let _memory = studio.tables.reserve_player(&*board, plan.player, stop)?;
        let watch = Watch::new(stop, &|_| {});
        let review = board.review(&told, &plan, watch)?;
        Ok(Json(ReviewInfo::of(review)))
    })
    .await
}

/// The values of all positions of a game by one player, sent as they are found.
#[utoipa::path(post, path = "/api/graph", request_body = SubjectSchema, responses((status = 200, content_type = "application/x-ndjson", body = GraphLinesSchema)))]
pub(crate) async fn graph(
    State(studio): StudioState,
    JsonBody(mut subject): JsonBody<Subject>,
) -> Result<Response, Refusal> {
    let player = subject.player.take();
    let resolving = Arc::clone(&studio);
    let (position, player) = run_blocking(move || {
        let position = subject.resolve(&resolving)?;
        let (_, player) = position.player(&resolving, player)?;
        position.table()?;
        Ok((position, player))
    })
    .await?;
    let turns = Arc::clone(&studio.analyses);
    Ok(ndjson(turns, move |stop, lines| {
        let _memory = studio.tables.reserve_player(&*position.board, &player, stop)?;
        stream_values(&position, &player, stop, lines)
    }))
}

/// A player's opinion of a position, sent as it grows.
#[utoipa::path(post, path = "/api/thoughts", request_body = SubjectSchema, responses((status = 200, content_type = "application/x-ndjson", body = ThoughtLinesSchema)))]
pub(crate) async fn thoughts(
    State(studio): StudioState,
    JsonBody(mut subject): JsonBody<Subject>,
) -> Result<Response, Refusal> {
    let asked = subject.player.take();
    let resolving = Arc::clone(&studio);
    let (position, name, player) = run_blocking(move || {
        let position = subject.resolve(&resolving)?;
        let (name, player) = position.player(&resolving, asked)?;
        position.table()?;
        Ok((position, name, player))
    })
    .await?;
    let turns = Arc::clone(&studio.analyses);
    Ok(ndjson(turns, move |stop, lines| {
        let _memory = studio.tables.reserve_player(&*position.board, &player, stop)?;
        stream_opinions(&position, &name, &player, stop, lines)
    }))
}

/// An answer of JSON lines, sent as the work finds them. If the work fails, the last line is the error.
fn ndjson(
    turns: Arc<Semaphore>,
    work: impl FnOnce(&AtomicBool, &mpsc::Sender<String>) -> Result<(), Refusal> + Send + 'static,
) -> Response {
    let (lines, found) = mpsc::channel::<String>(64);
    let stop = Arc::new(AtomicBool::new(false));
    let guard = StopOnDrop(Arc::clone(&stop));
    tokio::spawn(async move {
        let Ok(permit) = turns.acquire_owned().await else { return };
        let _ = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            if let Err(refusal) = work(&stop, &lines) {
                let _ = lines.blocking_send(format!("{}\n", json!({ "error": refusal })));
            }
        })
        .await;
    });
    let body = ReceiverStream::new(found).map(move |line| {
        let _ = &guard;
        Ok::<_, Infallible>(line)
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Stream::from_stream(body)).into_response()
}

/// Asks the player about one position and sends its opinions. A slow client misses some of them, but never the last.
fn stream_opinions(
    position: &AnalysedPosition,
    name: &str,
    player: &str,
    stop: &AtomicBool,
    lines: &mpsc::Sender<String>,
) -> Result<(), Refusal> {
    let mut table = position.table()?;
    let write = |said: Opinion, is_final: bool| {
        let opinion = OpinionInfo { ply: Some(position.moves.len()), ..OpinionInfo::of(name, said) };
        format!("{}\n", json!({ "opinion": opinion, "final": is_final }))
    };
    let mut told: Option<Instant> = None;
    let mut hear = |said: Opinion| {
        if told.is_none_or(|moment| moment.elapsed() >= bounds::THOUGHT_INTERVAL) {
            told = Some(Instant::now());
            let _ = lines.try_send(write(said, false));
        }
    };
    let said = table.advise(player, Watch::new(stop, &|_| {}), Some(&mut hear))?;
    let _ = lines.blocking_send(write(said, true));
    Ok(())
}

/// Asks the player about one position after the other until the client has gone.
fn stream_values(
    position: &AnalysedPosition,
    player: &str,
    stop: &AtomicBool,
    lines: &mpsc::Sender<String>,
) -> Result<(), Refusal> {
    let mut table = replay(&*position.board, &position.game_start, &[])?;
    for ply in 0..=position.moves.len() {
        if let Some(before) = ply.checked_sub(1) {
            table.play(&position.moves[before])?;
        }
        let snapshot = table.snapshot();
        let value = match snapshot.result {
            Some(Outcome::Win(seat)) => Some(f64::from(u8::from(seat == Seat::First))),
            Some(Outcome::Draw) => Some(0.5),
            None => table.advise(player, Watch::new(stop, &|_| {}), None)?.value.map(|value| match snapshot
                .to_move
            {
                Seat::First => value,
                Seat::Second => 1.0 - value,
            }),
        };
        let line = format!("{}\n", json!({ "ply": ply, "first_value": value }));
        if stop.load(Ordering::Relaxed) || lines.blocking_send(line).is_err() {
            break;
        }
    }
    Ok(())
}
