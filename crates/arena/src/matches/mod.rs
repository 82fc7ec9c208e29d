//! Matches: many games between the same players.
//!
//! This module plays the games, pairs the openings, spreads the work over threads and stops early. Records of games, the
//! statistics of results and the making of players are elsewhere.
//!
//! Invariants:
//! - The result, and the order in which games are observed, depend on the plan alone and not on the threads. Players that
//!   watch the clock are the exception: they may choose another move each time.
//! - Games 2k and 2k + 1 are a pair: the same set-up and random opening, with the seats swapped. With fixed seats, and
//!   in one-player games, the first-named player always sits first and every game has its own opening.
//! - In game i each player draws from its own generator, made from the seed and i.
//! - A player that cannot go on forfeits the game through its turn: the game is lost, the match goes on, and the result
//!   counts it. An illegal move is a bug in the player and ends the match.
//! - Games are counted pair by pair, in order, until the plan, the sequential test, the stop flag or an error ends
//!   the match. Games beyond that point are thrown away, and so is every game that the stop flag cut short.
//! - A pair (or a game that has no partner) that repeats an earlier one move for move counts in the score but adds no
//!   evidence: intervals, likelihoods and the sequential test count distinct units only.

mod distinct;
mod ledger;
mod opening;
mod result;
mod table;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use outplay_core::{Game, MoveOf, Player, View, errors};
use rayon::ThreadPoolBuildError;

use outplay_runtime::WorkerPool;

use crate::stats::Sprt;
pub use distinct::fingerprint;
use ledger::MatchLedger;
pub use opening::{OPENING_TRIES, set_up};
pub use result::{GameOutcome, MatchResult, MatchStanding, MatchSummary};
use table::MatchTable;
pub use table::seat_of_first_named;

/// What to play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchPlan {
    /// How many games, at most. An odd last game has no partner.
    pub games: u64,
    /// The seed of every random choice.
    pub seed: u64,
    /// How many plies are drawn at random before the players take over. An opening that ends the game is drawn
    /// again, from the next generator in its own sequence, up to [`OPENING_TRIES`] times.
    pub random_plies: u32,
    /// Whether the first-named player always sits first.
    pub fixed_seats: bool,
    /// How many games are played at a time; as many as the machine has cores if not said.
    pub threads: Option<usize>,
    /// A test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// Whether so many players play each opening twice, with seats changed.
    pub const fn is_paired(&self, players: usize) -> bool {
        !self.fixed_seats && players == 2
    }
}

/// A player by name, and how to make one for each thread.
#[derive(Clone)]
pub struct Contestant<'a, V: View> {
    /// The name as the user wrote it.
    pub name: &'a str,
    /// Makes a player that plays like every other one made here.
    pub make: &'a (dyn Fn() -> Box<dyn Player<V>> + Sync),
}

impl<V: View> Copy for Contestant<'_, V> {}

impl<V: View> fmt::Debug for Contestant<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).finish_non_exhaustive()
    }
}

errors! {
    /// Why a match could not be played to its end.
    #[derive(Clone, PartialEq, Eq)]
    pub enum MatchError {
        Seats { expected: usize, given: usize } =
            "{given} players were named, but the game expects {expected}"
            | "{given} joueurs sont nommés, mais le jeu en attend {expected}",
        /// The game counts from 0 as in [`GameOutcome::index`], the ply is the number of plies before the move.
        IllegalMove { player: String, mv: String, game: u64, ply: usize } =
            "{player} answered with the illegal move {mv} at ply {ply} of game {game}: expected a legal one"
            | "{player} a répondu par le coup illégal {mv} au coup {ply} de la partie {game} : attendu un coup légal",
        /// The game counts from 1, as in a file of records.
        OtherBeginning { game: u64, players: Vec<String> } =
            "the recorded game {game} of {players} began otherwise: expected the same seats and random plies to go on with it"
            | "la partie {game} de {players} a commencé autrement : attendu les mêmes places et coups au hasard pour la poursuivre",
        NoOpening { plies: u32, tries: u64 } =
            "{plies} random plies ended the game in all of {tries} openings: expected fewer plies"
            | "{plies} coups au hasard ont fini la partie dans chacune des {tries} ouvertures : attendu moins de coups",
        NoThreads = "0 threads play no game: expected at least 1" | "0 fil ne joue aucune partie : attendu au moins 1",
        Threads { threads: usize, reason: String } =
            "cannot start {threads} threads: {reason}" | "impossible de lancer {threads} fils : {reason}",
    }
}

