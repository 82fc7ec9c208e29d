//! `GET /api/catalogue` and `GET /api/board`: the lab's registry, as the page reads it. What does not work on a board is not listed.

use axum::Json;
use axum::extract::State;
use outplay_core::Text;
use outplay_core::scene::Palette;
use outplay_lab::params::{Param, ParamKind};
use outplay_lab::registry::{GameDef, Listing, Preset, Trial};
use outplay_lab::spec::{Noun, find_named};
use outplay_lab::{AnyGame, Feature, games};
use outplay_papers::PAPERS;
use outplay_papers::artefact::Published;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::bounded_schemas::SpecSchema;
use crate::bounds;
use crate::export::{board_of_position, formats};
use crate::refusal::{Refusal, run_blocking};
use crate::routes::{JsonReply, QueryParams, StudioState};
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
pub(crate) struct GameInfo {
    name: &'static str,
    title: Text,
    summary: Text,
    params: Vec<ParamInfo>,
    seats: usize,
    seat_names: [Text; 2],
    opponent: &'static str,
    analyst: &'static str,
    players: Vec<ListingInfo>,
    evaluators: Vec<ListingInfo>,
    methods: Vec<ListingInfo>,
    /// How its models are evaluated; null where none can be.
    #[schema(required = true)]
    evaluation: Option<ListingInfo>,
    surveyed: bool,
    /// Whether there is more than players see, so that moves alone do not tell a game.
    has_secrets: bool,
    formats: Vec<&'static str>,
    /// The boards that people ask for by name, the usual one first.
    presets: Vec<PresetInfo>,
    /// A board on which a training shows something soon; the usual one, if it is null.
    #[schema(required = true)]
    training_board: Option<&'static str>,
    /// A position that shows what the game is like; the start of the usual board, if it is null.
    #[schema(required = true)]
    picture: Option<PictureInfo>,
    /// What the position editor offers; null where the game has no editor.
    #[schema(required = true)]
    palette: Option<Palette>,
}

/// A position with the board that it is of.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PictureInfo {
    game: String,
    position: String,
}

/// A board that people ask for by name.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PresetInfo {
    title: Text,
    /// Its size.
    detail: &'static str,
    game: &'static str,
}

/// A player, an evaluator or a method.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ListingInfo {
    name: &'static str,
    summary: Text,
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
    fn of(game: &str, method: &str) -> Result<Vec<Self>, WorkError> {
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
    default: Option<String>,
    help: Text,
}

/// The kind of value that a parameter takes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum KindInfo {
    Whole { min: i64, max: i64 },
    Real { min: f64, max: f64 },
    Time { max_seconds: u64 },
    Word { words: Vec<&'static str> },
    Words { expected: Text },
    Widths { expected: Text },
    Model,
}

