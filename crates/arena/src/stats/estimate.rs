//! Scores and Elo differences with their intervals.
//!
//! Let xᵢ be the results of n independent units on the scale from 0 to 1: single games, or the mean of the two
//! games of a pair (so five values: the pentanomial model). Their mean is m. A variable with values in [0, 1]
//! and mean m varies at most by m(1 − m), as one that is only ever 0 or 1 does; draws, and pairs whose games
//! offset each other, make it vary less, by the factor
//!
//! ```text
//! d = (n·d̂ + 2) / (n + 2),   d̂ = variance(x) / (m(1 − m)).
//! ```
//!
//! The two virtual units of full variance keep a short run of equal results, such as three draws, from looking
//! certain: with n equal results the interval becomes about as wide as the rule of three asks. The interval of
//! the mean is Wilson's with n / d trials. Without draws, in the model of single games, d = 1 and this is
//! Wilson's interval itself. It stays within [0, 1] and keeps a width at 0% and at 100%; there d = 1.
//!
//! Units that repeat each other move for move are not independent: the mean is that of all of them, but n counts
//! only those that differ ([`Estimate::counting`]). That errs on the safe side where chance alone brought the same
//! game twice, and says the truth where two players without chance had nothing else to play.
//!
//! The Elo difference and its interval are those of the score, through the logistic curve. So after a clean
//! sweep the Elo difference is `None`, its lower end is a number, and its upper end is `None`: unbounded.
//!
//! References: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927);
//! the pentanomial model: M. Van den Bergh's notes for Stockfish's fishtest.

use serde::Serialize;

use super::{PairCounts, Tally, Z95, normal_cdf};

/// A 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the value lies inside or on an end.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Wilson's interval of a proportion; of no trials, everything.
///
/// ```
/// # use outplay_arena::stats::wilson;
/// let interval = wilson(8, 10);
/// assert!((interval.low - 0.4902).abs() < 1e-4 && (interval.high - 0.9433).abs() < 1e-4);
/// ```
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    wilson_of_mean(successes as f64 / trials as f64, trials as f64)
}

/// Wilson's interval, in which neither the successes nor the trials need to be whole.
fn wilson_of_mean(mean: f64, trials: f64) -> Interval {
    let z2 = Z95 * Z95;
    let centre = (mean + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half =
        Z95 / (1.0 + z2 / trials) * (mean * (1.0 - mean) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // At the ends of the scale the formula gives exactly 0 or 1, which rounding would blur.
    Interval {
        low: if mean <= 0.0 { 0.0 } else { centre - half },
        high: if mean >= 1.0 { 1.0 } else { centre + half },
    }
}

/// The share of points that goes with an Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that goes with a share of points; none for all and none for nothing.
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// An Elo difference with its 95% interval; `None` stands for an unbounded value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference itself.
    pub elo: Option<f64>,
    /// The lower end of its interval.
    pub elo_low: Option<f64>,
    /// The upper end of its interval.
    pub elo_high: Option<f64>,
}

impl Elo {
    /// What no games say.
    pub const UNKNOWN: Self = Self { elo: None, elo_low: None, elo_high: None };
}

/// What the results of a match say about the share of points to expect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    score: f64,
    /// The n of the module's note.
    units: f64,
    /// Its d̂.
    spread: f64,
}

impl Estimate {
    /// The estimate from games that are independent of each other (trinomial); none from no games.
    pub fn from_games(tally: &Tally) -> Option<Self> {
        let units = [tally.losses, tally.draws, tally.wins];
        Self::new(tally, tally.games() as f64, &units)
    }

    /// The estimate from games in pairs (pentanomial). The score is that of all games; how much it varies is
    /// read off the complete pairs. Without a complete pair it is the estimate [from games](Self::from_games).
    pub fn from_pairs(tally: &Tally, pairs: &PairCounts) -> Option<Self> {
        if pairs.pairs() == 0 {
            return Self::from_games(tally);
        }
        Self::new(tally, tally.games() as f64 / 2.0, &pairs.0)
    }

    /// `counts` are those of the units whose results are spaced evenly from 0 to 1.
    fn new(tally: &Tally, units: f64, counts: &[u64]) -> Option<Self> {
        (tally.games() > 0).then(|| Self {
            score: tally.points() / tally.games() as f64,
            units,
            spread: relative_variance(counts),
        })
    }

    /// The same score, when only this share of the units are different ones.
    #[must_use]
    pub fn counting(self, share: f64) -> Self {
        Self { units: self.units * share, ..self }
    }

    /// How many trials of a coin would say as much: n / d.
    fn trials(&self) -> f64 {
        const VIRTUAL_UNITS: f64 = 2.0;
        let d = (self.units * self.spread + VIRTUAL_UNITS) / (self.units + VIRTUAL_UNITS);
        self.units / d
    }

