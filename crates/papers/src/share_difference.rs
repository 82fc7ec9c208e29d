//! The difference between two shares, and what can be told from it.

use std::fmt;

use outplay_arena::stats::{Interval, Shares};

/// By how much one share exceeds another, with its interval.
pub(crate) struct ShareDifference {
    mean: f64,
    interval: Interval,
}

impl ShareDifference {
    /// Of the first to the second.
    pub(crate) fn of(ours: &Shares, theirs: &Shares) -> Self {
        Self { mean: ours.mean() - theirs.mean(), interval: ours.difference(theirs) }
    }

    /// One of three texts: the share is less than the other, cannot be told from it, or is more.
    pub(crate) const fn say<'a>(&self, [less, unclear, more]: [&'a str; 3]) -> &'a str {
        if self.interval.high < 0.0 {
            less
        } else if self.interval.low > 0.0 {
            more
        } else {
            unclear
        }
    }
}

impl fmt::Display for ShareDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mean, low, high] = [self.mean, self.interval.low, self.interval.high].map(|share| 100.0 * share);
        write!(f, "{mean:+.1} points (95% interval {low:+.1} to {high:+.1})")
    }
}
