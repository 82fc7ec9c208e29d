//! The positions that players are asked about: their source and their statistics.

use outplay_core::View;
use outplay_games::pushover::Pushover;
use outplay_games::pushover::solver::PushoverSolution;
use serde::{Deserialize, Serialize};

use super::super::mueller_1992::{LIMIT, expert};
use super::super::yes_no_row::YesNoRow;
use outplay_lab::exactness::{Problem, Sampling};
use outplay_lab::pushover::referee;

/// How the games are played from which problems are drawn.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ProblemSource {
    /// Random plies at the beginning.
    pub(super) random_plies: u32,
    /// The depth of the expert that plays on.
    pub(super) expert_depth: u32,
    /// The chance of each of its moves to be replaced by a random one.
    pub(super) random_share: f64,
}

impl ProblemSource {
    /// Draws this many problems, each from its own game; games without one are skipped.
    pub(super) fn draw(
        &self,
        count: u64,
        seed: u64,
        solution: &PushoverSolution,
    ) -> Vec<Problem<Pushover<4>>> {
        let Self { random_plies, expert_depth, random_share } = *self;
        let sampling = Sampling { random_plies, random_share };
        sampling.draw(&referee::<4>(LIMIT), &mut *expert(expert_depth)(), solution, count, seed)
    }
}

/// The statistics of the problems.
pub(super) fn describe(problems: &[Problem<Pushover<4>>]) -> ProblemSample {
    let share =
        |problem: &Problem<Pushover<4>>| problem.keeping.len() as f64 / problem.position.moves().len() as f64;
    ProblemSample {
        won: YesNoRow(problems.iter().map(|problem| problem.is_won).collect()),
        keeping_share: problems.iter().map(share).sum::<f64>() / problems.len() as f64,
    }
}

/// The statistics of a sample of problems.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ProblemSample {
    /// Which of the positions are won; the others are drawn.
    won: YesNoRow,
    /// The share of legal moves that keep the value, on average.
    pub(super) keeping_share: f64,
}

impl ProblemSample {
    /// All positions.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.won.0.len()).collect()
    }

    /// The won ones.
    pub(super) fn won(&self) -> Vec<usize> {
        self.all().into_iter().filter(|&position| self.won.0[position]).collect()
    }

    /// The drawn ones.
    pub(super) fn drawn(&self) -> Vec<usize> {
        self.all().into_iter().filter(|&position| !self.won.0[position]).collect()
    }
}
