//! Several positions on their way through a network and back, in single precision.
//!
//! The first layer visits only inputs that are on. The heads are dense layers over all samples at once; what is no legal
//! move gets no slope. Every sum has one order, so the same samples and parameters give the same bits.

use super::shape::{Layout, OUTCOMES, SparseActivation};
use super::trainer::PolicyValueSample;
use super::{OutcomeProbabilities, PolicyValueNetwork};
use crate::loss::softmax;
use crate::network::{BoardLayout, LANES, Lanes, PackedOperands, SumStart};

/// The buffers of a pass.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyValuePass {
    /// Of each sample: the sums of the hidden neurons, and what is made of them.
    sums: Vec<Lanes>,
    hidden: Vec<Lanes>,
    /// What the value head's neurons make of their sums.
    value: Vec<Lanes>,
    /// The logits of win, draw and loss, and then the slopes of the loss by them.
    outcomes: Vec<Lanes>,
    /// The same of all move slots.
    policies: Vec<Lanes>,
    /// The slopes of the loss by activations, and then by sums.
    value_slopes: Vec<Lanes>,
    hidden_slopes: Vec<Lanes>,
    /// The logits of one sample's legal moves.
    legal: Vec<f32>,
    packed: PackedOperands,
}

/// The heads' weights that lead back.
#[derive(Clone, Debug, Default)]
pub(super) struct MirroredHeads {
    value: Vec<Lanes>,
    outcome: Vec<Lanes>,
    policy: Vec<Lanes>,
}

/// The loss of some samples: policy (as weighted) and value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SampleLoss {
    pub(super) policy: f64,
    pub(super) value: f64,
}

impl MirroredHeads {
    /// Follows the weights.
    pub(super) fn update(&mut self, layout: &Layout, parameters: &[Lanes]) {
        let heads = [&layout.value, &layout.outcome, &layout.policy];
        for (head, mirror) in heads.into_iter().zip([&mut self.value, &mut self.outcome, &mut self.policy]) {
            mirror.resize(head.weights.len(), Lanes::ZERO);
            head.window.mirror(&parameters[head.weights.clone()], mirror);
        }
    }
}

impl PolicyValuePass {
    /// What the network says of the position with these inputs on: the outcome, and the logit of each of these slots.
    pub(super) fn answer(
        &mut self,
        network: &PolicyValueNetwork,
        on: &[u32],
        slots: &[u16],
    ) -> (OutcomeProbabilities, Vec<f32>) {
        self.forward(network, std::iter::once(on));
        let logits = bytemuck::cast_slice::<_, f32>(&self.policies);
        let mut outcome = [0.0; OUTCOMES];
        outcome.copy_from_slice(&self.outcomes[0].as_array()[..OUTCOMES]);
        softmax(&mut outcome);
        (OutcomeProbabilities::of(outcome), slots.iter().map(|&slot| logits[usize::from(slot)]).collect())
    }

