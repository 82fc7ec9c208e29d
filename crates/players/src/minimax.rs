//! Full-width search to a fixed depth, without pruning: the plainest search, and the slow twin of the others.
//!
//! Contract. The worth of a move is minus the worth of the position after it; the worth of a position to the
//! side to move there is
//!
//! ```text
//! V(p, d) = the end's worth            if the game ends at p (as far as the player's sight reaches)
//!         = the evaluator's score      if d = 0
//!         = max over moves of −V(p after the move, d − 1)
//! ```
//!
//! with certain results counted in plies, so that a near win is worth more than a far one. The move is drawn
//! uniformly from those of the greatest worth. A stopped search answers from the root moves it has finished,
//! or from one ply if it has finished none.
//!
//! References: C. E. Shannon, Programming a computer for playing chess (1950), his type A.

use outplay_core::{Candidate, Evaluator, Outcome, Player, Position, Score, Seat, Thought, Turn};

use crate::budget::{Budget, Clock};
use crate::verdict::Verdicts;

/// What a player knows about the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It knows every end it comes upon: wins and losses by their distance, draws by position, by length and by
    /// repetition.
    Outcomes,
    /// It sees a move that wins at once and plays it; otherwise it is [`Blind`](Self::Blind).
    ImmediateWin,
    /// It does not know when it has won: a finished position has no moves to look at, and its worth is the
    /// evaluator's like any other's.
    Blind,
}

/// Looks at every line of `depth` plies.
#[derive(Clone, Debug)]
pub struct Minimax<P: Position, E> {
    evaluator: E,
    depth: u32,
    sight: Sight,
    memory: Memory<P>,
}

/// Room that every search uses again.
#[derive(Clone, Debug)]
struct Memory<P: Position> {
    /// The moves of every position on the path, one after the other.
    moves: Vec<P::Move>,
    /// The worths of those tried so far, likewise.
    worths: Vec<Score>,
    /// Positions of the last ply that wait for the evaluator, and its answers.
    batch: Vec<P>,
    judged: Vec<Score>,
}

impl<P: Position, E: Evaluator<P>> Minimax<P, E> {
    /// A search of `depth` plies, at least 1.
    pub fn new(evaluator: E, depth: u32, sight: Sight) -> Self {
        let memory = Memory { moves: Vec::new(), worths: Vec::new(), batch: Vec::new(), judged: Vec::new() };
        Self { evaluator, depth: depth.max(1), sight, memory }
    }

    /// The greedy player: one ply, with open eyes.
    pub fn greedy(evaluator: E) -> Self {
        Self::new(evaluator, 1, Sight::Outcomes)
    }

    /// Root moves with their worths, in the order of the rules.
    fn weigh(&mut self, view: &P, turn: &Turn<'_, P::Move>, clock: &mut Clock<'_>) -> Vec<(P::Move, Score)> {
        if self.sight == Sight::ImmediateWin {
            let wins = immediate_wins(view);
            if !wins.is_empty() {
                return wins;
            }
        }
        let Self { evaluator, memory, .. } = self;
        evaluator.serve(view.seat());
        memory.worths.clear();
        let sees_ends = self.sight == Sight::Outcomes;
        let mut search = Search { evaluator, memory, sees_ends, verdicts: Verdicts::new(turn), clock };
        search.weigh_moves(view, self.depth, 0);
        if search.memory.worths.is_empty() {
            search.weigh_last_ply(view, 0);
        }
        view.moves().into_iter().zip(self.memory.worths.iter().copied()).collect()
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
        let weighed = self.weigh(view, turn, &mut clock);
        let best = weighed.iter().map(|&(_, worth)| worth).max().expect("the game is not over");
        let ties: Vec<P::Move> =
            weighed.iter().filter(|&&(_, worth)| worth == best).map(|&(mv, _)| mv).collect();
        let chosen = turn.rng.pick(&ties);
        turn.show(|| Thought {
            candidates: candidates(weighed, best, ties.len(), chosen),
            depth: self.depth,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
        });
        chosen
    }
}

/// Best first and the chosen one before its equals; the weight is the chance of being chosen.
fn candidates<M: Copy + PartialEq>(
    mut weighed: Vec<(M, Score)>,
    best: Score,
    ties: usize,
    chosen: M,
) -> Vec<Candidate<M>> {
    weighed.sort_by_key(|&(mv, worth)| (std::cmp::Reverse(worth), mv != chosen));
    let weight = |worth| if worth == best { 1.0 / ties as f64 } else { 0.0 };
    weighed.into_iter().map(|(mv, worth)| Candidate::scored(mv, worth, weight(worth), vec![mv])).collect()
}

