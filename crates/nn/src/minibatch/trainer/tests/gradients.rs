//! Networks and their gradients against a plain twin in double precision.

use outplay_core::elementary::softplus;

use super::*;
use crate::activation::Activation;
use crate::network::{LayerSpec, Predictor};

/// A network as loops over numbers: slow, plain, and in double precision.
struct Twin {
    architecture: Architecture,
    /// Layer by layer, weights (outputs × inputs × side × side) before biases.
    parameters: Vec<f64>,
}

/// Boards of so many channels: cell by cell.
#[derive(Clone)]
struct Boards {
    extent: Extent,
    channels: usize,
    numbers: Vec<f64>,
}

impl Twin {
    fn of(network: &Network) -> Self {
        let parameters = network.parameters().iter().map(|&parameter| f64::from(parameter)).collect();
        Self { architecture: network.architecture().clone(), parameters }
    }

    /// The sums of the last layer.
    fn sums(&self, extent: Extent, inputs: &[f32]) -> Boards {
        let numbers = inputs.iter().map(|&x| f64::from(x)).collect();
        let mut signal = Boards { extent, channels: self.architecture.inputs, numbers };
        let mut left = &self.parameters[..];
        for (index, layer) in self.architecture.layers.iter().enumerate() {
            let activation = match *layer {
                LayerSpec::Dense { outputs, activation, bias }
                | LayerSpec::Sparse { outputs, activation, bias } => {
                    signal = convolve(&signal, (outputs, 1, bias), &mut left);
                    activation
                }
                LayerSpec::Conv { channels, side, activation } => {
                    signal = convolve(&signal, (channels, side, true), &mut left);
                    activation
                }
                LayerSpec::Residual { side, activation } => {
                    let mut inner = convolve(&signal, (signal.channels, side, true), &mut left);
                    activation.apply(&mut inner.numbers);
                    let outer = convolve(&inner, (signal.channels, side, true), &mut left);
                    signal.numbers.iter_mut().zip(outer.numbers).for_each(|(sum, outer)| *sum += outer);
                    activation
                }
                LayerSpec::Pool { side } => {
                    signal = pool(&signal, side);
                    continue;
                }
                LayerSpec::Flatten { rows, cols } => {
                    signal.extent = Extent::samples(signal.extent.samples);
                    signal.channels *= rows * cols;
                    continue;
                }
                LayerSpec::Drop { .. } => continue,
            };
            if index + 1 < self.architecture.layers.len() {
                activation.apply(&mut signal.numbers);
            }
        }
        assert!(left.is_empty());
        signal
    }

    fn loss(&self, loss: Loss, batch: &Batch<'_>) -> f64 {
        let sums = self.sums(batch.extent, batch.inputs).numbers;
        if loss == Loss::Classes {
            return self.loss_of_classes(&sums, batch);
        }
        let (mut total, mut weights) = (0.0, 0.0);
        for (index, (&sum, &target)) in sums.iter().zip(batch.targets).enumerate() {
            let weight = batch.weights.map_or(1.0, |weights| f64::from(weights[index]));
            let mut output = [sum];
            self.architecture.last_activation().apply(&mut output);
            let error = output[0] - f64::from(target);
            weights += weight;
            total += weight
                * match loss {
                    Loss::SquaredError => error * error,
                    Loss::HalfSquaredError => 0.5 * error * error,
                    Loss::CrossEntropy => softplus(sum) - f64::from(target) * sum,
                    Loss::Classes => unreachable!("counted apart"),
                };
        }
        total / weights
    }

    fn loss_of_classes(&self, sums: &[f64], batch: &Batch<'_>) -> f64 {
        let classes = self.architecture.outputs();
        let weight = |index: usize| batch.weights.map_or(1.0, |weights| f64::from(weights[index]));
        let mut total = 0.0;
        for (sample, sums) in sums.chunks_exact(classes).enumerate() {
            let all: f64 = sums.iter().map(|sum| sum.exp()).sum();
            for (class, sum) in sums.iter().enumerate() {
                let index = sample * classes + class;
                total -= weight(index) * f64::from(batch.targets[index]) * (sum.exp() / all).ln();
            }
        }
        let weights: f64 = (0..batch.targets.len()).map(weight).sum();
        total * classes as f64 / weights
    }
}

