//! The player who knows the solution of Push-over 4×4.
//!
//! Law: it never gives away a result, wins as fast and loses as slowly as the rules allow, and among equal
//! moves chooses by chance alone. What is farther away than the referee's limit of length is a draw.

use std::sync::Arc;
use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn, View};

use super::solver::{Solution, Value};
use super::{Entry, Pushover};

/// How much of an endless line a thought shows: enough for any win.
const LINE: usize = 40;

/// Perfect play on the 4×4 board.
#[derive(Clone, Debug)]
pub struct Perfect {
    solution: Arc<Solution>,
}

impl Perfect {
    /// The player of a solution. One of the game without the rule against repetition plays its best moves
    /// among those that the rule allows.
    pub const fn new(solution: Arc<Solution>) -> Self {
        Self { solution }
    }

    /// The legal moves with their values, best first, when the game is drawn after so many more plies.
    fn values(&self, view: &Pushover<4>, plies_left: Option<u32>) -> Vec<(Entry, Value)> {
        let mut moves = self.solution.moves(view);
        moves.retain(|&(entry, _)| view.is_legal(entry));
        for (_, value) in &mut moves {
            *value = value.within(plies_left);
        }
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value.score()));
        moves
    }

    fn thought(
        &self,
        view: &Pushover<4>,
        moves: &[(Entry, Value)],
        best: usize,
        start: Instant,
    ) -> Thought<Entry> {
        let candidate = |(place, &(mv, value)): (usize, &(Entry, Value))| {
            let weight = if place < best { 1.0 / best as f64 } else { 0.0 };
            Candidate::scored(mv, value.score(), weight, self.solution.line_after(view, mv, LINE))
        };
        Thought {
            candidates: moves.iter().enumerate().map(candidate).collect(),
            depth: moves[0].1.distance().unwrap_or(0),
            nodes: moves.len() as u64,
            elapsed: start.elapsed(),
        }
    }
}

impl Player<Pushover<4>> for Perfect {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &Pushover<4>, turn: &mut Turn<'_, Entry>) -> Entry {
        let start = Instant::now();
        let mut moves = self.values(view, turn.plies_left);
        let best = moves.iter().take_while(|&&(_, value)| value == moves[0].1).count();
        moves.swap(0, turn.rng.below(best));
        turn.show(|| self.thought(view, &moves, best, start));
        moves[0].0
    }
}
