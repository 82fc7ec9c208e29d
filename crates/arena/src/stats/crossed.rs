//! Shares of questions that every group was asked: groups and questions vary, and neither is a new trial for the other.
//!
//! A group is one trained network, an item one position. All k groups answer the same n items, and whether an answer
//! is right depends on who answers, on what is asked, and on chance:
//!
//! ```text
//! x(g, i) = m + a(g) + b(i) + e(g, i).
//! ```
//!
//! Let A be the variance of the groups' means, B that of the items' means, and E the mean square of what neither
//! explains, with (k − 1)(n − 1) degrees of freedom. On average A is var a + var e / n, B is var b + var e / k and E
//! is var e, so the variance of the mean of all answers is estimated by
//!
//! ```text
//! V = A/k + B/n − E/kn,   but not less than A/k or B/n, since no variance is negative.
//! ```
//!
//! The interval is m ± t·√V; Student's t has the degrees of freedom of the scarcer factor, min(k, n) − 1, which is too
//! few, on the safe side, where the other one decides. One group leaves V = B/n and n − 1 degrees.
//!
//! Another player that answered the same items once is compared item by item: of x(g, i) − y(i) only the items' means
//! differ from those of x, while A and E are the same.
//!
//! References: S. Searle, G. Casella, C. McCulloch, "Variance Components" (1992), ch. 4; V is also that of A. Cameron,
//! J. Gelbach, D. Miller, "Robust inference with multiway clustering" (2011).

use super::student::{mean, student_quantile, variance};
use crate::stats::{Interval, wilson};

/// Shares of right answers, by group and by item; at least one of either.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossedShares {
    groups: Vec<f64>,
    items: Vec<f64>,
}

impl CrossedShares {
    /// Which items each group answered rightly.
    pub fn of(answers: &[Vec<bool>]) -> Self {
        let asked = answers.first().map_or(0, Vec::len);
        assert!(asked > 0 && answers.iter().all(|group| group.len() == asked), "{asked}");
        let share = |right: usize, of: usize| right as f64 / of as f64;
        let right_in = |item: usize| answers.iter().filter(|group| group[item]).count();
        Self {
            groups: answers.iter().map(|group| share(count(group), asked)).collect(),
            items: (0..asked).map(|item| share(right_in(item), answers.len())).collect(),
        }
    }

