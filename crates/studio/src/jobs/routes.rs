//! The routes of jobs and models.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use outplay_core::Text;
use outplay_runtime::Watch;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::job::{JobInfo, JobState};
use super::models::{ModelError, TrainedModel};
use super::record_tail::RecordBatch;
use super::request::{JobKind, JobRequest};
use crate::analysis::stoppable;
use crate::arrival::UploadedFile;
use crate::bounded_schemas::{BytesSchema, SpecSchema, TitleSchema, WideInputSchema};
use crate::bounds;
use crate::clock;
use crate::export::download;
use crate::json_u64::{JsonU64, with_text_numbers};
use crate::refusal::{Refusal, run_blocking};
use crate::routes::{JsonBody, JsonReply, QueryParams, StudioState};
use crate::schemas::RecordSchema;
use crate::tables::name_of;

/// Adds a job.
#[utoipa::path(post, operation_id = "create_job", path = "/api/jobs", request_body = JobRequest, responses((status = 201, body = JobInfo)))]
pub(crate) async fn create(
    State(studio): StudioState,
    JsonBody(request): JsonBody<JobRequest>,
) -> Result<(StatusCode, Json<JobInfo>), Refusal> {
    let job = run_blocking(move || studio.jobs.submit(request)).await?;
    Ok((StatusCode::CREATED, Json(job)))
}

/// The kind of jobs to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobQuery {
    #[param(inline)]
    kind: Option<JobKind>,
}

/// Jobs, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobList {
    jobs: Vec<JobInfo>,
}

/// All jobs.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/jobs", params(JobQuery), responses((status = 200, body = JobList)))]
pub(crate) async fn list(
    State(studio): StudioState,
    QueryParams(which): QueryParams<JobQuery>,
) -> JsonReply<JobList> {
    run_blocking(move || Ok(Json(JobList { jobs: studio.jobs.list(which.kind) }))).await
}

/// A job.
#[utoipa::path(get, operation_id = "show_job", path = "/api/jobs/{id}", responses((status = 200, body = JobInfo)))]
pub(crate) async fn show(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<JobInfo> {
    run_blocking(move || studio.jobs.show(&id).map(Json)).await
}

/// Pauses a job.
#[utoipa::path(post, path = "/api/jobs/{id}/pause", responses((status = 200, body = JobInfo)))]
pub(crate) async fn pause(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<JobInfo> {
    run_blocking(move || studio.jobs.pause(&id).map(Json)).await
}

/// Resumes a job.
#[utoipa::path(post, path = "/api/jobs/{id}/resume", responses((status = 200, body = JobInfo)))]
pub(crate) async fn resume(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<JobInfo> {
    run_blocking(move || studio.jobs.resume(&id).map(Json)).await
}

/// Ends a job.
#[utoipa::path(post, operation_id = "stop_job", path = "/api/jobs/{id}/stop", responses((status = 200, body = JobInfo)))]
pub(crate) async fn stop(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<JobInfo> {
    run_blocking(move || studio.jobs.stop(&id).map(Json)).await
}

/// Removes a job.
#[utoipa::path(delete, operation_id = "remove_job", path = "/api/jobs/{id}", responses((status = 204)))]
pub(crate) async fn remove(
    State(studio): StudioState,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    studio.jobs.remove(&id).await.map(|()| StatusCode::NO_CONTENT)
}

/// The records to read.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordQuery {
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

/// The records of a job.
#[utoipa::path(get, operation_id = "job_records", path = "/api/jobs/{id}/records", params(RecordQuery), responses((status = 200, body = RecordList)))]
pub(crate) async fn records(
    State(studio): StudioState,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<RecordQuery>,
) -> JsonReply<RecordList> {
    run_blocking(move || {
        let total = studio.jobs.show(&id)?.records();
        let Some(tail) = studio.jobs.records(&id)? else {
            return Ok(Json(RecordList { from: 0, total, records: Vec::new() }));
        };
        let limit = query.limit.unwrap_or(bounds::BATCH_RECORDS).min(bounds::BATCH_RECORDS);
        let RecordBatch { from, lines, .. } = tail.skip(query.from.unwrap_or(0)).read(limit, usize::MAX);
        let records = lines.into_iter().filter_map(|line| RawValue::from_string(line).ok()).collect();
        Ok(Json(RecordList { from, total, records }))
    })
    .await
}

/// The file of a model.
#[utoipa::path(get, path = "/api/jobs/{id}/product", responses((status = 200, content_type = "application/octet-stream", body = BytesSchema)))]
pub(crate) async fn product(State(studio): StudioState, Path(id): Path<String>) -> Result<Response, Refusal> {
    let bytes = run_blocking({
        let id = id.clone();
        move || {
            Ok(std::fs::read(studio.jobs.product(&id)?)
                .map_err(|reason| ModelError::Unreadable { reason })?)
        }
    })
    .await?;
    let ending = if bytes.starts_with(b"PK") { "npz" } else { "safetensors" };
    Ok(download(&format!("outplay-{id}.{ending}"), "application/octet-stream", bytes.into()))
}

/// The models to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ModelQuery {
    /// The name of a game: its models, on whatever board they were trained.
    game: Option<String>,
    /// A game with its parameters: the models that can play on this board.
    board: Option<String>,
}

/// A model that was trained here or uploaded.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelInfo {
    id: String,
    title: Text,
    game: String,
    #[schema(required = true)]
    method: Option<String>,
    state: JobState,
    updated: i64,
    players: Vec<String>,
    /// Whether a job can evaluate it.
    evaluable: bool,
}

/// Models, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelList {
    models: Vec<ModelInfo>,
}

/// All models, newest first.
#[utoipa::path(get, path = "/api/models", params(ModelQuery), responses((status = 200, body = ModelList)))]
pub(crate) async fn models(
    State(studio): StudioState,
    QueryParams(of): QueryParams<ModelQuery>,
) -> JsonReply<ModelList> {
    run_blocking(move || {
        let mut models = studio.jobs.trained_models();
        for wanted in [&of.game, &of.board].into_iter().flatten() {
            models.retain(|model| name_of(wanted) == name_of(&model.game));
        }
        let info = |model: TrainedModel| {
            let TrainedModel { id, title, game, method, state, updated } = model;
            let board = of.board.as_deref().unwrap_or(&game);
            let players = studio.jobs.players_with(&id, board);
            let evaluable = studio.jobs.can_evaluate(&id, board);
            ModelInfo { id, title, game, method, state, updated, players, evaluable }
        };
        let mut models: Vec<ModelInfo> = models.into_iter().take(200).map(info).collect();
        models.retain(|model| of.board.is_none() || !model.players.is_empty());
        Ok(Json(ModelList { models }))
    })
    .await
}

/// The game and the shown name of an upload.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UploadQuery {
    #[param(value_type = SpecSchema, inline)]
    game: String,
    #[param(value_type = TitleSchema, inline)]
    name: String,
}

