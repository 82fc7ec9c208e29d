//! The recursion below the root.
//!
//! Contract of [`Search::explore`]. The score is the side to move's, certain results counted from the root,
//! and fail-soft: at or below `alpha` it is an upper bound of the true score, at or above `beta` a lower bound,
//! in between it is exact; "true" meaning minimax to the given depth over the moves that the evaluator considers, or
//! deeper where the table knows more, and less deep where the evaluator says that a move does not deserve the whole depth
//! and a shallower look agrees.
//! Positions on the path are draws when the referee counts repetitions; such draws enter the table with their
//! path, as in every program that keeps one.
//!
//! References: D. E. Knuth, R. W. Moore, An analysis of alpha-beta pruning (1975); T. A. Marsland, M. Campbell,
//! Parallel search of strongly ordered game trees (1982), for the zero window; J. Schaeffer, The history
//! heuristic (1989).

use outplay_core::{Evaluator, Position, Score};

use super::ordering::Ordering;
use super::table::{Bound, Table};
use crate::budget::Clock;
use crate::verdict::Verdicts;

/// No search goes deeper.
pub(super) const MAX_DEPTH: u32 = 250;

/// A move that does not deserve the whole depth is first looked at so many plies less deep.
const REDUCTION: u32 = 1;

/// What a search keeps from one position to the next, and a player from one move to the next.
#[derive(Clone, Debug)]
pub(super) struct Memory<P: Position> {
    pub(super) table: Table<P::Move>,
    pub(super) ordering: Ordering<P>,
    /// The moves of every position on the path, one after the other, and their ranks.
    moves: Vec<P::Move>,
    ranks: Vec<i32>,
    /// At every ply, the line that the last principal position there expects.
    pub(super) lines: Vec<Vec<P::Move>>,
}

impl<P: Position> Memory<P> {
    pub(super) fn new(entries: usize) -> Self {
        let plies = MAX_DEPTH as usize + 2;
        Self {
            table: Table::new(entries),
            ordering: Ordering::new(plies),
            moves: Vec::new(),
            ranks: Vec::new(),
            lines: vec![Vec::new(); plies],
        }
    }

    /// Puts the best of the moves from `index` on at `index`, and returns it.
    fn pick(&mut self, index: usize) -> P::Move {
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

    /// The line at `ply` is the move, then the line of the ply after it.
    fn extend_line(&mut self, mv: P::Move, ply: usize) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// One search in progress.
pub(super) struct Search<'a, P: Position, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) memory: &'a mut Memory<P>,
    pub(super) verdicts: Verdicts,
    pub(super) clock: Clock<'a>,
    /// The depth of the iteration, which the first one finishes whatever the clock says.
    pub(super) depth: u32,
    /// The iteration is given up; scores mean nothing any more.
    pub(super) abandoned: bool,
}

/// The moves tried so far at one position.
struct Node<M> {
    alpha: Score,
    beta: Score,
    depth: u32,
    ply: u32,
    best: Score,
    best_move: Option<M>,
    /// The moves that deserve the whole depth have been tried.
    is_late: bool,
}

impl<M> Node<M> {
    /// Whether exact scores are wanted here, and a line with them.
    fn is_principal(&self) -> bool {
        is_wide(self.alpha, self.beta)
    }
}

fn is_wide(alpha: Score, beta: Score) -> bool {
    beta.value() - alpha.value() > 1
}

/// The smallest score above.
pub(super) fn just_above(score: Score) -> Score {
    Score::from_value(score.value() + 1)
}

impl<P: Position, E: Evaluator<P>> Search<'_, P, E> {
    /// Counts the position, and gives its score to the side to move if no search is needed for it.
    #[inline]
    pub(super) fn arrive(&mut self, position: &P, depth: u32, ply: u32) -> Option<Score> {
        if self.clock.tick() && self.depth > 1 {
            self.abandoned = true;
            return Some(Score::EVEN);
        }
        let score = match self.verdicts.at(position, ply) {
            Some(end) => end,
            None if depth == 0 => self.evaluator.score(position),
            None => return None,
        };
        Some(score.delayed(ply))
    }

