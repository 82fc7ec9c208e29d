//! The perfect player: it plays by the exact value of every position.
//!
//! It never gives away a result, wins as fast and loses as slowly as possible, and chooses at random among equal moves. A
//! result beyond the referee's limit of length counts as a draw, and so does a move that completes a repetition.

use std::sync::Arc;
use std::time::Instant;

use outplay_core::{Candidate, Oracle, Player, Position, Seat, Thought, Turn, Value};

/// The longest line that a thought shows, in plies.
const MAX_LINE: usize = 40;

/// Perfect play by a solution of the game.
#[derive(Debug)]
pub struct Perfect<O: ?Sized> {
    oracle: Arc<O>,
}

impl<O: ?Sized> Perfect<O> {
    /// A player by this solution. If the solution is of a game with more legal moves, the illegal ones are left out.
    pub const fn new(oracle: Arc<O>) -> Self {
        Self { oracle }
    }

    /// The legal moves with their values under the referee's limits, best first.
    fn values<P: Position>(&self, view: &P, turn: &Turn<'_, P::Move>) -> Vec<(P::Move, Value)>
    where
        O: Oracle<P>,
    {
        let mut moves = self.oracle.moves(view);
        moves.retain(|&(mv, _)| view.is_legal(mv));
        for (mv, value) in &mut moves {
            *value = if repeats(view, *mv, turn) { Value::Draw } else { value.within(turn.plies_left) };
        }
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value.score()));
        moves
    }

    fn thought<P: Position>(
        &self,
        view: &P,
        moves: &[(P::Move, Value)],
        best: usize,
        start: Instant,
    ) -> Thought<P::Move>
    where
        O: Oracle<P>,
    {
        let candidate = |(place, &(mv, value)): (usize, &(P::Move, Value))| {
            let weight = if place < best { 1.0 / best as f64 } else { 0.0 };
            Candidate::scored(mv, value.score(), weight, self.oracle.line_after(view, mv, MAX_LINE))
        };
        Thought {
            candidates: moves.iter().enumerate().map(candidate).collect(),
            depth: moves[0].1.distance().unwrap_or(0),
            nodes: moves.len() as u64,
            elapsed: start.elapsed(),
        }
    }
}

/// Whether the move ends the game by repetition.
fn repeats<P: Position>(view: &P, mv: P::Move, turn: &Turn<'_, P::Move>) -> bool {
    turn.repetitions.is_some_and(|limit| {
        let next = view.after(mv);
        let earlier = turn.past.iter().filter(|&&key| key == next.key()).count();
        next.outcome().is_none() && earlier + 1 >= limit as usize
    })
}

impl<P: Position, O: Oracle<P> + ?Sized> Player<P> for Perfect<O> {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let start = Instant::now();
        let mut moves = self.values(view, turn);
        let best = moves.iter().take_while(|&&(_, value)| value == moves[0].1).count();
        moves.swap(0, turn.rng.below(best));
        turn.show(|| self.thought(view, &moves, best, start));
        moves[0].0
    }
}
