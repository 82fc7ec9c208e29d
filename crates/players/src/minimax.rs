//! Full-width minimax search to a fixed depth, without pruning: the simplest search, and the reference for the others.
//!
//! The score of a move is minus the score of the position after it; the score of a position for the side to move is
//!
//! ```text
//! V(p, d) = the result's score         if the game ends at p (if the player recognises it, see `TerminalAwareness`)
//!         = the evaluator's score      if d = 0
//!         = max over moves of −V(p after the move, d − 1)
//! ```
//!
//! with forced results counted in plies, so that a near win scores higher than a far one. The move is drawn uniformly
//! from those with the highest score. A stopped search answers from the root moves it has finished, or from one ply if it
//! has finished none; from a part of that ply if evaluations are slow.
//!
//! Reference: C. E. Shannon, Programming a computer for playing chess (1950), his type A.

use outplay_core::{Candidate, Evaluator, Outcome, Player, Position, Score, Seat, Thought, Turn};

use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;

/// Which ends of the game a player recognises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalAwareness {
    /// All: wins and losses with their distance; draws by position, by length and by repetition.
    Outcomes,
    /// Only a move that wins at once, which it plays; otherwise as [`Blind`](Self::Blind).
    ImmediateWin,
    /// None: a finished position is scored by the evaluator like any other.
    Blind,
}

/// Positions that are evaluated together: enough for the evaluators that are faster in batches, and few enough to be
/// finished soon after the search is stopped.
const BATCH: usize = 16;

/// Searches every line of `depth` plies.
#[derive(Clone, Debug)]
pub struct Minimax<P: Position, E> {
    evaluator: E,
    depth: u32,
    awareness: TerminalAwareness,
    buffers: MinimaxBuffers<P>,
}

/// Buffers that are reused from search to search.
#[derive(Clone, Debug)]
struct MinimaxBuffers<P: Position> {
    /// The moves of every position on the path, one after the other.
    moves: Vec<P::Move>,
    /// The scores of those tried so far, in the same order.
    scores: Vec<Score>,
    /// Positions of the last ply that wait for the evaluator, and their scores.
    batch: Vec<P>,
    evals: Vec<Score>,
}

impl<P: Position, E: Evaluator<P>> Minimax<P, E> {
    /// A search of `depth` plies, at least 1.
    pub fn new(evaluator: E, depth: u32, awareness: TerminalAwareness) -> Self {
        let buffers =
            MinimaxBuffers { moves: Vec::new(), scores: Vec::new(), batch: Vec::new(), evals: Vec::new() };
        Self { evaluator, depth: depth.max(1), awareness, buffers }
    }

    /// The greedy player: one ply, recognising all ends of the game.
    pub fn greedy(evaluator: E) -> Self {
        Self::new(evaluator, 1, TerminalAwareness::Outcomes)
    }

    /// Root moves with their scores, in the order of the game.
    fn score_root_moves(
        &mut self,
        view: &P,
        turn: &Turn<'_, P::Move>,
        clock: &mut Clock<'_>,
    ) -> Vec<(P::Move, Score)> {
        if self.awareness == TerminalAwareness::ImmediateWin {
            let wins = immediate_wins(view);
            if !wins.is_empty() {
                return wins;
            }
        }
        let Self { evaluator, buffers, .. } = self;
        evaluator.set_root_seat(view.seat());
        buffers.scores.clear();
        let knows_ends = self.awareness == TerminalAwareness::Outcomes;
        let mut search =
            MinimaxSearch { evaluator, buffers, knows_ends, terminal_rules: TerminalRules::new(turn), clock };
        search.score_moves(view, self.depth, 0);
        if search.buffers.scores.is_empty() {
            search.score_last_ply(view, 0);
        }
        view.moves().into_iter().zip(self.buffers.scores.iter().copied()).collect()
    }
}

fn immediate_wins<P: Position>(view: &P) -> Vec<(P::Move, Score)> {
    let won = Some(Outcome::Win(view.seat()));
    let wins = view.moves().into_iter().filter(|&mv| view.after(mv).outcome() == won);
    wins.map(|mv| (mv, Score::win_in(1))).collect()
}

impl<P: Position, E: Evaluator<P>> Player<P> for Minimax<P, E> {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let mut clock = Clock::start(&Budget::UNLIMITED, turn.stop_flag());
        let scored = self.score_root_moves(view, turn, &mut clock);
        let best = scored.iter().map(|&(_, score)| score).max().expect("the game is not over");
        let ties: Vec<P::Move> =
            scored.iter().filter(|&&(_, score)| score == best).map(|&(mv, _)| mv).collect();
        let chosen = turn.rng.pick(&ties);
        turn.show(|| Thought {
            candidates: candidates(scored, best, ties.len(), chosen),
            depth: self.depth,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
        });
        chosen
    }
}

