//! Perfect play of whole games, on boards so small that every line of play can be searched.
//!
//! A tiny board has few placements of the mines. Best play wins some of them, and their share is the game's exact
//! value: the yardstick for players that estimate. See `search` for how it is found.
//!
//! Invariant: values are counts of placements, so they are exact; a board beyond the limits is refused, never
//! estimated.

mod file;
mod player;
mod search;
mod solution;
mod tiny_board;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use outplay_core::errors;

use super::grid::BoardCell;
use super::rules::{FirstClick, Minesweeper};
use super::visible_board::{CellContent, VisibleBoard};
pub use player::Optimal;
use search::{OptimalSearch, PlacementRange, ProblemTable, SearchAborted};
pub use solution::OptimalSolution;
use tiny_board::{MOST_CELLS, TinyBoard};

/// The greatest number of placements that is solved.
pub const MOST_PLACEMENTS: usize = 130_000;
/// The greatest number of different problems that is stored, about 200 MB.
const MOST_PROBLEMS: usize = 1 << 22;

errors! {
    /// Why a board has no exact value.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum NoExactValue {
        Cells { cells: usize } =
            "a board of {cells} cells is too large to be solved: expected at most {MOST_CELLS}"
            | "un plateau de {cells} cases est trop grand pour être résolu : attendu {MOST_CELLS} au plus",
        Placements =
            "the mines can lie in more than {MOST_PLACEMENTS} ways, too many to be solved: expected fewer"
            | "les mines ont plus de {MOST_PLACEMENTS} dispositions, trop pour une résolution : attendu moins",
        Problems =
            "the board poses more than {MOST_PROBLEMS} different problems: expected a smaller one"
            | "le plateau pose plus de {MOST_PROBLEMS} problèmes différents : attendu un plus petit",
        Nothing =
            "there is nothing to solve: the game is over, or no placement of the mines fits the board"
            | "il n’y a rien à résoudre : la partie est finie, ou aucune disposition des mines ne convient",
        Stopped = "stopped before the end" | "arrêté avant la fin",
    }
}

impl From<SearchAborted> for NoExactValue {
    fn from(aborted: SearchAborted) -> Self {
        match aborted {
            SearchAborted::TooMany => Self::Problems,
            SearchAborted::Stopped => Self::Stopped,
        }
    }
}

/// How many placements best play wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinCount {
    /// Placements won.
    pub won: u32,
    /// All placements.
    pub of: u32,
}

impl WinCount {
    /// The share of placements won: the chance to win.
    pub fn chance(self) -> f64 {
        f64::from(self.won) / f64::from(self.of)
    }
}

/// Solves positions of one tiny game, and stores what it finds.
struct OptimalSolver<'s> {
    first: FirstClick,
    search: OptimalSearch<'s>,
}

impl<'s> OptimalSolver<'s> {
    /// A solver that starts from a solution and what was found since.
    fn new(solution: &'s OptimalSolution, found: ProblemTable, stop: &'s AtomicBool) -> Self {
        let search =
            OptimalSearch::new(&solution.board, Arc::clone(&solution.table), found, MOST_PROBLEMS, stop);
        Self { first: solution.first, search }
    }

    /// Every masked cell that is not certainly mined, with the result of best play that begins with it; best first.
    fn win_counts(&mut self, seen: &VisibleBoard) -> Result<Vec<(BoardCell, WinCount)>, NoExactValue> {
        let mut win_counts = Vec::new();
        for cell in seen.masked().iter() {
            let index = seen.index(cell);
            let part = self.placements_under(seen, cell)?;
            let of = (part.1 - part.0) as u32;
            let won = self.search.play(part, index, self.search.board.all(), 0)?;
            if won > 0 {
                win_counts.push((cell, WinCount { won, of }));
            }
        }
        win_counts.sort_by(|a, b| b.1.chance().total_cmp(&a.1.chance()).then(a.0.cmp(&b.0)));
        if win_counts.is_empty() { Err(NoExactValue::Nothing) } else { Ok(win_counts) }
    }

