//! Fast answers, one position at a time, in single precision, of a network with one output.
//!
//! Every layer but the last keeps its weights input by input, one *column* of groups of sixteen neurons, so that
//! one input is spread over all neurons at once; the last keeps one row. Neurons that only fill a group have weights
//! and biases of zero, and nothing reads them. No call allocates; answers agree with [`Network::forward`] to 1e-5
//! for weights of ordinary size.

use crate::activation::Activation;
use crate::error::ShapeError;
use crate::network::{AffineLayer, Network, affine_layers};
use crate::scalar::Scalar;

/// Neurons that are worked out together.
const GROUP: usize = 16;
type Group = [f32; GROUP];

/// A network of one output, ready to answer. Each thread has its own: answering writes into it.
#[derive(Clone, Debug)]
pub struct Inference {
    first: Columns,
    middle: Vec<Columns>,
    /// Absent when the first layer is the last.
    last: Option<OutputRow>,
    output_activation: Activation,
    /// The signal between layers, and a buffer for the next one; as wide as the widest layer.
    signal: Vec<Group>,
    next: Vec<Group>,
}

/// A layer, input by input.
#[derive(Clone, Debug)]
struct Columns {
    inputs: usize,
    groups: usize,
    activation: Activation,
    biases: Vec<Group>,
    /// `groups` of them for each input.
    weights: Vec<Group>,
}

/// The last layer: one neuron.
#[derive(Clone, Debug)]
struct OutputRow {
    weights: Vec<Group>,
    bias: f32,
}

impl<T: Scalar> Network<T> {
    /// The same network, ready to answer quickly; it must see plain numbers and have one output.
    ///
    /// ```
    /// use outplay_nn::{Activation, Architecture, Network};
    /// let architecture = Architecture::dense(&[2, 3, 1], Activation::Sigmoid, Activation::Sigmoid)?;
    /// let net = Network::<f64>::uniform(architecture, &mut outplay_core::Rng::new(1))?;
    /// let mut fast = net.compile()?;
    /// assert!((f64::from(fast.output(&[0.0, 1.0])) - net.forward(&[0.0, 1.0])?[0]).abs() < 1e-6);
    /// # Ok::<(), outplay_nn::ShapeError>(())
    /// ```
    pub fn compile(&self) -> Result<Inference, ShapeError> {
        self.architecture().check_plain_numbers()?;
        if self.architecture().outputs() != 1 {
            return Err(ShapeError::NotOneOutput { outputs: self.architecture().outputs() });
        }
        let parameters: Vec<f32> = self.parameters().iter().map(|p| p.to_f64() as f32).collect();
        let layers = affine_layers(self.architecture());
        let (first, rest) = layers.split_first().expect("a network has a layer");
        let (last, middle) = match rest.split_last() {
            Some((last, middle)) => (Some(OutputRow::new(last, &parameters)), middle),
            None => (None, rest),
        };
        let first = Columns::new(first, &parameters);
        let middle: Vec<_> = middle.iter().map(|layer| Columns::new(layer, &parameters)).collect();
        let widest = middle.iter().map(|layer| layer.groups).fold(first.groups, usize::max);
        Ok(Inference {
            first,
            middle,
            last,
            output_activation: self.architecture().last_activation(),
            signal: vec![[0.0; GROUP]; widest],
            next: vec![[0.0; GROUP]; widest],
        })
    }
}

impl Inference {
    /// Numbers that come in.
    pub fn inputs(&self) -> usize {
        self.first.inputs
    }

    /// The network's output.
    #[inline]
    pub fn output(&mut self, input: &[f32]) -> f32 {
        let mut output = [self.log_odds(input)];
        self.output_activation.apply(&mut output);
        output[0]
    }

    /// The output neuron's sum before its activation: of a sigmoid's output, the log-odds.
    #[inline]
    pub fn log_odds(&mut self, input: &[f32]) -> f32 {
        assert_eq!(input.len(), self.first.inputs, "inputs of the network");
        self.first.sums(input, &mut self.signal);
        self.finish()
    }

