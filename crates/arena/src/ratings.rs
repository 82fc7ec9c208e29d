//! Ratings of many players from the games between them.
//!
//! The model is Bradley and Terry's: the player in the first seat makes the share σ(θ₁ − θ₂ + h) of the points,
//! where σ is the logistic curve, θ are the players' strengths and h is the advantage of sitting first. A draw is
//! half a win and half a loss. Games that repeat each other count in the share of points but weigh together no more
//! than the different ones among them. The prior is weak: each θ, and h, is normal around 0 with a standard deviation of
//! [`PRIOR_ELO`], which weighs about as much as half a drawn game. It keeps every rating finite, whatever the
//! score, and rates groups that never met against their own mean.
//!
//! Properties:
//! - The ratings are the maximum of the posterior, which is unique because its logarithm is strictly concave, and
//!   their mean is 0: games only push two players apart, and the prior pulls all of them equally.
//! - They do not depend on the order in which results are given.
//! - Intervals are those of the normal approximation at the maximum (the inverse of the Hessian), for ratings
//!   relative to the mean. Draws make scores vary less than the model thinks, so these are on the safe side.
//!
//! References: R. A. Bradley and M. E. Terry (1952); R. Coulom, "Bayesian Elo rating" (2005).

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::LN_10;

use serde::Serialize;

use crate::stats::{Tally, Z95};

/// The standard deviation of a strength before any game was seen.
pub const PRIOR_ELO: f64 = 500.0;

/// Elo per unit of log-odds.
const ELO: f64 = 400.0 / LN_10;

/// Games between two players who kept their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter<'a> {
    /// Who sat first.
    pub first: &'a str,
    /// Who sat second.
    pub second: &'a str,
    /// The results, from the point of view of who sat first.
    pub tally: Tally,
    /// How many of these games are different ones.
    pub distinct: u64,
}

/// A number of Elo with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatedElo {
    /// The most likely value.
    pub elo: f64,
    /// The lower end.
    pub elo_low: f64,
    /// The upper end.
    pub elo_high: f64,
}

/// One player's rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The player.
    pub name: String,
    /// Its strength, relative to the mean of all players.
    #[serde(flatten)]
    pub elo: RatedElo,
    /// Games it played.
    pub games: u64,
    /// Points it made.
    pub points: f64,
}

/// All players' ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// All games.
    pub games: u64,
    /// How many of them are different ones.
    pub distinct_games: u64,
    /// The players, best first.
    pub players: Vec<Rating>,
    /// The advantage of sitting first, if it was estimated.
    pub sitting_first: Option<RatedElo>,
}

