//! Exact values of any small game, by retrograde analysis of all positions reachable from a start.
//!
//! It needs nothing but the rules. Games that go through stages are solved in far less memory by
//! [`staged`](crate::staged). Endless play is a draw, and the referee's limits are not part of the values, as for every
//! [`Oracle`].
//!
//! All positions are numbered as they are found, and every move is stored as a pair of numbers. Then values propagate
//! backwards from the terminal positions, by rising distance: a position is won once one of its moves leads to a lost one,
//! and lost once all its moves lead to won ones. What is never decided is a draw.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Oracle, Outcome, Position, Value, errors};

/// The value of every position that play from a start can reach.
pub struct ReachableSolution<P: Position> {
    numbers: HashMap<P, u32>,
    values: Vec<Value>,
}

errors! {
    /// Why a game was not solved.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum ReachableError {
        Stopped = "the solution was stopped" | "la résolution a été arrêtée",
        TooLarge { most_moves: usize } =
            "play can go on by more than {most_moves} moves" | "le jeu peut continuer par plus de {most_moves} coups",
    }
}

/// Positions between two readings of the stop flag, and between two reports of progress.
const STEP: usize = 4096;

impl<P: Position> ReachableSolution<P> {
    /// Solves the game from this position, if all its positions together have at most `most_moves` moves. Each move takes
    /// twelve bytes, and each position its own size. `watch` is told how many positions were found so far.
    pub fn solve(
        start: &P,
        most_moves: usize,
        watch: &dyn Fn(u64),
        stop: &AtomicBool,
    ) -> Result<Self, ReachableError> {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let (mut found, mut ends, mut moves) = (VecDeque::from([start.clone()]), Vec::new(), Vec::new());
        while let Some(position) = found.pop_front() {
            if ends.len() % STEP == 0 {
                watch(numbers.len() as u64);
                if stop.load(Ordering::Relaxed) {
                    return Err(ReachableError::Stopped);
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
                return Err(ReachableError::TooLarge { most_moves });
            }
        }
        Ok(Self { numbers, values: propagate(ends, &moves) })
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// All positions with their values, in no order.
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

/// Propagates the values of terminal positions backwards along the moves.
fn propagate(ends: Vec<Option<Value>>, moves: &[(u32, u32)]) -> Vec<Value> {
    let mut values = ends;
    let mut unanswered = vec![0u32; values.len()];
    for &(from, _) in moves {
        unanswered[from as usize] += 1;
    }
    let predecessors = Predecessors::of(moves, values.len());
    let is_decisive = |value: &Option<Value>| value.is_some_and(|value| value != Value::Draw);
    let mut decided: VecDeque<usize> = (0..values.len()).filter(|&at| is_decisive(&values[at])).collect();
    // First in, first out: distances rise, so the last answer to a loser's moves is the one that takes longest.
    while let Some(at) = decided.pop_front() {
        let value = values[at].map_or(Value::Draw, Value::to_mover);
        for &from in predecessors.to(at) {
            let from = from as usize;
            unanswered[from] -= 1;
            let is_settled = matches!(value, Value::Win(_)) || unanswered[from] == 0;
            if values[from].is_none() && is_settled {
                values[from] = Some(value);
                decided.push_back(from);
            }
        }
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}

/// The predecessors of every position: those of position `i` begin at `first[i]`.
struct Predecessors {
    first: Vec<usize>,
    from: Vec<u32>,
}

impl Predecessors {
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

/// Only for positions reachable from the start.
impl<P: Position> Oracle<P> for ReachableSolution<P> {
    fn value(&self, position: &P) -> Value {
        let number = self.numbers.get(position).expect("only positions that play can reach are asked for");
        self.values[*number as usize]
    }

    fn moves(&self, position: &P) -> Vec<(P::Move, Value)> {
        let valued = |mv| (mv, self.value(&position.after(mv)).to_mover());
        let mut moves: Vec<_> = position.moves().into_iter().map(valued).collect();
        moves.sort_by_key(|&(_, value)| Reverse(value.score()));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tug;

    fn solve(start: &Tug, most: usize) -> Result<ReachableSolution<Tug>, ReachableError> {
        ReachableSolution::solve(start, most, &|_| (), &AtomicBool::new(false))
    }

    /// Every value is the best of its moves' values; these equations have one solution.
    #[test]
    fn values_satisfy_their_equations() {
        let solution = solve(&Tug::at(4), 1000).unwrap();
        for (position, value) in solution.each().filter(|(position, _)| position.outcome().is_none()) {
            assert_eq!(solution.moves(position)[0].1, value, "{position:?}");
        }
    }

    #[test]
    fn what_is_too_large_or_stopped_has_no_solution() {
        assert_eq!(solve(&Tug::at(4), 3).err(), Some(ReachableError::TooLarge { most_moves: 3 }));
        let stopped = ReachableSolution::solve(&Tug::at(4), 1000, &|_| (), &AtomicBool::new(true));
        assert_eq!(stopped.err(), Some(ReachableError::Stopped));
    }
}
