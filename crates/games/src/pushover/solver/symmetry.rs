//! The eight symmetries of the 4×4 board. A symmetry maps a push to the push at the image of its entry, so a board and its
//! images have the same value.

/// A rotation or reflection of the board, or the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardSymmetry(u8);

impl BoardSymmetry {
    /// Every symmetry, the identity first.
    pub(super) const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The image of a set of cells.
    #[inline]
    pub(super) const fn apply_to_cells(self, cells: u32) -> u32 {
        let [low, high] = &IMAGES[self.0 as usize & 7];
        (low[cells as usize & 255] | high[cells as usize >> 8 & 255]) as u32
    }

    const fn apply_to_cell(self, cell: usize) -> usize {
        let (mut row, mut column) = (cell / 4, cell % 4);
        if self.0 & 1 != 0 {
            row = 3 - row;
        }
        if self.0 & 2 != 0 {
            column = 3 - column;
        }
        if self.0 & 4 != 0 { column * 4 + row } else { row * 4 + column }
    }
}

/// By symmetry, then half of the board (cells 0–7, cells 8–15), then the half's cells: their images.
static IMAGES: [[[u16; 256]; 2]; 8] = images();

const fn images() -> [[[u16; 256]; 2]; 8] {
    let mut images = [[[0; 256]; 2]; 8];
    let mut i = 0;
    while i < 8 * 2 * 256 {
        let (symmetry, half, cells) = (i >> 9, i >> 8 & 1, i & 255);
        let mut cell = 0;
        while cell < 8 {
            if cells >> cell & 1 != 0 {
                let image = BoardSymmetry(symmetry as u8).apply_to_cell(half * 8 + cell);
                images[symmetry][half][cells] |= 1 << image;
            }
            cell += 1;
        }
        i += 1;
    }
    images
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_eight_are_distinct_and_closed() {
        let picture =
            |symmetry: BoardSymmetry| (0..16).map(|cell| symmetry.apply_to_cell(cell)).collect::<Vec<_>>();
        let all: BTreeSet<_> = BoardSymmetry::ALL.map(picture).into();
        assert_eq!(all.len(), 8);
        for first in BoardSymmetry::ALL {
            for second in BoardSymmetry::ALL {
                assert!(all.contains(
                    &(0..16).map(|cell| second.apply_to_cell(first.apply_to_cell(cell))).collect::<Vec<_>>()
                ));
            }
        }
    }
}
