//! The papers: what was reproduced of them, and their reports.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_core::{Text, errors};
use outplay_papers::PAPERS;
use outplay_papers::artefact::{
    Artefact, ArtefactSummary, Paper, PaperReport, Scale, records_file, reproduce,
};
use outplay_report::{Badge, Number};
use outplay_runtime::Watch;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::bounded_schemas::RecordLinesSchema;
use crate::export::download;
use crate::refusal::{Code, CodedError, Refusal, Resource, run_blocking};
use crate::routes::QueryParams;
use crate::schemas::{BadgeSchema, NumberSchema, ScaleSchema};
use crate::studio::Studio;

/// A report is an HTML page that loads nothing.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'; sandbox allow-popups";

errors! {
    /// A fault of the files that the runs of a paper leave.
    pub(crate) enum PaperFileError {
        Records { reason: std::io::Error } =
            "the records could not be read: {reason}" | "les enregistrements n’ont pu être lus : {reason}",
        Report { reason: std::io::Error } =
            "the report could not be read: {reason}" | "le rapport n’a pu être lu : {reason}",
    }
}

impl CodedError for PaperFileError {
    fn code(&self) -> Code {
        Code::Failed
    }
}

/// The scale of the runs.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ScaleQuery {
    #[param(value_type = Option<ScaleSchema>, inline)]
    scale: Option<String>,
}

impl ScaleQuery {
    fn scale(&self) -> Result<Scale, Refusal> {
        Ok(self.scale.as_deref().map_or(Ok(Scale::Smoke), Scale::named)?)
    }
}

/// All papers at one scale.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperList {
    #[schema(value_type = ScaleSchema)]
    scale: &'static str,
    papers: Vec<PaperInfo>,
}

/// A paper.
#[derive(Serialize, ToSchema)]
struct PaperInfo {
    slug: &'static str,
    title: Text,
    reference: Text,
    artefacts: Vec<ArtefactInfo>,
}

/// A table or figure.
#[derive(Serialize, ToSchema)]
struct ArtefactInfo {
    id: String,
    title: Text,
    #[schema(value_type = BadgeSchema)]
    badge: Badge,
    reproduced: usize,
    total: usize,
    command: String,
}

/// A paper with all its numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperDetail {
    #[schema(value_type = ScaleSchema)]
    scale: &'static str,
    slug: &'static str,
    title: Text,
    reference: Text,
    artefacts: Vec<ArtefactDetail>,
}

/// A table or figure with its numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArtefactDetail {
    #[serde(flatten)]
    info: ArtefactInfo,
    /// Reproduced and published numbers.
    #[schema(value_type = Vec<NumberSchema>)]
    numbers: Vec<Number>,
    /// Whether there are records of a run.
    recorded: bool,
}

impl ArtefactDetail {
    pub(crate) fn of(artefact: ArtefactSummary, recorded: bool) -> Self {
        let ArtefactSummary { id, title, badge, reproduced, total, numbers, command } = artefact;
        let info = ArtefactInfo { id, title, badge, reproduced, total, command };
        Self { info, numbers, recorded }
    }
}

/// What is known of a paper from earlier runs.
fn current_report(studio: &Studio, paper: &'static Paper, scale: Scale) -> Result<PaperReport, Refusal> {
    Ok(reproduce(paper, &[], scale, SEED, &studio.store, Some(1), Watch::nobody())?)
}

/// All papers with what was reproduced of them at a scale.
#[utoipa::path(get, operation_id = "list_papers", path = "/api/papers", params(ScaleQuery), responses((status = 200, body = PaperList)))]
pub(crate) async fn list(
    State(studio): State<Arc<Studio>>,
    QueryParams(at): QueryParams<ScaleQuery>,
) -> Result<Json<PaperList>, Refusal> {
    let scale = at.scale()?;
    run_blocking(move || {
        let info = |paper: &'static Paper| {
            let artefacts = current_report(&studio, paper, scale)?.artefacts.into_iter();
            let artefacts = artefacts.map(|artefact| ArtefactDetail::of(artefact, false).info).collect();
            let (title, reference) = (paper.title.clone(), paper.reference.clone());
            Ok(PaperInfo { slug: paper.slug, title, reference, artefacts })
        };
        let papers = PAPERS.iter().map(info).collect::<Result<_, Refusal>>()?;
        Ok(Json(PaperList { scale: scale.name(), papers }))
    })
    .await
}