    /// Fills everything up to the logits.
    fn forward<'a>(&mut self, network: &PolicyValueNetwork, samples: impl Iterator<Item = &'a [u32]>) {
        let (layout, parameters) = (network.layout(), &network.parameters);
        let width = layout.first_bias.len();
        self.sums.clear();
        for on in samples {
            let begin = self.sums.len();
            self.sums.extend_from_slice(&parameters[layout.first_bias.clone()]);
            for &input in on {
                let row = &parameters[layout.first.start + input as usize * width..][..width];
                add(&mut self.sums[begin..], row);
            }
        }
        let line = line_of(self.sums.len() / width);
        let activation = network.shape.activation;
        self.hidden.clear();
        self.hidden.extend(self.sums.iter().map(|&sum| activate(activation, sum)));
        let hidden = bytemuck::cast_slice(&self.hidden);
        layout.value.forward(&line, hidden, parameters, &mut self.packed, &mut self.value);
        self.value.iter_mut().for_each(|sums| *sums = sums.max(Lanes::ZERO));
        let value = bytemuck::cast_slice(&self.value);
        layout.outcome.forward(&line, value, parameters, &mut self.packed, &mut self.outcomes);
        layout.policy.forward(&line, hidden, parameters, &mut self.packed, &mut self.policies);
    }

    /// Adds the slopes of the loss, times `scale`, to the gradient.
    pub(super) fn learn(
        &mut self,
        network: &PolicyValueNetwork,
        mirrors: &MirroredHeads,
        samples: &[PolicyValueSample<'_>],
        scale: f32,
        gradient: &mut [Lanes],
    ) -> SampleLoss {
        self.forward(network, samples.iter().map(|sample| sample.on));
        let loss = self.measure(&network.layout(), samples, scale);
        self.backward(network, mirrors, gradient, samples.len());
        let width = self.hidden_slopes.len() / samples.len();
        let layout = network.layout();
        for (sample, slopes) in samples.iter().zip(self.hidden_slopes.chunks_exact(width)) {
            for &input in sample.on {
                add(&mut gradient[layout.first.start + input as usize * width..][..width], slopes);
            }
            add(&mut gradient[layout.first_bias.clone()], slopes);
        }
        loss
    }

    /// Puts the slopes of the loss in the place of the logits.
    fn measure(&mut self, layout: &Layout, samples: &[PolicyValueSample<'_>], scale: f32) -> SampleLoss {
        let mut loss = SampleLoss::default();
        let policy_width = layout.policy.biases.len() * LANES;
        let policies = bytemuck::cast_slice_mut::<_, f32>(&mut self.policies);
        let rows = policies.chunks_exact_mut(policy_width);
        for ((sample, outcome), policy) in samples.iter().zip(&mut self.outcomes).zip(rows) {
            let outcome = outcome.as_mut_array();
            softmax(&mut outcome[..OUTCOMES]);
            for (answer, wanted) in outcome.iter_mut().zip(&sample.outcome) {
                loss.value -= weighted_log(*answer, *wanted);
                *answer = (*answer - wanted) * scale;
            }
            outcome[OUTCOMES..].fill(0.0);
            self.legal.clear();
            self.legal.extend(sample.slots.iter().map(|&slot| policy[usize::from(slot)]));
            softmax(&mut self.legal);
            policy.fill(0.0);
            if sample.policy_weight == 0.0 {
                continue;
            }
            for ((&answer, &wanted), &slot) in self.legal.iter().zip(sample.policy).zip(sample.slots) {
                loss.policy -= f64::from(sample.policy_weight) * weighted_log(answer, wanted);
                policy[usize::from(slot)] = (answer - wanted) * scale * sample.policy_weight;
            }
        }
        loss
    }

    /// From the slopes by the logits to those by the hidden sums, and to the gradient of the heads.
    fn backward(
        &mut self,
        network: &PolicyValueNetwork,
        mirrors: &MirroredHeads,
        gradient: &mut [Lanes],
        samples: usize,
    ) {
        let (layout, line) = (network.layout(), line_of(samples));
        let Self { sums, hidden, value, outcomes, policies, value_slopes, hidden_slopes, packed, .. } = self;
        value_slopes.resize(value.len(), Lanes::ZERO);
        hidden_slopes.resize(hidden.len(), Lanes::ZERO);
        let hidden = bytemuck::cast_slice::<_, f32>(hidden);
        layout.outcome.gradient(&line, bytemuck::cast_slice(value), outcomes, packed, gradient);
        layout.outcome.back(&line, outcomes, &mirrors.outcome, SumStart::Zero, packed, value_slopes);
        for (slope, value) in value_slopes.iter_mut().zip(&*value) {
            *slope = value.simd_gt(Lanes::ZERO).select(*slope, Lanes::ZERO);
        }
        layout.value.gradient(&line, hidden, value_slopes, packed, gradient);
        layout.value.back(&line, value_slopes, &mirrors.value, SumStart::Zero, packed, hidden_slopes);
        layout.policy.gradient(&line, hidden, policies, packed, gradient);
        layout.policy.back(&line, policies, &mirrors.policy, SumStart::Kept, packed, hidden_slopes);
        let activation = network.shape.activation;
        for (slope, &sum) in hidden_slopes.iter_mut().zip(&*sums) {
            *slope *= slope_of(activation, sum);
        }
    }
}

/// So many samples as the dense kernels see them.
fn line_of(samples: usize) -> BoardLayout {
    BoardLayout { boards: 1, lines: 1, cols: samples, border: 0 }
}

/// wanted·ln(answer), never of zero.
fn weighted_log(answer: f32, wanted: f32) -> f64 {
    if wanted == 0.0 { 0.0 } else { f64::from(wanted) * f64::from(answer.max(f32::MIN_POSITIVE)).ln() }
}

fn activate(activation: SparseActivation, sum: Lanes) -> Lanes {
    let clipped = sum.max(Lanes::ZERO).min(Lanes::ONE);
    match activation {
        SparseActivation::Clipped => clipped,
        SparseActivation::Squared => clipped * clipped,
    }
}

/// The slope of the activation: none outside of the range.
fn slope_of(activation: SparseActivation, sum: Lanes) -> Lanes {
    let inside = sum.simd_gt(Lanes::ZERO) & sum.simd_lt(Lanes::ONE);
    let slope = match activation {
        SparseActivation::Clipped => Lanes::ONE,
        SparseActivation::Squared => sum + sum,
    };
    inside.select(slope, Lanes::ZERO)
}

fn add(to: &mut [Lanes], from: &[Lanes]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
}
