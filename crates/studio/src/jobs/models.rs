//! Models that were trained here or uploaded, and the players that can use them.
//!
//! An uploaded file is bounded in size, must be readable by a player of its game, and is kept under an identifier of the studio's. The
//! name that came with it is only shown.

use outplay_runtime::WorkError;
use std::path::Path;

use outplay_arena::{GameRecord, MatchPlan};
use outplay_core::{Language, Text, errors};
use outplay_lab::params::ParamKind;
use outplay_lab::registry::Listing;
use outplay_lab::{AnyGame, open_game};
use outplay_runtime::Watch;
use outplay_runtime::files::write_atomically;

use super::job::{Job, JobInfo, JobState, SavedJob};
use super::queue::JobQueue;
use super::request::JobRequest;
use crate::refusal::{Code, CodedError, Refusal, Resource};
use crate::tables::name_of;
use crate::{bounds, clock, specs};

errors! {
    /// Why a model is not kept, sent or played with.
    pub(super) enum ModelError {
        Unnamed = "the network has no name: expected one to show" | "le réseau n’a pas de nom : attendu un nom à montrer",
        NoPlayer = "nobody plays this game with a network" | "personne ne joue à ce jeu avec un réseau",
        Unplayable = "nobody can play with this network" | "personne ne peut jouer avec ce réseau",
        NoGame = "no game was played" | "aucune partie n’a été jouée",
        Unreadable { reason: std::io::Error } =
            "the model could not be read: {reason}" | "le réseau n’a pu être lu : {reason}",
    }
}

impl CodedError for ModelError {
    fn code(&self) -> Code {
        match self {
            Self::Unreadable { .. } => Code::Failed,
            _ => Code::Refused,
        }
    }
}

/// A model and where it comes from.
pub(super) struct TrainedModel {
    pub(super) id: String,
    pub(super) title: Text,
    pub(super) game: String,
    /// How it was trained; `None` if it was uploaded.
    pub(super) method: Option<String>,
    pub(super) state: JobState,
    pub(super) updated: i64,
}

impl TrainedModel {
    fn of(job: &Job) -> Option<Self> {
        let status = job.status();
        let SavedJob { request, state, updated, .. } = &status.saved;
        let game = request.model_game().filter(|_| status.has_model)?.to_owned();
        let method = match request {
            JobRequest::Training { method, .. } => Some(method.clone()),
            _ => None,
        };
        let (id, title) = (job.id.clone(), request.title());
        Some(Self { id, title, game, method, state: *state, updated: *updated })
    }
}

impl JobQueue {
    /// All models, newest first.
    pub(super) fn trained_models(&self) -> Vec<TrainedModel> {
        let mut models: Vec<TrainedModel> =
            self.all_jobs().iter().filter_map(|job| TrainedModel::of(job)).collect();
        models.sort_by_key(|model| std::cmp::Reverse(model.updated));
        models
    }

    /// The file of a model as it is now.
    pub(super) fn product(&self, id: &str) -> Result<std::path::PathBuf, Refusal> {
        self.find(id)?;
        self.runner.files.path(id).ok_or_else(|| Refusal::unknown(Resource::Model, id))
    }

    /// The players of a board that can use a model, as a request names them.
    pub(super) fn players_with(&self, id: &str, game: &str) -> Vec<String> {
        let Ok(board) = open_game(game, &self.runner.store) else { return Vec::new() };
        self.starts_with(id, &*board).into_iter().map(|player| player + id).collect()
    }

    /// Whether a model can be evaluated on a board.
    pub(super) fn can_evaluate(&self, id: &str, game: &str) -> bool {
        let path = self.runner.files.path(id);
        let board = open_game(game, &self.runner.store).ok();
        board.zip(path).is_some_and(|(board, path)| board.check_evaluation(&path).is_ok())
    }

    /// The same, written up to the file.
    fn starts_with(&self, id: &str, board: &dyn AnyGame) -> Vec<String> {
        let Some(path) = self.runner.files.path(id) else { return Vec::new() };
        let mut players = file_players(board);
        players.retain(|player| try_with(board, player, &path).is_ok());
        players
    }

    /// What on this board can use some model that is here.
    pub(crate) fn fitting_players(&self, board: &dyn AnyGame) -> FittingPlayers {
        let info = board.info();
        let mut listings = info.players.iter().chain(&info.evaluators);
        if !listings.any(needs_file) {
            return FittingPlayers(Vec::new());
        }
        let of_this_game = |model: &TrainedModel| name_of(&model.game) == name_of(&info.spec);
        let models = self.trained_models().into_iter().filter(of_this_game);
        FittingPlayers(models.flat_map(|model| self.starts_with(&model.id, board)).collect())
    }

