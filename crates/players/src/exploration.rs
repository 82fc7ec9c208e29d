//! Action selection while learning: ε-greedy, Gaussian noise, softmax, and how their parameters change during
//! training.
//!
//! Invariants: a value is the expected result of the player who chooses, whichever seat it has; among exactly equal
//! values the choice is uniformly random.

use std::time::Duration;

use outplay_core::elementary::exp;
use outplay_core::{Candidate, Rng, Thought};

/// A way to choose one of several values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActionSelection {
    /// ε-greedy: a random move with probability `epsilon`, otherwise the best by values with Gaussian noise of
    /// deviation `noise` added.
    Greedy {
        /// The probability of a random move.
        epsilon: f64,
        /// The standard deviation of the noise added to the values.
        noise: f64,
    },
    /// Softmax: every move with probability proportional to exp(value / `temperature`).
    SoftMax {
        /// The higher, the more uniform: the document's formula has 1, which is nearly uniform.
        temperature: f64,
    },
}

impl ActionSelection {
    /// Always the best move.
    pub const BEST: Self = Self::Greedy { epsilon: 0.0, noise: 0.0 };

    /// The index of the chosen value; there is at least one.
    pub fn pick(self, values: &[f64], rng: &mut Rng) -> usize {
        match self {
            Self::Greedy { epsilon, .. } if epsilon > 0.0 && rng.unit() < epsilon => rng.below(values.len()),
            Self::Greedy { noise, .. } if noise > 0.0 => {
                let noisy: Vec<f64> =
                    values.iter().map(|value| noise.mul_add(rng.gaussian(), *value)).collect();
                best_of(&noisy, rng)
            }
            Self::Greedy { .. } => best_of(values, rng),
            Self::SoftMax { temperature } => {
                let weights = soft_max(values, temperature);
                let mut left = rng.unit();
                weights
                    .iter()
                    .position(|weight| {
                        left -= weight;
                        left < 0.0
                    })
                    .unwrap_or(weights.len() - 1)
            }
        }
    }
}

/// The index of the greatest value, drawn among equals.
fn best_of(values: &[f64], rng: &mut Rng) -> usize {
    let best = greatest(values);
    let equals = values.iter().filter(|&&value| value == best).count();
    let which = if equals > 1 { rng.below(equals) } else { 0 };
    values.iter().enumerate().filter(|&(_, &value)| value == best).nth(which).map_or(0, |(place, _)| place)
}

/// The greatest value.
pub(crate) fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The probabilities of a softmax choice. The greatest value is subtracted first, which changes only the range of the
/// exponents.
fn soft_max(values: &[f64], temperature: f64) -> Vec<f64> {
    let best = greatest(values);
    let mut weights: Vec<f64> = values.iter().map(|value| exp((value - best) / temperature)).collect();
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

/// The thought to show: the chosen move, then the others by value.
pub(crate) fn thought<M: Copy>(moves: &[M], values: &[f64], chosen: usize) -> Thought<M> {
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by(|&a, &b| (b == chosen).cmp(&(a == chosen)).then(values[b].total_cmp(&values[a])));
    let candidate = |place: usize| {
        let weight = f64::from(u8::from(place == chosen));
        Candidate::expected(moves[place], values[place], weight, vec![moves[place]])
    };
    Thought {
        candidates: order.into_iter().map(candidate).collect(),
        depth: 1,
        nodes: moves.len() as u64,
        elapsed: Duration::ZERO,
    }
}

/// A parameter that changes linearly from one value to another over a number of games, then stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// The value at the first game.
    pub from: f64,
    /// The value after `games` games.
    pub to: f64,
    /// The length of the schedule.
    pub games: u64,
}

impl Ramp {
    /// A constant parameter.
    pub const fn constant(value: f64) -> Self {
        Self { from: value, to: value, games: 0 }
    }

    /// The value after this many games.
    pub fn at(self, game: u64) -> f64 {
        if game >= self.games {
            return self.to;
        }
        (self.to - self.from).mul_add(game as f64 / self.games as f64, self.from)
    }
}

