//! Perfect play at the end of a game: when few placements of the mines are left, every continuation is searched.
//!
//! The board is split into independent regions, each region's placements are listed, and `search` finds the play that
//! wins most of them. All placements are equally likely, so the probability of winning is the number won over their
//! number, and the probabilities of the regions are multiplied.
//!
//! Invariant: a probability given here is that of best play; if it cannot be found within the budget, there is no
//! answer.

mod placement_table;
mod search;

use super::NEVER;
use super::grid::BoardCell;
use super::solver::{Region, Solver};
use super::visible_board::VisibleBoard;
pub(super) use placement_table::PlacementTable;
pub(super) use search::EndgameSearch;

/// The limits for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameBudget {
    /// The most placements of one region.
    pub placements: usize,
    /// The most sets of placements searched, in all regions together.
    pub nodes: u64,
}

impl Default for EndgameBudget {
    fn default() -> Self {
        Self { placements: 1000, nodes: 200_000 }
    }
}

/// A region with the result of its search.
struct SolvedRegion {
    /// Each cell with the probability of winning the region when beginning there.
    chances: Vec<(BoardCell, f64)>,
    best: f64,
}

/// The probability of winning under best play for each masked cell, not certainly mined, as the next move; best first.
/// `None` if that is not found within the budget, or if the game is over.
///
/// ```
/// use outplay_games::minesweeper::{VisibleBoard, Solver, endgame};
/// // Whichever cell holds the mine, no number will tell.
/// let seen: VisibleBoard = "mines 1\n1.\n1.".parse().unwrap();
/// let chances = endgame::win_chance(&mut Solver::new(), &seen, endgame::EndgameBudget::default()).unwrap();
/// assert_eq!(chances.iter().map(|&(_, chance)| chance).collect::<Vec<_>>(), [0.5, 0.5]);
/// ```
pub fn win_chance(
    solver: &mut Solver,
    seen: &VisibleBoard,
    budget: EndgameBudget,
) -> Option<Vec<(BoardCell, f64)>> {
    if seen.is_lost() || seen.is_won() {
        return None;
    }
    solver.solve(seen).ok()?;
    let mut nodes = budget.nodes;
    let mut played = Vec::new();
    for region in solver.regions(seen) {
        played.push(play(solver, seen, &region, budget.placements, &mut nodes)?);
    }
    let all: f64 = played.iter().map(|region| region.best).product();
    let mut chances: Vec<(BoardCell, f64)> = Vec::new();
    for region in &played {
        chances.extend(region.chances.iter().map(|&(cell, chance)| (cell, chance * all / region.best)));
    }
    chances.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Some(chances)
}

/// Searches one region, for each of its cells.
fn play(
    solver: &Solver,
    seen: &VisibleBoard,
    region: &Region,
    most: usize,
    nodes: &mut u64,
) -> Option<SolvedRegion> {
    let table = PlacementTable::new(&solver.placements(seen, region, most)?, region.cells(), &NEVER)?;
    let mut search = EndgameSearch::new(&table, *nodes, &NEVER);
    let won = search.each_cell().ok()?;
    *nodes -= search.nodes();
    let total = table.placements() as f64;
    let best = won.iter().copied().max().map_or(1.0, |won| f64::from(won) / total);
    let chances = region.cells().iter().zip(&won).map(|(&cell, &won)| (cell, f64::from(won) / total));
    Some(SolvedRegion { chances: chances.collect(), best })
}
