//! The optimal player: no play wins more often.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn};

use super::super::NEVER;
use super::super::grid::BoardCell;
use super::super::visible_board::{Action, VisibleBoard};
use super::search::ProblemTable;
use super::{OptimalSolution, WinCount};

/// Perfect play on a tiny board.
#[derive(Clone, Debug)]
pub struct Optimal {
    solution: Arc<OptimalSolution>,
    /// Problems solved beyond the solution, in games with a random first cell.
    found: ProblemTable,
    /// The best first cell.
    opening: Option<(BoardCell, WinCount)>,
}

impl Optimal {
    /// The player by this solution.
    pub fn new(solution: Arc<OptimalSolution>) -> Self {
        Self { solution, found: ProblemTable::default(), opening: None }
    }

    /// The best cell; any cell if it is not found before the flag is raised.
    fn best(&mut self, view: &VisibleBoard, stop: &AtomicBool) -> (BoardCell, WinCount) {
        let is_opening = view.score() == 0;
        if let Some(opening) = self.opening.filter(|_| is_opening) {
            return opening;
        }
        let best = self.solution.best(view, &mut self.found, stop);
        if is_opening {
            self.opening = best.ok();
        }
        best.unwrap_or_else(|_| {
            let masked = view.masked().iter().next().expect("an unfinished game has a masked cell");
            (masked, WinCount { won: 0, of: 1 })
        })
    }
}

impl Player<VisibleBoard> for Optimal {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        let stop = turn.stop_flag().unwrap_or(&NEVER);
        let plain = view.clone().without_flags();
        let best = self.best(&plain, stop);
        turn.show(|| {
            let mut win_counts = self.solution.win_counts(&plain, stop).unwrap_or_default();
            win_counts.retain(|&(cell, _)| cell != best.0);
            win_counts.insert(0, best);
            let candidate = |&(cell, win_count): &(BoardCell, WinCount)| {
                let mv = Action::Unmask(cell);
                Candidate::expected(mv, win_count.chance(), f64::from(u8::from(cell == best.0)), vec![mv])
            };
            Thought {
                candidates: win_counts.iter().map(candidate).collect(),
                depth: 0,
                nodes: win_counts.len() as u64,
                elapsed: start.elapsed(),
            }
        });
        // A flag must be removed before the cell can be unmasked.
        if view.flagged().contains(best.0) { Action::Unflag(best.0) } else { Action::Unmask(best.0) }
    }
}
