//! What was trained here or brought here, and who plays with it.
//!
//! Law: a file that is brought is bounded, read by the players that would follow it, and kept under a name that the studio
//! gives; the name that its owner gave is a text on the screen and nothing else.

use std::path::Path;

use outplay_lab::files::write_atomically;
use outplay_lab::registry::Listing;
use outplay_lab::spec::Kind;
use outplay_lab::{GameRecord, House, LabError, MatchPlan, Watch, open_game};

use super::bureau::Bureau;
use super::job::{Job, JobInfo, JobState, Request, SavedJob};
use crate::refusal::Refusal;
use crate::{bounds, clock, terms};

/// A network with where it comes from.
pub(super) struct Network {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) game: String,
    /// How it was trained; nothing is known of one that was brought.
    pub(super) method: Option<String>,
    pub(super) state: JobState,
    pub(super) updated: i64,
}

impl Network {
    fn of(job: &Job) -> Option<Self> {
        let course = job.course();
        let SavedJob { request, state, updated, .. } = &course.saved;
        let game = request.teaches().filter(|_| course.has_model)?.to_owned();
        let method = match request {
            Request::Training { method, .. } => Some(method.clone()),
            _ => None,
        };
        let (id, title) = (job.id.clone(), request.title());
        Some(Self { id, title, game, method, state: *state, updated: *updated })
    }
}

impl Bureau {
    /// All networks, newest first.
    pub(super) fn networks(&self) -> Vec<Network> {
        let mut networks: Vec<Network> = self.all().iter().filter_map(|job| Network::of(job)).collect();
        networks.sort_by_key(|network| std::cmp::Reverse(network.updated));
        networks
    }

    /// The file of a network as it stands.
    pub(super) fn product(&self, id: &str) -> Result<std::path::PathBuf, Refusal> {
        self.find(id)?;
        self.means.models.path(id).ok_or_else(|| Refusal::unknown("model", id))
    }

    /// The players who can follow a network, as a page may write them.
    pub(super) fn followers(&self, id: &str, game: &str) -> Vec<String> {
        let Some(path) = self.means.models.path(id) else { return Vec::new() };
        let Ok(house) = open_game(game, &self.means.store) else { return Vec::new() };
        candidates(&*house)
            .into_iter()
            .filter(|player| try_with(&*house, player, &path).is_ok())
            .map(|player| player + id)
            .collect()
    }

    /// Takes a network in that someone brings.
    pub(super) fn adopt(&self, game: &str, name: &str, bytes: &[u8]) -> Result<JobInfo, Refusal> {
        terms::parse(game)?;
        let house = open_game(game, &self.means.store)?;
        let name: String =
            name.chars().filter(|letter| !letter.is_control()).take(bounds::TITLE_LENGTH).collect();
        let name = name.trim();
        if name.is_empty() {
            return Err(Refusal::refused("the network has no name: expected one to show"));
        }
        self.check_room()?;
        let id = clock::new_id();
        let path = self.means.models.product(&id);
        write_atomically(&path, |writer| writer.write_all(bytes)).map_err(LabError::from)?;
        if let Err(refusal) = admit(&*house, &path, name) {
            self.means.models.clear(&id);
            return Err(refusal);
        }
        self.keep(id, Request::Network { game: game.to_owned(), name: name.to_owned() })
    }

    /// A game that a network plays against itself.
    pub(super) fn sample(&self, id: &str, seed: u64) -> Result<(String, GameRecord), Refusal> {
        let job = self.find(id)?;
        let network = Network::of(&job).ok_or_else(|| Refusal::unknown("model", id))?;
        let follower = self.followers(id, &network.game).into_iter().next();
        let player = follower.ok_or_else(|| Refusal::refused("nobody can play with this network"))?;
        let house = open_game(&network.game, &self.means.store)?;
        let hired = terms::player(&*house, &player, 1, &|id| self.means.models.path(id))?;
        let players = vec![hired; house.seats()];
        // Players that always move alike would show the same game for ever.
        let random_plies = if house.seats() == 1 { 0 } else { 2 };
        let plan = MatchPlan { games: 1, seed, random_plies, threads: Some(1), ..MatchPlan::default() };
        let mut played = None;
        let mut write = |record: &GameRecord| played = Some(record.clone());
        house.run_match(&players, &plan, Some(&mut write), Watch::nobody())?;
        let mut record = played.ok_or_else(|| Refusal::refused("no game was played"))?;
        record.players = vec![player.clone(); house.seats()];
        Ok((player, record))
    }
}

/// Those who follow a file, each by a name that lacks nothing but it: `net:file=`, `engine:weights=`.
fn candidates(house: &dyn House) -> Vec<String> {
    let follows = |listing: Listing, begun: String| {
        let files = listing.params.into_iter().filter(|param| matches!(param.kind, Kind::File));
        files.map(move |param| format!("{begun}{}=", param.name)).collect::<Vec<String>>()
    };
    let player = |listing: Listing| {
        let begun = format!("{}:", listing.name);
        follows(listing, begun)
    };
    let judge = |listing: Listing| {
        let begun = format!("alphabeta:depth=2,eval={},", listing.name);
        follows(listing, begun)
    };
    terms::players(house)
        .into_iter()
        .flat_map(player)
        .chain(house.evaluators().into_iter().flat_map(judge))
        .collect()
}

/// Whether a candidate can follow this file.
fn try_with(house: &dyn House, player: &str, path: &Path) -> Result<(), LabError> {
    let escaped = path.to_string_lossy().replace(',', "\\,");
    house.check_player(&format!("{player}{escaped}"), Watch::nobody())
}

/// Refuses a file that nobody can play with, for the reasons of those who might.
fn admit(house: &dyn House, path: &Path, name: &str) -> Result<(), Refusal> {
    let mut reasons: Vec<String> = Vec::new();
    for player in candidates(house) {
        match try_with(house, &player, path) {
            Ok(()) => return Ok(()),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    reasons.dedup();
    let reason = match &*reasons {
        [] => "nobody plays this game with a network".to_owned(),
        reasons => reasons.join("; "),
    };
    // The place where it was tried is nobody's business.
    Err(Refusal::refused(reason.replace(&*path.to_string_lossy(), name)))
}