/// The convolution whose parameters come next.
fn convolve(signal: &Boards, (outputs, side, bias): (usize, usize, bool), parameters: &mut &[f64]) -> Boards {
    let inputs = signal.channels;
    let (weights, rest) = parameters.split_at(outputs * inputs * side * side);
    let (biases, rest) = rest.split_at(if bias { outputs } else { 0 });
    *parameters = rest;
    let Extent { samples, rows, cols } = signal.extent;
    let mut numbers = Vec::new();
    for sample in 0..samples {
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            for output in 0..outputs {
                let mut sum = biases.get(output).copied().unwrap_or(0.0);
                for (dy, dx) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx))) {
                    let (from_y, from_x) = ((y + dy).wrapping_sub(side / 2), (x + dx).wrapping_sub(side / 2));
                    if from_y < rows && from_x < cols {
                        let cell = (sample * rows + from_y) * cols + from_x;
                        for input in 0..inputs {
                            let weight = weights[((output * inputs + input) * side + dy) * side + dx];
                            sum += weight * signal.numbers[cell * inputs + input];
                        }
                    }
                }
                numbers.push(sum);
            }
        }
    }
    Boards { extent: signal.extent, channels: outputs, numbers }
}

/// The largest of every square.
fn pool(signal: &Boards, side: usize) -> Boards {
    let Extent { samples, rows, cols } = signal.extent;
    let extent = Extent { samples, rows: rows / side, cols: cols / side };
    let mut numbers = Vec::new();
    for sample in 0..samples {
        for (y, x) in (0..extent.rows).flat_map(|y| (0..extent.cols).map(move |x| (y, x))) {
            for channel in 0..signal.channels {
                let number = |dy: usize, dx: usize| {
                    let cell = (sample * rows + y * side + dy) * cols + x * side + dx;
                    signal.numbers[cell * signal.channels + channel]
                };
                let square = (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx)));
                numbers.push(square.map(|(dy, dx)| number(dy, dx)).fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }
    Boards { extent, channels: signal.channels, numbers }
}

/// The loss of a batch and the whole gradient, in the twin's order.
fn gradient(trainer: &mut Trainer, batch: &Batch<'_>) -> (f64, Vec<f64>) {
    trainer.mirror();
    let shares = batch.extent.pieces(&trainer.network.architecture).min(MOST_SHARES);
    trainer.resize(shares);
    trainer.work(batch, shares);
    let mut sums = vec![0.0; trainer.network.parameters.len() * crate::network::LANES];
    let mut loss = 0.0;
    for share in &mut trainer.shares[..shares] {
        let share = share.get_mut().unwrap();
        loss += share.loss;
        let numbers = bytemuck::cast_slice::<_, f32>(&share.gradient);
        sums.iter_mut().zip(numbers).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    let places: Vec<usize> = trainer.network.places().collect();
    let filling: f64 =
        sums.iter().map(|x| x.abs()).sum::<f64>() - places.iter().map(|&p| sums[p].abs()).sum::<f64>();
    assert!(filling.abs() < 1e-9, "what only fills lanes has no gradient: {filling}");
    (loss, places.into_iter().map(|place| sums[place]).collect())
}

fn compare_with_differences(network: &Network, loss: Loss, batch: &Batch<'_>) {
    let mut twin = Twin::of(network);
    let mut trainer = Trainer::new(network, Optimiser::sgd(), loss);
    let (value, slopes) = gradient(&mut trainer, batch);
    let expected = twin.loss(loss, batch);
    let plan = network.architecture().to_string();
    assert!((value - expected).abs() < 2e-6 * expected.max(1.0), "{plan}: {value} {expected}");
    for index in (0..slopes.len()).step_by(1 + slopes.len() / 12) {
        let mut shifted = |by: f64| {
            let before = twin.parameters[index];
            twin.parameters[index] += by;
            let loss = twin.loss(loss, batch);
            twin.parameters[index] = before;
            loss
        };
        let mut close = |step: f64| {
            let measured = (shifted(step) - shifted(-step)) / (2.0 * step);
            (measured - slopes[index]).abs() < 3e-6 * measured.abs().max(1.0)
        };
        // Where a step leads a sample over the corner of a ReLU, a shorter one does not.
        assert!(close(1e-6) || close(1e-8), "{plan} {loss:?} parameter {index}: {}", slopes[index]);
    }
}

fn losses_of(network: &Network) -> impl Iterator<Item = Loss> {
    Loss::ALL.into_iter().filter(|loss| loss.check_outputs(network.architecture()).is_ok())
}

#[test]
fn dense_gradients_are_the_measured_slopes() {
    let mut rng = Rng::new(1);
    let activations = Activation::ALL.map(Activation::name);
    for (samples, hidden) in [1, 12, 31, 600, 14, 23].into_iter().zip(activations) {
        for last in activations {
            let plan = format!("5 | dense 33 {hidden} | dense 17 {hidden} | dense 3 {last}");
            let network = network(&plan, &mut rng);
            let owned = Owned::random(network.architecture(), Extent::samples(samples), &mut rng);
            for loss in losses_of(&network) {
                compare_with_differences(&network, loss, &owned.batch(samples % 2 == 0));
            }
        }
    }
}

#[test]
fn gradients_without_biases_are_the_measured_slopes() {
    let mut rng = Rng::new(15);
    for plan in
        ["9 | sparse 33 swish no-bias | dense 1 sigmoid no-bias", "5 | sparse 17 tanh | dense 2 relu no-bias"]
    {
        let network = network(plan, &mut rng);
        let owned = Owned::random(network.architecture(), Extent::samples(40), &mut rng);
        for loss in losses_of(&network) {
            compare_with_differences(&network, loss, &owned.batch(false));
        }
    }
}

#[test]
fn gradients_of_convolutions_are_the_measured_slopes() {
    let mut rng = Rng::new(2);
    let plans = [
        "3 | conv 5 side 3 relu | conv 2 side 3 identity",
        "2 | conv 20 side 5 sigmoid | conv 34 side 1 tanh | conv 1 side 3 sigmoid",
        "4 | residual side 3 relu | conv 18 side 3 relu | residual side 5 tanh | residual side 3 sigmoid",
        "1 | conv 6 side 7 tanh | residual side 1 identity | conv 2 side 1 identity",
        "3 | conv 18 side 3 swish | residual side 3 swish | conv 2 side 1 leaky-relu",
    ];
    let extents = [(3, 4, 5), (1, 1, 1), (2, 1, 9), (5, 7, 2), (40, 3, 3), (1, 14, 13)];
    for plan in plans {
        for (samples, rows, cols) in extents {
            let network = network(plan, &mut rng);
            let owned = Owned::random(network.architecture(), Extent { samples, rows, cols }, &mut rng);
            for loss in losses_of(&network) {
                compare_with_differences(&network, loss, &owned.batch(rows % 2 == 1));
            }
        }
    }
}

#[test]
fn gradients_through_pools_and_flattened_boards_are_the_measured_slopes() {
    let mut rng = Rng::new(12);
    let plans = [
        ("3 | conv 5 side 3 relu | pool 2 | flatten 2 3 | dense 4 identity", (4, 6)),
        (
            "1 | conv 17 side 3 tanh | pool 2 | conv 20 side 3 relu | pool 3 | flatten 1 1 | dense 9 tanh | dense 6 identity",
            (7, 8),
        ),
        ("2 | conv 4 side 5 sigmoid | flatten 3 2 | dense 33 relu | dense 2 sigmoid", (3, 2)),
        ("2 | residual side 3 tanh | pool 2 | conv 3 side 1 identity", (5, 4)),
    ];
    for (plan, (rows, cols)) in plans {
        for samples in [1, 3, 130] {
            let network = network(plan, &mut rng);
            let owned = Owned::random(network.architecture(), Extent { samples, rows, cols }, &mut rng);
            for loss in losses_of(&network) {
                compare_with_differences(&network, loss, &owned.batch(samples % 2 == 0));
            }
        }
    }
}

/// With the same numbers dropped, the gradient is the slope of the loss that is measured.
#[test]
fn gradients_with_numbers_dropped_are_the_measured_slopes() {
    let mut rng = Rng::new(13);
    let plan = "2 | conv 5 side 3 tanh | pool 2 | flatten 2 2 | drop 300 | dense 20 tanh | drop 500 | dense 3 identity";
    let network = network(plan, &mut rng);
    let owned = Owned::random(network.architecture(), Extent { samples: 70, rows: 4, cols: 4 }, &mut rng);
    let mut trainer = Trainer::new(&network, Optimiser::sgd(), Loss::Classes);
    let (_, slopes) = gradient(&mut trainer, &owned.batch(false));
    for index in (0..slopes.len()).step_by(1 + slopes.len() / 20) {
        let shifted = |by: f32| {
            let mut parameters = network.parameters().to_vec();
            parameters[index] += by;
            let shifted = Network::from_parameters(network.architecture().clone(), parameters).unwrap();
            gradient(&mut Trainer::new(&shifted, Optimiser::sgd(), Loss::Classes), &owned.batch(false)).0
        };
        let measured = (shifted(4e-3) - shifted(-4e-3)) / 8e-3;
        assert!((measured - slopes[index]).abs() < 3e-4, "parameter {index}: {measured} {}", slopes[index]);
    }
}

#[test]
fn as_much_is_dropped_as_the_architecture_says_and_only_in_training() {
    let mut rng = Rng::new(14);
    let plain = "4 | dense 64 identity | dense 1 identity";
    let network = network(plain, &mut rng);
    let dropping = "4 | dense 64 identity | drop 250 | dense 1 identity".parse().unwrap();
    let dropping = Network::from_parameters(dropping, network.parameters().to_vec()).unwrap();
    let owned = Owned::random(network.architecture(), Extent::samples(500), &mut rng);
    let answers = |network: &Network| {
        let mut outputs = vec![0.0; 500];
        Predictor::new(network).predict(owned.extent, &owned.inputs, &mut outputs);
        outputs
    };
    assert_eq!(answers(&network), answers(&dropping));
    let loss = |network: &Network| {
        let mut trainer = Trainer::new(network, Optimiser::sgd(), Loss::SquaredError);
        let (value, slopes) = gradient(&mut trainer, &owned.batch(false));
        (value, slopes)
    };
    assert_ne!(loss(&network).0, loss(&dropping).0);
}

/// Four numbers of 1 that are summed by quarters, and a quarter more: 5/4 if all are shown. A share p that is left out, the
/// others counting 1/(1 − p) times, keeps that mean and has the variance p/(1 − p)/4, which is in the squared error.
#[test]
fn the_share_of_a_drop_is_what_is_left_out() {
    const SAMPLES: usize = 20_000;
    let error = |plan: &str| {
        let plan: Architecture = plan.parse().unwrap();
        let parameters = [[0.5; 8].as_slice(), &[0.25; 5]].concat();
        let network = Network::from_parameters(plan, parameters).unwrap();
        let (inputs, targets) = (vec![1.0; SAMPLES], vec![0.0; SAMPLES]);
        let extent = Extent::samples(SAMPLES);
        let batch = Batch { extent, inputs: &inputs, targets: &targets, weights: None };
        Trainer::new(&network, Optimiser::sgd(), Loss::SquaredError).step(&batch)
    };
    let whole = error("1 | dense 4 identity | dense 1 identity");
    for (thousandths, share) in [(200, 0.2), (500, 0.5), (800, 0.8)] {
        let dropped = error(&format!("1 | dense 4 identity | drop {thousandths} | dense 1 identity"));
        let (ratio, square) = (dropped / whole, 1.25 * 1.25);
        let expected = (square + share / (1.0 - share) / 4.0) / square;
        assert!((ratio - expected).abs() < 0.02 * expected, "drop {thousandths}: {ratio}, not {expected}");
    }
}

#[test]
fn answers_are_those_of_the_twin_on_boards_of_any_size() {
    let mut rng = Rng::new(3);
    let network = network("3 | conv 19 side 3 relu | residual side 5 sigmoid | conv 2 side 3 tanh", &mut rng);
    let mut predictor = Predictor::new(&network);
    let twin = Twin::of(&network);
    for (samples, rows, cols) in [(1, 10, 10), (3, 16, 30), (7, 1, 1), (1, 2, 40), (9, 10, 10), (2, 25, 3)] {
        let extent = Extent { samples, rows, cols };
        let owned = Owned::random(network.architecture(), extent, &mut rng);
        let mut expected = twin.sums(extent, &owned.inputs);
        Activation::Tanh.apply(&mut expected.numbers);
        let mut outputs = vec![f32::NAN; expected.numbers.len()];
        predictor.predict(extent, &owned.inputs, &mut outputs);
        for (output, expected) in outputs.iter().zip(&expected.numbers) {
            assert!((f64::from(*output) - expected).abs() < 1e-5, "{extent:?}: {output} {expected}");
        }
        // A board's answer does not depend on its company.
        let (each, out_each) = (owned.inputs.len() / samples, outputs.len() / samples);
        let mut alone = vec![0.0; out_each];
        predictor.predict(Extent { samples: 1, ..extent }, &owned.inputs[..each], &mut alone);
        assert_eq!(alone, outputs[..out_each]);
    }
}
