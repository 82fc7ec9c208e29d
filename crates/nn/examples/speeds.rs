//! How fast this build trains and answers, on one core: `cargo run --release -p outplay-nn --example speeds`.

use std::hint::black_box;
use std::time::Instant;

use outplay_core::Rng;
use outplay_nn::{Activation, Architecture, Backprop, Bfgs, BfgsOptions, Dataset, Loss, Network};

const SAMPLES: usize = 3000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for sizes in [[16, 16, 1], [44, 30, 1]] {
        let architecture = Architecture::dense(&sizes, Activation::Sigmoid, Activation::Sigmoid)?;
        let net = Network::uniform(architecture, &mut Rng::new(1))?;
        let data = lines_game(sizes[0])?;
        println!("{sizes:?}, {} parameters, {SAMPLES} samples", net.parameters().len());
        for loss in [Loss::HalfSquaredError, Loss::CrossEntropy] {
            gradient(&net, &data, loss);
            training(&net, &data, loss)?;
        }
        inference(&net)?;
    }
    Ok(())
}

/// Cells of 0, ½ and 1, and a target that no single cell tells, with some noise: as hard as positions are.
fn lines_game(width: usize) -> Result<Dataset, Box<dyn std::error::Error>> {
    let mut rng = Rng::new(2);
    let inputs: Vec<f32> = (0..SAMPLES * width).map(|_| rng.below(3) as f32 / 2.0).collect();
    let mut target = |cells: &[f32]| {
        let best = |value: f32| cells.chunks_exact(4).filter(|line| line.contains(&value)).count();
        let noise = rng.below(3);
        if best(1.0) + noise > best(0.0) + 1 { 1.0 } else { 0.0 }
    };
    let targets: Vec<f32> = inputs.chunks_exact(width).map(&mut target).collect();
    Ok(Dataset::new(width, 1, &inputs, &targets)?)
}

fn gradient(net: &Network<f64>, data: &Dataset, loss: Loss) {
    let mut backprop = Backprop::new(net.architecture(), loss);
    let mut slopes = vec![0.0; net.parameters().len()];
    let per_call = time(200, || {
        black_box(backprop.loss_and_gradient(black_box(net.parameters()), data, &mut slopes));
    });
    println!("  {loss:?}: loss and gradient {:.3} ms", per_call * 1e3);
}

fn training(net: &Network<f64>, data: &Dataset, loss: Loss) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let mut training = Bfgs::new(net, data.clone(), BfgsOptions { loss, ..BfgsOptions::default() })?;
    let (mut step, mut restarts) = (training.status(), 0);
    while step.iteration < 200 && step.finished.is_none() {
        step = training.step()?;
        restarts += u32::from(step.restarted);
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "  {loss:?}: {} iterations {seconds:.3} s, loss {:.5}, gradient {:.1e}, {restarts} restarts, {:?}",
        step.iteration, step.loss, step.gradient_norm, step.finished
    );
    Ok(())
}

fn inference(net: &Network<f64>) -> Result<(), Box<dyn std::error::Error>> {
    let mut fast = net.compile()?;
    let mut rng = Rng::new(3);
    let inputs: Vec<f32> = (0..1000 * fast.inputs()).map(|_| rng.below(3) as f32 / 2.0).collect();
    let width = fast.inputs();
    let mut outputs = vec![0.0; 1000];
    let batch = time(500, || fast.batch(black_box(&inputs), &mut outputs)) / 1000.0;
    // Each answer decides where the next question is read, so nothing overlaps: the time of a lone call.
    let chained = time(500, || {
        let mut at = 0;
        for _ in 0..1000 {
            at = (at + 1 + usize::from(fast.log_odds(&inputs[at * width..][..width]) > 1e9)) % 1000;
        }
        black_box(at);
    }) / 1000.0;
    let sums = fast.first_layer_bias().to_vec();
    let from_sums = time(500_000, || {
        black_box(fast.from_first_sums(black_box(&sums)));
    });
    println!(
        "  inference per sample: {:.1} ns alone, {:.1} ns in a batch, {:.1} ns from first sums",
        chained * 1e9,
        batch * 1e9,
        from_sums * 1e9
    );
    Ok(())
}

/// Seconds per call, in the best of ten rounds: what else the machine does only adds.
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let begin = Instant::now();
        (0..calls / 10).for_each(|_| call());
        begin.elapsed().as_secs_f64() / f64::from(calls / 10)
    };
    (0..10).map(round).fold(f64::INFINITY, f64::min)
}
