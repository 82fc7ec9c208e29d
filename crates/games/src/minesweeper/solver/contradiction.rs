//! Minimal sets of contradictory numbers, and minimal proofs of cells: if any one number is left out, the rest can be
//! satisfied.

use std::fmt;

use super::super::grid::{BoardCell, CellSet};
use super::super::visible_board::{CellContent, VisibleBoard};
use super::{ProbabilityError, Solver};

/// Numbers that cannot all be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The numbers, row by row.
    pub cells: Vec<BoardCell>,
    /// The number of mines, if it takes part in the contradiction.
    pub mines: Option<usize>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<String> = self.cells.iter().map(BoardCell::to_string).collect();
        let numbers = match &cells[..] {
            [] => String::new(),
            [only] => format!("the number at {only}"),
            [first @ .., last] => format!("the numbers at {} and {last}", first.join(", ")),
        };
        match (self.mines, cells.len()) {
            (Some(1), 0) => write!(f, "one mine does not fit the masks and the mines that are shown"),
            (Some(mines), 0) => write!(f, "{mines} mines do not fit the masks and the mines that are shown"),
            (Some(1), _) => write!(f, "{numbers} cannot be satisfied with one mine on the board"),
            (Some(mines), _) => write!(f, "{numbers} cannot be satisfied with {mines} mines on the board"),
            (None, 1) => write!(f, "{numbers} cannot be satisfied by the cells around it"),
            (None, _) => write!(f, "{numbers} contradict each other"),
        }
    }
}

impl std::error::Error for Contradiction {}

impl Solver {
    /// A minimal reason why no placement fits the board; `None` if one fits, or if the board is too complex to tell.
    pub fn contradiction(&mut self, seen: &VisibleBoard) -> Option<Contradiction> {
        self.reason(seen, &numbers(seen))
    }

    /// A minimal set of numbers that proves a cell safe or mined: they contradict the opposite. `None` if the cell is
    /// not certain.
    pub fn proof(&mut self, seen: &VisibleBoard, cell: BoardCell) -> Option<Contradiction> {
        let known = self.solve(seen).ok()?;
        let mut otherwise = seen.clone();
        if known.safe().contains(cell) {
            otherwise.explode(cell);
        } else if known.mined().contains(cell) {
            otherwise.reveal(cell, 0);
        } else {
            return None;
        }
        self.reason(&otherwise, &numbers(seen))
    }

    /// The numbers that touch a cell: what constrains it directly.
    pub fn why(seen: &VisibleBoard, cell: BoardCell) -> Vec<BoardCell> {
        seen.neighbours(cell).filter(|&near| matches!(seen.shown(near), CellContent::Number(_))).collect()
    }

    fn reason(&mut self, seen: &VisibleBoard, numbers: &[BoardCell]) -> Option<Contradiction> {
        if !self.is_contradictory(seen, numbers, true) {
            return None;
        }
        let counted = !self.is_contradictory(seen, numbers, false);
        let mut cells = numbers.to_vec();
        let mut size = cells.len().next_power_of_two();
        while size > 0 {
            let mut start = 0;
            while start < cells.len() {
                let mut fewer = cells.clone();
                fewer.drain(start..(start + size).min(cells.len()));
                if self.is_contradictory(seen, &fewer, counted) {
                    cells = fewer;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        Some(Contradiction { cells, mines: counted.then_some(seen.mines()) })
    }

    fn is_contradictory(&mut self, seen: &VisibleBoard, numbers: &[BoardCell], counted: bool) -> bool {
        let mut trusted = CellSet::empty(seen.rows());
        for &cell in numbers {
            trusted.insert(cell);
        }
        self.prepare(seen, Some(&trusted), counted) == Err(ProbabilityError::NoPlacement)
    }
}

fn numbers(seen: &VisibleBoard) -> Vec<BoardCell> {
    let everywhere = CellSet::full(seen.rows(), seen.cols());
    everywhere.iter().filter(|&cell| matches!(seen.shown(cell), CellContent::Number(_))).collect()
}
