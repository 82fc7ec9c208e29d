//! The solution of a whole game, from its first click on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::grid::BoardCell;
use super::super::rules::{FirstClick, Minesweeper};
use super::super::visible_board::VisibleBoard;
use super::search::ProblemTable;
use super::tiny_board::{MOST_CELLS, TinyBoard};
use super::{NoExactValue, OptimalSolver, WinCount, check};

/// The solution of a tiny game.
#[derive(Clone, Debug)]
pub struct OptimalSolution {
    pub(super) board: TinyBoard,
    pub(super) first: FirstClick,
    pub(super) table: Arc<ProblemTable>,
}

impl OptimalSolution {
    /// An empty solution of the game: every question is searched when it is asked.
    pub fn empty(game: &Minesweeper) -> Self {
        Self { board: TinyBoard::new(game.rows(), game.cols()), first: game.first(), table: Arc::default() }
    }

    /// Solves a game from each of its first clicks.
    pub fn solve(game: &Minesweeper, stop: &AtomicBool) -> Result<Self, NoExactValue> {
        check(game)?;
        let empty = Self::empty(game);
        let untouched = VisibleBoard::masked_board(game.rows(), game.cols(), game.mines(), false);
        let mut solver = OptimalSolver::new(&empty, ProblemTable::default(), stop);
        solver.win_counts(&untouched)?;
        let table = Arc::new(solver.search.into_table());
        Ok(Self { table, ..empty })
    }

    /// Every masked cell of a board that is not certainly mined, with the result of best play that begins with it;
    /// best first. What is not stored is searched.
    pub fn win_counts(
        &self,
        seen: &VisibleBoard,
        stop: &AtomicBool,
    ) -> Result<Vec<(BoardCell, WinCount)>, NoExactValue> {
        self.check_size(seen)?;
        OptimalSolver::new(self, ProblemTable::default(), stop).win_counts(seen)
    }

    /// A best first cell and its result. What is not stored is searched and added to `found`.
    pub(super) fn best(
        &self,
        seen: &VisibleBoard,
        found: &mut ProblemTable,
        stop: &AtomicBool,
    ) -> Result<(BoardCell, WinCount), NoExactValue> {
        self.check_size(seen)?;
        let mut solver = OptimalSolver::new(self, std::mem::take(found), stop);
        let best = solver.best(seen);
        *found = solver.search.into_table();
        best
    }

    fn check_size(&self, seen: &VisibleBoard) -> Result<(), NoExactValue> {
        let cells = seen.rows() * seen.cols();
        let fits = (seen.rows(), seen.cols()) == (self.board.rows, self.board.cols) && cells <= MOST_CELLS;
        if fits { Ok(()) } else { Err(NoExactValue::Cells { cells }) }
    }

    /// The number of stored problems.
    pub fn problems(&self) -> usize {
        self.table.len()
    }
}
