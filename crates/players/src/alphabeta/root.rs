//! The root of the search: every move of the position to be decided, iteration by iteration.
//!
//! Law: the moves stand best first; equals keep the order they had, at first that of their promise, then that of the
//! rules. So between
//! equal moves the choice is fixed by the position and what was searched, and no chance enters.

use std::cmp::Reverse;

use outplay_core::{Candidate, Evaluator, Forecast, Position, Score, Thought};

use super::search::{MAX_DEPTH, Search, just_above};

/// One move of the root, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its worth to the player, exact at the depth `known_at` (0: never).
    score: Score,
    known_at: u32,
    /// The expected continuation, beginning with the move.
    line: Vec<M>,
    /// Positions visited below it.
    nodes: u64,
}

/// All moves of the root.
#[derive(Clone, Debug)]
pub(super) struct Root<M> {
    pub(super) moves: Vec<RootMove<M>>,
    /// How many of the best moves get exact scores.
    candidates: usize,
}

impl<M: Copy> Root<M> {
    /// The moves that the evaluator considers, the most promising first.
    pub(super) fn new<P, E>(position: &P, evaluator: &mut E, candidates: usize) -> Self
    where
        P: Position<Move = M>,
        E: Evaluator<P>,
    {
        let mut moves = Vec::new();
        evaluator.consider(position, MAX_DEPTH, |mv, promise| moves.push((promise, mv)));
        moves.sort_by_key(|&(promise, _)| Reverse(promise));
        let unknown = |(_, mv)| RootMove { mv, score: Score::MIN, known_at: 0, line: Vec::new(), nodes: 0 };
        Self { moves: moves.into_iter().map(unknown).collect(), candidates }
    }

    /// Searches every move to the search's depth, or until the search is abandoned, and sorts them.
    pub(super) fn iterate<P, E>(&mut self, position: &P, search: &mut Search<'_, P, E>)
    where
        P: Position<Move = M>,
        E: Evaluator<P>,
    {
        search.verdicts.enter(position);
        for index in 0..self.moves.len() {
            let bound = self.bound(search.depth);
            let nodes_before = search.clock.nodes();
            let root_move = &mut self.moves[index];
            let score = weigh(&position.after(root_move.mv), bound, search);
            root_move.nodes += search.clock.nodes() - nodes_before;
            if search.abandoned {
                break;
            }
            if score > bound {
                root_move.score = score;
                root_move.known_at = search.depth;
                root_move.line.clear();
                root_move.line.push(root_move.mv);
                root_move.line.extend_from_slice(&search.memory.lines[1]);
            }
        }
        search.verdicts.leave();
        let depth = search.depth;
        self.moves.sort_by_key(|root_move| Reverse((root_move.known_at == depth).then_some(root_move.score)));
    }

    /// What a move must exceed to be among the candidates.
    fn bound(&self, depth: u32) -> Score {
        let mut known: Vec<Score> =
            self.moves.iter().filter(|mv| mv.known_at == depth).map(|mv| mv.score).collect();
        known.sort_unstable_by_key(|&score| Reverse(score));
        known.get(self.candidates - 1).copied().unwrap_or(Score::MIN)
    }

    /// Whether any move was finished at this depth, so that the order says something about it.
    pub(super) fn knows(&self, depth: u32) -> bool {
        self.moves[0].known_at == depth
    }

    /// Whether a deeper search cannot change the worth of the best move.
    pub(super) fn is_settled(&self, depth: u32) -> bool {
        match self.moves[0].score.forecast() {
            Some(Forecast::Win(plies) | Forecast::Loss(plies)) => plies <= depth,
            None => false,
        }
    }

    /// The moves whose worth is known exactly at this depth; the others are only known not to be better.
    pub(super) fn thought<P: Position<Move = M>, E>(&self, search: &Search<'_, P, E>) -> Thought<M> {
        let all_nodes = self.moves.iter().map(|root_move| root_move.nodes).sum::<u64>().max(1) as f64;
        let known = self.moves.iter().filter(|root_move| root_move.known_at == search.depth);
        let candidate = |root_move: &RootMove<M>| {
            let RootMove { mv, score, nodes, ref line, .. } = *root_move;
            Candidate::scored(mv, score, nodes as f64 / all_nodes, line.clone())
        };
        Thought {
            candidates: known.map(candidate).collect(),
            depth: search.depth,
            nodes: search.clock.nodes(),
            elapsed: search.clock.elapsed(),
        }
    }
}

/// The worth to the player of moving to `child`: exact if above `bound`, otherwise at most `bound`.
fn weigh<P: Position, E: Evaluator<P>>(child: &P, bound: Score, search: &mut Search<'_, P, E>) -> Score {
    let depth = search.depth - 1;
    if let Some(score) = search.arrive(child, depth, 1) {
        search.memory.lines[1].clear();
        return -score;
    }
    if bound > Score::MIN {
        let score = -search.explore(child, -just_above(bound), -bound, depth, 1);
        if score <= bound || search.abandoned {
            return score;
        }
    }
    -search.explore(child, Score::MIN, -bound, depth, 1)
}