    /// A best first cell and its result. Cells that cannot be better are not searched.
    fn best(&mut self, seen: &VisibleBoard) -> Result<(BoardCell, WinCount), NoExactValue> {
        if seen.score() == 0 && self.first != FirstClick::Any {
            return Ok(self.win_counts(seen)?[0]);
        }
        let part = self.placements_under(seen, BoardCell::new(0, 0))?;
        let mined = |index: usize| self.search.sets.iter().filter(|&mines| mines >> index & 1 == 1).count();
        let mut cells: Vec<(usize, BoardCell)> =
            seen.masked().iter().map(|cell| (mined(seen.index(cell)), cell)).collect();
        cells.sort_unstable();
        let of = part.1 as u32;
        let mut best: Option<(BoardCell, WinCount)> = None;
        for (mined, cell) in cells {
            let enough = best.map_or(0, |(_, win_count)| win_count.won);
            if of - mined as u32 <= enough {
                break;
            }
            let won = self.search.play(part, seen.index(cell), self.search.board.all(), enough)?;
            if won > enough {
                best = Some((cell, WinCount { won, of }));
            }
            // Unmasking a certainly empty cell costs nothing.
            if mined == 0 {
                break;
            }
        }
        best.ok_or(NoExactValue::Nothing)
    }

    /// The placements that are possible when this cell is unmasked: all that fit the board, or those that the rule of
    /// the first click allows.
    fn placements_under(
        &mut self,
        seen: &VisibleBoard,
        cell: BoardCell,
    ) -> Result<PlacementRange, NoExactValue> {
        let spared = match self.first {
            _ if seen.score() > 0 => 0,
            FirstClick::Any => 0,
            FirstClick::Safe => 1 << seen.index(cell),
            FirstClick::Zero => self.search.board.near[seen.index(cell)] | 1 << seen.index(cell),
        };
        self.search.sets.clear();
        list_placements(seen, self.search.board, spared, &mut self.search.sets)?;
        Ok((0, self.search.sets.len()))
    }
}

/// Lists the placements that fit the board and leave the spared cells empty.
fn list_placements(
    seen: &VisibleBoard,
    board: &TinyBoard,
    spared: u32,
    out: &mut Vec<u32>,
) -> Result<(), NoExactValue> {
    let masked = seen.masked().iter().fold(0, |set: u32, cell| set | 1 << seen.index(cell));
    let numbers: Vec<(u32, u32)> = (0..board.cells())
        .filter_map(|index| match seen.shown(BoardCell::new(index / board.cols, index % board.cols)) {
            CellContent::Number(number) => Some((board.near[index] & masked, u32::from(number))),
            CellContent::Masked | CellContent::Flag | CellContent::Mine => None,
        })
        .collect();
    if seen.is_lost() {
        return Ok(());
    }
    let fits = |&mines: &u32| {
        mines & (!masked | spared) == 0
            && numbers.iter().all(|&(near, number)| (mines & near).count_ones() == number)
    };
    for placement in words_of_weight(seen.mines() as u32, board.cells() as u32).filter(fits) {
        if out.len() == MOST_PLACEMENTS {
            return Err(NoExactValue::Placements);
        }
        out.push(placement);
    }
    Ok(())
}

/// All words of `bits` bits with `weight` bits set, in rising order (Gosper's hack).
fn words_of_weight(weight: u32, bits: u32) -> impl Iterator<Item = u32> {
    let first = (1u32 << weight) - 1;
    std::iter::successors(Some(first), move |&word| {
        let lowest = word & word.wrapping_neg();
        let ripple = word + lowest;
        Some((((ripple ^ word) >> 2) / lowest) | ripple)
    })
    .take_while(move |&word| word >> bits == 0)
}

/// Whether the whole game is within the limits.
pub fn is_solvable(game: &Minesweeper) -> bool {
    check(game).is_ok()
}

/// Whether the board is small enough for its positions to be solved, once few enough placements fit them.
pub fn is_small(game: &Minesweeper) -> bool {
    game.rows() * game.cols() <= MOST_CELLS
}

/// Refuses a game whose board is beyond the limits.
fn check(game: &Minesweeper) -> Result<(), NoExactValue> {
    let cells = game.rows() * game.cols();
    if cells > MOST_CELLS {
        return Err(NoExactValue::Cells { cells });
    }
    let (n, k) = (cells as u64, game.mines() as u64);
    let ways = (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    if ways > MOST_PLACEMENTS as u64 { Err(NoExactValue::Placements) } else { Ok(()) }
}
