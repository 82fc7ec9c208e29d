//! What is known of a whole game, from its first click on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::grid::Cell;
use super::super::rules::{FirstClick, Minesweeper};
use super::super::seen::Seen;
use super::search::Table;
use super::shape::{MOST_CELLS, Shape};
use super::{NoValue, Solution, Worth, check};

/// The solution of a tiny game.
#[derive(Clone, Debug)]
pub struct Book {
    pub(super) shape: Shape,
    pub(super) first: FirstClick,
    pub(super) table: Arc<Table>,
}

impl Book {
    /// An empty book of the game: whatever is asked is found on the spot.
    pub fn blank(game: &Minesweeper) -> Self {
        Self { shape: Shape::new(game.rows(), game.cols()), first: game.first(), table: Arc::default() }
    }

    /// Solves a game from each of its first clicks.
    pub fn solve(game: &Minesweeper, stop: &AtomicBool) -> Result<Self, NoValue> {
        check(game)?;
        let blank = Self::blank(game);
        let untouched = Seen::masked_board(game.rows(), game.cols(), game.mines(), false);
        let mut solution = Solution::new(&blank, Table::default(), stop);
        solution.worths(&untouched)?;
        let table = Arc::new(solution.search.into_table());
        Ok(Self { table, ..blank })
    }

    /// Every masked cell of a board that is not certainly mined, with the worth of the best play that begins with it;
    /// best first. What is not in the book is searched.
    pub fn worths(&self, seen: &Seen, stop: &AtomicBool) -> Result<Vec<(Cell, Worth)>, NoValue> {
        self.check_size(seen)?;
        Solution::new(self, Table::default(), stop).worths(seen)
    }

    /// A cell with which the best play begins, and its worth. What is not in the book is searched and found again.
    pub(super) fn best(
        &self,
        seen: &Seen,
        found: &mut Table,
        stop: &AtomicBool,
    ) -> Result<(Cell, Worth), NoValue> {
        self.check_size(seen)?;
        let mut solution = Solution::new(self, std::mem::take(found), stop);
        let best = solution.best(seen);
        *found = solution.search.into_table();
        best
    }

    fn check_size(&self, seen: &Seen) -> Result<(), NoValue> {
        let cells = seen.rows() * seen.cols();
        let fits = (seen.rows(), seen.cols()) == (self.shape.rows, self.shape.cols) && cells <= MOST_CELLS;
        if fits { Ok(()) } else { Err(NoValue::Cells(cells)) }
    }

    /// How many problems it holds.
    pub fn problems(&self) -> usize {
        self.table.len()
    }
}