/// Best first, the chosen one before its equals; the weight is the probability of being chosen.
fn candidates<M: Copy + PartialEq>(
    mut scored: Vec<(M, Score)>,
    best: Score,
    ties: usize,
    chosen: M,
) -> Vec<Candidate<M>> {
    scored.sort_by_key(|&(mv, score)| (std::cmp::Reverse(score), mv != chosen));
    let weight = |score| if score == best { 1.0 / ties as f64 } else { 0.0 };
    scored.into_iter().map(|(mv, score)| Candidate::scored(mv, score, weight(score), vec![mv])).collect()
}

/// One search in progress.
struct MinimaxSearch<'s, 'c, P: Position, E> {
    evaluator: &'s mut E,
    buffers: &'s mut MinimaxBuffers<P>,
    knows_ends: bool,
    terminal_rules: TerminalRules,
    clock: &'s mut Clock<'c>,
}

impl<P: Position, E: Evaluator<P>> MinimaxSearch<'_, '_, P, E> {
    /// Pushes the score of every move for the side that makes it, in the order of the game; only the first ones if the
    /// search is stopped.
    fn score_moves(&mut self, position: &P, depth: u32, ply: u32) {
        if depth == 1 {
            return self.score_last_ply(position, ply);
        }
        let first = self.buffers.moves.len();
        position.moves_into(&mut self.buffers.moves);
        self.terminal_rules.enter(position);
        for index in first..self.buffers.moves.len() {
            let child = position.after(self.buffers.moves[index]);
            let score = self.score(&child, depth - 1, ply + 1);
            if self.clock.is_over() {
                break;
            }
            self.buffers.scores.push(-score.delayed(1));
        }
        self.terminal_rules.leave();
        self.buffers.moves.truncate(first);
    }

    /// The score of a position for the side to move there.
    fn score(&mut self, position: &P, depth: u32, ply: u32) -> Score {
        if self.clock.tick() {
            return Score::EVEN;
        }
        let end = if self.knows_ends {
            self.terminal_rules.at(position, ply)
        } else {
            position.outcome().map(|_| self.evaluator.score(position))
        };
        end.unwrap_or_else(|| {
            let first = self.buffers.scores.len();
            self.score_moves(position, depth, ply);
            self.buffers.scores.drain(first..).max().unwrap_or(Score::EVEN)
        })
    }