/// Uploads a model; the body is its file.
#[utoipa::path(post, path = "/api/models", params(UploadQuery), request_body(content_type = "application/octet-stream", content = BytesSchema), responses((status = 201, body = JobInfo)))]
pub(crate) async fn upload(
    State(studio): StudioState,
    QueryParams(brought): QueryParams<UploadQuery>,
    file: UploadedFile,
) -> Result<(StatusCode, Json<JobInfo>), Refusal> {
    // One at a time: each may take as much memory as its file.
    let Ok(turn) = Arc::clone(&studio.uploads).acquire_owned().await else {
        unreachable!("it is never closed")
    };
    let job = run_blocking(move || {
        let _turn = turn;
        studio.jobs.add_model(&brought.game, &brought.name, &file.bytes()?)
    });
    Ok((StatusCode::CREATED, Json(job.await?)))
}

/// The seed of the sample game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SampleRequest {
    #[schema(value_type = Option<WideInputSchema>)]
    seed: Option<JsonU64>,
}

/// A game of a model against itself.
#[derive(Serialize, ToSchema)]
pub(crate) struct SampleGame {
    /// The player that used the model.
    player: String,
    #[schema(value_type = RecordSchema)]
    record: Box<RawValue>,
}

/// Lets a model, as it is now, play a game against itself.
#[utoipa::path(post, path = "/api/jobs/{id}/sample", request_body = SampleRequest, responses((status = 200, body = SampleGame)))]
pub(crate) async fn sample(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(chance): JsonBody<SampleRequest>,
) -> JsonReply<SampleGame> {
    let turns = Arc::clone(&studio.analyses);
    stoppable(&turns, move |stop| {
        let seed = chance.seed.map_or_else(clock::random_u64, |seed| seed.0);
        let (player, record) = studio.jobs.sample(&id, seed, Watch::new(stop, &|_| {}))?;
        let line = serde_json::to_string(&record).expect("a game is plain data");
        let record = RawValue::from_string(with_text_numbers(&line)).expect("a record is JSON");
        Ok(Json(SampleGame { player, record }))
    })
    .await
}
