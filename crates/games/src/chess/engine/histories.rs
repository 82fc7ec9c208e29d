//! What the search has learnt of moves, by their success in positions that looked different.
//!
//! Laws: every number stays within its bound, since what is added shrinks as it is approached; nothing is kept from one
//! game to the next.
//!
//! References: J. Schaeffer, The history heuristic and alpha-beta search enhancements in practice (1989); for the
//! continuation and correction tables, the practice of Stockfish and its kin.

use outplay_core::{Seat, mix64};

use crate::chess::moves::Move;
use crate::chess::pieces::Kind;
use crate::chess::rules::Chess;

/// No history goes beyond.
const BOUND: i32 = 16_384;
/// A piece that came to a square.
const ARRIVALS: usize = 6 * 64;
/// Places for the structures of pawns.
const STRUCTURES: usize = 1 << 14;
/// What is learnt of a structure's judgements is kept in parts of a hundredth of a pawn.
const CORRECTION_UNIT: i32 = 256;
const CORRECTION_BOUND: i32 = 96 * CORRECTION_UNIT;

/// A piece that came to a square, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival(usize);

impl Arrival {
    /// The arrival that a move of a position makes.
    #[inline]
    pub(super) fn of(position: &Chess, mv: Move) -> Self {
        Self(position.kind_on(mv.from()).index() * 64 + mv.to().index())
    }
}

/// The tables.
pub(super) struct Histories {
    quiet: Box<[[i16; 4096]; 2]>,
    capture: Box<[[i16; 6]; ARRIVALS]>,
    /// By the move before, or the one before that, and the move.
    follow_up: [Vec<i16>; 2],
    correction: [Vec<i32>; 2],
}

#[inline]
fn shift(history: &mut i16, bonus: i32) {
    let old = i32::from(*history);
    *history = (old + bonus - old * bonus.abs() / BOUND) as i16;
}

impl Histories {
    pub(super) fn new() -> Self {
        Self {
            quiet: Box::new([[0; 4096]; 2]),
            capture: Box::new([[0; 6]; ARRIVALS]),
            follow_up: std::array::from_fn(|_| vec![0; ARRIVALS * ARRIVALS]),
            correction: std::array::from_fn(|_| vec![0; STRUCTURES]),
        }
    }

    pub(super) fn forget(&mut self) {
        *self.quiet = [[0; 4096]; 2];
        *self.capture = [[0; 6]; ARRIVALS];
        self.follow_up.iter_mut().for_each(|table| table.fill(0));
        self.correction.iter_mut().for_each(|table| table.fill(0));
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        mv.from().index() << 6 | mv.to().index()
    }

    /// What is known of a quiet move, given the two arrivals before it.
    #[inline]
    pub(super) fn of_quiet(
        &self,
        seat: Seat,
        mv: Move,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
    ) -> i32 {
        let mut sum = i32::from(self.quiet[seat.index()][Self::slot(mv)]);
        for (table, before) in self.follow_up.iter().zip(before) {
            if let Some(before) = before {
                sum += i32::from(table[before.0 * ARRIVALS + arrival.0]);
            }
        }
        sum
    }

    /// What is known of a capture.
    #[inline]
    pub(super) fn of_capture(&self, arrival: Arrival, taken: Kind) -> i32 {
        i32::from(self.capture[arrival.0][taken.index()])
    }

    /// A quiet move did well, or badly if the bonus is negative.
    pub(super) fn reward_quiet(
        &mut self,
        seat: Seat,
        mv: Move,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
        bonus: i32,
    ) {
        shift(&mut self.quiet[seat.index()][Self::slot(mv)], bonus);
        for (table, before) in self.follow_up.iter_mut().zip(before) {
            if let Some(before) = before {
                shift(&mut table[before.0 * ARRIVALS + arrival.0], bonus);
            }
        }
    }

    /// The same of a capture.
    pub(super) fn reward_capture(&mut self, arrival: Arrival, taken: Kind, bonus: i32) {
        shift(&mut self.capture[arrival.0][taken.index()], bonus);
    }

    fn structure(position: &Chess) -> usize {
        let of = |seat| position.of(seat, Kind::Pawn).0;
        (mix64(of(Seat::First) ^ mix64(of(Seat::Second))) as usize) % STRUCTURES
    }

    /// By how much searches found positions with these pawns to be better than they were judged.
    #[inline]
    pub(super) fn correction(&self, position: &Chess) -> i32 {
        self.correction[position.seat.index()][Self::structure(position)] / CORRECTION_UNIT
    }

    /// A search of this depth found a position to be so much better than judged.
    pub(super) fn correct(&mut self, position: &Chess, depth: i32, difference: i32) {
        let entry = &mut self.correction[position.seat.index()][Self::structure(position)];
        let weight = (depth + 1).min(16);
        let target = difference.clamp(-192, 192) * CORRECTION_UNIT;
        *entry =
            ((*entry * (256 - weight) + target * weight) / 256).clamp(-CORRECTION_BOUND, CORRECTION_BOUND);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_are_bounded() {
        let mut history = 0;
        for _ in 0..1000 {
            shift(&mut history, 2000);
            assert!((0..=BOUND).contains(&i32::from(history)));
        }
        assert!(i32::from(history) > BOUND * 9 / 10);
        for _ in 0..1000 {
            shift(&mut history, -2000);
            assert!((-BOUND..=BOUND).contains(&i32::from(history)));
        }
    }

    #[test]
    fn corrections_follow_what_searches_find() {
        let (mut histories, position) = (Histories::new(), Chess::start());
        for _ in 0..200 {
            histories.correct(&position, 10, 40);
        }
        assert!((30..=40).contains(&histories.correction(&position)));
        histories.forget();
        assert_eq!(histories.correction(&position), 0);
    }
}
