//! Pruning, reductions and extensions: null move, reverse futility, razoring, late moves, SEE, singular moves.
//!
//! All of these are heuristics. Positions in check and the root are searched in full, and so is the principal variation
//! but for its late moves.
//!
//! References: C. Donninger, Null move and deep search (1993); E. A. Heinz, Extended futility pruning (1998); late-move
//! reductions and pruning, singular extensions (after T. Anantharaman, M. Campbell, F. Hsu, 1990), reverse futility
//! pruning as in today's engines (Chess Programming Wiki).

use std::sync::LazyLock;

use outplay_core::{Position, View};

use super::history::PieceTo;
use super::score::{DRAW, MATE_IN_MAX_PLY, score_from_tt};
use super::search::{EngineNode, TrialMove};
use super::search_thread::SearchThread;
use super::see;
use super::transposition::ScoreBound;
use crate::chess::moves::ChessMove;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;

/// Reductions of late moves in 1024ths of a ply, by depth and move count.
static REDUCTIONS: LazyLock<Box<[[i32; 64]; 64]>> = LazyLock::new(|| {
    let log = |move_count: usize| (move_count.max(1) as f64).ln();
    let reduction = |depth, move_count| (1024.0 * (0.75 + log(depth) * log(move_count) / 2.25)) as i32;
    Box::new(std::array::from_fn(|depth| std::array::from_fn(|move_count| reduction(depth, move_count))))
});

fn base_reduction(depth: i32, move_count: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][move_count.min(63)]
}

/// Whether the side to move has more than king and pawns, so that zugzwang is unlikely.
fn has_non_pawn_material(position: &Chess) -> bool {
    let simple = position.pieces_of_kind(PieceKind::Pawn) | position.pieces_of_kind(PieceKind::King);
    !(position.pieces_of_seat(position.seat()) & !simple).is_empty()
}

impl SearchThread<'_> {
    /// A score without searching the moves: reverse futility pruning, razoring, null move pruning.
    pub(super) fn prune_node(&mut self, position: &Chess, node: &EngineNode) -> Option<i32> {
        let &EngineNode { alpha, beta, depth, ply, eval, .. } = node;
        if node.is_pv() || node.in_check || ply == 0 {
            return None;
        }
        let margin = 75 * (depth - i32::from(node.improving));
        if depth <= 8 && eval - margin >= beta && eval < MATE_IN_MAX_PLY && beta > -MATE_IN_MAX_PLY {
            return Some(i32::midpoint(eval, beta));
        }
        if depth <= 3 && eval + 250 * depth <= alpha {
            let value = self.quiesce(position, alpha, beta, ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        self.null_move_pruning(position, node)
    }

    /// Null move pruning: if the side to move passes and the score is still at least beta, a move would be too.
    fn null_move_pruning(&mut self, position: &Chess, node: &EngineNode) -> Option<i32> {
        let &EngineNode { beta, depth, ply, eval, .. } = node;
        let has_just_passed = self.state.stack[ply - 1].piece_to.is_none();
        if depth < 3
            || eval < beta
            || !has_non_pawn_material(position)
            || has_just_passed
            || beta <= -MATE_IN_MAX_PLY
        {
            return None;
        }
        let reduced = depth - 4 - depth / 4 - ((eval - beta) / 180).min(3);
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

    /// Whether a move is pruned at low depth: late move pruning, futility pruning, history pruning, SEE pruning.
    pub(super) fn is_pruned(
        &self,
        position: &Chess,
        node: &EngineNode,
        mv: ChessMove,
        quiet: bool,
        move_count: usize,
    ) -> bool {
        let &EngineNode { alpha, depth, ply, .. } = node;
        if ply == 0 || !has_non_pawn_material(position) {
            return false;
        }
        let reduced = (depth - base_reduction(depth, move_count) / 1024).max(0);
        if quiet {
            let enough = (3 + depth * depth) / if node.improving { 1 } else { 2 };
            if depth <= 8 && !node.in_check && move_count as i32 > enough {
                return true;
            }
            if reduced <= 7 && !node.in_check && node.eval + 90 + 85 * reduced <= alpha {
                return true;
            }
            let history = self.state.history.quiet_score(
                position.seat(),
                mv,
                PieceTo::of(position, mv),
                self.previous_moves(ply),
            );
            if reduced <= 3 && !node.in_check && history < -4000 * depth {
                return true;
            }
            return depth <= 8 && !see::see_at_least(position, mv, -25 * reduced * reduced);
        }
        depth <= 8 && !see::see_at_least(position, mv, -100 * depth)
    }

    /// By how many plies a late move is reduced in its first search.
    pub(super) fn late_move_reduction(
        &self,
        position: &Chess,
        node: &EngineNode,
        trial: &TrialMove<'_>,
    ) -> i32 {
        let &TrialMove { mv, quiet, gives_check, move_count, .. } = trial;
        let mut reduction = base_reduction(node.depth, move_count);
        if quiet {
            let history = self.state.history.quiet_score(
                position.seat(),
                mv,
                PieceTo::of(position, mv),
                self.previous_moves(node.ply),
            );
            reduction -= history / 8;
            if self.state.stack[node.ply].killers.contains(&Some(mv)) {
                reduction -= 1024;
            }
        } else {
            reduction -= 1024 + 512;
        }
        if node.is_pv() {
            reduction -= 1024;
        }
        if node.cut_node {
            reduction += 1024;
        }
        if !node.improving {
            reduction += 512;
        }
        if gives_check {
            reduction -= 1024;
        }
        reduction / 1024
    }

    /// By how many plies the TT move is extended: more if it is singular (all others are clearly worse), less if it is not.
    /// `None` if the position fails high even without it (multi-cut).
    pub(super) fn singular_extension(
        &mut self,
        position: &Chess,
        mv: ChessMove,
        node: &EngineNode,
    ) -> Option<i32> {
        let &EngineNode { beta, depth, ply, .. } = node;
        let Some(entry) = node.tt_entry else { return Some(0) };
        let value = score_from_tt(entry.value, ply);
        let is_tried = ply > 0
            && depth >= 7
            && self.state.stack[ply].excluded.is_none()
            && entry.depth >= depth - 3
            && entry.bound != ScoreBound::Upper
            && value.abs() < MATE_IN_MAX_PLY
            && ply < 2 * self.iteration as usize;
        if !is_tried {
            return Some(0);
        }
        let singular_beta = value - 2 * depth;
        self.state.stack[ply].excluded = Some(mv);
        let others =
            self.search(position, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, node.cut_node);
        self.state.stack[ply].excluded = None;
        if self.stopped {
            return Some(0);
        }
        if others < singular_beta {
            let is_double =
                !node.is_pv() && others < singular_beta - 25 && self.state.stack[ply].double_extensions < 6;
            return Some(if is_double { 2 } else { 1 });
        }
        if singular_beta >= beta && !node.is_pv() {
            return None;
        }
        Some(if value >= beta { -1 } else { 0 })
    }
}
