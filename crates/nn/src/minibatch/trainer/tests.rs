//! Networks and their gradients against a plain twin in double precision, and steps against their laws.

use outplay_core::Rng;
use outplay_core::elementary::softplus;

use super::*;
use crate::error::CheckpointError;
use crate::network::{LayerPlan, Predictor};

/// A network as loops over numbers: slow, plain, and in double precision.
struct Twin {
    plan: Plan,
    /// Stage by stage, weights (outputs × inputs × side × side) before biases.
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
        let all = bytemuck::cast_slice::<_, f32>(network.parameters());
        let parameters = network.places().map(|place| f64::from(all[place])).collect();
        Self { plan: network.plan().clone(), parameters }
    }

    /// The sums of the last layer.
    fn sums(&self, extent: Extent, inputs: &[f32]) -> Boards {
        let numbers = inputs.iter().map(|&x| f64::from(x)).collect();
        let mut signal = Boards { extent, channels: self.plan.inputs, numbers };
        let mut left = &self.parameters[..];
        for (index, layer) in self.plan.layers.iter().enumerate() {
            let activation = match *layer {
                LayerPlan::Dense { outputs, activation } => {
                    signal = convolve(&signal, outputs, 1, &mut left);
                    activation
                }
                LayerPlan::Conv { channels, side, activation } => {
                    signal = convolve(&signal, channels, side, &mut left);
                    activation
                }
                LayerPlan::Residual { side, activation } => {
                    let mut inner = convolve(&signal, signal.channels, side, &mut left);
                    activation.apply(&mut inner.numbers);
                    let outer = convolve(&inner, signal.channels, side, &mut left);
                    signal.numbers.iter_mut().zip(outer.numbers).for_each(|(sum, outer)| *sum += outer);
                    activation
                }
                LayerPlan::Pool { side } => {
                    signal = pool(&signal, side);
                    continue;
                }
                LayerPlan::Flatten { rows, cols } => {
                    signal.extent = Extent::samples(signal.extent.samples);
                    signal.channels *= rows * cols;
                    continue;
                }
                LayerPlan::Drop { .. } => continue,
            };
            if index + 1 < self.plan.layers.len() {
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
            self.plan.last_activation().apply(&mut output);
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
        let classes = self.plan.outputs();
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
fn convolve(signal: &Boards, outputs: usize, side: usize, parameters: &mut &[f64]) -> Boards {
    let inputs = signal.channels;
    let (weights, rest) = parameters.split_at(outputs * inputs * side * side);
    let (biases, rest) = rest.split_at(outputs);
    *parameters = rest;
    let Extent { samples, rows, cols } = signal.extent;
    let mut numbers = Vec::new();
    for sample in 0..samples {
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            for output in 0..outputs {
                let mut sum = biases[output];
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

/// A batch that owns its numbers.
struct Owned {
    extent: Extent,
    inputs: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

impl Owned {
    fn random(plan: &Plan, extent: Extent, rng: &mut Rng) -> Self {
        let mut draw = |count: usize| (0..count).map(|_| rng.unit() as f32).collect::<Vec<_>>();
        let answers = plan.answers(extent) * plan.outputs();
        let (inputs, targets) = (draw(extent.cells() * plan.inputs), draw(answers));
        let weights = draw(answers).into_iter().map(|x| (x - 0.3).max(0.0)).collect();
        Self { extent, inputs, targets, weights }
    }

    fn batch(&self, weighted: bool) -> Batch<'_> {
        let weights = weighted.then_some(&self.weights[..]);
        Batch { extent: self.extent, inputs: &self.inputs, targets: &self.targets, weights }
    }
}

/// A network without a zero among its parameters.
fn network(plan: &str, rng: &mut Rng) -> Network {
    let mut network = Network::new(plan.parse().unwrap(), rng).unwrap();
    let places: Vec<usize> = network.places().collect();
    let all = bytemuck::cast_slice_mut::<_, f32>(network.parameters_mut());
    for place in places {
        all[place] += rng.unit().mul_add(0.4, -0.2) as f32;
    }
    network
}

/// The loss of a batch and the whole gradient, in the twin's order.
fn gradient(trainer: &mut Trainer, batch: &Batch<'_>) -> (f64, Vec<f64>) {
    trainer.mirror();
    let shares = batch.extent.pieces(trainer.network.plan()).min(MOST_SHARES);
    trainer.make_room(shares);
    trainer.work(batch, shares);
    let mut sums = vec![0.0; trainer.network.parameters().len() * crate::network::LANES];
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
    let mut trainer = Trainer::new(network.clone(), Optimiser::sgd(), loss);
    let (value, slopes) = gradient(&mut trainer, batch);
    let expected = twin.loss(loss, batch);
    let plan = network.plan().to_string();
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
    Loss::ALL.into_iter().filter(|loss| loss.check_plan(network.plan()).is_ok())
}

#[test]
fn dense_gradients_are_the_measured_slopes() {
    let mut rng = Rng::new(1);
    let activations = Activation::ALL.map(Activation::name);
    for (samples, hidden) in [1, 12, 31, 600].into_iter().zip(activations) {
        for last in activations {
            let plan = format!("5 | dense 33 {hidden} | dense 17 {hidden} | dense 3 {last}");
            let network = network(&plan, &mut rng);
            let owned = Owned::random(network.plan(), Extent::samples(samples), &mut rng);
            for loss in losses_of(&network) {
                compare_with_differences(&network, loss, &owned.batch(samples % 2 == 0));
            }
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
    ];
    let extents = [(3, 4, 5), (1, 1, 1), (2, 1, 9), (5, 7, 2), (40, 3, 3), (1, 14, 13)];
    for plan in plans {
        for (samples, rows, cols) in extents {
            let network = network(plan, &mut rng);
            let owned = Owned::random(network.plan(), Extent { samples, rows, cols }, &mut rng);
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
            let owned = Owned::random(network.plan(), Extent { samples, rows, cols }, &mut rng);
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
    let owned = Owned::random(network.plan(), Extent { samples: 70, rows: 4, cols: 4 }, &mut rng);
    let mut trainer = Trainer::new(network.clone(), Optimiser::sgd(), Loss::Classes);
    let (_, slopes) = gradient(&mut trainer, &owned.batch(false));
    let places: Vec<usize> = network.places().collect();
    for index in (0..slopes.len()).step_by(1 + slopes.len() / 20) {
        let shifted = |by: f32| {
            let mut shifted = network.clone();
            bytemuck::cast_slice_mut::<_, f32>(shifted.parameters_mut())[places[index]] += by;
            gradient(&mut Trainer::new(shifted, Optimiser::sgd(), Loss::Classes), &owned.batch(false)).0
        };
        let measured = (shifted(4e-3) - shifted(-4e-3)) / 8e-3;
        assert!((measured - slopes[index]).abs() < 3e-4, "parameter {index}: {measured} {}", slopes[index]);
    }
}

#[test]
fn as_much_is_dropped_as_the_plan_says_and_only_in_training() {
    let mut rng = Rng::new(14);
    let plain = "4 | dense 64 identity | dense 1 identity";
    let network = network(plain, &mut rng);
    let mut dropping =
        Network::zero("4 | dense 64 identity | drop 250 | dense 1 identity".parse().unwrap()).unwrap();
    dropping.parameters_mut().copy_from_slice(network.parameters());
    let owned = Owned::random(network.plan(), Extent::samples(500), &mut rng);
    let answers = |network: &Network| {
        let mut outputs = vec![0.0; 500];
        Predictor::new(network).predict(owned.extent, &owned.inputs, &mut outputs);
        outputs
    };
    assert_eq!(answers(&network), answers(&dropping));
    let loss = |network: &Network| {
        let mut trainer = Trainer::new(network.clone(), Optimiser::sgd(), Loss::SquaredError);
        let (value, slopes) = gradient(&mut trainer, &owned.batch(false));
        (value, slopes)
    };
    assert_ne!(loss(&network).0, loss(&dropping).0);
}

#[test]
fn answers_are_those_of_the_twin_on_boards_of_any_size() {
    let mut rng = Rng::new(3);
    let network = network("3 | conv 19 side 3 relu | residual side 5 sigmoid | conv 2 side 3 tanh", &mut rng);
    let mut predictor = Predictor::new(&network);
    let twin = Twin::of(&network);
    for (samples, rows, cols) in [(1, 10, 10), (3, 16, 30), (7, 1, 1), (1, 2, 40), (9, 10, 10), (2, 25, 3)] {
        let extent = Extent { samples, rows, cols };
        let owned = Owned::random(network.plan(), extent, &mut rng);
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

#[test]
fn masked_outputs_leave_no_trace() {
    let mut rng = Rng::new(4);
    let network = network("2 | conv 4 side 3 relu | conv 2 side 1 identity", &mut rng);
    let extent = Extent { samples: 4, rows: 3, cols: 3 };
    let mut owned = Owned::random(network.plan(), extent, &mut rng);
    let run = |owned: &Owned| {
        let mut trainer = Trainer::new(network.clone(), Optimiser::adam(), Loss::CrossEntropy);
        (trainer.step(&owned.batch(true)), trainer.network().clone())
    };
    let before = run(&owned);
    for (target, weight) in owned.targets.iter_mut().zip(&owned.weights) {
        if *weight == 0.0 {
            *target = f32::NAN;
        }
    }
    assert!(owned.targets.iter().any(|target| target.is_nan()));
    assert_eq!(run(&owned), before);
    owned.weights.fill(0.0);
    let (loss, after) = run(&owned);
    assert_eq!(loss, 0.0);
    assert_eq!(after, network);
}

/// Three steps on batches of different sizes; the bytes of where they lead.
fn three_steps(plan: &str, optimiser: Optimiser, loss: Loss) -> Vec<u8> {
    let mut rng = Rng::new(5);
    let network = network(plan, &mut rng);
    let mut trainer = Trainer::new(network, optimiser, loss);
    for samples in [600, 37, 1100] {
        let size = if trainer.network.plan().is_convolutional() { (samples % 4 + 2, 5) } else { (1, 1) };
        let extent = Extent { samples, rows: size.0, cols: size.1 };
        let owned = Owned::random(trainer.network.plan(), extent, &mut rng);
        trainer.step(&owned.batch(true));
    }
    trainer.checkpoint()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (one, two, five) = (pool(1), pool(2), pool(5));
    let dense = "6 | dense 40 relu | dense 20 tanh | dense 1 sigmoid";
    let conv = "2 | conv 17 side 3 relu | residual side 3 relu | conv 1 side 1 identity";
    let dropping = "6 | dense 40 relu | drop 200 | dense 20 tanh | drop 500 | dense 1 sigmoid";
    let plans = [(dense, Optimiser::rmsprop()), (conv, Optimiser::adam()), (dropping, Optimiser::adam())];
    for (plan, optimiser) in plans {
        let run = || three_steps(plan, optimiser, Loss::CrossEntropy);
        let alone = one.install(run);
        assert_eq!(two.install(run), alone);
        assert_eq!(five.install(run), alone);
    }
}

#[test]
fn a_restored_training_goes_on_with_the_same_bytes() {
    let momentum = Optimiser::Sgd { rate: 0.05, momentum: 0.9 };
    for optimiser in [momentum, Optimiser::rmsprop(), Optimiser::adam()] {
        let mut rng = Rng::new(6);
        let network = network("4 | dense 19 relu | dense 2 sigmoid", &mut rng);
        let batches: Vec<Owned> =
            (0..6).map(|_| Owned::random(network.plan(), Extent::samples(50), &mut rng)).collect();
        let mut whole = Trainer::new(network.clone(), optimiser, Loss::SquaredError);
        let mut halfway = Vec::new();
        for (index, owned) in batches.iter().enumerate() {
            if index == 3 {
                whole.set_rate(0.002);
                halfway = whole.checkpoint();
            }
            whole.step(&owned.batch(false));
        }
        let mut resumed = Trainer::new(network, optimiser, Loss::SquaredError);
        resumed.step(&batches[5].batch(true));
        resumed.restore(&halfway).unwrap();
        assert_eq!((resumed.steps(), resumed.checkpoint()), (3, halfway));
        for owned in &batches[3..] {
            resumed.step(&owned.batch(false));
        }
        assert_eq!(resumed.checkpoint(), whole.checkpoint());
        assert_eq!(resumed.network(), whole.network());
    }
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused_and_change_nothing() {
    let mut rng = Rng::new(7);
    let small = network("2 | dense 3 relu | dense 1 sigmoid", &mut rng);
    let other = network("2 | dense 4 relu | dense 1 sigmoid", &mut rng);
    let mut trainer = Trainer::new(small.clone(), Optimiser::adam(), Loss::SquaredError);
    let bytes = trainer.checkpoint();
    let made_with =
        |network: &Network, optimiser, loss| Trainer::new(network.clone(), optimiser, loss).checkpoint();
    let foreign = [
        (made_with(&other, Optimiser::adam(), Loss::SquaredError), "network"),
        (made_with(&small, Optimiser::rmsprop(), Loss::SquaredError), "optimiser"),
        (made_with(&small, Optimiser::adam(), Loss::CrossEntropy), "loss"),
    ];
    for (foreign, what) in foreign {
        assert_eq!(trainer.restore(&foreign), Err(CheckpointError::Other(what)));
    }
    assert_eq!(trainer.restore(b"OPLBFGS\x01...."), Err(CheckpointError::NotACheckpoint));
    for length in 8..bytes.len() {
        assert!(trainer.restore(&bytes[..length]).is_err());
    }
    for index in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 0x10;
        assert_eq!(trainer.restore(&damaged), Err(CheckpointError::Checksum));
    }
    assert_eq!(trainer.checkpoint(), bytes);
}

#[test]
fn cross_entropy_wants_probabilities() {
    let plan = Plan::dense(&[2, 1], Activation::Relu, Activation::Tanh).unwrap();
    assert_eq!(Loss::CrossEntropy.check_plan(&plan), Err(TrainError::NeedsSigmoid("tanh")));
    assert_eq!(Loss::SquaredError.check_plan(&plan), Ok(()));
}

#[test]
fn exclusive_or_is_learnt() {
    let (inputs, targets) = ([0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 1.0, 0.0]);
    let batch = Batch { extent: Extent::samples(4), inputs: &inputs, targets: &targets, weights: None };
    let fast_adam = Optimiser::Adam { rate: 0.02, first: 0.9, second: 0.999, epsilon: 1e-7 };
    let fast_sgd = Optimiser::Sgd { rate: 0.3, momentum: 0.9 };
    let fast_rmsprop = Optimiser::RmsProp { rate: 0.01, decay: 0.9, epsilon: 1e-7 };
    for optimiser in [fast_sgd, fast_rmsprop, fast_adam] {
        let plan = Plan::dense(&[2, 8, 1], Activation::Tanh, Activation::Sigmoid).unwrap();
        let network = Network::new(plan, &mut Rng::new(8)).unwrap();
        let mut trainer = Trainer::new(network, optimiser, Loss::CrossEntropy);
        for _ in 0..800 {
            trainer.step(&batch);
        }
        let mut answers = [0.0; 4];
        Predictor::new(trainer.network()).predict(batch.extent, &inputs, &mut answers);
        for (answer, target) in answers.iter().zip(targets) {
            assert!((answer - target).abs() < 0.05, "{optimiser:?}: {answers:?}");
        }
    }
}
