//! How far a network is from its targets, and which way is down.
//!
//! Belongs here: the losses and back-propagation over a whole data set. Does not belong here: what an
//! optimiser does with the gradient.
//!
//! Law: the loss is a mean over all samples and outputs, and the gradient is that of exactly this mean;
//! blocks are worked through in order on one thread, so both have one value to the last bit.

use outplay_core::elementary::{fast_exp, softplus};

use crate::activation::Activation;
use crate::dataset::{BLOCK_TILES, Block, Dataset};
use crate::error::TrainError;
use crate::mlp::{Mlp, Shape};
use crate::tiles::{LANES, Lanes, Tiles, accumulate, correlate, weigh};

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

    /// Whether this loss can be taken of such a network on such data.
    pub fn check(self, shape: &Shape, data: &Dataset) -> Result<(), TrainError> {
        if (shape.inputs(), shape.outputs()) != (data.inputs(), data.targets()) {
            return Err(TrainError::Mismatch {
                network_inputs: shape.inputs(),
                network_outputs: shape.outputs(),
                inputs: data.inputs(),
                targets: data.targets(),
            });
        }
        if self == Self::Classes {
            return Err(TrainError::NeedsSums(shape.last().activation.name()));
        }
        if self == Self::CrossEntropy {
            let activation = shape.last().activation;
            if activation != Activation::Sigmoid {
                return Err(TrainError::NeedsSigmoid(activation.name()));
            }
            if let Some(target) = data.all_targets().find(|t| !(0.0..=1.0).contains(t)) {
                return Err(TrainError::NotProbability(target));
            }
        }
        Ok(())
    }
}

/// The loss of a network on a data set; its gradient replaces what `gradient` held.
pub fn loss_and_gradient(
    net: &Mlp,
    loss: Loss,
    data: &Dataset,
    gradient: &mut [f64],
) -> Result<f64, TrainError> {
    loss.check(net.shape(), data)?;
    Ok(Backprop::new(net.shape().clone(), loss).loss_and_gradient(net.parameters(), data, gradient))
}

/// Back-propagation for one shape, with the room it works in, so that repeated use allocates nothing.
///
/// Its methods expect parameters and data that fit the shape: [`Loss::check`] is the door.
#[derive(Clone, Debug)]
pub struct Backprop {
    shape: Shape,
    loss: Loss,
    /// For each layer, the outputs of one block of tiles.
    outputs: Vec<Vec<Lanes>>,
    /// For each layer, the slope of the loss by its sums, over one block of tiles.
    deltas: Vec<Vec<Lanes>>,
    /// For each layer, its weights input by input.
    transposed: Vec<Vec<f64>>,
    /// As many as the widest layer: what goes back has no bias.
    zeros: Vec<f64>,
}

impl Backprop {
    /// Room for networks of this shape.
    pub fn new(shape: Shape, loss: Loss) -> Self {
        let rows = |layer: &crate::LayerShape| vec![Lanes::ZERO; layer.outputs * BLOCK_TILES];
        let outputs: Vec<_> = shape.layers().iter().map(rows).collect();
        let transposed = shape.layers().iter().map(|layer| vec![0.0; layer.weights.len()]).collect();
        let widest = shape.sizes().into_iter().max().unwrap_or(0);
        Self { deltas: outputs.clone(), outputs, transposed, zeros: vec![0.0; widest], shape, loss }
    }

    /// The loss alone.
    pub fn loss(&mut self, parameters: &[f64], data: &Dataset) -> f64 {
        let scale = 1.0 / (data.len() * data.targets()) as f64;
        data.blocks().map(|block| self.forward(parameters, &block, scale)).sum::<f64>() * scale
    }

    /// The loss; its gradient replaces what `gradient` held.
    pub fn loss_and_gradient(&mut self, parameters: &[f64], data: &Dataset, gradient: &mut [f64]) -> f64 {
        assert_eq!(parameters.len(), self.shape.parameters(), "parameters of the network");
        assert_eq!(gradient.len(), self.shape.parameters(), "entries of the gradient");
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
        for (layer, columns) in self.shape.layers().iter().zip(&mut self.transposed).skip(1) {
            for (o, row) in parameters[layer.weights.clone()].chunks_exact(layer.inputs).enumerate() {
                for (i, weight) in row.iter().enumerate() {
                    columns[i * layer.outputs + o] = *weight;
                }
            }
        }
    }

