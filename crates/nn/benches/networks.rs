//! How fast networks learn and answer: `cargo bench -p outplay-nn --bench networks`.
//!
//! Training runs on all cores (or as many as `RAYON_NUM_THREADS` says), answers on one. `pytorch.py` beside
//! this file measures the same work.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use outplay_core::{Change, Rng};
use outplay_nn::{
    Activation, Activations, Architecture, Batch, Extent, IntegerNetwork, Loss, Network, Optimiser,
    PolicyValueNetwork, PolicyValueSample, PolicyValueShape, PolicyValueTrainer, Predictor, Trainer,
};

/// Samples that batches are cut from, one after the other.
const SAMPLES: usize = 200_000;
const BOARDS: usize = 1024;
const BOARD: (usize, usize) = (10, 10);

fn dense() -> Network {
    let architecture = Architecture::dense(&[25, 300, 256, 128, 1], Activation::Relu, Activation::Sigmoid);
    Network::new(architecture.expect("an architecture of five widths"), &mut Rng::new(1))
        .expect("a network of that architecture")
}

/// Six layers of squares of side 3, 64 channels between them.
fn convolutional() -> Network {
    let hidden = " | conv 64 side 3 relu".repeat(5);
    let architecture: Architecture =
        format!("12{hidden} | conv 1 side 3 identity").parse().expect("an architecture of six layers");
    Network::new(architecture, &mut Rng::new(1)).expect("a network of that architecture")
}

/// Two convolutions that are pooled, then layers of 2048 neurons, which no cache holds: ChessMate's.
fn wide() -> Network {
    let dense = " | dense 2048 relu".repeat(3);
    let architecture: Architecture = format!(
        "1 | conv 32 side 3 relu | pool 2 | conv 64 side 3 relu | pool 2 | flatten 2 2{dense} | dense 6 identity"
    )
    .parse()
    .expect("an architecture that flattens boards");
    Network::new(architecture, &mut Rng::new(1)).expect("a network of that architecture")
}

/// Small whole numbers, and a target that no single one of them tells.
fn samples(count: usize, width: usize) -> (Vec<f32>, Vec<f32>) {
    let mut rng = Rng::new(2);
    let inputs: Vec<f32> = (0..count * width).map(|_| rng.below(13) as f32 - 4.0).collect();
    let target = |cells: &[f32]| f32::from(cells[0] + cells[1] * cells[2] > 1.0);
    let targets = inputs.chunks_exact(width).map(target).collect();
    (inputs, targets)
}

fn training(criterion: &mut Criterion) {
    let (inputs, targets) = samples(SAMPLES, 25);
    let mut group = criterion.benchmark_group("training");
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    for size in [2000, 10] {
        let mut trainer = Trainer::new(&dense(), Optimiser::rmsprop(), Loss::SquaredError);
        let mut first = 0;
        group.throughput(Throughput::Elements(size as u64));
        group.bench_function(format!("25-300-256-128-1, batch {size}, RMSprop"), |bencher| {
            bencher.iter(|| {
                first = (first + size) % SAMPLES;
                let inputs = &inputs[first * 25..][..size * 25];
                let targets = &targets[first..][..size];
                trainer.step(&Batch { extent: Extent::samples(size), inputs, targets, weights: None })
            });
        });
    }
    let (inputs, targets) = samples(BOARDS * BOARD.0 * BOARD.1, 12);
    let extent = Extent { samples: 256, rows: BOARD.0, cols: BOARD.1 };
    let mut trainer = Trainer::new(&convolutional(), Optimiser::adam(), Loss::CrossEntropy);
    let mut first = 0;
    group.sample_size(10).throughput(Throughput::Elements(256));
    group.bench_function("six convolutions of 64 channels, 10x10, batch 256, Adam", |bencher| {
        bencher.iter(|| {
            first = (first + extent.cells()) % targets.len();
            let inputs = &inputs[first * 12..][..extent.cells() * 12];
            let targets = &targets[first..][..extent.cells()];
            trainer.step(&Batch { extent, inputs, targets, weights: None })
        });
    });
    let extent = Extent { samples: 256, rows: 8, cols: 8 };
    let inputs: Vec<f32> = (0..extent.cells()).map(|cell| (cell * cell % 13) as f32 - 6.0).collect();
    let targets: Vec<f32> = (0..256 * 6).map(|place| f32::from(place % 6 == place / 6 % 6)).collect();
    let mut trainer = Trainer::new(&wide(), Optimiser::adam(), Loss::Classes);
    group.bench_function("two convolutions, three dense layers of 2048, 8x8, batch 256, Adam", |bencher| {
        bencher.iter(|| trainer.step(&Batch { extent, inputs: &inputs, targets: &targets, weights: None }));
    });
    group.finish();
}

