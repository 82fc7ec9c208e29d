//! Boards on which every step can be proven, from the first click to the last cell.
//!
//! Boards are drawn and tested by the exact solver, number of mines included; the first that needs no guess is taken,
//! so that where such boards are not rare each is as likely as any other. Otherwise the best of the drawn boards is
//! repaired: a mine moves between a cell at which the proofs ended and one that no number touches, and stays there
//! unless fewer cells can be proven than before.
//!
//! Law: a board follows from its first click and its generator; the work is bounded by counting, not by the clock.

use outplay_core::Rng;

use super::field::Field;
use super::grid::{Cell, CellSet};
use super::rules::{Minesweeper, unmask};
use super::seen::Seen;
use super::solver::Solver;

/// Boards drawn before the best of them is repaired.
const DRAWS: u32 = 12;
/// Repairs that prove no more cells than before, in a row, before other boards are drawn.
const PATIENCE: u32 = 60;
/// Boards solved in all before it is given up, and on large boards their cells.
const MOST_SOLVED: u32 = 30_000;
const MOST_CELLS: usize = 30_000 * 16 * 30;

/// What was laid.
pub(super) struct Laid {
    pub(super) field: Field,
    /// Whether no better board was found than one that needs a guess.
    pub(super) needs_guess: bool,
}

/// Lays the mines of a game under its first click.
pub(super) fn lay(game: &Minesweeper, first: Cell, rng: &mut Rng) -> Laid {
    let most_solved = MOST_SOLVED.min((MOST_CELLS / (game.rows() * game.cols())) as u32);
    let spared = spared(game, first);
    Workshop { game, first, spared, solver: Solver::new(), solved: 0, most_solved }.work(rng)
}

/// The first cell and, where there is room for the mines elsewhere, those around it: hardly any other number than a 0
/// proves something.
fn spared(game: &Minesweeper, first: Cell) -> CellSet {
    let mut spared = CellSet::empty(game.rows());
    spared.insert(first);
    first.neighbours(game.rows(), game.cols()).for_each(|cell| spared.insert(cell));
    if game.mines() + spared.len() > game.rows() * game.cols() {
        spared.clear();
        spared.insert(first);
    }
    spared
}

/// A board and how far the proofs go on it.
struct Trial {
    mines: CellSet,
    field: Field,
    proven: Seen,
}

struct Workshop<'g> {
    game: &'g Minesweeper,
    first: Cell,
    spared: CellSet,
    solver: Solver,
    solved: u32,
    most_solved: u32,
}

impl Workshop<'_> {
    fn work(mut self, rng: &mut Rng) -> Laid {
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
        Laid { needs_guess: !best.proven.is_won(), field: best.field }
    }

    fn draw(&mut self, rng: &mut Rng) -> Trial {
        let field = Field::draw(self.game.cols(), self.game.mines(), &self.spared, rng);
        self.test(field.mines().clone())
    }

    /// Unmasks whatever is certainly empty until nothing is.
    fn test(&mut self, mines: CellSet) -> Trial {
        let field = Field::new(mines.clone(), self.game.cols());
        let mut proven = Seen::masked_board(self.game.rows(), self.game.cols(), self.game.mines(), false);
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
        Trial { mines, field, proven }
    }

    fn repair(&mut self, mut trial: Trial, rng: &mut Rng) -> Trial {
        let mut in_vain = 0;
        while !trial.proven.is_won() && in_vain < PATIENCE && self.solved < self.most_solved {
            let Some(mines) = self.change(&trial, rng) else { return trial };
            let changed = self.test(mines);
            in_vain = if changed.proven.score() > trial.proven.score() { 0 } else { in_vain + 1 };
            if changed.proven.score() >= trial.proven.score() {
                trial = changed;
            }
        }
        trial
    }

    /// The mines with one of them moved between the edge of what is proven and a masked cell elsewhere.
    fn change(&mut self, trial: &Trial, rng: &mut Rng) -> Option<CellSet> {
        let known = self.solver.solve(&trial.proven).ok()?;
        let open = |cell: &Cell| !known.mined().contains(*cell) && !self.spared.contains(*cell);
        let (edge, beyond): (Vec<Cell>, Vec<Cell>) = trial
            .proven
            .masked()
            .iter()
            .filter(open)
            .partition(|&cell| !Solver::why(&trial.proven, cell).is_empty());
        let at = rng.pick(if edge.is_empty() { &beyond } else { &edge });
        let is_mined = trial.mines.contains(at);
        let other_kind = |cells: &[Cell]| -> Vec<Cell> {
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