fn find_paper(slug: &str) -> Result<&'static Paper, Refusal> {
    PAPERS.iter().find(|paper| paper.slug == slug).ok_or_else(|| Refusal::unknown(Resource::Paper, slug))
}

fn find_artefact(paper: &'static Paper, name: &str) -> Result<&'static Artefact, Refusal> {
    let artefact = paper.artefacts.iter().find(|artefact| artefact.name == name);
    artefact.ok_or_else(|| Refusal::unknown(Resource::Artefact, name))
}

/// The seed of all runs from here, and of the commands that are shown.
const SEED: u64 = 0;

/// A paper with all its numbers at a scale.
#[utoipa::path(get, operation_id = "show_paper", path = "/api/papers/{slug}", params(ScaleQuery), responses((status = 200, body = PaperDetail)))]
pub(crate) async fn show(
    State(studio): State<Arc<Studio>>,
    Path(slug): Path<String>,
    QueryParams(at): QueryParams<ScaleQuery>,
) -> Result<Json<PaperDetail>, Refusal> {
    let scale = at.scale()?;
    run_blocking(move || {
        let paper = find_paper(&slug)?;
        let detail = |(summary, artefact): (ArtefactSummary, &'static Artefact)| {
            ArtefactDetail::of(summary, records_file(paper, artefact, scale, SEED, &studio.store).is_some())
        };
        let summaries = current_report(&studio, paper, scale)?.artefacts.into_iter();
        let artefacts = summaries.zip(paper.artefacts).map(detail).collect();
        let (title, reference) = (paper.title.clone(), paper.reference.clone());
        Ok(Json(PaperDetail { scale: scale.name(), slug: paper.slug, title, reference, artefacts }))
    })
    .await
}

/// The records of an artefact's run, as a download.
#[utoipa::path(get, operation_id = "paper_records", path = "/api/papers/{slug}/{artefact}/records", params(ScaleQuery), responses((status = 200, content_type = "application/x-ndjson", body = RecordLinesSchema)))]
pub(crate) async fn records(
    State(studio): State<Arc<Studio>>,
    Path((slug, artefact)): Path<(String, String)>,
    QueryParams(at): QueryParams<ScaleQuery>,
) -> Result<Response, Refusal> {
    let scale = at.scale()?;
    let (name, bytes) = run_blocking(move || {
        let paper = find_paper(&slug)?;
        let artefact = find_artefact(paper, &artefact)?;
        let none = || Refusal::unknown(Resource::Run, artefact.name);
        let path = records_file(paper, artefact, scale, SEED, &studio.store).ok_or_else(none)?;
        let bytes = std::fs::read(path).map_err(|reason| PaperFileError::Records { reason })?;
        Ok((format!("{}-{}-{}.jsonl", paper.slug, artefact.name, scale.name()), bytes))
    })
    .await?;
    Ok(download(&name, "application/x-ndjson", bytes.into()))
}

/// The report on a paper at a scale.
#[utoipa::path(get, path = "/api/papers/{slug}/report", params(ScaleQuery), responses((status = 200, content_type = "text/html", body = String)))]
pub(crate) async fn report(
    State(studio): State<Arc<Studio>>,
    Path(slug): Path<String>,
    QueryParams(at): QueryParams<ScaleQuery>,
) -> Result<Response, Refusal> {
    let scale = at.scale()?;
    let page = run_blocking(move || {
        let paper = find_paper(&slug)?;
        let report = current_report(&studio, paper, scale)?.html;
        Ok(std::fs::read(report).map_err(|reason| PaperFileError::Report { reason })?)
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, page).into_response())
}
