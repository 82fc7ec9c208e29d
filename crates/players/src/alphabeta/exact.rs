//! Exact values by alpha-beta search to the end of the game.
//!
//! For positions near enough to their end, in games in which no position comes back. Nothing is kept of the tree but a
//! transposition table, so positions can be solved whose tree is far too large for
//! [`ReachableSolution`](crate::ReachableSolution). The evaluator only orders the moves: it may leave out moves that are
//! no better than one that it names.
//!
//! A value is found by null-window searches, each of which asks whether it is at least so good: first for results within
//! a few plies, which are cheap to find or to exclude, then further ahead, then whether the position is won or lost at
//! all. Bisection finds the distance. Two positions with the same key would be confused, as in every such table.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use outplay_core::{Evaluator, ForcedResult, Oracle, Position, Score, Value};

use super::search::{MAX_DEPTH, SearchMemory, just_above, just_below};
use super::transposition::BoundKind;
use crate::terminal::terminal_score;

/// Results within this many plies are looked for first; then within twice as many, and so on.
const FIRST_HORIZON: u32 = 4;

/// Beyond this horizon the question is only who wins.
const LAST_HORIZON: u32 = 16;

/// Positions between two readings of the stop flag.
const STEP: u64 = 4096;

/// Exact values of whatever positions it is asked for.
#[derive(Debug)]
pub struct ExactSearch<P: Position, E> {
    memory: Mutex<ExactMemory<P, E>>,
}

/// What is kept from question to question.
#[derive(Debug)]
struct ExactMemory<P: Position, E> {
    evaluator: E,
    search: SearchMemory<P>,
    proven: HashMap<P, Score>,
    nodes: u64,
}

impl<P: Position, E: Evaluator<P>> ExactSearch<P, E> {
    /// A search with a table of this many entries at most, rounded down to a power of two.
    pub fn new(evaluator: E, entries: usize) -> Self {
        let mut search = SearchMemory::new(entries);
        search.table.clear();
        Self { memory: Mutex::new(ExactMemory { evaluator, search, proven: HashMap::new(), nodes: 0 }) }
    }

    /// Proves the value of every move of the position, after which questions about it are answered at once. False if the
    /// search was stopped.
    pub fn prove(&self, position: &P, stop: &AtomicBool) -> bool {
        let mut memory = self.lock();
        position.moves().into_iter().all(|mv| memory.value(&position.after(mv), stop).is_some())
    }

    /// Positions visited by all searches so far.
    pub fn nodes(&self) -> u64 {
        self.lock().nodes
    }

    /// Positions whose exact value was asked for.
    pub fn proven(&self) -> usize {
        self.lock().proven.len()
    }

    fn lock(&self) -> MutexGuard<'_, ExactMemory<P, E>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Position, E: Evaluator<P>> ExactMemory<P, E> {
    /// The score of a position; `None` if the search was stopped.
    fn value(&mut self, position: &P, stop: &AtomicBool) -> Option<Score> {
        if let Some(known) = terminal_score(position).or_else(|| self.proven.get(position).copied()) {
            return Some(known);
        }
        self.evaluator.set_root_seat(position.seat());
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let (mut low, mut high) = (Score::loss_in(1), Score::win_in(1));
        let mut horizon = FIRST_HORIZON;
        while low < high {
            let asked = question(low, high, &mut horizon);
            let mut search = ProofSearch { memory: self, stop, aborted: false };
            let score = search.negamax(position, asked, 0);
            if search.aborted {
                return None;
            }
            if score >= asked { low = score } else { high = score }
        }
        self.proven.insert(position.clone(), low);
        Some(low)
    }
}

/// A score above `low` and not above `high`: whether the position is at least so good is asked next.
fn question(low: Score, high: Score, horizon: &mut u32) -> Score {
    if low > Score::EVEN || high < Score::EVEN {
        return Score::from_value((low.value() + high.value() + 1).div_euclid(2));
    }
    while *horizon <= LAST_HORIZON {
        if high >= Score::win_in(*horizon) {
            return Score::win_in(*horizon);
        }
        if low <= Score::loss_in(*horizon) {
            return just_above(Score::loss_in(*horizon));
        }
        *horizon *= 2;
    }
    if high > Score::EVEN { just_above(Score::EVEN) } else { Score::EVEN }
}

/// One null-window search in progress.
struct ProofSearch<'a, P: Position, E> {
    memory: &'a mut ExactMemory<P, E>,
    stop: &'a AtomicBool,
    aborted: bool,
}

