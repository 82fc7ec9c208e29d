//! What can be proven about cells beyond their probability: dead cells and forced guesses.
//!
//! Everything listed here is proven for the visible board, whatever is played next; what is not proven is not listed.

use std::sync::atomic::AtomicBool;

use super::NEVER;
use super::endgame::{EndgameSearch, PlacementTable};
use super::grid::{BoardCell, CellSet};
use super::solver::{Probabilities, ProbabilityError, Solver};
use super::visible_board::VisibleBoard;

/// Cells between which a guess cannot be avoided, whatever is learnt elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcedGuess {
    /// The cells.
    pub cells: Vec<BoardCell>,
    /// A best first cell.
    pub best: BoardCell,
    /// The probability of surviving them under best play.
    pub chance: f64,
}

/// The masked cells that are neither certainly mined nor certainly safe and whose number, if they are empty, is the
/// same in every solution: unmasking one tells only that it was empty. A cell whose number would be a 0 with masked
/// neighbours is not among them, because it unmasks these.
pub fn dead_cells(solver: &mut Solver, seen: &VisibleBoard) -> Result<CellSet, ProbabilityError> {
    let known = solver.solve(seen)?.clone();
    let mut board = seen.clone();
    let mut dead = CellSet::empty(seen.rows());
    for cell in seen.masked().iter() {
        if is_guess(&known, cell) && is_dead(solver, &mut board, &known, cell)? {
            dead.insert(cell);
        }
    }
    Ok(dead)
}

fn is_guess(known: &Probabilities, cell: BoardCell) -> bool {
    !known.safe().contains(cell) && !known.mined().contains(cell)
}

/// Whether a cell that may be empty and may be mined is dead. The board is restored.
pub(super) fn is_dead(
    solver: &mut Solver,
    board: &mut VisibleBoard,
    known: &Probabilities,
    cell: BoardCell,
) -> Result<bool, ProbabilityError> {
    let has_flag = board.flagged().contains(cell);
    let masked = board.neighbours(cell).filter(|&near| board.masked().contains(near));
    let (mut certain, mut open) = (0, 0);
    for near in masked {
        certain += u8::from(known.mined().contains(near));
        open += u8::from(!known.mined().contains(near) && !known.safe().contains(near));
    }
    if open == 0 {
        return Ok(certain > 0 || board.neighbours(cell).all(|near| !board.masked().contains(near)));
    }
    let mut possible = 0;
    for number in certain..=certain + open {
        board.reveal(cell, number);
        let fits = solver.is_possible(board);
        board.conceal(cell);
        board.set_flag(cell, has_flag);
        if fits? {
            possible += 1;
            if possible == 2 || number == 0 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Regions with more placements than this are not searched.
const MOST_PLACEMENTS: usize = 64;
const MOST_NODES: u64 = 5_000;

/// Guesses that no play can avoid and that nothing learnt elsewhere can make easier, so that nothing is lost by
/// taking them at once. They are:
///
/// - two cells that the same numbers touch, of which exactly one is mined in every solution, while every other
///   masked cell that touches only one of them is certainly mined. Exchanging the two turns every solution into
///   another one that looks the same from everywhere else; so each is empty with chance ½ whenever it is unmasked;
/// - small independent regions ([`Solver::regions`]) without a certainly safe cell. They are searched, so `chance` is
///   exact.
///
/// Guesses do not overlap.
pub fn forced_guesses(
    solver: &mut Solver,
    seen: &VisibleBoard,
) -> Result<Vec<ForcedGuess>, ProbabilityError> {
    solver.solve(seen)?;
    Ok(forced_in(solver, seen, &NEVER))
}

/// The forced guesses of the board solved last, which is this one; fewer if the flag is raised.
pub(super) fn forced_in(solver: &Solver, seen: &VisibleBoard, stop: &AtomicBool) -> Vec<ForcedGuess> {
    let known = solver.known();
    let mut forced: Vec<ForcedGuess> = solver
        .pairs_with_one_mine(seen)
        .into_iter()
        .filter(|&pair| is_inseparable(seen, known, pair))
        .map(|pair| ForcedGuess { cells: pair.to_vec(), best: pair[0], chance: 0.5 })
        .collect();
    if !solver.may_have_enclosed() {
        return forced;
    }
    for region in solver.regions(seen) {
        let cells = region.cells();
        let is_new = !forced.iter().any(|guess| cells.contains(&guess.best));
        if region.is_enclosed() && is_new && cells.iter().all(|&cell| is_guess(known, cell)) {
            let placements = solver.placements(seen, &region, MOST_PLACEMENTS);
            let table = placements.and_then(|placements| PlacementTable::new(&placements, cells, stop));
            forced.extend(table.and_then(|table| search(&table, cells, stop)));
        }
    }
    forced
}

fn search(table: &PlacementTable, cells: &[BoardCell], stop: &AtomicBool) -> Option<ForcedGuess> {
    let (best, won) = EndgameSearch::new(table, MOST_NODES, stop).best_cell().ok()?;
    let chance = f64::from(won) / table.placements() as f64;
    Some(ForcedGuess { cells: cells.to_vec(), best: cells[best], chance })
}

/// Whether no cell but certain mines touches only one of the pair. Unmasked cells touch both or neither, because the
/// two form a group.
fn is_inseparable(seen: &VisibleBoard, known: &Probabilities, [a, b]: [BoardCell; 2]) -> bool {
    let tells = |cell: BoardCell, other: BoardCell| {
        seen.neighbours(cell).any(|near| {
            let is_open = seen.masked().contains(near) && !known.mined().contains(near);
            is_open && near != other && !touch(near, other)
        })
    };
    !tells(a, b) && !tells(b, a)
}

const fn touch(a: BoardCell, b: BoardCell) -> bool {
    a.row.abs_diff(b.row) <= 1 && a.col.abs_diff(b.col) <= 1
}
