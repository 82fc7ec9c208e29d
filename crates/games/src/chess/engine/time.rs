//! Search limits and time control: how long the engine may search, and how it spends the time of a game.
//!
//! What a limit of depth or nodes leads to never depends on the clock, so searches under them are reproducible. The first
//! iteration has a little more room than the limits say, so that an answer nearly always rests on a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much time the engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A fixed time for this move.
    Move(Duration),
    /// A clock for several moves.
    Game {
        /// The remaining time.
        left: Duration,
        /// The increment per move.
        increment: Duration,
        /// Moves until the next time control, if the clock has one.
        moves_to_go: Option<u32>,
    },
}

/// Limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Maximal depth, in plies.
    pub depth: Option<u32>,
    /// Maximal number of nodes.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<TimeControl>,
    /// Stop once a mate in at most this many moves is found.
    pub mate: Option<u32>,
}

/// `soft`: begin no new iteration. `hard`: stop in the middle of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Deadlines {
    soft: Duration,
    hard: Duration,
}

impl Deadlines {
    fn of(time: TimeControl) -> Self {
        match time {
            TimeControl::Move(time) => Self { soft: time, hard: time },
            TimeControl::Game { left, increment, moves_to_go } => {
                let left = left.max(Duration::from_millis(1));
                let moves = moves_to_go.map_or(26, |moves| moves.clamp(1, 40) + 1);
                let soft = left / moves + increment.mul_f64(0.7);
                // With one move to go before the time control, nearly all the time may be used.
                let most = left.mul_f64(if moves == 2 { 0.8 } else { 0.5 });
                Self { soft: soft.min(most), hard: (soft * 4).min(most) }
            }
        }
    }
}

/// The first iteration may visit this many nodes, whatever the limit of nodes: a few of them tell more than none. Weak levels
/// score every move in it.
const FIRST_ITERATION_NODES: u64 = 1 << 15;
/// The first iteration may take this long, whatever the clock and the stop flag say.
const FIRST_ITERATION_TIME: Duration = Duration::from_millis(10);

/// What the threads of one search share besides the table: limits, the stop flag and node counts.
pub(super) struct SearchControl<'a> {
    started: Instant,
    deadlines: Option<Deadlines>,
    is_move_time: bool,
    nodes: Option<u64>,
    stop: Option<&'a AtomicBool>,
    pondering: Option<&'a AtomicBool>,
    stopped: AtomicBool,
    /// The nodes of each thread, updated whenever it polls.
    node_counts: Vec<AtomicU64>,
}

impl<'a> SearchControl<'a> {
    pub(super) fn new(
        limits: &SearchLimits,
        threads: usize,
        stop: Option<&'a AtomicBool>,
        pondering: Option<&'a AtomicBool>,
    ) -> Self {
        Self {
            started: Instant::now(),
            deadlines: limits.time.map(Deadlines::of),
            is_move_time: matches!(limits.time, Some(TimeControl::Move(_))),
            nodes: limits.nodes,
            stop,
            pondering,
            stopped: AtomicBool::new(false),
            node_counts: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Tells every thread to stop.
    pub(super) fn stop_all(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The nodes of all threads as of their last polls.
    pub(super) fn nodes(&self) -> u64 {
        self.node_counts.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// Publishes a thread's node count and returns whether to stop. The first thread checks the limits for all.
    pub(super) fn poll(&self, thread: usize, nodes: u64, iteration: i32) -> bool {
        self.node_counts[thread].store(nodes, Ordering::Relaxed);
        if thread == 0 && self.limits_reached(iteration) {
            self.stop_all();
        }
        self.stopped.load(Ordering::Relaxed)
    }

    /// How many nodes a thread may visit before the limit of nodes may be reached.
    pub(super) fn nodes_left(&self, iteration: i32) -> u64 {
        let left = self.node_limit(iteration).map(|limit| limit.saturating_sub(self.nodes()));
        left.map_or(u64::MAX, |left| left / self.node_counts.len() as u64)
    }

    fn node_limit(&self, iteration: i32) -> Option<u64> {
        self.nodes.map(|limit| if iteration == 1 { limit.max(FIRST_ITERATION_NODES) } else { limit })
    }

    fn limits_reached(&self, iteration: i32) -> bool {
        if self.node_limit(iteration).is_some_and(|limit| self.nodes() >= limit) {
            return true;
        }
        let elapsed = self.elapsed();
        if iteration == 1 && elapsed < FIRST_ITERATION_TIME {
            return false;
        }
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || (!self.is_pondering() && self.deadlines.is_some_and(|deadlines| elapsed >= deadlines.hard))
    }

    fn is_pondering(&self) -> bool {
        self.pondering.is_some_and(|pondering| pondering.load(Ordering::Relaxed))
    }

    /// Whether the time for a new iteration is used up. `time_scale` multiplies the soft limit: less than 1 when the best
    /// move is stable.
    pub(super) fn soft_limit_reached(&self, time_scale: f64) -> bool {
        let Some(deadlines) = self.deadlines else { return false };
        !self.is_pondering() && !self.is_move_time && self.elapsed() >= deadlines.soft.mul_f64(time_scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(left: u64, increment: u64, moves_to_go: Option<u32>) -> Deadlines {
        let milliseconds = Duration::from_millis;
        Deadlines::of(TimeControl::Game {
            left: milliseconds(left),
            increment: milliseconds(increment),
            moves_to_go,
        })
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for left in [1, 5, 20, 100, 1000, 60_000] {
            for increment in [0, 10, 1000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let Deadlines { soft, hard } = game(left, increment, moves);
                    assert!(soft <= hard);
                    assert!(hard < Duration::from_millis(left), "{left} + {increment}, {moves:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn more_time_is_used_where_there_is_more() {
        assert!(game(60_000, 0, None).soft > game(10_000, 0, None).soft);
        assert!(game(60_000, 500, None).soft > game(60_000, 0, None).soft);
        assert!(game(60_000, 0, Some(5)).soft > game(60_000, 0, Some(40)).soft);
    }

    #[test]
    fn a_raised_flag_is_heard_by_all() {
        let stop = AtomicBool::new(false);
        let control = SearchControl::new(&SearchLimits::default(), 2, Some(&stop), None);
        assert!(!control.poll(0, 10, 2) && !control.poll(1, 20, 2));
        stop.store(true, Ordering::Relaxed);
        assert!(!control.poll(1, 20, 2) && control.poll(0, 10, 2) && control.poll(1, 20, 2));
        assert_eq!(control.nodes(), 30);
    }
}
