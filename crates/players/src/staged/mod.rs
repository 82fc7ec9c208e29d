//! Exact solutions of games that go through stages ([`StagedPosition`]) and are small enough to visit every position.
//!
//! **What is solved.** Every position of every stage that play from the start may reach, one byte each, with symmetric
//! stages stored once. Endless play is a draw: a position is drawn if neither side can force a win. The referee's limits
//! (length, repetition) are not part of the values. Repetition takes no win away, since the winner comes nearer with every
//! move; only a win that is farther away than the limit of length is lost.
//!
//! **Why the order works.** A move stays in its stage or goes to a lower one, so stages are solved from the lowest up;
//! those of one height are independent and are solved in parallel, with the same result on any number of threads.
//!
//! **Why the solution is correct.** The equations: a position's value is the best of its moves' values; a move's value is
//! the negated value of the position it leads to, one ply farther. A player who follows values that satisfy them wins in as
//! many plies as they say; and what is truly won in n plies they call won in at most n, by induction on n. So the equations
//! have one solution, and [`StagedSolution::violations`] = 0 proves the table, however it was made.

mod check;
mod counts;
mod file;
mod packed_value;
mod retrograde;
mod stage_index;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_core::{Oracle, Outcome, StagedPosition, Value, errors};
use rayon::prelude::*;

use self::packed_value::PackedValue;
use self::retrograde::StageSolver;
use self::stage_index::StageIndex;

pub use self::counts::{LongestForcedWin, ValueCounts};
pub use self::file::StagedFileError;

/// The value of every position of every stage that play from a start may reach.
#[derive(Clone, PartialEq, Eq)]
pub struct StagedSolution<P: StagedPosition> {
    stage_index: StageIndex<P::Stage>,
    /// By stage, then place.
    values: Vec<PackedValue>,
}

errors! {
    /// Why a game was not solved.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum StagedSolveError {
        Stopped = "the solution was stopped" | "la résolution a été arrêtée",
        TooFar { farthest: usize } =
            "a win takes more than {farthest} plies, which a table of one byte a position cannot hold"
            | "un gain prend plus de {farthest} coups, ce qu’une table d’un octet par position ne peut contenir",
    }
}

impl<P: StagedPosition> StagedSolution<P> {
    /// Solves the game from this position, on all of rayon's threads. `watch` is told how many stages of how many are
    /// done, from several threads and not always in order.
    pub fn solve(
        start: &P,
        watch: &(dyn Fn(u64, u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Self, StagedSolveError> {
        let stage_index = StageIndex::survey::<P>(start.stage(), stop).ok_or(StagedSolveError::Stopped)?;
        let (done, total, places) =
            (AtomicU64::new(0), stage_index.stages().len() as u64, stage_index.places);
        let mut values = vec![PackedValue::NONE; stage_index.len()];
        for (first, level) in stage_index.levels() {
            let (below, rest) = values.split_at_mut(first * places);
            let stages = level.par_iter().zip(rest.par_chunks_mut(places));
            stages.try_for_each_init(StageSolver::<P>::new, |solver, (indexed, values)| {
                if stop.load(Ordering::Relaxed) {
                    return Err(StagedSolveError::Stopped);
                }
                if !solver.solve(&stage_index, indexed.stage, below, values) {
                    return Err(StagedSolveError::TooFar { farthest: PackedValue::FARTHEST });
                }
                watch(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                Ok(())
            })?;
        }
        Ok(Self { stage_index, values })
    }

    /// Whether the position is part of the solution.
    pub fn covers(&self, position: &P) -> bool {
        self.stage_index.find::<P>(P::canonical(position.stage()).0).is_some()
    }

    /// The number of stages stored, symmetric ones counted once.
    pub fn stages(&self) -> usize {
        self.stage_index.stages().len()
    }

    /// The size of the table in bytes.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    fn packed_value(&self, position: &P) -> PackedValue {
        let (stage, symmetry) = P::canonical(position.stage());
        let number =
            self.stage_index.find::<P>(stage).expect("only positions that the solution covers are asked for");
        self.values[number * self.stage_index.places + position.place(symmetry)]
    }
}

/// Only for positions that the solution [`covers`](StagedSolution::covers).
impl<P: StagedPosition> Oracle<P> for StagedSolution<P> {
    fn value(&self, position: &P) -> Value {
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == position.seat() => Value::Win(0),
            Some(Outcome::Win(_)) => Value::Loss(0),
            Some(Outcome::Draw) => Value::Draw,
            None => self.packed_value(position).value(),
        }
    }

    fn moves(&self, position: &P) -> Vec<(P::Move, Value)> {
        let valued = |mv| (mv, self.value(&position.after(mv)).to_mover());
        let mut moves: Vec<_> = position.moves().into_iter().map(valued).collect();
        moves.sort_by_key(|&(_, value)| Reverse(value.score()));
        moves
    }
}

impl<P: StagedPosition> std::fmt::Debug for StagedSolution<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StagedSolution").field("start", &self.stage_index.start).finish_non_exhaustive()
    }
}
