//! History heuristics: how well moves did elsewhere in the tree, by from and to square, by piece and victim, by the moves
//! before them, and how far the static evaluation was off for a pawn structure.
//!
//! Every number stays within its bound, because bonuses shrink as it is approached. Nothing is kept from one game to the
//! next.
//!
//! References: J. Schaeffer, The history heuristic and alpha-beta search enhancements in practice (1989); for
//! continuation history and correction history, Stockfish.

use outplay_core::{Seat, mix64};

use crate::chess::moves::ChessMove;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;

/// The bound of a history score.
const MAX_HISTORY: i32 = 16_384;
/// Number of [`PieceTo`] values.
const PIECE_TO_COUNT: usize = 6 * 64;
/// Entries of the correction history, indexed by a hash of the pawns.
const CORRECTION_ENTRIES: usize = 1 << 14;
/// Corrections are kept in fractions of a centipawn.
const CORRECTION_UNIT: i32 = 256;
const MAX_CORRECTION: i32 = 96 * CORRECTION_UNIT;

/// A kind of piece and the square it moves to, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(usize);

impl PieceTo {
    /// The index of a move.
    #[inline]
    pub(super) fn of(position: &Chess, mv: ChessMove) -> Self {
        Self(position.kind_on(mv.from()).index() * 64 + mv.to().index())
    }
}

/// The history tables of one thread.
pub(super) struct HistoryTables {
    quiet: Box<[[i16; 4096]; 2]>,
    capture: Box<[[i16; 6]; PIECE_TO_COUNT]>,
    /// Continuation history: by the move one or two plies before, and the move.
    continuation: [Vec<i16>; 2],
    correction: [Vec<i32>; 2],
}

#[inline]
fn apply_bonus(history: &mut i16, bonus: i32) {
    let old = i32::from(*history);
    *history = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

impl HistoryTables {
    pub(super) fn new() -> Self {
        Self {
            quiet: Box::new([[0; 4096]; 2]),
            capture: Box::new([[0; 6]; PIECE_TO_COUNT]),
            continuation: std::array::from_fn(|_| vec![0; PIECE_TO_COUNT * PIECE_TO_COUNT]),
            correction: std::array::from_fn(|_| vec![0; CORRECTION_ENTRIES]),
        }
    }

    pub(super) fn clear(&mut self) {
        *self.quiet = [[0; 4096]; 2];
        *self.capture = [[0; 6]; PIECE_TO_COUNT];
        self.continuation.iter_mut().for_each(|table| table.fill(0));
        self.correction.iter_mut().for_each(|table| table.fill(0));
    }

    #[inline]
    fn from_to_index(mv: ChessMove) -> usize {
        mv.from().index() << 6 | mv.to().index()
    }

    /// The history score of a quiet move, given the two moves before it.
    #[inline]
    pub(super) fn quiet_score(
        &self,
        seat: Seat,
        mv: ChessMove,
        piece_to: PieceTo,
        previous: [Option<PieceTo>; 2],
    ) -> i32 {
        let mut sum = i32::from(self.quiet[seat.index()][Self::from_to_index(mv)]);
        for (table, previous) in self.continuation.iter().zip(previous) {
            if let Some(previous) = previous {
                sum += i32::from(table[previous.0 * PIECE_TO_COUNT + piece_to.0]);
            }
        }
        sum
    }

    /// The history score of a capture.
    #[inline]
    pub(super) fn capture_score(&self, piece_to: PieceTo, taken: PieceKind) -> i32 {
        i32::from(self.capture[piece_to.0][taken.index()])
    }

    /// Rewards a quiet move, or punishes it if the bonus is negative.
    pub(super) fn update_quiet(
        &mut self,
        seat: Seat,
        mv: ChessMove,
        piece_to: PieceTo,
        previous: [Option<PieceTo>; 2],
        bonus: i32,
    ) {
        apply_bonus(&mut self.quiet[seat.index()][Self::from_to_index(mv)], bonus);
        for (table, previous) in self.continuation.iter_mut().zip(previous) {
            if let Some(previous) = previous {
                apply_bonus(&mut table[previous.0 * PIECE_TO_COUNT + piece_to.0], bonus);
            }
        }
    }

    /// The same for a capture.
    pub(super) fn update_capture(&mut self, piece_to: PieceTo, taken: PieceKind, bonus: i32) {
        apply_bonus(&mut self.capture[piece_to.0][taken.index()], bonus);
    }

    fn pawn_structure_index(position: &Chess) -> usize {
        let of = |seat| position.pieces(seat, PieceKind::Pawn).0;
        (mix64(of(Seat::First) ^ mix64(of(Seat::Second))) as usize) % CORRECTION_ENTRIES
    }

    /// The mean difference between search results and static evaluations of positions with these pawns.
    #[inline]
    pub(super) fn correction(&self, position: &Chess) -> i32 {
        self.correction[position.seat.index()][Self::pawn_structure_index(position)] / CORRECTION_UNIT
    }

    /// Learns the difference between a search of this depth and the static evaluation.
    pub(super) fn update_correction(&mut self, position: &Chess, depth: i32, difference: i32) {
        let entry = &mut self.correction[position.seat.index()][Self::pawn_structure_index(position)];
        let weight = (depth + 1).min(16);
        let target = difference.clamp(-192, 192) * CORRECTION_UNIT;
        *entry = ((*entry * (256 - weight) + target * weight) / 256).clamp(-MAX_CORRECTION, MAX_CORRECTION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_are_bounded() {
        let mut history = 0;
        for _ in 0..1000 {
            apply_bonus(&mut history, 2000);
            assert!((0..=MAX_HISTORY).contains(&i32::from(history)));
        }
        assert!(i32::from(history) > MAX_HISTORY * 9 / 10);
        for _ in 0..1000 {
            apply_bonus(&mut history, -2000);
            assert!((-MAX_HISTORY..=MAX_HISTORY).contains(&i32::from(history)));
        }
    }

    #[test]
    fn corrections_follow_what_searches_find() {
        let (mut histories, position) = (HistoryTables::new(), Chess::start());
        for _ in 0..200 {
            histories.update_correction(&position, 10, 40);
        }
        assert!((30..=40).contains(&histories.correction(&position)));
        histories.clear();
        assert_eq!(histories.correction(&position), 0);
    }
}