    /// Fills the outputs of every layer and the deltas of the last one; the summed loss of the block.
    fn forward(&mut self, parameters: &[f64], block: &Block<'_>, scale: f64) -> f64 {
        let last = self.shape.layers().len() - 1;
        let mut total = 0.0;
        for (tile, inputs) in block.inputs.chunks_exact(self.shape.inputs()).enumerate() {
            let mut signal = inputs;
            for (depth, (layer, outputs)) in self.shape.layers().iter().zip(&mut self.outputs).enumerate() {
                let sums = &mut outputs[tile * layer.outputs..][..layer.outputs];
                weigh(&parameters[layer.weights.clone()], &parameters[layer.biases.clone()], signal, sums);
                if depth < last {
                    for lanes in &mut *sums {
                        layer.activation.apply(&mut lanes.0);
                    }
                } else {
                    let targets = &block.targets[tile * layer.outputs..][..layer.outputs];
                    let deltas = &mut self.deltas[depth][tile * layer.outputs..][..layer.outputs];
                    let mask = Lanes::mask(block.samples - tile * LANES);
                    let judge = Judge { loss: self.loss, activation: layer.activation, mask, scale };
                    total += judge.tile(sums, targets, deltas);
                }
                signal = sums;
            }
        }
        total
    }

    /// Fills the deltas of every layer from those of the layer after it.
    fn backward(&mut self, tiles: usize) {
        for depth in (1..self.shape.layers().len()).rev() {
            let layer = &self.shape.layers()[depth];
            let activation = self.shape.layers()[depth - 1].activation;
            let (before, after) = self.deltas.split_at_mut(depth);
            for tile in 0..tiles {
                let later = &after[0][tile * layer.outputs..][..layer.outputs];
                let earlier = &mut before[depth - 1][tile * layer.inputs..][..layer.inputs];
                let outputs = &self.outputs[depth - 1][tile * layer.inputs..][..layer.inputs];
                weigh(&self.transposed[depth], &self.zeros, later, earlier);
                for (delta, output) in earlier.iter_mut().zip(outputs) {
                    activation.scale_by_slope(&mut delta.0, &output.0);
                }
            }
        }
    }

    /// Adds the block's share of the gradient.
    fn gather(&self, block: &Block<'_>, gradient: &mut [f64]) {
        let mut inputs = Tiles { rows: block.inputs, width: self.shape.inputs() };
        let tiles = block.inputs.len() / self.shape.inputs();
        for ((layer, deltas), outputs) in self.shape.layers().iter().zip(&self.deltas).zip(&self.outputs) {
            let deltas = Tiles { rows: &deltas[..tiles * layer.outputs], width: layer.outputs };
            correlate(deltas, inputs, &mut gradient[layer.weights.clone()]);
            accumulate(deltas, &mut gradient[layer.biases.clone()]);
            inputs = Tiles { rows: outputs, width: layer.outputs };
        }
    }
}

/// Compares one tile's outputs with its targets.
struct Judge {
    loss: Loss,
    activation: Activation,
    /// One for lanes that are samples, zero for the others.
    mask: Lanes,
    /// What one output of one sample weighs in the mean.
    scale: f64,
}