    /// The share of all answers.
    pub fn mean(&self) -> f64 {
        mean(&self.groups)
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// How many answers there are.
    pub fn answers(&self) -> u64 {
        (self.groups.len() * self.items.len()) as u64
    }

    /// By how much groups differ by the chance of their answers to the same items, as a standard deviation. Unknown of
    /// one group or one item.
    pub fn chance(&self) -> Option<f64> {
        Some((self.unexplained()? / self.items.len() as f64).sqrt())
    }

    /// By how much they differ beyond that, as a standard deviation.
    pub fn spread(&self) -> Option<f64> {
        Some((variance(&self.groups)? - self.chance()?.powi(2)).max(0.0).sqrt())
    }

    /// The interval of the mean. Wilson's, with items as trials, of one group and where all answers are alike.
    pub fn interval(&self) -> Interval {
        let (mean, items) = (self.mean(), self.items.len() as u64);
        if self.groups.len() == 1 || mean == 0.0 || mean == 1.0 {
            return wilson((mean * items as f64).round() as u64, items);
        }
        let half = self.variance_of_mean(&self.items).map_or(1.0, |variance| self.half(variance));
        Interval { low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
    }

    /// This mean minus the share of another player that answered the same items, and the interval of the difference.
    pub fn minus(&self, other: &[bool]) -> (f64, Interval) {
        assert_eq!(other.len(), self.items.len());
        let items: Vec<f64> =
            self.items.iter().zip(other).map(|(share, &right)| share - f64::from(u8::from(right))).collect();
        let half = match self.variance_of_mean(&items) {
            None => 1.0,
            // No difference was seen, which does not prove that there is none.
            Some(0.0) => wilson(0, other.len() as u64).high,
            Some(variance) => self.half(variance),
        };
        let mean = mean(&items);
        (mean, Interval { low: (mean - half).max(-1.0), high: (mean + half).min(1.0) })
    }

    /// V of the module's note; unknown of one item.
    fn variance_of_mean(&self, items: &[f64]) -> Option<f64> {
        let by_items = variance(items)? / items.len() as f64;
        let Some(variance) = variance(&self.groups) else { return Some(by_items) };
        let by_groups = variance / self.groups.len() as f64;
        let counted_twice = self.unexplained()? / self.answers() as f64;
        Some((by_groups + by_items - counted_twice).max(by_groups).max(by_items))
    }

    /// E of the module's note.
    fn unexplained(&self) -> Option<f64> {
        let (k, n, mean) = (self.groups.len() as f64, self.items.len() as f64, self.mean());
        let (by_groups, by_items) = (variance(&self.groups)?, variance(&self.items)?);
        let degrees = (k - 1.0) * (n - 1.0);
        let squares = k * n * mean * (1.0 - mean) - n * (k - 1.0) * by_groups - k * (n - 1.0) * by_items;
        Some((squares / degrees).max(0.0))
    }

    fn half(&self, variance: f64) -> f64 {
        let (k, n) = (self.groups.len(), self.items.len());
        student_quantile(if k == 1 { n } else { k.min(n) } - 1) * variance.sqrt()
    }
}

fn count(answers: &[bool]) -> usize {
    answers.iter().filter(|&&right| right).count()
}

#[cfg(test)]
mod tests {
    use super::super::share::Shares;
    use super::super::student::simulated_normal;
    use super::*;
    use outplay_core::Rng;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn the_variance_is_that_of_a_table_worked_by_hand() {
        let crossed = CrossedShares::of(&[vec![true, true, false], vec![true, false, false]]);
        // Groups 2/3 and 1/3, items 1, ½ and 0: A = 1/18, B = 1/4. Squares 3/2 = 1/6 by groups + 1 by items + 1/3.
        let (a, b, e) = (1.0 / 18.0, 0.25, 1.0 / 6.0);
        assert!(near(crossed.unexplained().unwrap(), e));
        assert!(near(crossed.variance_of_mean(&crossed.items).unwrap(), a / 2.0 + b / 3.0 - e / 6.0));
        assert!(near(crossed.chance().unwrap().powi(2), e / 3.0));
        assert!(crossed.spread().unwrap() < 1e-6);
        // Minus a player that knows the second only: items 1, −½, 0 with B = 7/12.
        let items = [1.0, -0.5, 0.0];
        let (difference, interval) = crossed.minus(&[false, true, false]);
        let v = a / 2.0 + 7.0 / 36.0 - e / 6.0;
        assert!(near(crossed.variance_of_mean(&items).unwrap(), v) && near(difference, 1.0 / 6.0));
        assert_eq!(interval, Interval { low: -1.0, high: 1.0 });
    }

    #[test]
    fn one_group_has_wilsons_interval_and_the_paired_difference() {
        let answers: Vec<bool> = (0..100).map(|i| i < 80).collect();
        let other: Vec<bool> = (0..100).map(|i| i < 70).collect();
        let crossed = CrossedShares::of(std::slice::from_ref(&answers));
        assert_eq!((crossed.interval(), crossed.spread()), (wilson(80, 100), None));
        let (difference, interval) = crossed.minus(&other);
        // Ten differences of one and ninety of none: variance 9/99.
        let half = student_quantile(99) * (9.0 / 99.0 / 100.0f64).sqrt();
        assert!(near(difference, 0.1) && (interval.high - 0.1 - half).abs() < 1e-9);
        let (difference, interval) = crossed.minus(&answers);
        assert!(difference == 0.0 && near(interval.high, wilson(0, 100).high));
    }

    #[test]
    fn groups_that_are_all_alike_are_one_group() {
        let answers: Vec<bool> = (0..400).map(|i| i % 4 > 0).collect();
        let (one, many) =
            (CrossedShares::of(std::slice::from_ref(&answers)), CrossedShares::of(&vec![answers; 30]));
        let width = |crossed: &CrossedShares| crossed.interval().high - crossed.interval().low;
        assert!((width(&many) / width(&one) - student_quantile(29) / 1.96).abs() < 0.01);
        assert_eq!(CrossedShares::of(&vec![vec![true; 50]; 30]).interval(), wilson(50, 50));
    }

    #[test]
    fn one_item_says_nothing_about_others() {
        let crossed = CrossedShares::of(&[vec![true], vec![false]]);
        assert_eq!(crossed.interval(), Interval { low: 0.0, high: 1.0 });
        assert_eq!(crossed.minus(&[true]).1, Interval { low: -1.0, high: 0.5 });
        assert_eq!(crossed.chance(), None);
    }

    /// Groups and items of which the chance of a right answer is a sum.
    struct World {
        groups: usize,
        items: usize,
        mean: f64,
        /// Standard deviation of the groups' part.
        by_group: f64,
        /// The items' part is this, more or less.
        by_item: f64,
    }

    impl World {
        /// The answers of the groups, and of another player whose chance is `mean` plus the item's part.
        fn answers(&self, rng: &mut Rng) -> (Vec<Vec<bool>>, Vec<bool>) {
            let parts: Vec<f64> = (0..self.items)
                .map(|_| if rng.unit() < 0.5 { self.by_item } else { -self.by_item })
                .collect();
            let groups = (0..self.groups).map(|_| {
                let ability = self.by_group.mul_add(simulated_normal(rng), self.mean);
                parts.iter().map(|part| rng.unit() < ability + part).collect()
            });
            let groups = groups.collect();
            (groups, parts.iter().map(|part| rng.unit() < self.mean + part).collect())
        }

        /// The variances of the groups' share and of its difference to the other's, in which the items' part cancels.
        fn variances(&self) -> [f64; 2] {
            let (k, n) = (self.groups as f64, self.items as f64);
            let [by_group, by_item] = [self.by_group, self.by_item].map(|part| part.powi(2));
            let others_chance = self.mean * (1.0 - self.mean) - by_item;
            let common = by_group / k + (others_chance - by_group) / (k * n);
            [common + by_item / n, common + others_chance / n]
        }
    }

    #[test]
    fn the_intervals_cover_and_are_not_wide() {
        let mut rng = Rng::new(6);
        for (groups, items, mean, by_group, by_item) in [
            (30, 300, 0.75, 0.01, 0.2),
            (30, 300, 0.6, 0.04, 0.2),
            (30, 60, 0.4, 0.0, 0.3),
            (30, 300, 0.5, 0.02, 0.0),
            (8, 200, 0.7, 0.03, 0.2),
            (8, 200, 0.5, 0.0, 0.0),
        ] {
            let world = World { groups, items, mean, by_group, by_item };
            let (runs, mut covered, mut widths) = (1000, [0; 2], [0.0; 2]);
            for _ in 0..runs {
                let (answers, other) = world.answers(&mut rng);
                let crossed = CrossedShares::of(&answers);
                let found = [(crossed.interval(), mean), (crossed.minus(&other).1, 0.0)];
                for (i, (interval, truth)) in found.into_iter().enumerate() {
                    covered[i] += u32::from(interval.contains(truth));
                    widths[i] += (interval.high - interval.low) / f64::from(runs);
                }
            }
            let best = world.variances().map(|variance| 2.0 * 1.96 * variance.sqrt());
            let ratios = [widths[0] / best[0], widths[1] / best[1]];
            let said = format!("{groups} {items} {by_group} {by_item}: {covered:?} {ratios:?}");
            assert!(covered.iter().all(|&covered| covered >= runs * 93 / 100), "{said}");
            assert!(ratios.iter().all(|&ratio| ratio < 1.35), "{said}");
        }
    }

    #[test]
    fn groups_alone_or_single_answers_would_not_cover() {
        let (mut rng, runs, mut covered) = (Rng::new(7), 500, 0);
        let world = World { groups: 30, items: 300, mean: 0.7, by_group: 0.01, by_item: 0.25 };
        for _ in 0..runs {
            let answers = world.answers(&mut rng).0;
            let groups = answers.iter().map(|group| (count(group) as u64, group.len() as u64)).collect();
            covered += u32::from(Shares::of_groups(groups).interval().contains(world.mean));
        }
        assert!(covered < runs * 80 / 100, "{covered}");
    }
}