fn answers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("answers");
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    let (inputs, _) = samples(99, 25);
    let (mut network, mut outputs) = (Predictor::new(&dense()), [0.0; 99]);
    for count in [99, 1] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(format!("25-300-256-128-1, {count} samples"), |bencher| {
            bencher.iter(|| {
                let extent = Extent::samples(count);
                network.predict(extent, black_box(&inputs[..count * 25]), &mut outputs[..count]);
            });
        });
    }
    for (rows, cols) in [BOARD, (16, 30)] {
        let (inputs, _) = samples(rows * cols, 12);
        let (mut network, mut outputs) = (Predictor::new(&convolutional()), vec![0.0; rows * cols]);
        group.throughput(Throughput::Elements(1));
        group.bench_function(
            format!("six convolutions of 64 channels, one {rows}x{cols} board"),
            |bencher| {
                let extent = Extent { samples: 1, rows, cols };
                bencher.iter(|| network.predict(extent, black_box(&inputs), &mut outputs));
            },
        );
    }
    group.finish();
}

/// Networks of two heads: one position after a move in integers, and a batch to learn from.
fn policy_value(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("policy-value");
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    for (plan, on, moves) in [
        ("84 | sparse 128 squared | value 32 | policy 7", 20, 7),
        ("354 | sparse 256 squared | value 32 | policy 209", 26, 130),
    ] {
        let shape: PolicyValueShape = plan.parse().expect("a plan");
        let network = PolicyValueNetwork::new(shape, &mut Rng::new(1)).expect("a network of that plan");
        let on: Vec<u32> = (0..on).map(|place| place * shape.inputs as u32 / on).collect();
        let slots: Vec<u16> = (0..moves).collect();
        let integers = IntegerNetwork::new(&network, 64).expect("small weights");
        let (mut accumulator, mut logits) = (integers.accumulator(), Vec::new());
        let (mut next, mut activations) = (accumulator.clone(), Activations::default());
        integers.set(&on, &mut accumulator);
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("{plan}: {moves} moves"), |bencher| {
            let mut is_on = false;
            bencher.iter(|| {
                is_on = !is_on;
                let changes = [Change { input: 1, on: is_on }, Change { input: 2, on: is_on }];
                integers.change(&accumulator, black_box(&changes), &mut next);
                std::mem::swap(&mut accumulator, &mut next);
                integers.activate(&accumulator, &[], &mut activations);
                logits.clear();
                integers.logits(&activations, &slots, &mut logits);
                integers.outcome(&activations)
            });
        });
        let policy = vec![1.0 / f32::from(moves); usize::from(moves)];
        let sample = PolicyValueSample {
            on: &on,
            slots: &slots,
            policy: &policy,
            policy_weight: 1.0,
            outcome: [0.5, 0.0, 0.5],
        };
        let batch = vec![sample; 1024];
        let mut trainer = PolicyValueTrainer::new(network, 0.0, 0.0);
        group.throughput(Throughput::Elements(batch.len() as u64));
        group.bench_function(format!("{plan}: training, {moves} moves, batch 1024"), |bencher| {
            bencher.iter(|| trainer.step(0.001, &batch));
        });
    }
    group.finish();
}

criterion_group!(benches, training, answers, policy_value);
criterion_main!(benches);
