//! Kinds of pieces and their letters.

use outplay_core::Seat;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl PieceKind {
    /// All kinds, in their order.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    const LETTERS: &'static str = "PNBRQK";

    /// Its index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its English letter, upper case.
    pub const fn letter(self) -> char {
        Self::LETTERS.as_bytes()[self as usize] as char
    }

    /// The kind with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::LETTERS.find(letter).map(|place| Self::ALL[place])
    }

    /// The letter of a piece in FEN: upper case for white.
    pub const fn fen_letter(self, seat: Seat) -> char {
        match seat {
            Seat::First => self.letter(),
            Seat::Second => self.letter().to_ascii_lowercase(),
        }
    }
}

/// The piece that a letter in FEN stands for.
pub(super) fn piece_from_fen_letter(letter: char) -> Option<(Seat, PieceKind)> {
    let seat = if letter.is_ascii_uppercase() { Seat::First } else { Seat::Second };
    PieceKind::from_letter(letter.to_ascii_uppercase()).map(|kind| (seat, kind))
}
