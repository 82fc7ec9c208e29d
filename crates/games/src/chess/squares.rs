//! Squares and bitboards: a1 is 0, b1 is 1, a2 is 8, h8 is 63; bit n of a bitboard is square n.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use outplay_core::{Language, Localize};

/// A square of the chessboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChessSquare(u8);

impl ChessSquare {
    /// The square on this file and rank, both from 0.
    pub const fn new(file: u8, rank: u8) -> Self {
        debug_assert!(file < 8 && rank < 8);
        Self(rank << 3 | file)
    }

    /// The square with this number.
    #[inline]
    pub const fn from_number(number: u8) -> Self {
        debug_assert!(number < 64);
        Self(number)
    }

    /// Its number.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its number as an index; the mask lets the compiler drop bounds checks.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 63
    }

    /// The file, 0 for a.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, from 0.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The bitboard with only this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Reads a square such as `e4`.
    pub fn parse(text: &str) -> Option<Self> {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *text.as_bytes() else { return None };
        Some(Self::new(file - b'a', rank - b'1'))
    }
}

impl Localize for ChessSquare {
    fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ChessSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The squares of a file, 0 for a.
    pub const fn file(file: u8) -> Self {
        Self(0x0101_0101_0101_0101 << file)
    }

    /// The squares of a rank, from 0.
    pub const fn rank(rank: u8) -> Self {
        Self(0xff << (8 * rank))
    }

    /// The number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are at least two squares.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the set contains the square.
    #[inline]
    pub const fn contains(self, square: ChessSquare) -> bool {
        self.0 >> (square.0 & 63) & 1 == 1
    }

    /// The lowest square of a non-empty set.
    #[inline]
    pub const fn first(self) -> ChessSquare {
        debug_assert!(self.0 != 0);
        ChessSquare(self.0.trailing_zeros() as u8)
    }
}

impl IntoIterator for Bitboard {
    type Item = ChessSquare;
    type IntoIter = BitboardSquares;

    #[inline]
    fn into_iter(self) -> BitboardSquares {
        BitboardSquares(self.0)
    }
}

/// Iterator over the squares of a bitboard, lowest first.
#[derive(Clone, Debug)]
pub struct BitboardSquares(u64);

impl Iterator for BitboardSquares {
    type Item = ChessSquare;

    #[inline]
    fn next(&mut self) -> Option<ChessSquare> {
        let number = self.0.trailing_zeros();
        if number == 64 {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(ChessSquare(number as u8))
    }
}

macro_rules! join_sets {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $operator:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0 $operator other.0;
            }
        }
    )*};
}

join_sets! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names() {
        for square in ChessSquare::all() {
            assert_eq!(ChessSquare::parse(&square.to_string()), Some(square));
        }
        for text in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(ChessSquare::parse(text), None, "{text}");
        }
        assert_eq!(ChessSquare::parse("b1").unwrap().number(), 1);
        assert_eq!(ChessSquare::parse("a2").unwrap().number(), 8);
    }

    #[test]
    fn sets_are_walked_in_order() {
        let set = Bitboard::file(0) & !Bitboard::rank(0);
        assert_eq!(set.into_iter().map(ChessSquare::number).collect::<Vec<_>>(), [8, 16, 24, 32, 40, 48, 56]);
        assert_eq!((set.len(), set.first().to_string()), (7, "a2".to_owned()));
        assert!(set.more_than_one() && !set.first().bitboard().more_than_one());
    }
}
