//! The network: an architecture, its parameters, and notes about them.
//!
//! A [`Network`] is data. What computes with it packs the parameters as its loops need them: [`Predictor`] and the
//! mini-batch trainer (`packed`, `boards`, `kernel`), BFGS (`loss`), one answer at a time (`inference`). The
//! parameters are in the order of `layout`, and finite unless training has diverged.

mod architecture;
mod boards;
mod kernel;
mod layout;
mod packed;
mod pass;
mod postprocessing;
mod predictor;
mod wide;

use std::collections::BTreeMap;

use outplay_core::Rng;

use crate::error::ShapeError;
use crate::scalar::Scalar;
pub use architecture::{Architecture, LayerSpec};
pub(crate) use boards::{BoardLayout, ConvWindow, SumStart};
pub(crate) use kernel::{LANES, Lanes, parts};
pub(crate) use layout::{AffineLayer, affine_layers};
pub(crate) use packed::{PackedLayer, PackedNetwork};
pub(crate) use pass::{LossTargets, Pass};
pub(crate) use postprocessing::DropSeed;
pub use predictor::Predictor;
pub(crate) use wide::PackedOperands;

/// How many boards of which size; a network that sees numbers has boards of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Boards, or samples.
    pub samples: usize,
    /// Lines of each board.
    pub rows: usize,
    /// Cells of each line.
    pub cols: usize,
}

/// What fits the caches near a processor with room to spare: four megabytes.
const CACHED_PARAMETERS: usize = 1 << 20;

impl Extent {
    /// So many samples of a dense network.
    pub const fn samples(samples: usize) -> Self {
        Self { samples, rows: 1, cols: 1 }
    }

    /// Cells of all boards.
    pub const fn cells(&self) -> usize {
        self.samples * self.rows * self.cols
    }

    /// How many pieces this is worked through in. A piece has about 256 cells and at least one board: enough
    /// to keep the kernels busy, few enough that what is kept of it stays near the processor. Where boards are
    /// flattened, dense layers follow, whose weights should serve more boards at a time; most of all where no cache
    /// holds them.
    pub(crate) fn pieces(&self, architecture: &Architecture) -> usize {
        let cells = match architecture.flattens() {
            false => 256,
            true if architecture.parameters() <= CACHED_PARAMETERS => 2048,
            true => 8192,
        };
        let boards = (cells / (self.rows * self.cols).max(1)).max(1);
        self.samples.div_ceil(boards)
    }
}

/// An architecture with weights, and what is noted about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Network<T = f32> {
    architecture: Architecture,
    parameters: Vec<T>,
    pub(crate) notes: BTreeMap<String, String>,
}

impl<T: Scalar> Network<T> {
    /// A new network. Biases are zero. Dense weights are uniform in ±√(6/(inputs + outputs)) (Glorot's rule,
    /// Keras' default), those of convolutions in ±√(6/inputs) (He's), where inputs are all that one output
    /// sees. The second convolution of a residual layer is zero, so that the layer begins by handing on what
    /// comes in.
    pub fn new(architecture: Architecture, rng: &mut Rng) -> Result<Self, ShapeError> {
        Self::draw(architecture, |layer, parameters| {
            if layer.adds_input {
                return;
            }
            let seen = layer.inputs * layer.taps();
            let fan = if layer.is_dense { seen + layer.outputs } else { seen };
            let bound = (6.0 / fan as f64).sqrt();
            for weight in &mut parameters[layer.weights.clone()] {
                *weight = T::from_f64(rng.unit().mul_add(2.0, -1.0) * bound);
            }
        })
    }

    /// A new network: every weight and bias uniform in ±1/√(inputs of its layer), so that sums begin near the
    /// middle of the activations.
    pub fn uniform(architecture: Architecture, rng: &mut Rng) -> Result<Self, ShapeError> {
        Self::draw(architecture, |layer, parameters| {
            let bound = 1.0 / (layer.inputs as f64).sqrt();
            for parameter in &mut parameters[layer.weights.start..layer.biases.end] {
                *parameter = T::from_f64(rng.unit().mul_add(2.0, -1.0) * bound);
            }
        })
    }

    /// A new network: every weight uniform in ± this bound whatever its layer, biases zero.
    pub fn bounded(architecture: Architecture, bound: f64, rng: &mut Rng) -> Result<Self, ShapeError> {
        Self::draw(architecture, |layer, parameters| {
            for weight in &mut parameters[layer.weights.clone()] {
                *weight = T::from_f64(rng.unit().mul_add(2.0, -1.0) * bound);
            }
        })
    }

    /// A new network: every weight from the normal distribution of this deviation, biases zero.
    pub fn gaussian(architecture: Architecture, deviation: f64, rng: &mut Rng) -> Result<Self, ShapeError> {
        Self::draw(architecture, |layer, parameters| {
            for weight in &mut parameters[layer.weights.clone()] {
                *weight = T::from_f64(deviation * rng.gaussian());
            }
        })
    }

    /// A network whose parameters were filled in layer by layer, from zeros.
    fn draw(
        architecture: Architecture,
        mut fill: impl FnMut(&AffineLayer, &mut [T]),
    ) -> Result<Self, ShapeError> {
        architecture.check()?;
        let mut parameters = vec![T::ZERO; architecture.parameters()];
        for layer in affine_layers(&architecture) {
            fill(&layer, &mut parameters);
        }
        Ok(Self { architecture, parameters, notes: BTreeMap::new() })
    }

