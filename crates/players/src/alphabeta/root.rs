//! The root of the search: all root moves, iteration by iteration.
//!
//! Invariant: the moves are sorted best first; equal moves keep their order, at first that of their priority, then
//! that of the game. So the choice between equal moves is fixed by the position and the search, without randomness.

use std::cmp::Reverse;

use outplay_core::{Candidate, Evaluator, ForcedResult, Position, Score, Thought};

use super::search::{AlphaBetaSearch, MAX_DEPTH, just_above};

/// One move of the root, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its score for the player to move, exact at the depth `known_at` (0: never).
    score: Score,
    known_at: u32,
    /// The principal variation, beginning with the move.
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
    /// The plausible moves, those of highest priority first.
    pub(super) fn new<P, E>(position: &P, evaluator: &mut E, candidates: usize) -> Self
    where
        P: Position<Move = M>,
        E: Evaluator<P>,
    {
        let mut moves = Vec::new();
        evaluator.plausible_moves(position, MAX_DEPTH, |mv, priority| moves.push((priority, mv)));
        moves.sort_by_key(|&(priority, _)| Reverse(priority));
        let unknown = |(_, mv)| RootMove { mv, score: Score::MIN, known_at: 0, line: Vec::new(), nodes: 0 };
        Self { moves: moves.into_iter().map(unknown).collect(), candidates }
    }

    /// Searches every move to the search's depth, or until the search is aborted, and sorts them.
    pub(super) fn iterate<P, E>(&mut self, position: &P, search: &mut AlphaBetaSearch<'_, P, E>)
    where
        P: Position<Move = M>,
        E: Evaluator<P>,
    {
        search.terminal_rules.enter(position);
        for index in 0..self.moves.len() {
            let bound = self.bound(search.depth);
            let nodes_before = search.clock.nodes();
            let root_move = &mut self.moves[index];
            let score = search_root_move(&position.after(root_move.mv), bound, search);
            root_move.nodes += search.clock.nodes() - nodes_before;
            if search.aborted {
                break;
            }
            if score > bound {
                root_move.score = score;
                root_move.known_at = search.depth;
                root_move.line.clear();
                root_move.line.push(root_move.mv);
                root_move.line.extend_from_slice(&search.memory.pv_lines[1]);
            }
        }
        search.terminal_rules.leave();
        let depth = search.depth;
        self.moves.sort_by_key(|root_move| Reverse((root_move.known_at == depth).then_some(root_move.score)));
    }

    /// The score that a move must exceed to be among the candidates.
    fn bound(&self, depth: u32) -> Score {
        let mut known: Vec<Score> =
            self.moves.iter().filter(|mv| mv.known_at == depth).map(|mv| mv.score).collect();
        known.sort_unstable_by_key(|&score| Reverse(score));
        known.get(self.candidates - 1).copied().unwrap_or(Score::MIN)
    }

    /// Whether any move was finished at this depth, so that the order reflects it.
    pub(super) fn knows(&self, depth: u32) -> bool {
        self.moves[0].known_at == depth
    }

    /// Whether a deeper search cannot change the score of the best move.
    pub(super) fn is_settled(&self, depth: u32) -> bool {
        match self.moves[0].score.forced_result() {
            Some(ForcedResult::Win(plies) | ForcedResult::Loss(plies)) => plies <= depth,
            None => false,
        }
    }

    /// The moves with exact scores at this depth; the others are only known not to be better. If not even one move was
    /// finished, the first of them, of unknown value.
    pub(super) fn thought<P: Position<Move = M>, E>(&self, search: &AlphaBetaSearch<'_, P, E>) -> Thought<M> {
        let all_nodes = self.moves.iter().map(|root_move| root_move.nodes).sum::<u64>().max(1) as f64;
        let known = self.moves.iter().filter(|root_move| root_move.known_at == search.depth);
        let candidate = |root_move: &RootMove<M>| {
            let RootMove { mv, score, nodes, ref line, .. } = *root_move;
            Candidate::scored(mv, score, nodes as f64 / all_nodes, line.clone())
        };
        let mut candidates: Vec<Candidate<M>> = known.map(candidate).collect();
        if candidates.is_empty() {
            let mv = self.moves[0].mv;
            candidates.push(Candidate::expected(mv, 0.5, 1.0, vec![mv]));
        }
        Thought {
            candidates,
            depth: search.depth,
            nodes: search.clock.nodes(),
            elapsed: search.clock.elapsed(),
        }
    }
}

/// The score of the move to `child`: exact if above `bound`, otherwise at most `bound`.
fn search_root_move<P: Position, E: Evaluator<P>>(
    child: &P,
    bound: Score,
    search: &mut AlphaBetaSearch<'_, P, E>,
) -> Score {
    let depth = search.depth - 1;
    if let Some(score) = search.visit(child, depth, 1) {
        search.memory.pv_lines[1].clear();
        return -score;
    }
    if bound > Score::MIN {
        let score = -search.negamax(child, -just_above(bound), -bound, depth, 1);
        if score <= bound || search.aborted {
            return score;
        }
    }
    -search.negamax(child, Score::MIN, -bound, depth, 1)
}
