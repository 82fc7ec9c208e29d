//! Zobrist keys: one random number for each piece on a square, castling right and en passant file, combined by XOR.

use outplay_core::{Seat, mix64};

use super::pieces::PieceKind;
use super::squares::ChessSquare;

struct ChessZobristKeys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
}

const fn zobrist_keys() -> ChessZobristKeys {
    let mut keys = ChessZobristKeys { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], en_passant: [0; 8] };
    let mut number = 0;
    while number < 768 {
        keys.pieces[number / 384][number / 64 % 6][number % 64] = mix64(0xc4e5_5000 + number as u64);
        number += 1;
    }
    let mut square = 0;
    while square < 64 {
        keys.castling[square] = mix64(0xc4e5_6000 + square as u64);
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        keys.en_passant[file] = mix64(0xc4e5_7000 + file as u64);
        file += 1;
    }
    keys
}

static KEYS: ChessZobristKeys = zobrist_keys();

/// The key of black to move.
pub(super) const BLACK_TO_MOVE: u64 = mix64(0xc4e5_8000);

/// The key of a piece on a square.
#[inline]
pub(super) fn piece(seat: Seat, kind: PieceKind, square: ChessSquare) -> u64 {
    KEYS.pieces[seat.index()][kind.index()][square.index()]
}

/// The key of the right to castle with the rook on a square.
#[inline]
pub(super) fn castling(square: ChessSquare) -> u64 {
    KEYS.castling[square.index()]
}

/// The key of an en passant square on a file.
#[inline]
pub(super) fn en_passant(file: u8) -> u64 {
    KEYS.en_passant[file as usize & 7]
}
