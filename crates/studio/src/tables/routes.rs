//! The routes of tables.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::document::{OpinionInfo, PlyInfo, SeatName, TableInfo, TableSummary};
use super::hall::lock;
use super::live::{Given, Live};
use super::timing::Control;
use crate::analysis::{Subject, opinion};
use crate::clock;
use crate::export;
use crate::refusal::{Refusal, off};
use crate::routes::{Body, Params};
use crate::studio::Studio;
use crate::wide::Wide;

/// A table to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTable {
    game: String,
    seats: Vec<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    seed: Option<Wide>,
    clock: Option<Control>,
}

type Studied = State<Arc<Studio>>;
type Answer<T> = Result<Json<T>, Refusal>;

/// Changes a table away from the asynchronous threads.
async fn change(
    studio: Arc<Studio>,
    id: String,
    change: impl FnOnce(&mut Live) -> Result<(), Refusal> + Send + 'static,
) -> Answer<TableInfo> {
    off(move || studio.hall.change(&studio.hall.find(&id)?, change)).await.map(Json)
}

/// Sets a table.
#[utoipa::path(post, operation_id = "create_table", path = "/api/tables", request_body = NewTable, responses((status = 201, body = TableInfo)))]
pub(crate) async fn create(
    State(studio): Studied,
    Body(new): Body<NewTable>,
) -> Result<(StatusCode, Json<TableInfo>), Refusal> {
    let seed = new.seed.map_or_else(clock::chance, |seed| seed.0);
    let given = Given { game: new.game, start: new.position, seed };
    let table = off(move || studio.hall.set_table(given, new.seats, new.moves, new.clock)).await?;
    Ok((StatusCode::CREATED, Json(table)))
}

/// How many.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limit {
    limit: Option<usize>,
}

/// Tables, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableList {
    tables: Vec<TableSummary>,
}

/// The newest tables.
#[utoipa::path(get, operation_id = "list_tables", path = "/api/tables", params(Limit), responses((status = 200, body = TableList)))]
pub(crate) async fn list(State(studio): Studied, Params(query): Params<Limit>) -> Answer<TableList> {
    let limit = query.limit.unwrap_or(50).min(500);
    off(move || Ok(Json(TableList { tables: studio.hall.list(limit)? }))).await
}

/// A table.
#[utoipa::path(get, operation_id = "show_table", path = "/api/tables/{id}", responses((status = 200, body = TableInfo)))]
pub(crate) async fn show(State(studio): Studied, Path(id): Path<String>) -> Answer<TableInfo> {
    off(move || Ok(Json(lock(&studio.hall.find(&id)?).document()))).await
}

/// Removes a table.
#[utoipa::path(delete, operation_id = "remove_table", path = "/api/tables/{id}", responses((status = 204)))]
pub(crate) async fn remove(State(studio): Studied, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    off(move || studio.hall.remove(&id)).await.map(|()| StatusCode::NO_CONTENT)
}

/// A move by someone who saw the position after `ply` moves.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Played {
    #[serde(rename = "move")]
    mv: String,
    ply: usize,
}

/// Plays a move.
#[utoipa::path(post, path = "/api/tables/{id}/move", request_body = Played, responses((status = 200, body = TableInfo)))]
pub(crate) async fn play(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(played): Body<Played>,
) -> Answer<TableInfo> {
    change(studio, id, move |live| live.play(&played.mv, played.ply)).await
}

/// A move that might be played.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Considered {
    #[serde(rename = "move")]
    mv: String,
}

/// Whether a move is legal.
#[derive(Serialize, ToSchema)]
pub(crate) struct Legality {
    legal: bool,
    #[schema(required = true)]
    reason: Option<String>,
}

/// Whether a move can be played, and why not.
#[utoipa::path(get, path = "/api/tables/{id}/why", params(Considered), responses((status = 200, body = Legality)))]
pub(crate) async fn why(
    State(studio): Studied,
    Path(id): Path<String>,
    Params(query): Params<Considered>,
) -> Answer<Legality> {
    off(move || {
        let reason = lock(&studio.hall.find(&id)?).objection(&query.mv);
        Ok(Json(Legality { legal: reason.is_none(), reason }))
    })
    .await
}

/// Takes back.
#[utoipa::path(post, path = "/api/tables/{id}/undo", responses((status = 200, body = TableInfo)))]
pub(crate) async fn undo(State(studio): Studied, Path(id): Path<String>) -> Answer<TableInfo> {
    change(studio, id, Live::undo).await
}

