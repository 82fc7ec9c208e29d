//! The documents: what has been made of them, and their reports.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_lab::artefact::{
    Artefact, ArtefactSummary, Badge, Number, Paper, PaperReport, Scale, records_file, reproduce,
};
use outplay_lab::papers::PAPERS;
use outplay_lab::{Watch, spec::find_named};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::export::download;
use crate::refusal::{Code, Refusal, off};
use crate::routes::Params;
use crate::schemas::{BadgeSchema, NumberSchema, ScaleSchema};
use crate::studio::Studio;

/// A report is a page of its own that loads nothing.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'; sandbox allow-popups";

/// At which size.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct AtScale {
    scale: Option<String>,
}

impl AtScale {
    fn scale(&self) -> Result<Scale, Refusal> {
        Ok(self.scale.as_deref().map_or(Ok(Scale::Smoke), Scale::named)?)
    }
}

/// The documents at one scale.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperList {
    #[schema(value_type = ScaleSchema)]
    scale: &'static str,
    papers: Vec<PaperInfo>,
}

/// A document.
#[derive(Serialize, ToSchema)]
struct PaperInfo {
    slug: &'static str,
    title: &'static str,
    reference: &'static str,
    artefacts: Vec<ArtefactInfo>,
}

/// A table or figure.
#[derive(Serialize, ToSchema)]
struct ArtefactInfo {
    id: String,
    title: &'static str,
    #[schema(value_type = BadgeSchema)]
    badge: Badge,
    reproduced: usize,
    total: usize,
    command: String,
}

/// A document with all its numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaperDetail {
    #[schema(value_type = ScaleSchema)]
    scale: &'static str,
    slug: &'static str,
    title: &'static str,
    reference: &'static str,
    artefacts: Vec<ArtefactDetail>,
}

/// A table or figure with its numbers.
#[derive(Serialize, ToSchema)]
struct ArtefactDetail {
    #[serde(flatten)]
    info: ArtefactInfo,
    /// Ours beside the document's.
    #[schema(value_type = Vec<NumberSchema>)]
    numbers: Vec<Number>,
    /// Whether there are records of a run.
    recorded: bool,
}

impl ArtefactInfo {
    fn of(artefact: ArtefactSummary) -> (Self, Vec<Number>) {
        let ArtefactSummary { id, title, badge, reproduced, total, numbers, command } = artefact;
        (Self { id, title, badge, reproduced, total, command }, numbers)
    }
}

/// What is known of a document without running anything.
fn standing(studio: &Studio, paper: &'static Paper, scale: Scale) -> Result<PaperReport, Refusal> {
    Ok(reproduce(paper, &[], scale, SEED, &studio.store, Some(1), Watch::nobody())?)
}

/// All documents with what was made of them at a scale.
#[utoipa::path(get, operation_id = "list_papers", path = "/api/papers", params(AtScale), responses((status = 200, body = PaperList)))]
pub(crate) async fn list(
    State(studio): State<Arc<Studio>>,
    Params(at): Params<AtScale>,
) -> Result<Json<PaperList>, Refusal> {
    let scale = at.scale()?;
    off(move || {
        let info = |paper: &'static Paper| {
            let artefacts = standing(&studio, paper, scale)?.artefacts.into_iter();
            let artefacts = artefacts.map(|artefact| ArtefactInfo::of(artefact).0);
            let Paper { slug, title, reference, .. } = *paper;
            Ok(PaperInfo { slug, title, reference, artefacts: artefacts.collect() })
        };
        let papers = PAPERS.iter().map(info).collect::<Result<_, Refusal>>()?;
        Ok(Json(PaperList { scale: scale.name(), papers }))
    })
    .await
}

fn find_paper(slug: &str) -> Result<&'static Paper, Refusal> {
    find_named("paper", slug, PAPERS, |paper| paper.slug).map_err(|_| Refusal::unknown("paper", slug))
}

fn find_artefact(paper: &'static Paper, name: &str) -> Result<&'static Artefact, Refusal> {
    find_named("artefact", name, paper.artefacts, |artefact| artefact.name)
        .map_err(|_| Refusal::unknown("artefact", name))
}

/// The seed of all that is run from here, and of the commands that are shown.
const SEED: u64 = 0;

/// A document with all its numbers at a scale.
#[utoipa::path(get, operation_id = "show_paper", path = "/api/papers/{slug}", params(AtScale), responses((status = 200, body = PaperDetail)))]
pub(crate) async fn show(
    State(studio): State<Arc<Studio>>,
    Path(slug): Path<String>,
    Params(at): Params<AtScale>,
) -> Result<Json<PaperDetail>, Refusal> {
    let scale = at.scale()?;
    off(move || {
        let paper = find_paper(&slug)?;
        let detail = |(summary, artefact): (ArtefactSummary, &'static Artefact)| {
            let (info, numbers) = ArtefactInfo::of(summary);
            let recorded = records_file(paper, artefact, scale, SEED, &studio.store).is_some();
            ArtefactDetail { info, numbers, recorded }
        };
        let summaries = standing(&studio, paper, scale)?.artefacts.into_iter();
        let artefacts = summaries.zip(paper.artefacts).map(detail).collect();
        let Paper { slug, title, reference, .. } = *paper;
        Ok(Json(PaperDetail { scale: scale.name(), slug, title, reference, artefacts }))
    })
    .await
}

/// The records of an artefact's run, as a download.
#[utoipa::path(get, operation_id = "paper_records", path = "/api/papers/{slug}/{artefact}/records", params(AtScale), responses((status = 200, content_type = "application/x-ndjson", body = String)))]
pub(crate) async fn records(
    State(studio): State<Arc<Studio>>,
    Path((slug, artefact)): Path<(String, String)>,
    Params(at): Params<AtScale>,
) -> Result<Response, Refusal> {
    let scale = at.scale()?;
    let (name, bytes) = off(move || {
        let paper = find_paper(&slug)?;
        let artefact = find_artefact(paper, &artefact)?;
        let none = || Refusal::unknown("run of", artefact.name);
        let path = records_file(paper, artefact, scale, SEED, &studio.store).ok_or_else(none)?;
        let failed = |error| Refusal::new(Code::Failed, format!("the records could not be read: {error}"));
        let bytes = std::fs::read(path).map_err(failed)?;
        Ok((format!("{}-{}-{}.jsonl", paper.slug, artefact.name, scale.name()), bytes))
    })
    .await?;
    Ok(download(&name, "application/x-ndjson", bytes.into()))
}

/// The report on a document at a scale.
#[utoipa::path(get, path = "/api/papers/{slug}/report", params(AtScale), responses((status = 200, content_type = "text/html", body = String)))]
pub(crate) async fn report(
    State(studio): State<Arc<Studio>>,
    Path(slug): Path<String>,
    Params(at): Params<AtScale>,
) -> Result<Response, Refusal> {
    let scale = at.scale()?;
    let page = off(move || {
        let paper = find_paper(&slug)?;
        let failed = |error| Refusal::new(Code::Failed, format!("the report could not be read: {error}"));
        std::fs::read(standing(&studio, paper, scale)?.html).map_err(failed)
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, page).into_response())
}