    /// Adds an uploaded model.
    pub(super) fn add_model(&self, game: &str, name: &str, bytes: &[u8]) -> Result<JobInfo, Refusal> {
        specs::parse(game)?;
        let board = open_game(game, &self.runner.store)?;
        let name: String =
            name.chars().filter(|letter| !letter.is_control()).take(bounds::TITLE_LENGTH).collect();
        let name = name.trim();
        if name.is_empty() {
            return Err(ModelError::Unnamed.into());
        }
        self.check_capacity()?;
        let id = clock::new_id();
        let path = self.runner.files.product(&id);
        write_atomically(&path, |writer| writer.write_all(bytes)).map_err(WorkError::from)?;
        if let Err(refusal) = check_playable(&*board, &path, name) {
            self.runner.files.clear(&id);
            return Err(refusal);
        }
        let request = JobRequest::Network { game: game.to_owned(), name: name.to_owned() };
        self.add_finished(id.clone(), request).inspect_err(|_| self.runner.files.clear(&id))
    }

    /// A game of a model against itself.
    pub(super) fn sample(
        &self,
        id: &str,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<(String, GameRecord), Refusal> {
        let job = self.find(id)?;
        let model = TrainedModel::of(&job).ok_or_else(|| Refusal::unknown(Resource::Model, id))?;
        let player = self.players_with(id, &model.game).into_iter().next();
        let player = player.ok_or(ModelError::Unplayable)?;
        let board = open_game(&model.game, &self.runner.store)?;
        let resolved = specs::player(&*board, &player, 1, &|id| self.runner.files.path(id))?;
        let players = vec![resolved; board.info().seats];
        // Deterministic players would always play the same game.
        let random_plies = if board.info().seats == 1 { 0 } else { 2 };
        let plan = MatchPlan { games: 1, seed, random_plies, threads: Some(1), ..MatchPlan::default() };
        let mut played = None;
        let mut write = |record: &GameRecord| played = Some(record.clone());
        board.entrants(&players, watch)?.run_match_of_all(&plan, Some(&mut write), watch)?;
        let mut record = played.ok_or(ModelError::NoGame)?;
        record.players = vec![player.clone(); board.info().seats];
        Ok((player, record))
    }
}

/// What on a board can use some model, written up to the file.
pub(crate) struct FittingPlayers(Vec<String>);

impl FittingPlayers {
    /// Whether the player works: it needs no file, or there is one for it.
    pub(crate) fn has_player(&self, listing: &Listing) -> bool {
        let start = format!("{}:", listing.name);
        !needs_file(listing) || self.0.iter().any(|player| player.starts_with(&start))
    }

    /// The same of an evaluator.
    pub(crate) fn has_evaluator(&self, listing: &Listing) -> bool {
        let start = evaluator_start(listing);
        !needs_file(listing) || self.0.iter().any(|player| player.starts_with(&start))
    }
}

fn needs_file(listing: &Listing) -> bool {
    listing.params.iter().any(|param| matches!(param.kind, ParamKind::NeededFile))
}

/// The player with which models for an evaluator are tried.
fn evaluator_start(listing: &Listing) -> String {
    format!("alphabeta:depth=2,eval={},", listing.name)
}

/// The players with a file parameter, written up to the file: `net:file=`, `engine:weights=`.
fn file_players(board: &dyn AnyGame) -> Vec<String> {
    let with_file = |listing: Listing, start: String| {
        let files = listing
            .params
            .into_iter()
            .filter(|param| matches!(param.kind, ParamKind::File | ParamKind::NeededFile));
        files.map(move |param| format!("{start}{}=", param.name)).collect::<Vec<String>>()
    };
    let player = |listing: Listing| {
        let start = format!("{}:", listing.name);
        with_file(listing, start)
    };
    let evaluator = |listing: Listing| {
        let start = evaluator_start(&listing);
        with_file(listing, start)
    };
    specs::players(board)
        .into_iter()
        .flat_map(player)
        .chain(board.info().evaluators.iter().cloned().flat_map(evaluator))
        .collect()
}

/// Fails if the player cannot use this file.
fn try_with(board: &dyn AnyGame, player: &str, path: &Path) -> Result<(), WorkError> {
    let escaped = path.to_string_lossy().replace(',', "\\,");
    board.entrants(&[format!("{player}{escaped}")], Watch::nobody()).map(drop)
}

/// Refuses a file that no player can use, with the reasons of the players that might.
fn check_playable(board: &dyn AnyGame, path: &Path, name: &str) -> Result<(), Refusal> {
    let mut reasons: Vec<Text> = Vec::new();
    for player in file_players(board) {
        let Err(error) = try_with(board, &player, path) else { return Ok(()) };
        let reason = Text::of(&error);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        return Err(ModelError::NoPlayer.into());
    }
    // The path is the studio's own; the client knows the name.
    let path = path.to_string_lossy();
    let said = |language: Language, separator: &str| {
        let reasons: Vec<&str> = reasons.iter().map(|reason| reason.get(language)).collect();
        reasons.join(separator).replace(&*path, name).into()
    };
    let reasons = Text { en: said(Language::English, "; "), fr: said(Language::French, " ; ") };
    Err(Refusal::new(Code::Refused, &reasons))
}