    /// The share of points made.
    pub const fn score(&self) -> f64 {
        self.score
    }

    /// The interval of the share of points to expect.
    pub fn score_interval(&self) -> Interval {
        wilson_of_mean(self.score, self.trials())
    }

    /// The Elo difference and its interval.
    pub fn elo(&self) -> Elo {
        let Interval { low, high } = self.score_interval();
        Elo { elo: elo_from_score(self.score), elo_low: elo_from_score(low), elo_high: elo_from_score(high) }
    }

    /// The likelihood of superiority: the probability that a player of equal strength would have made fewer points.
    pub fn superiority(&self) -> f64 {
        normal_cdf((self.score - 0.5) / (0.25 / self.trials()).sqrt())
    }
}

/// The d̂ of the module's note; 1 where all results are at one end of the scale.
fn relative_variance(counts: &[u64]) -> f64 {
    let units = counts.iter().sum::<u64>() as f64;
    let mean_of = |value: &dyn Fn(f64) -> f64| {
        let step = 1.0 / (counts.len() - 1) as f64;
        let weighed = counts.iter().enumerate().map(|(i, &count)| count as f64 * value(i as f64 * step));
        weighed.sum::<f64>() / units
    };
    let mean = mean_of(&|x| x);
    let greatest = mean * (1.0 - mean);
    if greatest > 0.0 { mean_of(&|x| (x - mean).powi(2)) / greatest } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    const fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(successes, trials);
            assert!((interval.low - low).abs() < 5e-5, "{successes}/{trials}: {interval:?}");
            assert!((interval.high - high).abs() < 5e-5, "{successes}/{trials}: {interval:?}");
        }
        assert_eq!(wilson(20, 20).high, 1.0);
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn without_draws_the_estimate_is_wilsons() {
        for (wins, losses) in [(7, 3), (1, 0), (0, 12), (50, 50)] {
            let interval = Estimate::from_games(&tally(wins, 0, losses)).unwrap().score_interval();
            let plain = wilson(wins, wins + losses);
            assert!((interval.low - plain.low).abs() < 1e-12 && (interval.high - plain.high).abs() < 1e-12);
        }
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert_eq!(elo_from_score(0.5), Some(0.0));
        assert!((elo_from_score(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9);
        for elo in [-700.0, -3.0, 0.0, 55.5] {
            assert!((elo_from_score(score_from_elo(elo)).unwrap() - elo).abs() < 1e-9);
        }
        assert_eq!((elo_from_score(0.0), elo_from_score(1.0)), (None, None));
    }

    #[test]
    fn a_clean_sweep_is_bounded_on_one_side() {
        let won = Estimate::from_games(&tally(10, 0, 0)).unwrap().elo();
        assert_eq!((won.elo, won.elo_high), (None, None));
        assert!((won.elo_low.unwrap() - 166.0).abs() < 1.0, "{won:?}");
        let lost = Estimate::from_pairs(&tally(0, 0, 10), &PairCounts([5, 0, 0, 0, 0])).unwrap().elo();
        assert_eq!((lost.elo, lost.elo_low), (None, None));
        assert!(lost.elo_high.unwrap() < 0.0);
        assert_eq!(
            serde_json::to_string(&Estimate::from_games(&tally(1, 0, 0)).unwrap().elo().elo).unwrap(),
            "null"
        );
        assert_eq!(Estimate::from_games(&Tally::default()), None);
        assert_eq!(Estimate::from_pairs(&Tally::default(), &PairCounts::default()), None);
    }

    #[test]
    fn equal_results_are_not_certain() {
        let drawn = Estimate::from_games(&tally(0, 10, 0)).unwrap().score_interval();
        assert!(drawn.low < 0.4 && drawn.high > 0.6, "{drawn:?}");
        let split = Estimate::from_pairs(&tally(10, 0, 10), &PairCounts([0, 0, 10, 0, 0])).unwrap();
        assert!(split.score_interval().high > 0.6);
        assert_eq!(split.elo().elo, Some(0.0));
    }

    #[test]
    fn pairs_that_offset_each_other_narrow_the_interval() {
        let results = tally(60, 0, 40);
        let width = |estimate: Option<Estimate>| {
            let interval = estimate.unwrap().score_interval();
            interval.high - interval.low
        };
        let games = width(Estimate::from_games(&results));
        let offsetting = width(Estimate::from_pairs(&results, &PairCounts([0, 0, 40, 0, 10])));
        let repeating = width(Estimate::from_pairs(&results, &PairCounts([20, 0, 0, 0, 30])));
        assert!(offsetting < 0.7 * games && repeating > 1.3 * games, "{offsetting} {games} {repeating}");
    }

    #[test]
    fn a_game_played_a_hundred_times_says_what_it_says_once() {
        let once = Estimate::from_pairs(&tally(1, 1, 0), &PairCounts([0, 0, 0, 1, 0])).unwrap();
        let often = Estimate::from_pairs(&tally(100, 100, 0), &PairCounts([0, 0, 0, 100, 0])).unwrap();
        let counted = often.counting(0.01);
        assert_eq!(counted, once);
        assert!(counted.elo().elo_low.unwrap() < -100.0 && often.elo().elo_low.unwrap() > 150.0);
        assert!(counted.superiority() < 0.9 && often.superiority() > 0.999);
        assert_eq!(often.counting(1.0), often);
    }

    #[test]
    fn superiority_has_known_values() {
        let of = |wins, losses| Estimate::from_games(&tally(wins, 0, losses)).unwrap().superiority();
        assert_eq!(of(5, 5), 0.5);
        // Without draws this is Φ((wins − losses) / √(wins + losses)).
        assert!((of(60, 40) - normal_cdf(2.0)).abs() < 1e-12);
        assert!((of(60, 40) + of(40, 60) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn wilson_covers() {
        let mut rng = Rng::new(1);
        for chance in [0.1, 0.3, 0.5, 0.85] {
            let covered = (0..4000).filter(|_| {
                let successes = (0..60).filter(|_| rng.unit() < chance).count();
                wilson(successes as u64, 60).contains(chance)
            });
            assert!(covered.count() >= 3720, "{chance}");
        }
    }

    /// The points of a game between players `elo` apart, with draws in the middle.
    fn simulated_points(rng: &mut Rng, elo: f64) -> f64 {
        let (win, loss) = (score_from_elo(elo - 120.0), score_from_elo(-elo - 120.0));
        let chance = rng.unit();
        if chance < win {
            1.0
        } else if chance < win + loss {
            0.0
        } else {
            0.5
        }
    }

    fn simulated_score(elo: f64) -> f64 {
        0.5 + (score_from_elo(elo - 120.0) - score_from_elo(-elo - 120.0)) / 2.0
    }

    fn count_points(tally: &mut Tally, points: f64) {
        tally.wins += u64::from(points == 1.0);
        tally.draws += u64::from(points == 0.5);
        tally.losses += u64::from(points == 0.0);
    }

    fn covers(estimate: &Estimate, elo: f64) -> bool {
        let interval = estimate.elo();
        interval.elo_low.is_none_or(|low| low <= elo) && interval.elo_high.is_none_or(|high| elo <= high)
    }

    #[test]
    fn the_elo_of_games_covers() {
        let mut rng = Rng::new(2);
        for (elo, games) in [(0.0, 30), (60.0, 100), (250.0, 40), (-400.0, 60)] {
            let truth = elo_from_score(simulated_score(elo)).unwrap();
            let covered = (0..3000).filter(|_| {
                let mut tally = Tally::default();
                (0..games).for_each(|_| count_points(&mut tally, simulated_points(&mut rng, elo)));
                covers(&Estimate::from_games(&tally).unwrap(), truth)
            });
            assert!(covered.count() >= 2790, "{elo} {games}");
        }
    }

    #[test]
    fn the_elo_of_pairs_covers_where_that_of_games_would_not() {
        let (mut rng, runs, pairs) = (Rng::new(3), 3000, 40);
        // An opening either settles both games for one player (a repeated game) or favours one seat.
        for (swing, repeated) in [(300.0, 0.0), (600.0, 0.0), (100.0, 0.9)] {
            let mut covered = [0, 0];
            for _ in 0..runs {
                let (mut tally, mut counts) = (Tally::default(), PairCounts::default());
                for _ in 0..pairs {
                    let bias = if rng.unit() < 0.5 { swing } else { -swing };
                    let first = simulated_points(&mut rng, bias);
                    let second =
                        if rng.unit() < repeated { first } else { simulated_points(&mut rng, -bias) };
                    count_points(&mut tally, first);
                    count_points(&mut tally, second);
                    counts.count(first + second);
                }
                covered[0] += u64::from(covers(&Estimate::from_pairs(&tally, &counts).unwrap(), 0.0));
                covered[1] += u64::from(covers(&Estimate::from_games(&tally).unwrap(), 0.0));
            }
            assert!(covered[0] >= runs * 93 / 100, "{swing} {repeated}: {covered:?}");
            assert!(repeated == 0.0 || covered[1] < runs * 90 / 100, "{swing} {repeated}: {covered:?}");
        }
    }
}