    /// [`score_moves`](Self::score_moves) for the last ply, which the evaluator scores in batches. At least one move is
    /// scored.
    fn score_last_ply(&mut self, position: &P, ply: u32) {
        const UNEVALUATED: Score = Score::MIN;
        let MinimaxBuffers { moves, scores, batch, evals } = &mut *self.buffers;
        let (first_move, first_score) = (moves.len(), scores.len());
        position.moves_into(moves);
        batch.clear();
        evals.clear();
        self.terminal_rules.enter(position);
        for mv in moves.drain(first_move..) {
            self.clock.tick();
            let child = position.after(mv);
            let end = if self.knows_ends { self.terminal_rules.at(&child, ply + 1) } else { None };
            scores.push(end.map_or(UNEVALUATED, |score| -score.delayed(1)));
            if end.is_none() {
                batch.push(child);
            }
        }
        self.terminal_rules.leave();
        for batch in batch.chunks(BATCH) {
            self.evaluator.scores(batch, evals);
            if self.clock.slow_step() {
                break;
            }
        }
        let unevaluated = scores[first_score..].iter_mut().filter(|score| **score == UNEVALUATED);
        for (score, eval) in unevaluated.zip(evals.iter()) {
            *score = -eval.delayed(1);
        }
        let finished = scores[first_score..].iter().take_while(|&&score| score != UNEVALUATED).count();
        scores.truncate(first_score + finished);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use outplay_core::{Rng, View};
    use proptest::prelude::*;

    use super::*;
    use crate::EvenEvaluator;
    use crate::terminal::terminal_score;
    use crate::testing::{Drop3, Height, Noise, TicTacToe, Tug, choose, wander, watch};

    /// The definition, without stacks and batches.
    fn by_definition(position: &Drop3, depth: u32, knows_ends: bool, noise: &mut Noise) -> Score {
        let end = terminal_score(position).map(|end| if knows_ends { end } else { noise.score(position) });
        end.unwrap_or_else(|| {
            if depth == 0 {
                return noise.score(position);
            }
            let score = |mv| -by_definition(&position.after(mv), depth - 1, knows_ends, noise).delayed(1);
            position.moves().into_iter().map(score).max().unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_worths_are_those_of_the_definition(
            seed: u64, plies in 0u32..14, depth in 1u32..=4, knows_ends: bool, levels in 1u64..40,
        ) {
            let (position, mut noise) = (wander(&Drop3::START, plies, seed), Noise { levels });
            let awareness = if knows_ends { TerminalAwareness::Outcomes } else { TerminalAwareness::Blind };
            let (mv, thoughts) = watch(&mut Minimax::new(noise, depth, awareness), &position, seed);
            let [thought] = &thoughts[..] else { panic!("one thought") };
            prop_assert_eq!(thought.candidates.len(), position.moves().len());
            prop_assert_eq!(thought.candidates[0].mv, mv);
            for candidate in &thought.candidates {
                let next = position.after(candidate.mv);
                let truth = -by_definition(&next, depth - 1, knows_ends, &mut noise).delayed(1);
                prop_assert_eq!(candidate.score, Some(truth));
            }
            let scores = thought.candidates.iter().map(|candidate| candidate.score);
            prop_assert!(scores.is_sorted_by(|a, b| a >= b));
        }
    }

    /// Scores a finished position as bad for the player who moved to it.
    struct AvoidsTheEnd;

    impl Evaluator<TicTacToe> for AvoidsTheEnd {
        fn set_root_seat(&mut self, _seat: Seat) {}

        fn score(&mut self, position: &TicTacToe) -> Score {
            Score::eval(if position.moves().is_empty() { 500 } else { 0 })
        }
    }

    #[test]
    fn sight_decides_whether_a_win_at_hand_is_taken() {
        let winning_at_6 = TicTacToe::read(".OX OX. ..O X");
        let no_win_at_hand = TicTacToe::read("XO. .X. ..O X");
        for seed in 0..20 {
            let move_with =
                |awareness, position| choose(&mut Minimax::new(AvoidsTheEnd, 1, awareness), position, seed);
            assert_eq!(move_with(TerminalAwareness::Outcomes, &winning_at_6), 6);
            assert_eq!(move_with(TerminalAwareness::ImmediateWin, &winning_at_6), 6);
            assert_ne!(move_with(TerminalAwareness::Blind, &winning_at_6), 6);
            let blind = move_with(TerminalAwareness::Blind, &no_win_at_hand);
            assert_eq!(move_with(TerminalAwareness::ImmediateWin, &no_win_at_hand), blind);
        }
    }

    #[test]
    fn ties_are_broken_uniformly() {
        let mut counts = [0u32; 9];
        let (mut rng, mut player) = (Rng::new(2), Minimax::greedy(EvenEvaluator));
        for _ in 0..9000 {
            counts[usize::from(player.choose(&TicTacToe::START, &mut Turn::new(&mut rng)))] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    fn tug_scores(depth: u32, plies_left: Option<u32>, repetitions: Option<u32>) -> Vec<(i8, Score)> {
        let (mut rng, mut seen) = (Rng::new(1), Vec::new());
        let mut watcher = |thought: Thought<i8>| {
            seen =
                thought.candidates.iter().map(|candidate| (candidate.mv, candidate.score.unwrap())).collect();
        };
        let mut turn = Turn::new(&mut rng).watched(&mut watcher);
        (turn.plies_left, turn.repetitions) = (plies_left, repetitions);
        Minimax::new(Height, depth, TerminalAwareness::Outcomes).choose(&Tug::at(4), &mut turn);
        seen.sort_unstable();
        seen
    }

    #[test]
    fn the_referees_draws_are_seen() {
        assert_eq!(tug_scores(2, None, None)[1], (1, Score::eval(900)), "up and back");
        assert_eq!(tug_scores(2, Some(2), None), [(-1, Score::EVEN), (1, Score::EVEN)]);
        assert_eq!(tug_scores(1, Some(1), None), [(-1, Score::EVEN), (1, Score::EVEN)]);
        assert_eq!(tug_scores(2, None, Some(3))[1], (1, Score::EVEN), "back is a repetition");
    }

    #[test]
    fn the_last_ply_is_evaluated_in_batches() {
        struct Batches(Vec<usize>);
        impl Evaluator<TicTacToe> for Batches {
            fn set_root_seat(&mut self, _seat: Seat) {}
            fn score(&mut self, _position: &TicTacToe) -> Score {
                unreachable!("nothing is evaluated alone")
            }
            fn scores(&mut self, positions: &[TicTacToe], out: &mut Vec<Score>) {
                self.0.push(positions.len());
                out.extend(positions.iter().map(|_| Score::EVEN));
            }
        }
        let mut player = Minimax::new(Batches(Vec::new()), 2, TerminalAwareness::Outcomes);
        choose(&mut player, &TicTacToe::START, 1);
        assert_eq!(player.evaluator.0, [8; 9]);
    }

    #[test]
    fn a_stopped_search_answers_from_one_ply() {
        let stop = AtomicBool::new(true);
        for seed in 0..20 {
            let (position, noise) = (wander(&Drop3::START, 2, seed), Noise { levels: 5000 });
            let (mut rng, mut player) = (Rng::new(1), Minimax::new(noise, 12, TerminalAwareness::Outcomes));
            let mv = player.choose(&position, &mut Turn::new(&mut rng).stoppable(&stop));
            assert_eq!(mv, choose(&mut Minimax::greedy(noise), &position, 1));
        }
    }
}
