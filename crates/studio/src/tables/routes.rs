//! The routes of tables.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use outplay_core::scene::Touch;
use outplay_core::{ForeignWords, Text};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::clocks::TimeControl;
use super::collection::lock;
use super::document::{OpinionInfo, PlyInfo, SeatName, TableInfo, TableSummary};
use super::errors::StudioTableError;
use super::open_table::OpenTable;
use super::saved_table::GameStart;
use crate::analysis::{Subject, opinion};
use crate::bounded_schemas::{MovesSchema, SeatsSchema, SpecSchema, WideInputSchema};
use crate::clock;
use crate::export;
use crate::json_u64::JsonU64;
use crate::refusal::{Refusal, run_blocking};
use crate::routes::{JsonBody, JsonReply, QueryParams, StudioState};
use crate::schemas::{ExportedGameSchema, MoveSchema};
use crate::studio::Studio;

/// A new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTable {
    #[schema(value_type = SpecSchema)]
    game: String,
    #[schema(value_type = SeatsSchema)]
    seats: Vec<String>,
    position: Option<String>,
    #[serde(default)]
    #[schema(value_type = MovesSchema)]
    moves: Vec<String>,
    #[schema(value_type = Option<WideInputSchema>)]
    seed: Option<JsonU64>,
    clock: Option<TimeControl>,
}

/// Changes a table on a blocking thread.
async fn change(
    studio: Arc<Studio>,
    id: String,
    change: impl FnOnce(&mut OpenTable) -> Result<(), Refusal> + Send + 'static,
) -> JsonReply<TableInfo> {
    run_blocking(move || studio.tables.change(&studio.tables.find(&id)?, change)).await.map(Json)
}

/// Makes a table.
#[utoipa::path(post, operation_id = "create_table", path = "/api/tables", request_body = NewTable, responses((status = 201, body = TableInfo)))]
pub(crate) async fn create(
    State(studio): StudioState,
    JsonBody(new): JsonBody<NewTable>,
) -> Result<(StatusCode, Json<TableInfo>), Refusal> {
    let seed = new.seed.map_or_else(clock::random_u64, |seed| seed.0);
    let game_start = GameStart { game: new.game, start: new.position, seed };
    let table =
        run_blocking(move || studio.tables.create(game_start, new.seats, new.moves, new.clock)).await?;
    Ok((StatusCode::CREATED, Json(table)))
}

/// How many tables to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    limit: Option<usize>,
}

/// Tables, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableList {
    tables: Vec<TableSummary>,
}

/// The newest tables.
#[utoipa::path(get, operation_id = "list_tables", path = "/api/tables", params(ListQuery), responses((status = 200, body = TableList)))]
pub(crate) async fn list(
    State(studio): StudioState,
    QueryParams(query): QueryParams<ListQuery>,
) -> JsonReply<TableList> {
    let limit = query.limit.unwrap_or(50).min(500);
    run_blocking(move || Ok(Json(TableList { tables: studio.tables.list(limit)? }))).await
}

/// A table.
#[utoipa::path(get, operation_id = "show_table", path = "/api/tables/{id}", responses((status = 200, body = TableInfo)))]
pub(crate) async fn show(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<TableInfo> {
    run_blocking(move || Ok(Json(lock(&studio.tables.find(&id)?).document()))).await
}

/// Removes a table.
#[utoipa::path(delete, operation_id = "remove_table", path = "/api/tables/{id}", responses((status = 204)))]
pub(crate) async fn remove(
    State(studio): StudioState,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    run_blocking(move || studio.tables.remove(&id)).await.map(|()| StatusCode::NO_CONTENT)
}

/// A move by its text or by what is touched, with the number of moves that the client has seen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveRequest {
    #[serde(rename = "move")]
    mv: Option<String>,
    touches: Option<Vec<Touch>>,
    ply: usize,
}

/// Plays a move.
#[utoipa::path(post, path = "/api/tables/{id}/move", request_body = MoveSchema, responses((status = 200, body = TableInfo)))]
pub(crate) async fn play(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(played): JsonBody<MoveRequest>,
) -> JsonReply<TableInfo> {
    change(studio, id, move |live| match (&played.mv, &played.touches) {
        (Some(mv), None) => live.play(mv, played.ply),
        (None, Some(touches)) => live.play_touches(touches, played.ply),
        _ => Err(StudioTableError::NoMove.into()),
    })
    .await
}

/// What was touched.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TouchQuery {
    /// A list of touches, as JSON.
    #[param(value_type = Vec<Touch>)]
    touches: String,
}

/// Whether touches are a legal move.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveLegality {
    legal: bool,
    #[schema(required = true)]
    reason: Option<Text>,
}

/// Whether touches are a move that can be played, and why not.
#[utoipa::path(get, path = "/api/tables/{id}/why", params(TouchQuery), responses((status = 200, body = MoveLegality)))]
pub(crate) async fn why(
    State(studio): StudioState,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<TouchQuery>,
) -> JsonReply<MoveLegality> {
    run_blocking(move || {
        let touches: Vec<Touch> = serde_json::from_str(&query.touches)
            .map_err(|error| StudioTableError::Touches { reason: ForeignWords::of(&error) })?;
        let reason = lock(&studio.tables.find(&id)?).objection(&touches);
        Ok(Json(MoveLegality { legal: reason.is_none(), reason }))
    })
    .await
}

