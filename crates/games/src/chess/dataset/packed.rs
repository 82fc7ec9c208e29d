//! A position and its score in thirty bytes.
//!
//! Layout: the occupied squares as a bitboard (8 bytes); four bits for each of them, a1 first (16 bytes); the side to move
//! (1); the halfmove clock (1); the move number (2); the score (2). All numbers are little-endian.
//! Of the four bits, 0 to 5 are white's pieces from pawn to king, 6 to 11 black's, 12 and 13 a white and a black rook with
//! castling rights, 14 a pawn that may be captured en passant.

use outplay_core::{Seat, View};

use crate::chess::fen::MAX_MOVE_NUMBER;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;
use crate::chess::squares::{Bitboard, ChessSquare};

/// Bytes of an example.
pub(super) const SIZE: usize = 30;
/// Where its score begins, after the position.
pub(super) const SCORE_AT: usize = 28;
/// The score of a mate, in centipawns; other scores stay below it.
pub const MATE: i16 = 10_000;

const CASTLING_ROOK: u8 = 12;
const EN_PASSANT_PAWN: u8 = 14;
/// The greatest number of pieces that fits.
const MAX_PIECES: u32 = 32;

/// A position with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedExample([u8; SIZE]);

impl PackedExample {
    /// Packs a position; `None` if it has more pieces than a game can have.
    pub fn new(position: &Chess, score: i16) -> Option<Self> {
        if position.occupied().len() > MAX_PIECES {
            return None;
        }
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
        for (place, square) in position.occupied().into_iter().enumerate() {
            bytes[8 + place / 2] |= code(position, square) << (place % 2 * 4);
        }
        bytes[24] = position.seat().index() as u8;
        bytes[25] = position.halfmove_clock();
        bytes[26..28].copy_from_slice(&position.move_number().to_le_bytes());
        bytes[SCORE_AT..].copy_from_slice(&score.to_le_bytes());
        Some(Self(bytes))
    }

    /// An example of the bytes of its position, which [`position`](Self::position) checks, and its score.
    pub(super) fn from_parts(position: &[u8; SCORE_AT], score: i16) -> Self {
        let mut bytes = [0; SIZE];
        bytes[..SCORE_AT].copy_from_slice(position);
        bytes[SCORE_AT..].copy_from_slice(&score.to_le_bytes());
        Self(bytes)
    }

    /// The score of the side that has moved, in centipawns.
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[SCORE_AT], self.0[SCORE_AT + 1]])
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; SIZE] {
        &self.0
    }

    /// The example with these bytes, whose position [`position`](Self::position) checks.
    pub const fn from_bytes(bytes: [u8; SIZE]) -> Self {
        Self(bytes)
    }

    /// Unpacks the position; `None` if the bytes do not encode one.
    pub fn position(&self) -> Option<Chess> {
        let occupied = Bitboard(u64::from_le_bytes(self.0[..8].try_into().ok()?));
        let seat = *Seat::BOTH.get(usize::from(self.0[24]))?;
        if occupied.len() > MAX_PIECES {
            return None;
        }
        let mut position = Chess::empty(seat);
        let (mut rooks, mut passant) = ([Bitboard(0); 2], None);
        for (place, square) in occupied.into_iter().enumerate() {
            let code = self.0[8 + place / 2] >> (place % 2 * 4) & 15;
            let (side, kind) = match code {
                0..12 => (Seat::BOTH[usize::from(code / 6)], PieceKind::ALL[usize::from(code % 6)]),
                CASTLING_ROOK..EN_PASSANT_PAWN => {
                    let side = usize::from(code - CASTLING_ROOK);
                    rooks[side] |= square.bitboard();
                    (Seat::BOTH[side], PieceKind::Rook)
                }
                EN_PASSANT_PAWN => {
                    passant = Some(square);
                    (!seat, PieceKind::Pawn)
                }
                _ => return None,
            };
            position.toggle_piece(side, kind, square);
        }
        position.check_board().ok()?;
        for (side, rooks) in Seat::BOTH.into_iter().zip(rooks) {
            for rook in rooks {
                position.try_grant_castling(side, rook).then_some(())?;
            }
        }
        position.check_opponent_not_in_check().ok()?;
        if let Some(pawn) = passant {
            position.try_set_en_passant(behind(pawn, seat)?).then_some(())?;
        }
        position.halfmove_clock = self.0[25];
        position.fullmove_number = u16::from_le_bytes([self.0[26], self.0[27]]).clamp(1, MAX_MOVE_NUMBER);
        position.refresh_key();
        Some(position)
    }
}

/// The square behind a pawn of the side that has moved.
fn behind(pawn: ChessSquare, to_move: Seat) -> Option<ChessSquare> {
    let rank = if to_move == Seat::First { pawn.rank() + 1 } else { pawn.rank().checked_sub(1)? };
    (rank < 8).then(|| ChessSquare::new(pawn.file(), rank))
}

fn code(position: &Chess, square: ChessSquare) -> u8 {
    let (seat, kind) = position.piece_on(square).expect("the square is occupied");
    let taken_in_passing = position.en_passant.map(|behind| {
        let rank = if position.seat() == Seat::First { behind.rank() - 1 } else { behind.rank() + 1 };
        ChessSquare::new(behind.file(), rank)
    });
    if taken_in_passing == Some(square) {
        EN_PASSANT_PAWN
    } else if position.castling_rooks(seat).contains(&Some(square)) {
        CASTLING_ROOK + seat.index() as u8
    } else {
        kind.index() as u8 + 6 * seat.index() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::{Position, Rng};
    use proptest::prelude::*;

    /// Every position of many games reads back, castling rights, pawns in passing, clocks and all.
    #[test]
    fn positions_read_back() {
        for game in 0..200u64 {
            let mut rng = Rng::stream(1, game);
            let start =
                if game % 2 == 0 { Chess::start() } else { Chess::start_960((game * 4 % 960) as u16) };
            let (mut position, mut scratch) = (start, Vec::new());
            for ply in 0..120 {
                let example = PackedExample::new(&position, ply - 60).unwrap();
                let read = example.position().unwrap();
                assert_eq!((read, read.fen()), (position, position.fen()));
                assert_eq!(example.score(), ply - 60);
                if position.outcome().is_some() {
                    break;
                }
                position.play(position.random_move(&mut rng, &mut scratch));
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_position_or_nothing(bytes in prop::array::uniform30(any::<u8>())) {
            let _ = PackedExample::from_bytes(bytes).position();
        }

        /// What is accepted is a position by the laws of texts too.
        #[test]
        fn damage_leaves_a_lawful_position_or_nothing(
            game in 0u64..50, plies in 0usize..80, place in 0..SIZE, byte in any::<u8>()
        ) {
            let (mut rng, mut scratch) = (Rng::stream(2, game), Vec::new());
            let mut position = Chess::start();
            for _ in 0..plies {
                if position.outcome().is_none() {
                    position.play(position.random_move(&mut rng, &mut scratch));
                }
            }
            let mut bytes = *PackedExample::new(&position, 0).unwrap().bytes();
            bytes[place] = byte;
            if let Some(read) = PackedExample::from_bytes(bytes).position() {
                prop_assert_eq!(Chess::from_fen(&read.fen()), Ok(read));
            }
        }
    }
}
