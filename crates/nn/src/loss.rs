//! Loss functions, and back-propagation over a whole data set in double precision.
//!
//! The loss is a mean over all samples and outputs, and the gradient is that of exactly this mean. Blocks are
//! worked through in order on one thread, so both have one value to the last bit. What an optimiser does with the
//! gradient is not here.

use outplay_core::elementary::{fast_exp, softplus};

use crate::activation::Activation;
use crate::dataset::{BLOCK_TILES, Dataset, TileBlock};
use crate::error::TrainError;
use crate::network::{AffineLayer, Architecture, Network, affine_layers};
use crate::tiles::{LANES, TileRow, Tiles, accumulate, correlate, weigh};

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Mean of (output − target)².
    SquaredError,
    /// ½ · mean of (output − target)².
    HalfSquaredError,
    /// −mean of target·ln(output) + (1 − target)·ln(1 − output), for sigmoid outputs and targets from 0 to 1.
    CrossEntropy,
    /// −Σ target·ln(softmax of the outputs), the mean over samples (or cells): the outputs are classes of which one is
    /// right. For identity outputs, whose [`softmax`] are the probabilities.
    Classes,
}

/// Turns the outputs for one sample (or cell) into probabilities that add up to one.
pub fn softmax(outputs: &mut [f32]) {
    let highest = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for output in outputs.iter_mut() {
        *output = fast_exp(*output - highest);
    }
    let sum: f32 = outputs.iter().sum();
    for output in outputs.iter_mut() {
        *output /= sum;
    }
}

impl Loss {
    /// Every loss, in the order of their codes.
    pub(crate) const ALL: [Self; 4] =
        [Self::HalfSquaredError, Self::CrossEntropy, Self::SquaredError, Self::Classes];

    /// Whether BFGS can lower this loss of such a network on such data.
    pub fn check_data(self, architecture: &Architecture, data: &Dataset) -> Result<(), TrainError> {
        if architecture.plain_dense().is_none() {
            return Err(TrainError::NotDense { plan: architecture.to_string() });
        }
        if (architecture.inputs, architecture.outputs()) != (data.inputs(), data.targets()) {
            return Err(TrainError::Mismatch {
                network_inputs: architecture.inputs,
                network_outputs: architecture.outputs(),
                inputs: data.inputs(),
                targets: data.targets(),
            });
        }
        let activation = architecture.last_activation();
        if self == Self::Classes {
            return Err(TrainError::NeedsSums { activation: activation.name() });
        }
        if self == Self::CrossEntropy {
            if activation != Activation::Sigmoid {
                return Err(TrainError::NeedsSigmoid { activation: activation.name() });
            }
            if let Some(target) = data.all_targets().find(|t| !(0.0..=1.0).contains(t)) {
                return Err(TrainError::NotProbability { target });
            }
        }
        Ok(())
    }

    /// Whether the mini-batch trainer can lower this loss of such a network.
    pub fn check_outputs(self, architecture: &Architecture) -> Result<(), TrainError> {
        let activation = architecture.last_activation();
        let probable = matches!(activation, Activation::Sigmoid | Activation::Identity);
        if self == Self::Classes && activation != Activation::Identity {
            return Err(TrainError::NeedsSums { activation: activation.name() });
        }
        if self == Self::CrossEntropy && !probable {
            return Err(TrainError::NeedsSigmoid { activation: activation.name() });
        }
        Ok(())
    }
}

/// The loss of a network on a data set; its gradient replaces what `gradient` held.
pub fn loss_and_gradient(
    net: &Network<f64>,
    loss: Loss,
    data: &Dataset,
    gradient: &mut [f64],
) -> Result<f64, TrainError> {
    loss.check_data(net.architecture(), data)?;
    Ok(Backprop::new(net.architecture(), loss).loss_and_gradient(net.parameters(), data, gradient))
}

/// Back-propagation through dense layers, with its buffers, so that repeated use allocates nothing.
///
/// Its methods expect parameters and data that fit the architecture: [`Loss::check_data`] checks them.
#[derive(Clone, Debug)]
pub struct Backprop {
    inputs: usize,
    layers: Vec<AffineLayer>,
    loss: Loss,
    /// For each layer, the outputs of one block of tiles.
    outputs: Vec<Vec<TileRow>>,
    /// For each hidden layer whose slope needs them, the sums of one block of tiles.
    sums: Vec<Vec<TileRow>>,
    /// For each layer, the slope of the loss by its sums, over one block of tiles.
    deltas: Vec<Vec<TileRow>>,
    /// For each layer, its weights input by input.
    transposed: Vec<Vec<f64>>,
    /// As many as the widest layer: what goes back has no bias.
    zeros: Vec<f64>,
}

