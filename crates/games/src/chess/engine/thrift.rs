//! What the recursion leaves out, or looks at less deep or deeper: all that experience says of a position before, or
//! after little, search.
//!
//! Law: nothing here is certain; a position in check, the root and, but for late moves, the principal variation are
//! searched in full.
//!
//! References: C. Donninger, Null move and deep search (1993); E. A. Heinz, Extended futility pruning (1998); late-move
//! reductions and pruning, singular extensions (after T. Anantharaman, M. Campbell, F. Hsu, 1990), reverse futility as in
//! today's engines (Chess Programming Wiki).

use std::sync::LazyLock;

use outplay_core::{Position, View};

use super::exchange;
use super::histories::Arrival;
use super::search::{Attempt, Node};
use super::table::Bound;
use super::value::{CERTAIN, DRAW, from_table};
use super::worker::Search;
use crate::chess::moves::Move;
use crate::chess::pieces::Kind;
use crate::chess::rules::Chess;

/// By how many plies a late move is reduced, in parts of 1024, by depth and number.
static REDUCTIONS: LazyLock<Box<[[i32; 64]; 64]>> = LazyLock::new(|| {
    let log = |number: usize| (number.max(1) as f64).ln();
    let reduction = |depth, number| (1024.0 * (0.75 + log(depth) * log(number) / 2.25)) as i32;
    Box::new(std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number))))
});

fn reduction(depth: i32, number: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][number.min(63)]
}

/// Whether the side to move has more than pawns.
fn has_pieces(position: &Chess) -> bool {
    let simple = position.of_kind(Kind::Pawn) | position.of_kind(Kind::King);
    !(position.of_seat(position.seat()) & !simple).is_empty()
}

impl Search<'_> {
    /// A score without trying the moves, where the position looks good or bad enough.
    pub(super) fn prune(&mut self, position: &Chess, node: &Node) -> Option<i32> {
        let &Node { alpha, beta, depth, ply, judgement, .. } = node;
        if node.is_principal() || node.in_check || ply == 0 {
            return None;
        }
        let margin = 75 * (depth - i32::from(node.improving));
        if depth <= 8 && judgement - margin >= beta && judgement < CERTAIN && beta > -CERTAIN {
            return Some(i32::midpoint(judgement, beta));
        }
        if depth <= 3 && judgement + 250 * depth <= alpha {
            let value = self.quiesce(position, alpha, beta, ply);
            if value <= alpha || self.over {
                return Some(value);
            }
        }
        self.pass(position, node)
    }

    /// The side to move passes; if it is still better than beta, a move would be too.
    fn pass(&mut self, position: &Chess, node: &Node) -> Option<i32> {
        let &Node { beta, depth, ply, judgement, .. } = node;
        let has_just_passed = self.worker.frames[ply - 1].arrival.is_none();
        if depth < 3 || judgement < beta || !has_pieces(position) || has_just_passed || beta <= -CERTAIN {
            return None;
        }
        let reduced = depth - 4 - depth / 4 - ((judgement - beta) / 180).min(3);
        self.worker.frames[ply].arrival = None;
        self.worker.path.push(position.key());
        let value = -self.explore(&position.passed(), -beta, 1 - beta, reduced, ply + 1, !node.is_cut);
        self.worker.path.pop();
        if self.over {
            return Some(DRAW);
        }
        (value >= beta).then_some(if value >= CERTAIN { beta } else { value })
    }

    /// Whether a move is not worth trying: late, or losing material, where little depth is left.
    pub(super) fn is_skipped(
        &self,
        position: &Chess,
        node: &Node,
        mv: Move,
        quiet: bool,
        number: usize,
    ) -> bool {
        let &Node { alpha, depth, ply, .. } = node;
        if ply == 0 || !has_pieces(position) {
            return false;
        }
        let reduced = (depth - reduction(depth, number) / 1024).max(0);
        if quiet {
            let enough = (3 + depth * depth) / if node.improving { 1 } else { 2 };
            if depth <= 8 && !node.in_check && number as i32 > enough {
                return true;
            }
            if reduced <= 7 && !node.in_check && node.judgement + 90 + 85 * reduced <= alpha {
                return true;
            }
            let learnt = self.worker.histories.of_quiet(
                position.seat(),
                mv,
                Arrival::of(position, mv),
                self.before(ply),
            );
            if reduced <= 3 && !node.in_check && learnt < -4000 * depth {
                return true;
            }
            return depth <= 8 && !exchange::brings(position, mv, -25 * reduced * reduced);
        }
        depth <= 8 && !exchange::brings(position, mv, -100 * depth)
    }

    /// By how many plies less a late move is looked at first.
    pub(super) fn lateness(&self, position: &Chess, node: &Node, attempt: &Attempt<'_>) -> i32 {
        let &Attempt { mv, quiet, checks, number, .. } = attempt;
        let mut less = reduction(node.depth, number);
        if quiet {
            let learnt = self.worker.histories.of_quiet(
                position.seat(),
                mv,
                Arrival::of(position, mv),
                self.before(node.ply),
            );
            less -= learnt / 8;
            if self.worker.frames[node.ply].killers.contains(&Some(mv)) {
                less -= 1024;
            }
        } else {
            less -= 1024 + 512;
        }
        if node.is_principal() {
            less -= 1024;
        }
        if node.is_cut {
            less += 1024;
        }
        if !node.improving {
            less += 512;
        }
        if checks {
            less -= 1024;
        }
        less / 1024
    }

    /// By how much the move that the table knows is extended: more if all others are clearly worse, less if they are not.
    /// Nothing, if even without it the position is too good.
    pub(super) fn singularity(&mut self, position: &Chess, mv: Move, node: &Node) -> Option<i32> {
        let &Node { beta, depth, ply, .. } = node;
        let Some(entry) = node.entry else { return Some(0) };
        let value = from_table(entry.value, ply);
        let asks = ply > 0
            && depth >= 7
            && self.worker.frames[ply].excluded.is_none()
            && entry.depth >= depth - 3
            && entry.bound != Bound::AtMost
            && value.abs() < CERTAIN
            && ply < 2 * self.iteration as usize;
        if !asks {
            return Some(0);
        }
        let bar = value - 2 * depth;
        self.worker.frames[ply].excluded = Some(mv);
        let others = self.explore(position, bar - 1, bar, (depth - 1) / 2, ply, node.is_cut);
        self.worker.frames[ply].excluded = None;
        if self.over {
            return Some(0);
        }
        if others < bar {
            let is_double = !node.is_principal() && others < bar - 25 && self.worker.frames[ply].extended < 6;
            return Some(if is_double { 2 } else { 1 });
        }
        if bar >= beta && !node.is_principal() {
            return None;
        }
        Some(if value >= beta { -1 } else { 0 })
    }
}
