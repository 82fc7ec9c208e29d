//! Alpha-beta search: finds what minimax finds, without searching lines that cannot change the result.
//!
//! Iterative deepening from one ply until the budget is spent, a forced result is found within the searched depth, or
//! the referee's last ply is reached. An iteration gives every root move that is among the best its minimax score
//! (that of [`Minimax`](crate::Minimax) with [`TerminalAwareness::Outcomes`](crate::TerminalAwareness::Outcomes)),
//! and proves of the others that they are not better. The answer is the best move of the last iteration, or of the
//! finished part of it. So the fastest win within the depth is found, and the slowest loss. The first ply is finished
//! whatever the budget of nodes, and even when the search is stopped at once, unless its evaluations are slow.
//!
//! This holds for an evaluator that treats all moves alike. If the evaluator names plausible moves, only those are
//! searched, and those beyond its full-depth count are searched at reduced depth first.
//!
//! Within a game the transposition table is kept from move to move, so a move may rest on deeper searches made
//! before.

mod exact;
mod ordering;
mod root;
mod search;
#[cfg(test)]
mod tests;
mod transposition;

use outplay_core::{Evaluator, Player, Position, Seat, Turn};

pub use exact::ExactSearch;

use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;
use root::Root;
use search::{AlphaBetaSearch, MAX_DEPTH, SearchMemory};
use transposition::TranspositionTable;

/// Alpha-beta search over an evaluator.
#[derive(Clone, Debug)]
pub struct AlphaBeta<P: Position, E> {
    evaluator: E,
    budget: Budget,
    candidates: usize,
    memory: SearchMemory<P>,
    /// The root seat for which the table's scores were computed.
    root_seat: Option<Seat>,
    nodes: u64,
}

impl<P: Position, E: Evaluator<P>> AlphaBeta<P, E> {
    /// Entries of the table unless [`with_table`](Self::with_table) says otherwise.
    pub const DEFAULT_TABLE: usize = 1 << 19;

    /// A search within the budget.
    pub fn new(evaluator: E, budget: Budget) -> Self {
        let memory = SearchMemory::new(Self::DEFAULT_TABLE);
        Self { evaluator, budget, candidates: 1, memory, root_seat: None, nodes: 0 }
    }

    /// How many entries a table of this size has room for.
    pub const fn entries_in(bytes: usize) -> usize {
        TranspositionTable::<P::Move>::entries_in(bytes)
    }

    /// The same with a table of this many entries at most, rounded down to a power of two.
    #[must_use]
    pub fn with_table(mut self, entries: usize) -> Self {
        self.memory = SearchMemory::new(entries);
        self
    }

    /// The same, with exact scores for this many of the best moves, at least 1 (multi-PV): slower, for analysis.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        self.candidates = candidates.max(1);
        self
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn prepare(&mut self, seat: Seat) {
        if self.root_seat != Some(seat) {
            self.memory.table.clear();
            self.root_seat = Some(seat);
        }
        self.memory.ordering.clear();
        self.evaluator.set_root_seat(seat);
    }
}

impl<P: Position, E: Evaluator<P>> Player<P> for AlphaBeta<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.root_seat = None;
        self.memory.table.clear();
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let clock = Clock::start(&self.budget, turn.stop_flag());
        self.prepare(view.seat());
        let mut root = Root::new(view, &mut self.evaluator, self.candidates);
        let mut search = AlphaBetaSearch {
            evaluator: &mut self.evaluator,
            memory: &mut self.memory,
            terminal_rules: TerminalRules::new(turn),
            clock,
            depth: 0,
            aborted: false,
        };
        let deepest = self
            .budget
            .depth
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH)
            .min(search.terminal_rules.plies_left());
        loop {
            search.depth += 1;
            root.iterate(view, &mut search);
            if root.knows(search.depth) || search.depth == 1 {
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
