//! Bitboards: one bit per tile, rows `STRIDE` bits apart, row 1 in the low bits.
//!
//! A board may be smaller than its bitboard. Bits outside the board are never set in [`BoardMasks`], and the last column and
//! row, which hold no wall, separate what a shift would otherwise carry around the edge.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A set of tiles, or of walls by the tile south-west of them.
pub trait Cells:
    Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Bits from one row to the next, and the size of the largest board.
    const STRIDE: u32;
    /// No tile.
    const EMPTY: Self;
    /// The masks of all boards, by size; empty for sizes that do not exist.
    const MASKS: &'static [BoardMasks<Self>; 16];

    /// The masks of the board of this size, which is below 16.
    #[inline]
    fn masks(size: u8) -> &'static BoardMasks<Self> {
        &Self::MASKS[usize::from(size) & 15]
    }

    /// One tile.
    fn single(cell: u8) -> Self;

    /// The lowest tile of a set that is not empty.
    fn lowest(self) -> u8;

    /// The set without its lowest tile.
    #[must_use]
    fn without_lowest(self) -> Self;

    /// The number of tiles.
    fn count(self) -> u32;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the set contains the tile.
    #[inline]
    fn contains(self, cell: u8) -> bool {
        !(self & Self::single(cell)).is_empty()
    }

    /// The tile with exactly `index` others below it, where `index < M`. Branch-free, because a random index cannot be
    /// predicted.
    #[inline]
    fn nth<const M: usize>(mut self, index: usize) -> u8 {
        for earlier in 0..M - 1 {
            let next = self.without_lowest();
            self = if earlier < index { next } else { self };
        }
        self.lowest()
    }

    /// The tiles in ascending order.
    fn iter(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            (!self.is_empty()).then(|| {
                let cell = self.lowest();
                self = self.without_lowest();
                cell
            })
        })
    }

    /// The number of the tile in this column and row, both from 0.
    #[inline]
    fn cell(column: u8, row: u8) -> u8 {
        row * Self::STRIDE as u8 + column
    }

    /// The column and row of a tile, both from 0.
    #[inline]
    fn column_row(cell: u8) -> (u8, u8) {
        (cell % Self::STRIDE as u8, cell / Self::STRIDE as u8)
    }
}

/// Masks that depend only on the size of the board.
#[derive(Clone, Copy, Debug)]
pub struct BoardMasks<C> {
    /// Tiles with a tile north of them.
    pub(super) north: C,
    /// Tiles with a tile east of them.
    pub(super) east: C,
    /// The slots where walls can be placed.
    pub(super) slots: C,
    /// The slots whose west, east, south and north end lies on the rim.
    pub(super) rims: [C; 4],
    /// The goal rows of white and black.
    pub(super) goals: [C; 2],
    /// The numbers of the slots, in order.
    pub(super) slot_numbers: [u8; 64],
}

/// A part of a board in a wide bitboard: columns and rows from `first` up to, not including, `last`.
const fn block(stride: usize, first: (usize, usize), last: (usize, usize)) -> u128 {
    let (mut block, mut row) = (0, first.1);
    while row < last.1 {
        let mut column = first.0;
        while column < last.0 {
            block |= 1 << (row * stride + column);
            column += 1;
        }
        row += 1;
    }
    block
}

const fn slot_numbers(stride: usize, size: usize) -> [u8; 64] {
    let (mut numbers, mut number) = ([0; 64], 0);
    while number < (size - 1) * (size - 1) {
        numbers[number] = (number / (size - 1) * stride + number % (size - 1)) as u8;
        number += 1;
    }
    numbers
}

macro_rules! cells {
    ($bits:ty, $stride:literal) => {
        impl Cells for $bits {
            const STRIDE: u32 = $stride;
            const EMPTY: Self = 0;
            const MASKS: &'static [BoardMasks<Self>; 16] = &{
                const fn part(first: (usize, usize), last: (usize, usize)) -> $bits {
                    block($stride, first, last) as $bits
                }
                let nowhere = BoardMasks {
                    north: 0,
                    east: 0,
                    slots: 0,
                    rims: [0; 4],
                    goals: [0; 2],
                    slot_numbers: [0; 64],
                };
                let mut masks = [nowhere; 16];
                let mut n = 2;
                while n <= $stride {
                    let m = n - 1;
                    masks[n] = BoardMasks {
                        north: part((0, 0), (n, m)),
                        east: part((0, 0), (m, n)),
                        slots: part((0, 0), (m, m)),
                        rims: [
                            part((0, 0), (1, m)),
                            part((m - 1, 0), (m, m)),
                            part((0, 0), (m, 1)),
                            part((0, m - 1), (m, m)),
                        ],
                        goals: [part((0, m), (n, n)), part((0, 0), (n, 1))],
                        slot_numbers: slot_numbers($stride, n),
                    };
                    n += 1;
                }
                masks
            };

            #[inline]
            fn single(cell: u8) -> Self {
                1 << cell
            }

            #[inline]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
        }
    };
}

cells!(u64, 8);
cells!(u128, 9);
