//! How often a player keeps the exact value of the game: a measure that needs no opponent.
//!
//! A *problem* is a position in which some moves keep the value and some do not; a position that is lost, or in which
//! all moves are equally good, is none. The measure of a player is the share of problems in which its move keeps the
//! value, sooner or later: a won position stays won, a drawn one drawn.
//!
//! The same seed gives the same problems, asked in the same way, on any number of threads.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::{Game, Oracle, Player, Position, Rng, Turn, Value};
use outplay_players::Perfect;
use rayon::prelude::*;
use serde_json::json;

use crate::registry::PlayerFactory;
use outplay_arena::stats::{Interval, wilson};
use outplay_runtime::Watch;

/// A position in which some moves keep the value and some do not.
#[derive(Clone, Debug)]
pub struct Problem<P: Position> {
    /// The position.
    pub position: P,
    /// Whether the value is a win; otherwise it is a draw.
    pub is_won: bool,
    /// The moves that keep it.
    pub keeping: Vec<P::Move>,
}

impl<P: Position> Problem<P> {
    /// The problem that a position poses, if it poses one.
    pub fn of(position: &P, oracle: &(impl Oracle<P> + ?Sized)) -> Option<Self> {
        let moves = oracle.moves(position);
        let value = moves.first()?.1;
        let keeping: Vec<P::Move> =
            moves.iter().filter(|(_, after)| after.agrees(value)).map(|&(mv, _)| mv).collect();
        let can_be_lost = keeping.len() < moves.len();
        let is_won = matches!(value, Value::Win(_));
        can_be_lost.then(|| Self { position: position.clone(), is_won, keeping })
    }
}

/// How the games are played from which problems are drawn: one from each game, among those after the opening.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Random plies at the beginning.
    pub random_plies: u32,
    /// The chance of each later move to be a random one.
    pub random_share: f64,
}

/// Games for each problem that is wanted before one gives up: some boards pose none.
const PATIENCE: u64 = 1000;

impl Sampling {
    /// This many problems from games of a player against itself, each from its own game; games without one are passed
    /// over. Fewer where the game hardly poses any.
    pub fn draw<G: Game<View = P>, P: Position>(
        &self,
        game: &G,
        player: &mut dyn Player<P>,
        oracle: &(impl Oracle<P> + ?Sized),
        count: u64,
        seed: u64,
    ) -> Vec<Problem<P>> {
        let games = 0..count.saturating_mul(PATIENCE);
        let problems = games.filter_map(|i| self.try_game(game, player, oracle, Rng::stream(seed, i)));
        problems.take(count as usize).collect()
    }

    fn try_game<G: Game<View = P>, P: Position>(
        &self,
        game: &G,
        player: &mut dyn Player<P>,
        oracle: &(impl Oracle<P> + ?Sized),
        mut rng: Rng,
    ) -> Option<Problem<P>> {
        let (mut scratch, mut problems) = (Vec::new(), Vec::new());
        let mut state = game.start(&mut rng);
        while game.outcome(&state).is_none() {
            let view = game.view(&state);
            let in_opening = game.past(&state).len() < self.random_plies as usize;
            if !in_opening {
                problems.extend(Problem::of(view, oracle));
            }
            let mv = if in_opening || rng.unit() < self.random_share {
                view.random_move(&mut rng, &mut scratch)
            } else {
                player.choose(view, &mut Turn::new(&mut rng))
            };
            game.play(&mut state, mv);
        }
        (!problems.is_empty()).then(|| problems.swap_remove(rng.below(problems.len())))
    }
}

/// Asks a player in every problem, each with a fresh game and its own generator, on the present threads; says in which of
/// them it kept the value.
pub fn ask<P: Position>(
    make: &PlayerFactory<P>,
    problems: &[Problem<P>],
    seed: u64,
    watch: Watch<'_>,
) -> Result<Vec<bool>, WorkError> {
    let answer = |player: &mut Box<dyn Player<P>>, (index, problem): (usize, &Problem<P>)| {
        if watch.is_stopped() {
            return None;
        }
        player.new_game(problem.position.seat());
        let mut rng = Rng::stream(seed, index as u64);
        let mut turn = Turn::new(&mut rng).stoppable(watch.stop_flag());
        Some(problem.keeping.contains(&player.choose(&problem.position, &mut turn)))
    };
    let kept: Option<_> = problems.par_iter().enumerate().map_init(|| make(), answer).collect();
    // A move chosen after the flag was raised may be a hasty one.
    kept.filter(|_| !watch.is_stopped()).ok_or(WorkError::Stopped)
}

