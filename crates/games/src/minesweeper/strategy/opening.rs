//! The first cell.

use super::super::grid::Cell;
use super::super::rules::FirstClick;
use super::super::seen::Seen;

/// Where to begin. A corner has the fewest neighbours, so that it most often shows a 0, and it is where a guess
/// would otherwise be forced most often. A cell that is a 0 by rule opens more if it is not at the edge.
pub(super) fn cell(view: &Seen, first: FirstClick) -> Cell {
    match first {
        FirstClick::Any | FirstClick::Safe => Cell::new(0, 0),
        FirstClick::Zero => Cell::new(3.min(view.rows() / 2), 3.min(view.cols() / 2)),
    }
}
