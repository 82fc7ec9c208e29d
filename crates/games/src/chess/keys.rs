//! Random numbers from which the keys of positions are made.

use outplay_core::{Seat, mix64};

use super::pieces::Kind;
use super::squares::Square;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    rooks: [u64; 64],
    passant: [u64; 8],
}

const fn keys() -> Keys {
    let mut keys = Keys { pieces: [[[0; 64]; 6]; 2], rooks: [0; 64], passant: [0; 8] };
    let mut number = 0;
    while number < 768 {
        keys.pieces[number / 384][number / 64 % 6][number % 64] = mix64(0xc4e5_5000 + number as u64);
        number += 1;
    }
    let mut square = 0;
    while square < 64 {
        keys.rooks[square] = mix64(0xc4e5_6000 + square as u64);
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.passant[file] = mix64(0xc4e5_7000 + file as u64);
        file += 1;
    }
    keys
}

static KEYS: Keys = keys();

/// Changes with the side to move.
pub(super) const BLACK_TO_MOVE: u64 = mix64(0xc4e5_8000);

/// A piece on a square.
#[inline]
pub(super) fn piece(seat: Seat, kind: Kind, square: Square) -> u64 {
    KEYS.pieces[seat.index()][kind.index()][square.index()]
}

/// The right to castle with the rook on a square.
#[inline]
pub(super) fn rook(square: Square) -> u64 {
    KEYS.rooks[square.index()]
}

/// A pawn may be taken en passant on a file.
#[inline]
pub(super) fn passant(file: u8) -> u64 {
    KEYS.passant[file as usize & 7]
}
