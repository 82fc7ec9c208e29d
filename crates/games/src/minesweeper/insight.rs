//! What can be proven about cells beyond their probability: dead cells and forced guesses.
//!
//! Law: everything here is a theorem about the board as it is seen, for every way to go on; what is not proven is
//! not listed.

use super::endgame::{Search, Table};
use super::grid::{Cell, CellSet};
use super::seen::Seen;
use super::solver::{Probabilities, Solver, Unsolved};

/// Cells that must be guessed between at some time, whatever is learnt elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcedGuess {
    /// The cells.
    pub cells: Vec<Cell>,
    /// One of them with which the best play begins.
    pub best: Cell,
    /// The chance to get through them by the best play.
    pub chance: f64,
}

/// The masked cells that are neither certainly mined nor certainly safe and whose number, if they are empty, is the
/// same in every solution: unmasking one tells that it was empty, and nothing else. One whose number would be a 0
/// with masked neighbours is not among them, because it unmasks these.
pub fn dead_cells(solver: &mut Solver, seen: &Seen) -> Result<CellSet, Unsolved> {
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

fn is_guess(known: &Probabilities, cell: Cell) -> bool {
    !known.safe().contains(cell) && !known.mined().contains(cell)
}

/// Whether a cell that may be empty and may be mined is dead. The board comes back as it was.
pub(super) fn is_dead(
    solver: &mut Solver,
    board: &mut Seen,
    known: &Probabilities,
    cell: Cell,
) -> Result<bool, Unsolved> {
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

/// Regions with more placements than this are not searched for the best play in them.
const MOST_PLACEMENTS: usize = 64;
const MOST_NODES: u64 = 5_000;

/// Guesses that no play can avoid and that nothing learnt elsewhere can make easier, so that nothing is lost by
/// taking them at once. They are:
///
/// - two cells that the same numbers touch, of which exactly one is mined in every solution, while every other
///   masked cell that touches only one of them is certainly mined. Exchanging the two turns every solution into
///   another one that looks the same from everywhere else; so each is empty with chance ½ whenever it is unmasked;
/// - small regions that are games of their own ([`Solver::regions`]) and have no certainly safe cell. They are
///   searched, so `chance` is exact.
///
/// Guesses do not overlap.
pub fn forced_guesses(solver: &mut Solver, seen: &Seen) -> Result<Vec<ForcedGuess>, Unsolved> {
    solver.solve(seen)?;
    Ok(forced_in(solver, seen))
}

/// The forced guesses of the board solved last, which is this one.
pub(super) fn forced_in(solver: &Solver, seen: &Seen) -> Vec<ForcedGuess> {
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
            forced.extend(placements.and_then(|placements| search(&Table::new(&placements, cells), cells)));
        }
    }
    forced
}

fn search(table: &Table, cells: &[Cell]) -> Option<ForcedGuess> {
    let (best, won) = Search::new(table, MOST_NODES).best_cell().ok()?;
    let chance = f64::from(won) / table.placements() as f64;
    Some(ForcedGuess { cells: cells.to_vec(), best: cells[best], chance })
}

/// Whether no cell but certain mines touches only one of the pair. Unmasked cells touch both or neither, because
/// the two form a group.
fn is_inseparable(seen: &Seen, known: &Probabilities, [a, b]: [Cell; 2]) -> bool {
    let tells = |cell: Cell, other: Cell| {
        seen.neighbours(cell).any(|near| {
            let is_open = seen.masked().contains(near) && !known.mined().contains(near);
            is_open && near != other && !touch(near, other)
        })
    };
    !tells(a, b) && !tells(b, a)
}

const fn touch(a: Cell, b: Cell) -> bool {
    a.row.abs_diff(b.row) <= 1 && a.col.abs_diff(b.col) <= 1
}