impl ParamInfo {
    fn of(param: &Param, threads: usize, evaluators: &[&'static str]) -> Self {
        let param = bounded(param, threads);
        let kind = match &param.kind {
            &ParamKind::Whole(min, max) => KindInfo::Whole { min, max },
            &ParamKind::Real(min, max) => KindInfo::Real { min, max },
            ParamKind::Time => KindInfo::Time { max_seconds: bounds::THINKING_TIME.as_secs() },
            ParamKind::Word(words) => KindInfo::Word { words: words.to_vec() },
            ParamKind::Evaluator => KindInfo::Word { words: evaluators.to_vec() },
            ParamKind::Words(_) | ParamKind::Text(_) | ParamKind::Program => {
                KindInfo::Words { expected: param.expected() }
            }
            ParamKind::Widths => KindInfo::Widths { expected: param.expected() },
            ParamKind::File | ParamKind::NeededFile => KindInfo::Model,
            // As in `specs`: no person is asked.
            ParamKind::WordOrFile(words) => {
                KindInfo::Word { words: words.iter().copied().filter(|word| *word != specs::HUMAN).collect() }
            }
        };
        Self { name: param.name, kind, default: param.default, help: param.help }
    }
}

impl Catalogue {
    /// Lists all games, each with what its usual board offers.
    fn of(studio: &Studio) -> Result<Self, Refusal> {
        let game = |def: &GameDef| GameInfo::of(def, &*studio.tables.open_board(def.name)?, studio);
        let games = games().iter().map(game).collect::<Result<_, Refusal>>()?;
        let (version, threads) = (env!("CARGO_PKG_VERSION"), studio.threads);
        Ok(Self { version, threads, largest_network: bounds::UPLOAD_BYTES, games })
    }
}

impl GameInfo {
    /// A game with what one of its boards offers. What needs a network is there if one comes with the program or was trained here for
    /// this board.
    fn of(def: &GameDef, board: &dyn AnyGame, studio: &Studio) -> Result<Self, Refusal> {
        let info = board.info();
        let fitting = studio.jobs.fitting_players(board);
        let evaluators: Vec<&Listing> =
            info.evaluators.iter().filter(|one| fitting.has_evaluator(one)).collect();
        let names: Vec<&'static str> = evaluators.iter().map(|listing| listing.name).collect();
        let param = |param: &Param| ParamInfo::of(param, studio.threads, &names);
        let listing = |listing: &Listing| ListingInfo {
            name: listing.name,
            summary: listing.summary.clone(),
            params: listing.params.iter().map(param).collect(),
            ghosts: Vec::new(),
        };
        let method = |trial: &Trial| {
            let ghosts = GhostInfo::of(def.name, trial.listing.name)?;
            Ok(ListingInfo { ghosts, ..listing(&trial.listing) })
        };
        let preset =
            |&Preset { ref title, detail, game }: &Preset| PresetInfo { title: title.clone(), detail, game };
        let picture = def.picture.map(|position| {
            let game = board_of_position(&studio.tables, position, def.name)?;
            Ok::<_, Refusal>(PictureInfo { game, position: position.to_owned() })
        });
        let picture = picture.transpose()?;
        let players = specs::players(board);
        Ok(Self {
            name: def.name,
            title: def.title.clone(),
            summary: def.summary.clone(),
            params: def.params.iter().map(param).collect(),
            seats: info.seats,
            seat_names: info.seat_names.clone(),
            opponent: info.opponent,
            analyst: info.analyst,
            players: players.iter().filter(|player| fitting.has_player(player)).map(listing).collect(),
            evaluators: evaluators.into_iter().map(listing).collect(),
            methods: info.methods.iter().map(method).collect::<Result<_, WorkError>>()?,
            evaluation: info.evaluation.as_ref().map(listing),
            surveyed: info.has(Feature::Survey),
            has_secrets: info.has_secrets,
            formats: formats(info),
            presets: def.presets.iter().map(preset).collect(),
            training_board: def.training_board,
            picture,
            palette: info.palette.clone(),
        })
    }
}

/// All games with their players, methods and parameters.
#[utoipa::path(get, path = "/api/catalogue", responses((status = 200, body = Catalogue)))]
pub(crate) async fn get_catalogue(State(studio): StudioState) -> JsonReply<Catalogue> {
    run_blocking(move || Catalogue::of(&studio).map(Json)).await
}

/// The board that is asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// The game with its parameters.
    #[param(value_type = SpecSchema, inline)]
    game: String,
}

/// A game with what one of its boards offers.
#[utoipa::path(get, path = "/api/board", params(BoardQuery), responses((status = 200, body = GameInfo)))]
pub(crate) async fn get_board(
    State(studio): StudioState,
    QueryParams(query): QueryParams<BoardQuery>,
) -> JsonReply<GameInfo> {
    run_blocking(move || {
        let board = studio.tables.open_board(&query.game)?;
        let name = specs::parse(&query.game)?.name;
        let def = find_named(Noun::Game, &name, games(), |def| def.name)?;
        GameInfo::of(def, &*board, &studio).map(Json)
    })
    .await
}
