//! Games that an engine plays against itself, with a score for every move.
//!
//! While they are played they are kept in the folder `OUT.run`: `config.json` (what was asked) and `games.jsonl` (one
//! line per game, in the order in which they ended).
//!
//! Game i follows from the parameters, the seed and i alone; a run that was stopped and resumed, on any number of
//! threads, gives the same games as one that never stopped. A game in which the engine fails repeatedly is given up and
//! named, and tried again only if the run is resumed.

use outplay_runtime::WorkError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use outplay_core::{ForeignWords, Game as _, Outcome, Position, PositionHistory, Referee, Rng, View, errors};
use outplay_games::chess::pgn::{CommentScore, PgnGame, PgnPly, PgnReader, PgnResult};
use outplay_games::chess::{Chess, ChessMove};
use outplay_players::Budget;
use serde::{Deserialize, Serialize};

use super::ChessDataParams;
use super::engines::{EngineChoice, OWN, PlayingEngine};
use crate::chess::outside::EngineOptions;
use crate::params::Program;
use crate::spec::Spec;
use outplay_runtime::files::{JsonLinesAppender, JsonLinesReader, make_folder, read_bytes, write_atomically};
use outplay_runtime::on_threads;
use outplay_runtime::{Progress, Watch};
use outplay_training::RunError;
use outplay_uci::driver::{EngineConfig, EngineError};

/// How often an engine may fail in one game before that is given up, and in how many games before the run is, none having succeeded.
const TRIES: usize = 3;
/// How often at most an opening that ends the game is drawn again.
const OPENINGS: u64 = 1000;

/// Separates the random stream of random moves from that of openings.
const BLINDNESS: u64 = 0x626c_696e_646e_6573;

errors! {
    /// Why an engine's games are not there.
    pub enum PlayedGamesError {
        Damaged { folder: PathBuf } =
            "{folder} is damaged: expected whole games" | "{folder} est abîmé : attendu des parties entières",
        GivenUp { game: u64, tries: usize, fault: EngineError } =
            "game {game} was given up after {tries} tries: {fault}"
            | "la partie {game} a été abandonnée après {tries} essais : {fault}",
        OwnOptions =
            "options= has no effect with engine=own: expected neither, or a program"
            | "options= est sans effet avec engine=own : attendu ni l’un ni l’autre, ou un programme",
    }
}

/// The games to play.
pub(super) struct PlayedPlan {
    engine: EngineChoice,
    budget: Budget,
    games: u64,
    opening: u32,
    blind: f64,
    rules: Referee<Chess>,
    seed: u64,
}

/// The games of a run.
pub(super) struct PlayedGames {
    pub(super) games: Vec<PgnGame>,
    /// Why each of the others was given up.
    pub(super) given_up: Vec<String>,
}

/// A game as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptGame {
    game: u64,
    pgn: String,
}

impl PlayedPlan {
    pub(super) fn of(
        Program(engine): &Program,
        params: &ChessDataParams,
        seed: u64,
    ) -> Result<Self, PlayedGamesError> {
        if engine == OWN && params.options.is_some() {
            return Err(PlayedGamesError::OwnOptions);
        }
        let asked = Budget { depth: params.depth, nodes: params.nodes, ..Budget::UNLIMITED };
        let EngineOptions(options) = params.options.clone().unwrap_or_default();
        let config = EngineConfig { command: engine.clone(), options, patience: params.timeout };
        Ok(Self {
            engine: EngineChoice::of(config),
            budget: if asked == Budget::UNLIMITED { Budget::depth(8) } else { asked },
            games: params.games,
            opening: params.opening,
            blind: params.blind,
            rules: Referee { start: Chess::start(), repetitions: Some(3), max_plies: Some(params.plies) },
            seed,
        })
    }

    /// All games in order, those of an unfinished run included.
    pub(super) fn games(
        &self,
        spec: &Spec,
        out: &Path,
        resume: bool,
        threads: Option<usize>,
        watch: Watch<'_>,
    ) -> Result<PlayedGames, WorkError> {
        self.engine.check()?;
        let config = serde_json::json!({ "data": spec.to_string(), "seed": self.seed });
        let mut kept = begin(&folder_of(out), &config, resume)?;
        let given_up = self.play_missing(&mut kept, out, threads, watch)?;
        if ((kept.len() + given_up.len()) as u64) < self.games {
            return Err(WorkError::Stopped);
        }
        let read = |text: &String| {
            let mut games = PgnReader::new(text.as_bytes());
            let game = games.next().and_then(Result::ok);
            game.ok_or_else(|| PlayedGamesError::Damaged { folder: folder_of(out) })
        };
        Ok(PlayedGames { games: kept.values().map(read).collect::<Result<_, _>>()?, given_up })
    }

