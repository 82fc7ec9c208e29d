//! Exact values of any game, by looking at every position that play from a start can reach.
//!
//! Belongs here: what needs nothing but the rules. Games that go through stages are solved in far less memory by
//! [`staged`](crate::staged).
//!
//! **What is solved.** Positions are one if they are equal. Play without end is a draw, and the referee's limits are no
//! part of the values, as for all [oracles](Oracle).
//!
//! **How.** All positions are numbered as they are found, and every move is kept as a pair of numbers. Then values spread
//! from the ends backwards, by rising distance: a position is won once one of its moves leads to a lost one, lost once all
//! lead to won ones. What is never decided is a draw.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Oracle, Outcome, Position, Value};

/// The value of every position that play from a start can reach.
pub struct Reachable<P: Position> {
    numbers: HashMap<P, u32>,
    values: Vec<Value>,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutOfReach {
    /// Someone asked to stop.
    #[error("the solution was stopped")]
    Stopped,
    /// There are more moves than may be kept.
    #[error("play can go on by more than {0} moves")]
    TooLarge(usize),
}

/// Positions between two looks at the stop flag, which are also the steps of the progress.
const STEP: usize = 4096;

impl<P: Position> Reachable<P> {
    /// Solves the game from this position on, if it has at most so many moves in all its positions together: each takes
    /// twelve bytes, and each position its own size. `watch` hears how many positions were found.
    pub fn solve(
        start: &P,
        most_moves: usize,
        watch: &dyn Fn(u64),
        stop: &AtomicBool,
    ) -> Result<Self, OutOfReach> {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let (mut found, mut ends, mut moves) = (VecDeque::from([start.clone()]), Vec::new(), Vec::new());
        while let Some(position) = found.pop_front() {
            if ends.len() % STEP == 0 {
                watch(numbers.len() as u64);
                if stop.load(Ordering::Relaxed) {
                    return Err(OutOfReach::Stopped);
                }
            }
            let from = ends.len() as u32;
            ends.push(end_of(&position));
            for mv in position.moves() {
                let (after, next) = (position.after(mv), numbers.len() as u32);
                let to = *numbers.entry(after).or_insert_with_key(|after| {
                    found.push_back(after.clone());
                    next
                });
                moves.push((from, to));
            }
            if moves.len() > most_moves {
                return Err(OutOfReach::TooLarge(most_moves));
            }
        }
        Ok(Self { numbers, values: spread(ends, &moves) })
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// All of them with their values, in no order.
    pub fn each(&self) -> impl Iterator<Item = (&P, Value)> {
        self.numbers.iter().map(|(position, &number)| (position, self.values[number as usize]))
    }
}

/// The value of a finished position.
fn end_of<P: Position>(position: &P) -> Option<Value> {
    Some(match position.outcome()? {
        Outcome::Win(winner) if winner == position.seat() => Value::Win(0),
        Outcome::Win(_) => Value::Loss(0),
        Outcome::Draw => Value::Draw,
    })
}

/// The values that follow from the ends along the moves.
fn spread(ends: Vec<Option<Value>>, moves: &[(u32, u32)]) -> Vec<Value> {
    let mut values = ends;
    let mut unanswered = vec![0u32; values.len()];
    for &(from, _) in moves {
        unanswered[from as usize] += 1;
    }
    let before = Before::of(moves, values.len());
    let is_decisive = |value: &Option<Value>| value.is_some_and(|value| value != Value::Draw);
    let mut decided: VecDeque<usize> = (0..values.len()).filter(|&at| is_decisive(&values[at])).collect();
    // First in, first out: distances rise, so the last answer to a loser's moves is the one that takes longest.
    while let Some(at) = decided.pop_front() {
        let worth = values[at].map_or(Value::Draw, Value::to_mover);
        for &from in before.to(at) {
            let from = from as usize;
            unanswered[from] -= 1;
            let is_settled = matches!(worth, Value::Win(_)) || unanswered[from] == 0;
            if values[from].is_none() && is_settled {
                values[from] = Some(worth);
                decided.push_back(from);
            }
        }
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}

/// From where each position is reached: those of position `i` stand from `first[i]` on.
struct Before {
    first: Vec<usize>,
    from: Vec<u32>,
}

impl Before {
    fn of(moves: &[(u32, u32)], positions: usize) -> Self {
        let mut first = vec![0; positions + 1];
        for &(_, to) in moves {
            first[to as usize + 1] += 1;
        }
        for at in 0..positions {
            first[at + 1] += first[at];
        }
        let (mut next, mut from) = (first.clone(), vec![0; moves.len()]);
        for &(before, to) in moves {
            from[next[to as usize]] = before;
            next[to as usize] += 1;
        }
        Self { first, from }
    }

    fn to(&self, at: usize) -> &[u32] {
        &self.from[self.first[at]..self.first[at + 1]]
    }
}

/// Said only of positions that play can reach.
impl<P: Position> Oracle<P> for Reachable<P> {
    fn value(&self, position: &P) -> Value {
        let number = self.numbers.get(position).expect("only positions that play can reach are asked for");
        self.values[*number as usize]
    }

    fn moves(&self, position: &P) -> Vec<(P::Move, Value)> {
        let worth = |mv| (mv, self.value(&position.after(mv)).to_mover());
        let mut moves: Vec<_> = position.moves().into_iter().map(worth).collect();
        moves.sort_by_key(|&(_, value)| Reverse(value.score()));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tug;

    fn solve(start: &Tug, most: usize) -> Result<Reachable<Tug>, OutOfReach> {
        Reachable::solve(start, most, &|_| (), &AtomicBool::new(false))
    }

    /// A value is the best of what the moves lead to; only one table is so.
    #[test]
    fn values_satisfy_their_equations() {
        let solution = solve(&Tug::at(4), 1000).unwrap();
        for (position, value) in solution.each().filter(|(position, _)| position.outcome().is_none()) {
            assert_eq!(solution.moves(position)[0].1, value, "{position:?}");
        }
    }

    #[test]
    fn what_is_too_large_or_stopped_has_no_solution() {
        assert_eq!(solve(&Tug::at(4), 3).err(), Some(OutOfReach::TooLarge(3)));
        let stopped = Reachable::solve(&Tug::at(4), 1000, &|_| (), &AtomicBool::new(true));
        assert_eq!(stopped.err(), Some(OutOfReach::Stopped));
    }
}
