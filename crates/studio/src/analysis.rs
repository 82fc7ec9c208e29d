//! Questions about a position or a game that leave it as it is.
//!
//! Law: whoever closes the request stops the work.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::Json;
use axum::body::Body as Stream;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_core::{Outcome as Result_, Seat};
use outplay_lab::registry::Facts;
use outplay_lab::review::ReviewPlan;
use outplay_lab::spec::Spec;
use outplay_lab::{House, Opinion, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use crate::dress::{self, Scene};
use crate::export::told;
use crate::refusal::{Code, Refusal, off};
use crate::routes::Body;
use crate::schemas::{AnswerSchema, FactsSchema, GraphPointSchema, ReviewSchema, SurveySchema};
use crate::studio::Studio;
use crate::tables::{Given, OpinionInfo, Outcome, SeatName, lock, replay};
use crate::wide::Wide;
use crate::{bounds, terms};

/// Where one stands: at a table, or after some moves of a game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    table: Option<String>,
    ply: Option<usize>,
    game: Option<String>,
    position: Option<String>,
    /// The number from which the set-up of a recorded game was drawn.
    setup: Option<Wide>,
    moves: Option<Vec<String>>,
    /// Whose opinion is asked for, where one is.
    player: Option<String>,
    /// How often a game is played on for each judgement, where it is.
    samples: Option<u64>,
}

/// A subject with all that is needed to look at it.
struct Ground {
    house: Arc<dyn House>,
    spec: Spec,
    given: Given,
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
            player: None,
            samples: None,
        }
    }

    fn ground(&self, studio: &Studio) -> Result<Ground, Refusal> {
        let (given, mut moves) = match (&self.table, &self.game) {
            (Some(id), None) => {
                let table = studio.hall.find(id)?;
                let live = lock(&table);
                (live.saved.given.clone(), live.line())
            }
            (None, Some(game)) => {
                let (start, seed) = (self.position.clone(), self.setup.unwrap_or_default().0);
                (Given { game: game.clone(), start, seed }, self.moves.clone().unwrap_or_default())
            }
            _ => return Err(Refusal::malformed("nothing to look at: expected either a table or a game")),
        };
        let ply = self.ply.unwrap_or_else(|| self.present(studio).unwrap_or(moves.len()));
        if ply > moves.len() || moves.len() > bounds::MOVES {
            let refusal = format!("ply {ply} is not of this game: expected 0 to {}", moves.len());
            return Err(Refusal::refused(refusal));
        }
        moves.truncate(ply);
        let (house, spec) = (studio.hall.house(&given.game)?, terms::parse(&given.game)?);
        Ok(Ground { house, spec, given, moves })
    }

    /// How many moves have been played at the table, those taken back left out.
    fn present(&self, studio: &Studio) -> Option<usize> {
        let table = studio.hall.find(self.table.as_deref()?).ok()?;
        let played = lock(&table).saved.moves.len();
        Some(played)
    }
}

impl Ground {
    fn table(&self) -> Result<Box<dyn Table>, Refusal> {
        replay(&*self.house, &self.given, &self.moves)
    }

    fn scene<'a>(&'a self, snapshot: &'a outplay_lab::Snapshot) -> Scene<'a> {
        Scene { spec: &self.spec, start: self.given.start.as_deref(), seats: &[], snapshot }
    }

    /// The squares of the moves that led here, where their notation does not say them.
    fn squares(&self) -> Result<Option<Vec<String>>, Refusal> {
        let Some(squares) = dress::of(&self.spec.name).squares else { return Ok(None) };
        let mut table = replay(&*self.house, &self.given, &[])?;
        let mut found = Vec::with_capacity(self.moves.len());
        for mv in &self.moves {
            let before = table.snapshot();
            table.play(mv)?;
            let written = table.snapshot().moves.pop().unwrap_or_default();
            found.extend(squares(&self.scene(&before), &[written]));
        }
        Ok(Some(found))
    }

    /// The player that was asked for, as it was written and as the lab reads it.
    fn player(&self, studio: &Studio, asked: Option<String>) -> Result<(String, String), Refusal> {
        let name = asked.unwrap_or_else(|| self.house.analyst().to_owned());
        let player = studio.hall.player(&*self.house, &name)?;
        Ok((name, player))
    }
}

