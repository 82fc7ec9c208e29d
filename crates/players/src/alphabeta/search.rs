//! The recursion below the root: principal variation search with a transposition table and late move reductions.
//!
//! [`AlphaBetaSearch::negamax`] returns the side to move's score, with forced results counted from the root. It is
//! fail-soft: at or below `alpha` the result is an upper bound of the true score, at or above `beta` a lower bound,
//! and exact in between. "True" means minimax to the given depth over the plausible moves; deeper where the table
//! knows more, and less deep where a move beyond the full-depth count fails low at reduced depth. Positions on the
//! path are draws when the referee counts repetitions; such path-dependent draws enter the table, as is usual.
//!
//! References: D. E. Knuth, R. W. Moore, An analysis of alpha-beta pruning (1975); T. A. Marsland, M. Campbell,
//! Parallel search of strongly ordered game trees (1982), for the zero window; J. Schaeffer, The history heuristic
//! (1989).

use outplay_core::{Evaluator, Position, Score};

use super::ordering::MoveOrdering;
use super::transposition::{BoundKind, TranspositionTable};
use crate::budget::Clock;
use crate::terminal::TerminalRules;

/// The maximum search depth.
pub(super) const MAX_DEPTH: u32 = 250;

/// Moves beyond the evaluator's full-depth count are first searched this many plies less deep.
const REDUCTION: u32 = 1;

/// What a search keeps from node to node, and a player from move to move.
#[derive(Clone, Debug)]
pub(super) struct SearchMemory<P: Position> {
    pub(super) table: TranspositionTable<P::Move>,
    pub(super) ordering: MoveOrdering<P>,
    /// The moves of every position on the path, one after the other, and their ordering scores.
    pub(super) moves: Vec<P::Move>,
    pub(super) ranks: Vec<i32>,
    /// The principal variation at every ply.
    pub(super) pv_lines: Vec<Vec<P::Move>>,
}

impl<P: Position> SearchMemory<P> {
    pub(super) fn new(entries: usize) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            table: TranspositionTable::new(entries),
            ordering: MoveOrdering::new(plies),
            moves: Vec::new(),
            ranks: Vec::new(),
            pv_lines: vec![Vec::new(); plies],
        }
    }

    /// Puts the best of the moves from `index` on at `index`, and returns it.
    pub(super) fn pick(&mut self, index: usize) -> P::Move {
        let mut best = index;
        for other in index + 1..self.ranks.len() {
            if self.ranks[other] > self.ranks[best] {
                best = other;
            }
        }
        self.moves.swap(index, best);
        self.ranks.swap(index, best);
        self.moves[index]
    }

    /// The variation at `ply` becomes the move, followed by the variation of the next ply.
    fn extend_pv(&mut self, mv: P::Move, ply: usize) {
        let (above, below) = self.pv_lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// One search in progress.
pub(super) struct AlphaBetaSearch<'a, P: Position, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) memory: &'a mut SearchMemory<P>,
    pub(super) terminal_rules: TerminalRules,
    pub(super) clock: Clock<'a>,
    /// The depth of the iteration. The first iteration ends only if it is overdue.
    pub(super) depth: u32,
    /// The iteration was aborted; its scores are meaningless.
    pub(super) aborted: bool,
}

/// A node being searched, with the results of the moves tried so far.
struct AlphaBetaNode<M> {
    alpha: Score,
    beta: Score,
    depth: u32,
    ply: u32,
    best: Score,
    best_move: Option<M>,
    /// All full-depth moves have been tried.
    is_late: bool,
}

impl<M> AlphaBetaNode<M> {
    /// Whether this is a PV node, which needs an exact score and a variation.
    fn is_pv(&self) -> bool {
        is_wide(self.alpha, self.beta)
    }
}

fn is_wide(alpha: Score, beta: Score) -> bool {
    beta.value() - alpha.value() > 1
}

/// The smallest score above this one.
pub(super) fn just_above(score: Score) -> Score {
    Score::from_value(score.value() + 1)
}

/// The greatest score below this one.
pub(super) fn just_below(score: Score) -> Score {
    Score::from_value(score.value() - 1)
}

