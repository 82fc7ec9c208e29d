//! Sets of walls, and where they touch.
//!
//! A wall has the number of the tile south-west of its middle. Lattice points inside the board have the same numbers, so the
//! points that a wall touches are shifts of its bit. A wall that touches fewer than two other things (walls or the rim)
//! closes no curve, so it cuts nothing off.

use super::cells::{BoardMasks, Cells};
use super::rules::QuoridorMove;

/// A set of walls: on the board, legal, blocking a path …
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Walls<C> {
    /// Walls along a row: each closes the passage north from two tiles.
    pub horizontal: C,
    /// Walls along a column: each closes the passage east from two tiles.
    pub vertical: C,
}

impl<C: Cells> Walls<C> {
    /// No wall.
    pub const EMPTY: Self = Self { horizontal: C::EMPTY, vertical: C::EMPTY };

    /// One horizontal wall.
    #[inline]
    pub fn horizontal(slot: u8) -> Self {
        Self { horizontal: C::single(slot), vertical: C::EMPTY }
    }

    /// One vertical wall.
    #[inline]
    pub fn vertical(slot: u8) -> Self {
        Self { horizontal: C::EMPTY, vertical: C::single(slot) }
    }

    /// The number of walls.
    #[inline]
    pub fn count(self) -> u32 {
        self.horizontal.count() + self.vertical.count()
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        (self.horizontal | self.vertical).is_empty()
    }

    /// The walls in either set.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { horizontal: self.horizontal | other.horizontal, vertical: self.vertical | other.vertical }
    }

    /// The walls in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self { horizontal: self.horizontal & other.horizontal, vertical: self.vertical & other.vertical }
    }

    /// The walls with the moves that place them, horizontal ones first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (QuoridorMove, Self)> {
        let horizontal =
            self.horizontal.iter().map(|slot| (QuoridorMove::Horizontal(slot), Self::horizontal(slot)));
        horizontal
            .chain(self.vertical.iter().map(|slot| (QuoridorMove::Vertical(slot), Self::vertical(slot))))
    }

    /// The slots where another wall would neither overlap nor cross any of these.
    #[inline]
    pub(super) fn free_slots(self, outline: &BoardMasks<C>) -> Self {
        let Self { horizontal, vertical } = self;
        let middles = horizontal | vertical;
        Self {
            horizontal: outline.slots & !(middles | horizontal << 1 | horizontal >> 1),
            vertical: outline.slots & !(middles | vertical << C::STRIDE | vertical >> C::STRIDE),
        }
    }

    /// The slots where a wall would touch two or three walls or rims with its ends and middle. Meaningful for free slots only.
    #[inline]
    pub(super) fn joints(self, outline: &BoardMasks<C>) -> Self {
        let Self { horizontal: h, vertical: v } = self;
        let points = h | h << 1 | h >> 1 | v | v << C::STRIDE | v >> C::STRIDE;
        let [west, east, south, north] = outline.rims;
        let two_of = |one: C, other: C| (one & other) | (points & (one | other));
        Self {
            horizontal: two_of(points << 1 | west, points >> 1 | east),
            vertical: two_of(points << C::STRIDE | south, points >> C::STRIDE | north),
        }
    }
}
