//! `GET /api/catalogue`: the lab's registry, as the page reads it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use outplay_lab::artefact::Published;
use outplay_lab::papers::PAPERS;
use outplay_lab::registry::Listing;
use outplay_lab::spec::{Kind, Param};
use outplay_lab::{AnyGame, Feature, LabError, Store, games, open_game};
use serde::Serialize;
use utoipa::ToSchema;

use crate::bounds;
use crate::dress::{self, Dress};
use crate::specs::{self, bounded};
use crate::studio::Studio;

/// All games, and the limits that the page needs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Catalogue {
    version: &'static str,
    threads: usize,
    /// Bytes of the largest network that may be uploaded.
    largest_network: usize,
    games: Vec<GameInfo>,
}

/// A game with all that can be done with it.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct GameInfo {
    name: &'static str,
    summary: &'static str,
    params: Vec<ParamInfo>,
    seats: usize,
    seat_names: [&'static str; 2],
    opponent: &'static str,
    analyst: &'static str,
    players: Vec<ListingInfo>,
    evaluators: Vec<ListingInfo>,
    methods: Vec<ListingInfo>,
    solvable: bool,
    surveyed: bool,
    formats: &'static [&'static str],
}

/// A player, an evaluator or a method.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ListingInfo {
    name: &'static str,
    summary: &'static str,
    params: Vec<ParamInfo>,
    /// Published values of its curves, for a method.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ghosts: Vec<GhostInfo>,
}

/// A published number that a curve can be compared with.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct GhostInfo {
    curve: &'static str,
    value: f64,
    /// The paper's slug and the artefact.
    source: String,
}

impl GhostInfo {
    fn of(game: &str, method: &str) -> Result<Vec<Self>, LabError> {
        let mut found = Vec::new();
        for paper in PAPERS.iter().filter(|paper| !paper.ghosts.is_empty()) {
            let published = Published::read(paper.published)?;
            for ghost in paper.ghosts.iter().filter(|ghost| (ghost.game, ghost.method) == (game, method)) {
                let source = format!("{}/{}", paper.slug, ghost.artefact);
                found.push(Self { curve: ghost.curve, value: ghost.value(&published)?, source });
            }
        }
        Ok(found)
    }
}

/// A parameter.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ParamInfo {
    name: &'static str,
    #[serde(flatten)]
    kind: KindInfo,
    #[schema(required = true)]
    default: Option<&'static str>,
    help: &'static str,
}

/// The kind of value that a parameter takes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum KindInfo {
    Whole { min: i64, max: i64 },
    Real { min: f64, max: f64 },
    Time { max_seconds: u64 },
    Word { words: Vec<&'static str> },
    Words { expected: String },
    Widths { expected: String },
    Model,
}

impl ParamInfo {
    fn of(param: &Param, threads: usize, evaluators: &[&'static str]) -> Self {
        let param = bounded(param, threads);
        let kind = match param.kind {
            Kind::Whole(min, max) => KindInfo::Whole { min, max },
            Kind::Real(min, max) => KindInfo::Real { min, max },
            Kind::Time => KindInfo::Time { max_seconds: bounds::THINKING_TIME.as_secs() },
            Kind::Word(words) => KindInfo::Word { words: words.to_vec() },
            Kind::Evaluator => KindInfo::Word { words: evaluators.to_vec() },
            Kind::Words(_) | Kind::Text(_) | Kind::Program => KindInfo::Words { expected: param.expected() },
            Kind::Widths => KindInfo::Widths { expected: param.expected() },
            Kind::File => KindInfo::Model,
        };
        Self { name: param.name, kind, default: param.default, help: param.help }
    }
}

impl Catalogue {
    /// Lists all games.
    pub(crate) fn of(store: &Arc<Store>, threads: usize) -> Result<Self, LabError> {
        let game = |entry: &outplay_lab::registry::GameDef| {
            let house = open_game(entry.name, store)?;
            let params = entry.params.iter().map(|param| ParamInfo::of(param, threads, &[])).collect();
            GameInfo::of(entry.name, entry.summary, params, &*house, threads)
        };
        let games = games().iter().map(game).collect::<Result<_, LabError>>()?;
        Ok(Self { version: env!("CARGO_PKG_VERSION"), threads, largest_network: bounds::UPLOAD_BYTES, games })
    }
}

impl GameInfo {
    fn of(
        name: &'static str,
        summary: &'static str,
        params: Vec<ParamInfo>,
        house: &dyn AnyGame,
        threads: usize,
    ) -> Result<Self, LabError> {
        let evaluators: Vec<&'static str> =
            house.info().evaluators.iter().map(|listing| listing.name).collect();
        let listing = |listing: Listing| ListingInfo {
            name: listing.name,
            summary: listing.summary,
            params: listing.params.iter().map(|param| ParamInfo::of(param, threads, &evaluators)).collect(),
            ghosts: Vec::new(),
        };
        let method = |method: Listing| {
            let ghosts = GhostInfo::of(name, method.name)?;
            Ok(ListingInfo { ghosts, ..listing(method) })
        };
        let list = |listings: Vec<Listing>| listings.into_iter().map(listing).collect();
        let Dress { formats, .. } = *dress::of(name);
        let info = house.info();
        Ok(Self {
            name,
            summary,
            params,
            seats: house.info().seats,
            seat_names: house.info().seat_names,
            opponent: house.info().opponent,
            analyst: house.info().analyst,
            players: list(specs::players(house)),
            evaluators: list(info.evaluators.clone()),
            methods: info
                .methods
                .iter()
                .map(|trial| method(trial.listing.clone()))
                .collect::<Result<_, LabError>>()?,
            solvable: info.has(Feature::Solver),
            surveyed: info.has(Feature::Survey),
            formats,
        })
    }
}

/// All games with their players, methods and parameters.
#[utoipa::path(get, path = "/api/catalogue", responses((status = 200, body = Catalogue)))]
pub(crate) async fn get_catalogue(State(studio): State<Arc<Studio>>) -> Json<Catalogue> {
    Json(studio.catalogue.clone())
}