impl Backprop {
    /// Buffers for networks of this architecture.
    pub fn new(architecture: &Architecture, loss: Loss) -> Self {
        let layers = affine_layers(architecture);
        let rows = |layer: &AffineLayer| vec![TileRow::ZERO; layer.outputs * BLOCK_TILES];
        let outputs: Vec<_> = layers.iter().map(rows).collect();
        let kept = |layer: &AffineLayer| {
            if layer.activation.slope_needs_sum() { rows(layer) } else { Vec::new() }
        };
        Self {
            inputs: architecture.inputs,
            sums: layers.iter().map(kept).collect(),
            deltas: outputs.clone(),
            outputs,
            transposed: layers.iter().map(|layer| vec![0.0; layer.weights.len()]).collect(),
            zeros: vec![0.0; layers.iter().map(|layer| layer.inputs).max().unwrap_or(0)],
            layers,
            loss,
        }
    }

    /// Numbers that the parameters and the gradient have.
    fn parameters(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.biases.end)
    }

    /// The loss alone.
    pub fn loss(&mut self, parameters: &[f64], data: &Dataset) -> f64 {
        let scale = 1.0 / (data.len() * data.targets()) as f64;
        data.blocks().map(|block| self.forward(parameters, &block, scale)).sum::<f64>() * scale
    }

    /// The loss; its gradient replaces what `gradient` held.
    pub fn loss_and_gradient(&mut self, parameters: &[f64], data: &Dataset, gradient: &mut [f64]) -> f64 {
        assert_eq!(parameters.len(), self.parameters(), "parameters of the network");
        assert_eq!(gradient.len(), self.parameters(), "entries of the gradient");
        let scale = 1.0 / (data.len() * data.targets()) as f64;
        gradient.fill(0.0);
        self.transpose(parameters);
        let mut total = 0.0;
        for block in data.blocks() {
            total += self.forward(parameters, &block, scale);
            self.backward(block.inputs.len() / data.inputs());
            self.gather(&block, gradient);
        }
        total * scale
    }

    fn transpose(&mut self, parameters: &[f64]) {
        // What leaves the first layer backwards would reach the inputs, where nothing is learnt.
        for (layer, columns) in self.layers.iter().zip(&mut self.transposed).skip(1) {
            for (o, row) in parameters[layer.weights.clone()].chunks_exact(layer.inputs).enumerate() {
                for (i, weight) in row.iter().enumerate() {
                    columns[i * layer.outputs + o] = *weight;
                }
            }
        }
    }

    /// Fills the outputs of every layer and the deltas of the last one; the summed loss of the block.
    fn forward(&mut self, parameters: &[f64], block: &TileBlock<'_>, scale: f64) -> f64 {
        let last = self.layers.len() - 1;
        let mut total = 0.0;
        for (tile, inputs) in block.inputs.chunks_exact(self.inputs).enumerate() {
            let mut signal = inputs;
            for (depth, (layer, outputs)) in self.layers.iter().zip(&mut self.outputs).enumerate() {
                let sums = &mut outputs[tile * layer.outputs..][..layer.outputs];
                weigh(&parameters[layer.weights.clone()], &parameters[layer.biases.clone()], signal, sums);
                if depth < last {
                    if layer.activation.slope_needs_sum() {
                        self.sums[depth][tile * layer.outputs..][..layer.outputs].copy_from_slice(sums);
                    }
                    for row in &mut *sums {
                        activate(layer.activation, row);
                    }
                } else {
                    let targets = &block.targets[tile * layer.outputs..][..layer.outputs];
                    let deltas = &mut self.deltas[depth][tile * layer.outputs..][..layer.outputs];
                    let mask = TileRow::mask(block.samples - tile * LANES);
                    let tile = TileLoss { loss: self.loss, activation: layer.activation, mask, scale };
                    total += tile.measure(sums, targets, deltas);
                }
                signal = sums;
            }
        }
        total
    }

    /// Fills the deltas of every layer from those of the layer after it.
    fn backward(&mut self, tiles: usize) {
        for depth in (1..self.layers.len()).rev() {
            let layer = &self.layers[depth];
            let activation = self.layers[depth - 1].activation;
            let (before, after) = self.deltas.split_at_mut(depth);
            for tile in 0..tiles {
                let later = &after[0][tile * layer.outputs..][..layer.outputs];
                let earlier = &mut before[depth - 1][tile * layer.inputs..][..layer.inputs];
                let outputs = &self.outputs[depth - 1][tile * layer.inputs..][..layer.inputs];
                weigh(&self.transposed[depth], &self.zeros, later, earlier);
                let sums = match &self.sums[depth - 1][..] {
                    [] => outputs,
                    sums => &sums[tile * layer.inputs..][..layer.inputs],
                };
                for ((delta, sum), output) in earlier.iter_mut().zip(sums).zip(outputs) {
                    scale_by_slope(activation, delta, sum, output);
                }
            }
        }
    }

    /// Adds the block's share of the gradient.
    fn gather(&self, block: &TileBlock<'_>, gradient: &mut [f64]) {
        let mut inputs = Tiles { rows: block.inputs, width: self.inputs };
        let tiles = block.inputs.len() / self.inputs;
        for ((layer, deltas), outputs) in self.layers.iter().zip(&self.deltas).zip(&self.outputs) {
            let deltas = Tiles { rows: &deltas[..tiles * layer.outputs], width: layer.outputs };
            correlate(deltas, inputs, &mut gradient[layer.weights.clone()]);
            accumulate(deltas, &mut gradient[layer.biases.clone()]);
            inputs = Tiles { rows: outputs, width: layer.outputs };
        }
    }
}

