//! The referee of all games without hidden information.
//!
//! Positions do not know how they were reached; rules that depend on it (repetition, length) are applied here.

use crate::{Game, MoveOf, Outcome, Position, Rng};

/// A game that begins at `start` and is drawn by repetition or length where these are limited.
#[derive(Clone, Debug)]
pub struct Referee<P> {
    /// Where games begin.
    pub start: P,
    /// A position that occurs this many times is a draw.
    pub repetitions: Option<u32>,
    /// A game of this many plies is a draw.
    pub max_plies: Option<u32>,
}

/// A game in progress: the current position and the keys of those before it.
#[derive(Clone, Debug)]
pub struct PositionHistory<P> {
    /// Where it began.
    pub start: P,
    /// The present position.
    pub now: P,
    /// Keys of the positions before it, oldest first.
    pub past: Vec<u64>,
}

impl<P: Position> PositionHistory<P> {
    /// A line that begins here.
    pub fn from(start: P) -> Self {
        Self { now: start.clone(), start, past: Vec::new() }
    }
}

impl<P: Position> Game for Referee<P> {
    type State = PositionHistory<P>;
    type View = P;

    fn start(&self, _rng: &mut Rng) -> PositionHistory<P> {
        PositionHistory::from(self.start.clone())
    }

    fn view<'s>(&self, state: &'s PositionHistory<P>) -> &'s P {
        &state.now
    }

    fn play(&self, state: &mut PositionHistory<P>, mv: MoveOf<Self>) {
        state.past.push(state.now.key());
        state.now.play(mv);
    }

    fn outcome(&self, state: &PositionHistory<P>) -> Option<Outcome> {
        state.now.outcome().or_else(|| {
            let too_long = self.max_plies.is_some_and(|max| state.past.len() >= max as usize);
            let repeated = self.repetitions.is_some_and(|limit| {
                let key = state.now.key();
                state.past.iter().filter(|&&earlier| earlier == key).count() + 1 >= limit as usize
            });
            (too_long || repeated).then_some(Outcome::Draw)
        })
    }

    fn past<'s>(&self, state: &'s PositionHistory<P>) -> &'s [u64] {
        &state.past
    }

    fn repetitions(&self) -> Option<u32> {
        self.repetitions
    }

    fn plies_left(&self, state: &PositionHistory<P>) -> Option<u32> {
        self.max_plies.map(|max| max.saturating_sub(state.past.len() as u32))
    }
}