impl Judge {
    /// Turns sums into outputs and fills the deltas; the loss of the tile, not yet scaled.
    fn tile(&self, sums: &mut [Lanes], targets: &[Lanes], deltas: &mut [Lanes]) -> f64 {
        let mut total = 0.0;
        let slope = if self.loss == Loss::SquaredError { 2.0 * self.scale } else { self.scale };
        for ((sums, targets), deltas) in sums.iter_mut().zip(targets).zip(deltas) {
            let before = *sums;
            self.activation.apply(&mut sums.0);
            let mut losses = Lanes::ZERO;
            for lane in 0..LANES {
                let error = (sums.0[lane] - targets.0[lane]) * self.mask.0[lane];
                deltas.0[lane] = error * slope;
                losses.0[lane] = match self.loss {
                    Loss::SquaredError => error * error,
                    Loss::HalfSquaredError => 0.5 * error * error,
                    Loss::CrossEntropy => {
                        self.mask.0[lane] * (softplus(before.0[lane]) - targets.0[lane] * before.0[lane])
                    }
                    Loss::Classes => unreachable!("classes are refused at the door"),
                };
            }
            // The slope of cross-entropy by a sigmoid's sum is the error itself.
            if self.loss != Loss::CrossEntropy {
                self.activation.scale_by_slope(&mut deltas.0, &sums.0);
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
    fn plain_loss(net: &Mlp, loss: Loss, data: &Dataset) -> f64 {
        let mut total = 0.0;
        for block in data.blocks() {
            for sample in 0..block.samples {
                let (tile, lane) = (sample / LANES, sample % LANES);
                let rows = &block.inputs[tile * data.inputs()..][..data.inputs()];
                let input: Vec<f64> = rows.iter().map(|row| row.0[lane]).collect();
                for (o, y) in net.forward(&input).into_iter().enumerate() {
                    let t = block.targets[tile * data.targets() + o].0[lane];
                    total += match loss {
                        Loss::SquaredError => (y - t) * (y - t),
                        Loss::HalfSquaredError => 0.5 * (y - t) * (y - t),
                        Loss::CrossEntropy => -(t * y.ln() + (1.0 - t) * (1.0 - y).ln()),
                        Loss::Classes => unreachable!("refused at the door"),
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
                    let shape = Shape::new(sizes, &activations).unwrap();
                    let data = random_data(sizes[0], sizes[sizes.len() - 1], samples, &mut rng);
                    for loss in Loss::ALL {
                        if loss.check(&shape, &data).is_ok() {
                            compare_with_differences(&Mlp::new(shape.clone(), &mut rng), loss, &data);
                        }
                    }
                }
            }
        }
    }

    fn compare_with_differences(net: &Mlp, loss: Loss, data: &Dataset) {
        let mut gradient = vec![f64::NAN; net.shape().parameters()];
        let value = loss_and_gradient(net, loss, data, &mut gradient).unwrap();
        assert!((value - plain_loss(net, loss, data)).abs() < 1e-13);
        let mut backprop = Backprop::new(net.shape().clone(), loss);
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
            let close = agrees(1e-6, 1e-8) || agrees(1e-8, 2e-7);
            assert!(close, "{:?} {loss:?} parameter {index}", net.shape());
        }
    }

    #[test]
    fn used_room_leaves_no_trace() {
        let mut rng = Rng::new(5);
        let shape = Shape::new(&[4, 6, 2], &[Activation::Tanh, Activation::Sigmoid]).unwrap();
        let net = Mlp::new(shape.clone(), &mut rng);
        let (many, few) = (random_data(4, 2, 500, &mut rng), random_data(4, 2, 21, &mut rng));
        let mut fresh = vec![0.0; shape.parameters()];
        let expected = loss_and_gradient(&net, Loss::CrossEntropy, &few, &mut fresh).unwrap();
        let mut backprop = Backprop::new(shape.clone(), Loss::CrossEntropy);
        let mut gradient = vec![0.0; shape.parameters()];
        backprop.loss_and_gradient(net.parameters(), &many, &mut gradient);
        assert_eq!(backprop.loss_and_gradient(net.parameters(), &few, &mut gradient), expected);
        assert_eq!(gradient, fresh);
    }

    #[test]
    fn losses_refuse_what_they_cannot_measure() {
        let data = Dataset::new(2, 1, &[0.0, 1.0], &[1.5]).unwrap();
        let shape = |sizes: &[usize], last| Shape::new(sizes, &[last]).unwrap();
        let check = |loss: Loss, shape: &Shape| loss.check(shape, &data);
        assert!(matches!(
            check(Loss::HalfSquaredError, &shape(&[3, 1], Activation::Sigmoid)),
            Err(TrainError::Mismatch { .. })
        ));
        assert_eq!(
            check(Loss::CrossEntropy, &shape(&[2, 1], Activation::Tanh)),
            Err(TrainError::NeedsSigmoid("tanh"))
        );
        assert_eq!(
            check(Loss::CrossEntropy, &shape(&[2, 1], Activation::Sigmoid)),
            Err(TrainError::NotProbability(1.5))
        );
        assert_eq!(check(Loss::HalfSquaredError, &shape(&[2, 1], Activation::Relu)), Ok(()));
    }
}