/// Takes moves back.
#[utoipa::path(post, path = "/api/tables/{id}/undo", responses((status = 200, body = TableInfo)))]
pub(crate) async fn undo(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<TableInfo> {
    change(studio, id, OpenTable::undo).await
}

/// Replays moves that were taken back.
#[utoipa::path(post, path = "/api/tables/{id}/redo", responses((status = 200, body = TableInfo)))]
pub(crate) async fn redo(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<TableInfo> {
    change(studio, id, OpenTable::redo).await
}

/// The ply to go to; without one, the pause ends.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoRequest {
    ply: Option<usize>,
}

/// Goes to a ply and pauses, or ends the pause.
#[utoipa::path(post, path = "/api/tables/{id}/go", request_body = GoRequest, responses((status = 200, body = TableInfo)))]
pub(crate) async fn go(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(going): JsonBody<GoRequest>,
) -> JsonReply<TableInfo> {
    change(studio, id, move |live| {
        if let Some(ply) = going.ply {
            return live.go(ply);
        }
        live.resume();
        Ok(())
    })
    .await
}

/// Stops the player that is thinking; it plays nothing.
#[utoipa::path(post, operation_id = "stop_table", path = "/api/tables/{id}/stop", responses((status = 200, body = TableInfo)))]
pub(crate) async fn stop(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<TableInfo> {
    change(studio, id, |live| {
        live.stop();
        Ok(())
    })
    .await
}

/// Asks the player that is thinking to move now.
#[utoipa::path(post, path = "/api/tables/{id}/hurry", responses((status = 200, body = TableInfo)))]
pub(crate) async fn hurry(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<TableInfo> {
    run_blocking(move || studio.tables.hurry(&id).map(Json)).await
}

/// The seat that resigns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResignRequest {
    seat: Option<SeatName>,
}

/// Resigns.
#[utoipa::path(post, path = "/api/tables/{id}/resign", request_body = ResignRequest, responses((status = 200, body = TableInfo)))]
pub(crate) async fn resign(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(resigning): JsonBody<ResignRequest>,
) -> JsonReply<TableInfo> {
    change(studio, id, move |live| live.resign(resigning.seat)).await
}

/// The players, seat by seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatsRequest {
    #[schema(value_type = SeatsSchema)]
    seats: Vec<String>,
}

/// Seats other players.
#[utoipa::path(post, path = "/api/tables/{id}/seats", request_body = SeatsRequest, responses((status = 200, body = TableInfo)))]
pub(crate) async fn seat(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(seating): JsonBody<SeatsRequest>,
) -> JsonReply<TableInfo> {
    run_blocking(move || studio.tables.seat(&id, seating.seats).map(Json)).await
}

/// The player to ask; without one, the game's analyst.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HintRequest {
    #[schema(value_type = Option<SpecSchema>)]
    player: Option<String>,
}

/// What a good player would do here.
#[utoipa::path(post, path = "/api/tables/{id}/hint", request_body = HintRequest, responses((status = 200, body = OpinionInfo)))]
pub(crate) async fn hint(
    State(studio): StudioState,
    Path(id): Path<String>,
    JsonBody(asking): JsonBody<HintRequest>,
) -> JsonReply<OpinionInfo> {
    opinion(studio, Subject::at_table(id), asking.player).await.map(Json)
}

/// All positions of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlyList {
    plies: Vec<PlyInfo>,
}

/// Every position of the game.
#[utoipa::path(get, path = "/api/tables/{id}/plies", responses((status = 200, body = PlyList)))]
pub(crate) async fn plies(State(studio): StudioState, Path(id): Path<String>) -> JsonReply<PlyList> {
    run_blocking(move || Ok(Json(PlyList { plies: lock(&studio.tables.find(&id)?).plies()? }))).await
}

/// The format of an export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FormatQuery {
    format: String,
}

/// The game as a file.
#[utoipa::path(get, operation_id = "export_table", path = "/api/tables/{id}/export", params(FormatQuery), responses((status = 200, content((String = "text/plain"), (String = "application/x-chess-pgn"), (ExportedGameSchema = "application/json")))))]
pub(crate) async fn export(
    State(studio): StudioState,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<FormatQuery>,
) -> Result<Response, Refusal> {
    let (text, kind) = run_blocking({
        let (id, format) = (id.clone(), query.format.clone());
        move || export::write(&lock(&studio.tables.find(&id)?), &format)
    })
    .await?;
    Ok(export::download(&format!("outplay-{id}.{}", query.format), kind, text.into()))
}

/// A text that holds a game or a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportRequest {
    text: String,
    game: Option<String>,
}

/// Reads a text that holds a game or a position.
#[utoipa::path(post, path = "/api/import", request_body = ImportRequest, responses((status = 200, body = export::ImportInfo)))]
pub(crate) async fn import(
    State(studio): StudioState,
    JsonBody(text): JsonBody<ImportRequest>,
) -> JsonReply<export::ImportInfo> {
    run_blocking(move || export::read(&studio.tables, &text.text, text.game.as_deref()).map(Json)).await
}