/// Plays again what was taken back.
#[utoipa::path(post, path = "/api/tables/{id}/redo", responses((status = 200, body = TableInfo)))]
pub(crate) async fn redo(State(studio): Studied, Path(id): Path<String>) -> Answer<TableInfo> {
    change(studio, id, Live::redo).await
}

/// Where to go.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Going {
    ply: Option<usize>,
}

/// Goes to a ply and stays there, or lets the players play on.
#[utoipa::path(post, path = "/api/tables/{id}/go", request_body = Going, responses((status = 200, body = TableInfo)))]
pub(crate) async fn go(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(going): Body<Going>,
) -> Answer<TableInfo> {
    change(studio, id, move |live| {
        if let Some(ply) = going.ply {
            return live.go(ply);
        }
        live.resume();
        Ok(())
    })
    .await
}

/// Stops whoever thinks, who then plays nothing.
#[utoipa::path(post, operation_id = "stop_table", path = "/api/tables/{id}/stop", responses((status = 200, body = TableInfo)))]
pub(crate) async fn stop(State(studio): Studied, Path(id): Path<String>) -> Answer<TableInfo> {
    change(studio, id, |live| {
        live.halt();
        Ok(())
    })
    .await
}

/// Asks whoever thinks to play now.
#[utoipa::path(post, path = "/api/tables/{id}/hurry", responses((status = 200, body = TableInfo)))]
pub(crate) async fn hurry(State(studio): Studied, Path(id): Path<String>) -> Answer<TableInfo> {
    change(studio, id, |live| live.hurry()).await
}

/// Who gives up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resigning {
    seat: Option<SeatName>,
}

/// Gives up.
#[utoipa::path(post, path = "/api/tables/{id}/resign", request_body = Resigning, responses((status = 200, body = TableInfo)))]
pub(crate) async fn resign(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(resigning): Body<Resigning>,
) -> Answer<TableInfo> {
    change(studio, id, move |live| live.resign(resigning.seat)).await
}

/// Who sits where.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seating {
    seats: Vec<String>,
}

/// Seats other players.
#[utoipa::path(post, path = "/api/tables/{id}/seats", request_body = Seating, responses((status = 200, body = TableInfo)))]
pub(crate) async fn seat(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(seating): Body<Seating>,
) -> Answer<TableInfo> {
    off(move || studio.hall.seat(&id, seating.seats).map(Json)).await
}

/// Who is asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asking {
    player: Option<String>,
}

/// What a good player would do here.
#[utoipa::path(post, path = "/api/tables/{id}/hint", request_body = Asking, responses((status = 200, body = OpinionInfo)))]
pub(crate) async fn hint(
    State(studio): Studied,
    Path(id): Path<String>,
    Body(asking): Body<Asking>,
) -> Answer<OpinionInfo> {
    opinion(studio, Subject::at_table(id), asking.player).await.map(Json)
}

/// All positions of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct Plies {
    plies: Vec<PlyInfo>,
}

/// Every position of the game.
#[utoipa::path(get, path = "/api/tables/{id}/plies", responses((status = 200, body = Plies)))]
pub(crate) async fn plies(State(studio): Studied, Path(id): Path<String>) -> Answer<Plies> {
    off(move || Ok(Json(Plies { plies: lock(&studio.hall.find(&id)?).plies()? }))).await
}

/// In which form.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Format {
    format: String,
}

/// The game as a file.
#[utoipa::path(get, operation_id = "export_table", path = "/api/tables/{id}/export", params(Format), responses((status = 200, content_type = "text/plain", body = String)))]
pub(crate) async fn export(
    State(studio): Studied,
    Path(id): Path<String>,
    Params(query): Params<Format>,
) -> Result<Response, Refusal> {
    let text = off({
        let (id, format) = (id.clone(), query.format.clone());
        move || export::write(&lock(&studio.hall.find(&id)?), &format)
    })
    .await?;
    Ok(export::download(&format!("outplay-{id}.{}", query.format), "text/plain; charset=utf-8", text.into()))
}

/// A text that holds a game or a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    text: String,
    game: Option<String>,
}

/// Says what a text holds.
#[utoipa::path(post, path = "/api/import", request_body = Text, responses((status = 200, body = export::ImportInfo)))]
pub(crate) async fn import(State(studio): Studied, Body(text): Body<Text>) -> Answer<export::ImportInfo> {
    off(move || export::read(&studio.hall, &text.text, text.game.as_deref()).map(Json)).await
}