/// Raises a flag when it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does long work that ends when the request does.
async fn stoppable<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let closing = |_| Refusal::new(Code::Busy, "the studio is closing");
    let permit = Arc::clone(turns).acquire_owned().await.map_err(closing)?;
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&stop));
    off(move || {
        let _permit = permit;
        work(&stop)
    })
    .await
}

/// What a player thinks of a position.
pub(crate) async fn opinion(
    studio: Arc<Studio>,
    subject: Subject,
    player: Option<String>,
) -> Result<OpinionInfo, Refusal> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |stop| {
        let ground = subject.ground(&studio)?;
        let (name, player) = ground.player(&studio, player)?;
        let mut table = ground.table()?;
        let snapshot = table.snapshot();
        let said = table.advise(&player, stop, None)?;
        let dress = dress::of(&ground.spec.name);
        let opinion = OpinionInfo::of(&name, said, dress, &ground.scene(&snapshot));
        Ok(OpinionInfo { ply: Some(ground.moves.len()), ..opinion })
    })
    .await
}

type Studied = State<Arc<Studio>>;

/// A position to look at.
#[derive(Serialize, ToSchema)]
pub(crate) struct Look {
    game: String,
    position: String,
    to_move: SeatName,
    legal: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal_squares: Option<Vec<String>>,
    #[schema(required = true)]
    outcome: Option<Outcome>,
    #[schema(value_type = FactsSchema)]
    facts: Facts,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<Vec<String>>,
}

/// A position with its legal moves.
#[utoipa::path(post, path = "/api/look", request_body = Subject, responses((status = 200, body = Look)))]
pub(crate) async fn look(
    State(studio): Studied,
    Body(subject): Body<Subject>,
) -> Result<Json<Look>, Refusal> {
    off(move || {
        let ground = subject.ground(&studio)?;
        let table = ground.table()?;
        let (snapshot, legal) = (table.snapshot(), table.legal());
        let (dress, scene) = (dress::of(&ground.spec.name), ground.scene(&snapshot));
        Ok(Json(Look {
            game: ground.given.game.clone(),
            to_move: snapshot.to_move.into(),
            legal_squares: dress.squares.map(|squares| squares(&scene, &legal)),
            legal,
            outcome: Outcome::of(&snapshot),
            facts: (dress.facts)(&scene),
            moves: snapshot.moves.clone(),
            squares: ground.squares()?,
            position: snapshot.position.clone(),
        }))
    })
    .await
}

/// A player's opinion of a position.
#[utoipa::path(post, path = "/api/analyse", request_body = Subject, responses((status = 200, body = OpinionInfo)))]
pub(crate) async fn analyse(
    State(studio): Studied,
    Body(mut subject): Body<Subject>,
) -> Result<Json<OpinionInfo>, Refusal> {
    let player = subject.player.take();
    opinion(studio, subject, player).await.map(Json)
}

/// What is known of a position without asking anyone.
#[derive(Serialize, ToSchema)]
pub(crate) struct SurveyInfo {
    #[schema(value_type = SurveySchema)]
    facts: Facts,
}

/// What is known of a position without asking any player.
#[utoipa::path(post, path = "/api/survey", request_body = Subject, responses((status = 200, body = SurveyInfo)))]
pub(crate) async fn survey(
    State(studio): Studied,
    Body(subject): Body<Subject>,
) -> Result<Json<SurveyInfo>, Refusal> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |_| {
        let facts = subject.ground(&studio)?.table()?.survey()?.facts;
        Ok(Json(SurveyInfo { facts }))
    })
    .await
}

/// The exact value of a position and of its moves.
#[utoipa::path(post, path = "/api/solve", request_body = Subject, responses((status = 200, body = AnswerSchema)))]
pub(crate) async fn solve(
    State(studio): Studied,
    Body(subject): Body<Subject>,
) -> Result<Json<Value>, Refusal> {
    let turns = Arc::clone(&studio.solving);
    stoppable(&turns, move |stop| {
        let ground = subject.ground(&studio)?;
        let position = ground.table()?.snapshot().position;
        let watch = Watch::new(stop, &|_| {});
        let answer = ground.house.solve(Some(&position), false, watch)?;
        Ok(Json(serde_json::to_value(answer).expect("an answer is plain data")))
    })
    .await
}

