//! A tiny board as words of cells, and what looks alike on it.
//!
//! Law: cell `i` is bit `i`, row by row.

use super::super::grid::Cell;

/// The most cells that a key has room for.
pub(super) const MOST_CELLS: usize = 28;

/// What a cell is in a key, beside the number that it has left to find.
const MASKED: u8 = 15;
const NOTHING: u8 = 14;
const BITS: u32 = 4;

/// The size of a board with its neighbourhoods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// The neighbours of each cell.
    pub(super) near: Vec<u32>,
}

/// A board seen in another way: turned, mirrored, moved.
#[derive(Clone, Copy)]
struct Sight {
    swaps: bool,
    flips_rows: bool,
    flips_cols: bool,
}

const SIGHTS: [Sight; 8] = {
    let mut sights = [Sight { swaps: false, flips_rows: false, flips_cols: false }; 8];
    let mut i = 0;
    while i < 8 {
        sights[i] = Sight { swaps: i & 1 != 0, flips_rows: i & 2 != 0, flips_cols: i & 4 != 0 };
        i += 1;
    }
    sights
};

impl Shape {
    pub(super) fn new(rows: usize, cols: usize) -> Self {
        let cells = (0..rows * cols).map(|index| Cell::new(index / cols, index % cols));
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

    /// A number that two sets of placements share exactly when they pose the same problem: the same masked cells with
    /// the same numbers left to find around them and the same mines left, on boards turned, mirrored or moved.
    /// Certain mines are taken off the numbers beside them; whatever touches no open question is nothing.
    ///
    /// `open` are the cells that are mined in some but not all of the placements, `certain` those mined in all;
    /// `one` is any of them.
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
        let keys = SIGHTS.iter().map(|sight| sight.key(height, width, mark));
        keys.min().unwrap_or(0) << 5 | u128::from(mines)
    }
}

impl Sight {
    /// The marks of a box, row by row as this sight sees them, and the length of its rows.
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
