//! The text of a visible board.
//!
//! The first line is `mines 99`; then one line per row: `.` masked, `F` a flag, a digit a number, `*` the mine that
//! ended the game. Spaces and empty lines are ignored. A board that no placement of mines fits is refused, and the
//! error names the cells that contradict each other.

use std::fmt;
use std::str::FromStr;

use outplay_core::errors;

use super::grid::{BoardCell, MAX_SIDE};
use super::solver::{Contradiction, ProbabilityError, Solver};
use super::visible_board::{CellContent, VisibleBoard};

errors! {
    /// Why a text is not a board.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadBoard {
        NoMines { line: String } =
            "'{line}' does not give the number of mines: expected a first line like 'mines 99'"
            | "« {line} » ne donne pas le nombre de mines : attendu une première ligne telle que « mines 99 »",
        Size { rows: usize, cols: usize } =
            "a board of {rows}×{cols} cells cannot be read: expected from 1 to {MAX_SIDE} rows and columns"
            | "un plateau de {rows}×{cols} cases ne peut être lu : attendu de 1 à {MAX_SIDE} lignes et colonnes",
        Ragged { row: usize, found: usize, expected: usize } =
            "row {row} has {found} cells: expected {expected} as in row 1"
            | "la ligne {row} a {found} cases : attendu {expected} comme la ligne 1",
        Character { cell: BoardCell, found: char } =
            "'{found}' at {cell} is not a cell: expected '.', 'F', '*' or a digit from 0 to 8"
            | "« {found} » en {cell} n’est pas une case : attendu « . », « F », « * » ou un chiffre de 0 à 8",
        Mines { mines: usize, cells: usize } =
            "{mines} mines do not fit on {cells} cells: expected from 1 to fewer than the cells"
            | "{mines} mines ne tiennent pas sur {cells} cases : attendu de 1 à moins que les cases",
        Contradiction { reason: Contradiction } =
            "the board is impossible: {reason}" | "le plateau est impossible : {reason}",
        /// Nobody can tell whether any placement fits.
        TooComplex { reason: ProbabilityError } = "{reason}" | "{reason}",
        OtherGame {
            rows: usize, cols: usize, mines: usize,
            expected_rows: usize, expected_cols: usize, expected_mines: usize,
        } =
            "the board has {rows}×{cols} cells and {mines} mines: expected {expected_rows}×{expected_cols} cells and \
             {expected_mines} mines"
            | "le plateau a {rows}×{cols} cases et {mines} mines : attendu {expected_rows}×{expected_cols} cases et \
               {expected_mines} mines",
    }
}

impl FromStr for VisibleBoard {
    type Err = BadBoard;

    /// Reads a board with flags, and checks that it is possible.
    fn from_str(text: &str) -> Result<Self, BadBoard> {
        let seen = read_cells(text)?;
        let mut solver = Solver::new();
        match solver.solve(&seen) {
            Ok(_) => Ok(seen),
            Err(unsolved) => {
                let too_complex = BadBoard::TooComplex { reason: unsolved };
                let named = solver.contradiction(&seen);
                Err(named.map_or(too_complex, |reason| BadBoard::Contradiction { reason }))
            }
        }
    }
}

fn read_cells(text: &str) -> Result<VisibleBoard, BadBoard> {
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mines = first.to_lowercase().strip_prefix("mines ").and_then(|number| number.trim().parse().ok());
    let mines: usize = mines.ok_or_else(|| BadBoard::NoMines { line: first.to_owned() })?;
    let lines: Vec<Vec<char>> =
        lines.map(|line| line.chars().filter(|char| !char.is_whitespace()).collect()).collect();
    let (rows, cols) = (lines.len(), lines.first().map_or(0, Vec::len));
    if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&cols) {
        return Err(BadBoard::Size { rows, cols });
    }
    if !(1..rows * cols).contains(&mines) {
        return Err(BadBoard::Mines { mines, cells: rows * cols });
    }
    let mut seen = VisibleBoard::masked_board(rows, cols, mines, true);
    for (row, line) in lines.iter().enumerate() {
        let found = line.len();
        if found != cols {
            return Err(BadBoard::Ragged { row: row + 1, found, expected: cols });
        }
        for (col, &char) in line.iter().enumerate() {
            let cell = BoardCell::new(row, col);
            match char {
                '.' => {}
                'F' => seen.set_flag(cell, true),
                '*' => seen.explode(cell),
                '0'..='8' => seen.reveal(cell, char as u8 - b'0'),
                found => return Err(BadBoard::Character { cell, found }),
            }
        }
    }
    Ok(seen)
}

impl fmt::Display for VisibleBoard {
    /// The text of the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mines {}", self.mines())?;
        for row in 0..self.rows() {
            writeln!(f)?;
            for col in 0..self.cols() {
                match self.shown(BoardCell::new(row, col)) {
                    CellContent::Masked => f.write_str(".")?,
                    CellContent::Flag => f.write_str("F")?,
                    CellContent::Mine => f.write_str("*")?,
                    CellContent::Number(number) => write!(f, "{number}")?,
                }
            }
        }
        Ok(())
    }
}
