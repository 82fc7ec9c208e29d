//! Training as a caller sees it: it learns, it stops for a reason, it resumes to the byte.

use std::sync::LazyLock;

use outplay_core::Rng;
use outplay_nn::{
    Activation, Architecture, Bfgs, BfgsOptions, BfgsStatus, CheckpointError, Dataset, Finish, Loss,
    MAX_BFGS_PARAMETERS, Network, TrainError,
};
use proptest::prelude::*;

const XOR_INPUTS: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];

fn xor() -> Dataset {
    Dataset::new(2, 1, &XOR_INPUTS, &[0.0, 1.0, 1.0, 0.0]).unwrap()
}

fn network(sizes: &[usize], seed: u64) -> Network<f64> {
    let architecture = Architecture::dense(sizes, Activation::Sigmoid, Activation::Sigmoid).unwrap();
    Network::uniform(architecture, &mut Rng::new(seed)).unwrap()
}

/// Noisy samples that no small network fits, so that training has a bottom to reach.
fn noisy(inputs: usize, samples: usize) -> Dataset {
    let mut rng = Rng::new(99);
    let numbers: Vec<f32> = (0..inputs * samples).map(|_| rng.below(3) as f32 / 2.0).collect();
    let targets: Vec<f32> = (0..samples).map(|_| rng.below(2) as f32).collect();
    Dataset::new(inputs, 1, &numbers, &targets).unwrap()
}

/// Every step until training is finished or `limit` are taken.
fn run(training: &mut Bfgs, limit: usize) -> Vec<BfgsStatus> {
    let mut steps = Vec::new();
    while steps.len() < limit && training.status().finished.is_none() {
        steps.push(training.step().unwrap());
    }
    steps
}

#[test]
fn exclusive_or_is_learnt() {
    for loss in [Loss::HalfSquaredError, Loss::CrossEntropy] {
        let options = BfgsOptions { loss, ..BfgsOptions::default() };
        let mut training = Bfgs::new(&network(&[2, 4, 1], 3), xor(), options).unwrap();
        let steps = run(&mut training, 200);
        assert!(steps.last().unwrap().loss < 1e-4, "{:?}", steps.last());
        let net = training.network();
        for (input, target) in XOR_INPUTS.chunks(2).zip([0.0, 1.0, 1.0, 0.0]) {
            let input: Vec<f64> = input.iter().map(|&x| f64::from(x)).collect();
            assert!((net.forward(&input).unwrap()[0] - target).abs() < 0.05);
        }
    }
}

#[test]
fn the_loss_never_rises_and_iterations_are_counted() {
    let mut training = Bfgs::new(&network(&[6, 5, 1], 1), noisy(6, 200), BfgsOptions::default()).unwrap();
    let mut before = training.status();
    assert_eq!(before.iteration, 0);
    for step in run(&mut training, 150) {
        assert_eq!(step.iteration, before.iteration + 1);
        assert!(step.loss < before.loss);
        before = step;
    }
    assert!(before.loss < 0.1, "{before:?}");
}

#[test]
fn tolerances_end_training() {
    let data = noisy(3, 60);
    let finish = |gradient_tolerance, loss_tolerance| {
        let options = BfgsOptions { loss: Loss::CrossEntropy, gradient_tolerance, loss_tolerance };
        let mut training = Bfgs::new(&network(&[3, 1], 1), data.clone(), options).unwrap();
        run(&mut training, 500);
        let status = training.status();
        assert_eq!(training.step().unwrap(), status, "a finished training stays as it is");
        status
    };
    let by_gradient = finish(1e-6, 0.0);
    assert_eq!(by_gradient.finished, Some(Finish::Gradient));
    assert!(by_gradient.gradient_norm < 1e-6);
    assert_eq!(finish(0.0, 1e-6).finished, Some(Finish::Loss));
    assert_eq!(finish(100.0, 0.0).iteration, 0);
}

#[test]
fn a_failed_line_search_restarts_and_then_ends() {
    // With no tolerance training goes on to the last bit of the loss, where no step goes down any more.
    let options = BfgsOptions { loss: Loss::CrossEntropy, gradient_tolerance: 0.0, loss_tolerance: 0.0 };
    let mut training = Bfgs::new(&network(&[3, 1], 1), noisy(3, 60), options).unwrap();
    let steps = run(&mut training, 2000);
    let last = steps.last().unwrap();
    assert_eq!(last.finished, Some(Finish::LineSearch));
    assert!(last.restarted && last.gradient_norm < 1e-6, "{last:?}");
    assert!(steps.iter().all(|step| step.loss >= last.loss));
}