/// Rates every player that appears. If `sitting_first` is true, the advantage of the first seat is estimated too;
/// otherwise it is taken to be zero.
pub fn rate(encounters: &[Encounter<'_>], sitting_first: bool) -> Ratings {
    let posterior = Posterior::new(encounters, sitting_first);
    let strengths = posterior.maximum();
    let deviations = posterior.standard_deviations(&strengths);
    let rated = |i: usize| {
        let (elo, margin) = (strengths[i] * ELO, Z95 * deviations[i] * ELO);
        RatedElo { elo, elo_low: elo - margin, elo_high: elo + margin }
    };
    let mut players: Vec<Rating> = posterior
        .names
        .iter()
        .enumerate()
        .map(|(i, &name)| {
            let tally = tally_of(encounters, name);
            Rating { name: name.to_owned(), elo: rated(i), games: tally.games(), points: tally.points() }
        })
        .collect();
    players.sort_by(|a, b| b.elo.elo.total_cmp(&a.elo.elo));
    Ratings {
        games: encounters.iter().map(|met| met.tally.games()).sum(),
        distinct_games: encounters.iter().map(|met| met.distinct).sum(),
        players,
        sitting_first: sitting_first.then(|| rated(posterior.names.len())),
    }
}

fn tally_of(encounters: &[Encounter<'_>], name: &str) -> Tally {
    let as_first = encounters.iter().filter(|met| met.first == name).map(|met| met.tally);
    let as_second = encounters.iter().filter(|met| met.second == name).map(|met| met.tally.reversed());
    as_first.chain(as_second).sum()
}

/// The model with its data. Its unknowns are the strengths, by name, and then h if it is estimated.
struct Posterior<'a> {
    names: Vec<&'a str>,
    /// Different games, and the points of the first seat in as many, by the two players' places among the names.
    results: BTreeMap<(usize, usize), (f64, f64)>,
    sitting_first: bool,
}

type Matrix = Vec<Vec<f64>>;

impl<'a> Posterior<'a> {
    const PRIOR_PRECISION: f64 = (ELO / PRIOR_ELO) * (ELO / PRIOR_ELO);

    fn new(encounters: &[Encounter<'a>], sitting_first: bool) -> Self {
        let names: BTreeSet<&str> = encounters.iter().flat_map(|met| [met.first, met.second]).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let place = |name: &str| names.partition_point(|&other| other < name);
        let mut results: BTreeMap<(usize, usize), (Tally, u64)> = BTreeMap::new();
        for met in encounters {
            let (tally, distinct) = results.entry((place(met.first), place(met.second))).or_default();
            *tally += met.tally;
            *distinct += met.distinct;
        }
        let weigh = |(tally, distinct): (Tally, u64)| {
            let share = distinct as f64 / tally.games().max(1) as f64;
            (distinct as f64, tally.points() * share)
        };
        let results = results.into_iter().map(|(players, counts)| (players, weigh(counts))).collect();
        Self { names, results, sitting_first }
    }

    fn unknowns(&self) -> usize {
        self.names.len() + usize::from(self.sitting_first)
    }

    /// The log-odds of the first seat.
    fn log_odds(&self, unknowns: &[f64], (first, second): (usize, usize)) -> f64 {
        let advantage = if self.sitting_first { unknowns[self.names.len()] } else { 0.0 };
        unknowns[first] - unknowns[second] + advantage
    }

    /// The logarithm of the posterior density, up to a constant.
    fn log_density(&self, unknowns: &[f64]) -> f64 {
        let prior: f64 = unknowns.iter().map(|x| -Self::PRIOR_PRECISION * x * x / 2.0).sum();
        let likelihood = self.results.iter().map(|(&players, &(games, points))| {
            let odds = self.log_odds(unknowns, players);
            points * odds - games * log_one_plus_exp(odds)
        });
        prior + likelihood.sum::<f64>()
    }

    fn gradient(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = unknowns.iter().map(|x| -Self::PRIOR_PRECISION * x).collect();
        for (&(first, second), &(games, points)) in &self.results {
            let surplus = points - games * logistic(self.log_odds(unknowns, (first, second)));
            gradient[first] += surplus;
            gradient[second] -= surplus;
            if self.sitting_first {
                gradient[self.names.len()] += surplus;
            }
        }
        gradient
    }

    /// Minus the matrix of second derivatives: positive definite.
    fn precision(&self, unknowns: &[f64]) -> Matrix {
        let size = self.unknowns();
        let mut matrix = vec![vec![0.0; size]; size];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = Self::PRIOR_PRECISION;
        }
        for (&(first, second), &(games, _)) in &self.results {
            let share = logistic(self.log_odds(unknowns, (first, second)));
            let weight = games * share * (1.0 - share);
            let mut slopes = vec![(first, 1.0), (second, -1.0)];
            if self.sitting_first {
                slopes.push((self.names.len(), 1.0));
            }
            for &(i, slope_i) in &slopes {
                for &(j, slope_j) in &slopes {
                    matrix[i][j] += weight * slope_i * slope_j;
                }
            }
        }
        matrix
    }

    /// Newton's method; a step that does not climb is halved until it does.
    fn maximum(&self) -> Vec<f64> {
        const STEPS: u32 = 200;
        const CLOSE: f64 = 1e-12;
        let mut here = vec![0.0; self.unknowns()];
        for _ in 0..STEPS {
            let step = Cholesky::of(&self.precision(&here)).solve(&self.gradient(&here));
            if step.iter().all(|x| x.abs() < CLOSE) {
                break;
            }
            let height = self.log_density(&here);
            let forward =
                |share: f64| here.iter().zip(&step).map(|(x, d)| x + share * d).collect::<Vec<f64>>();
            let climbs = |there: &Vec<f64>| self.log_density(there) >= height;
            let Some(there) = (0..50).map(|halvings| forward(0.5f64.powi(halvings))).find(climbs) else {
                break;
            };
            here = there;
        }
        here
    }

    /// The standard deviation of each strength relative to the mean of all, and of h.
    ///
    /// No game says anything about the common level: there the precision is the prior's alone, and that
    /// uncertainty, spread evenly over the players, is left out.
    fn standard_deviations(&self, unknowns: &[f64]) -> Vec<f64> {
        let cholesky = Cholesky::of(&self.precision(unknowns));
        let players = self.names.len();
        let of_level = 1.0 / (Self::PRIOR_PRECISION * players as f64);
        (0..self.unknowns())
            .map(|i| {
                let mut unit = vec![0.0; self.unknowns()];
                unit[i] = 1.0;
                let variance = cholesky.solve(&unit)[i];
                (if i < players { variance - of_level } else { variance }).max(0.0).sqrt()
            })
            .collect()
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + eˣ) without overflow.
fn log_one_plus_exp(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// A positive definite matrix, split into a lower triangle and its transpose.
struct Cholesky(Matrix);

impl Cholesky {
    fn of(matrix: &Matrix) -> Self {
        let mut lower: Matrix = Vec::with_capacity(matrix.len());
        for row in matrix {
            let mut new: Vec<f64> = Vec::with_capacity(matrix.len());
            for (j, &entry) in row[..=lower.len()].iter().enumerate() {
                let above = lower.get(j).unwrap_or(&new);
                let rest = entry - new.iter().zip(above).map(|(a, b)| a * b).sum::<f64>();
                let value = if j == lower.len() { rest.sqrt() } else { rest / above[j] };
                new.push(value);
            }
            lower.push(new);
        }
        Self(lower)
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let known: f64 = (0..i).map(|j| lower[i][j] * x[j]).sum();
            x[i] = (x[i] - known) / lower[i][i];
        }
        for i in (0..x.len()).rev() {
            let known: f64 = (i + 1..x.len()).map(|j| lower[j][i] * x[j]).sum();
            x[i] = (x[i] - known) / lower[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::score_from_elo;
    use outplay_core::Rng;

    const fn met<'a>(first: &'a str, second: &'a str, wins: u64, draws: u64, losses: u64) -> Encounter<'a> {
        Encounter { first, second, tally: Tally { wins, draws, losses }, distinct: wins + draws + losses }
    }

    fn elo(ratings: &Ratings, name: &str) -> RatedElo {
        ratings.players.iter().find(|player| player.name == name).unwrap().elo
    }

    fn simulated<'a>(
        rng: &mut Rng,
        truth: &[(&'a str, f64)],
        advantage: f64,
        games: u32,
    ) -> Vec<Encounter<'a>> {
        let mut encounters = Vec::new();
        for &(first, strength) in truth {
            for &(second, other) in truth.iter().filter(|&&(name, _)| name != first) {
                let share = score_from_elo(strength - other + advantage);
                let wins = (0..games).filter(|_| rng.unit() < share).count() as u64;
                encounters.push(met(first, second, wins, 0, u64::from(games) - wins));
            }
        }
        encounters
    }

    const TRUTH: [(&str, f64); 4] = [("a", 210.0), ("b", 40.0), ("c", -30.0), ("d", -220.0)];

    #[test]
    fn simulated_strengths_lie_in_their_intervals() {
        let (mut rng, mut covered, mut seat_covered, runs) = (Rng::new(5), 0, 0, 400);
        for _ in 0..runs {
            let ratings = rate(&simulated(&mut rng, &TRUTH, 50.0, 60), true);
            let inside = |rated: RatedElo, truth: f64| (rated.elo_low..=rated.elo_high).contains(&truth);
            covered += TRUTH.iter().filter(|&&(name, truth)| inside(elo(&ratings, name), truth)).count();
            seat_covered += usize::from(inside(ratings.sitting_first.unwrap(), 50.0));
        }
        assert!((0.93..0.97).contains(&(covered as f64 / (4 * runs) as f64)), "{covered}");
        assert!((0.92..0.98).contains(&(seat_covered as f64 / runs as f64)), "{seat_covered}");
    }

    #[test]
    fn many_games_recover_the_truth() {
        let ratings = rate(&simulated(&mut Rng::new(6), &TRUTH, 0.0, 40_000), false);
        for (name, truth) in TRUTH {
            assert!((elo(&ratings, name).elo - truth).abs() < 5.0, "{ratings:?}");
        }
        let names: Vec<&str> = ratings.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(ratings.sitting_first, None);
    }

    #[test]
    fn even_results_rate_zero() {
        let ratings = rate(&[met("a", "b", 5, 3, 5), met("b", "c", 2, 0, 2), met("c", "a", 0, 9, 0)], true);
        assert!(ratings.players.iter().all(|player| player.elo.elo.abs() < 1e-9), "{ratings:?}");
        assert!(ratings.sitting_first.unwrap().elo.abs() < 1e-9);
    }

    #[test]
    fn sitting_first_is_told_from_strength() {
        let ratings = rate(&[met("a", "b", 900, 0, 100), met("b", "a", 900, 0, 100)], true);
        assert!(elo(&ratings, "a").elo.abs() < 1e-6);
        assert!((ratings.sitting_first.unwrap().elo - 381.7).abs() < 2.0, "{ratings:?}");
    }

    #[test]
    fn the_maximum_is_flat_and_centred() {
        let encounters = simulated(&mut Rng::new(7), &TRUTH, 30.0, 17);
        let extremes = [met("x", "y", 100_000, 0, 0), met("y", "z", 0, 0, 3), met("z", "z", 1, 1, 0)];
        for sitting_first in [false, true] {
            for encounters in [&encounters[..], &extremes, &extremes[..1], &[]] {
                let posterior = Posterior::new(encounters, sitting_first);
                let maximum = posterior.maximum();
                let gradient = posterior.gradient(&maximum);
                assert!(gradient.iter().all(|slope| slope.abs() < 1e-6), "{gradient:?}");
                let mean: f64 = maximum[..posterior.names.len()].iter().sum();
                assert!(mean.abs() < 1e-6, "{maximum:?}");
            }
        }
    }

    #[test]
    fn sweeps_and_strangers_get_finite_ratings() {
        let ratings = rate(&[met("a", "b", 1000, 0, 0), met("p", "q", 0, 0, 4)], true);
        for player in &ratings.players {
            assert!(player.elo.elo.is_finite() && player.elo.elo_high > player.elo.elo_low, "{player:?}");
        }
        assert!((elo(&ratings, "a").elo + elo(&ratings, "b").elo).abs() < 1e-6);
        assert!(elo(&ratings, "a").elo - elo(&ratings, "b").elo > 600.0);
        assert_eq!((ratings.players[0].games, ratings.players[0].points), (1000, 1000.0));
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        let mut encounters = simulated(&mut Rng::new(8), &TRUTH, 20.0, 9);
        let before = rate(&encounters, true);
        for seed in 0..5 {
            Rng::new(seed).shuffle(&mut encounters);
            assert_eq!(rate(&encounters, true), before);
        }
        let halves =
            encounters.iter().flat_map(|met| {
                let Tally { wins, draws, losses } = met.tally;
                [Tally { wins, draws: 0, losses: 0 }, Tally { wins: 0, draws, losses }]
                    .map(|tally| Encounter { tally, distinct: tally.games(), ..*met })
            });
        assert_eq!(rate(&halves.collect::<Vec<_>>(), true), before);
    }

    #[test]
    fn games_that_repeat_each_other_weigh_as_one() {
        let often = Encounter { distinct: 1, ..met("a", "b", 500, 0, 0) };
        let ratings = [rate(&[often], false), rate(&[met("a", "b", 1, 0, 0)], false)];
        assert_eq!(elo(&ratings[0], "a"), elo(&ratings[1], "a"));
        assert_eq!((ratings[0].games, ratings[0].distinct_games), (500, 1));
    }

    #[test]
    fn a_player_known_from_one_game_is_uncertain() {
        let ratings = rate(&[met("a", "b", 500, 0, 500), met("a", "new", 1, 0, 0)], false);
        let width = |name| elo(&ratings, name).elo_high - elo(&ratings, name).elo_low;
        assert!(width("new") > 1.5 * width("a"), "{ratings:?}");
    }
}