/// One search in progress.
struct Search<'s, 'c, P: Position, E> {
    evaluator: &'s mut E,
    memory: &'s mut Memory<P>,
    sees_ends: bool,
    verdicts: Verdicts,
    clock: &'s mut Clock<'c>,
}

impl<P: Position, E: Evaluator<P>> Search<'_, '_, P, E> {
    /// Pushes the worth of every move to the side that makes it, in the order of the rules; only of the first
    /// ones if the search is stopped.
    fn weigh_moves(&mut self, position: &P, depth: u32, ply: u32) {
        if depth == 1 {
            return self.weigh_last_ply(position, ply);
        }
        let first = self.memory.moves.len();
        position.moves_into(&mut self.memory.moves);
        self.verdicts.enter(position);
        for index in first..self.memory.moves.len() {
            let child = position.after(self.memory.moves[index]);
            let worth = self.worth(&child, depth - 1, ply + 1);
            if self.clock.is_over() {
                break;
            }
            self.memory.worths.push(-worth.delayed(1));
        }
        self.verdicts.leave();
        self.memory.moves.truncate(first);
    }

    /// The worth of a position to the side to move there.
    fn worth(&mut self, position: &P, depth: u32, ply: u32) -> Score {
        if self.clock.tick() {
            return Score::EVEN;
        }
        let end = if self.sees_ends {
            self.verdicts.at(position, ply)
        } else {
            position.outcome().map(|_| self.evaluator.score(position))
        };
        end.unwrap_or_else(|| {
            let first = self.memory.worths.len();
            self.weigh_moves(position, depth, ply);
            self.memory.worths.drain(first..).max().unwrap_or(Score::EVEN)
        })
    }

