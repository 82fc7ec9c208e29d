//! Boards that can be solved without guessing, from the first click to the last cell.
//!
//! Boards are drawn and tested by the exact solver, which uses the number of mines too; the first that needs no guess
//! is taken, so where such boards are not rare each is equally likely. Otherwise the best of the drawn boards is
//! repaired: a mine moves between a cell at which the proofs ended and one that no number touches, and stays there
//! unless fewer cells can be proven than before.
//!
//! Invariant: a board is determined by its first click and its generator; the work is bounded by counting, not by the
//! clock.

use outplay_core::Rng;

use super::grid::{BoardCell, CellSet};
use super::mine_field::MineField;
use super::rules::{Minesweeper, unmask};
use super::solver::Solver;
use super::visible_board::VisibleBoard;

/// Boards drawn before the best of them is repaired.
const DRAWS: u32 = 12;
/// Consecutive repairs without progress before other boards are drawn.
const MAX_FAILED_REPAIRS: u32 = 60;
/// The greatest number of boards solved in all; on large boards their cells are limited too.
const MOST_SOLVED: u32 = 30_000;
const MOST_CELLS: usize = 30_000 * 16 * 30;

/// A generated field.
pub(super) struct GeneratedField {
    pub(super) field: MineField,
    /// Whether the best board found still needs a guess.
    pub(super) needs_guess: bool,
}

/// Lays the mines of a game under its first click.
pub(super) fn lay(game: &Minesweeper, first: BoardCell, rng: &mut Rng) -> GeneratedField {
    let most_solved = MOST_SOLVED.min((MOST_CELLS / (game.rows() * game.cols())) as u32);
    let spared = spared(game, first);
    BoardGenerator { game, first, spared, solver: Solver::new(), solved: 0, most_solved }.generate(rng)
}

/// The first cell and, where there is room for the mines elsewhere, its neighbours: a first number other than 0
/// rarely proves anything.
fn spared(game: &Minesweeper, first: BoardCell) -> CellSet {
    let mut spared = CellSet::empty(game.rows());
    spared.insert(first);
    first.neighbours(game.rows(), game.cols()).for_each(|cell| spared.insert(cell));
    if game.mines() + spared.len() > game.rows() * game.cols() {
        spared.clear();
        spared.insert(first);
    }
    spared
}

/// A board with all cells unmasked that can be proven safe.
struct TestedBoard {
    mines: CellSet,
    field: MineField,
    proven: VisibleBoard,
}

struct BoardGenerator<'g> {
    game: &'g Minesweeper,
    first: BoardCell,
    spared: CellSet,
    solver: Solver,
    solved: u32,
    most_solved: u32,
}

impl BoardGenerator<'_> {
    fn generate(mut self, rng: &mut Rng) -> GeneratedField {
        let mut best = self.draw(rng);
        while !best.proven.is_won() && self.solved < self.most_solved {
            let mut trial = self.draw(rng);
            for _ in 1..DRAWS {
                if trial.proven.is_won() {
                    break;
                }
                let next = self.draw(rng);
                if next.proven.score() > trial.proven.score() {
                    trial = next;
                }
            }
            trial = self.repair(trial, rng);
            if trial.proven.score() > best.proven.score() {
                best = trial;
            }
        }
        GeneratedField { needs_guess: !best.proven.is_won(), field: best.field }
    }

    fn draw(&mut self, rng: &mut Rng) -> TestedBoard {
        let field = MineField::draw(self.game.cols(), self.game.mines(), &self.spared, rng);
        self.test(field.mines().clone())
    }

    /// Unmasks certainly safe cells until there are none.
    fn test(&mut self, mines: CellSet) -> TestedBoard {
        let field = MineField::new(mines.clone(), self.game.cols());
        let mut proven =
            VisibleBoard::masked_board(self.game.rows(), self.game.cols(), self.game.mines(), false);
        unmask(&mut proven, &field, self.first);
        while !proven.is_won() {
            self.solved += 1;
            let Ok(known) = self.solver.solve(&proven) else { break };
            if known.safe().is_empty() {
                break;
            }
            for cell in known.safe().iter() {
                if proven.masked().contains(cell) {
                    unmask(&mut proven, &field, cell);
                }
            }
        }
        TestedBoard { mines, field, proven }
    }

    fn repair(&mut self, mut trial: TestedBoard, rng: &mut Rng) -> TestedBoard {
        let mut failed = 0;
        while !trial.proven.is_won() && failed < MAX_FAILED_REPAIRS && self.solved < self.most_solved {
            let Some(mines) = self.change(&trial, rng) else { return trial };
            let changed = self.test(mines);
            failed = if changed.proven.score() > trial.proven.score() { 0 } else { failed + 1 };
            if changed.proven.score() >= trial.proven.score() {
                trial = changed;
            }
        }
        trial
    }

    /// The mines with one of them moved between the edge of the proven area and a masked cell elsewhere.
    fn change(&mut self, trial: &TestedBoard, rng: &mut Rng) -> Option<CellSet> {
        let known = self.solver.solve(&trial.proven).ok()?;
        let open = |cell: &BoardCell| !known.mined().contains(*cell) && !self.spared.contains(*cell);
        let (edge, beyond): (Vec<BoardCell>, Vec<BoardCell>) = trial
            .proven
            .masked()
            .iter()
            .filter(open)
            .partition(|&cell| !Solver::why(&trial.proven, cell).is_empty());
        let at = rng.pick(if edge.is_empty() { &beyond } else { &edge });
        let is_mined = trial.mines.contains(at);
        let other_kind = |cells: &[BoardCell]| -> Vec<BoardCell> {
            cells.iter().copied().filter(|&cell| trial.mines.contains(cell) != is_mined).collect()
        };
        let mut elsewhere = other_kind(&beyond);
        if elsewhere.is_empty() {
            elsewhere = other_kind(&edge);
        }
        let other = (!elsewhere.is_empty()).then(|| rng.pick(&elsewhere))?;
        let mut mines = trial.mines.clone();
        let (from, to) = if is_mined { (at, other) } else { (other, at) };
        mines.remove(from);
        mines.insert(to);
        Some(mines)
    }
}
