//! What cells are worth, by playing on from them.
//!
//! Mines are drawn that fit the board, and the game is played to its end. A guess on the way is not left to chance:
//! it counts by the chance that its cell is empty, and the game goes on over mines for which it is. An endgame
//! that was searched counts by its exact chance. So one playout tells far more than one game won or lost.
//!
//! Law: the mean of many playouts goes to the chance to win, if this cell is unmasked and the player plays on.

use std::collections::HashMap;

use outplay_core::Rng;

use super::super::grid::BoardCell;
use super::super::mine_field::MineField;
use super::super::rules::unmask;
use super::super::solver::{ProbabilityError, Solver};
use super::super::visible_board::VisibleBoard;
use super::{ChoiceReason, Effort, FirstClick, Strategist};

/// When and how much is played on before a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutConfig {
    /// Only where at most so many placements are left, as a decimal logarithm.
    pub within: f64,
    /// Playouts of each of the last cells that are compared.
    pub draws: u32,
    /// The most cells that are compared.
    pub cells: usize,
}

impl PlayoutConfig {
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
    known: HashMap<u64, PlayoutDecision>,
}

/// What the player does on a board: a cell, on which ground, and for a guess the chance that the cell is empty.
#[derive(Clone, Copy, Debug)]
struct PlayoutDecision {
    cell: BoardCell,
    reason: ChoiceReason,
    safety: f64,
}

/// A cell with its playouts so far.
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
    /// Playouts by the player that thinks so much.
    pub fn new(effort: Effort) -> Self {
        let player = Strategist::new(FirstClick::Any, effort);
        Self { player, solver: Solver::new(), known: HashMap::new() }
    }

    /// Compares cells of a board by playouts, up to `draws` for each, in rounds after which only the best stay; the first cell
    /// always stays. Those left, with the chance to win that was found; best first.
    pub fn compare(
        &mut self,
        view: &VisibleBoard,
        cells: &[BoardCell],
        draws: u32,
        rng: &mut Rng,
    ) -> Result<Vec<(BoardCell, f64)>, ProbabilityError> {
        // What was met on other boards may be remembered another way; the result is this board's alone.
        self.known.clear();
        self.player.safe_cells.forget();
        let mut stats: Vec<PlayoutStats> =
            cells.iter().map(|&cell| PlayoutStats { cell, sum: 0.0, draws: 0 }).collect();
        for (share, stay) in ROUNDS {
            let more = (f64::from(draws) * share).ceil() as u32;
            for cell_stats in &mut stats {
                for _ in 0..more {
                    cell_stats.sum += self.draw(view, cell_stats.cell, rng)?;
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
    ) -> Result<f64, ProbabilityError> {
        let mut seen = view.clone();
        let mut chance = self.safety(&seen, cell)?;
        let mut field = self.field_without(&seen, cell, rng)?;
        unmask(&mut seen, &field, cell);
        while !seen.is_won() {
            let PlayoutDecision { cell, reason, safety } = self.decision(&seen)?;
            match reason {
                ChoiceReason::Proven => {}
                ChoiceReason::Endgame(won) => return Ok(chance * won),
                ChoiceReason::First | ChoiceReason::Forced | ChoiceReason::Weighed => {
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
    fn decision(&mut self, seen: &VisibleBoard) -> Result<PlayoutDecision, ProbabilityError> {
        let key = seen.key();
        if let Some(&decision) = self.known.get(&key) {
            return Ok(decision);
        }
        let cell = self.player.decide(seen);
        let reason = self.player.reason;
        let safety = if reason == ChoiceReason::Proven { 1.0 } else { self.safety(seen, cell)? };
        let decision = PlayoutDecision { cell, reason, safety };
        if self.known.len() == MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, decision);
        Ok(decision)
    }

    /// The chance that a cell is empty.
    fn safety(&mut self, seen: &VisibleBoard, cell: BoardCell) -> Result<f64, ProbabilityError> {
        Ok(1.0 - self.solver.solve(seen)?.mined_chance(cell))
    }

    /// Any field that fits the board and has no mine in this cell, which is not certainly mined.
    fn field_without(
        &mut self,
        seen: &VisibleBoard,
        cell: BoardCell,
        rng: &mut Rng,
    ) -> Result<MineField, ProbabilityError> {
        loop {
            let mines = self.solver.sample(seen, rng)?;
            if !mines.contains(cell) {
                return Ok(MineField::new(mines, seen.cols()));
            }
        }
    }
}
