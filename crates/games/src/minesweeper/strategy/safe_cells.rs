//! A cache of the cells proven safe, from one turn to the next.
//!
//! Invariant: a proof holds only on boards that continue the one it was made on; on any other board the cache is
//! cleared. Flags are ignored.

use super::super::grid::{BoardCell, cells_of_row};
use super::super::visible_board::VisibleBoard;

/// The last board, and the safe cells found on it.
#[derive(Clone, Debug, Default)]
pub(super) struct SafeCellCache {
    mines: usize,
    masked: Vec<u64>,
    /// Row by row; 0 where masked.
    numbers: Vec<u8>,
    safe: Vec<BoardCell>,
}

impl SafeCellCache {
    pub(super) fn forget(&mut self) {
        self.numbers.clear();
        self.safe.clear();
    }

    /// Stores the board; clears the proven cells if it does not continue the last one.
    pub(super) fn see(&mut self, view: &VisibleBoard) {
        if !self.is_continued_by(view) {
            self.safe.clear();
        }
        self.mines = view.mines();
        self.masked.clear();
        self.masked.extend_from_slice(view.masked().rows());
        self.numbers.clear();
        self.numbers.extend_from_slice(view.numbers());
    }

    /// Whether the view shows everything that was shown before. Then the differences are newly unmasked numbers other
    /// than 0; so there are as many differences as newly unmasked cells that are not 0.
    fn is_continued_by(&self, view: &VisibleBoard) -> bool {
        let (rows, numbers) = (view.masked().rows(), view.numbers());
        if self.mines != view.mines()
            || self.masked.len() != rows.len()
            || self.numbers.len() != numbers.len()
        {
            return false;
        }
        let differing = self.numbers.iter().zip(numbers).map(|(before, now)| u16::from(before != now));
        let differing: u16 = differing.sum();
        let mut newly = 0;
        for (row, (before, now)) in self.masked.iter().zip(rows).enumerate() {
            if now & !before != 0 {
                return false;
            }
            let unmasked = cells_of_row(row, before & !now);
            newly += unmasked.map(|cell| u16::from(numbers[view.index(cell)] > 0)).sum::<u16>();
        }
        differing == newly
    }

    /// Adds a cell that is empty in every solution of the board seen last.
    pub(super) fn prove(&mut self, cell: BoardCell) {
        self.safe.push(cell);
    }

    /// The next safe cell that is still masked.
    pub(super) fn next_safe(&mut self, view: &VisibleBoard) -> Option<BoardCell> {
        while let Some(cell) = self.safe.pop() {
            if view.masked().contains(cell) {
                return Some(cell);
            }
        }
        None
    }
}
