//! The whole game played perfectly, on boards so small that every way to play can be tried.
//!
//! A tiny board has few placements of the mines. The best play wins some of them, and their share is the game's exact
//! value: the yardstick by which players who only estimate are measured. See `search` for how it is found.
//!
//! Law: values are counts of placements, so they are exact; and a board beyond the limits is refused, never estimated.

mod book;
mod file;
mod player;
mod search;
mod shape;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::grid::Cell;
use super::rules::{FirstClick, Minesweeper};
use super::seen::{Seen, Shown};
pub use book::Book;
pub use player::Optimal;
use search::{Part, Search, Table, Unfinished};
use shape::{MOST_CELLS, Shape};

/// The most placements of the mines that are tried.
pub const MOST_PLACEMENTS: usize = 130_000;
/// The most different problems that are kept, about 200 MB of them.
const MOST_PROBLEMS: usize = 1 << 22;

/// Why a board has no exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// The board has too many cells.
    #[error("a board of {0} cells is too large to be solved: expected at most {MOST_CELLS}")]
    Cells(usize),
    /// The mines can lie in too many ways.
    #[error("the mines can lie in more than {MOST_PLACEMENTS} ways, too many to be solved: expected fewer")]
    Placements,
    /// There are too many different problems to keep.
    #[error("the board poses more than {MOST_PROBLEMS} different problems: expected a smaller one")]
    Problems,
    /// The game is over, or no placement fits.
    #[error("there is nothing to solve: the game is over, or no placement of the mines fits the board")]
    Nothing,
    /// Someone asked it to stop.
    #[error("stopped before the end")]
    Stopped,
}

impl From<Unfinished> for NoValue {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::TooMany => Self::Problems,
            Unfinished::Stopped => Self::Stopped,
        }
    }
}

/// How many placements the best play wins, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Placements won.
    pub won: u32,
    /// Placements there are.
    pub of: u32,
}

impl Worth {
    /// The share of placements won: the chance to win.
    pub fn chance(self) -> f64 {
        f64::from(self.won) / f64::from(self.of)
    }
}

/// Solves positions of one tiny game, and keeps what it finds.
struct Solution<'s> {
    first: FirstClick,
    search: Search<'s>,
}

impl<'s> Solution<'s> {
    /// With what is in the book and what was found since.
    fn new(book: &'s Book, found: Table, stop: &'s AtomicBool) -> Self {
        let search = Search::new(&book.shape, Arc::clone(&book.table), found, MOST_PROBLEMS, stop);
        Self { first: book.first, search }
    }

    /// Every masked cell that is not certainly mined, with the worth of the best play that begins with it; best first.
    fn worths(&mut self, seen: &Seen) -> Result<Vec<(Cell, Worth)>, NoValue> {
        let mut worths = Vec::new();
        for cell in seen.masked().iter() {
            let index = seen.index(cell);
            let part = self.deal(seen, cell)?;
            let of = (part.1 - part.0) as u32;
            let won = self.search.play(part, index, self.search.shape.all(), 0)?;
            if won > 0 {
                worths.push((cell, Worth { won, of }));
            }
        }
        worths.sort_by(|a, b| b.1.chance().total_cmp(&a.1.chance()).then(a.0.cmp(&b.0)));
        if worths.is_empty() { Err(NoValue::Nothing) } else { Ok(worths) }
    }

    /// A cell with which the best play begins, and its worth. What cannot be better is not searched.
    fn best(&mut self, seen: &Seen) -> Result<(Cell, Worth), NoValue> {
        if seen.score() == 0 && self.first != FirstClick::Any {
            return Ok(self.worths(seen)?[0]);
        }
        let part = self.deal(seen, Cell::new(0, 0))?;
        let mined = |index: usize| self.search.sets.iter().filter(|&mines| mines >> index & 1 == 1).count();
        let mut cells: Vec<(usize, Cell)> =
            seen.masked().iter().map(|cell| (mined(seen.index(cell)), cell)).collect();
        cells.sort_unstable();
        let of = part.1 as u32;
        let mut best: Option<(Cell, Worth)> = None;
        for (mined, cell) in cells {
            let enough = best.map_or(0, |(_, worth)| worth.won);
            if of - mined as u32 <= enough {
                break;
            }
            let won = self.search.play(part, seen.index(cell), self.search.shape.all(), enough)?;
            if won > enough {
                best = Some((cell, Worth { won, of }));
            }
            // What is certainly empty loses nothing.
            if mined == 0 {
                break;
            }
        }
        best.ok_or(NoValue::Nothing)
    }

    /// The placements under which this cell is unmasked: all that fit the board, or those that the rule of the first
    /// click allows.
    fn deal(&mut self, seen: &Seen, cell: Cell) -> Result<Part, NoValue> {
        let spared = match self.first {
            _ if seen.score() > 0 => 0,
            FirstClick::Any => 0,
            FirstClick::Safe => 1 << seen.index(cell),
            FirstClick::Zero => self.search.shape.near[seen.index(cell)] | 1 << seen.index(cell),
        };
        self.search.sets.clear();
        list_placements(seen, self.search.shape, spared, &mut self.search.sets)?;
        Ok((0, self.search.sets.len()))
    }
}

/// Lists the placements that fit the board and leave the spared cells empty.
fn list_placements(seen: &Seen, shape: &Shape, spared: u32, out: &mut Vec<u32>) -> Result<(), NoValue> {
    let masked = seen.masked().iter().fold(0, |set: u32, cell| set | 1 << seen.index(cell));
    let numbers: Vec<(u32, u32)> = (0..shape.cells())
        .filter_map(|index| match seen.shown(Cell::new(index / shape.cols, index % shape.cols)) {
            Shown::Number(number) => Some((shape.near[index] & masked, u32::from(number))),
            Shown::Masked | Shown::Flag | Shown::Mine => None,
        })
        .collect();
    if seen.is_lost() {
        return Ok(());
    }
    let fits = |&mines: &u32| {
        mines & (!masked | spared) == 0
            && numbers.iter().all(|&(near, number)| (mines & near).count_ones() == number)
    };
    for placement in words_of_weight(seen.mines() as u32, shape.cells() as u32).filter(fits) {
        if out.len() == MOST_PLACEMENTS {
            return Err(NoValue::Placements);
        }
        out.push(placement);
    }
    Ok(())
}

/// Every word of so many bits of which so many are set, from the least (Gosper's way from one to the next).
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
fn check(game: &Minesweeper) -> Result<(), NoValue> {
    let cells = game.rows() * game.cols();
    if cells > MOST_CELLS {
        return Err(NoValue::Cells(cells));
    }
    let (n, k) = (cells as u64, game.mines() as u64);
    let ways = (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    if ways > MOST_PLACEMENTS as u64 { Err(NoValue::Placements) } else { Ok(()) }
}
