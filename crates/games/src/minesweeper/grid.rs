//! Cells and sets of cells.
//!
//! Invariant: a row is one word, with column 0 in its lowest bit; no set holds a cell outside its board.

use std::fmt;

use outplay_core::{Language, Localize};

/// The greatest number of rows, and of columns.
pub const MAX_SIDE: usize = 64;

/// A cell, by its row from the top and its column from the left, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardCell {
    /// The row, 0 at the top.
    pub row: u8,
    /// The column, 0 at the left.
    pub col: u8,
}

impl BoardCell {
    /// The cell in this row and column.
    pub const fn new(row: usize, col: usize) -> Self {
        Self { row: row as u8, col: col as u8 }
    }

    /// The cells around this one on a board of this size, row by row.
    pub fn neighbours(self, rows: usize, cols: usize) -> impl Iterator<Item = Self> {
        let (row, col) = (self.row as usize, self.col as usize);
        let columns = col.saturating_sub(1)..(col + 2).min(cols);
        (row.saturating_sub(1)..(row + 2).min(rows))
            .flat_map(move |r| columns.clone().map(move |c| Self::new(r, c)))
            .filter(move |&cell| cell != self)
    }

    /// The letters of a column: `a` to `z`, then `aa` to `bl`.
    pub fn column_letters(col: usize) -> String {
        let letter = |index: usize| char::from(b'a' + index as u8);
        match col.checked_sub(26) {
            None => letter(col).to_string(),
            Some(beyond) => format!("{}{}", letter(beyond / 26), letter(beyond % 26)),
        }
    }

    /// The cell that a text such as `c7` names, on the largest board.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.find(|char: char| !char.is_ascii_lowercase())?;
        let (letters, number) = text.split_at(digits);
        let col = match *letters.as_bytes() {
            [only] => (only - b'a') as usize,
            [first, second] => 26 + 26 * (first - b'a') as usize + (second - b'a') as usize,
            _ => return None,
        };
        if number.starts_with(['0', '+']) {
            return None;
        }
        let row = number.parse::<usize>().ok()?.checked_sub(1)?;
        (row < MAX_SIDE && col < MAX_SIDE).then(|| Self::new(row, col))
    }
}

impl Localize for BoardCell {
    fn localize(&self, _: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BoardCell {
    /// Column letters, then the row counted from 1 at the top: `c7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::column_letters(self.col as usize), self.row + 1)
    }
}

/// A set of cells of one board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CellSet {
    rows: Vec<u64>,
}

/// The word of a full row with this many columns.
pub(super) const fn full_row(cols: usize) -> u64 {
    u64::MAX >> (MAX_SIDE - cols)
}

impl CellSet {
    /// The empty set, on a board with this many rows.
    pub fn empty(rows: usize) -> Self {
        Self { rows: vec![0; rows] }
    }

    /// Every cell of the board.
    pub fn full(rows: usize, cols: usize) -> Self {
        Self { rows: vec![full_row(cols); rows] }
    }

    /// The rows as words.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    pub(super) fn rows_mut(&mut self) -> &mut [u64] {
        &mut self.rows
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: BoardCell) -> bool {
        self.rows[cell.row as usize] >> cell.col & 1 == 1
    }

    /// Puts the cell in.
    #[inline]
    pub fn insert(&mut self, cell: BoardCell) {
        self.rows[cell.row as usize] |= 1 << cell.col;
    }

    /// Takes the cell out.
    #[inline]
    pub fn remove(&mut self, cell: BoardCell) {
        self.rows[cell.row as usize] &= !(1 << cell.col);
    }

    /// Takes every cell out.
    pub fn clear(&mut self) {
        self.rows.fill(0);
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = BoardCell> + '_ {
        self.rows.iter().enumerate().flat_map(|(row, &word)| cells_of_row(row, word))
    }
}

/// The cells of one row's word, from the left.
pub(super) fn cells_of_row(row: usize, mut word: u64) -> impl Iterator<Item = BoardCell> {
    std::iter::from_fn(move || {
        let col = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(BoardCell::new(row, col))
    })
}

/// The row's cells and those beside them; it may run over the right edge by one.
#[inline]
pub(super) const fn beside(word: u64) -> u64 {
    word | word << 1 | word >> 1
}

/// Row `row` of the cells in or around the set; it may run over the right edge by one.
#[inline]
pub(super) fn around(rows: &[u64], row: usize) -> u64 {
    let above = if row > 0 { rows[row - 1] } else { 0 };
    let below = rows.get(row + 1).copied().unwrap_or(0);
    beside(rows[row] | above | below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_reads_back() {
        for row in 0..MAX_SIDE {
            for col in 0..MAX_SIDE {
                let cell = BoardCell::new(row, col);
                assert_eq!(BoardCell::parse(&cell.to_string()), Some(cell));
            }
        }
        assert_eq!(BoardCell::new(63, 63).to_string(), "bl64");
        for text in ["", "c", "7", "c0", "c07", "c+7", "C7", "c65", "bm1", "aaa1", "c7 ", "é1"] {
            assert_eq!(BoardCell::parse(text), None, "{text:?}");
        }
    }
}
