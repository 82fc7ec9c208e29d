//! One-ply look-ahead for guesses.
//!
//! The value of a cell is the sum, over the numbers it could show, of the probability of that number times the value
//! of the resulting board: the probability that its safest cell is safe, and a little more than 1 if one is certainly
//! safe, since its number comes for free.
//!
//! Values are only for comparing cells of the same board. A value is at most the probability that the cell is empty.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::grid::BoardCell;
use super::super::solver::{Probabilities, Solver};
use super::super::visible_board::VisibleBoard;
use super::ValuedCell;

/// Which guesses are evaluated, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuessConfig {
    /// Cells are evaluated whose safety is at least this share of the best.
    pub margin: f64,
    /// The greatest number of cells evaluated.
    pub most: usize,
    /// The number of cells off the frontier that are evaluated: this many near it and this many far from it.
    pub far: usize,
    /// The bonus above 1 for a board with a certainly safe cell.
    pub progress: f64,
}

/// A cell that may be guessed.
#[derive(Clone, Copy, Debug)]
struct GuessCandidate {
    cell: BoardCell,
    safety: f64,
    /// The approximate probability that it shows a 0.
    opens: f64,
}

/// Evaluates guesses on one board.
pub(super) struct Guesser<'a> {
    solver: &'a mut Solver,
    guessing: &'a GuessConfig,
    board: VisibleBoard,
    stop: &'a AtomicBool,
    /// Boards solved.
    pub(super) nodes: u64,
}

/// The factor for cells that give no information: they are left for last.
const DEAD: f64 = 0.5;
/// Probabilities below this are rounding errors.
const NOTHING: f64 = 1e-9;

impl<'a> Guesser<'a> {
    /// The board was solved last, and has no safe cell.
    pub(super) fn new(
        solver: &'a mut Solver,
        view: &VisibleBoard,
        guessing: &'a GuessConfig,
        stop: &'a AtomicBool,
    ) -> Self {
        Self { solver, guessing, board: view.clone().without_flags(), stop, nodes: 0 }
    }

    /// Evaluates the best guesses; best first. Once the flag is raised, the others are not evaluated; if there is none
    /// yet, the safest is the answer.
    pub(super) fn evaluate(&mut self, out: &mut Vec<ValuedCell>) {
        let log_solutions = self.solver.known().log10_solutions();
        let mut best = 0.0f64;
        let candidates = self.candidates();
        for &candidate in &candidates {
            let value = self.value(candidate, log_solutions, best);
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            best = best.max(value);
            out.push((candidate.cell, value));
        }
        if out.is_empty() {
            out.push((candidates[0].cell, candidates[0].safety));
        }
        out.sort_by(|a, b| b.1.total_cmp(&a.1));
    }

    /// The value of a cell of a board with this many solutions; if it is below `enough`, possibly a lower bound.
    fn value(&mut self, candidate: GuessCandidate, log_solutions: f64, enough: f64) -> f64 {
        let GuessCandidate { cell, safety, .. } = candidate;
        let near = self.board.neighbours(cell).filter(|&near| self.board.masked().contains(near));
        let masked = near.count() as u8;
        let (mut value, mut left, mut numbers) = (0.0, safety, 0);
        for number in 0..=masked {
            if left < NOTHING || value + left < enough || self.stop.load(Ordering::Relaxed) {
                break;
            }
            self.board.reveal(cell, number);
            self.nodes += 1;
            if let Ok(log) =
                self.solver.solve_unless(self.stop, &self.board).map(Probabilities::log10_solutions)
            {
                let share = 10f64.powf(log - log_solutions);
                left -= share;
                numbers += 1;
                value += share * self.board_value();
            }
            self.board.conceal(cell);
        }
        let is_dead = numbers == 1 && left < NOTHING;
        if is_dead { value * DEAD } else { value }
    }

    /// The value of the board solved last, as a share of the greatest possible.
    fn board_value(&self) -> f64 {
        let known = self.solver.known();
        if !known.safe().is_empty() {
            return 1.0;
        }
        let chances = self.board.masked().iter().map(|cell| known.mined_chance(cell));
        (1.0 - chances.fold(1.0, f64::min)) / (1.0 + self.guessing.progress)
    }

    /// The cells whose safety is within the margin, the safest first; among equals, those first that most likely show
    /// a 0. Cells off the frontier are all equally safe, and there may be hundreds: only some are taken from those
    /// that have a neighbour on the frontier, and as many from the others.
    fn candidates(&self) -> Vec<GuessCandidate> {
        let (known, board) = (self.solver.known(), &self.board);
        let safety = |cell: BoardCell| 1.0 - known.mined_chance(cell);
        let best = board.masked().iter().map(safety).fold(0.0, f64::max);
        let near = board.masked().iter().filter(|&cell| safety(cell) >= best * self.guessing.margin);
        let mut candidates: Vec<GuessCandidate> = near
            .map(|cell| {
                let near = board.neighbours(cell).filter(|&near| board.masked().contains(near));
                GuessCandidate { cell, safety: safety(cell), opens: near.map(safety).product() }
            })
            .collect();
        candidates.sort_by(|a, b| b.safety.total_cmp(&a.safety).then(b.opens.total_cmp(&a.opens)));
        let is_off =
            |cell: BoardCell| board.masked().contains(cell) && self.solver.is_off_frontier(board, cell);
        let mut taken = [0; 2];
        candidates.retain(|candidate| {
            if !is_off(candidate.cell) {
                return true;
            }
            let kind = usize::from(board.neighbours(candidate.cell).all(is_off));
            taken[kind] += 1;
            taken[kind] <= self.guessing.far
        });
        candidates.truncate(self.guessing.most);
        candidates
    }
}
