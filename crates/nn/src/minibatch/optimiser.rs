//! The rules by which a weight follows its gradient, and what they remember for each weight.
//!
//! Every weight is moved by its own gradient and memory alone, so work may be cut anywhere. No memory is denormal: a
//! mean that decays towards zero would end at the smallest numbers there are, which rounding never lets go, and
//! which cost a hundred times the time of others.

use rayon::prelude::*;

use crate::network::Lanes;

/// Gradients below this count as zero, so that their squares are no denormal numbers.
const GRADIENT_FLOOR: f32 = 1e-16;

/// Memories below this are forgotten.
const MEMORY_FLOOR: f32 = 1e-30;

/// Lanes that one task moves.
const TASK: usize = 1024;

/// A rule that moves weights down their gradients g. The formulas are those of Keras.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimiser {
    /// v = momentum·v − rate·g; weight + v.
    Sgd {
        /// How far a step goes.
        rate: f32,
        /// What is left of the last step in the next one.
        momentum: f32,
    },
    /// s = decay·s + (1 − decay)·g²; weight − rate·g/(√s + epsilon).
    RmsProp {
        /// How far a step goes.
        rate: f32,
        /// What is left of the mean square from step to step.
        decay: f32,
        /// Keeps the divisor above zero.
        epsilon: f32,
    },
    /// m = first·m + (1 − first)·g; s = second·s + (1 − second)·g²; and at the t-th step
    /// weight − rate·√(1 − secondᵗ)/(1 − firstᵗ)·m/(√s + epsilon).
    Adam {
        /// How far a step goes.
        rate: f32,
        /// What is left of the mean from step to step.
        first: f32,
        /// What is left of the mean square from step to step.
        second: f32,
        /// Keeps the divisor above zero.
        epsilon: f32,
    },
}

impl Optimiser {
    /// Gradient descent with Keras' default rate, 0.01, and no momentum.
    pub const fn sgd() -> Self {
        Self::Sgd { rate: 0.01, momentum: 0.0 }
    }

    /// Keras' defaults: rate 0.001, decay 0.9, epsilon 1e-7.
    pub const fn rmsprop() -> Self {
        Self::RmsProp { rate: 0.001, decay: 0.9, epsilon: 1e-7 }
    }

    /// Keras' defaults: rate 0.001, 0.9, 0.999, epsilon 1e-7.
    pub const fn adam() -> Self {
        Self::Adam { rate: 0.001, first: 0.9, second: 0.999, epsilon: 1e-7 }
    }

    /// How far a step goes.
    pub const fn rate(&self) -> f32 {
        let (Self::Sgd { rate, .. } | Self::RmsProp { rate, .. } | Self::Adam { rate, .. }) = self;
        *rate
    }

    pub(crate) fn set_rate(&mut self, new: f32) {
        let (Self::Sgd { rate, .. } | Self::RmsProp { rate, .. } | Self::Adam { rate, .. }) = self;
        *rate = new;
    }

    /// Numbers remembered for each weight.
    pub(crate) const fn memories(&self) -> usize {
        match self {
            Self::Sgd { .. } | Self::RmsProp { .. } => 1,
            Self::Adam { .. } => 2,
        }
    }

    /// The `step`-th step, counted from 1. For each lane of weights the memory has
    /// [`memories`](Self::memories) lanes; the gradient is the sum of the given ones, taken in their order.
    pub(crate) fn advance(
        &self,
        step: u64,
        gradients: &[&[Lanes]],
        memory: &mut [Lanes],
        weights: &mut [Lanes],
    ) {
        match *self {
            Self::Sgd { rate, momentum } => {
                let (rate, momentum) = (Lanes::splat(rate), Lanes::splat(momentum));
                sweep(gradients, memory, weights, move |weight, [velocity], gradient| {
                    *velocity = flush(momentum * *velocity - rate * gradient, MEMORY_FLOOR);
                    *weight += *velocity;
                });
            }
            Self::RmsProp { rate, decay, epsilon } => {
                let [rate, decay, rest, epsilon] = [rate, decay, 1.0 - decay, epsilon].map(Lanes::splat);
                sweep(gradients, memory, weights, move |weight, [square], gradient| {
                    *square = flush(decay * *square + rest * gradient * gradient, MEMORY_FLOOR);
                    *weight -= rate * gradient / (square.sqrt() + epsilon);
                });
            }
            Self::Adam { rate, first, second, epsilon } => {
                let left = |decay: f32| 1.0 - power(f64::from(decay), step);
                let rate = (f64::from(rate) * left(second).sqrt() / left(first)) as f32;
                let [rate, first, rest, epsilon] = [rate, first, 1.0 - first, epsilon].map(Lanes::splat);
                let [second, second_rest] = [second, 1.0 - second].map(Lanes::splat);
                sweep(gradients, memory, weights, move |weight, [mean, square], gradient| {
                    *mean = flush(first * *mean + rest * gradient, MEMORY_FLOOR);
                    *square = flush(second * *square + second_rest * gradient * gradient, MEMORY_FLOOR);
                    *weight -= rate * *mean / (square.sqrt() + epsilon);
                });
            }
        }
    }
}

