//! The network: binary inputs, one hidden layer, one output, no biases.
//!
//! Belongs here: weights and the forward pass, whole or by what a move changes. Does not belong here: how the weights
//! are learnt (`traces`), what the inputs mean (an [`Encoder`](outplay_core::Encoder)).
//!
//! Laws of this room:
//! - the output is a log-odds; its sigmoid is the chance of the *first* seat;
//! - the weights of one input lie side by side, in rows of whole lanes; what fills the last lane is zero and stays so.

use outplay_core::elementary::sigmoid;
use outplay_core::{Change, Rng};

use super::activation::{Activation, Work};

/// Numbers that are worked on together.
pub(super) const LANES: usize = 16;
pub(super) type Lanes = [f32; LANES];

/// A network with one hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    inputs: usize,
    hidden: usize,
    activation: Activation,
    /// For each input a row: its weight to each hidden neuron.
    pub(super) first: Vec<Lanes>,
    /// The weight of each hidden neuron to the output.
    pub(super) second: Vec<Lanes>,
}

impl Network {
    /// A network whose weights are all zero.
    fn zero(inputs: usize, hidden: usize, activation: Activation) -> Self {
        let width = hidden.div_ceil(LANES);
        let empty = [0.0; LANES];
        Self { inputs, hidden, activation, first: vec![empty; inputs * width], second: vec![empty; width] }
    }

    /// A network with weights from the normal distribution of this deviation (the document: 0.0001).
    pub fn random(
        inputs: usize,
        hidden: usize,
        activation: Activation,
        deviation: f64,
        rng: &mut Rng,
    ) -> Self {
        let mut draw = || (deviation * rng.gaussian()) as f32;
        let first: Vec<f32> = (0..inputs * hidden).map(|_| draw()).collect();
        let second: Vec<f32> = (0..hidden).map(|_| draw()).collect();
        Self::from_weights(&first, &second, activation)
            .unwrap_or_else(|| Self::zero(inputs, hidden, activation))
    }

    /// A network with these weights: `first` has the weights of each *hidden neuron* side by side (as the document's
    /// W1, H × n), `second` one for each. `None` if their numbers do not agree or one is not finite.
    pub fn from_weights(first: &[f32], second: &[f32], activation: Activation) -> Option<Self> {
        let hidden = second.len();
        if hidden == 0 || first.is_empty() || !first.len().is_multiple_of(hidden) {
            return None;
        }
        if !first.iter().chain(second).all(|weight| weight.is_finite()) {
            return None;
        }
        let mut net = Self::zero(first.len() / hidden, hidden, activation);
        let (inputs, width) = (net.inputs, net.width());
        for (neuron, weights) in first.chunks_exact(inputs).enumerate() {
            for (input, weight) in weights.iter().enumerate() {
                net.first[input * width + neuron / LANES][neuron % LANES] = *weight;
            }
        }
        net.second.as_flattened_mut()[..hidden].copy_from_slice(second);
        Some(net)
    }

    /// How many inputs it has.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many hidden neurons it has.
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// The activation of the hidden layer.
    pub const fn activation(&self) -> Activation {
        self.activation
    }

    /// The weights into each hidden neuron, neuron by neuron: the document's W1.
    pub fn first_weights(&self) -> Vec<f32> {
        let width = self.width();
        let weight = |neuron: usize, input: usize| self.first[input * width + neuron / LANES][neuron % LANES];
        (0..self.hidden).flat_map(|neuron| (0..self.inputs).map(move |input| weight(neuron, input))).collect()
    }

    /// The weights to the output: the document's W2.
    pub fn second_weights(&self) -> &[f32] {
        &self.second.as_flattened()[..self.hidden]
    }

    /// Lanes in a row.
    pub(super) const fn width(&self) -> usize {
        self.second.len()
    }

    #[inline]
    pub(super) fn row(&self, input: u32) -> &[Lanes] {
        let width = self.width();
        &self.first[input as usize * width..][..width]
    }

    /// The sums of the hidden neurons where these inputs are on.
    pub(super) fn sums_into(&self, on: &[u32], sums: &mut [Lanes]) {
        sums.fill([0.0; LANES]);
        for &input in on {
            for (sums, weights) in sums.iter_mut().zip(self.row(input)) {
                for lane in 0..LANES {
                    sums[lane] += weights[lane];
                }
            }
        }
    }

    /// The log-odds of the first seat, from the sums of the hidden neurons.
    pub(super) fn log_odds(&self, sums: &[Lanes]) -> f32 {
        self.activation.run(Forward { net: self, sums, changes: &[] })
    }

    /// The same after these changes.
    #[inline]
    pub(super) fn log_odds_after(&self, sums: &[Lanes], changes: &[Change]) -> f32 {
        self.activation.run(Forward { net: self, sums, changes })
    }
}

/// The chance of the first seat.
pub(super) fn chance(log_odds: f32) -> f64 {
    sigmoid(f64::from(log_odds))
}

struct Forward<'a> {
    net: &'a Network,
    sums: &'a [Lanes],
    changes: &'a [Change],
}

impl Work for Forward<'_> {
    type Output = f32;

    #[inline]
    fn with(self, value: impl Fn(f32) -> f32, _slope: impl Fn(f32, f32) -> f32) -> f32 {
        let width = self.net.width();
        let mut totals = [0.0f32; LANES];
        for (place, (sums, second)) in self.sums.iter().zip(&self.net.second).enumerate() {
            let mut sums = *sums;
            for change in self.changes {
                let weights = &self.net.first[change.input as usize * width + place];
                let sign = if change.on { 1.0 } else { -1.0 };
                for lane in 0..LANES {
                    sums[lane] = weights[lane].mul_add(sign, sums[lane]);
                }
            }
            for lane in 0..LANES {
                totals[lane] = value(sums[lane]).mul_add(second[lane], totals[lane]);
            }
        }
        total(totals)
    }
}

/// The sum of all, by halves.
fn total(mut totals: Lanes) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            totals[lane] += totals[lane + half];
        }
        half /= 2;
    }
    totals[0]
}
