//! Answers in 16-bit integers.
//!
//! Sums and weights of the first layer are counted in units of 1/2ᵇ, activations in units of 1/256; products of activations
//! and weights are added up exactly in 32 bits. Sums of integers do not depend on their order, so sums that were kept up to
//! date by changes are the same, bit for bit, as sums made anew. `tests` states and checks how far answers are from
//! those of the network in single precision.

use outplay_core::Change;
use wide::{i16x32, i32x16};

use super::shape::{Head, OUTCOMES, SparseActivation, WIDTH_UNIT};
use super::{OutcomeProbabilities, PolicyValueNetwork, PolicyValueShape, pairs};
use crate::error::ShapeError;
use crate::loss::softmax;
use crate::network::LANES;

/// The activation 1.
const ACTIVATION_ONE: i16 = 256;
/// Sums are counted in units between 1/2⁴ and 1/2⁸, the finest in which none can overflow.
const UNIT_BITS: std::ops::RangeInclusive<u32> = 4..=8;

/// A policy–value network in integers. It answers, and learns nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegerNetwork {
    shape: PolicyValueShape,
    unit_bits: u32,
    first: Vec<i16x32>,
    first_bias: Vec<i16x32>,
    value: IntegerRows,
    /// From the value head's neurons to win, draw and loss, in single precision.
    outcome: Vec<f32>,
    outcome_bias: [f32; OUTCOMES],
    policy: IntegerRows,
}

/// A layer over activations.
#[derive(Clone, Debug, PartialEq)]
struct IntegerRows {
    rows: Vec<i16x32>,
    /// What one unit of a product is worth.
    unit: f32,
    biases: Vec<f32>,
}

/// The sums of the hidden neurons for one set of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulator(Vec<i16x32>);

/// The activations of the hidden neurons for one position, from which both heads answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activations(Vec<i16x32>);

impl IntegerNetwork {
    /// The same network in integers, for positions that have at most so many inputs on.
    pub fn new(network: &PolicyValueNetwork, most_on: usize) -> Result<Self, ShapeError> {
        let (shape, layout) = (network.shape, network.layout());
        let numbers =
            |range: std::ops::Range<usize>| &network.numbers()[range.start * LANES..range.end * LANES];
        let (first, first_bias) = (numbers(layout.first.clone()), numbers(layout.first_bias.clone()));
        let unit_bits = unit_bits(first, first_bias, most_on)?;
        let unit = (1 << unit_bits) as f32;
        let of_outcome = |(output, input)| network.weight(&layout.outcome, output, input);
        Ok(Self {
            shape,
            unit_bits,
            first: rounded(first, unit),
            first_bias: rounded(first_bias, unit),
            value: IntegerRows::new(network, &layout.value, shape.value_hidden),
            outcome: pairs(OUTCOMES, shape.value_hidden).map(of_outcome).collect(),
            outcome_bias: std::array::from_fn(|place| numbers(layout.outcome.biases.clone())[place]),
            policy: IntegerRows::new(network, &layout.policy, shape.slots),
        })
    }

    /// Its sizes.
    pub fn shape(&self) -> &PolicyValueShape {
        &self.shape
    }

    /// What one unit of a hidden sum is worth.
    #[cfg(test)]
    pub(super) fn unit(&self) -> f32 {
        1.0 / (1 << self.unit_bits) as f32
    }

    /// What one unit of a weight of the policy is worth.
    #[cfg(test)]
    pub(super) fn policy_weight_unit(&self) -> f32 {
        self.policy.unit * f32::from(ACTIVATION_ONE)
    }

    /// The sums where no input is on.
    pub fn accumulator(&self) -> Accumulator {
        Accumulator(self.first_bias.clone())
    }

    /// Replaces the sums by those where these inputs are on.
    pub fn set(&self, on: &[u32], accumulator: &mut Accumulator) {
        accumulator.0.copy_from_slice(&self.first_bias);
        for &input in on {
            add(&mut accumulator.0, self.row(input));
        }
    }

    /// The sums after these changes of the inputs.
    #[inline]
    pub fn change(&self, before: &Accumulator, changes: &[Change], after: &mut Accumulator) {
        after.0.copy_from_slice(&before.0);
        for change in changes {
            let row = self.row(change.input);
            if change.on {
                add(&mut after.0, row);
            } else {
                after.0.iter_mut().zip(row).for_each(|(sum, weight)| *sum -= *weight);
            }
        }
    }

    /// The activations where these inputs are on as well.
    pub fn activate(&self, accumulator: &Accumulator, also_on: &[u32], activations: &mut Activations) {
        let hidden = &mut activations.0;
        hidden.clear();
        hidden.extend_from_slice(&accumulator.0);
        for &input in also_on {
            add(hidden, self.row(input));
        }
        for sums in hidden {
            *sums = self.activation(*sums);
        }
    }

    /// Appends the logits of these move slots, in this order.
    pub fn logits(&self, activations: &Activations, slots: &[u16], out: &mut Vec<f32>) {
        out.extend(slots.iter().map(|&slot| self.policy.product(usize::from(slot), &activations.0)));
    }

