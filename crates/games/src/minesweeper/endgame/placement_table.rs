//! What each cell would show under each placement.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::grid::{BoardCell, beside};
use super::super::solver::Placements;

/// The entry for a mine; numbers stand for themselves.
pub(in super::super) const MINE: u8 = 9;

/// One row per cell, one entry per placement.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct PlacementTable {
    placements: usize,
    cells: usize,
    shows: Vec<u8>,
}

impl PlacementTable {
    /// The table of these cells under these placements, which include every mine near them; `None` if the flag is raised.
    pub(in super::super) fn new(
        placements: &Placements,
        cells: &[BoardCell],
        stop: &AtomicBool,
    ) -> Option<Self> {
        let count = placements.len();
        let mut shows = vec![0; count * cells.len()];
        for (number, mines) in placements.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for (line, &cell) in cells.iter().enumerate() {
                shows[line * count + number] = shown(mines, cell);
            }
        }
        Some(Self { placements: count, cells: cells.len(), shows })
    }

    pub(in super::super) const fn placements(&self) -> usize {
        self.placements
    }

    pub(in super::super) const fn cells(&self) -> usize {
        self.cells
    }

    /// What a cell shows under each placement.
    #[inline]
    pub(in super::super) fn line(&self, cell: usize) -> &[u8] {
        &self.shows[cell * self.placements..(cell + 1) * self.placements]
    }
}

fn shown(mines: &[u64], cell: BoardCell) -> u8 {
    let (row, col) = (cell.row as usize, u32::from(cell.col));
    if mines[row] >> col & 1 == 1 {
        return MINE;
    }
    let near = beside(1 << col);
    let rows = &mines[row.saturating_sub(1)..(row + 2).min(mines.len())];
    rows.iter().map(|mines| (mines & near).count_ones() as u8).sum()
}
