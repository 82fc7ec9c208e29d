//! A position and its score in thirty bytes.
//!
//! Layout: the occupied squares as a bit board (8 bytes); four bits for each of them, a1 first (16 bytes); the side to move
//! (1); the clock of the fifty moves (1); the number of the move (2); the score (2). All numbers are little-endian.
//! Of the four bits, 0 to 5 are white's pieces from pawn to king, 6 to 11 black's, 12 and 13 a white and a black rook with
//! which its side may castle, 14 a pawn that may be taken en passant.

use outplay_core::{Seat, View};

use crate::chess::pieces::Kind;
use crate::chess::rules::Chess;
use crate::chess::squares::{Square, Squares};

/// Bytes of an example.
pub const SIZE: usize = 30;
/// The score of a certain mate, in hundredths of a pawn; other scores stay below it.
pub const MATE: i16 = 10_000;

const CASTLING_ROOK: u8 = 12;
const PASSANT_PAWN: u8 = 14;
/// Pieces that have room.
const MOST_PIECES: u32 = 32;

/// A position with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Example([u8; SIZE]);

impl Example {
    /// An example; nothing of a position with more pieces than a game has.
    pub fn new(position: &Chess, score: i16) -> Option<Self> {
        if position.occupied().len() > MOST_PIECES {
            return None;
        }
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
        for (place, square) in position.occupied().into_iter().enumerate() {
            bytes[8 + place / 2] |= code(position, square) << (place % 2 * 4);
        }
        bytes[24] = position.seat().index() as u8;
        bytes[25] = position.clock();
        bytes[26..28].copy_from_slice(&position.move_number().to_le_bytes());
        bytes[28..].copy_from_slice(&score.to_le_bytes());
        Some(Self(bytes))
    }

    /// The score in hundredths of a pawn, of the side that has moved.
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[28], self.0[29]])
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; SIZE] {
        &self.0
    }

    /// The example with these bytes, whose position [`position`](Self::position) checks.
    pub const fn of_bytes(bytes: [u8; SIZE]) -> Self {
        Self(bytes)
    }

    /// The position; nothing if the bytes are none.
    pub fn position(&self) -> Option<Chess> {
        Chess::from_fen(&self.fen()?).ok()
    }

    /// The position as a text, which may still be against the laws.
    fn fen(&self) -> Option<String> {
        let occupied = Squares(u64::from_le_bytes(self.0[..8].try_into().ok()?));
        let seat = *Seat::BOTH.get(usize::from(self.0[24]))?;
        if occupied.len() > MOST_PIECES {
            return None;
        }
        let (mut letters, mut rooks, mut passant) = ([None; 64], [String::new(), String::new()], None);
        for (place, square) in occupied.into_iter().enumerate() {
            let code = self.0[8 + place / 2] >> (place % 2 * 4) & 15;
            letters[square.index()] = Some(match code {
                0..12 => Kind::ALL[usize::from(code % 6)].letter_of(Seat::BOTH[usize::from(code / 6)]),
                CASTLING_ROOK..PASSANT_PAWN => {
                    let side = usize::from(code - CASTLING_ROOK);
                    let file = char::from(b'a' + square.file());
                    rooks[side].push(if side == 0 { file.to_ascii_uppercase() } else { file });
                    Kind::Rook.letter_of(Seat::BOTH[side])
                }
                PASSANT_PAWN => {
                    let behind =
                        if seat == Seat::First { square.rank() + 1 } else { square.rank().checked_sub(1)? };
                    passant = (behind < 8).then(|| Square::new(square.file(), behind));
                    Kind::Pawn.letter_of(!seat)
                }
                _ => return None,
            });
        }
        let rank = |rank: u8| -> String {
            let letter = |file| letters[Square::new(file, rank).index()].unwrap_or('1');
            (0..8).map(letter).collect()
        };
        let board: Vec<String> = (0..8).rev().map(rank).collect();
        let rooks = rooks.concat();
        Some(format!(
            "{} {} {} {} {} {}",
            board.join("/"),
            ['w', 'b'][seat.index()],
            if rooks.is_empty() { "-" } else { &rooks },
            passant.map_or_else(|| "-".to_owned(), |square| square.to_string()),
            self.0[25],
            u16::from_le_bytes([self.0[26], self.0[27]]),
        ))
    }
}

fn code(position: &Chess, square: Square) -> u8 {
    let (seat, kind) = position.piece_on(square).expect("the square is occupied");
    let taken_in_passing = position.passant.map(|behind| {
        let rank = if position.seat() == Seat::First { behind.rank() - 1 } else { behind.rank() + 1 };
        Square::new(behind.file(), rank)
    });
    if taken_in_passing == Some(square) {
        PASSANT_PAWN
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
                let example = Example::new(&position, ply - 60).unwrap();
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
            let _ = Example::of_bytes(bytes).position();
        }
    }
}