    /// How probable win, draw and loss are.
    pub fn outcome(&self, Activations(hidden): &Activations) -> OutcomeProbabilities {
        let mut answers = self.outcome_bias;
        let rows = self.outcome.chunks_exact(self.shape.value_hidden);
        let mut sums = [[0.0f32; WIDTH_UNIT]; OUTCOMES];
        for first in (0..self.shape.value_hidden).step_by(WIDTH_UNIT) {
            let neurons: [f32; WIDTH_UNIT] =
                std::array::from_fn(|nth| self.value.product(first + nth, hidden).max(0.0));
            for (sums, row) in sums.iter_mut().zip(rows.clone()) {
                for ((sum, neuron), weight) in sums.iter_mut().zip(&neurons).zip(&row[first..]) {
                    *sum = neuron.mul_add(*weight, *sum);
                }
            }
        }
        for (answer, sums) in answers.iter_mut().zip(sums) {
            *answer += sums.iter().sum::<f32>();
        }
        softmax(&mut answers);
        OutcomeProbabilities::of(answers)
    }

    #[inline]
    fn activation(&self, sums: i16x32) -> i16x32 {
        let clipped = sums.max(i16x32::ZERO).min(i16x32::splat(1 << self.unit_bits));
        match self.shape.activation {
            SparseActivation::Clipped => clipped * i16x32::splat(1 << (8 - self.unit_bits)),
            SparseActivation::Squared => {
                // The upper halves of 32-bit products in which the square counts half units of activations, and then
                // whole ones, rounded.
                let shift = 25 - 2 * self.unit_bits;
                let factor = |bits: u32| clipped * i16x32::splat(1 << bits);
                let halves = factor(shift / 2).mul_keep_high(factor(shift - shift / 2));
                (halves + i16x32::splat(1)).unbounded_shr_scalar(1)
            }
        }
    }

    #[inline]
    fn row(&self, input: u32) -> &[i16x32] {
        let width = self.width();
        &self.first[input as usize * width..][..width]
    }

    const fn width(&self) -> usize {
        self.shape.hidden / WIDTH_UNIT
    }
}

impl IntegerRows {
    fn new(network: &PolicyValueNetwork, head: &Head, outputs: usize) -> Self {
        let hidden = network.shape.hidden;
        let weights: Vec<f32> =
            pairs(outputs, hidden).map(|(output, input)| network.weight(head, output, input)).collect();
        let largest = weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        // So many activations of 1 times the largest weight stay below 2³¹, and a weight within 16 bits.
        let room = (i32::MAX as f32 / (hidden as f32 * f32::from(ACTIVATION_ONE))).min(f32::from(i16::MAX));
        let scale = if largest > 0.0 { (room / largest).log2().floor().min(14.0).exp2() } else { 1.0 };
        let biases = network.numbers()[head.biases.start * LANES..][..outputs].to_vec();
        Self { rows: rounded(&weights, scale), unit: 1.0 / (scale * f32::from(ACTIVATION_ONE)), biases }
    }

    /// The sum of one row.
    #[inline]
    fn product(&self, row: usize, hidden: &[i16x32]) -> f32 {
        let weights = &self.rows[row * hidden.len()..][..hidden.len()];
        let mut sums = i32x16::ZERO;
        for (weights, hidden) in weights.iter().zip(hidden) {
            sums += weights.dot(*hidden);
        }
        let sum: i32 = sums.to_array().iter().sum();
        (sum as f32).mul_add(self.unit, self.biases[row])
    }
}

/// The finest unit in which no sum of the bias and so many weights of a neuron can overflow.
fn unit_bits(first: &[f32], biases: &[f32], most_on: usize) -> Result<u32, ShapeError> {
    let hidden = biases.len();
    let (mut greatest, mut column) = ((0, 0.0), Vec::new());
    for neuron in 0..hidden {
        column.clear();
        column.extend(first[neuron..].iter().step_by(hidden).map(|weight| weight.abs()));
        column.sort_unstable_by(|one, other| other.total_cmp(one));
        let sum = column.iter().take(most_on).sum::<f32>() + biases[neuron].abs();
        if sum > greatest.1 {
            greatest = (neuron, sum);
        }
    }
    // Each number may be rounded up by half a unit.
    let room = f32::from(i16::MAX) - most_on as f32;
    UNIT_BITS
        .rev()
        .find(|&bits| greatest.1 * (1 << bits) as f32 <= room)
        .ok_or(ShapeError::SumsTooLarge { neuron: greatest.0 })
}

/// The numbers times a scale, rounded.
fn rounded(numbers: &[f32], scale: f32) -> Vec<i16x32> {
    let number = |number: f32| (number * scale).round() as i16;
    let lanes = numbers.chunks_exact(WIDTH_UNIT);
    lanes.map(|lane| i16x32::new(std::array::from_fn(|place| number(lane[place])))).collect()
}

fn add(sums: &mut [i16x32], row: &[i16x32]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += *weight);
}
