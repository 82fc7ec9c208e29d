//! The player who knows the exact value of every position.
//!
//! Law: it never gives away a result, wins as fast and loses as slowly as the rules allow, and among equal
//! moves chooses by chance alone. What is farther away than the referee's limit of length is a draw, and so is a move
//! that repeats a position once too often.

use std::sync::Arc;
use std::time::Instant;

use outplay_core::{Candidate, Oracle, Player, Position, Seat, Thought, Turn, Value};

/// How much of an endless line a thought shows: enough for any win that is worth showing.
const LINE: usize = 40;

/// Perfect play by what an oracle says.
#[derive(Debug)]
pub struct Perfect<O: ?Sized> {
    oracle: Arc<O>,
}

impl<O: ?Sized> Perfect<O> {
    /// The player of an oracle. One who knows a game with fewer prohibitions plays its best moves among those that
    /// are legal.
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
            Candidate::scored(mv, value.score(), weight, self.oracle.line_after(view, mv, LINE))
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
