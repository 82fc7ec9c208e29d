//! Quiescence search: captures and queen promotions until the position is quiet, or every move if in check.
//!
//! Fail-soft, as [`SearchThread::search`]. The side to move may always stand pat with the static evaluation, unless it is
//! in check. Crowded boards have more captures than can be searched, so a search that has visited very many positions
//! evaluates the rest statically.

use outplay_core::Position;

use super::score::{INFINITE, mated_in, score_from_tt, score_to_tt};
use super::search_thread::SearchThread;
use super::see;
use super::transposition::{EngineTtEntry, NO_EVAL, ScoreBound};
use crate::chess::moves::ChessMove;
use crate::chess::ordering::PIECE_VALUES;
use crate::chess::rules::Chess;

/// Margin of futility pruning (delta pruning).
const MARGIN: i32 = 180;

/// The most nodes of one quiescence search; those of ordinary positions are far smaller.
const MAX_NODES: u64 = 1 << 13;

impl SearchThread<'_> {
    /// The score of a position once captures are exhausted.
    pub(super) fn quiesce(&mut self, position: &Chess, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.quiescence_end = self.nodes + MAX_NODES;
        self.quiesce_node(position, alpha, beta, ply)
    }

    fn quiesce_node(&mut self, position: &Chess, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if let Some(value) = self.enter_node(position, ply) {
            return value;
        }
        if self.nodes >= self.quiescence_end {
            return self.evaluate(position);
        }
        let entry = self.table.probe(position.key());
        if beta - alpha == 1
            && let Some(value) = entry.and_then(|entry| entry.cutoff_score(alpha, beta, ply))
        {
            return value;
        }
        let in_check = position.in_check();
        let (mut static_eval, mut best) = (NO_EVAL, mated_in(ply));
        if !in_check {
            static_eval = match entry {
                Some(entry) if entry.static_eval != NO_EVAL => entry.static_eval,
                _ => self.evaluate(position),
            };
            best = static_eval + self.state.history.correction(position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let old_alpha = alpha;
        let futility_base = best + MARGIN;
        let first = self.state.moves.len();
        if in_check {
            self.generate_all(position, ply);
        } else {
            self.generate_tactical(position);
        }
        let mut best_move = None;
        self.state.path.push(position.key());
        for index in first..self.state.moves.len() {
            let (mv, rank) = self.pick_move(position, index);
            if !in_check && (rank < 0 || Self::is_futile(position, mv, futility_base, alpha)) {
                if rank < 0 {
                    break;
                }
                best = best.max(futility_base.min(alpha));
                continue;
            }
            self.state.stack[ply].piece_to = None;
            let value = -self.quiesce_node(&position.after(mv), -beta, -alpha, ply + 1);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = (value, Some(mv));
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.state.path.pop();
        self.state.moves.truncate(first);
        if !self.stopped && self.nodes < self.quiescence_end {
            let bound = match best {
                best if best >= beta => ScoreBound::Lower,
                best if best > old_alpha && beta - old_alpha > 1 => ScoreBound::Exact,
                _ => ScoreBound::Upper,
            };
            let value = score_to_tt(best, ply);
            self.table
                .store(position.key(), EngineTtEntry { mv: best_move, value, static_eval, depth: 0, bound });
        }
        best
    }

    /// Whether a capture cannot raise alpha by the material it takes, or wins nothing where only a gain would help.
    #[inline]
    fn is_futile(position: &Chess, mv: ChessMove, futility_base: i32, alpha: i32) -> bool {
        let gain = position.captured_kind(mv).map_or(0, |kind| PIECE_VALUES[kind.index()]);
        mv.promoted().is_none()
            && (futility_base + gain <= alpha
                || (futility_base <= alpha && !see::see_at_least(position, mv, 1)))
    }
}

impl EngineTtEntry {
    /// The stored score, if its bound causes a cutoff in this window.
    #[inline]
    pub(super) fn cutoff_score(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let value = score_from_tt(self.value, ply);
        debug_assert!(value.abs() < INFINITE);
        let decides = match self.bound {
            ScoreBound::Exact => true,
            ScoreBound::Lower => value >= beta,
            ScoreBound::Upper => value <= alpha,
        };
        decides.then_some(value)
    }
}