/// Applies a rule to every lane.
fn sweep<const M: usize>(
    gradients: &[&[Lanes]],
    memory: &mut [Lanes],
    weights: &mut [Lanes],
    rule: impl Fn(&mut Lanes, &mut [Lanes; M], Lanes) + Sync,
) {
    let (first, others) = gradients.split_first().expect("a step has a gradient");
    let task = |(task, (weights, memory)): (usize, (&mut [Lanes], &mut [[Lanes; M]]))| {
        let begin = task * TASK;
        for (index, (weight, memory)) in weights.iter_mut().zip(memory).enumerate() {
            let mut gradient = first[begin + index];
            for other in others {
                gradient += other[begin + index];
            }
            rule(weight, memory, flush(gradient, GRADIENT_FLOOR));
        }
    };
    let memory = memory.as_chunks_mut::<M>().0;
    if weights.len() <= TASK {
        task((0, (weights, memory)));
    } else {
        weights.par_chunks_mut(TASK).zip(memory.par_chunks_mut(TASK)).enumerate().for_each(task);
    }
}

/// Zero instead of numbers smaller than the floor; what is no number stays none.
#[inline]
fn flush(lanes: Lanes, floor: f32) -> Lanes {
    lanes.abs().simd_lt(Lanes::splat(floor)).select(Lanes::ZERO, lanes)
}

/// The base to the power of the exponent, by squaring: the platform's own may differ in the last bit.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result *= base;
        }
        base *= base;
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weight after each of two steps with gradients 0.5 and −0.25 in one lane, from the weight 1.
    fn two_steps(optimiser: Optimiser) -> [f32; 2] {
        let gradients = [0.5, -0.25].map(Lanes::splat);
        let mut memory = vec![Lanes::ZERO; optimiser.memories()];
        let mut weights = [Lanes::splat(1.0)];
        [1, 2].map(|step| {
            let gradient = [gradients[step - 1]];
            optimiser.advance(step as u64, &[&gradient], &mut memory, &mut weights);
            weights[0].to_array()[3]
        })
    }

    fn assert_close(found: [f32; 2], expected: [f64; 2]) {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((f64::from(found) - expected).abs() < 1e-7, "{found} {expected}");
        }
    }

    #[test]
    fn momentum_by_hand() {
        // v = −0.1·0.5 = −0.05, then 0.9·(−0.05) + 0.1·0.25 = −0.02.
        assert_close(two_steps(Optimiser::Sgd { rate: 0.1, momentum: 0.9 }), [0.95, 0.93]);
        assert_close(two_steps(Optimiser::sgd()), [0.995, 0.9975]);
    }

    #[test]
    fn rmsprop_by_hand() {
        // s = 0.1·0.25 = 0.025, then 0.9·0.025 + 0.1·0.0625 = 0.02875.
        let first = 1.0 - 0.001 * 0.5 / (0.025f64.sqrt() + 1e-7);
        let second = first + 0.001 * 0.25 / (0.02875f64.sqrt() + 1e-7);
        assert_close(two_steps(Optimiser::rmsprop()), [first, second]);
    }

    #[test]
    fn adam_by_hand() {
        // m = 0.05, then 0.9·0.05 − 0.1·0.25 = 0.02; s = 0.00025, then 0.999·0.00025 + 0.001·0.0625 =
        // 0.00031225. The first step is the rate itself, whatever the gradient.
        let first = 1.0 - 0.001;
        let rate = 0.001 * (1.0 - 0.999f64 * 0.999).sqrt() / (1.0 - 0.9 * 0.9);
        let second = first - rate * 0.02 / (0.000_312_25f64.sqrt() + 1e-7);
        assert_close(two_steps(Optimiser::adam()), [first, second]);
    }

    #[test]
    fn gradients_of_shares_are_added() {
        let optimiser = Optimiser::sgd();
        let step = |gradients: &[&[Lanes]]| {
            let mut weights = [Lanes::splat(2.0); 3];
            optimiser.advance(1, gradients, &mut [Lanes::ZERO; 3], &mut weights);
            weights
        };
        let (a, b) = ([Lanes::splat(0.25); 3], [Lanes::splat(0.5); 3]);
        assert_eq!(step(&[&a, &b, &a]), step(&[&[Lanes::splat(1.0); 3]]));
    }

    #[test]
    fn memories_fade_to_zero_and_not_to_denormals() {
        let momentum = Optimiser::Sgd { rate: 0.1, momentum: 0.9 };
        let adam = Optimiser::Adam { rate: 0.001, first: 0.9, second: 0.99, epsilon: 1e-7 };
        for optimiser in [momentum, Optimiser::rmsprop(), adam] {
            let mut memory = vec![Lanes::ZERO; optimiser.memories()];
            let mut weights = [Lanes::ZERO];
            optimiser.advance(1, &[&[Lanes::splat(1e-3)]], &mut memory, &mut weights);
            assert!(memory.iter().all(|lanes| *lanes != Lanes::ZERO));
            for step in 2..10_000 {
                optimiser.advance(step, &[&[Lanes::splat(1e-20)]], &mut memory, &mut weights);
                assert!(memory.iter().all(|lanes| lanes.to_array().iter().all(|x| !x.is_subnormal())));
            }
            assert!(memory.iter().all(|lanes| *lanes == Lanes::ZERO), "{optimiser:?}");
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let lanes =
            flush(Lanes::new(std::array::from_fn(|lane| if lane == 5 { f32::NAN } else { 1e-20 })), 1e-16);
        assert!(lanes.to_array().iter().enumerate().all(|(lane, x)| (lane == 5) == x.is_nan()));
        assert_eq!(lanes.to_array()[4], 0.0);
    }

    #[test]
    fn powers_are_powers() {
        assert_eq!([0, 1, 2, 10].map(|exponent| power(2.0, exponent)), [1.0, 2.0, 4.0, 1024.0]);
        assert!((power(0.999, 1000) - 0.999f64.powi(1000)).abs() < 1e-13);
    }
}
