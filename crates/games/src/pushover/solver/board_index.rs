//! Numbers all boards, so that boards joined by a symmetry share one record.
//!
//! A board is a *shape* (the occupied cells) and *colours* (which of the pieces are the mover's). One of each shape's images
//! under the [`BoardSymmetry`] group represents all; its boards are numbered by their colours, read as a binary number.
//! Shapes that are their own image keep their few redundant colourings (8 % of all boards), and in return no search for a
//! representative is needed.
//!
//! Shapes are numbered by descending number of pieces, so a push leads to a smaller number or stays in the shape.

use std::sync::LazyLock;

use super::symmetry::BoardSymmetry;
use crate::pushover::PushoverBoard;

static BOARD_INDEX: LazyLock<BoardIndex> = LazyLock::new(BoardIndex::build);

/// The numbers of all boards.
pub(super) struct BoardIndex {
    shapes: Vec<BoardShape>,
    /// By occupied cells.
    places: Vec<ShapeLookup>,
    /// The colours of eight cells, by the occupied ones and the mover's among them.
    packed: Vec<u8>,
}

/// A set of occupied cells that represents all its images.
pub(super) struct BoardShape {
    /// The cells.
    pub(super) occupied: u32,
    /// The number of the board on which no piece is the mover's.
    pub(super) first: usize,
    /// How many different images the shape has, itself included.
    pub(super) images: u64,
}

/// How an arbitrary set of occupied cells maps to its representative.
#[derive(Clone, Copy)]
struct ShapeLookup {
    first: u32,
    occupied: u16,
    symmetry: BoardSymmetry,
}

impl BoardShape {
    /// How many boards have the shape.
    pub(super) const fn len(&self) -> usize {
        1 << self.occupied.count_ones()
    }

    /// The colours of a board whose pieces are all the mover's. An exclusive or with it turns a board.
    pub(super) const fn all_colours(&self) -> u16 {
        (self.len() - 1) as u16
    }

    /// The boards of the shape in the order of their numbers.
    pub(super) fn boards(&self) -> impl Iterator<Item = PushoverBoard<4>> + use<> {
        let (occupied, mut mine) = (self.occupied, 0u32);
        (0..self.len()).map(move |_| {
            let board = PushoverBoard { mine, theirs: occupied & !mine };
            // Subtracting carries through the gaps: the next subset of the shape in binary order.
            mine = mine.wrapping_sub(occupied) & occupied;
            board
        })
    }
}

impl BoardIndex {
    /// The index, built at first use in a few milliseconds.
    pub(super) fn get() -> &'static Self {
        &BOARD_INDEX
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.last().map_or(0, |shape| shape.first + shape.len())
    }

    /// The shapes in the order of their boards' numbers.
    pub(super) fn shapes(&self) -> &[BoardShape] {
        &self.shapes
    }

    /// The shapes by number of pieces, the full board first. All shapes of a layer have the same size.
    pub(super) fn layers(&self) -> impl Iterator<Item = &[BoardShape]> {
        self.shapes.chunk_by(|a, b| a.len() == b.len())
    }

    /// The number of a board, and the colours of `other` where the board is represented, if it has the same
    /// shape.
    #[inline]
    pub(super) fn index_of(
        &self,
        board: PushoverBoard<4>,
        other: Option<PushoverBoard<4>>,
    ) -> (usize, Option<u16>) {
        let cells = board.mine | board.theirs;
        let place = self.places[cells as usize];
        let colours =
            |mine: u32| self.colours(place.symmetry.apply_to_cells(mine), u32::from(place.occupied));
        let other = other.filter(|other| other.mine | other.theirs == cells);
        (place.first as usize + colours(board.mine) as usize, other.map(|other| colours(other.mine)))
    }

    /// The mover's pieces among the occupied cells, as a number of as many bits as there are pieces.
    #[inline]
    pub(super) fn colours(&self, mine: u32, occupied: u32) -> u16 {
        let half = |mine: u32, occupied: u32| u16::from(self.packed[(occupied << 8 | mine) as usize]);
        let low = half(mine & 255, occupied & 255);
        low | half(mine >> 8, occupied >> 8) << (occupied & 255).count_ones()
    }

    fn build() -> Self {
        let representative = |cells: u32| {
            let images = BoardSymmetry::ALL.map(|symmetry| (symmetry.apply_to_cells(cells), symmetry));
            images.into_iter().min_by_key(|&(image, _)| image).unwrap_or((cells, BoardSymmetry::ALL[0]))
        };
        let mut images = vec![0u64; 1 << 16];
        for cells in 0..1 << 16 {
            images[representative(cells).0 as usize] += 1;
        }
        let mut represented: Vec<u32> = (0..1 << 16).filter(|&cells| images[cells as usize] > 0).collect();
        represented.sort_by_key(|cells| 16 - cells.count_ones());
        let mut firsts = vec![0; 1 << 16];
        let mut next = 0;
        let mut shapes = Vec::with_capacity(represented.len());
        for occupied in represented {
            let shape = BoardShape { occupied, first: next, images: images[occupied as usize] };
            firsts[occupied as usize] = next as u32;
            next += shape.len();
            shapes.push(shape);
        }
        let place = |cells| {
            let (occupied, symmetry) = representative(cells);
            ShapeLookup { first: firsts[occupied as usize], occupied: occupied as u16, symmetry }
        };
        Self { shapes, places: (0..1 << 16).map(place).collect(), packed: packed_bytes() }
    }
}

fn packed_bytes() -> Vec<u8> {
    let pack = |index: usize| {
        let (occupied, mine) = (index >> 8, index & 255);
        let pieces = (0..8).filter(|cell| occupied >> cell & 1 != 0);
        pieces.enumerate().map(|(place, cell)| ((mine >> cell & 1) << place) as u8).sum()
    };
    (0..1 << 16).map(pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_where_its_shape_says() {
        let index = BoardIndex::get();
        assert_eq!(index.shapes().len(), 8548, "sets of cells up to symmetry, by Burnside's count");
        for shape in index.shapes().iter().step_by(7) {
            for (offset, board) in shape.boards().enumerate() {
                assert_eq!(index.index_of(board, Some(board)), (shape.first + offset, Some(offset as u16)));
                assert_eq!(index.colours(board.theirs, shape.occupied), offset as u16 ^ shape.all_colours());
            }
        }
    }

    #[test]
    fn the_shapes_cover_all_boards() {
        let boards: u64 =
            BoardIndex::get().shapes().iter().map(|shape| shape.images * shape.len() as u64).sum();
        assert_eq!(boards, 3u64.pow(16));
    }
}
