//! The routes of jobs and of what trainings have made.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::job::{JobInfo, JobState, Request};
use super::networks::Network;
use super::tail::Stretch;
use crate::export::download;
use crate::refusal::{Code, Refusal, off};
use crate::routes::{Body, Params};
use crate::schemas::RecordSchema;
use crate::studio::Studio;
use crate::tables::name_of;
use crate::wide::{Wide, readable};
use crate::{bounds, clock};

type Studied = State<Arc<Studio>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// Takes a job on.
#[utoipa::path(post, operation_id = "create_job", path = "/api/jobs", request_body = Request, responses((status = 201, body = JobInfo)))]
pub(crate) async fn create(
    State(studio): Studied,
    Body(request): Body<Request>,
) -> Result<(StatusCode, Json<JobInfo>), Refusal> {
    let job = off(move || studio.bureau.take(request)).await?;
    Ok((StatusCode::CREATED, Json(job)))
}

/// Which jobs.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    kind: Option<String>,
}

/// Jobs, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobList {
    jobs: Vec<JobInfo>,
}

/// All jobs.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/jobs", params(Which), responses((status = 200, body = JobList)))]
pub(crate) async fn list(State(studio): Studied, Params(which): Params<Which>) -> Answer<JobList> {
    off(move || Ok(Json(JobList { jobs: studio.bureau.list(which.kind.as_deref()) }))).await
}

/// A job.
#[utoipa::path(get, operation_id = "show_job", path = "/api/jobs/{id}", responses((status = 200, body = JobInfo)))]
pub(crate) async fn show(State(studio): Studied, Path(id): Path<String>) -> Answer<JobInfo> {
    off(move || studio.bureau.show(&id).map(Json)).await
}

/// Pauses a job.
#[utoipa::path(post, path = "/api/jobs/{id}/pause", responses((status = 200, body = JobInfo)))]
pub(crate) async fn pause(State(studio): Studied, Path(id): Path<String>) -> Answer<JobInfo> {
    off(move || studio.bureau.pause(&id).map(Json)).await
}

/// Goes on with a job.
#[utoipa::path(post, path = "/api/jobs/{id}/resume", responses((status = 200, body = JobInfo)))]
pub(crate) async fn resume(State(studio): Studied, Path(id): Path<String>) -> Answer<JobInfo> {
    off(move || studio.bureau.resume(&id).map(Json)).await
}

/// Ends a job.
#[utoipa::path(post, operation_id = "stop_job", path = "/api/jobs/{id}/stop", responses((status = 200, body = JobInfo)))]
pub(crate) async fn stop(State(studio): Studied, Path(id): Path<String>) -> Answer<JobInfo> {
    off(move || studio.bureau.stop(&id).map(Json)).await
}

/// Forgets a job.
#[utoipa::path(delete, operation_id = "remove_job", path = "/api/jobs/{id}", responses((status = 204)))]
pub(crate) async fn remove(State(studio): Studied, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    studio.bureau.remove(&id).await.map(|()| StatusCode::NO_CONTENT)
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    from: Option<usize>,
    limit: Option<usize>,
}

/// Some records of a job.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordList {
    from: usize,
    total: u64,
    #[schema(value_type = Vec<std::collections::HashMap<String, serde_json::Value>>)]
    records: Vec<Box<RawValue>>,
}

/// What a job has recorded.
#[utoipa::path(get, operation_id = "job_records", path = "/api/jobs/{id}/records", params(Range), responses((status = 200, body = RecordList)))]
pub(crate) async fn records(
    State(studio): Studied,
    Path(id): Path<String>,
    Params(range): Params<Range>,
) -> Answer<RecordList> {
    off(move || {
        let total = studio.bureau.show(&id)?.records();
        let Some(tail) = studio.bureau.records(&id)? else {
            return Ok(Json(RecordList { from: 0, total, records: Vec::new() }));
        };
        let limit = range.limit.unwrap_or(bounds::RECORDS).min(bounds::RECORDS);
        let Stretch { from, lines, .. } = tail.skip(range.from.unwrap_or(0)).read(limit, usize::MAX);
        let records = lines.into_iter().filter_map(|line| RawValue::from_string(line).ok()).collect();
        Ok(Json(RecordList { from, total, records }))
    })
    .await
}

