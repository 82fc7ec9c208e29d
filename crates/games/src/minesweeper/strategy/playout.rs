//! What cells are worth, by playing on from them.
//!
//! Mines are drawn that fit the board, and the game is played to its end. A guess on the way is not left to chance:
//! it counts by the chance that its cell is empty, and the game goes on over mines for which it is. An endgame
//! that was searched counts by its exact chance. So one playout tells far more than one game won or lost.
//!
//! Law: the mean of many playouts goes to the chance to win, if this cell is unmasked and the player plays on.

use std::collections::HashMap;

use outplay_core::Rng;

use super::super::field::Field;
use super::super::grid::Cell;
use super::super::rules::unmask;
use super::super::seen::Seen;
use super::super::solver::{Solver, Unsolved};
use super::{Effort, FirstClick, Ground, Strategist};

/// When and how much is played on before a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayingOn {
    /// Only where at most so many placements are left, as a decimal logarithm.
    pub within: f64,
    /// Playouts of each of the last cells that are compared.
    pub draws: u32,
    /// The most cells that are compared.
    pub cells: usize,
}

impl PlayingOn {
    /// No guess is played on from.
    pub const NEVER: Self = Self { within: f64::NEG_INFINITY, draws: 0, cells: 0 };
}

/// A round of a comparison: the share of the draws that every cell gets in it, and how many cells stay after it.
type Round = (f64, usize);

/// Most cells are given up after few playouts.
const ROUNDS: [Round; 3] = [(0.1, 5), (0.2, 3), (0.7, 3)];
/// Choices remembered at once.
const MOST_KNOWN: usize = 1 << 16;

/// Plays on from boards that no cell is proven safe on.
pub struct Playouts {
    player: Strategist,
    solver: Solver,
    /// What the player does on boards that were met before.
    known: HashMap<u64, Choice>,
}

/// What the player does on a board: a cell, on which ground, and for a guess the chance that the cell is empty.
#[derive(Clone, Copy, Debug)]
struct Choice {
    cell: Cell,
    ground: Ground,
    safety: f64,
}

/// A cell with its playouts so far.
struct Runner {
    cell: Cell,
    sum: f64,
    draws: u32,
}

impl Runner {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.draws.max(1))
    }
}

impl Playouts {
    /// Playouts by the player that thinks so much.
    pub fn new(effort: Effort) -> Self {
        let player = Strategist::new(FirstClick::Any, effort);
        Self { player, solver: Solver::new(), known: HashMap::new() }
    }

    /// Compares cells of a board by playouts, up to `draws` for each, in rounds after which only the best stay; the first cell
    /// always stays. Those left, with the chance to win that was found; best first.
    pub fn compare(
        &mut self,
        view: &Seen,
        cells: &[Cell],
        draws: u32,
        rng: &mut Rng,
    ) -> Result<Vec<(Cell, f64)>, Unsolved> {
        // What was met on other boards may be remembered another way; the result is this board's alone.
        self.known.clear();
        self.player.memory.forget();
        let mut runners: Vec<Runner> =
            cells.iter().map(|&cell| Runner { cell, sum: 0.0, draws: 0 }).collect();
        for (share, stay) in ROUNDS {
            let more = (f64::from(draws) * share).ceil() as u32;
            for runner in &mut runners {
                for _ in 0..more {
                    runner.sum += self.draw(view, runner.cell, rng)?;
                }
                runner.draws += more;
            }
            runners.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            let mut place = 0;
            runners.retain(|runner| {
                place += 1;
                place <= stay || runner.cell == cells[0]
            });
        }
        Ok(runners.iter().map(|runner| (runner.cell, runner.mean())).collect())
    }

    /// One playout that begins with this masked cell of a game that has begun.
    pub fn draw(&mut self, view: &Seen, cell: Cell, rng: &mut Rng) -> Result<f64, Unsolved> {
        let mut seen = view.clone();
        let mut chance = self.safety(&seen, cell)?;
        let mut field = self.field_without(&seen, cell, rng)?;
        unmask(&mut seen, &field, cell);
        while !seen.is_won() {
            let Choice { cell, ground, safety } = self.choice(&seen)?;
            match ground {
                Ground::Proven => {}
                Ground::Endgame(won) => return Ok(chance * won),
                Ground::First | Ground::Forced | Ground::Weighed => {
                    chance *= safety;
                    // Any field that fits becomes any field that fits and is empty here.
                    if field.mines().contains(cell) {
                        field = self.field_without(&seen, cell, rng)?;
                    }
                }
            }
            unmask(&mut seen, &field, cell);
        }
        Ok(chance)
    }

    /// What the player does on this board.
    fn choice(&mut self, seen: &Seen) -> Result<Choice, Unsolved> {
        let key = seen.key();
        if let Some(&choice) = self.known.get(&key) {
            return Ok(choice);
        }
        let cell = self.player.decide(seen);
        let ground = self.player.ground;
        let safety = if ground == Ground::Proven { 1.0 } else { self.safety(seen, cell)? };
        let choice = Choice { cell, ground, safety };
        if self.known.len() == MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, choice);
        Ok(choice)
    }

    /// The chance that a cell is empty.
    fn safety(&mut self, seen: &Seen, cell: Cell) -> Result<f64, Unsolved> {
        Ok(1.0 - self.solver.solve(seen)?.mined_chance(cell))
    }

    /// Any field that fits the board and has no mine in this cell, which is not certainly mined.
    fn field_without(&mut self, seen: &Seen, cell: Cell, rng: &mut Rng) -> Result<Field, Unsolved> {
        loop {
            let mines = self.solver.sample(seen, rng)?;
            if !mines.contains(cell) {
                return Ok(Field::new(mines, seen.cols()));
            }
        }
    }
}
