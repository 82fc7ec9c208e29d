//! The sequential test: play until one of two hypotheses is the better one.
//!
//! H₀ says that the first player is `elo0` stronger, H₁ that it is `elo1` stronger. After each unit (a pair, or
//! a game where games are not paired) the generalised log-likelihood ratio is compared with Wald's bounds
//!
//! ```text
//! ln(β / (1 − α))  <  LLR  <  ln((1 − β) / α).
//! ```
//!
//! Each likelihood is the greatest that any distribution over the possible results of a unit, with the
//! hypothesis' mean s, gives to the counts nᵢ seen of the results xᵢ. That distribution is
//! pᵢ = nᵢ / (N·(1 + λ(xᵢ − s))), where λ is the root of Σ nᵢ(xᵢ − s) / (1 + λ(xᵢ − s)) = 0, so
//!
//! ```text
//! LLR = Σ nᵢ·ln((1 + λ₀(xᵢ − s₀)) / (1 + λ₁(xᵢ − s₁))).
//! ```
//!
//! Results not seen yet count as a thousandth of one, so that every mean can be had. Reference: M. Van den
//! Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution", the test of
//! Stockfish's fishtest.

use outplay_core::errors;
use serde::Serialize;

use super::{PairCounts, Tally, score_from_elo};

/// A sequential test between two Elo differences, each error having probability 5%.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

errors! {
    /// Hypotheses that cannot be told apart by this test.
    #[derive(Clone, Copy, PartialEq)]
    pub enum SprtError {
        NotOrdered { elo0: f64, elo1: f64 } =
            "a sequential test cannot lead from {elo0} to {elo1} Elo: expected two finite numbers, the lower first"
            | "un test séquentiel ne peut aller de {elo0} à {elo1} Elo : attendu deux nombres finis, le plus petit d’abord",
    }
}

/// What a sequential test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// Neither hypothesis is clearly better: play on.
    Continue,
    /// The lower Elo difference is the better hypothesis.
    AcceptH0,
    /// The higher Elo difference is the better hypothesis.
    AcceptH1,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The hypotheses.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H₀ is accepted at or below this ratio.
    pub lower: f64,
    /// H₁ is accepted at or above this ratio.
    pub upper: f64,
    /// The conclusion.
    pub verdict: SprtVerdict,
}

impl Sprt {
    /// The probability of accepting H₁ when H₀ holds.
    pub const ALPHA: f64 = 0.05;
    /// The probability of accepting H₀ when H₁ holds.
    pub const BETA: f64 = 0.05;

    /// The test of `elo1` against `elo0`, which is lower.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let (score0, score1) = (score_from_elo(elo0), score_from_elo(elo1));
        let ordered = 0.0 < score0 && score0 < score1 && score1 < 1.0;
        ordered.then_some(Self { elo0, elo1 }).ok_or(SprtError::NotOrdered { elo0, elo1 })
    }

    /// Where the test stands after these pairs.
    pub fn after_pairs(&self, pairs: &PairCounts) -> SprtReport {
        self.report(&pairs.0)
    }

    /// Where the test stands after these games, none of them paired.
    pub fn after_games(&self, tally: &Tally) -> SprtReport {
        self.report(&[tally.losses, tally.draws, tally.wins])
    }

    fn report(&self, counts: &[u64]) -> SprtReport {
        self.judge(log_likelihood_ratio(counts, score_from_elo(self.elo0), score_from_elo(self.elo1)))
    }

    fn judge(&self, llr: f64) -> SprtReport {
        let (lower, upper) =
            ((Self::BETA / (1.0 - Self::ALPHA)).ln(), ((1.0 - Self::BETA) / Self::ALPHA).ln());
        let verdict = if llr <= lower {
            SprtVerdict::AcceptH0
        } else if llr >= upper {
            SprtVerdict::AcceptH1
        } else {
            SprtVerdict::Continue
        };
        SprtReport { test: *self, llr, lower, upper, verdict }
    }
}

impl SprtReport {
    /// Where the test stands when only this share of the units are different ones: each unit adds its part to the
    /// ratio, and one that repeats another adds nothing.
    #[must_use]
    pub fn counting(&self, share: f64) -> Self {
        self.test.judge(self.llr * share)
    }
}

/// The ratio of the module's note; `counts` are those of results spaced evenly from 0 to 1.
fn log_likelihood_ratio(counts: &[u64], mean0: f64, mean1: f64) -> f64 {
    const UNSEEN: f64 = 1e-3;
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let step = 1.0 / (counts.len() - 1) as f64;
    let results: Vec<(f64, f64)> = counts
        .iter()
        .enumerate()
        .map(|(i, &count)| (i as f64 * step, if count == 0 { UNSEEN } else { count as f64 }))
        .collect();
    let (tilt0, tilt1) = (tilt_to_mean(&results, mean0), tilt_to_mean(&results, mean1));
    let log_ratio = |x: f64| ((1.0 + tilt0 * (x - mean0)) / (1.0 + tilt1 * (x - mean1))).ln();
    results.iter().map(|&(x, count)| count * log_ratio(x)).sum()
}

