//! Positions whose value can be lost, and who keeps it.

use outplay_core::{Game, Oracle, Player, Rng, Turn, Value, View};
use outplay_games::pushover::solver::Solution;
use outplay_games::pushover::{Entry, Pushover};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::mueller_1992::{LIMIT, expert};
use super::marks::Marks;
use crate::artefact::Conditions;
use crate::error::LabError;
use crate::pushover::referee;
use crate::registry::Factory;

/// A position in which some moves keep the value and some do not.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    position: Pushover<4>,
    /// Whether the value is a win; otherwise it is a draw.
    is_won: bool,
    /// The moves that keep it.
    keeping: Vec<Entry>,
}

impl Problem {
    /// The problem that a position poses, if it poses one.
    fn of(position: &Pushover<4>, solution: &Solution) -> Option<Self> {
        let moves = solution.moves(position);
        let value = kind(moves.first()?.1);
        let keeping: Vec<Entry> =
            moves.iter().filter(|(_, after)| kind(*after) == value).map(|&(entry, _)| entry).collect();
        let can_be_lost = keeping.len() < moves.len();
        can_be_lost.then(|| Self { position: *position, is_won: value == Kind::Win, keeping })
    }
}

/// A value without its distance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Win,
    Draw,
    Loss,
}

const fn kind(value: Value) -> Kind {
    match value {
        Value::Win(_) => Kind::Win,
        Value::Draw => Kind::Draw,
        Value::Loss(_) => Kind::Loss,
    }
}

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
    pub(super) fn draw(&self, count: u64, seed: u64, solution: &Solution) -> Vec<Problem> {
        let mut player = expert(self.expert_depth)();
        let problems =
            (0..).filter_map(|game| self.try_game(&mut *player, Rng::stream(seed, game), solution));
        problems.take(count as usize).collect()
    }

    fn try_game(
        &self,
        player: &mut dyn Player<Pushover<4>>,
        mut rng: Rng,
        solution: &Solution,
    ) -> Option<Problem> {
        let (game, mut scratch, mut problems) = (referee::<4>(LIMIT), Vec::new(), Vec::new());
        let mut state = game.start(&mut rng);
        while game.outcome(&state).is_none() {
            let in_opening = state.past.len() < self.random_plies as usize;
            if !in_opening {
                problems.extend(Problem::of(&state.now, solution));
            }
            let mv = if in_opening || rng.unit() < self.random_share {
                state.now.random_move(&mut rng, &mut scratch)
            } else {
                player.choose(&state.now, &mut Turn::new(&mut rng))
            };
            game.play(&mut state, mv);
        }
        (!problems.is_empty()).then(|| problems.swap_remove(rng.below(problems.len())))
    }
}

/// Asks a player in every problem, each with a fresh game and its own generator, on the conditions' threads; says in
/// which of them it kept the value.
pub(super) fn ask(
    make: &Factory<Pushover<4>>,
    problems: &[Problem],
    seed: u64,
    conditions: &Conditions<'_>,
) -> Result<Marks, LabError> {
    let stop = conditions.watch.stop_flag();
    let answer = |player: &mut Box<dyn Player<Pushover<4>>>, (index, problem): (usize, &Problem)| {
        if conditions.watch.is_stopped() {
            return None;
        }
        player.new_game(problem.position.seat());
        let mut rng = Rng::stream(seed, index as u64);
        Some(player.choose(&problem.position, &mut Turn::new(&mut rng).stoppable(stop)))
    };
    let answers: Vec<Entry> = conditions.on_threads(|| {
        let answers: Option<_> = problems.par_iter().enumerate().map_init(|| make(), answer).collect();
        // A move chosen after the flag was raised may be a hasty one.
        answers.filter(|_| !conditions.watch.is_stopped()).ok_or(LabError::Stopped)
    })?;
    let kept = problems.iter().zip(answers).map(|(problem, chosen)| problem.keeping.contains(&chosen));
    Ok(Marks(kept.collect()))
}

/// What the problems are like.
pub(super) fn describe(problems: &[Problem]) -> Sample {
    let share = |problem: &Problem| problem.keeping.len() as f64 / problem.position.moves().len() as f64;
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
