//! Alpha-beta: what minimax finds, without looking at what cannot matter.
//!
//! Contract. Iterative deepening from one ply until the budget is spent, a result is certain within the
//! searched depth, or the referee's last ply is reached. An iteration gives every root move its minimax worth
//! (that of [`Minimax`](crate::Minimax) with open eyes) if it is among the best, and otherwise the knowledge
//! that it is not; the answer is the best move of the last iteration, or of the part of it that was finished.
//! So the fastest win within the depth is found, and the slowest loss. All this is said of an evaluator that lets every
//! move be considered alike; where it knows better, only the moves that it considers are looked at, and those that it
//! thinks less of not so deep unless they do well. The first ply is always finished: even a
//! stopped player does not play blind.
//!
//! Within a game the table is kept from move to move, so a move may rest on deeper searches made before.

mod ordering;
mod root;
mod search;
mod table;
#[cfg(test)]
mod tests;

use outplay_core::{Evaluator, Player, Position, Seat, Turn};

use crate::budget::{Budget, Clock};
use crate::verdict::Verdicts;
use root::Root;
use search::{MAX_DEPTH, Memory, Search};
use table::Table;

/// Alpha-beta search over an evaluator.
#[derive(Clone, Debug)]
pub struct AlphaBeta<P: Position, E> {
    evaluator: E,
    budget: Budget,
    candidates: usize,
    memory: Memory<P>,
    /// For whom the table's scores were judged.
    served: Option<Seat>,
    nodes: u64,
}

impl<P: Position, E: Evaluator<P>> AlphaBeta<P, E> {
    /// Entries of the table unless [`with_table`](Self::with_table) says otherwise.
    pub const DEFAULT_TABLE: usize = 1 << 19;

    /// A search within the budget.
    pub fn new(evaluator: E, budget: Budget) -> Self {
        let memory = Memory::new(Self::DEFAULT_TABLE);
        Self { evaluator, budget, candidates: 1, memory, served: None, nodes: 0 }
    }

    /// How many entries a table of this size has room for.
    pub const fn entries_in(bytes: usize) -> usize {
        Table::<P::Move>::entries_in(bytes)
    }

    /// The same with a table of this many entries at most, rounded down to a power of two.
    #[must_use]
    pub fn with_table(mut self, entries: usize) -> Self {
        self.memory = Memory::new(entries);
        self
    }

    /// The same, with exact scores for so many of the best moves, at least 1: slower, for analysis. It belongs
    /// to the player and not to the watcher, who changes nothing.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        self.candidates = candidates.max(1);
        self
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn serve(&mut self, seat: Seat) {
        if self.served != Some(seat) {
            self.memory.table.forget();
            self.served = Some(seat);
        }
        self.memory.ordering.forget();
        self.evaluator.serve(seat);
    }
}

impl<P: Position, E: Evaluator<P>> Player<P> for AlphaBeta<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.served = None;
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        self.serve(view.seat());
        let mut root = Root::new(view, &mut self.evaluator, self.candidates);
        let mut search = Search {
            evaluator: &mut self.evaluator,
            memory: &mut self.memory,
            verdicts: Verdicts::new(turn),
            clock: Clock::start(&self.budget, turn.stop_flag()),
            depth: 0,
            abandoned: false,
        };
        let deepest =
            self.budget.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH).min(search.verdicts.plies_left());
        loop {
            search.depth += 1;
            root.iterate(view, &mut search);
            if root.knows(search.depth) {
                turn.show(|| root.thought(&search));
            }
            if search.depth >= deepest || search.clock.is_over() || root.is_settled(search.depth) {
                break;
            }
        }
        self.nodes = search.clock.nodes();
        root.moves[0].mv
    }
}
