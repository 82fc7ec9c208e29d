//! The positions that players are asked: where they come from, and what they are like.

use outplay_core::View;
use outplay_games::pushover::Pushover;
use outplay_games::pushover::solver::PushoverSolution;
use serde::{Deserialize, Serialize};

use super::super::marks::Marks;
use super::super::mueller_1992::{LIMIT, expert};
use outplay_lab::exactness::{Problem, Sampling};
use outplay_lab::pushover::referee;

/// How the games are played from which problems are drawn.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Source {
    /// Random plies at the beginning.
    pub(super) random_plies: u32,
    /// Levels of the expert who plays on.
    pub(super) expert_depth: u32,
    /// The chance of each of its moves to be replaced by a random one.
    pub(super) random_share: f64,
}

impl Source {
    /// So many problems, each from its own game; games without one are passed over.
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

/// What the problems are like.
pub(super) fn describe(problems: &[Problem<Pushover<4>>]) -> Sample {
    let share =
        |problem: &Problem<Pushover<4>>| problem.keeping.len() as f64 / problem.position.moves().len() as f64;
    Sample {
        won: Marks(problems.iter().map(|problem| problem.is_won).collect()),
        keeping_share: problems.iter().map(share).sum::<f64>() / problems.len() as f64,
    }
}

/// What a sample of problems is like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Which of the positions are won; the others are drawn.
    won: Marks,
    /// The share of legal moves that keep the value, on average.
    pub(super) keeping_share: f64,
}

impl Sample {
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
