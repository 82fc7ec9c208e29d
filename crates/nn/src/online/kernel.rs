//! The weights of a network with a sparse first layer, packed by input.
//!
//! The network is what [`Architecture::sparse`](crate::Architecture::sparse) describes: binary inputs, one hidden
//! layer, one output, no biases. The weights of one input are side by side, in rows of whole lanes; what fills the
//! last lanes is zero and stays so.

use std::collections::BTreeMap;

use outplay_core::Change;

use crate::activation::{Activation, ActivationKernel};
use crate::error::ShapeError;
use crate::network::{Architecture, Network};

/// Numbers that are worked on together.
pub(super) const LANES: usize = 16;
pub(super) type LaneRow = [f32; LANES];

/// A network with a sparse first layer, ready to answer and to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseKernel {
    architecture: Architecture,
    hidden: usize,
    activation: Activation,
    /// For each input a row: its weight to each hidden neuron.
    pub(super) first: Vec<LaneRow>,
    /// The weight of each hidden neuron to the output.
    pub(super) second: Vec<LaneRow>,
}

/// The sums of the hidden neurons for one set of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenSums(pub(super) Vec<LaneRow>);

impl SparseKernel {
    /// Packs a network, which must be one of [`Architecture::sparse`].
    pub fn new(network: &Network) -> Result<Self, ShapeError> {
        let (hidden, activation) = network.architecture().sparse_hidden()?;
        let inputs = network.architecture().inputs;
        let width = hidden.div_ceil(LANES);
        let mut first = vec![[0.0; LANES]; inputs * width];
        let mut second = vec![[0.0; LANES]; width];
        let (into_hidden, into_output) = network.parameters().split_at(inputs * hidden);
        for (neuron, weights) in into_hidden.chunks_exact(inputs).enumerate() {
            for (input, weight) in weights.iter().enumerate() {
                first[input * width + neuron / LANES][neuron % LANES] = *weight;
            }
        }
        second.as_flattened_mut()[..hidden].copy_from_slice(into_output);
        Ok(Self { architecture: network.architecture().clone(), hidden, activation, first, second })
    }

    /// The network as it is now.
    pub fn network(&self) -> Network {
        let width = self.width();
        let weight = |neuron: usize, input: usize| self.first[input * width + neuron / LANES][neuron % LANES];
        let into_hidden = (0..self.hidden)
            .flat_map(|neuron| (0..self.inputs()).map(move |input| (neuron, input)))
            .map(|(neuron, input)| weight(neuron, input));
        let into_output = &self.second.as_flattened()[..self.hidden];
        let parameters = into_hidden.chain(into_output.iter().copied()).collect();
        Network::trained(self.architecture.clone(), parameters, BTreeMap::new())
    }

    /// How many inputs it has.
    pub const fn inputs(&self) -> usize {
        self.architecture.inputs
    }

    /// How many hidden neurons it has.
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// The activation of the hidden layer.
    pub const fn activation(&self) -> Activation {
        self.activation
    }

    /// Rows of lanes that the hidden neurons fill.
    pub(super) const fn width(&self) -> usize {
        self.second.len()
    }

    /// The sums where no input is on.
    pub fn empty_sums(&self) -> HiddenSums {
        HiddenSums(vec![[0.0; LANES]; self.width()])
    }

    /// Replaces the sums by those where these inputs are on.
    pub fn sum_inputs(&self, on: &[u32], sums: &mut HiddenSums) {
        let width = self.width();
        sums.0.fill([0.0; LANES]);
        for &input in on {
            let weights = &self.first[input as usize * width..][..width];
            for (sums, weights) in sums.0.iter_mut().zip(weights) {
                for lane in 0..LANES {
                    sums[lane] += weights[lane];
                }
            }
        }
    }

    /// The log-odds that the output is the sigmoid of.
    pub fn log_odds(&self, sums: &HiddenSums) -> f32 {
        self.log_odds_after(sums, &[])
    }

    /// The same after these changes of the inputs.
    #[inline]
    pub fn log_odds_after(&self, sums: &HiddenSums, changes: &[Change]) -> f32 {
        self.activation.dispatch(Forward { net: self, sums, changes })
    }
}

struct Forward<'a> {
    net: &'a SparseKernel,
    sums: &'a HiddenSums,
    changes: &'a [Change],
}

impl ActivationKernel<f32> for Forward<'_> {
    type Returned = f32;

    #[inline]
    fn run(self, value: impl Fn(f32) -> f32, _slope: impl Fn(f32, f32) -> f32) -> f32 {
        let width = self.net.width();
        let mut totals = [0.0f32; LANES];
        for (place, (sums, second)) in self.sums.0.iter().zip(&self.net.second).enumerate() {
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
fn total(mut totals: LaneRow) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            totals[lane] += totals[lane + half];
        }
        half /= 2;
    }
    totals[0]
}

#[cfg(test)]
mod tests {
    use outplay_core::Rng;

    use super::*;

    #[test]
    fn packing_loses_nothing() {
        for hidden in [1, 16, 21] {
            let architecture = Architecture::sparse(7, hidden, Activation::Swish).unwrap();
            let network = Network::gaussian(architecture, 0.5, &mut Rng::new(1)).unwrap();
            assert_eq!(SparseKernel::new(&network).unwrap().network(), network);
        }
    }

    #[test]
    fn answers_are_those_of_the_plain_network() {
        for activation in Activation::ALL {
            let architecture = Architecture::sparse(9, 21, activation).unwrap();
            let network = Network::gaussian(architecture, 0.5, &mut Rng::new(2)).unwrap();
            let kernel = SparseKernel::new(&network).unwrap();
            let mut sums = kernel.empty_sums();
            kernel.sum_inputs(&[1, 4, 8], &mut sums);
            let changes = [Change { input: 4, on: false }, Change { input: 0, on: true }];
            for (on, log_odds) in
                [([1, 4, 8], kernel.log_odds(&sums)), ([0, 1, 8], kernel.log_odds_after(&sums, &changes))]
            {
                let mut inputs = [0.0; 9];
                for input in on {
                    inputs[input] = 1.0;
                }
                let mut output = [log_odds];
                Activation::Sigmoid.apply(&mut output);
                assert!((output[0] - network.forward(&inputs).unwrap()[0]).abs() < 1e-6, "{activation:?}");
            }
        }
    }

    #[test]
    fn other_networks_are_refused() {
        for line in ["3 | dense 2 relu | dense 1 sigmoid", "3 | sparse 2 relu | dense 1 sigmoid no-bias"] {
            let network = Network::new(line.parse().unwrap(), &mut Rng::new(1)).unwrap();
            assert_eq!(
                SparseKernel::new(&network).unwrap_err(),
                ShapeError::NotSparse { plan: line.to_owned() }
            );
        }
    }
}
