//! Time at a table: what each seat has used, and what is left to it where a clock was agreed on.
//!
//! Laws of this room:
//! - the clock of whoever is to move runs from one change of the table to the next; it stands while the game is paused or over, and
//!   while the table is not in memory;
//! - what is added for a move is added after it.

use std::time::{Duration, Instant};

use outplay_core::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::document::SeatName;
use crate::refusal::Refusal;
use crate::{bounds, clock};

/// How much time each seat has for the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Control {
    /// At the start.
    pub(crate) seconds: f64,
    /// Added after each move.
    #[serde(default)]
    pub(crate) increment: f64,
}

impl Control {
    /// Refuses what is out of bounds.
    pub(super) fn check(self, seats: usize) -> Result<(), Refusal> {
        let Self { seconds, increment } = self;
        if seats < 2 {
            return Err(Refusal::refused("a clock needs two players: expected none"));
        }
        if !(1.0..=bounds::CLOCK_SECONDS).contains(&seconds) {
            let most = bounds::CLOCK_SECONDS;
            return Err(Refusal::refused(format!("seconds={seconds}: expected a clock of 1 to {most}")));
        }
        if !(0.0..=bounds::INCREMENT_SECONDS).contains(&increment) {
            let most = bounds::INCREMENT_SECONDS;
            return Err(Refusal::refused(format!("increment={increment}: expected 0 to {most} seconds")));
        }
        Ok(())
    }
}

/// The times of a game as they are remembered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Times {
    /// Seconds used by each seat.
    pub(crate) clocks: [f64; 2],
    #[serde(default)]
    pub(crate) control: Option<Control>,
    /// Seconds left to each seat, where that counts.
    #[serde(default)]
    left: [f64; 2],
    /// Whose time ran out.
    #[serde(default)]
    pub(crate) flagged: Option<SeatName>,
}

impl Times {
    pub(super) fn new(control: Option<Control>) -> Self {
        let left = control.map_or(0.0, |control| control.seconds);
        Self { clocks: [0.0; 2], control, left: [left; 2], flagged: None }
    }

    /// Seconds left to each seat, if the game is played against the clock.
    pub(super) fn left(&self) -> Option<[f64; 2]> {
        self.control.map(|_| self.left)
    }

    fn spend(&mut self, seat: Seat, seconds: f64) {
        self.clocks[seat.index()] += seconds;
        self.left[seat.index()] = (self.left[seat.index()] - seconds).max(0.0);
    }

    /// Adds what a move brings.
    pub(super) fn reward(&mut self, seat: Seat) {
        self.left[seat.index()] += self.control.map_or(0.0, |control| control.increment);
    }

    /// Whether the seat has used up its time; if so its flag falls.
    pub(super) fn fall(&mut self, seat: Seat) -> bool {
        let is_out = self.control.is_some() && self.left[seat.index()] <= 0.0;
        if is_out {
            self.flagged = Some(seat.into());
        }
        is_out
    }

    /// After a fallen flag the game can only go on without clocks.
    pub(super) fn forgive(&mut self) {
        if self.flagged.take().is_some() {
            self.control = None;
        }
    }
}

/// The clock that runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticking {
    seat: Seat,
    since: Instant,
    /// The same moment for people.
    pub(super) moment: i64,
}

impl Ticking {
    pub(super) fn start(seat: Seat) -> Self {
        Self { seat, since: Instant::now(), moment: clock::now() }
    }

    /// Writes down what has passed.
    pub(super) fn stop(self, times: &mut Times) {
        times.spend(self.seat, self.since.elapsed().as_secs_f64());
    }

    /// How long the seat may still think, if that is limited.
    pub(super) fn left(self, times: &Times) -> Option<Duration> {
        let left = times.left()?[self.seat.index()] - self.since.elapsed().as_secs_f64();
        Some(Duration::from_secs_f64(left.max(0.0)))
    }

    /// How long a program is left to think before it is asked for what it has: a twentieth of what is left, and most of what
    /// the move brings. So it does not lose by its own budget.
    pub(super) fn share(self, times: &Times) -> Option<Duration> {
        let left = self.left(times)?;
        let brought = times.control.map_or(0.0, |control| control.increment);
        Some((left / 20 + Duration::from_secs_f64(0.8 * brought)).min(left / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_spent_added_and_runs_out() {
        let mut times = Times::new(Some(Control { seconds: 10.0, increment: 2.0 }));
        times.spend(Seat::First, 4.0);
        assert!(!times.fall(Seat::First));
        times.reward(Seat::First);
        assert_eq!((times.left(), times.clocks), (Some([8.0, 10.0]), [4.0, 0.0]));
        times.spend(Seat::Second, 11.0);
        assert!(times.fall(Seat::Second));
        assert_eq!((times.left(), times.flagged), (Some([8.0, 0.0]), Some(SeatName::Second)));
        times.forgive();
        assert_eq!((times.left(), times.flagged, times.clocks), (None, None, [4.0, 11.0]));
    }

    #[test]
    fn without_a_clock_nobody_runs_out() {
        let mut times = Times::new(None);
        times.spend(Seat::First, 1e6);
        assert!(!times.fall(Seat::First) && times.left().is_none());
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for (seconds, increment) in [(0.0, 0.0), (f64::NAN, 0.0), (60.0, -1.0), (1e9, 0.0), (60.0, 1e4)] {
            Control { seconds, increment }.check(2).unwrap_err();
        }
        Control { seconds: 60.0, increment: 1.0 }.check(1).unwrap_err();
        Control { seconds: 60.0, increment: 1.0 }.check(2).unwrap();
    }
}
