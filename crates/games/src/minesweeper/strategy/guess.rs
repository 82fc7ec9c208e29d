//! Guesses weighed by what follows them.
//!
//! A cell is worth the sum, over the numbers it could show, of the chance of that number times what the board is
//! worth on which it is shown: as much as its safest cell is safe, or a little more than 1 if one is certainly safe;
//! less what has come nearer to be a forced guess (`risk`). The best few are looked at again, one guess deeper.
//!
//! Law: the worth of one cell is only good to be compared with that of another of the same board. A cell that tells
//! nothing is taken only if there is no other.

use super::super::grid::Cell;
use super::super::seen::Seen;
use super::super::solver::{Probabilities, Solver};
use super::{Weighed, risk};

/// How guesses are weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// Cells are considered whose safety is at least this share of the best.
    pub margin: f64,
    /// At most so many cells are looked at.
    pub most: usize,
    /// Of cells off the frontier, so many near it and so many far from it.
    pub far: usize,
    /// What a certainly safe cell next is worth above 1.
    pub progress: f64,
    /// The same for each doubling of the safe cells.
    pub doubling: f64,
    /// How much a risk of forced guesses weighs.
    pub dread: f64,
    /// So many of the best are looked at one guess deeper.
    pub deep: usize,
}

impl Taste {
    pub(super) const STRONG: Self =
        Self { margin: 0.85, most: 30, far: 6, progress: 0.1, doubling: 0.0, dread: 0.0, deep: 0 };
    pub(super) const FAST: Self =
        Self { margin: 0.95, most: 8, far: 2, progress: 0.1, doubling: 0.0, dread: 0.0, deep: 0 };
}

/// A cell that may be worth a guess.
#[derive(Clone, Copy, Debug)]
struct Choice {
    cell: Cell,
    safety: f64,
    /// The chance that it shows a 0, roughly.
    opens: f64,
}

/// Weighs guesses on one board.
pub(super) struct Guesser<'a> {
    solver: &'a mut Solver,
    taste: &'a Taste,
    board: Seen,
    risk: f64,
    /// Boards solved.
    pub(super) nodes: u64,
}

/// Cells considered at the second guess.
const FEW: usize = 4;
/// What a cell that tells nothing is worth beside others.
const DEAD: f64 = 0.5;

impl<'a> Guesser<'a> {
    /// The board was solved last, and has no safe cell.
    pub(super) fn new(solver: &'a mut Solver, view: &Seen, taste: &'a Taste) -> Self {
        let risk = if taste.dread > 0.0 { risk::of(view, solver.known()) } else { 0.0 };
        Self { solver, taste, board: view.clone().without_flags(), risk, nodes: 0 }
    }

    /// Weighs the best guesses; best first.
    pub(super) fn weigh(&mut self, out: &mut Vec<Weighed>) {
        let known = self.solver.known();
        let log_solutions = known.log10_solutions();
        let options = list(self.solver, &self.board, self.taste.margin, self.taste.most, self.taste.far);
        let mut best = 0.0f64;
        for option in &options {
            let worth = self.worth(*option, log_solutions, 0, best);
            best = best.max(worth);
            out.push((option.cell, worth));
        }
        out.sort_by(|a, b| b.1.total_cmp(&a.1));
        if self.taste.deep > 1 && out.len() > 1 {
            let deep = self.taste.deep.min(out.len());
            for weighed in &mut out[..deep] {
                let option = options.iter().find(|option| option.cell == weighed.0).expect("it was listed");
                weighed.1 = self.worth(*option, log_solutions, 1, 0.0);
            }
            out.truncate(deep);
            out.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
    }

    /// What a cell of a board with so many solutions is worth; if it is no more than `enough`, perhaps less.
    fn worth(&mut self, option: Choice, log_solutions: f64, deeper: u32, enough: f64) -> f64 {
        let Choice { cell, safety, .. } = option;
        let near = self.board.neighbours(cell).filter(|&near| self.board.masked().contains(near));
        let masked = near.count() as u8;
        let most = 1.0 + self.taste.progress + 3.0 * self.taste.doubling;
        let (mut worth, mut left, mut numbers) = (0.0, safety, 0);
        for number in 0..=masked {
            if left < 1e-9 || worth + left * most < enough {
                break;
            }
            self.board.reveal(cell, number);
            self.nodes += 1;
            if let Ok(log) = self.solver.solve(&self.board).map(Probabilities::log10_solutions) {
                let share = 10f64.powf(log - log_solutions);
                left -= share;
                numbers += 1;
                worth += share * self.promise(log, deeper);
            }
            self.board.conceal(cell);
        }
        if numbers == 1 && left < 1e-9 { worth * DEAD } else { worth }
    }

    /// What the board solved last is worth.
    fn promise(&mut self, log_solutions: f64, deeper: u32) -> f64 {
        let known = self.solver.known();
        let dread = self.taste.dread;
        let calm = if dread > 0.0 { (dread * (self.risk - risk::of(&self.board, known))).exp() } else { 1.0 };
        let safe = known.safe().len();
        if safe > 0 {
            return calm * (1.0 + self.taste.progress + self.taste.doubling * (safe as f64).log2().min(3.0));
        }
        let chances = self.board.masked().iter().map(|cell| known.mined_chance(cell));
        let safety = 1.0 - chances.fold(1.0, f64::min);
        if deeper == 0 {
            return calm * safety;
        }
        let options = list(self.solver, &self.board, self.taste.margin, FEW, 1);
        options
            .iter()
            .fold(0.0, |best: f64, option| best.max(self.worth(*option, log_solutions, deeper - 1, best)))
    }
}

/// The cells whose safety is within the margin, the safest first; of equals, those first that open most. Cells off
/// the frontier are all equally safe and there may be hundreds, so only `far` of them are taken from those that
/// have a neighbour on the frontier, and as many from the others.
fn list(solver: &Solver, board: &Seen, margin: f64, most: usize, far: usize) -> Vec<Choice> {
    let known = solver.known();
    let safety = |cell: Cell| 1.0 - known.mined_chance(cell);
    let best = board.masked().iter().map(safety).fold(0.0, f64::max);
    let near = board.masked().iter().filter(|&cell| safety(cell) >= best * margin);
    let mut choices: Vec<Choice> = near
        .map(|cell| {
            let near = board.neighbours(cell).filter(|&near| board.masked().contains(near));
            Choice { cell, safety: safety(cell), opens: near.map(safety).product() }
        })
        .collect();
    choices.sort_by(|a, b| b.safety.total_cmp(&a.safety).then(b.opens.total_cmp(&a.opens)));
    let is_off = |cell: Cell| board.masked().contains(cell) && solver.is_off_frontier(board, cell);
    let mut taken = [0; 2];
    choices.retain(|choice| {
        if !is_off(choice.cell) {
            return true;
        }
        let is_far = board.neighbours(choice.cell).all(is_off);
        taken[usize::from(is_far)] += 1;
        taken[usize::from(is_far)] <= far
    });
    choices.truncate(most);
    choices
}
