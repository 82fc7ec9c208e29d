//! The limits of a search, and the clock that enforces them.
//!
//! Invariant: a budget of depth or nodes does not depend on the time, so it gives the same play on every machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits on one move; the first one reached ends the search.
///
/// ```
/// use outplay_players::Budget;
/// use std::time::Duration;
/// let budget = Budget::nodes(50_000).and_time(Duration::from_secs(1));
/// assert_eq!(budget.nodes, Some(50_000));
/// assert_eq!(budget.depth, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Positions to visit, or simulations to run.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limit but the turn's stop flag and the end of the game.
    pub const UNLIMITED: Self = Self { depth: None, nodes: None, time: None };

    /// This many plies.
    pub const fn depth(plies: u32) -> Self {
        Self::UNLIMITED.and_depth(plies)
    }

    /// This many positions or simulations.
    pub const fn nodes(nodes: u64) -> Self {
        Self::UNLIMITED.and_nodes(nodes)
    }

    /// This much time.
    pub const fn time(time: Duration) -> Self {
        Self::UNLIMITED.and_time(time)
    }

    /// The same with a limit on plies.
    #[must_use]
    pub const fn and_depth(self, plies: u32) -> Self {
        Self { depth: Some(plies), ..self }
    }

    /// The same with a limit on positions or simulations.
    #[must_use]
    pub const fn and_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// The same with a limit on time.
    #[must_use]
    pub const fn and_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }
}

/// Counts nodes and reports when the budget of nodes or time is spent or the stop flag is set.
///
/// Reading the wall clock and the flag costs about as much as a node, so they are read only every hundred nodes or so, and
/// more often where nodes are slow. A node that is slow by itself is divided into steps.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    started: Instant,
    time: Option<Duration>,
    limit: u64,
    stop: Option<&'a AtomicBool>,
    nodes: u64,
    /// Nodes, and steps that are none.
    steps: u64,
    /// The number of steps at which clock and flag are read next.
    next_check: u64,
    interval: u64,
    last_check: Duration,
    over: bool,
    overdue: bool,
}

impl<'a> Clock<'a> {
    const LONGEST_INTERVAL: u64 = 128;
    /// Readings of the clock should not be further apart than this.
    const TARGET_GAP: Duration = Duration::from_millis(1);
    /// The first ply of a search, or its first simulation, may take this long, whatever the clock and the flag say.
    const FIRST_PLY: Duration = Duration::from_millis(10);

    /// A clock that starts now. The first node reads the flag.
    pub(crate) fn start(budget: &Budget, stop: Option<&'a AtomicBool>) -> Self {
        let limit = budget.nodes.unwrap_or(u64::MAX);
        Self {
            started: Instant::now(),
            time: budget.time,
            limit,
            stop,
            nodes: 0,
            steps: 0,
            next_check: 1,
            interval: 1,
            last_check: Duration::ZERO,
            over: limit == 0,
            overdue: false,
        }
    }

    /// A clock that started at the same moment, with its own count of nodes.
    pub(crate) fn sharing_time(&self, nodes: Option<u64>) -> Self {
        let limit = nodes.unwrap_or(u64::MAX);
        Self { limit, nodes: 0, steps: 0, next_check: 1, interval: 1, over: limit == 0, ..*self }
    }

    /// Counts one node; true if it was the last.
    #[inline]
    pub(crate) fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.step();
        self.over
    }

    /// Counts a step that is no node of its own; true if the search is overdue.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps >= self.next_check {
            self.check();
        }
        self.overdue
    }

    /// A step that is so slow that clock and flag are always read after it; true if the search is overdue.
    pub(crate) fn slow_step(&mut self) -> bool {
        self.check();
        self.overdue
    }

    #[cold]
    fn check(&mut self) {
        let now = self.started.elapsed();
        self.interval = if now.saturating_sub(self.last_check) < Self::TARGET_GAP {
            (self.interval * 2).min(Self::LONGEST_INTERVAL)
        } else {
            (self.interval / 2).max(1)
        };
        self.last_check = now;
        self.next_check = self.steps + self.interval.min(self.limit.saturating_sub(self.nodes));
        let is_stopped = self.time.is_some_and(|time| now >= time)
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.over = is_stopped || self.nodes >= self.limit;
        self.overdue = is_stopped && now >= Self::FIRST_PLY;
    }

    /// Whether the budget is spent.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether even the first ply, or the first simulation, must end: the time is over or the flag set, and it has had its
    /// time. A budget of nodes does not end it.
    pub(crate) fn is_overdue(&self) -> bool {
        self.overdue
    }

    /// Nodes counted so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes_until_over(mut clock: Clock<'_>) -> u64 {
        while !clock.tick() {}
        clock.nodes()
    }

    #[test]
    fn nodes_are_counted_to_the_last() {
        for limit in [1, 2, 1023, 1024, 1025, 5000] {
            assert_eq!(nodes_until_over(Clock::start(&Budget::nodes(limit), None)), limit);
        }
    }

    #[test]
    fn a_raised_flag_ends_it_at_the_first_node() {
        let stop = AtomicBool::new(true);
        assert_eq!(nodes_until_over(Clock::start(&Budget::UNLIMITED, Some(&stop))), 1);
    }

    #[test]
    fn a_flag_raised_on_the_way_is_seen_within_the_interval() {
        let stop = AtomicBool::new(false);
        let mut clock = Clock::start(&Budget::UNLIMITED, Some(&stop));
        for _ in 0..10_000 {
            assert!(!clock.tick());
        }
        stop.store(true, Ordering::Relaxed);
        assert!(nodes_until_over(clock) <= 10_000 + Clock::LONGEST_INTERVAL);
    }

    #[test]
    fn steps_are_no_nodes() {
        let mut clock = Clock::start(&Budget::nodes(300), None);
        while !clock.tick() {
            assert!((0..7).all(|_| !clock.step()));
        }
        assert_eq!(clock.nodes(), 300);
        assert!(!clock.is_overdue());
    }

    #[test]
    fn a_first_ply_has_its_time() {
        let stop = AtomicBool::new(true);
        let mut clock = Clock::start(&Budget::UNLIMITED, Some(&stop));
        assert!(clock.tick());
        while !clock.is_overdue() {
            clock.tick();
        }
        assert!(clock.elapsed() >= Clock::FIRST_PLY);
    }

    #[test]
    fn slow_nodes_are_watched_closely() {
        let mut clock = Clock::start(&Budget::time(Duration::from_millis(30)), None);
        while !clock.tick() {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(clock.nodes() <= 16, "{} nodes of 2 ms in a budget of 30 ms", clock.nodes());
    }
}