/// The λ of the module's note. The sum falls from +∞ to −∞ between the two poles, so bisection finds its root.
fn tilt_to_mean(results: &[(f64, f64)], mean: f64) -> f64 {
    const HALVINGS: u32 = 60;
    let slope = |tilt: f64| -> f64 {
        results.iter().map(|&(x, count)| count * (x - mean) / (1.0 + tilt * (x - mean))).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    #[test]
    fn the_ratio_of_plain_wins_and_losses_is_the_binomial_one() {
        let (s0, s1) = (score_from_elo(0.0), score_from_elo(20.0));
        let exact = 700.0 * (s1 / s0).ln() + 300.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let llr = log_likelihood_ratio(&[300, 700], s0, s1);
        assert!((llr - exact).abs() < 1e-9, "{llr} {exact}");
        let with_an_empty_middle = log_likelihood_ratio(&[300, 0, 700], s0, s1);
        assert!((with_an_empty_middle - exact).abs() < 1e-3);
    }

    #[test]
    fn the_ratio_is_close_to_its_normal_approximation() {
        let counts = [300, 2000, 5000, 2200, 350];
        let (s0, s1) = (score_from_elo(0.0), score_from_elo(5.0));
        let total: u64 = counts.iter().sum();
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            let sum: f64 = counts.iter().enumerate().map(|(i, &n)| n as f64 * f(i as f64 / 4.0)).sum();
            sum / total as f64
        };
        let mean = mean_of(&|x| x);
        let variance = mean_of(&|x| (x - mean).powi(2));
        let normal = total as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = log_likelihood_ratio(&counts, s0, s1);
        assert!((llr / normal - 1.0).abs() < 0.02, "{llr} {normal}");
    }

    #[test]
    fn nothing_seen_is_nothing_known() {
        let report = Sprt::new(0.0, 10.0).unwrap().after_pairs(&PairCounts::default());
        assert_eq!((report.llr, report.verdict), (0.0, SprtVerdict::Continue));
        assert!((report.upper - 2.944_438_979_166_44).abs() < 1e-12 && report.lower == -report.upper);
    }

    #[test]
    fn extreme_counts_give_finite_ratios() {
        let test = Sprt::new(-5.0, 5.0).unwrap();
        for only in 0..5 {
            let mut pairs = PairCounts::default();
            pairs.0[only] = 1_000_000;
            let report = test.after_pairs(&pairs);
            assert!(report.llr.is_finite(), "{report:?}");
            let side = report.llr.partial_cmp(&0.0).unwrap();
            assert_eq!(side, if only == 2 { side } else { only.cmp(&2) });
        }
    }

    #[test]
    fn repeated_pairs_settle_nothing() {
        let test = Sprt::new(0.0, 50.0).unwrap();
        let report = test.after_pairs(&PairCounts([0, 0, 0, 500, 0]));
        assert_eq!(report.verdict, SprtVerdict::AcceptH1);
        assert_eq!(report.counting(1.0), report);
        let counted = report.counting(0.002);
        assert_eq!((counted.llr, counted.verdict), (report.llr * 0.002, SprtVerdict::Continue));
    }

    #[test]
    fn hypotheses_have_an_order() {
        for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e9, 0.0)] {
            let message = Sprt::new(elo0, elo1).unwrap_err().to_string();
            assert!(message.contains(&elo0.to_string()), "{message}");
        }
    }

    /// A pair of games from one opening, which favours a seat; half of the games that are not won are drawn.
    fn simulated_pair(rng: &mut Rng, score: f64) -> f64 {
        let swing = if rng.unit() < 0.5 { 0.1 } else { -0.1 };
        let mut game = |expected: f64| {
            let win = expected - 0.2;
            let chance = rng.unit();
            if chance < win {
                1.0
            } else if chance < win + 0.4 {
                0.5
            } else {
                0.0
            }
        };
        game(score + swing) + game(score - swing)
    }

    fn simulated_verdict(test: &Sprt, rng: &mut Rng, elo: f64) -> SprtVerdict {
        let mut pairs = PairCounts::default();
        loop {
            pairs.count(simulated_pair(rng, score_from_elo(elo)));
            let verdict = test.after_pairs(&pairs).verdict;
            if verdict != SprtVerdict::Continue {
                return verdict;
            }
        }
    }

    #[test]
    fn both_errors_stay_near_five_in_a_hundred() {
        let (test, runs) = (Sprt::new(0.0, 40.0).unwrap(), 600);
        for (elo, wrong) in [(0.0, SprtVerdict::AcceptH1), (40.0, SprtVerdict::AcceptH0)] {
            let mut rng = Rng::new(4);
            let errors = (0..runs).filter(|_| simulated_verdict(&test, &mut rng, elo) == wrong).count();
            // Two standard deviations above 5% of the runs.
            assert!(errors <= 41, "{errors} of {runs} at {elo}");
        }
    }
}
