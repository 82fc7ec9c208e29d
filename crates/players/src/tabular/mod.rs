//! Learning by a table: one probability for every position that a player has left behind (Monte Carlo, TD(0) and
//! Q-learning on after-states, after part 1 of INFO-F-106 2019).
//!
//! Each seat has a table, a strategy and parameters of its own. A value p of an after-state s is the chance of the
//! player who made it, ½ until it is learnt. With α the learning rate and r the result (1, ½ or 0):
//! - *Monte Carlo*, at the end, over the player's after-states s₁ (the last), s₂, …: p ← (1 − αⁱ)·p + αⁱ·r;
//! - *TD(0)*, after each move but the first, for the after-state before it: p' ← (1 − α)·p' + α·p(s), s being the
//!   after-state chosen; at the end the last one goes towards r in the same way;
//! - *Q-learning*: the same towards the best after-state that could have been chosen.
//!
//! Belongs here: tables and their updates. Does not belong here: how a table is written down.
//!
//! Law: keys are positions themselves, so no two of them are ever taken for one.

mod player;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use outplay_core::{Learner, Outcome, Player, Position, Seat, Step, Turn};

pub use player::ByTable;
use player::Look;

use crate::exploration::Exploration;

/// What a player believes of the positions that it leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<P: Position>(HashMap<P, f64>);

impl<P: Position> Default for Table<P> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<P: Position> Table<P> {
    /// What is believed of a position of which nothing is known.
    pub const UNKNOWN: f64 = 0.5;

    /// The chance of the player who made the move that led here.
    pub fn chance(&self, after: &P) -> f64 {
        self.0.get(after).copied().unwrap_or(Self::UNKNOWN)
    }

    /// Sets what is believed.
    pub fn set(&mut self, after: P, chance: f64) {
        self.0.insert(after, chance);
    }

    /// All that was learnt, in no order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&P, f64)> {
        self.0.iter().map(|(after, &chance)| (after, chance))
    }

    /// Goes part of the way to `target`.
    fn approach(&mut self, after: &P, target: f64, rate: f64) {
        let chance = (1.0 - rate) * self.chance(after) + rate * target;
        match self.0.get_mut(after) {
            Some(known) => *known = chance,
            None => self.set(after.clone(), chance),
        }
    }
}

/// When and towards what a table is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// At the end of the game, towards its result.
    MonteCarlo,
    /// After every move, towards what was chosen.
    TdZero,
    /// After every move, towards the best that could have been chosen.
    QLearning,
}

/// How a seat learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// When and towards what.
    pub strategy: Strategy,
    /// The learning rate, α.
    pub rate: f64,
    /// How it chooses while it learns.
    pub exploration: Exploration,
}

/// Two tables that learn, one for each seat.
#[derive(Clone, Debug)]
pub struct Tabular<P: Position> {
    pupils: [Pupil<P>; 2],
    games: u64,
    look: Look<P>,
    /// What the move about to be made is worth by each measure.
    chosen: f64,
    best: f64,
}

#[derive(Clone, Debug)]
struct Pupil<P: Position> {
    course: Course,
    table: Table<P>,
    /// The after-states of the present game, oldest first.
    history: Vec<P>,
}

impl<P: Position> Tabular<P> {
    /// Learners that know `tables` after so many games.
    pub fn new(courses: [Course; 2], tables: [Table<P>; 2], games: u64) -> Self {
        let [first, second] = tables;
        let pupil = |course, table| Pupil { course, table, history: Vec::new() };
        let pupils = [pupil(courses[0], first), pupil(courses[1], second)];
        Self { pupils, games, look: Look::default(), chosen: 0.0, best: 0.0 }
    }

    /// What each seat knows.
    pub fn table(&self, seat: Seat) -> &Table<P> {
        &self.pupils[seat.index()].table
    }

    /// The games learnt from.
    pub const fn games(&self) -> u64 {
        self.games
    }
}

impl<P: Position> Player<P> for Tabular<P> {
    fn new_game(&mut self, _seat: Seat) {
        for pupil in &mut self.pupils {
            pupil.history.clear();
        }
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let pupil = &self.pupils[view.seat().index()];
        self.look.around(view, &pupil.table);
        let chosen = pupil.course.exploration.at(self.games).pick(&self.look.values, turn.rng);
        (self.chosen, self.best) = (self.look.values[chosen], self.look.best());
        self.look.moves[chosen]
    }
}

impl<P: Position> Learner<P> for Tabular<P> {
    fn learn(&mut self, step: Step<'_, P>) {
        match step {
            Step::Moved(view, mv) => {
                let pupil = &mut self.pupils[view.seat().index()];
                pupil.move_on(view.after(mv), self.chosen, self.best);
            }
            Step::Ended(_, outcome) => {
                for seat in Seat::BOTH {
                    self.pupils[seat.index()].end(outcome, seat);
                }
                self.games += 1;
            }
        }
    }
}

impl<P: Position> Pupil<P> {
    fn move_on(&mut self, after: P, chosen: f64, best: f64) {
        let target = match self.course.strategy {
            Strategy::MonteCarlo => None,
            Strategy::TdZero => Some(chosen),
            Strategy::QLearning => Some(best),
        };
        if let (Some(target), Some(before)) = (target, self.history.last()) {
            self.table.approach(before, target, self.course.rate);
        }
        self.history.push(after);
    }

    fn end(&mut self, outcome: Outcome, seat: Seat) {
        let result = outcome.points(seat);
        let steps = match self.course.strategy {
            Strategy::MonteCarlo => self.history.len(),
            Strategy::TdZero | Strategy::QLearning => 1,
        };
        let mut rate = 1.0;
        for after in self.history.iter().rev().take(steps) {
            rate *= self.course.rate;
            self.table.approach(after, result, rate);
        }
    }
}