    /// Plays what is not kept yet, and says why games were given up.
    fn play_missing(
        &self,
        kept: &mut BTreeMap<u64, String>,
        out: &Path,
        threads: Option<usize>,
        watch: Watch<'_>,
    ) -> Result<Vec<String>, WorkError> {
        let missing: Vec<u64> = (0..self.games).filter(|game| !kept.contains_key(game)).collect();
        let hall = GameWorkers {
            plan: self,
            missing: &missing,
            next: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            shelf: Mutex::new(KeptGames {
                kept,
                records: JsonLinesAppender::recover(&folder_of(out).join("games.jsonl"))?,
                given_up: BTreeMap::new(),
                failure: None,
            }),
            watch,
        };
        on_threads(threads, || {
            rayon::broadcast(|_| hall.work());
            Ok::<_, WorkError>(())
        })?;
        let shelf = hall.shelf.into_inner().unwrap_or_else(PoisonError::into_inner);
        shelf.records.sync()?;
        shelf.failure.map_or_else(|| Ok(shelf.given_up.into_values().collect()), Err)
    }

    /// One whole game.
    fn play(
        &self,
        engine: &mut PlayingEngine,
        game: u64,
        stop: &AtomicBool,
    ) -> Result<Option<PgnGame>, EngineError> {
        engine.new_game()?;
        let opening = self.opening(game);
        let (mut state, mut moves) = (PositionHistory::from(self.rules.start), Vec::new());
        let mut written = PgnGame::new(self.rules.start);
        written.tags = self.tags(game);
        for &mv in &opening {
            let mut ply = PgnPly::new(mv);
            ply.comments.push("book".to_owned());
            written.line.plies.push(ply);
            self.rules.play(&mut state, mv);
            moves.push(mv);
        }
        let (mut chance, mut scratch) = (Rng::stream(self.seed ^ BLINDNESS, game), Vec::new());
        let outcome: Outcome = loop {
            if let Some(outcome) = self.rules.outcome(&state) {
                break outcome;
            }
            let ply = if chance.unit() < self.blind {
                PgnPly::new(self.rules.view(&state).random_move(&mut chance, &mut scratch))
            } else {
                let reply = engine.go(&self.rules.start, &moves, &state, &self.budget, stop)?;
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let mut ply = PgnPly::new(reply.best);
                ply.comments.extend(reply.verdict.map(|verdict| comment(verdict, reply.depth)));
                ply
            };
            self.rules.play(&mut state, ply.mv);
            moves.push(ply.mv);
            written.line.plies.push(ply);
        };
        written.result = PgnResult::Finished(outcome);
        Ok(Some(written))
    }

    fn tags(&self, game: u64) -> Vec<(String, String)> {
        let name = self.engine.name();
        [("Round", (game + 1).to_string()), ("White", name.clone()), ("Black", name)]
            .map(|(tag, value)| (tag.to_owned(), value))
            .to_vec()
    }

    /// The random moves with which a game begins: the first draw after which something is left to play.
    fn opening(&self, game: u64) -> Vec<ChessMove> {
        let seed = Rng::stream(self.seed, game).seed();
        let draw = |attempt| {
            let (mut rng, mut scratch) = (Rng::stream(seed, attempt), Vec::new());
            let (mut position, mut moves) = (self.rules.start, Vec::new());
            for _ in 0..self.opening {
                if position.outcome().is_some() {
                    return None;
                }
                moves.push(position.random_move(&mut rng, &mut scratch));
                position.play(moves[moves.len() - 1]);
            }
            position.outcome().is_none().then_some(moves)
        };
        (0..OPENINGS).find_map(draw).unwrap_or_default()
    }
}

/// `+0.57/8`, `-M3/8`: the mover's.
fn comment(verdict: CommentScore, depth: u32) -> String {
    match verdict {
        CommentScore::Centipawns(score) => {
            let sign = if score < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}/{depth}", score.abs() / 100, score.abs() % 100)
        }
        CommentScore::Mate(moves) => format!("{}M{}/{depth}", if moves > 0 { '+' } else { '-' }, moves.abs()),
    }
}

/// The state that the threads share.
struct GameWorkers<'a> {
    plan: &'a PlayedPlan,
    missing: &'a [u64],
    next: AtomicUsize,
    ended: AtomicBool,
    shelf: Mutex<KeptGames<'a>>,
    watch: Watch<'a>,
}

