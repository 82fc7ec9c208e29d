//! The documents: what has been made of them, and their reports.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use outplay_lab::artefact::{Badge, Paper, PaperReport, Scale, reproduce};
use outplay_lab::papers::PAPERS;
use outplay_lab::{Watch, spec::find_named};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::refusal::{Code, Refusal, off};
use crate::routes::Params;
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
    #[schema(value_type = String)]
    badge: Badge,
    reproduced: usize,
    total: usize,
    command: String,
}

/// What is known of a document without running anything.
fn standing(studio: &Studio, paper: &'static Paper, scale: Scale) -> Result<PaperReport, Refusal> {
    Ok(reproduce(paper, &[], scale, 0, &studio.store, Some(1), Watch::nobody())?)
}

/// All documents with what was made of them at a scale.
#[utoipa::path(get, path = "/api/papers", params(AtScale), responses((status = 200, body = PaperList)))]
pub(crate) async fn list(
    State(studio): State<Arc<Studio>>,
    Params(at): Params<AtScale>,
) -> Result<Json<PaperList>, Refusal> {
    let scale = at.scale()?;
    off(move || {
        let info = |paper: &'static Paper| {
            let artefacts =
                standing(&studio, paper, scale)?.artefacts.into_iter().map(|artefact| ArtefactInfo {
                    id: artefact.id,
                    title: artefact.title,
                    badge: artefact.badge,
                    reproduced: artefact.reproduced,
                    total: artefact.total,
                    command: artefact.command,
                });
            let Paper { slug, title, reference, .. } = *paper;
            Ok(PaperInfo { slug, title, reference, artefacts: artefacts.collect() })
        };
        let papers = PAPERS.iter().map(info).collect::<Result<_, Refusal>>()?;
        Ok(Json(PaperList { scale: scale.name(), papers }))
    })
    .await
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
        let unknown = |_| Refusal::unknown("paper", &slug);
        let paper = find_named("paper", &slug, PAPERS, |paper| paper.slug).map_err(unknown)?;
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