/// What the moves of a game were worth.
#[utoipa::path(post, path = "/api/review", request_body = Subject, responses((status = 200, body = ReviewSchema)))]
pub(crate) async fn review(
    State(studio): Studied,
    Body(subject): Body<Subject>,
) -> Result<Json<Value>, Refusal> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |stop| {
        let id = subject.table.as_deref().ok_or_else(|| Refusal::malformed("no table: expected one"))?;
        let table = studio.hall.find(id)?;
        let (house, told) = {
            let live = lock(&table);
            (Arc::clone(&live.house), told(&live))
        };
        let samples = subject.samples.unwrap_or(200).clamp(2, bounds::SAMPLES);
        let plan = ReviewPlan { player: house.reviewer(), samples, seed: 0 };
        let watch = Watch::new(stop, &|_| {});
        let review = house.review(&told, &plan, watch)?;
        Ok(Json(serde_json::to_value(review).expect("a review is plain data")))
    })
    .await
}

/// The values of all positions of a game by one player, as they are found.
#[utoipa::path(post, path = "/api/graph", request_body = Subject, responses((status = 200, content_type = "application/x-ndjson", body = GraphPointSchema)))]
pub(crate) async fn graph(
    State(studio): Studied,
    Body(mut subject): Body<Subject>,
) -> Result<Response, Refusal> {
    let player = subject.player.take();
    let turns = Arc::clone(&studio.analyses);
    let (ground, player) = off(move || {
        let ground = subject.ground(&studio)?;
        let (_, player) = ground.player(&studio, player)?;
        ground.table()?;
        Ok((ground, player))
    })
    .await?;
    Ok(lines(turns, move |stop, lines| walk(&ground, &player, stop, lines)))
}

/// A player's opinion of a position as it grows.
#[utoipa::path(post, path = "/api/thoughts", request_body = Subject, responses((status = 200, content_type = "application/x-ndjson", body = String)))]
pub(crate) async fn thoughts(
    State(studio): Studied,
    Body(mut subject): Body<Subject>,
) -> Result<Response, Refusal> {
    let asked = subject.player.take();
    let turns = Arc::clone(&studio.analyses);
    let (ground, name, player) = off(move || {
        let ground = subject.ground(&studio)?;
        let (name, player) = ground.player(&studio, asked)?;
        ground.table()?;
        Ok((ground, name, player))
    })
    .await?;
    Ok(lines(turns, move |stop, lines| ponder(&ground, &name, &player, stop, lines)))
}

/// Lines of JSON as the work finds them; the last one says what went wrong, if something did.
fn lines(
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

/// Asks the player about one position and passes on what it thinks meanwhile. What a slow page has not read is left out, but
/// never the conclusion.
fn ponder(
    ground: &Ground,
    name: &str,
    player: &str,
    stop: &AtomicBool,
    lines: &mpsc::Sender<String>,
) -> Result<(), Refusal> {
    let mut table = ground.table()?;
    let snapshot = table.snapshot();
    let write = |said: Opinion, is_final: bool| {
        let said = OpinionInfo::of(name, said, dress::of(&ground.spec.name), &ground.scene(&snapshot));
        let opinion = OpinionInfo { ply: Some(ground.moves.len()), ..said };
        format!("{}\n", json!({ "opinion": opinion, "final": is_final }))
    };
    let mut told: Option<Instant> = None;
    let mut hear = |said: Opinion| {
        if told.is_none_or(|moment| moment.elapsed() >= bounds::THOUGHTS) {
            told = Some(Instant::now());
            let _ = lines.try_send(write(said, false));
        }
    };
    let said = table.advise(player, stop, Some(&mut hear))?;
    let _ = lines.blocking_send(write(said, true));
    Ok(())
}

/// Asks the player about one position after the other until nobody listens.
fn walk(
    ground: &Ground,
    player: &str,
    stop: &AtomicBool,
    lines: &mpsc::Sender<String>,
) -> Result<(), Refusal> {
    let mut table = replay(&*ground.house, &ground.given, &[])?;
    for ply in 0..=ground.moves.len() {
        if let Some(before) = ply.checked_sub(1) {
            table.play(&ground.moves[before])?;
        }
        let snapshot = table.snapshot();
        let value = match snapshot.result {
            Some(Result_::Win(seat)) => Some(f64::from(u8::from(seat == Seat::First))),
            Some(Result_::Draw) => Some(0.5),
            None => table.advise(player, stop, None)?.value.map(|value| match snapshot.to_move {
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