    /// The network with these parameters: layer after layer, weights (output by output) before biases.
    pub fn from_parameters(architecture: Architecture, parameters: Vec<T>) -> Result<Self, ShapeError> {
        architecture.check()?;
        let (expected, found) = (architecture.parameters(), parameters.len());
        if found != expected {
            return Err(ShapeError::ParameterCount { expected, found });
        }
        if let Some(index) = parameters.iter().position(|parameter| !parameter.is_finite()) {
            return Err(ShapeError::NotFinite { parameter: index });
        }
        Ok(Self { architecture, parameters, notes: BTreeMap::new() })
    }

    /// The network that training has led to: its numbers are not checked, for training may have diverged.
    pub(crate) fn trained(
        architecture: Architecture,
        parameters: Vec<T>,
        notes: BTreeMap<String, String>,
    ) -> Self {
        Self { architecture, parameters, notes }
    }

    /// Its layers.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// All weights and biases: layer after layer, weights (output by output) before biases.
    pub fn parameters(&self) -> &[T] {
        &self.parameters
    }

    /// What was noted under this key when it was written down.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes.get(key).map(String::as_str)
    }

    /// Everything noted, sorted by key.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.notes.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The outputs of dense layers for one input. Clear rather than fast: see [`compile`](Self::compile).
    pub fn forward(&self, input: &[T]) -> Result<Vec<T>, ShapeError> {
        self.architecture.check_plain_numbers()?;
        assert_eq!(input.len(), self.architecture.inputs, "inputs of the network");
        let mut signal = input.to_vec();
        for layer in affine_layers(&self.architecture) {
            let biases = &self.parameters[layer.biases.clone()];
            let neurons = self.parameters[layer.weights.clone()].chunks_exact(layer.inputs).enumerate();
            let sum = |(index, weights): (usize, &[T])| {
                let bias = biases.get(index).copied().unwrap_or(T::ZERO);
                weights.iter().zip(&signal).fold(bias, |sum, (w, x)| w.mul_add(*x, sum))
            };
            signal = neurons.map(sum).collect();
            layer.activation.apply(&mut signal);
        }
        Ok(signal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Activation;

    #[test]
    fn parameters_must_fit_and_be_finite() {
        let architecture = Architecture::dense(&[2, 1], Activation::Tanh, Activation::Tanh).unwrap();
        assert_eq!(
            Network::from_parameters(architecture.clone(), vec![0.0f64; 2]),
            Err(ShapeError::ParameterCount { expected: 3, found: 2 })
        );
        assert_eq!(
            Network::from_parameters(architecture, vec![0.0, f64::NAN, 0.0]),
            Err(ShapeError::NotFinite { parameter: 1 })
        );
    }

    #[test]
    fn a_network_worked_by_hand() {
        let architecture = Architecture::dense(&[2, 2, 1], Activation::Relu, Activation::Sigmoid).unwrap();
        let parameters = vec![1.0, 2.0, -1.0, 1.0, 0.5, -0.5, 1.0, -2.0, 0.25];
        let net = Network::from_parameters(architecture, parameters).unwrap();
        // Hidden sums 1·1 + 2·0 + 0.5 = 1.5 and −1 − 0.5 < 0; output sum 1.5 + 0.25.
        let expected = 1.0 / (1.0 + (-1.75f64).exp());
        assert!((net.forward(&[1.0, 0.0]).unwrap()[0] - expected).abs() < 1e-15);
    }

    #[test]
    fn layers_without_biases_begin_at_zero() {
        let architecture = "2 | sparse 2 relu no-bias | dense 1 identity no-bias".parse().unwrap();
        let net = Network::from_parameters(architecture, vec![1.0, 2.0, -1.0, 1.0, 0.5, 4.0]).unwrap();
        assert_eq!(net.forward(&[1.0, 0.0]), Ok(vec![0.5]));
        assert_eq!(net.forward(&[1.0, 1.0]), Ok(vec![1.5]));
    }

    #[test]
    fn boards_are_not_plain_numbers() {
        let net = Network::<f32>::new("2 | conv 1 side 3 relu".parse().unwrap(), &mut Rng::new(1)).unwrap();
        assert_eq!(
            net.forward(&[0.0; 2]),
            Err(ShapeError::NotDense { plan: "2 | conv 1 side 3 relu".to_owned() })
        );
    }

    #[test]
    fn a_seed_gives_one_network_within_its_bounds() {
        let architecture =
            Architecture::dense(&[16, 16, 1], Activation::Sigmoid, Activation::Sigmoid).unwrap();
        let net = Network::<f64>::uniform(architecture.clone(), &mut Rng::new(7)).unwrap();
        assert_eq!(Network::uniform(architecture.clone(), &mut Rng::new(7)), Ok(net.clone()));
        assert_ne!(Network::uniform(architecture, &mut Rng::new(8)), Ok(net.clone()));
        assert!(net.parameters().iter().all(|p| p.abs() <= 0.25));
        assert!(net.parameters().iter().any(|p| p.abs() > 0.24));
    }

    /// Pooling, flattened boards, residual layers and missing biases included.
    #[test]
    fn packing_loses_nothing() {
        for line in [
            "3 | conv 17 side 3 relu | residual side 5 tanh | conv 2 side 1 identity",
            "1 | conv 17 side 3 tanh | pool 2 | flatten 2 3 | dense 33 tanh no-bias | dense 6 identity",
            "40 | sparse 20 relu no-bias | dense 1 sigmoid",
        ] {
            let mut rng = Rng::new(3);
            let net = Network::uniform(line.parse().unwrap(), &mut rng).unwrap();
            assert_eq!(PackedNetwork::new(&net).unpack(&BTreeMap::new()), net);
        }
    }
}
