//! Training a network on masked sub-grids (§3.2, §4.1–4.7).
//!
//! The training set, the initial weights and the order of each epoch follow from the configuration and the seed alone;
//! a step is a number of batches within one epoch.

use outplay_core::{Permutation, Rng};
use outplay_games::minesweeper::subgrids::{CELLS, SampleSet, SampleSetConfig};
use outplay_nn::{Activation, Architecture, Batch, Extent, Network, Trainer};
use outplay_runtime::{Watch, WorkError};

use super::config::{SubgridTrainingConfig, WeightInit};
use outplay_training::CountedTrainer;
use outplay_training::{Training, TrainingStep};

/// Random streams under the seed of a training.
const STREAM_OF_SET: u64 = 0;
const STREAM_OF_WEIGHTS: u64 = 1;
const STREAM_OF_EPOCHS: u64 = 2;

/// The bound of Keras' `random_uniform`.
const UNIFORM_BOUND: f64 = 0.05;

/// Samples of one step, about: a second or less of work.
const STEP_SAMPLES: usize = 50_000;

/// A network in training.
pub struct SubgridTraining {
    config: SubgridTrainingConfig,
    seed: u64,
    set: SampleSet,
    learnt: CountedTrainer,
    inputs: Vec<f32>,
    targets: Vec<f32>,
}

/// The training set of a configuration.
pub fn training_set(config: &SubgridTrainingConfig, seed: u64) -> Result<SampleSet, WorkError> {
    let plan = SampleSetConfig { seed: set_seed(seed), ..config.set };
    Ok(SampleSet::draw(plan)?)
}

/// The test set of a configuration: this many sub-grids without a mask, half of them mined, in the way of its training set
/// but for ratio and order.
pub fn test_set(
    config: &SubgridTrainingConfig,
    grids: usize,
    training: &SampleSet,
) -> Result<SampleSet, WorkError> {
    let SampleSetConfig { ratio, order, masks, .. } = SubgridTrainingConfig::of_document().set;
    let plan = SampleSetConfig { grids, ratio, order, masks, seed: training.config().seed, ..config.set };
    Ok(SampleSet::draw_test(plan, training)?)
}

fn set_seed(seed: u64) -> u64 {
    Rng::stream(seed, STREAM_OF_SET).seed()
}

impl SubgridTraining {
    /// A training before its first step.
    pub fn new(config: SubgridTrainingConfig, seed: u64) -> Result<Self, WorkError> {
        let widths = [&[CELLS], &config.layers[..], &[1]].concat();
        let rng = &mut Rng::stream(seed, STREAM_OF_WEIGHTS);
        let architecture = Architecture::dense(&widths, Activation::Relu, Activation::Sigmoid)?;
        let network = match config.init {
            WeightInit::Uniform => Network::bounded(architecture, UNIFORM_BOUND, rng),
            WeightInit::Glorot => Network::new(architecture, rng),
        }?;
        let set = training_set(&config, seed)?;
        let trainer = Trainer::new(&network, config.optimiser, config.loss);
        let batch = config.batch.min(set.len() as usize);
        let (inputs, targets) = (vec![0.0; batch * CELLS], vec![0.0; batch]);
        Ok(Self { config, seed, set, learnt: CountedTrainer::new(trainer), inputs, targets })
    }

    /// The network as it stands.
    pub fn network(&self) -> Network {
        self.learnt.trainer.network()
    }

    /// Continues for more epochs than were planned.
    pub fn extend_to(&mut self, epochs: u64) {
        self.config.epochs = epochs;
    }

    /// Its training set.
    pub const fn set(&self) -> &SampleSet {
        &self.set
    }

    const fn batches_of_epoch(&self) -> u64 {
        self.set.len().div_ceil(self.config.batch as u64)
    }

    const fn batches_of_step(&self) -> u64 {
        let batches = (STEP_SAMPLES / self.config.batch) as u64;
        if batches == 0 { 1 } else { batches }
    }

    /// Learns one batch; its samples and its loss before the change.
    fn learn(&mut self, order: Option<&Permutation>, batch: u64) -> (usize, f64) {
        let first = batch * self.config.batch as u64;
        let samples = (self.set.len() - first).min(self.config.batch as u64) as usize;
        let (inputs, targets) = (&mut self.inputs[..samples * CELLS], &mut self.targets[..samples]);
        match order {
            Some(order) => self.set.fill(|i| order.at(first + i), inputs, targets),
            None => self.set.fill(|i| first + i, inputs, targets),
        }
        let batch = Batch { extent: Extent::samples(samples), inputs, targets, weights: None };
        (samples, self.learnt.trainer.step(&batch))
    }
}

