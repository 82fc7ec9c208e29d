//! Guesses that may come to be forced: patterns that no number will ever resolve, if the mines around them fall so.
//!
//! Two neighbours with one mine between them are a 50/50 once every cell that touches only one of them is mined; a
//! square of four with its mines on a diagonal, once the four cells beyond its corners are. At the edge of the board
//! there are fewer such cells, in its corner fewest.
//!
//! Law: chances of different cells are multiplied as if they were independent, so the risk is an estimate. It falls
//! to nothing for a pattern as soon as one cell that would tell is unmasked.

use super::super::grid::{Cell, cells_of_row};
use super::super::seen::Seen;
use super::super::solver::Probabilities;

/// Patterns less likely than this are not worth the time.
const LEAST: f64 = 1e-3;

/// What the patterns of the board that may come to be forced guesses cost, as the logarithm of a chance of winning.
pub(super) fn of(seen: &Seen, known: &Probabilities) -> f64 {
    let board = Board { seen, known };
    (0..seen.rows()).map(|row| board.pairs_of_row(row) + board.squares_of_row(row)).sum()
}

struct Board<'a> {
    seen: &'a Seen,
    known: &'a Probabilities,
}

impl Board<'_> {
    fn pairs_of_row(&self, row: usize) -> f64 {
        let masked = self.seen.masked().rows();
        let below = masked.get(row + 1).copied().unwrap_or(0);
        let mut cost = 0.0;
        for cell in cells_of_row(row, masked[row] & masked[row] >> 1) {
            let (row, col) = (row as i32, i32::from(cell.col));
            let ends = [-1, 0, 1].into_iter().flat_map(|side| [(row + side, col - 1), (row + side, col + 2)]);
            cost += self.cost_of_pair(cell, Cell { col: cell.col + 1, ..cell }, ends);
        }
        for cell in cells_of_row(row, masked[row] & below) {
            let (row, col) = (row as i32, i32::from(cell.col));
            let ends = [-1, 0, 1].into_iter().flat_map(|side| [(row - 1, col + side), (row + 2, col + side)]);
            cost += self.cost_of_pair(cell, Cell { row: cell.row + 1, ..cell }, ends);
        }
        cost
    }

    fn cost_of_pair(&self, a: Cell, b: Cell, tellers: impl Iterator<Item = (i32, i32)>) -> f64 {
        let (a, b) = (self.known.mined_chance(a), self.known.mined_chance(b));
        self.cost(a * (1.0 - b) + b * (1.0 - a), tellers)
    }

    fn squares_of_row(&self, row: usize) -> f64 {
        let masked = self.seen.masked().rows();
        let Some(below) = masked.get(row + 1) else { return 0.0 };
        let both = masked[row] & below;
        let mut cost = 0.0;
        for cell in cells_of_row(row, both & both >> 1) {
            let col = cell.col as usize;
            let mined = |down, right| self.known.mined_chance(Cell::new(row + down, col + right));
            let [a, b, c, d] = [mined(0, 0), mined(0, 1), mined(1, 0), mined(1, 1)];
            let diagonal = a * d * (1.0 - b) * (1.0 - c) + b * c * (1.0 - a) * (1.0 - d);
            let (row, col) = (row as i32, col as i32);
            let corners = [(row - 1, col - 1), (row - 1, col + 2), (row + 2, col - 1), (row + 2, col + 2)];
            cost += self.cost(diagonal, corners.into_iter());
        }
        cost
    }

    /// The cost of a pattern with this chance, if all of its tellers that are on the board must be mined.
    fn cost(&self, mut chance: f64, tellers: impl Iterator<Item = (i32, i32)>) -> f64 {
        let (rows, cols) = (self.seen.rows() as i32, self.seen.cols() as i32);
        for (row, col) in tellers {
            if chance < LEAST {
                return 0.0;
            }
            if (0..rows).contains(&row) && (0..cols).contains(&col) {
                let teller = Cell::new(row as usize, col as usize);
                chance *=
                    if self.seen.masked().contains(teller) { self.known.mined_chance(teller) } else { 0.0 };
            }
        }
        if chance < LEAST { 0.0 } else { -(-0.5 * chance).ln_1p() }
    }
}
