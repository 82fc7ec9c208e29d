//! Search limits and time control: how long the engine may search, and how it spends the time of a game.
//!
//! Limits of depth and nodes never look at the clock, so searches under them are reproducible.

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
    pub(super) fn poll(&self, thread: usize, nodes: u64) -> bool {
        self.node_counts[thread].store(nodes, Ordering::Relaxed);
        if thread == 0 && self.limits_reached() {
            self.stop_all();
        }
        self.stopped.load(Ordering::Relaxed)
    }

    /// How many nodes the thread may visit before it polls again.
    pub(super) fn poll_interval(&self, nodes: u64) -> u64 {
        const INTERVAL: u64 = 1024;
        match self.nodes {
            Some(limit) if self.node_counts.len() == 1 => limit.saturating_sub(nodes).clamp(1, INTERVAL),
            _ => INTERVAL,
        }
    }

    fn limits_reached(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.nodes.is_some_and(|limit| self.nodes() >= limit)
            || (!self.is_pondering()
                && self.deadlines.is_some_and(|deadlines| self.elapsed() >= deadlines.hard))
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
        assert!(!control.poll(0, 10) && !control.poll(1, 20));
        stop.store(true, Ordering::Relaxed);
        assert!(!control.poll(1, 20) && control.poll(0, 10) && control.poll(1, 20));
        assert_eq!(control.nodes(), 30);
    }
}
