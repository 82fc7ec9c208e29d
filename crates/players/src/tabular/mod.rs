//! Tabular learning: one value for every after-state of a player (Monte Carlo, TD(0), Q-learning and the share of games
//! won, after part 1 of INFO-F-106 2019).
//!
//! Each seat has its own table, update rule and parameters. The value p of an after-state s is the probability that
//! the player who moved to it wins, ½ until it is learnt. With α the learning rate and r the result (1, ½ or 0):
//! - *Monte Carlo*, at the end, over the player's after-states s₁ (the last), s₂, …: p ← (1 − αⁱ)·p + αⁱ·r;
//! - *TD(0)*, after each move but the first, for the after-state before it: p' ← (1 − α)·p' + α·p(s), where s is the
//!   after-state chosen; at the end the last one moves towards r in the same way;
//! - *Q-learning*: the same towards the best after-state that could have been chosen;
//! - *the share of games won*, at the end: p = w/n, with n the games in which the player reached s and w those of them
//!   that it won (a draw is half a game).
//!
//! A seat that an opponent plays learns nothing.
//!
//! Tables are keyed by positions, not hashes, so two positions never share a value. How tables are written to files
//! is not here.

mod player;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use outplay_core::{Learner, Outcome, Player, Position, Seat, Step, Turn};

use player::MoveValues;
pub use player::TablePlayer;

use crate::exploration::Exploration;

/// What is known of an after-state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StateEstimate {
    /// A probability that was moved towards its targets by a learning rate.
    Chance(f64),
    /// A share of games.
    Share {
        /// The games won, a draw being half of one.
        won: f64,
        /// The games in which the position was reached; at least one.
        games: u32,
    },
}

impl StateEstimate {
    /// The probability that the player who moved to the position wins.
    pub fn chance(self) -> f64 {
        match self {
            Self::Chance(chance) => chance,
            Self::Share { won, games } => won / f64::from(games),
        }
    }

    /// One more game with this result. A value that was not counted so far stands for one game.
    #[must_use]
    fn counting(self, result: f64) -> Self {
        match self {
            Self::Chance(chance) => Self::Share { won: chance + result, games: 2 },
            Self::Share { won, games } => Self::Share { won: won + result, games: games.saturating_add(1) },
        }
    }
}

/// The values of a player's after-states.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueTable<P: Position>(HashMap<P, StateEstimate>);

impl<P: Position> Default for ValueTable<P> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<P: Position> ValueTable<P> {
    /// The value of a position that is not in the table.
    pub const UNKNOWN: f64 = 0.5;

    /// The probability that the player who moved to this position wins.
    pub fn chance(&self, after: &P) -> f64 {
        self.0.get(after).map_or(Self::UNKNOWN, |estimate| estimate.chance())
    }

    /// Sets the value of a position.
    pub fn set(&mut self, after: P, estimate: StateEstimate) {
        self.0.insert(after, estimate);
    }

    /// All entries, in no order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&P, StateEstimate)> {
        self.0.iter().map(|(after, &estimate)| (after, estimate))
    }

    /// Moves the value towards `target` by the share `rate`.
    fn update(&mut self, after: &P, target: f64, rate: f64) {
        let estimate = StateEstimate::Chance((1.0 - rate) * self.chance(after) + rate * target);
        match self.0.get_mut(after) {
            Some(known) => *known = estimate,
            None => self.set(after.clone(), estimate),
        }
    }

    /// Counts one more game in which the position was reached.
    fn count(&mut self, after: &P, result: f64) {
        match self.0.get_mut(after) {
            Some(known) => *known = known.counting(result),
            None => self.set(after.clone(), StateEstimate::Share { won: result, games: 1 }),
        }
    }
}

/// When and towards what target values are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateRule {
    /// At the end of the game, towards its result.
    MonteCarlo,
    /// After every move, towards the value of the move chosen.
    TdZero,
    /// After every move, towards the value of the best move.
    QLearning,
    /// At the end of the game, the share of games won; there is no learning rate.
    WinRate,
}