/// Turns the sums of one neuron into outputs. Kept apart, like the slopes below, because the compiler would otherwise
/// vectorise over neurons, with gathers, instead of over samples.
#[inline(never)]
fn activate(activation: Activation, sums: &mut TileRow) {
    activation.apply(&mut sums.0);
}

/// Multiplies the deltas of one neuron by its slopes.
#[inline(never)]
fn scale_by_slope(activation: Activation, deltas: &mut TileRow, sums: &TileRow, outputs: &TileRow) {
    activation.scale_by_slope(&mut deltas.0, &sums.0, &outputs.0);
}

/// Compares one tile's outputs with its targets.
struct TileLoss {
    loss: Loss,
    activation: Activation,
    /// One for lanes that are samples, zero for the others.
    mask: TileRow,
    /// What one output of one sample weighs in the mean.
    scale: f64,
}

impl TileLoss {
    /// Turns sums into outputs and fills the deltas; the loss of the tile, not yet scaled.
    fn measure(&self, sums: &mut [TileRow], targets: &[TileRow], deltas: &mut [TileRow]) -> f64 {
        let mut total = 0.0;
        let slope = if self.loss == Loss::SquaredError { 2.0 * self.scale } else { self.scale };
        for ((sums, targets), deltas) in sums.iter_mut().zip(targets).zip(deltas) {
            let before = *sums;
            self.activation.apply(&mut sums.0);
            let mut losses = TileRow::ZERO;
            for lane in 0..LANES {
                let error = (sums.0[lane] - targets.0[lane]) * self.mask.0[lane];
                deltas.0[lane] = error * slope;
                losses.0[lane] = match self.loss {
                    Loss::SquaredError => error * error,
                    Loss::HalfSquaredError => 0.5 * error * error,
                    Loss::CrossEntropy => {
                        self.mask.0[lane] * (softplus(before.0[lane]) - targets.0[lane] * before.0[lane])
                    }
                    Loss::Classes => unreachable!("`check_data` refuses classes"),
                };
            }
            // The slope of cross-entropy by a sigmoid's sum is the error itself.
            if self.loss != Loss::CrossEntropy {
                self.activation.scale_by_slope(&mut deltas.0, &before.0, &sums.0);
            }
            total += losses.total();
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    fn random_data(inputs: usize, targets: usize, samples: usize, rng: &mut Rng) -> Dataset {
        let mut draw = |count: usize| (0..count).map(|_| rng.unit() as f32).collect::<Vec<_>>();
        Dataset::new(inputs, targets, &draw(inputs * samples), &draw(targets * samples)).unwrap()
    }

    /// The definition, sample by sample, with the platform's logarithm.
    fn plain_loss(net: &Network<f64>, loss: Loss, data: &Dataset) -> f64 {
        let mut total = 0.0;
        for block in data.blocks() {
            for sample in 0..block.samples {
                let (tile, lane) = (sample / LANES, sample % LANES);
                let rows = &block.inputs[tile * data.inputs()..][..data.inputs()];
                let input: Vec<f64> = rows.iter().map(|row| row.0[lane]).collect();
                for (o, y) in net.forward(&input).unwrap().into_iter().enumerate() {
                    let t = block.targets[tile * data.targets() + o].0[lane];
                    total += match loss {
                        Loss::SquaredError => (y - t) * (y - t),
                        Loss::HalfSquaredError => 0.5 * (y - t) * (y - t),
                        Loss::CrossEntropy => -(t * y.ln() + (1.0 - t) * (1.0 - y).ln()),
                        Loss::Classes => unreachable!("`check_data` refuses classes"),
                    };
                }
            }
        }
        total / (data.len() * data.targets()) as f64
    }

    #[test]
    fn the_gradient_is_the_measured_slope() {
        let mut rng = Rng::new(11);
        let shapes: [&[usize]; 6] =
            [&[1, 1], &[3, 2], &[5, 4, 1], &[16, 16, 1], &[7, 9, 6, 3], &[2, 5, 4, 3, 2]];
        for (sizes, samples) in shapes.into_iter().zip([1, 16, 17, 300, 256, 40]) {
            for hidden in Activation::ALL {
                for last in Activation::ALL {
                    let mut activations = vec![hidden; sizes.len() - 1];
                    *activations.last_mut().unwrap() = last;
                    let architecture = Architecture::from_widths(sizes, &activations).unwrap();
                    let data = random_data(sizes[0], sizes[sizes.len() - 1], samples, &mut rng);
                    for loss in Loss::ALL {
                        if loss.check_data(&architecture, &data).is_ok() {
                            let net = Network::uniform(architecture.clone(), &mut rng).unwrap();
                            compare_with_differences(&net, loss, &data);
                        }
                    }
                }
            }
        }
    }

    fn compare_with_differences(net: &Network<f64>, loss: Loss, data: &Dataset) {
        let mut gradient = vec![f64::NAN; net.parameters().len()];
        let value = loss_and_gradient(net, loss, data, &mut gradient).unwrap();
        assert!((value - plain_loss(net, loss, data)).abs() < 1e-13);
        let mut backprop = Backprop::new(net.architecture(), loss);
        assert_eq!(backprop.loss(net.parameters(), data), value);
        for index in (0..gradient.len()).step_by(1 + gradient.len() / 40) {
            let mut shifted = |by: f64| {
                let mut parameters = net.parameters().to_vec();
                parameters[index] += by;
                backprop.loss(&parameters, data)
            };
            // Where a step leads a sample over the corner of a ReLU, a shorter and less exact one does not.
            let mut agrees = |step: f64, error: f64| {
                let measured = (shifted(step) - shifted(-step)) / (2.0 * step);
                (measured - gradient[index]).abs() < error
            };
            let close = agrees(1e-6, 1e-8) || agrees(1e-8, 2e-7) || agrees(1e-9, 4e-7);
            assert!(close, "{} {loss:?} parameter {index}", net.architecture());
        }
    }

    #[test]
    fn used_buffers_leave_no_trace() {
        let mut rng = Rng::new(5);
        let architecture = Architecture::dense(&[4, 6, 2], Activation::Tanh, Activation::Sigmoid).unwrap();
        let net = Network::uniform(architecture.clone(), &mut rng).unwrap();
        let (many, few) = (random_data(4, 2, 500, &mut rng), random_data(4, 2, 21, &mut rng));
        let mut fresh = vec![0.0; architecture.parameters()];
        let expected = loss_and_gradient(&net, Loss::CrossEntropy, &few, &mut fresh).unwrap();
        let mut backprop = Backprop::new(&architecture, Loss::CrossEntropy);
        let mut gradient = vec![0.0; architecture.parameters()];
        backprop.loss_and_gradient(net.parameters(), &many, &mut gradient);
        assert_eq!(backprop.loss_and_gradient(net.parameters(), &few, &mut gradient), expected);
        assert_eq!(gradient, fresh);
    }

    #[test]
    fn losses_refuse_what_they_cannot_measure() {
        let data = Dataset::new(2, 1, &[0.0, 1.0], &[1.5]).unwrap();
        let shape = |sizes: &[usize], last| Architecture::dense(sizes, last, last).unwrap();
        let check = |loss: Loss, shape: &Architecture| loss.check_data(shape, &data);
        assert!(matches!(
            check(Loss::HalfSquaredError, &shape(&[3, 1], Activation::Sigmoid)),
            Err(TrainError::Mismatch { .. })
        ));
        assert_eq!(
            check(Loss::CrossEntropy, &shape(&[2, 1], Activation::Tanh)),
            Err(TrainError::NeedsSigmoid { activation: "tanh" })
        );
        assert_eq!(
            check(Loss::CrossEntropy, &shape(&[2, 1], Activation::Sigmoid)),
            Err(TrainError::NotProbability { target: 1.5 })
        );
        assert_eq!(check(Loss::HalfSquaredError, &shape(&[2, 1], Activation::Relu)), Ok(()));
        let unbiased = "2 | dense 1 relu no-bias";
        assert_eq!(
            check(Loss::HalfSquaredError, &unbiased.parse().unwrap()),
            Err(TrainError::NotDense { plan: unbiased.to_owned() })
        );
    }
}