#[test]
fn a_resumed_run_gives_the_same_bytes() {
    let endless = BfgsOptions { loss: Loss::CrossEntropy, gradient_tolerance: 0.0, loss_tolerance: 0.0 };
    // The second run ends with a restart and a failed line search.
    for (net, options) in [(network(&[6, 5, 1], 4), BfgsOptions::default()), (network(&[6, 1], 4), endless)] {
        let data = noisy(6, 200);
        let mut whole = Bfgs::new(&net, data.clone(), options).unwrap();
        let mut checkpoints = vec![whole.checkpoint()];
        for _ in 0..60 {
            whole.step().unwrap();
            checkpoints.push(whole.checkpoint());
        }
        assert_eq!(whole.status().finished, (options == endless).then_some(Finish::LineSearch));
        for begin in [0, 1, 7, 17, 59] {
            let mut resumed = Bfgs::resume(data.clone(), &checkpoints[begin]).unwrap();
            assert_eq!(resumed.checkpoint(), checkpoints[begin]);
            for expected in &checkpoints[begin + 1..] {
                resumed.step().unwrap();
                assert_eq!(&resumed.checkpoint(), expected);
            }
            assert_eq!(resumed.network(), whole.network());
            assert_eq!(resumed.status(), whole.status());
        }
    }
}

#[test]
fn training_may_move_to_another_thread() {
    let mut training = Bfgs::new(&network(&[2, 2, 1], 1), xor(), BfgsOptions::default()).unwrap();
    let elsewhere = std::thread::spawn(move || training.step().unwrap().iteration);
    assert_eq!(elsewhere.join().unwrap(), 1);
}

#[test]
fn training_that_cannot_begin_says_why() {
    let begin = |net: &Network<f64>, options| Bfgs::new(net, xor(), options).err().unwrap();
    let plain = BfgsOptions::default();
    let mismatch = begin(&network(&[3, 1], 1), plain);
    assert_eq!(mismatch.to_string(), "the network maps 3 to 1 numbers, the data 2 to 1");
    let wide = network(&[2, 5000, 1], 1);
    let found = wide.parameters().len();
    assert_eq!(begin(&wide, plain), TrainError::TooManyParameters { limit: MAX_BFGS_PARAMETERS, found });
    let negative = BfgsOptions { loss_tolerance: -1.0, ..plain };
    assert_eq!(begin(&network(&[2, 1], 1), negative), TrainError::Tolerance { tolerance: -1.0 });
    let relu = Architecture::dense(&[2, 1], Activation::Relu, Activation::Relu).unwrap();
    let endless = Network::from_parameters(relu, vec![1e300, 1e300, 0.0]).unwrap();
    assert_eq!(begin(&endless, plain), TrainError::NotFinite);
}

#[test]
fn a_checkpoint_asks_for_its_own_data() {
    let training = Bfgs::new(&network(&[2, 2, 1], 1), xor(), BfgsOptions::default()).unwrap();
    let resumed = Bfgs::resume(noisy(2, 4), &training.checkpoint());
    assert_eq!(resumed.err(), Some(TrainError::Checkpoint { reason: CheckpointError::OtherData }));
}

/// A small checkpoint with an inverse Hessian in it.
static CHECKPOINT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut training = Bfgs::new(&network(&[2, 3, 1], 1), xor(), BfgsOptions::default()).unwrap();
    run(&mut training, 5);
    training.checkpoint()
});

/// Puts the checksum right again, so that damage reaches the fields.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(body) = bytes.len().checked_sub(4) {
        let sum = crc32fast::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

proptest! {
    #[test]
    fn damaged_checkpoints_are_refused(at in 0..CHECKPOINT.len(), flip in 1u8..) {
        let mut bytes = CHECKPOINT.clone();
        bytes[at] ^= flip;
        let error = Bfgs::resume(xor(), &bytes).err();
        prop_assert!(matches!(error, Some(TrainError::Checkpoint { .. })), "{error:?}");
    }

    #[test]
    fn cut_checkpoints_are_refused(length in 0..CHECKPOINT.len(), reseal: bool) {
        let cut = CHECKPOINT[..length].to_vec();
        let error = Bfgs::resume(xor(), &if reseal { sealed(cut) } else { cut }).err();
        prop_assert!(matches!(error, Some(TrainError::Checkpoint { .. })), "{error:?}");
    }

    #[test]
    fn forged_checkpoints_never_panic(
        forgeries in proptest::collection::vec((8..CHECKPOINT.len() - 4, any::<u8>()), 1..6),
    ) {
        let mut bytes = CHECKPOINT.clone();
        for (at, value) in forgeries {
            bytes[at] = value;
        }
        if let Ok(mut training) = Bfgs::resume(xor(), &sealed(bytes)) {
            for _ in 0..3 {
                let _ = training.step();
            }
            training.network();
        }
    }

    #[test]
    fn random_bytes_are_no_checkpoint(bytes: Vec<u8>) {
        let marked = [CHECKPOINT[..8].to_vec(), bytes.clone()].concat();
        prop_assert!(Bfgs::resume(xor(), &bytes).is_err());
        prop_assert!(Bfgs::resume(xor(), &marked).is_err());
        prop_assert!(Bfgs::resume(xor(), &sealed(marked)).is_err());
    }
}
