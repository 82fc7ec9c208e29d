//! Minimal sets of contradictory numbers, and minimal proofs of cells: if any one number is left out, the rest can be
//! satisfied.

use std::fmt;

use outplay_core::{Language, Localize, errors};

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

errors! {
    /// What a contradiction says.
    enum ContradictionText {
        OneMine =
            "one mine does not fit the masks and the mines that are shown"
            | "une mine ne convient pas aux cases masquées et aux mines montrées",
        Mines { mines: usize } =
            "{mines} mines do not fit the masks and the mines that are shown"
            | "{mines} mines ne conviennent pas aux cases masquées et aux mines montrées",
        WithOneMine { numbers: NumbersText } =
            "{numbers} cannot be satisfied with one mine on the board"
            | "impossible avec une seule mine sur le plateau : {numbers}",
        WithMines { numbers: NumbersText, mines: usize } =
            "{numbers} cannot be satisfied with {mines} mines on the board"
            | "impossible avec {mines} mines sur le plateau : {numbers}",
        Alone { numbers: NumbersText } =
            "{numbers} cannot be satisfied by the cells around it" | "impossible avec les cases autour : {numbers}",
        Together { numbers: NumbersText } = "{numbers} contradict each other" | "{numbers} se contredisent",
    }

    /// Where the numbers are.
    enum NumbersText {
        One { cell: BoardCell } = "the number at {cell}" | "le chiffre en {cell}",
        Several { first: Vec<BoardCell>, last: BoardCell } =
            "the numbers at {first} and {last}" | "les chiffres en {first} et {last}",
    }
}

impl Localize for Contradiction {
    fn localize(&self, language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = match &self.cells[..] {
            [] => None,
            &[cell] => Some(NumbersText::One { cell }),
            &[ref first @ .., last] => Some(NumbersText::Several { first: first.to_vec(), last }),
        };
        let text = match (self.mines, numbers) {
            (None, None) => return ProbabilityError::NoPlacement.localize(language, f),
            (Some(1), None) => ContradictionText::OneMine,
            (Some(mines), None) => ContradictionText::Mines { mines },
            (Some(1), Some(numbers)) => ContradictionText::WithOneMine { numbers },
            (Some(mines), Some(numbers)) => ContradictionText::WithMines { numbers, mines },
            (None, Some(numbers @ NumbersText::One { .. })) => ContradictionText::Alone { numbers },
            (None, Some(numbers)) => ContradictionText::Together { numbers },
        };
        text.localize(language, f)
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.localize(Language::English, f)
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
