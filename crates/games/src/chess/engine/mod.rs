//! The chess engine: principal variation search with a shared transposition table, several threads, time control.
//!
//! [`ChessEngine::search`] returns legal lines for as many candidates as requested, best first, within the limits. The
//! first iteration has a little more room than the limits say; where it cannot be finished even so, there are fewer
//! candidates, but at least one. Repetition is decided by the past in the request, the fifty-move rule by the position.
//! With one thread and limits of depth or nodes the answer depends only on the requests since [`ChessEngine::clear`].
//! Several threads share a table, so their answers may differ from run to run.
//!
//! A score is always the side to move's. Nothing is allocated at a node. There is no `unsafe`: the table is made of
//! atomics (see `transposition`).

mod deepening;
mod history;
mod levels;
mod player;
mod pruning;
mod quiescence;
mod score;
mod search;
mod search_thread;
mod see;
#[cfg(test)]
mod tests;
mod time;
mod transposition;

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use outplay_core::View;

pub use levels::{LEVELS, Level};
pub use player::{EnginePlayer, pick_with_noise};
pub use score::EngineScore;
pub use see::is_quiet;
pub use time::{SearchLimits, TimeControl};

use super::classic::ClassicEvaluator;
use super::moves::ChessMove;
use super::rules::Chess;
use search_thread::{SearchThread, SearchThreadState};
use time::SearchControl;
use transposition::SharedTranspositionTable;

/// A position to search, with what is known of its past.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position.
    pub position: Chess,
    /// Keys of the positions before it, oldest first, for repetitions.
    pub past: Vec<u64>,
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// The number of plies after which the game is drawn.
    pub plies_left: Option<u32>,
    /// The root moves to choose from: legal, at least one.
    pub moves: Vec<ChessMove>,
    /// How many of the best moves get a line of their own (UCI's `MultiPV`).
    pub candidates: usize,
}

impl SearchRequest {
    /// Asks for the best move of an unfinished position whose past is unknown.
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

/// A candidate move and the line that is expected after it.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalVariation {
    /// Its score.
    pub score: EngineScore,
    /// The expected moves, at least one.
    pub line: Vec<ChessMove>,
    /// The share of all nodes that was spent below its first move.
    pub node_share: f64,
}

/// What the engine reports after each iteration (UCI's `info`).
#[derive(Clone, Copy, Debug)]
pub struct SearchInfo<'a> {
    /// The nominal depth, in plies.
    pub depth: u32,
    /// The selective depth: the length of the longest line.
    pub seldepth: u32,
    /// The candidates, best first.
    pub variations: &'a [PrincipalVariation],
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
}

/// Flags that other threads may change during a search.
#[derive(Clone, Copy, Default)]
pub struct SearchSignals<'a> {
    /// Once set, the engine returns the best move it has.
    pub stop: Option<&'a AtomicBool>,
    /// While set, the engine ponders: the time that passes is the opponent's.
    pub pondering: Option<&'a AtomicBool>,
}

/// A chess engine with its transposition table and history tables.
pub struct ChessEngine {
    table: SharedTranspositionTable,
    threads: Vec<SearchThreadState>,
}

impl ChessEngine {
    /// The default size of the transposition table, in mebibytes.
    pub const DEFAULT_HASH: usize = 16;

    /// An engine with this number of threads and a table of this size in mebibytes.
    pub fn new(threads: usize, mebibytes: usize, evaluator: &ClassicEvaluator) -> Self {
        let threads = (0..threads.max(1)).map(|_| SearchThreadState::new(evaluator.clone())).collect();
        Self { table: SharedTranspositionTable::new(mebibytes), threads }
    }

    /// Clears all tables, so that later searches do not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(SearchThreadState::clear);
    }

    /// Searches and returns the candidates, best first. `report` is called after each iteration.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        limits: &SearchLimits,
        signals: SearchSignals<'_>,
        report: impl FnMut(&SearchInfo<'_>),
    ) -> Vec<PrincipalVariation> {
        self.table.new_search();
        let control = SearchControl::new(limits, self.threads.len(), signals.stop, signals.pondering);
        let (table, control) = (&self.table, &control);
        let threads = self.threads.iter_mut().enumerate();
        let mut searches =
            threads.map(|(thread, state)| SearchThread::new(state, table, control, request, thread));
        let mut first = searches.next().expect("an engine has a thread");
        thread::scope(|scope| {
            for mut helper in searches {
                scope.spawn(move || helper.iterative_deepening(&SearchLimits::default(), |_| {}));
            }
            let answer = first.iterative_deepening(limits, report);
            control.stop_all();
            answer
        })
    }
}
