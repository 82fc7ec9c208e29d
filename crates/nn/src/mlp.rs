//! The fully connected network: its shape, its parameters, its plain evaluation.
//!
//! Belongs here: what a network is. Does not belong here: how it is trained (`loss`, `bfgs`), how it is asked
//! quickly (`inference`), how it is written down (`file`).
//!
//! Law: all parameters lie in one vector, layer after layer, each layer's weights (output by output, one
//! weight per input) before its biases; and all are finite.

use std::ops::Range;

use outplay_core::Rng;

use crate::activation::Activation;
use crate::error::ShapeError;

/// One layer of a shape, and where its parameters lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerShape {
    /// Numbers that come in.
    pub inputs: usize,
    /// Neurons, each with one weight per input and a bias.
    pub outputs: usize,
    /// What each neuron makes of its sum.
    pub activation: Activation,
    /// Where the weights lie among the parameters.
    pub weights: Range<usize>,
    /// Where the biases lie among the parameters.
    pub biases: Range<usize>,
}

/// The sizes and activations of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    layers: Vec<LayerShape>,
}

impl Shape {
    /// The shape with these layer sizes, input first, and one activation per layer of weights.
    ///
    /// ```
    /// use outplay_nn::{Activation, Shape};
    /// let shape = Shape::new(&[16, 16, 1], &[Activation::Sigmoid; 2])?;
    /// assert_eq!(shape.parameters(), 16 * 16 + 16 + 16 + 1);
    /// # Ok::<(), outplay_nn::ShapeError>(())
    /// ```
    pub fn new(sizes: &[usize], activations: &[Activation]) -> Result<Self, ShapeError> {
        if sizes.len() < 2 {
            return Err(ShapeError::TooFewSizes(sizes.len()));
        }
        if let Some(empty) = sizes.iter().position(|&size| size == 0) {
            return Err(ShapeError::EmptyLayer(empty));
        }
        if activations.len() != sizes.len() - 1 {
            return Err(ShapeError::Activations { layers: sizes.len() - 1, activations: activations.len() });
        }
        let mut layers = Vec::with_capacity(activations.len());
        let mut start = 0usize;
        for (pair, &activation) in sizes.windows(2).zip(activations) {
            let (inputs, outputs) = (pair[0], pair[1]);
            let middle = inputs.checked_mul(outputs).and_then(|weights| start.checked_add(weights));
            let end = middle.and_then(|middle| middle.checked_add(outputs));
            let (Some(middle), Some(end)) = (middle, end.filter(|&end| end <= isize::MAX as usize / 8))
            else {
                return Err(ShapeError::TooLarge(sizes.to_vec()));
            };
            layers.push(LayerShape {
                inputs,
                outputs,
                activation,
                weights: start..middle,
                biases: middle..end,
            });
            start = end;
        }
        Ok(Self { layers })
    }

    /// The layers of weights, from the input on; there is at least one.
    pub fn layers(&self) -> &[LayerShape] {
        &self.layers
    }

    /// Numbers that come in.
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    /// Numbers that come out.
    pub fn outputs(&self) -> usize {
        self.last().outputs
    }

    /// The length of the parameter vector.
    pub fn parameters(&self) -> usize {
        self.last().biases.end
    }

    /// The layer sizes, input first.
    pub fn sizes(&self) -> Vec<usize> {
        std::iter::once(self.inputs()).chain(self.layers.iter().map(|layer| layer.outputs)).collect()
    }

    pub(crate) fn last(&self) -> &LayerShape {
        &self.layers[self.layers.len() - 1]
    }
}

/// A fully connected network with biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    shape: Shape,
    parameters: Vec<f64>,
}

/// One layer of a network.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// Where it stands.
    pub shape: &'a LayerShape,
    /// Output by output, one weight per input.
    pub weights: &'a [f64],
    /// One per output.
    pub biases: &'a [f64],
}

impl Mlp {
    /// A new network: every weight and bias uniform in ±1/√(inputs of its layer), so that sums begin near the
    /// middle of the activations.
    pub fn new(shape: Shape, rng: &mut Rng) -> Self {
        let mut parameters = Vec::with_capacity(shape.parameters());
        for layer in shape.layers() {
            let bound = 1.0 / (layer.inputs as f64).sqrt();
            for _ in layer.weights.start..layer.biases.end {
                parameters.push(rng.unit().mul_add(2.0, -1.0) * bound);
            }
        }
        Self { shape, parameters }
    }

