//! A tiny board as words of cells, and canonical keys of its problems.
//!
//! Invariant: cell `i` is bit `i`, row by row.

use super::super::grid::BoardCell;

/// The greatest number of cells that fit into a key.
pub(super) const MOST_CELLS: usize = 28;

/// The codes of a cell in a key, besides the number that it still needs.
const MASKED: u8 = 15;
const NOTHING: u8 = 14;
const BITS: u32 = 4;

/// The size of a board with its neighbourhoods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TinyBoard {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// The neighbours of each cell.
    pub(super) near: Vec<u32>,
}

/// A rotation or reflection of the board.
#[derive(Clone, Copy)]
struct TinyBoardSymmetry {
    swaps: bool,
    flips_rows: bool,
    flips_cols: bool,
}

const SYMMETRIES: [TinyBoardSymmetry; 8] = {
    let mut symmetries = [TinyBoardSymmetry { swaps: false, flips_rows: false, flips_cols: false }; 8];
    let mut i = 0;
    while i < 8 {
        symmetries[i] =
            TinyBoardSymmetry { swaps: i & 1 != 0, flips_rows: i & 2 != 0, flips_cols: i & 4 != 0 };
        i += 1;
    }
    symmetries
};

impl TinyBoard {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        let cells = (0..rows * cols).map(|index| BoardCell::new(index / cols, index % cols));
        let near = cells.map(|cell| {
            cell.neighbours(rows, cols)
                .fold(0, |near, cell| near | 1 << (cell.row as usize * cols + cell.col as usize))
        });
        Self { rows, cols, near: near.collect() }
    }

    pub(super) const fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Every cell.
    pub(super) const fn all(&self) -> u32 {
        (1 << self.cells()) - 1
    }

    /// A key that two sets of placements share exactly when they pose the same problem: the same masked cells with
    /// the same numbers left to find around them and the same mines left, up to rotation, reflection and translation.
    /// Certain mines are subtracted from the numbers beside them; cells that touch no undecided cell are ignored.
    ///
    /// `open` are the cells that are mined in some but not all of the placements, `certain` those mined in all; `one`
    /// is any of the placements.
    pub(super) fn key(&self, open: u32, certain: u32, one: u32) -> u128 {
        let mut marks = [NOTHING; MOST_CELLS];
        let (mut top, mut bottom, mut left, mut right) = (self.rows, 0, self.cols, 0);
        for (index, mark) in marks.iter_mut().enumerate().take(self.cells()) {
            let bit = 1 << index;
            *mark = if open & bit != 0 {
                MASKED
            } else if certain & bit == 0 && self.near[index] & open != 0 {
                (one & open & self.near[index]).count_ones() as u8
            } else {
                continue;
            };
            let (row, col) = (index / self.cols, index % self.cols);
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(col), right.max(col));
        }
        let (height, width) = (bottom + 1 - top, right + 1 - left);
        let mines = (one & open).count_ones();
        let mark = |row: usize, col: usize| marks[(top + row) * self.cols + left + col];
        let keys = SYMMETRIES.iter().map(|symmetry| symmetry.key(height, width, mark));
        keys.min().unwrap_or(0) << 5 | u128::from(mines)
    }
}

impl TinyBoardSymmetry {
    /// The codes of a box, row by row under this symmetry, and the length of its rows.
    fn key(self, height: usize, width: usize, mark: impl Fn(usize, usize) -> u8) -> u128 {
        let (rows, cols) = if self.swaps { (width, height) } else { (height, width) };
        let mut key = 1;
        for row in 0..rows {
            for col in 0..cols {
                let (r, c) = if self.swaps { (col, row) } else { (row, col) };
                let r = if self.flips_rows { height - 1 - r } else { r };
                let c = if self.flips_cols { width - 1 - c } else { c };
                key = key << BITS | u128::from(mark(r, c));
            }
        }
        key << 5 | cols as u128
    }
}
