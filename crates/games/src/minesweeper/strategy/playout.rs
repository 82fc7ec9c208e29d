//! Values of cells by playouts.
//!
//! Mines are drawn that fit the board, and the game is played to its end. A guess on the way is not left to chance:
//! it contributes the probability that its cell is empty, and the game continues over mines for which it is. An
//! endgame that was searched contributes its exact probability. So one playout tells far more than one game won or
//! lost.
//!
//! Invariant: the mean of many playouts converges to the probability of winning if this cell is unmasked and the
//! player continues.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::Rng;

use super::super::grid::BoardCell;
use super::super::mine_field::MineField;
use super::super::rules::unmask;
use super::super::solver::{ProbabilityError, Solver};
use super::super::visible_board::VisibleBoard;
use super::{ChoiceReason, Effort, FirstClick, Strategist};

/// When playouts are used before a guess, and how many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutConfig {
    /// Only if at most this many placements are left, as a decimal logarithm.
    pub within: f64,
    /// The number of playouts of each of the last cells that are compared.
    pub draws: u32,
    /// The most cells that are compared.
    pub cells: usize,
}

impl PlayoutConfig {
    /// No playouts.
    pub const NEVER: Self = Self { within: f64::NEG_INFINITY, draws: 0, cells: 0 };
}

/// A round of a comparison: the share of the playouts that every cell gets in it, and how many cells stay after it.
type Round = (f64, usize);

/// Most cells are dropped after few playouts.
const ROUNDS: [Round; 3] = [(0.1, 5), (0.2, 3), (0.7, 3)];
/// The greatest number of decisions cached.
const MOST_KNOWN: usize = 1 << 16;

/// Runs playouts from boards without a proven safe cell.
pub struct Playouts {
    player: Strategist,
    solver: Solver,
    /// The player's decisions on boards met before.
    known: HashMap<u64, PlayoutDecision>,
}

/// The player's decision on a board: a cell, the reason, and for a guess the probability that the cell is empty.
#[derive(Clone, Copy, Debug)]
struct PlayoutDecision {
    cell: BoardCell,
    reason: ChoiceReason,
    safety: f64,
}

/// The results of a cell's playouts.
struct PlayoutStats {
    cell: BoardCell,
    sum: f64,
    draws: u32,
}

impl PlayoutStats {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.draws.max(1))
    }
}

impl Playouts {
    /// Playouts by the player with this effort.
    pub fn new(effort: Effort) -> Self {
        let player = Strategist::new(FirstClick::Any, effort);
        Self { player, solver: Solver::new(), known: HashMap::new() }
    }

    /// Compares cells of a board by playouts, up to `draws` for each, in rounds after which only the best stay; the
    /// first cell always stays. Returns those left with their estimated probabilities of winning, best first.
    pub fn compare(
        &mut self,
        view: &VisibleBoard,
        cells: &[BoardCell],
        draws: u32,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Result<Vec<(BoardCell, f64)>, ProbabilityError> {
        // Caches are cleared so that the result depends on this board alone.
        self.known.clear();
        self.player.safe_cells.forget();
        let mut stats: Vec<PlayoutStats> =
            cells.iter().map(|&cell| PlayoutStats { cell, sum: 0.0, draws: 0 }).collect();
        for (share, stay) in ROUNDS {
            let more = (f64::from(draws) * share).ceil() as u32;
            for cell_stats in &mut stats {
                for _ in 0..more {
                    cell_stats.sum += self.draw(view, cell_stats.cell, rng, stop)?;
                }
                cell_stats.draws += more;
            }
            stats.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
            let mut place = 0;
            stats.retain(|cell_stats| {
                place += 1;
                place <= stay || cell_stats.cell == cells[0]
            });
        }
        Ok(stats.iter().map(|cell_stats| (cell_stats.cell, cell_stats.mean())).collect())
    }

    /// One playout that begins with this masked cell of a game that has begun.
    pub fn draw(
        &mut self,
        view: &VisibleBoard,
        cell: BoardCell,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Result<f64, ProbabilityError> {
        let mut seen = view.clone();
        let mut chance = self.safety(&seen, cell, stop)?;
        let mut field = self.field_without(&seen, cell, rng, stop)?;
        unmask(&mut seen, &field, cell);
        while !seen.is_won() {
            let PlayoutDecision { cell, reason, safety } = self.decision(&seen, stop)?;
            match reason {
                ChoiceReason::Proven => {}
                ChoiceReason::Endgame(won) => return Ok(chance * won),
                ChoiceReason::First | ChoiceReason::Forced | ChoiceReason::LookAhead => {
                    chance *= safety;
                    // A random field that fits becomes a random field that fits and is empty here.
                    if field.mines().contains(cell) {
                        field = self.field_without(&seen, cell, rng, stop)?;
                    }
                }
            }
            unmask(&mut seen, &field, cell);
        }
        Ok(chance)
    }

    /// The player's decision on this board.
    fn decision(
        &mut self,
        seen: &VisibleBoard,
        stop: &AtomicBool,
    ) -> Result<PlayoutDecision, ProbabilityError> {
        let key = seen.key();
        if let Some(&decision) = self.known.get(&key) {
            return Ok(decision);
        }
        let cell = self.player.decide(seen, stop);
        if stop.load(Ordering::Relaxed) {
            return Err(ProbabilityError::Stopped);
        }
        let reason = self.player.reason;
        let safety = if reason == ChoiceReason::Proven { 1.0 } else { self.safety(seen, cell, stop)? };
        let decision = PlayoutDecision { cell, reason, safety };
        if self.known.len() == MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, decision);
        Ok(decision)
    }

    /// The probability that a cell is empty.
    fn safety(
        &mut self,
        seen: &VisibleBoard,
        cell: BoardCell,
        stop: &AtomicBool,
    ) -> Result<f64, ProbabilityError> {
        Ok(1.0 - self.solver.solve_unless(stop, seen)?.mined_chance(cell))
    }

    /// A random field that fits the board and has no mine in this cell, which is not certainly mined.
    fn field_without(
        &mut self,
        seen: &VisibleBoard,
        cell: BoardCell,
        rng: &mut Rng,
        stop: &AtomicBool,
    ) -> Result<MineField, ProbabilityError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(ProbabilityError::Stopped);
            }
            let mines = self.solver.sample(seen, rng)?;
            if !mines.contains(cell) {
                return Ok(MineField::new(mines, seen.cols()));
            }
        }
    }
}
