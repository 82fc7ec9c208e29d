//! Single steps, and trainings that are kept and go on.

use super::*;
use crate::activation::Activation;
use crate::error::{CheckpointError, TrainError};
use crate::network::Predictor;

#[test]
fn masked_outputs_leave_no_trace() {
    let mut rng = Rng::new(4);
    let network = network("2 | conv 4 side 3 relu | conv 2 side 1 identity", &mut rng);
    let extent = Extent { samples: 4, rows: 3, cols: 3 };
    let mut owned = Owned::random(network.architecture(), extent, &mut rng);
    let run = |owned: &Owned| {
        let mut trainer = Trainer::new(&network, Optimiser::adam(), Loss::CrossEntropy);
        (trainer.step(&owned.batch(true)), trainer.network())
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
    let mut trainer = Trainer::new(&network, optimiser, loss);
    for samples in [600, 37, 1100] {
        let size =
            if trainer.network.architecture.is_convolutional() { (samples % 4 + 2, 5) } else { (1, 1) };
        let extent = Extent { samples, rows: size.0, cols: size.1 };
        let owned = Owned::random(&trainer.network.architecture, extent, &mut rng);
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
            (0..6).map(|_| Owned::random(network.architecture(), Extent::samples(50), &mut rng)).collect();
        let mut whole = Trainer::new(&network, optimiser, Loss::SquaredError);
        let mut halfway = Vec::new();
        for (index, owned) in batches.iter().enumerate() {
            if index == 3 {
                whole.set_rate(0.002);
                halfway = whole.checkpoint();
            }
            whole.step(&owned.batch(false));
        }
        let mut resumed = Trainer::new(&network, optimiser, Loss::SquaredError);
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
    let mut trainer = Trainer::new(&small, Optimiser::adam(), Loss::SquaredError);
    let bytes = trainer.checkpoint();
    let made_with = |network: &Network, optimiser, loss| Trainer::new(network, optimiser, loss).checkpoint();
    let foreign = [
        (made_with(&other, Optimiser::adam(), Loss::SquaredError), CheckpointError::OtherNetwork),
        (made_with(&small, Optimiser::rmsprop(), Loss::SquaredError), CheckpointError::OtherOptimiser),
        (made_with(&small, Optimiser::adam(), Loss::CrossEntropy), CheckpointError::OtherLoss),
    ];
    for (foreign, error) in foreign {
        assert_eq!(trainer.restore(&foreign), Err(error));
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
    let architecture = Architecture::dense(&[2, 1], Activation::Relu, Activation::Tanh).unwrap();
    assert_eq!(
        Loss::CrossEntropy.check_outputs(&architecture),
        Err(TrainError::NeedsSigmoid { activation: "tanh" })
    );
    assert_eq!(Loss::SquaredError.check_outputs(&architecture), Ok(()));
}

#[test]
fn exclusive_or_is_learnt() {
    let (inputs, targets) = ([0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 1.0, 0.0]);
    let batch = Batch { extent: Extent::samples(4), inputs: &inputs, targets: &targets, weights: None };
    let fast_adam = Optimiser::Adam { rate: 0.02, first: 0.9, second: 0.999, epsilon: 1e-7 };
    let fast_sgd = Optimiser::Sgd { rate: 0.3, momentum: 0.9 };
    let fast_rmsprop = Optimiser::RmsProp { rate: 0.01, decay: 0.9, epsilon: 1e-7 };
    for optimiser in [fast_sgd, fast_rmsprop, fast_adam] {
        let architecture = Architecture::dense(&[2, 8, 1], Activation::Tanh, Activation::Sigmoid).unwrap();
        let network = Network::new(architecture, &mut Rng::new(8)).unwrap();
        let mut trainer = Trainer::new(&network, optimiser, Loss::CrossEntropy);
        for _ in 0..800 {
            trainer.step(&batch);
        }
        let mut answers = [0.0; 4];
        Predictor::new(&trainer.network()).predict(batch.extent, &inputs, &mut answers);
        for (answer, target) in answers.iter().zip(targets) {
            assert!((answer - target).abs() < 0.05, "{optimiser:?}: {answers:?}");
        }
    }
}