impl<P: Position, E: Evaluator<P>> AlphaBetaSearch<'_, P, E> {
    /// Counts the node, and returns its score for the side to move if no search is needed.
    #[inline]
    pub(super) fn visit(&mut self, position: &P, depth: u32, ply: u32) -> Option<Score> {
        if self.clock.tick() && (self.depth > 1 || self.clock.is_overdue()) {
            self.aborted = true;
            return Some(Score::EVEN);
        }
        let score = match self.terminal_rules.at(position, ply) {
            Some(end) => end,
            None if depth == 0 => self.evaluator.score(position),
            None => return None,
        };
        Some(score.delayed(ply))
    }

    /// The score of an unfinished position with at least one ply to search; see the head of the module.
    pub(super) fn negamax(&mut self, position: &P, alpha: Score, beta: Score, depth: u32, ply: u32) -> Score {
        let is_pv = is_wide(alpha, beta);
        if is_pv {
            self.memory.pv_lines[ply as usize].clear();
        }
        let key = self.table_key(position, depth);
        let entry = self.memory.table.probe(key);
        if let Some(entry) = entry.filter(|entry| !is_pv && self.is_deep_enough(entry.depth(), depth, ply))
            && let Some(score) = entry.cutoff_score(alpha, beta, ply)
        {
            return score;
        }
        let tt_move = entry.and_then(|entry| entry.mv()).filter(|&mv| position.is_legal(mv));
        let mut node =
            AlphaBetaNode { alpha, beta, depth, ply, best: Score::MIN, best_move: None, is_late: false };
        self.terminal_rules.enter(position);
        self.try_moves(position, tt_move, &mut node);
        self.terminal_rules.leave();
        if !self.aborted {
            let bound = match node.best {
                best if best >= beta => BoundKind::Lower,
                best if best <= alpha => BoundKind::Upper,
                _ => BoundKind::Exact,
            };
            self.memory.table.store(key, node.best_move, (bound, node.best), depth, ply);
        }
        node.best
    }

    /// If the iteration reaches the referee's draw by length, a score holds only at this distance from it, so such
    /// scores get keys of their own.
    fn table_key(&self, position: &P, depth: u32) -> u64 {
        let salt =
            if self.reaches_limit() { u64::from(depth + 1).wrapping_mul(0xa24b_aed4_963e_e407) } else { 0 };
        position.key() ^ salt
    }

    fn reaches_limit(&self) -> bool {
        self.depth == self.terminal_rules.plies_left()
    }

    /// A stored score must be at least as deep as this search, and not reach past the referee's draw by length.
    fn is_deep_enough(&self, stored: u32, depth: u32, ply: u32) -> bool {
        let farthest = if self.reaches_limit() { depth } else { self.terminal_rules.plies_left() - ply - 1 };
        (depth..=farthest).contains(&stored)
    }

    /// Tries the table's move before the other moves are generated, then those by priority and history, until a beta
    /// cutoff.
    fn try_moves(&mut self, position: &P, tt_move: Option<P::Move>, node: &mut AlphaBetaNode<P::Move>) {
        let seat = position.seat();
        if let Some(mv) = tt_move
            && self.try_move(position, mv, node)
        {
            self.update_history(mv, &(0..0), position, node);
            return;
        }
        let first = self.memory.moves.len();
        let SearchMemory { moves, ranks, ordering, .. } = &mut *self.memory;
        let full_depth_moves = self.evaluator.plausible_moves(position, node.depth, |mv, priority| {
            moves.push(mv);
            ranks.push(priority + ordering.rank(mv, seat, node.ply));
        });
        for index in first..self.memory.moves.len() {
            let mv = self.memory.pick(index);
            node.is_late = index - first >= full_depth_moves;
            if Some(mv) != tt_move && self.try_move(position, mv, node) {
                self.update_history(mv, &(first..index), position, node);
                break;
            }
        }
        self.memory.moves.truncate(first);
        self.memory.ranks.truncate(first);
    }

    fn update_history(
        &mut self,
        mv: P::Move,
        failed: &std::ops::Range<usize>,
        position: &P,
        node: &AlphaBetaNode<P::Move>,
    ) {
        if !self.aborted {
            let SearchMemory { moves, ordering, .. } = &mut *self.memory;
            ordering.update_history(mv, &moves[failed.clone()], position.seat(), node.depth, node.ply);
        }
    }

    /// True on a beta cutoff or an abort.
    #[inline]
    fn try_move(&mut self, position: &P, mv: P::Move, node: &mut AlphaBetaNode<P::Move>) -> bool {
        let child = position.after(mv);
        debug_assert_ne!(child.seat(), position.seat(), "the seats alternate");
        let score = match self.visit(&child, node.depth - 1, node.ply + 1) {
            Some(score) => {
                if node.is_pv() {
                    self.memory.pv_lines[node.ply as usize + 1].clear();
                }
                -score
            }
            None => self.search_child(&child, node),
        };
        if self.aborted {
            return true;
        }
        if score > node.best {
            node.best = score;
            node.best_move = Some(mv);
        }
        if score > node.alpha && score < node.beta {
            if node.is_pv() {
                self.memory.extend_pv(mv, node.ply as usize);
            }
            node.alpha = score;
        }
        score >= node.beta
    }

    /// The score of the move to `child`: the full window for the first move; a zero window for the others, late moves
    /// at reduced depth first, and a re-search if they turn out better.
    fn search_child(&mut self, child: &P, node: &AlphaBetaNode<P::Move>) -> Score {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if node.best_move.is_some() {
            let zero_window = (-just_above(node.alpha), -node.alpha);
            if node.is_late && depth > REDUCTION {
                let score = -self.negamax(child, zero_window.0, zero_window.1, depth - REDUCTION, ply);
                if score <= node.alpha || self.aborted {
                    return score;
                }
            }
            let score = -self.negamax(child, zero_window.0, zero_window.1, depth, ply);
            if score <= node.alpha || score >= node.beta || self.aborted {
                return score;
            }
        }
        -self.negamax(child, -node.beta, -node.alpha, depth, ply)
    }
}