    /// [`weigh_moves`](Self::weigh_moves) where the evaluator has the last word, in one batch.
    fn weigh_last_ply(&mut self, position: &P, ply: u32) {
        const UNJUDGED: Score = Score::MIN;
        let Memory { moves, worths, batch, judged } = &mut *self.memory;
        let (first_move, first_worth) = (moves.len(), worths.len());
        position.moves_into(moves);
        batch.clear();
        judged.clear();
        self.verdicts.enter(position);
        for mv in moves.drain(first_move..) {
            self.clock.tick();
            let child = position.after(mv);
            let end = if self.sees_ends { self.verdicts.at(&child, ply + 1) } else { None };
            worths.push(end.map_or(UNJUDGED, |worth| -worth.delayed(1)));
            if end.is_none() {
                batch.push(child);
            }
        }
        self.verdicts.leave();
        self.evaluator.scores(batch, judged);
        let unjudged = worths[first_worth..].iter_mut().filter(|worth| **worth == UNJUDGED);
        for (worth, score) in unjudged.zip(judged.iter()) {
            *worth = -score.delayed(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use outplay_core::{Rng, View};
    use proptest::prelude::*;

    use super::*;
    use crate::Even;
    use crate::testing::{Drop3, Height, Noise, TicTacToe, Tug, choose, wander, watch};
    use crate::verdict::verdict;

    /// The definition, without stacks and batches.
    fn by_definition(position: &Drop3, depth: u32, sees_ends: bool, noise: &mut Noise) -> Score {
        let end = verdict(position).map(|end| if sees_ends { end } else { noise.score(position) });
        end.unwrap_or_else(|| {
            if depth == 0 {
                return noise.score(position);
            }
            let worth = |mv| -by_definition(&position.after(mv), depth - 1, sees_ends, noise).delayed(1);
            position.moves().into_iter().map(worth).max().unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_worths_are_those_of_the_definition(
            seed: u64, plies in 0u32..14, depth in 1u32..=4, sees_ends: bool, levels in 1u64..40,
        ) {
            let (position, mut noise) = (wander(&Drop3::START, plies, seed), Noise { levels });
            let sight = if sees_ends { Sight::Outcomes } else { Sight::Blind };
            let (mv, thoughts) = watch(&mut Minimax::new(noise, depth, sight), &position, seed);
            let [thought] = &thoughts[..] else { panic!("one thought") };
            prop_assert_eq!(thought.candidates.len(), position.moves().len());
            prop_assert_eq!(thought.candidates[0].mv, mv);
            for candidate in &thought.candidates {
                let next = position.after(candidate.mv);
                let truth = -by_definition(&next, depth - 1, sees_ends, &mut noise).delayed(1);
                prop_assert_eq!(candidate.score, Some(truth));
            }
            let scores = thought.candidates.iter().map(|candidate| candidate.score);
            prop_assert!(scores.is_sorted_by(|a, b| a >= b));
        }
    }

    /// Judges a finished position the worst for who moved to it.
    struct Unwilling;

    impl Evaluator<TicTacToe> for Unwilling {
        fn serve(&mut self, _seat: Seat) {}

        fn score(&mut self, position: &TicTacToe) -> Score {
            Score::judged(if position.moves().is_empty() { 500 } else { 0 })
        }
    }

    #[test]
    fn sight_decides_whether_a_win_at_hand_is_taken() {
        let winning_at_6 = TicTacToe::read(".OX OX. ..O X");
        let no_win_at_hand = TicTacToe::read("XO. .X. ..O X");
        for seed in 0..20 {
            let move_with = |sight, position| choose(&mut Minimax::new(Unwilling, 1, sight), position, seed);
            assert_eq!(move_with(Sight::Outcomes, &winning_at_6), 6);
            assert_eq!(move_with(Sight::ImmediateWin, &winning_at_6), 6);
            assert_ne!(move_with(Sight::Blind, &winning_at_6), 6);
            let blind = move_with(Sight::Blind, &no_win_at_hand);
            assert_eq!(move_with(Sight::ImmediateWin, &no_win_at_hand), blind);
        }
    }

    #[test]
    fn ties_are_broken_uniformly() {
        let mut counts = [0u32; 9];
        let (mut rng, mut player) = (Rng::new(2), Minimax::greedy(Even));
        for _ in 0..9000 {
            counts[usize::from(player.choose(&TicTacToe::START, &mut Turn::new(&mut rng)))] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    fn tug_worths(depth: u32, plies_left: Option<u32>, repetitions: Option<u32>) -> Vec<(i8, Score)> {
        let (mut rng, mut seen) = (Rng::new(1), Vec::new());
        let mut watcher = |thought: Thought<i8>| {
            seen =
                thought.candidates.iter().map(|candidate| (candidate.mv, candidate.score.unwrap())).collect();
        };
        let mut turn = Turn::new(&mut rng).watched(&mut watcher);
        (turn.plies_left, turn.repetitions) = (plies_left, repetitions);
        Minimax::new(Height, depth, Sight::Outcomes).choose(&Tug::at(4), &mut turn);
        seen.sort_unstable();
        seen
    }

    #[test]
    fn the_referees_draws_are_seen() {
        assert_eq!(tug_worths(2, None, None)[1], (1, Score::judged(900)), "up and back");
        assert_eq!(tug_worths(2, Some(2), None), [(-1, Score::EVEN), (1, Score::EVEN)]);
        assert_eq!(tug_worths(1, Some(1), None), [(-1, Score::EVEN), (1, Score::EVEN)]);
        assert_eq!(tug_worths(2, None, Some(3))[1], (1, Score::EVEN), "back is a repetition");
    }

    #[test]
    fn the_last_ply_is_judged_in_one_batch() {
        struct Batches(Vec<usize>);
        impl Evaluator<TicTacToe> for Batches {
            fn serve(&mut self, _seat: Seat) {}
            fn score(&mut self, _position: &TicTacToe) -> Score {
                unreachable!("nothing is judged alone")
            }
            fn scores(&mut self, positions: &[TicTacToe], out: &mut Vec<Score>) {
                self.0.push(positions.len());
                out.extend(positions.iter().map(|_| Score::EVEN));
            }
        }
        let mut player = Minimax::new(Batches(Vec::new()), 2, Sight::Outcomes);
        choose(&mut player, &TicTacToe::START, 1);
        assert_eq!(player.evaluator.0, [8; 9]);
    }

    #[test]
    fn a_stopped_search_answers_from_one_ply() {
        let stop = AtomicBool::new(true);
        for seed in 0..20 {
            let (position, noise) = (wander(&Drop3::START, 2, seed), Noise { levels: 5000 });
            let (mut rng, mut player) = (Rng::new(1), Minimax::new(noise, 12, Sight::Outcomes));
            let mv = player.choose(&position, &mut Turn::new(&mut rng).stoppable(&stop));
            assert_eq!(mv, choose(&mut Minimax::greedy(noise), &position, 1));
        }
    }
}