/// Action selection during training: softmax for the first games, ε-greedy from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploration {
    /// The probability of a random move.
    pub epsilon: Ramp,
    /// The standard deviation of the noise added to the values.
    pub noise: Ramp,
    /// The number of games with softmax.
    pub soft_games: u64,
    /// The temperature of the softmax.
    pub temperature: f64,
}

impl Exploration {
    /// ε-greedy with a constant ε.
    pub const fn epsilon(epsilon: f64) -> Self {
        Self { epsilon: Ramp::constant(epsilon), noise: Ramp::constant(0.0), soft_games: 0, temperature: 1.0 }
    }

    /// The action selection in the game after this many games.
    pub fn at(&self, game: u64) -> ActionSelection {
        if game < self.soft_games {
            ActionSelection::SoftMax { temperature: self.temperature }
        } else {
            ActionSelection::Greedy { epsilon: self.epsilon.at(game), noise: self.noise.at(game) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(choice: ActionSelection, values: &[f64], draws: u32) -> Vec<u32> {
        let (mut rng, mut counts) = (Rng::new(3), vec![0; values.len()]);
        for _ in 0..draws {
            counts[choice.pick(values, &mut rng)] += 1;
        }
        counts
    }

    /// §4.1.4 of the document.
    #[test]
    fn soft_max_gives_the_documents_example() {
        let shares = soft_max(&[0.2, 0.5, 0.1, 0.8], 1.0);
        for (share, expected) in shares.iter().zip([0.197, 0.266, 0.178, 0.359]) {
            assert!((share - expected).abs() < 5e-4, "{shares:?}");
        }
        let drawn = counts(ActionSelection::SoftMax { temperature: 1.0 }, &[0.2, 0.5, 0.1, 0.8], 100_000);
        for (count, share) in drawn.iter().zip(shares) {
            assert!((f64::from(*count) / 1e5 - share).abs() < 0.006, "{drawn:?}");
        }
    }

    #[test]
    fn a_cold_soft_max_is_greedy() {
        assert_eq!(
            counts(ActionSelection::SoftMax { temperature: 1e-4 }, &[0.2, 0.5, 0.3], 100),
            [0, 100, 0]
        );
    }

    #[test]
    fn equals_are_drawn_evenly_and_others_never() {
        let drawn = counts(ActionSelection::BEST, &[0.7, 0.2, 0.7, 0.7], 30_000);
        assert_eq!(drawn[1], 0);
        assert!([0, 2, 3].iter().all(|&place| (9700..10_300).contains(&drawn[place])), "{drawn:?}");
    }

    #[test]
    fn epsilon_draws_blindly_so_often() {
        let drawn =
            counts(ActionSelection::Greedy { epsilon: 0.4, noise: 0.0 }, &[0.1, 0.9, 0.2, 0.3], 40_000);
        // The best has 0.6 and its share of the blind draws, 0.1; the others 0.1 each.
        assert!((27_500..28_500).contains(&drawn[1]), "{drawn:?}");
        assert!([0, 2, 3].iter().all(|&place| (3700..4300).contains(&drawn[place])), "{drawn:?}");
    }

    #[test]
    fn noise_mixes_what_is_close_and_leaves_what_is_far() {
        let drawn = counts(ActionSelection::Greedy { epsilon: 0.0, noise: 0.01 }, &[0.5, 0.501, 0.2], 10_000);
        assert_eq!(drawn[2], 0);
        // The difference of two such noises has deviation 0.0141: the first wins with Φ(−0.0707) = 47.2%.
        assert!((4550..4890).contains(&drawn[0]), "{drawn:?}");
    }

    #[test]
    fn schedules_run_from_one_end_to_the_other() {
        let exploration = Exploration {
            epsilon: Ramp { from: 0.5, to: 0.1, games: 400 },
            soft_games: 100,
            ..Exploration::epsilon(0.0)
        };
        assert_eq!(exploration.at(99), ActionSelection::SoftMax { temperature: 1.0 });
        assert_eq!(exploration.at(100), ActionSelection::Greedy { epsilon: 0.4, noise: 0.0 });
        for game in [400, 4000] {
            assert_eq!(exploration.at(game), ActionSelection::Greedy { epsilon: 0.1, noise: 0.0 });
        }
    }
}