/// What an observer is shown after each counted game.
#[derive(Debug)]
pub struct MatchProgress<'a, M> {
    /// The game.
    pub game: &'a GameOutcome<M>,
    /// The results up to this game.
    pub standing: &'a MatchStanding,
    /// The games that the plan asks for.
    pub planned: u64,
}

/// Called with every counted game, in order.
pub type MatchObserver<'a, M> = dyn FnMut(&MatchProgress<'_, M>) + Send + 'a;

/// Plays the match: one contestant for each seat that the game has. Results are the first-named one's.
///
/// Raising `stop` ends it early, with the games counted so far.
pub fn run_match<G: Game>(
    game: &G,
    contestants: &[Contestant<'_, G::View>],
    plan: &MatchPlan,
    observer: &mut MatchObserver<'_, MoveOf<G>>,
    stop: &AtomicBool,
) -> Result<MatchResult<MoveOf<G>>, MatchError> {
    resume_match(game, contestants, plan, Vec::new(), observer, stop)
}

/// Goes on with a match of which the first games are known. They are counted and observed like the others, and not played again.
/// Games that did not begin as the plan says are refused.
pub fn resume_match<G: Game>(
    game: &G,
    contestants: &[Contestant<'_, G::View>],
    plan: &MatchPlan,
    known: Vec<GameOutcome<MoveOf<G>>>,
    observer: &mut MatchObserver<'_, MoveOf<G>>,
    stop: &AtomicBool,
) -> Result<MatchResult<MoveOf<G>>, MatchError> {
    if contestants.len() != game.seats() {
        return Err(MatchError::Seats { expected: game.seats(), given: contestants.len() });
    }
    let paired = plan.is_paired(contestants.len());
    let run = MatchRun {
        table: MatchTable {
            game,
            contestants,
            seed: plan.seed,
            random_plies: plan.random_plies,
            paired,
            stop,
            known,
        },
        games: plan.games,
        next: AtomicU64::new(0),
        ended: AtomicBool::new(false),
        ledger: Mutex::new(MatchLedger::new(plan, paired, observer)),
    };
    run.table.check_known()?;
    run.play_all(plan.threads)?;
    run.ledger.into_inner().unwrap_or_else(PoisonError::into_inner).close()
}

/// A match being played. Each thread takes the next game, plays it, and enters it in the ledger.
struct MatchRun<'a, 'o, G: Game> {
    table: MatchTable<'a, G>,
    games: u64,
    next: AtomicU64,
    /// Raised once no further game can count.
    ended: AtomicBool,
    ledger: Mutex<MatchLedger<'a, 'o, MoveOf<G>>>,
}

impl<G: Game> MatchRun<'_, '_, G> {
    /// Plays on threads of its own, so that matches that run at the same time share the machine fairly and a
    /// player that thinks in parallel stays within the threads of its match.
    fn play_all(&self, threads: Option<usize>) -> Result<(), MatchError> {
        let mut pool = WorkerPool::for_pieces(threads, self.games);
        let threads = pool.most();
        if threads == 0 {
            return Err(MatchError::NoThreads);
        }
        let refused =
            |error: ThreadPoolBuildError| MatchError::Threads { threads, reason: error.to_string() };
        while !self.is_over() {
            let pool = pool.resize().map_err(refused)?;
            pool.broadcast(|| self.work(pool));
        }
        Ok(())
    }

    /// Whether no further game is to be begun.
    fn is_over(&self) -> bool {
        let raised = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        raised(&self.ended) || raised(self.table.stop) || self.next.load(Ordering::Relaxed) >= self.games
    }

    /// Plays one game after the other, for as long as the pool is of the right size.
    fn work(&self, pool: &WorkerPool) {
        let _raised_if_a_player_panics = RaiseOnPanic(&self.ended);
        let mut players = self.table.seat_players();
        while !self.ended.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.games {
                break;
            }
            let played = match self.table.recall(index) {
                Some(known) => Some(Ok(known)),
                None => self.table.play(&mut players, index, &self.ended).transpose(),
            };
            let Some(played) = played else { break };
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            ledger.enter(index, played);
            if ledger.is_closed() {
                self.ended.store(true, Ordering::Relaxed);
            }
            drop(ledger);
            if !pool.has_right_size() {
                break;
            }
        }
    }
}

/// Ends the other threads when one of them panics.
struct RaiseOnPanic<'a>(&'a AtomicBool);

impl Drop for RaiseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