    /// The network with these parameters.
    pub fn from_parameters(shape: Shape, parameters: Vec<f64>) -> Result<Self, ShapeError> {
        if parameters.len() != shape.parameters() {
            return Err(ShapeError::ParameterCount { expected: shape.parameters(), found: parameters.len() });
        }
        if let Some(index) = parameters.iter().position(|p| !p.is_finite()) {
            return Err(ShapeError::NotFinite(index));
        }
        Ok(Self { shape, parameters })
    }

    /// Its sizes and activations.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All weights and biases, in the order of the room's law.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Its layers, from the input on.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'_>> {
        self.shape.layers().iter().map(|shape| Layer {
            shape,
            weights: &self.parameters[shape.weights.clone()],
            biases: &self.parameters[shape.biases.clone()],
        })
    }

    /// The outputs for one input, in full precision. Clear rather than fast: see
    /// [`compile`](Self::compile).
    pub fn forward(&self, input: &[f64]) -> Vec<f64> {
        assert_eq!(input.len(), self.shape.inputs(), "inputs of the network");
        let mut signal = input.to_vec();
        for layer in self.layers() {
            let neurons = layer.weights.chunks_exact(layer.shape.inputs).zip(layer.biases);
            let sum = |(weights, bias): (&[f64], &f64)| {
                weights.iter().zip(&signal).fold(*bias, |sum, (w, x)| w.mul_add(*x, sum))
            };
            signal = neurons.map(sum).collect();
            layer.shape.activation.apply(&mut signal);
        }
        signal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_shapes_are_refused() {
        use Activation::Sigmoid;
        assert_eq!(Shape::new(&[3], &[]), Err(ShapeError::TooFewSizes(1)));
        assert_eq!(Shape::new(&[3, 0, 1], &[Sigmoid; 2]), Err(ShapeError::EmptyLayer(1)));
        assert_eq!(
            Shape::new(&[3, 1], &[Sigmoid; 2]),
            Err(ShapeError::Activations { layers: 1, activations: 2 })
        );
        let huge = [usize::MAX / 2, usize::MAX / 2];
        assert_eq!(Shape::new(&huge, &[Sigmoid]), Err(ShapeError::TooLarge(huge.to_vec())));
    }

    #[test]
    fn parameters_must_fit_and_be_finite() {
        let shape = Shape::new(&[2, 1], &[Activation::Tanh]).unwrap();
        assert_eq!(
            Mlp::from_parameters(shape.clone(), vec![0.0; 2]),
            Err(ShapeError::ParameterCount { expected: 3, found: 2 })
        );
        assert_eq!(Mlp::from_parameters(shape, vec![0.0, f64::NAN, 0.0]), Err(ShapeError::NotFinite(1)));
    }

    #[test]
    fn a_network_worked_by_hand() {
        let shape = Shape::new(&[2, 2, 1], &[Activation::Relu, Activation::Sigmoid]).unwrap();
        let net = Mlp::from_parameters(shape, vec![1.0, 2.0, -1.0, 1.0, 0.5, -0.5, 1.0, -2.0, 0.25]).unwrap();
        // Hidden sums 1·1 + 2·0 + 0.5 = 1.5 and −1 − 0.5 < 0; output sum 1.5 + 0.25.
        let expected = 1.0 / (1.0 + (-1.75f64).exp());
        assert!((net.forward(&[1.0, 0.0])[0] - expected).abs() < 1e-15);
    }

    #[test]
    fn a_seed_gives_one_network_within_its_bounds() {
        let shape = Shape::new(&[16, 16, 1], &[Activation::Sigmoid; 2]).unwrap();
        let net = Mlp::new(shape.clone(), &mut Rng::new(7));
        assert_eq!(net, Mlp::new(shape.clone(), &mut Rng::new(7)));
        assert_ne!(net, Mlp::new(shape, &mut Rng::new(8)));
        assert!(net.parameters().iter().all(|p| p.abs() <= 0.25));
        assert!(net.parameters().iter().any(|p| p.abs() > 0.24));
    }
}