impl Training for SubgridTraining {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.set.len() * self.config.epochs
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let (of_epoch, of_step) = (self.batches_of_epoch(), self.batches_of_step());
        let (epoch, first) = (self.learnt.done / of_epoch, self.learnt.done % of_epoch);
        let end = (first + of_step).min(of_epoch);
        let order = self.config.shuffle.then(|| {
            let epochs = Rng::stream(self.seed, STREAM_OF_EPOCHS).seed();
            Permutation::new(self.set.len(), Rng::stream(epochs, epoch).seed())
        });
        let (mut samples, mut loss) = (0, 0.0);
        for batch in first..end {
            watch.check()?;
            let (learnt, batch_loss) = self.learn(order.as_ref(), batch);
            samples += learnt;
            loss += learnt as f64 * batch_loss;
        }
        self.learnt.done += end - first;
        let steps_of_epoch = of_epoch.div_ceil(of_step);
        let learnt = (end * self.config.batch as u64).min(self.set.len());
        Ok(TrainingStep {
            done: epoch * steps_of_epoch + end.div_ceil(of_step),
            total: self.config.epochs * steps_of_epoch,
            finished: self.learnt.done == self.config.epochs * of_epoch,
            record: serde_json::json!({
                "epoch": epoch + 1,
                "samples": epoch * self.set.len() + learnt,
                "loss": loss / samples as f64,
            }),
        })
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.learnt.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        self.learnt.restore(checkpoint)
    }

    fn product(&self) -> Vec<u8> {
        let board = self.config.set.board;
        let flags = if self.config.set.has_flags { "yes" } else { "no" };
        self.network().to_safetensors(&[
            ("game", "minesweeper"),
            ("sees", "subgrids"),
            ("board", &format!("{}x{} with {} mines", board.rows, board.cols, board.mines)),
            ("flags", flags),
            ("lesson", &self.config.to_string()),
            ("seed", &self.seed.to_string()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::SubgridNetwork;
    use super::*;
    use outplay_core::Text;

    fn config() -> SubgridTrainingConfig {
        let mut config = SubgridTrainingConfig::of_document();
        config.set.grids = 200;
        SubgridTrainingConfig { layers: vec![8, 4], epochs: 2, batch: 64, ..config }
    }

    fn finish(teaching: &mut SubgridTraining) -> Vec<TrainingStep> {
        let mut steps = Vec::new();
        while steps.last().is_none_or(|step: &TrainingStep| !step.finished) {
            steps.push(teaching.step(Watch::nobody()).unwrap());
        }
        steps
    }

    #[test]
    fn a_training_ends_after_its_epochs_and_its_product_reads_back() {
        let mut teaching = SubgridTraining::new(config(), 1).unwrap();
        let steps = finish(&mut teaching);
        assert_eq!(steps.len(), 2, "a small epoch is one step");
        let last = steps.last().unwrap();
        assert_eq!((last.done, last.total), (2, 2));
        assert_eq!(last.record["samples"], 4000);
        assert!(last.record["loss"].as_f64().unwrap() < steps[0].record["loss"].as_f64().unwrap());
        let network = SubgridNetwork::read(&teaching.product(), Text::same("the product")).unwrap();
        assert!(!network.has_flags());
        assert_eq!(network.network().note("lesson"), Some(config().to_string().as_str()));
    }

    #[test]
    fn a_training_resumes_from_a_checkpoint_to_the_same_bytes() {
        let long = SubgridTrainingConfig { batch: 1, epochs: 3, ..config() };
        let mut whole = SubgridTraining::new(long.clone(), 1).unwrap();
        finish(&mut whole);
        let mut part = SubgridTraining::new(long.clone(), 1).unwrap();
        part.step(Watch::nobody()).unwrap();
        let mut rest = SubgridTraining::new(long, 1).unwrap();
        rest.restore(&part.checkpoint()).unwrap();
        finish(&mut rest);
        assert_eq!(rest.product(), whole.product());
        assert!(rest.restore(&part.checkpoint()[..20]).is_err());
    }

    #[test]
    fn one_epoch_more_is_the_training_of_one_epoch_more() {
        let mut teaching = SubgridTraining::new(SubgridTrainingConfig { epochs: 1, ..config() }, 1).unwrap();
        finish(&mut teaching);
        teaching.extend_to(2);
        finish(&mut teaching);
        let mut whole = SubgridTraining::new(config(), 1).unwrap();
        finish(&mut whole);
        assert_eq!(teaching.product(), whole.product());
    }

    #[test]
    fn the_same_bytes_on_any_number_of_threads() {
        let product = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut teaching =
                    SubgridTraining::new(SubgridTrainingConfig { batch: 1000, ..config() }, 1).unwrap();
                finish(&mut teaching);
                teaching.product()
            })
        };
        assert_eq!(product(1), product(3));
    }
}