impl<P: Position, E: Evaluator<P>> ProofSearch<'_, P, E> {
    /// A lower bound of the score if that is at least `beta`, otherwise an upper bound. Forced results are counted from
    /// the root; the position is not finished.
    fn negamax(&mut self, position: &P, beta: Score, ply: u32) -> Score {
        let alpha = just_below(beta);
        let (best_possible, worst_possible) = (Score::win_in(ply + 1), Score::loss_in(ply + 1));
        if best_possible < beta {
            return best_possible;
        }
        if worst_possible >= beta {
            return worst_possible;
        }
        let key = position.key();
        let entry = self.memory.search.table.probe(key);
        if let Some(score) = entry.and_then(|entry| entry.cutoff_score(alpha, beta, ply)) {
            return score;
        }
        self.memory.nodes += 1;
        if self.memory.nodes.is_multiple_of(STEP) && self.stop.load(Ordering::Relaxed) {
            self.aborted = true;
        }
        let nodes_before = self.memory.nodes;
        let tt_move = entry.and_then(|entry| entry.mv());
        let (best, best_move) = self.try_moves(position, tt_move, beta, ply);
        if !self.aborted {
            let bound = if best >= beta { BoundKind::Lower } else { BoundKind::Upper };
            // Results that took longer to find are kept longer.
            let effort = (self.memory.nodes - nodes_before + 1).ilog2();
            self.memory.search.table.store(key, best_move, (bound, best), effort, ply);
        }
        best
    }

    /// Tries the moves by priority and history until one reaches `beta`.
    fn try_moves(
        &mut self,
        position: &P,
        tt_move: Option<P::Move>,
        beta: Score,
        ply: u32,
    ) -> (Score, Option<P::Move>) {
        let (seat, depth, near) = (position.seat(), MAX_DEPTH, ply.min(MAX_DEPTH));
        let ExactMemory { evaluator, search, .. } = &mut *self.memory;
        let first = search.moves.len();
        let SearchMemory { moves, ranks, ordering, .. } = &mut *search;
        evaluator.plausible_moves(position, depth, |mv, priority| {
            moves.push(mv);
            let is_tt_move = Some(mv) == tt_move;
            ranks.push(if is_tt_move { i32::MAX } else { priority + ordering.rank(mv, seat, near) });
        });
        let (mut best, mut best_move) = (Score::MIN, None);
        for index in first..self.memory.search.moves.len() {
            let mv = self.memory.search.pick(index);
            let child = position.after(mv);
            debug_assert_ne!(child.seat(), seat, "the seats alternate");
            let score = match terminal_score(&child) {
                Some(end) => -end.delayed(ply + 1),
                None => -self.negamax(&child, -just_below(beta), ply + 1),
            };
            if self.aborted {
                break;
            }
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            if score >= beta {
                let SearchMemory { moves, ordering, .. } = &mut self.memory.search;
                ordering.update_history(mv, &moves[first..index], seat, 8, near);
                break;
            }
        }
        self.memory.search.moves.truncate(first);
        self.memory.search.ranks.truncate(first);
        (best, best_move)
    }
}

impl<P: Position, E: Evaluator<P>> Oracle<P> for ExactSearch<P, E> {
    fn value(&self, position: &P) -> Value {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let score = self.lock().value(position, &NEVER);
        match score.and_then(Score::forced_result) {
            Some(ForcedResult::Win(plies)) => Value::Win(plies),
            Some(ForcedResult::Loss(plies)) => Value::Loss(plies),
            None => Value::Draw,
        }
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
    use crate::testing::{Drop3, wander};
    use crate::{EvenEvaluator, ReachableSolution};

    /// A table far too small for the tree changes nothing.
    #[test]
    fn values_are_those_of_retrograde_analysis() {
        let stop = AtomicBool::new(false);
        let in_little_room = ExactSearch::new(EvenEvaluator, 64);
        let in_much_room = ExactSearch::new(EvenEvaluator, 1 << 16);
        for seed in 0..30 {
            let start = wander(&Drop3::START, 4 + seed as u32 % 8, seed);
            let solution = ReachableSolution::solve(&start, usize::MAX, &|_| (), &stop).unwrap();
            assert_eq!(in_much_room.value(&start), solution.value(&start), "{start:?}");
            assert_eq!(in_much_room.moves(&start), solution.moves(&start), "{start:?}");
            assert_eq!(in_little_room.value(&start), solution.value(&start), "{start:?}");
        }
    }

    #[test]
    fn a_search_can_be_stopped_and_asked_again() {
        let search = ExactSearch::new(EvenEvaluator, 1 << 16);
        assert!(!search.prove(&Drop3::START, &AtomicBool::new(true)));
        assert_eq!(search.nodes(), 0);
        let line = search.principal_variation(&Drop3::START, 40);
        assert_eq!(search.value(&Drop3::START).distance(), Some(line.len() as u32));
    }
}
