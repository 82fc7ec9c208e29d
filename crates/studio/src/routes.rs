//! All routes, and how requests are read.
//!
//! A route and its description are declared together, so the document at `/api/openapi.json` cannot be out of date.

use std::sync::Arc;

use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::routing::get;
use axum::{Json, Router, body::Bytes, middleware};
use outplay_core::ForeignWords;
use serde::de::DeserializeOwned;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{AccessPolicy, check_access};
use crate::arrival::receive;
use crate::refusal::{ErrorBody, Refusal, RequestError, as_json_refusal};
use crate::schemas::{GraphLineSchema, LiveMessageSchema, RecordLineSchema, ThoughtLineSchema};
use crate::studio::Studio;
use crate::{analysis, catalogue, description, jobs, page, papers, socket, tables};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Outplay's studio",
        description = "What the page and the server say to each other; see docs/protocol.md."
    ),
    components(schemas(ErrorBody, GraphLineSchema, LiveMessageSchema, RecordLineSchema, ThoughtLineSchema))
)]
struct ApiDescription;

/// The API with its description.
pub(crate) fn api() -> OpenApiRouter<Arc<Studio>> {
    use tables::routes as table;
    OpenApiRouter::with_openapi(ApiDescription::openapi())
        .routes(routes!(catalogue::get_catalogue))
        .routes(routes!(catalogue::get_board))
        .routes(routes!(table::create, table::list))
        .routes(routes!(table::show, table::remove))
        .routes(routes!(table::play))
        .routes(routes!(table::why))
        .routes(routes!(table::undo))
        .routes(routes!(table::redo))
        .routes(routes!(table::go))
        .routes(routes!(table::stop))
        .routes(routes!(table::hurry))
        .routes(routes!(table::resign))
        .routes(routes!(table::seat))
        .routes(routes!(table::hint))
        .routes(routes!(table::plies))
        .routes(routes!(table::export))
        .routes(routes!(table::import))
        .routes(routes!(analysis::look))
        .routes(routes!(analysis::draft))
        .routes(routes!(analysis::thoughts))
        .routes(routes!(analysis::survey))
        .routes(routes!(analysis::solve))
        .routes(routes!(analysis::graph))
        .routes(routes!(analysis::review))
        .routes(routes!(jobs::routes::create, jobs::routes::list))
        .routes(routes!(jobs::routes::show, jobs::routes::remove))
        .routes(routes!(jobs::routes::pause))
        .routes(routes!(jobs::routes::resume))
        .routes(routes!(jobs::routes::stop))
        .routes(routes!(jobs::routes::records))
        .routes(routes!(jobs::routes::product))
        .routes(routes!(jobs::routes::sample))
        .routes(routes!(jobs::export::export))
        .routes(routes!(jobs::routes::models, jobs::routes::upload))
        .routes(routes!(papers::list))
        .routes(routes!(papers::show))
        .routes(routes!(papers::records))
        .routes(routes!(papers::report))
        .routes(routes!(socket::live))
}

/// The description of the API, as `/api/openapi.json` gives it but indented.
#[must_use]
pub fn openapi() -> String {
    let description = description::complete(api().split_for_parts().1);
    format!("{description:#}\n")
}

/// The API, its description and the page, behind the access check.
pub(crate) fn all(studio: Arc<Studio>, policy: Arc<AccessPolicy>) -> Router {
    let (api, description) = api().split_for_parts();
    let description = Bytes::from(description::complete(description).to_string());
    let describe = move || async move { ([(CONTENT_TYPE, "application/json")], description) };
    api.route("/api/openapi.json", get(describe))
        .fallback(page::serve)
        .with_state(studio)
        .layer(middleware::map_response(as_json_refusal))
        .layer(middleware::from_fn(receive))
        .layer(middleware::from_fn_with_state(policy, check_access))
}

/// The studio, as handlers are given it.
pub(crate) type StudioState = State<Arc<Studio>>;
/// An answer in JSON, or a refusal.
pub(crate) type JsonReply<T> = Result<Json<T>, Refusal>;

/// The body of a request, which has arrived: JSON, or empty where every field is optional.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let unread =
            |error: BytesRejection| RequestError::BrokenBody { reason: ForeignWords::of(&error.body_text()) };
        let bytes = Bytes::from_request(request, state).await.map_err(unread)?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        // serde would read an array as the fields of the shape in their order, which the protocol does not know.
        if text.trim_ascii_start().starts_with(b"[") {
            return Err(RequestError::Array.into());
        }
        let malformed = |error: serde_json::Error| RequestError::Body { reason: ForeignWords::of(&error) };
        Ok(serde_json::from_slice(text).map(Self).map_err(malformed)?)
    }
}

/// The query of a request.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let malformed =
            |error: QueryRejection| RequestError::Query { reason: ForeignWords::of(&error.body_text()) };
        let Query(query) = Query::from_request_parts(parts, state).await.map_err(malformed)?;
        Ok(Self(query))
    }
}
