//! Shares that vary for two reasons: by chance from trial to trial, and from one group of trials to the next.
//!
//! A group is what one trained network achieved, in trials of its own; groups that share their trials are
//! [`CrossedShares`](super::CrossedShares). Of k groups with n trials each, let m be the mean of the groups' shares and s² their
//! variance, which holds both kinds of chance. Student's intervals follow from s with k − 1 degrees of freedom; where
//! s happens to be smaller than trials alone would make it, the interval that trials alone would give is taken
//! instead:
//!
//! ```text
//! of m itself:                             t·s/√k                          at least Wilson's of all kn trials
//! of m − p, p one more group's N trials:   t·√(s²(1 + 1/k) + q(1−q)·δ)     at least z·√(q(1−q)·(1/kn + 1/N))
//! ```
//!
//! with t Student's quantile, z the normal one, q the share of all trials together, and δ = max(0, 1/N − 1/n) for a
//! group that has fewer trials than ours. The second says in what interval one more group would lie, so that a
//! document's single network is compared with networks, not with their mean. Of one group s is not known, and the
//! trials alone decide.

use super::student::{mean, student_quantile, variance};
use crate::stats::{Interval, Z95, wilson};

/// Successes and trials, group by group; at least one group, none of them without trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares(Vec<(u64, u64)>);

impl Shares {
    /// Groups of (successes, trials).
    pub fn of_groups(groups: Vec<(u64, u64)>) -> Self {
        assert!(!groups.is_empty() && groups.iter().all(|&(_, trials)| trials > 0), "{groups:?}");
        Self(groups)
    }

    /// One group.
    pub fn of(successes: u64, trials: u64) -> Self {
        Self::of_groups(vec![(successes, trials)])
    }

    /// The mean of the groups' shares.
    pub fn mean(&self) -> f64 {
        mean(&self.each())
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never: there is at least one group.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All trials.
    pub fn trials(&self) -> u64 {
        self.0.iter().map(|&(_, trials)| trials).sum()
    }

    /// By how much groups differ by the chance of their trials, as a standard deviation.
    pub fn chance(&self) -> f64 {
        (self.mean() * (1.0 - self.mean()) / self.trials_a_group()).sqrt()
    }

    /// By how much they differ beyond that, as a standard deviation. Unknown of one group.
    pub fn spread(&self) -> Option<f64> {
        Some((self.variance()? - self.chance().powi(2)).max(0.0).sqrt())
    }

    /// The interval of the mean.
    pub fn interval(&self) -> Interval {
        let Interval { low, high } = wilson(self.successes(), self.trials());
        let half = self.student() * (self.variance().unwrap_or(0.0) / self.groups()).sqrt();
        Interval { low: low.min(self.mean() - half).max(0.0), high: high.max(self.mean() + half).min(1.0) }
    }

    /// Half of the interval of the difference to one more group, whose share of `trials` is known.
    pub fn margin_to(&self, share: f64, trials: u64) -> f64 {
        let (own, other) = (self.trials() as f64, trials as f64);
        let together = (self.successes() as f64 + share * other) / (own + other);
        let varies = together * (1.0 - together);
        let by_trials = Z95 * (varies * (1.0 / own + 1.0 / other)).sqrt();
        let by_groups = self.variance().map_or(0.0, |variance| {
            let fewer_trials = (1.0 / other - 1.0 / self.trials_a_group()).max(0.0);
            self.student() * (variance * (1.0 + 1.0 / self.groups()) + varies * fewer_trials).sqrt()
        });
        by_trials.max(by_groups)
    }

    /// The interval of this mean minus another one.
    pub fn difference(&self, other: &Self) -> Interval {
        let (mine, theirs) = (self.interval(), other.interval());
        let (mean, other) = (self.mean(), other.mean());
        Interval {
            low: mean - other - (mean - mine.low).hypot(theirs.high - other),
            high: mean - other + (mine.high - mean).hypot(other - theirs.low),
        }
    }

    /// The variance of the groups' shares; unknown of one group.
    fn variance(&self) -> Option<f64> {
        variance(&self.each())
    }

    fn student(&self) -> f64 {
        student_quantile(self.0.len() - 1)
    }

    fn trials_a_group(&self) -> f64 {
        self.trials() as f64 / self.groups()
    }

    fn each(&self) -> Vec<f64> {
        self.0.iter().map(|&(successes, trials)| successes as f64 / trials as f64).collect()
    }

    fn groups(&self) -> f64 {
        self.0.len() as f64
    }

    fn successes(&self) -> u64 {
        self.0.iter().map(|&(successes, _)| successes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::student::simulated_normal;
    use super::*;
    use outplay_core::Rng;

    #[test]
    fn one_group_has_wilsons_interval_and_no_spread() {
        let shares = Shares::of(80, 100);
        assert_eq!(shares.spread(), None);
        assert_eq!(shares.interval(), wilson(80, 100));
        // The pooled test of two proportions: q = 0.75, z·√(0.1875·0.02).
        assert!((shares.margin_to(0.7, 100) - 0.120_02).abs() < 1e-5);
    }

    #[test]
    fn equal_groups_have_no_spread_and_unequal_ones_widen_the_interval() {
        let equal = Shares::of_groups(vec![(50, 100); 4]);
        assert_eq!(equal.spread(), Some(0.0));
        assert_eq!(equal.interval(), wilson(200, 400));
        let unequal = Shares::of_groups(vec![(30, 100), (70, 100), (40, 100), (60, 100)]);
        assert_eq!(unequal.mean(), 0.5);
        assert!(unequal.interval().low < equal.interval().low - 0.1);
        assert!(unequal.margin_to(0.5, 100) > 2.0 * equal.margin_to(0.5, 100));
        assert!(equal.difference(&unequal).contains(0.0));
    }

    #[test]
    fn nothing_leaves_the_scale() {
        let all = Shares::of_groups(vec![(20, 20), (20, 20), (12, 20)]);
        let interval = all.interval();
        assert!(interval.low >= 0.0 && interval.high <= 1.0, "{interval:?}");
        assert_eq!(Shares::of(0, 20).margin_to(0.0, 1000), 0.0);
    }

    fn group(rng: &mut Rng, mean: f64, spread: f64, trials: u64) -> (u64, u64) {
        let chance = spread.mul_add(simulated_normal(rng), mean).clamp(0.0, 1.0);
        ((0..trials).filter(|_| rng.unit() < chance).count() as u64, trials)
    }

    #[test]
    fn the_intervals_cover() {
        let mut rng = Rng::new(4);
        for (groups, trials, mean, spread) in [
            (1, 100, 0.6, 0.0),
            (4, 50, 0.5, 0.0),
            (4, 50, 0.5, 0.1),
            (5, 100, 0.7, 0.04),
            (5, 100, 0.3, 0.02),
        ] {
            let (runs, mut of_mean, mut of_difference) = (2000, 0, 0);
            for _ in 0..runs {
                let shares =
                    Shares::of_groups((0..groups).map(|_| group(&mut rng, mean, spread, trials)).collect());
                of_mean += u32::from(shares.interval().contains(mean));
                let (successes, others) = group(&mut rng, mean, spread, 200);
                let other = successes as f64 / others as f64;
                of_difference += u32::from((shares.mean() - other).abs() <= shares.margin_to(other, others));
            }
            let least = runs * 93 / 100;
            assert!(of_mean >= least && of_difference >= least, "{spread}: {of_mean} {of_difference}");
        }
    }
}
