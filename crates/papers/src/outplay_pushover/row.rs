//! The results of one player, with their intervals.

use super::keepers::{Config, Entrant, ScoreAgainstPerfect};
use crate::artefact::Records;
use outplay_arena::stats::{CrossedShares, student_interval};
use outplay_arena::stats::{Estimate, Interval, Tally};
use outplay_report::Number;
use outplay_runtime::WorkError;

/// The results of one player.
pub(super) struct PlayerRow {
    pub(super) name: &'static str,
    /// In which positions it kept the value; by network, or once.
    kept: Vec<Vec<bool>>,
    /// Its results against `perfect`; by network, or once.
    scored: Vec<ScoreAgainstPerfect>,
}

impl PlayerRow {
    pub(super) fn of(name: &'static str, config: &Config, records: &Records) -> Result<Self, WorkError> {
        let entrants = Entrant::all(name, config);
        let kept: Result<_, WorkError> =
            entrants.iter().map(|entrant| entrant.kept(config, records)).collect();
        let scored: Result<_, WorkError> =
            entrants.iter().map(|entrant| entrant.scored(config, records)).collect();
        Ok(Self { name, kept: kept?, scored: scored? })
    }

    /// The share of values kept in these positions, or nothing where there was none to keep.
    pub(super) fn share(&self, positions: &[usize]) -> Option<Number> {
        let of = |kept: &Vec<bool>| positions.iter().map(|&position| kept[position]).collect();
        let answers: Vec<Vec<bool>> = self.kept.iter().map(of).collect();
        (!positions.is_empty()).then(|| Number::crossed(self.name, &CrossedShares::of(&answers)))
    }

    /// The share of values kept minus that of a player who is asked once, position by position.
    pub(super) fn minus(&self, other: &Self) -> Number {
        let crossed = CrossedShares::of(&self.kept);
        let (difference, interval) = crossed.minus(&other.kept[0]);
        let name = format!("{} minus {}", self.name, other.name);
        Number::percent(name, difference, interval, crossed.groups(), crossed.answers())
    }

    /// The results against `perfect` of all networks together.
    pub(super) fn results(&self) -> ScoreAgainstPerfect {
        self.scored.iter().copied().sum()
    }

    /// The share of points made against `perfect`. Its interval is that of the pairs; that of several networks is
    /// Student's over their scores, at least the other.
    pub(super) fn score(&self) -> Option<Number> {
        let results = self.results();
        let estimate = Estimate::from_pairs(&results.tally(), &results.pairs)?;
        let score = |tally: Tally| tally.points() / tally.games() as f64;
        let scores: Vec<f64> = self.scored.iter().map(|scored| score(scored.tally())).collect();
        let of_pairs = estimate.score_interval();
        let interval = student_interval(&scores).map_or(of_pairs, |of_networks| Interval {
            low: of_networks.low.min(of_pairs.low).max(0.0),
            high: of_networks.high.max(of_pairs.high).min(1.0),
        });
        Some(Number::percent(self.name, estimate.score(), interval, scores.len(), results.tally().games()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_arena::stats::PairCounts;

    /// A network that wins this many of its hundred games with o and loses all with +.
    fn scored(wins: u64) -> ScoreAgainstPerfect {
        ScoreAgainstPerfect {
            as_o: Tally { wins, draws: 0, losses: 100 - wins },
            as_plus: Tally { wins: 0, draws: 0, losses: 100 },
            pairs: PairCounts([100 - wins, 0, wins, 0, 0]),
        }
    }

    fn interval(scored: Vec<ScoreAgainstPerfect>) -> Interval {
        PlayerRow { name: "x", kept: Vec::new(), scored }.score().unwrap().interval
    }

    #[test]
    fn networks_that_differ_widen_the_interval_of_points() {
        let results = scored(20);
        let of_pairs = Estimate::from_pairs(&results.tally(), &results.pairs).unwrap().score_interval();
        assert_eq!(interval(vec![results]).low, 100.0 * of_pairs.low);
        // Scores of 5, 10 and 15%: Student's with two degrees, 10 ± 4.303·5/√3.
        let varied = interval(vec![scored(10), scored(20), scored(30)]);
        assert_eq!(varied.low, 0.0);
        assert!((varied.high - 22.42).abs() < 0.01, "{varied:?}");
        // Equal scores by luck are not certain.
        let [equal, one] = [vec![results; 3], vec![results]].map(interval);
        assert!(one.low < equal.low && equal.low < 10.0 - 1.0, "{equal:?}");
    }
}