    /// The outputs for many inputs, which lie one after the other.
    pub fn batch(&mut self, inputs: &[f32], outputs: &mut [f32]) {
        assert_eq!(inputs.len(), self.first.inputs * outputs.len(), "inputs of the batch");
        for (input, output) in inputs.chunks_exact(self.first.inputs).zip(&mut *outputs) {
            *output = self.log_odds(input);
        }
        self.output_activation.apply(outputs);
    }

    /// How many sums the first layer has, with those that only fill a sixteen: the length of
    /// [`first_layer_bias`](Self::first_layer_bias) and of every column.
    pub fn first_layer_width(&self) -> usize {
        self.first.groups * GROUP
    }

    /// The first layer's sums before any input: where a caller that keeps its own sums begins.
    pub fn first_layer_bias(&self) -> &[f32] {
        self.first.biases.as_flattened()
    }

    /// What one unit of this input adds to the first layer's sums.
    pub fn first_layer_column(&self, input: usize) -> &[f32] {
        self.first.weights[input * self.first.groups..][..self.first.groups].as_flattened()
    }

    /// The [`log_odds`](Self::log_odds) for these sums of the first layer: the bias plus every input times its
    /// column.
    #[inline]
    pub fn from_first_sums(&mut self, sums: &[f32]) -> f32 {
        assert_eq!(sums.len(), self.first_layer_width(), "sums of the first layer");
        self.signal.as_flattened_mut()[..sums.len()].copy_from_slice(sums);
        self.finish()
    }

    /// From the first layer's sums, in `signal`, to the last one's.
    #[inline]
    fn finish(&mut self) -> f32 {
        let Some(last) = &self.last else {
            return self.signal[0][0];
        };
        let mut width = self.first.groups;
        activate(self.first.activation, &mut self.signal[..width]);
        for layer in &self.middle {
            layer.sums(&self.signal.as_flattened()[..layer.inputs], &mut self.next);
            width = layer.groups;
            activate(layer.activation, &mut self.next[..width]);
            std::mem::swap(&mut self.signal, &mut self.next);
        }
        last.sum(&self.signal[..width])
    }
}

#[inline]
fn activate(activation: Activation, groups: &mut [Group]) {
    activation.apply(groups.as_flattened_mut());
}

impl Columns {
    fn new(layer: &AffineLayer, parameters: &[f32]) -> Self {
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        let groups = outputs.div_ceil(GROUP);
        let mut biases = vec![[0.0; GROUP]; groups];
        let mut weights = vec![[0.0; GROUP]; groups * inputs];
        let given = &parameters[layer.biases.clone()];
        biases.as_flattened_mut()[..given.len()].copy_from_slice(given);
        for (o, row) in parameters[layer.weights.clone()].chunks_exact(inputs).enumerate() {
            for (i, weight) in row.iter().enumerate() {
                weights[i * groups + o / GROUP][o % GROUP] = *weight;
            }
        }
        Self { inputs, groups, activation: layer.activation, biases, weights }
    }

    #[inline]
    fn sums(&self, input: &[f32], sums: &mut [Group]) {
        for (g, (sum, bias)) in sums.iter_mut().zip(&self.biases).enumerate() {
            let mut held = *bias;
            for (x, column) in input.iter().zip(self.weights[g..].iter().step_by(self.groups)) {
                for lane in 0..GROUP {
                    held[lane] = x.mul_add(column[lane], held[lane]);
                }
            }
            *sum = held;
        }
    }
}

impl OutputRow {
    fn new(layer: &AffineLayer, parameters: &[f32]) -> Self {
        let mut weights = vec![[0.0; GROUP]; layer.inputs.div_ceil(GROUP)];
        weights.as_flattened_mut()[..layer.inputs].copy_from_slice(&parameters[layer.weights.clone()]);
        let bias = parameters[layer.biases.clone()].first().copied().unwrap_or(0.0);
        Self { weights, bias }
    }

