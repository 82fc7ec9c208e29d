//! The search beyond the depth: captures until the position is quiet, or every move out of check.
//!
//! Contract. Fail-soft, as [`Search::explore`]; the side to move may always stand pat with the evaluation, unless it is
//! in check.

use outplay_core::Position;

use super::exchange;
use super::table::{Bound, Entry, NO_JUDGEMENT};
use super::value::{INFINITE, from_table, mated, to_table};
use super::worker::Search;
use crate::chess::moves::Move;
use crate::chess::ordering::ROUGHLY;
use crate::chess::rules::Chess;

/// A capture that leaves the side to move so far below what it needs is not looked at.
const MARGIN: i32 = 180;

impl Search<'_> {
    /// The score of a position once captures are over.
    pub(super) fn quiesce(&mut self, position: &Chess, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if let Some(value) = self.arrive(position, ply) {
            return value;
        }
        let entry = self.table.probe(position.key());
        if beta - alpha == 1
            && let Some(value) = entry.and_then(|entry| entry.answer(alpha, beta, ply))
        {
            return value;
        }
        let in_check = position.is_check();
        let (mut judgement, mut best) = (NO_JUDGEMENT, mated(ply));
        if !in_check {
            judgement = match entry {
                Some(entry) if entry.judgement != NO_JUDGEMENT => entry.judgement,
                _ => self.judge(position),
            };
            best = judgement + self.worker.histories.correction(position);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let old_alpha = alpha;
        let hope = best + MARGIN;
        let first = self.worker.moves.len();
        if in_check {
            self.list_all(position, ply);
        } else {
            self.list_forcing(position);
        }
        let mut best_move = None;
        self.worker.path.push(position.key());
        for index in first..self.worker.moves.len() {
            let (mv, rank) = self.pick(position, index);
            if !in_check && (rank < 0 || Self::is_hopeless(position, mv, hope, alpha)) {
                if rank < 0 {
                    break;
                }
                best = best.max(hope.min(alpha));
                continue;
            }
            self.worker.frames[ply].arrival = None;
            let value = -self.quiesce(&position.after(mv), -beta, -alpha, ply + 1);
            if self.over {
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
        self.worker.path.pop();
        self.worker.moves.truncate(first);
        if !self.over {
            let bound = match best {
                best if best >= beta => Bound::AtLeast,
                best if best > old_alpha && beta - old_alpha > 1 => Bound::Exact,
                _ => Bound::AtMost,
            };
            let value = to_table(best, ply);
            self.table.store(position.key(), Entry { mv: best_move, value, judgement, depth: 0, bound });
        }
        best
    }

    /// Whether a capture cannot reach alpha, or cannot gain where nothing less than a gain helps.
    #[inline]
    fn is_hopeless(position: &Chess, mv: Move, hope: i32, alpha: i32) -> bool {
        let gain = position.taken_by(mv).map_or(0, |kind| ROUGHLY[kind.index()]);
        mv.promoted().is_none()
            && (hope + gain <= alpha || (hope <= alpha && !exchange::brings(position, mv, 1)))
    }
}

impl Entry {
    /// The stored score, if it decides the window.
    #[inline]
    pub(super) fn answer(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let value = from_table(self.value, ply);
        debug_assert!(value.abs() < INFINITE);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        decides.then_some(value)
    }
}