    /// The score of an unfinished position with at least one ply to search; the contract is at the head.
    pub(super) fn explore(&mut self, position: &P, alpha: Score, beta: Score, depth: u32, ply: u32) -> Score {
        let principal = is_wide(alpha, beta);
        if principal {
            self.memory.lines[ply as usize].clear();
        }
        let key = self.table_key(position, depth);
        let entry = self.memory.table.probe(key);
        if let Some(entry) =
            entry.filter(|entry| !principal && self.is_deep_enough(entry.depth(), depth, ply))
            && let Some(score) = entry.answer(alpha, beta, ply)
        {
            return score;
        }
        let hint = entry.and_then(|entry| entry.mv()).filter(|&mv| position.is_legal(mv));
        let mut node = Node { alpha, beta, depth, ply, best: Score::MIN, best_move: None, is_late: false };
        self.verdicts.enter(position);
        self.try_moves(position, hint, &mut node);
        self.verdicts.leave();
        if !self.abandoned {
            let bound = match node.best {
                best if best >= beta => Bound::AtLeast,
                best if best <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.memory.table.store(key, node.best_move, (bound, node.best), depth, ply);
        }
        node.best
    }

    /// Where the iteration reaches the referee's draw by length, a score holds only at this distance from it:
    /// such scores have keys of their own.
    fn table_key(&self, position: &P, depth: u32) -> u64 {
        let salt =
            if self.reaches_limit() { u64::from(depth + 1).wrapping_mul(0xa24b_aed4_963e_e407) } else { 0 };
        position.key() ^ salt
    }

    fn reaches_limit(&self) -> bool {
        self.depth == self.verdicts.plies_left()
    }

    /// A stored score must look as far as this search, and not past the referee's draw by length.
    fn is_deep_enough(&self, stored: u32, depth: u32, ply: u32) -> bool {
        let farthest = if self.reaches_limit() { depth } else { self.verdicts.plies_left() - ply - 1 };
        (depth..=farthest).contains(&stored)
    }

    /// Tries the hint before the other moves are even listed, then those by promise and rank, until one is too good.
    fn try_moves(&mut self, position: &P, hint: Option<P::Move>, node: &mut Node<P::Move>) {
        let seat = position.seat();
        if let Some(mv) = hint
            && self.try_move(position, mv, node)
        {
            self.reward(mv, &(0..0), position, node);
            return;
        }
        let first = self.memory.moves.len();
        let Memory { moves, ranks, ordering, .. } = &mut *self.memory;
        let in_full = self.evaluator.consider(position, node.depth, |mv, promise| {
            moves.push(mv);
            ranks.push(promise + ordering.rank(mv, seat, node.ply));
        });
        for index in first..self.memory.moves.len() {
            let mv = self.memory.pick(index);
            node.is_late = index - first >= in_full;
            if Some(mv) != hint && self.try_move(position, mv, node) {
                self.reward(mv, &(first..index), position, node);
                break;
            }
        }
        self.memory.moves.truncate(first);
        self.memory.ranks.truncate(first);
    }

    fn reward(&mut self, mv: P::Move, failed: &std::ops::Range<usize>, position: &P, node: &Node<P::Move>) {
        if !self.abandoned {
            let Memory { moves, ordering, .. } = &mut *self.memory;
            ordering.reward(mv, &moves[failed.clone()], position.seat(), node.depth, node.ply);
        }
    }

    /// True if no other move needs to be tried.
    #[inline]
    fn try_move(&mut self, position: &P, mv: P::Move, node: &mut Node<P::Move>) -> bool {
        let child = position.after(mv);
        debug_assert_ne!(child.seat(), position.seat(), "the seats alternate");
        let score = match self.arrive(&child, node.depth - 1, node.ply + 1) {
            Some(score) => {
                if node.is_principal() {
                    self.memory.lines[node.ply as usize + 1].clear();
                }
                -score
            }
            None => self.explore_child(&child, node),
        };
        if self.abandoned {
            return true;
        }
        if score > node.best {
            node.best = score;
            node.best_move = Some(mv);
        }
        if score > node.alpha && score < node.beta {
            if node.is_principal() {
                self.memory.extend_line(mv, node.ply as usize);
            }
            node.alpha = score;
        }
        score >= node.beta
    }

    /// The score of the move to the position's side: the first move with the whole window, the others with a
    /// window that only asks whether they are better, late ones at first not so deep.
    fn explore_child(&mut self, child: &P, node: &Node<P::Move>) -> Score {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if node.best_move.is_some() {
            let zero_window = (-just_above(node.alpha), -node.alpha);
            if node.is_late && depth > REDUCTION {
                let score = -self.explore(child, zero_window.0, zero_window.1, depth - REDUCTION, ply);
                if score <= node.alpha || self.abandoned {
                    return score;
                }
            }
            let score = -self.explore(child, zero_window.0, zero_window.1, depth, ply);
            if score <= node.alpha || score >= node.beta || self.abandoned {
                return score;
            }
        }
        -self.explore(child, -node.beta, -node.alpha, depth, ply)
    }
}