    #[inline]
    fn sum(&self, signal: &[Group]) -> f32 {
        let mut sums = [0.0f32; GROUP];
        for (weights, signal) in self.weights.iter().zip(signal) {
            for lane in 0..GROUP {
                sums[lane] = weights[lane].mul_add(signal[lane], sums[lane]);
            }
        }
        let mut half = GROUP / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        sums[0] + self.bias
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Architecture;
    use outplay_core::Rng;

    fn networks() -> impl Iterator<Item = Network<f64>> {
        let shapes: [&[usize]; 6] =
            [&[3, 1], &[16, 16, 1], &[44, 30, 1], &[2, 1, 1], &[25, 40, 33, 17, 1], &[1, 16, 1]];
        shapes.into_iter().flat_map(|sizes| {
            Activation::ALL.into_iter().map(move |activation| {
                let architecture = Architecture::dense(sizes, activation, activation).unwrap();
                Network::uniform(architecture, &mut Rng::new(sizes.len() as u64)).unwrap()
            })
        })
    }

    fn exact_log_odds(net: &Network<f64>, input: &[f32]) -> f64 {
        let layers = affine_layers(net.architecture());
        let mut parts: Vec<f64> = input.iter().map(|&x| f64::from(x)).collect();
        for (depth, layer) in layers.iter().enumerate() {
            let (weights, biases) =
                (&net.parameters()[layer.weights.clone()], &net.parameters()[layer.biases.clone()]);
            let rows = weights.chunks_exact(layer.inputs).zip(biases);
            parts =
                rows.map(|(row, b)| b + row.iter().zip(&parts).map(|(w, x)| w * x).sum::<f64>()).collect();
            if depth + 1 < layers.len() {
                layer.activation.apply(&mut parts);
            }
        }
        parts[0]
    }

    #[test]
    fn answers_agree_with_full_precision() {
        let mut rng = Rng::new(3);
        for net in networks() {
            let mut fast = net.compile().unwrap();
            let width = net.architecture().inputs;
            let inputs: Vec<f32> = (0..50 * width).map(|_| rng.below(5) as f32 / 4.0).collect();
            let mut outputs = vec![0.0; 50];
            fast.batch(&inputs, &mut outputs);
            for (input, batched) in inputs.chunks_exact(width).zip(outputs) {
                let exact: Vec<f64> = input.iter().map(|&x| f64::from(x)).collect();
                assert!((f64::from(fast.output(input)) - net.forward(&exact).unwrap()[0]).abs() < 1e-5);
                assert!((f64::from(fast.log_odds(input)) - exact_log_odds(&net, input)).abs() < 1e-5);
                assert_eq!(fast.output(input), batched);
            }
        }
    }

    #[test]
    fn sums_kept_by_the_caller_give_the_same_answer() {
        for net in networks() {
            let mut fast = net.compile().unwrap();
            let input: Vec<f32> = (0..fast.inputs()).map(|i| (i % 3) as f32 / 2.0).collect();
            let mut sums = fast.first_layer_bias().to_vec();
            assert_eq!(sums.len(), fast.first_layer_width());
            for (i, x) in input.iter().enumerate() {
                sums.iter_mut()
                    .zip(fast.first_layer_column(i))
                    .for_each(|(sum, w)| *sum = x.mul_add(*w, *sum));
            }
            assert_eq!(fast.from_first_sums(&sums), fast.log_odds(&input));
        }
    }

    #[test]
    fn two_outputs_give_no_single_value() {
        let architecture = Architecture::dense(&[2, 2], Activation::Relu, Activation::Sigmoid).unwrap();
        let net = Network::<f64>::uniform(architecture, &mut Rng::new(1)).unwrap();
        assert_eq!(net.compile().unwrap_err(), ShapeError::NotOneOutput { outputs: 2 });
    }
}
