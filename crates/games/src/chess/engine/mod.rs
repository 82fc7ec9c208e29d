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

mod clock;
mod deepen;
mod exchange;
mod histories;
mod player;
mod quiesce;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod thrift;
mod value;
mod worker;

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use outplay_core::View;

pub use clock::{Limits, Time};
pub use exchange::is_quiet;
pub use player::{EnginePlayer, pick};
pub use value::Worth;

use super::classic::Classic;
use super::moves::Move;
use super::rules::Chess;
use clock::Watchdog;
use table::Table;
use worker::{Search, Worker};

/// What the engine is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The position.
    pub position: Chess,
    /// Keys of the positions before it, oldest first.
    pub past: Vec<u64>,
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// The game is drawn after so many more plies.
    pub plies_left: Option<u32>,
    /// The moves to choose from, legal ones, at least one.
    pub moves: Vec<Move>,
    /// How many of the best moves are to get a line of their own.
    pub candidates: usize,
}

impl Question {
    /// The best move of a position that is not over, nothing being known of its past.
    pub fn about(position: Chess) -> Self {
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
pub struct Variation {
    /// Its worth.
    pub worth: Worth,
    /// The expected moves; there is at least one.
    pub line: Vec<Move>,
    /// The share of all positions that were visited below its first move.
    pub share: f64,
}

/// What the engine says after each iteration.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// How deep every line was searched, in plies.
    pub depth: u32,
    /// How deep the deepest line went.
    pub deepest: u32,
    /// The candidates, best first.
    pub variations: &'a [Variation],
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the question.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub fullness: u32,
}

/// Flags that others may change while the engine thinks.
#[derive(Clone, Copy, Default)]
pub struct Signals<'a> {
    /// Once raised, the engine answers with the best it has.
    pub stop: Option<&'a AtomicBool>,
    /// While it is up, the time that passes is the opponent's.
    pub pondering: Option<&'a AtomicBool>,
}

/// A chess engine with its memory.
pub struct Engine {
    table: Table,
    workers: Vec<Worker>,
}

impl Engine {
    /// Room for the table in mebibytes, unless one says otherwise.
    pub const DEFAULT_HASH: usize = 16;

    /// An engine that thinks on so many threads, with a table of so many mebibytes.
    pub fn new(threads: usize, mebibytes: usize, judge: &Classic) -> Self {
        let workers = (0..threads.max(1)).map(|_| Worker::new(judge.clone())).collect();
        Self { table: Table::new(mebibytes), workers }
    }

    /// Forgets everything: what follows depends only on what follows.
    pub fn forget(&mut self) {
        self.table.forget();
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Thinks about a question and answers with the candidates, best first.
    pub fn think(
        &mut self,
        question: &Question,
        limits: &Limits,
        signals: Signals<'_>,
        report: impl FnMut(&Report<'_>),
    ) -> Vec<Variation> {
        self.table.grow_older();
        let dog = Watchdog::new(limits, self.workers.len(), signals.stop, signals.pondering);
        let (table, dog) = (&self.table, &dog);
        let mut searches = self.workers.iter_mut().enumerate().map(|(thread, worker)| {
            worker.path.clear();
            worker.path.extend_from_slice(&question.past);
            worker.moves.clear();
            Search {
                worker,
                table,
                dog,
                question,
                thread,
                nodes: 0,
                next_look: 1,
                deepest: 0,
                iteration: 1,
                over: false,
                allowed: Vec::new(),
                effort: Vec::new(),
            }
        });
        let mut first = searches.next().expect("an engine has a thread");
        thread::scope(|scope| {
            for mut helper in searches {
                scope.spawn(move || helper.deepen(&Limits::default(), |_| {}));
            }
            let answer = first.deepen(limits, report);
            dog.end();
            answer
        })
    }
}
