//! What the search has learnt of moves, by their success in positions that looked different.
//!
//! Laws: every number stays within its bound, since what is added shrinks as it is approached; nothing is kept from one
//! game to the next.
//!
//! References: J. Schaeffer, The history heuristic and alpha-beta search enhancements in practice (1989); for the
//! continuation and correction tables, the practice of Stockfish and its kin.

use outplay_core::{Seat, scatter};

use crate::chess::moves::ChessMove;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;

/// No history goes beyond.
const MAX_HISTORY: i32 = 16_384;
/// A piece that came to a square.
const PIECE_TO_COUNT: usize = 6 * 64;
/// Places for the structures of pawns.
const CORRECTION_ENTRIES: usize = 1 << 14;
/// What is learnt of a structure's judgements is kept in parts of a hundredth of a pawn.
const CORRECTION_UNIT: i32 = 256;
const MAX_CORRECTION: i32 = 96 * CORRECTION_UNIT;

/// A piece that came to a square, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(usize);

impl PieceTo {
    /// The arrival that a move of a position makes.
    #[inline]
    pub(super) fn of(position: &Chess, mv: ChessMove) -> Self {
        Self(position.kind_on(mv.from()).index() * 64 + mv.to().index())
    }
}

/// The tables.
pub(super) struct HistoryTables {
    quiet: Box<[[i16; 4096]; 2]>,
    capture: Box<[[i16; 6]; PIECE_TO_COUNT]>,
    /// By the move before, or the one before that, and the move.
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

    /// What is known of a quiet move, given the two arrivals before it.
    #[inline]
    pub(super) fn quiet_score(
        &self,
        seat: Seat,
        mv: ChessMove,
        arrival: PieceTo,
        before: [Option<PieceTo>; 2],
    ) -> i32 {
        let mut sum = i32::from(self.quiet[seat.index()][Self::from_to_index(mv)]);
        for (table, before) in self.continuation.iter().zip(before) {
            if let Some(before) = before {
                sum += i32::from(table[before.0 * PIECE_TO_COUNT + arrival.0]);
            }
        }
        sum
    }

    /// What is known of a capture.
    #[inline]
    pub(super) fn capture_score(&self, arrival: PieceTo, taken: PieceKind) -> i32 {
        i32::from(self.capture[arrival.0][taken.index()])
    }

    /// A quiet move did well, or badly if the bonus is negative.
    pub(super) fn update_quiet(
        &mut self,
        seat: Seat,
        mv: ChessMove,
        arrival: PieceTo,
        before: [Option<PieceTo>; 2],
        bonus: i32,
    ) {
        apply_bonus(&mut self.quiet[seat.index()][Self::from_to_index(mv)], bonus);
        for (table, before) in self.continuation.iter_mut().zip(before) {
            if let Some(before) = before {
                apply_bonus(&mut table[before.0 * PIECE_TO_COUNT + arrival.0], bonus);
            }
        }
    }

    /// The same of a capture.
    pub(super) fn update_capture(&mut self, arrival: PieceTo, taken: PieceKind, bonus: i32) {
        apply_bonus(&mut self.capture[arrival.0][taken.index()], bonus);
    }

    fn pawn_structure_index(position: &Chess) -> usize {
        let of = |seat| position.pieces(seat, PieceKind::Pawn).0;
        (scatter(of(Seat::First) ^ scatter(of(Seat::Second))) as usize) % CORRECTION_ENTRIES
    }

    /// By how much searches found positions with these pawns to be better than they were judged.
    #[inline]
    pub(super) fn correction(&self, position: &Chess) -> i32 {
        self.correction[position.seat.index()][Self::pawn_structure_index(position)] / CORRECTION_UNIT
    }

    /// A search of this depth found a position to be so much better than judged.
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
