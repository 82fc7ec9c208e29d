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

use super::history::PieceTo;
use super::score::{DRAW, MATE_IN_MAX_PLY, score_from_tt};
use super::search::{EngineNode, TrialMove};
use super::see;
use super::transposition::ScoreBound;
use super::worker::SearchThread;
use crate::chess::moves::ChessMove;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;

/// By how many plies a late move is reduced, in parts of 1024, by depth and number.
static REDUCTIONS: LazyLock<Box<[[i32; 64]; 64]>> = LazyLock::new(|| {
    let log = |number: usize| (number.max(1) as f64).ln();
    let reduction = |depth, number| (1024.0 * (0.75 + log(depth) * log(number) / 2.25)) as i32;
    Box::new(std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number))))
});

fn base_reduction(depth: i32, number: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][number.min(63)]
}

/// Whether the side to move has more than pawns.
fn has_non_pawn_material(position: &Chess) -> bool {
    let simple = position.pieces_of_kind(PieceKind::Pawn) | position.pieces_of_kind(PieceKind::King);
    !(position.pieces_of_seat(position.seat()) & !simple).is_empty()
}

impl SearchThread<'_> {
    /// A score without trying the moves, where the position looks good or bad enough.
    pub(super) fn prune_node(&mut self, position: &Chess, node: &EngineNode) -> Option<i32> {
        let &EngineNode { alpha, beta, depth, ply, eval: judgement, .. } = node;
        if node.is_pv() || node.in_check || ply == 0 {
            return None;
        }
        let margin = 75 * (depth - i32::from(node.improving));
        if depth <= 8 && judgement - margin >= beta && judgement < MATE_IN_MAX_PLY && beta > -MATE_IN_MAX_PLY
        {
            return Some(i32::midpoint(judgement, beta));
        }
        if depth <= 3 && judgement + 250 * depth <= alpha {
            let value = self.quiesce(position, alpha, beta, ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        self.null_move_pruning(position, node)
    }

    /// The side to move passes; if it is still better than beta, a move would be too.
    fn null_move_pruning(&mut self, position: &Chess, node: &EngineNode) -> Option<i32> {
        let &EngineNode { beta, depth, ply, eval: judgement, .. } = node;
        let has_just_passed = self.state.stack[ply - 1].piece_to.is_none();
        if depth < 3
            || judgement < beta
            || !has_non_pawn_material(position)
            || has_just_passed
            || beta <= -MATE_IN_MAX_PLY
        {
            return None;
        }
        let reduced = depth - 4 - depth / 4 - ((judgement - beta) / 180).min(3);
        self.state.stack[ply].piece_to = None;
        self.state.path.push(position.key());
        let value =
            -self.search(&position.after_null_move(), -beta, 1 - beta, reduced, ply + 1, !node.cut_node);
        self.state.path.pop();
        if self.stopped {
            return Some(DRAW);
        }
        (value >= beta).then_some(if value >= MATE_IN_MAX_PLY { beta } else { value })
    }

    /// Whether a move is not worth trying: late, or losing material, where little depth is left.
    pub(super) fn is_pruned(
        &self,
        position: &Chess,
        node: &EngineNode,
        mv: ChessMove,
        quiet: bool,
        number: usize,
    ) -> bool {
        let &EngineNode { alpha, depth, ply, .. } = node;
        if ply == 0 || !has_non_pawn_material(position) {
            return false;
        }
        let reduced = (depth - base_reduction(depth, number) / 1024).max(0);
        if quiet {
            let enough = (3 + depth * depth) / if node.improving { 1 } else { 2 };
            if depth <= 8 && !node.in_check && number as i32 > enough {
                return true;
            }
            if reduced <= 7 && !node.in_check && node.eval + 90 + 85 * reduced <= alpha {
                return true;
            }
            let learnt = self.state.history.quiet_score(
                position.seat(),
                mv,
                PieceTo::of(position, mv),
                self.previous_moves(ply),
            );
            if reduced <= 3 && !node.in_check && learnt < -4000 * depth {
                return true;
            }
            return depth <= 8 && !see::see_at_least(position, mv, -25 * reduced * reduced);
        }
        depth <= 8 && !see::see_at_least(position, mv, -100 * depth)
    }

    /// By how many plies less a late move is looked at first.
    pub(super) fn late_move_reduction(
        &self,
        position: &Chess,
        node: &EngineNode,
        attempt: &TrialMove<'_>,
    ) -> i32 {
        let &TrialMove { mv, quiet, gives_check: checks, move_count: number, .. } = attempt;
        let mut less = base_reduction(node.depth, number);
        if quiet {
            let learnt = self.state.history.quiet_score(
                position.seat(),
                mv,
                PieceTo::of(position, mv),
                self.previous_moves(node.ply),
            );
            less -= learnt / 8;
            if self.state.stack[node.ply].killers.contains(&Some(mv)) {
                less -= 1024;
            }
        } else {
            less -= 1024 + 512;
        }
        if node.is_pv() {
            less -= 1024;
        }
        if node.cut_node {
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
    pub(super) fn singular_extension(
        &mut self,
        position: &Chess,
        mv: ChessMove,
        node: &EngineNode,
    ) -> Option<i32> {
        let &EngineNode { beta, depth, ply, .. } = node;
        let Some(entry) = node.tt_entry else { return Some(0) };
        let value = score_from_tt(entry.value, ply);
        let asks = ply > 0
            && depth >= 7
            && self.state.stack[ply].excluded.is_none()
            && entry.depth >= depth - 3
            && entry.bound != ScoreBound::Upper
            && value.abs() < MATE_IN_MAX_PLY
            && ply < 2 * self.iteration as usize;
        if !asks {
            return Some(0);
        }
        let bar = value - 2 * depth;
        self.state.stack[ply].excluded = Some(mv);
        let others = self.search(position, bar - 1, bar, (depth - 1) / 2, ply, node.cut_node);
        self.state.stack[ply].excluded = None;
        if self.stopped {
            return Some(0);
        }
        if others < bar {
            let is_double = !node.is_pv() && others < bar - 25 && self.state.stack[ply].double_extensions < 6;
            return Some(if is_double { 2 } else { 1 });
        }
        if bar >= beta && !node.is_pv() {
            return None;
        }
        Some(if value >= beta { -1 } else { 0 })
    }
}