/// Problems of one game, made once and put to many players, such as a learner after every step of its training.
#[derive(Clone, Debug)]
pub struct Exam<P: Position> {
    problems: Vec<Problem<P>>,
}

/// The result of an exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExamResult {
    /// Values kept.
    pub kept: u64,
    /// Problems.
    pub of: u64,
}

impl<P: Position> Exam<P> {
    /// This many problems from games of perfect play in which every other move is a random one, so that positions of all
    /// kinds occur and few of them are absurd.
    pub fn set<G: Game<View = P>, O: Oracle<P> + ?Sized>(
        game: &G,
        oracle: &Arc<O>,
        problems: u64,
        seed: u64,
    ) -> Self {
        let sampling = Sampling { random_plies: 0, random_share: 0.5 };
        let mut perfect = Perfect::new(Arc::clone(oracle));
        Self { problems: sampling.draw(game, &mut perfect, &**oracle, problems, seed) }
    }

    /// The problems.
    pub fn problems(&self) -> &[Problem<P>] {
        &self.problems
    }

    /// Puts the exam to a player.
    pub fn take(
        &self,
        player: &PlayerFactory<P>,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<ExamResult, WorkError> {
        let kept = ask(player, &self.problems, seed, watch)?;
        Ok(ExamResult { kept: kept.iter().filter(|kept| **kept).count() as u64, of: kept.len() as u64 })
    }

    /// The share of problems that a random move solves, on average.
    pub fn by_chance(&self) -> f64 {
        let share =
            |problem: &Problem<P>| problem.keeping.len() as f64 / problem.position.move_count() as f64;
        self.problems.iter().map(share).sum::<f64>() / self.problems.len().max(1) as f64
    }
}

impl ExamResult {
    /// The share of values kept.
    pub fn share(&self) -> f64 {
        self.kept as f64 / self.of.max(1) as f64
    }

    /// Its 95% interval.
    pub fn interval(&self) -> Interval {
        wilson(self.kept, self.of)
    }

    /// The record of an exam.
    pub fn record(&self) -> serde_json::Value {
        let Interval { low, high } = self.interval();
        json!({ "problems": self.of, "kept": self.kept, "share": self.share(), "share_low": low, "share_high": high })
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Oracle;
    use outplay_games::quoridor::SmallQuoridor;
    use outplay_players::Random;

    use super::*;
    use crate::quoridor::{exact, referee};
    use crate::store::Store;
    use outplay_runtime::on_threads;

    fn exam(
        problems: u64,
    ) -> (Exam<SmallQuoridor>, Arc<outplay_players::staged::StagedSolution<SmallQuoridor>>) {
        let folder = tempfile::tempdir().unwrap();
        let game = referee(SmallQuoridor::start(5, 1).unwrap(), None);
        let solution = exact::solution(&game.start, &Store::at(folder.path()), Watch::nobody()).unwrap();
        (Exam::set(&game, &solution, problems, 7), solution)
    }

    #[test]
    fn perfect_play_keeps_everything_and_chance_its_share() {
        let (exam, solution) = exam(400);
        for problem in exam.problems() {
            let moves = solution.moves(&problem.position);
            let value = solution.value(&problem.position);
            assert!(!matches!(value, Value::Loss(_)), "what is lost cannot be lost again");
            assert_eq!(problem.is_won, matches!(value, Value::Win(_)));
            let keeps = |mv| moves.iter().any(|&(other, after)| other == mv && after.agrees(value));
            assert!(problem.keeping.iter().all(|&mv| keeps(mv)) && problem.keeping.len() < moves.len());
        }
        let perfect: PlayerFactory<SmallQuoridor> =
            Arc::new(move || Box::new(Perfect::new(Arc::clone(&solution))));
        let best = exam.take(&perfect, 1, Watch::nobody()).unwrap();
        assert_eq!((best.kept, best.of), (400, 400));
        let random: PlayerFactory<SmallQuoridor> = Arc::new(|| Box::new(Random));
        let chance = exam.take(&random, 1, Watch::nobody()).unwrap();
        assert!(chance.interval().contains(exam.by_chance()), "{chance:?}, {}", exam.by_chance());
    }

    #[test]
    fn threads_change_nothing() {
        let (exam, _) = exam(60);
        let random: PlayerFactory<SmallQuoridor> = Arc::new(|| Box::new(Random));
        let on = |threads| {
            on_threads(Some(threads), || ask(&random, exam.problems(), 3, Watch::nobody())).unwrap()
        };
        assert_eq!(on(1), on(2));
    }
}