struct KeptGames<'a> {
    kept: &'a mut BTreeMap<u64, String>,
    records: JsonLinesAppender<KeptGame>,
    given_up: BTreeMap<u64, String>,
    failure: Option<WorkError>,
}

impl GameWorkers<'_> {
    fn work(&self) {
        let mut engine = None;
        while !self.ended.load(Ordering::Relaxed) && !self.watch.is_stopped() {
            let Some(&game) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            let played = self.play(&mut engine, game);
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            let entered = match played {
                Ok(None) => return,
                Ok(Some(played)) => shelf.keep(game, &played),
                Err(fault) => shelf.give_up(game, fault, self.plan.games),
            };
            if let Err(error) = entered {
                self.ended.store(true, Ordering::Relaxed);
                shelf.failure.get_or_insert(error);
            }
            let (done, total) = ((shelf.kept.len() + shelf.given_up.len()) as u64, self.plan.games);
            self.watch.show(Progress { task: "playing", done, total, unit: "games" });
        }
    }

    /// Plays a game with an engine that is started if there is none; an engine that fails is replaced.
    /// Nothing, if the run was stopped.
    fn play(&self, engine: &mut Option<PlayingEngine>, game: u64) -> Result<Option<PgnGame>, EngineError> {
        let mut fault = None;
        for _ in 0..TRIES {
            let started = match engine.take() {
                Some(engine) => Ok(engine),
                None => self.plan.engine.start(),
            };
            let played = started.and_then(|mut started| {
                let played = self.plan.play(&mut started, game, self.watch.stop_flag())?;
                *engine = Some(started);
                Ok(played)
            });
            match played {
                Ok(game) => return Ok(game),
                Err(_) if self.watch.is_stopped() => return Ok(None),
                Err(error) => fault = Some(error),
            }
        }
        Err(fault.expect("a game was tried"))
    }
}

impl KeptGames<'_> {
    fn keep(&mut self, game: u64, played: &PgnGame) -> Result<(), WorkError> {
        let pgn = played.to_string();
        self.records.append(&KeptGame { game, pgn: pgn.clone() })?;
        self.kept.insert(game, pgn);
        Ok(())
    }

    /// A game is given up; so is the run, where nothing else came of it.
    fn give_up(&mut self, game: u64, fault: EngineError, games: u64) -> Result<(), WorkError> {
        let error = PlayedGamesError::GivenUp { game: game + 1, tries: TRIES, fault };
        self.given_up.insert(game, error.to_string());
        let is_hopeless = self.kept.is_empty() && self.given_up.len() as u64 >= games.min(TRIES as u64);
        if is_hopeless { Err(error.into()) } else { Ok(()) }
    }
}

fn folder_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".run");
    PathBuf::from(name)
}

/// Whether a run that was to write `out` can be resumed.
pub(super) fn is_unfinished(out: &Path) -> bool {
    folder_of(out).join("config.json").exists()
}

/// The games of an unfinished run, or an empty folder for a new one.
fn begin(
    folder: &Path,
    config: &serde_json::Value,
    resume: bool,
) -> Result<BTreeMap<u64, String>, WorkError> {
    let (kept_config, games) = (folder.join("config.json"), folder.join("games.jsonl"));
    if !resume {
        if kept_config.exists() {
            return Err(RunError::Unfinished { folder: folder.to_owned() }.into());
        }
        make_folder(folder)?;
        write_atomically(&games, |_| Ok(()))?;
        write_atomically(&kept_config, |writer| writeln!(writer, "{config:#}"))?;
        return Ok(BTreeMap::new());
    }
    if !kept_config.exists() {
        return Err(RunError::NoRun { folder: folder.to_owned() }.into());
    }
    let kept = String::from_utf8(read_bytes(&kept_config)?).unwrap_or_default();
    if kept.parse::<serde_json::Value>().ok().as_ref() != Some(config) {
        let kept = ForeignWords::of(&kept.split_whitespace().collect::<Vec<_>>().join(" "));
        return Err(RunError::OtherParameters { folder: folder.to_owned(), kept }.into());
    }
    // Games from a damaged line on are played again.
    let records = JsonLinesReader::<KeptGame>::open(&games)?.map_while(Result::ok);
    Ok(records.map(|kept| (kept.game, kept.pgn)).collect())
}

/// Removes what a finished run has left: its games are in the set.
pub(super) fn forget(out: &Path) -> Result<(), RunError> {
    let path = folder_of(out);
    // A folder without a configuration holds no run, should this be the last that happens.
    let removed = fs::remove_file(path.join("config.json")).and_then(|()| fs::remove_dir_all(&path));
    removed.map_err(|source| RunError::Remove { path, source })
}
