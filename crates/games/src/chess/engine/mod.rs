//! The engine: the strongest way that we know to choose a move in chess.
//!
//! Contract. [`Engine::think`] answers with legal lines for as many candidates as were asked for, best first, within the
//! limits; the first ply is always finished, even if it is told to stop at once. Repetition is judged by the past that
//! comes with the question, the fifty moves by the position. With one thread and limits of depth or nodes the answer
//! depends on nothing but the questions since [`Engine::forget`]; several threads share a table, and what one finds
//! there depends on how fast the others were: their answers may differ from run to run.
//!
//! Laws of this room: a score is the side to move's; nothing is allocated at a node; there is no `unsafe`, so the table is
//! made of atomics (see [`table`]).

mod deepening;
mod history;
mod player;
mod pruning;
mod quiescence;
mod score;
mod search;
mod see;
#[cfg(test)]
mod tests;
mod time;
mod transposition;
mod worker;

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use outplay_core::View;

pub use player::{EnginePlayer, pick_with_noise};
pub use score::EngineScore;
pub use see::is_quiet;
pub use time::{SearchLimits, TimeControl};

use super::classic::ClassicEvaluator;
use super::moves::ChessMove;
use super::rules::Chess;
use time::SearchControl;
use transposition::SharedTranspositionTable;
use worker::{SearchThread, SearchThreadState};

/// What the engine is asked.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position.
    pub position: Chess,
    /// Keys of the positions before it, oldest first.
    pub past: Vec<u64>,
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// The game is drawn after so many more plies.
    pub plies_left: Option<u32>,
    /// The moves to choose from, legal ones, at least one.
    pub moves: Vec<ChessMove>,
    /// How many of the best moves are to get a line of their own.
    pub candidates: usize,
}

impl SearchRequest {
    /// The best move of a position that is not over, nothing being known of its past.
    pub fn new(position: Chess) -> Self {
        Self {
            position,
            past: Vec::new(),
            repetitions: Some(3),
            plies_left: None,
            moves: position.moves(),
            candidates: 1,
        }
    }
}

/// A candidate and what follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalVariation {
    /// Its worth.
    pub score: EngineScore,
    /// The expected moves; there is at least one.
    pub line: Vec<ChessMove>,
    /// The share of all positions that were visited below its first move.
    pub node_share: f64,
}

/// What the engine says after each iteration.
#[derive(Clone, Copy, Debug)]
pub struct SearchInfo<'a> {
    /// How deep every line was searched, in plies.
    pub depth: u32,
    /// How deep the deepest line went.
    pub seldepth: u32,
    /// The candidates, best first.
    pub variations: &'a [PrincipalVariation],
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the question.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

/// Flags that others may change while the engine thinks.
#[derive(Clone, Copy, Default)]
pub struct SearchSignals<'a> {
    /// Once raised, the engine answers with the best it has.
    pub stop: Option<&'a AtomicBool>,
    /// While it is up, the time that passes is the opponent's.
    pub pondering: Option<&'a AtomicBool>,
}

/// A chess engine with its memory.
pub struct ChessEngine {
    table: SharedTranspositionTable,
    workers: Vec<SearchThreadState>,
}

impl ChessEngine {
    /// Room for the table in mebibytes, unless one says otherwise.
    pub const DEFAULT_HASH: usize = 16;

    /// An engine that thinks on so many threads, with a table of so many mebibytes.
    pub fn new(threads: usize, mebibytes: usize, judge: &ClassicEvaluator) -> Self {
        let workers = (0..threads.max(1)).map(|_| SearchThreadState::new(judge.clone())).collect();
        Self { table: SharedTranspositionTable::new(mebibytes), workers }
    }

    /// Forgets everything: what follows depends only on what follows.
    pub fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(SearchThreadState::clear);
    }

    /// Thinks about a question and answers with the candidates, best first.
    pub fn search(
        &mut self,
        question: &SearchRequest,
        limits: &SearchLimits,
        signals: SearchSignals<'_>,
        report: impl FnMut(&SearchInfo<'_>),
    ) -> Vec<PrincipalVariation> {
        self.table.new_search();
        let dog = SearchControl::new(limits, self.workers.len(), signals.stop, signals.pondering);
        let (table, dog) = (&self.table, &dog);
        let mut searches = self.workers.iter_mut().enumerate().map(|(thread, worker)| {
            worker.path.clear();
            worker.path.extend_from_slice(&question.past);
            worker.moves.clear();
            SearchThread {
                state: worker,
                table,
                control: dog,
                request: question,
                thread,
                nodes: 0,
                next_poll: 1,
                seldepth: 0,
                iteration: 1,
                stopped: false,
                root_moves: Vec::new(),
                effort: Vec::new(),
            }
        });
        let mut first = searches.next().expect("an engine has a thread");
        thread::scope(|scope| {
            for mut helper in searches {
                scope.spawn(move || helper.iterative_deepening(&SearchLimits::default(), |_| {}));
            }
            let answer = first.iterative_deepening(limits, report);
            dog.stop_all();
            answer
        })
    }
}
