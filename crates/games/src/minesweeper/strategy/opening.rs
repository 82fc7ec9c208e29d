//! The first cell.

use super::super::grid::BoardCell;
use super::super::rules::FirstClick;
use super::super::visible_board::VisibleBoard;

/// The first cell to unmask. A corner has the fewest neighbours, so it most often shows a 0, and it is where a guess
/// would otherwise be forced most often. A cell that is a 0 by rule opens more if it is not at the edge.
pub(super) fn cell(view: &VisibleBoard, first: FirstClick) -> BoardCell {
    match first {
        FirstClick::Any | FirstClick::Safe => BoardCell::new(0, 0),
        FirstClick::Zero => BoardCell::new(3.min(view.rows() / 2), 3.min(view.cols() / 2)),
    }
}