/// What a training has made.
#[utoipa::path(get, path = "/api/jobs/{id}/product", responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>)))]
pub(crate) async fn product(State(studio): Studied, Path(id): Path<String>) -> Result<Response, Refusal> {
    let bytes = off({
        let id = id.clone();
        move || {
            let failed = |error| Refusal::new(Code::Failed, format!("the model could not be read: {error}"));
            std::fs::read(studio.bureau.product(&id)?).map_err(failed)
        }
    })
    .await?;
    let ending = if bytes.starts_with(b"PK") { "npz" } else { "safetensors" };
    Ok(download(&format!("outplay-{id}.{ending}"), "application/octet-stream", bytes.into()))
}

/// Of which game.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    game: Option<String>,
}

/// Something that was trained here, or brought.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelInfo {
    id: String,
    title: String,
    game: String,
    #[schema(required = true)]
    method: Option<String>,
    state: JobState,
    updated: i64,
    players: Vec<String>,
}

/// All networks.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelList {
    models: Vec<ModelInfo>,
}

/// What was trained or brought, newest first.
#[utoipa::path(get, path = "/api/models", params(OfGame), responses((status = 200, body = ModelList)))]
pub(crate) async fn models(State(studio): Studied, Params(of): Params<OfGame>) -> Answer<ModelList> {
    off(move || {
        let mut networks = studio.bureau.networks();
        networks.retain(|network| of.game.as_deref().is_none_or(|wanted| wanted == name_of(&network.game)));
        let info = |network: Network| {
            let Network { id, title, game, method, state, updated } = network;
            let players = studio.bureau.followers(&id, &game);
            ModelInfo { id, title, game, method, state, updated, players }
        };
        Ok(Json(ModelList { models: networks.into_iter().take(200).map(info).collect() }))
    })
    .await
}

/// What a network that is brought is for, and what it is called.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brought {
    game: String,
    name: String,
}

/// Takes a network in; the body is its file.
#[utoipa::path(post, path = "/api/models", params(Brought), request_body(content_type = "application/octet-stream", content = Vec<u8>), responses((status = 201, body = JobInfo)))]
pub(crate) async fn adopt(
    State(studio): Studied,
    Params(brought): Params<Brought>,
    request: axum::extract::Request,
) -> Result<(StatusCode, Json<JobInfo>), Refusal> {
    // One at a time: each may take as much memory as its file.
    let Ok(turn) = Arc::clone(&studio.uploads).acquire_owned().await else {
        unreachable!("it is never closed")
    };
    let too_large = |_| {
        let most = bounds::UPLOAD;
        Refusal::new(
            Code::TooLarge,
            format!("the file is too large or broke off: expected at most {most} bytes"),
        )
    };
    let reading = axum::body::to_bytes(request.into_body(), bounds::UPLOAD);
    let slow = |_| Refusal::malformed("the file did not arrive in time");
    let bytes = tokio::time::timeout(bounds::UPLOADING, reading).await.map_err(slow)?.map_err(too_large)?;
    let job = off(move || {
        let _turn = turn;
        studio.bureau.adopt(&brought.game, &brought.name, &bytes)
    });
    Ok((StatusCode::CREATED, Json(job.await?)))
}

/// By which chance.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfChance {
    seed: Option<Wide>,
}

/// A game that a network played against itself.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sample {
    /// Who played it.
    player: String,
    #[schema(value_type = RecordSchema)]
    record: Box<RawValue>,
}

/// Lets a network play against itself, as it stands.
#[utoipa::path(post, path = "/api/jobs/{id}/sample", request_body = OfChance, responses((status = 200, body = Sample)))]
pub(crate) async fn sample(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(chance): Body<OfChance>,
) -> Answer<Sample> {
    let Ok(turn) = Arc::clone(&studio.analyses).acquire_owned().await else {
        unreachable!("it is never closed")
    };
    off(move || {
        let _turn = turn;
        let seed = chance.seed.map_or_else(clock::chance, |seed| seed.0);
        let (player, record) = studio.bureau.sample(&id, seed)?;
        let line = serde_json::to_string(&record).expect("a game is plain data");
        let record = RawValue::from_string(readable(&line)).expect("a record is JSON");
        Ok(Json(Sample { player, record }))
    })
    .await
}