/// How a seat learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TabularConfig {
    /// The update rule.
    pub rule: UpdateRule,
    /// The learning rate, α.
    pub rate: f64,
    /// How it explores while it learns.
    pub exploration: Exploration,
}

/// A learner with one table per seat.
#[derive(Clone, Debug)]
pub struct TabularLearner<P: Position> {
    seats: [SeatLearner<P>; 2],
    games: u64,
    move_values: MoveValues<P>,
    /// The values of the move about to be made and of the best move.
    chosen: f64,
    best: f64,
}

#[derive(Clone, Debug)]
struct SeatLearner<P: Position> {
    config: TabularConfig,
    table: ValueTable<P>,
    /// The after-states of the current game, oldest first.
    history: Vec<P>,
}

impl<P: Position> TabularLearner<P> {
    /// A learner that has reached `tables` after `games` games.
    pub fn new(configs: [TabularConfig; 2], tables: [ValueTable<P>; 2], games: u64) -> Self {
        let [first, second] = tables;
        let learner = |config, table| SeatLearner { config, table, history: Vec::new() };
        let seats = [learner(configs[0], first), learner(configs[1], second)];
        Self { seats, games, move_values: MoveValues::default(), chosen: 0.0, best: 0.0 }
    }

    /// The table of a seat.
    pub fn table(&self, seat: Seat) -> &ValueTable<P> {
        &self.seats[seat.index()].table
    }

    /// The number of games learnt from.
    pub const fn games(&self) -> u64 {
        self.games
    }
}

impl<P: Position> Player<P> for TabularLearner<P> {
    fn new_game(&mut self, _seat: Seat) {
        for learner in &mut self.seats {
            learner.history.clear();
        }
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let learner = &self.seats[view.seat().index()];
        self.move_values.fill(view, &learner.table);
        let chosen = learner.config.exploration.at(self.games).pick(&self.move_values.values, turn.rng);
        (self.chosen, self.best) = (self.move_values.values[chosen], self.move_values.best());
        self.move_values.moves[chosen]
    }
}

impl<P: Position> Learner<P> for TabularLearner<P> {
    fn learn(&mut self, step: Step<'_, P>) {
        match step {
            Step::Moved(view, mv) => {
                let learner = &mut self.seats[view.seat().index()];
                learner.observe_move(view.after(mv), self.chosen, self.best);
            }
            // Its after-states are not the learner's.
            Step::OpponentMoved(..) => {}
            Step::Ended(_, outcome) => {
                for seat in Seat::BOTH {
                    self.seats[seat.index()].end(outcome, seat);
                }
                self.games += 1;
            }
        }
    }
}

impl<P: Position> SeatLearner<P> {
    fn observe_move(&mut self, after: P, chosen: f64, best: f64) {
        let target = match self.config.rule {
            UpdateRule::MonteCarlo | UpdateRule::WinRate => None,
            UpdateRule::TdZero => Some(chosen),
            UpdateRule::QLearning => Some(best),
        };
        if let (Some(target), Some(before)) = (target, self.history.last()) {
            self.table.update(before, target, self.config.rate);
        }
        self.history.push(after);
    }

    fn end(&mut self, outcome: Outcome, seat: Seat) {
        let result = outcome.points(seat);
        let steps = match self.config.rule {
            UpdateRule::MonteCarlo => self.history.len(),
            UpdateRule::TdZero | UpdateRule::QLearning => 1,
            UpdateRule::WinRate => return self.count_game(result),
        };
        let mut rate = 1.0;
        for after in self.history.iter().rev().take(steps) {
            rate *= self.config.rate;
            self.table.update(after, result, rate);
        }
    }

    /// Counts the game once for every position that it reached, however often.
    fn count_game(&mut self, result: f64) {
        for (place, after) in self.history.iter().enumerate() {
            if !self.history[..place].contains(after) {
                self.table.count(after, result);
            }
        }
    }
}
