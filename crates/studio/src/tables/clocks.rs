//! The clocks of a table: the time each seat has used, and what is left of it under a time control.
//!
//! The clock of the side to move runs from one change of the table to the next. It stands while the game is paused or over, and while
//! the table is not in memory. The increment is added after a move.

use std::time::{Duration, Instant};

use outplay_core::{Seat, errors};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::document::SeatName;
use crate::bounded_schemas::{ClockSchema, IncrementSchema};
use crate::refusal::CodedError;
use crate::{bounds, clock};

errors! {
    /// A time control that cannot be played with.
    pub(crate) enum ClockError {
        Alone = "a clock needs two players: expected none" | "une pendule demande deux joueurs : attendu aucune",
        Seconds { seconds: f64, most: f64 } =
            "seconds={seconds}: expected a clock of 1 to {most}" | "seconds={seconds} : attendu une pendule de 1 à {most}",
        Increment { increment: f64, most: f64 } =
            "increment={increment}: expected 0 to {most} seconds" | "increment={increment} : attendu de 0 à {most} secondes",
    }
}

impl CodedError for ClockError {}

/// The time each seat has for the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Control)]
pub(crate) struct TimeControl {
    /// Seconds at the start.
    #[schema(value_type = ClockSchema)]
    pub(crate) seconds: f64,
    /// Seconds added after each move.
    #[serde(default)]
    #[schema(value_type = IncrementSchema)]
    pub(crate) increment: f64,
}

impl TimeControl {
    /// Refuses what is out of bounds.
    pub(super) fn check(self, seats: usize) -> Result<(), ClockError> {
        let Self { seconds, increment } = self;
        if seats < 2 {
            return Err(ClockError::Alone);
        }
        if !(1.0..=bounds::CLOCK_SECONDS).contains(&seconds) {
            return Err(ClockError::Seconds { seconds, most: bounds::CLOCK_SECONDS });
        }
        if !(0.0..=bounds::INCREMENT_SECONDS).contains(&increment) {
            return Err(ClockError::Increment { increment, most: bounds::INCREMENT_SECONDS });
        }
        Ok(())
    }
}

/// The clocks of a game as they are saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TableClocks {
    /// Seconds used by each seat.
    pub(crate) clocks: [f64; 2],
    #[serde(default)]
    pub(crate) control: Option<TimeControl>,
    /// Seconds left to each seat; meaningless without a time control.
    #[serde(default)]
    left: [f64; 2],
    /// The seat whose time ran out.
    #[serde(default)]
    pub(crate) flagged: Option<SeatName>,
}

impl TableClocks {
    pub(super) fn new(control: Option<TimeControl>) -> Self {
        let left = control.map_or(0.0, |control| control.seconds);
        Self { clocks: [0.0; 2], control, left: [left; 2], flagged: None }
    }

    /// Seconds left to each seat, if the game has a time control.
    pub(super) fn left(&self) -> Option<[f64; 2]> {
        self.control.map(|_| self.left)
    }

    fn spend(&mut self, seat: Seat, seconds: f64) {
        self.clocks[seat.index()] += seconds;
        self.left[seat.index()] = (self.left[seat.index()] - seconds).max(0.0);
    }

    /// Adds the increment for a move.
    pub(super) fn add_increment(&mut self, seat: Seat) {
        self.left[seat.index()] += self.control.map_or(0.0, |control| control.increment);
    }

    /// Whether the seat has used up its time; if so, its flag falls.
    pub(super) fn flag_if_out(&mut self, seat: Seat) -> bool {
        let is_out = self.control.is_some() && self.left[seat.index()] <= 0.0;
        if is_out {
            self.flagged = Some(seat.into());
        }
        is_out
    }

    /// Takes a fallen flag back; the game then goes on without a time control.
    pub(super) fn clear_flag(&mut self) {
        if self.flagged.take().is_some() {
            self.control = None;
        }
    }
}

/// A clock that is running.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningClock {
    seat: Seat,
    since: Instant,
    /// When it was started, in milliseconds since 1970.
    pub(super) moment: i64,
}

impl RunningClock {
    pub(super) fn start(seat: Seat) -> Self {
        Self { seat, since: Instant::now(), moment: clock::now() }
    }

    /// Stops it and books the time that has passed.
    pub(super) fn stop(self, times: &mut TableClocks) {
        times.spend(self.seat, self.since.elapsed().as_secs_f64());
    }

    /// The time left to the seat, if it has a time control.
    pub(super) fn left(self, times: &TableClocks) -> Option<Duration> {
        let left = times.left()?[self.seat.index()] - self.since.elapsed().as_secs_f64();
        Some(Duration::from_secs_f64(left.max(0.0)))
    }

    /// How long a program may think before it is asked for its move: a twentieth of the time left and most of the increment. So a
    /// budget of its own that is too large does not lose it the game.
    pub(super) fn soft_limit(self, times: &TableClocks) -> Option<Duration> {
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
        let mut times = TableClocks::new(Some(TimeControl { seconds: 10.0, increment: 2.0 }));
        times.spend(Seat::First, 4.0);
        assert!(!times.flag_if_out(Seat::First));
        times.add_increment(Seat::First);
        assert_eq!((times.left(), times.clocks), (Some([8.0, 10.0]), [4.0, 0.0]));
        times.spend(Seat::Second, 11.0);
        assert!(times.flag_if_out(Seat::Second));
        assert_eq!((times.left(), times.flagged), (Some([8.0, 0.0]), Some(SeatName::Second)));
        times.clear_flag();
        assert_eq!((times.left(), times.flagged, times.clocks), (None, None, [4.0, 11.0]));
    }

    #[test]
    fn without_a_clock_nobody_runs_out() {
        let mut times = TableClocks::new(None);
        times.spend(Seat::First, 1e6);
        assert!(!times.flag_if_out(Seat::First) && times.left().is_none());
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for (seconds, increment) in [(0.0, 0.0), (f64::NAN, 0.0), (60.0, -1.0), (1e9, 0.0), (60.0, 1e4)] {
            TimeControl { seconds, increment }.check(2).unwrap_err();
        }
        TimeControl { seconds: 60.0, increment: 1.0 }.check(1).unwrap_err();
        TimeControl { seconds: 60.0, increment: 1.0 }.check(2).unwrap();
    }
}
