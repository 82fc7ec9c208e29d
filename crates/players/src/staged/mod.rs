//! Exact solutions of games that go through stages ([`Staged`]), small enough to look at every position.
//!
//! Belongs here: the survey of stages (`atlas`), the solution of one stage (`retrograde`), the questions one can ask,
//! the check, the census and the file. Does not belong here: any game, the terminal, paths of files.
//!
//! **What is solved.** Every position of every stage that play from the start may reach, one byte each, images under
//! symmetries kept once. Play without end is a draw: a position is drawn if neither side can force a win. The referee's
//! limits (length, repetition) are no part of it. They take no win away, since the winner comes nearer with every move:
//! only a win that is farther away than the limit of length is lost.
//!
//! **Why the order works.** A move stays in its stage or goes to a lower one, so stages are solved from the lowest
//! up; those of one height do not see each other and are solved in parallel, to the same bytes on any number
//! of threads.
//!
//! **Why the answer is the truth.** The equations: a position's value is the best of its moves; a move is worth the
//! negated value of the position it leads to, one ply farther. Whoever follows values that satisfy them wins in as many
//! plies as they say; and what is truly won in n plies they call won in at most n, by induction on n. So there is one
//! solution of the equations, and [`Solution::violations`] = 0 proves the table, however it was made.

mod atlas;
mod census;
mod check;
mod file;
mod grade;
mod retrograde;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_core::{Oracle, Outcome, Staged, Value};
use rayon::prelude::*;

use self::atlas::Atlas;
use self::grade::Grade;
use self::retrograde::Workshop;

pub use self::census::{Census, Longest};
pub use self::file::SolutionError;

/// The value of every position that may follow a start, and of those beside it.
#[derive(Clone, PartialEq, Eq)]
pub struct Solution<P: Staged> {
    atlas: Atlas<P::Stage>,
    /// By stage, then place.
    grades: Vec<Grade>,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// Someone asked to stop.
    #[error("the solution was stopped")]
    Stopped,
    /// A distance does not fit a byte.
    #[error(
        "a win takes more than {} plies, which a table of one byte a position cannot hold",
        Grade::FARTHEST
    )]
    TooFar,
}

impl<P: Staged> Solution<P> {
    /// Solves the game from this position on, on all of rayon's threads. `watch` hears how many stages are done of how
    /// many, from several threads and not always in order.
    pub fn solve(start: &P, watch: &(dyn Fn(u64, u64) + Sync), stop: &AtomicBool) -> Result<Self, Unsolved> {
        let atlas = Atlas::survey::<P>(start.stage(), stop).ok_or(Unsolved::Stopped)?;
        let (done, total, places) = (AtomicU64::new(0), atlas.stages().len() as u64, atlas.places);
        let mut grades = vec![Grade::NONE; atlas.len()];
        for (first, level) in atlas.levels() {
            let (below, rest) = grades.split_at_mut(first * places);
            let stages = level.par_iter().zip(rest.par_chunks_mut(places));
            stages.try_for_each_init(Workshop::<P>::new, |workshop, (known, grades)| {
                if stop.load(Ordering::Relaxed) {
                    return Err(Unsolved::Stopped);
                }
                if !workshop.solve(&atlas, known.stage, below, grades) {
                    return Err(Unsolved::TooFar);
                }
                watch(done.fetch_add(1, Ordering::Relaxed) + 1, total);
                Ok(())
            })?;
        }
        Ok(Self { atlas, grades })
    }

    /// Whether the position is one of those that were solved.
    pub fn covers(&self, position: &P) -> bool {
        self.atlas.find::<P>(P::represent(position.stage()).0).is_some()
    }

    /// How many stages the solution keeps, images counted once.
    pub fn stages(&self) -> usize {
        self.atlas.stages().len()
    }

    /// The size of the table in bytes.
    pub fn size(&self) -> usize {
        self.grades.len()
    }

    fn grade(&self, position: &P) -> Grade {
        let (stage, symmetry) = P::represent(position.stage());
        let number =
            self.atlas.find::<P>(stage).expect("only positions that the solution covers are asked for");
        self.grades[number * self.atlas.places + position.place(symmetry)]
    }
}

/// Said only of positions that the solution [`covers`](Solution::covers).
impl<P: Staged> Oracle<P> for Solution<P> {
    fn value(&self, position: &P) -> Value {
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == position.seat() => Value::Win(0),
            Some(Outcome::Win(_)) => Value::Loss(0),
            Some(Outcome::Draw) => Value::Draw,
            None => self.grade(position).value(),
        }
    }

    fn moves(&self, position: &P) -> Vec<(P::Move, Value)> {
        let worth = |mv| (mv, self.value(&position.after(mv)).to_mover());
        let mut moves: Vec<_> = position.moves().into_iter().map(worth).collect();
        moves.sort_by_key(|&(_, value)| Reverse(value.score()));
        moves
    }
}

impl<P: Staged> std::fmt::Debug for Solution<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solution").field("start", &self.atlas.start).finish_non_exhaustive()
    }
}
