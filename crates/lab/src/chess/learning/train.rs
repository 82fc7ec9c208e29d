//! Training a network to tell classes of positions apart: `outplay train chess net`.
//!
//! Weights, division and the order of every epoch follow from the parameters and the seed alone. A step is a number of
//! batches within one epoch.

use outplay_core::{Permutation, Rng};
use outplay_games::chess::dataset::encode::SQUARES;
use outplay_games::chess::dataset::{CLASSES, GameExamples};
use outplay_nn::{Architecture, Batch, Loss, Network, Optimiser, Trainer};
use serde_json::json;

use super::division::{DividedSet, Division, Part, fingerprint, set};
use super::network::{Classifier, ClassifierInput, boards};
use super::notes::TrainingNotes;
use super::{BOUNDS, DATA, LABELS, SPLIT, TEST};
use crate::counted::CountedTrainer;
use crate::error::LabError;
use crate::spec::{Param, ParamKind, Values};
use crate::training::{Training, TrainingStep};

/// The parameters of the method. The document: 2048-2048-2048, batches of 2048, 200 epochs.
pub const PARAMS: &[Param] = &[
    DATA,
    Param {
        name: "sees",
        kind: ParamKind::Word(&["planes", "document"]),
        default: Some("planes"),
        help: "a plane for each kind and side, as the side that has moved sees the board, or the document's 64 numbers",
    },
    Param {
        name: "conv",
        kind: ParamKind::Widths,
        default: Some("32-64"),
        help: "planes of the two convolutions, each with a pool",
    },
    Param {
        name: "dense",
        kind: ParamKind::Widths,
        default: Some("256-256-256"),
        help: "neurons of the dense layers",
    },
    Param {
        name: "drop",
        kind: ParamKind::Real(0.0, 0.9),
        default: Some("0.2"),
        help: "dropout between dense layers during training",
    },
    Param {
        name: "rate",
        kind: ParamKind::Real(1e-8, 1.0),
        default: Some("0.001"),
        help: "the learning rate of Adam",
    },
    Param {
        name: "batch",
        kind: ParamKind::Whole(1, 100_000),
        default: Some("256"),
        help: "positions per batch",
    },
    Param {
        name: "epochs",
        kind: ParamKind::Whole(1, 10_000),
        default: Some("10"),
        help: "epochs: passes over the training set",
    },
    SPLIT,
    TEST,
    LABELS,
    BOUNDS,
];

const STREAM_OF_WEIGHTS: u64 = 0;
const STREAM_OF_EPOCHS: u64 = 1;
/// Positions of one step, about.
const STEP_POSITIONS: usize = 10_000;
/// Positions of the training set that show overfitting.
pub const LEARNT: usize = 5000;

/// The network and how it is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifierConfig {
    /// What the network sees.
    pub sight: ClassifierInput,
    /// Filters of the two convolutions.
    pub conv: [usize; 2],
    /// Widths of the dense layers.
    pub dense: Vec<usize>,
    /// Share of inputs dropped while training.
    pub drop: f64,
    /// Learning rate.
    pub rate: f64,
    /// Positions per batch.
    pub batch: usize,
    /// Passes over the training part.
    pub epochs: u64,
    /// How the set is divided.
    pub division: Division,
}

impl ClassifierConfig {
    /// The configuration with these parameters.
    pub fn of(values: &Values) -> Result<Self, LabError> {
        let conv = values
            .widths("conv")
            .try_into()
            .map_err(|_| LabError::refused("conv: expected the planes of two convolutions, such as 32-64"))?;
        Ok(Self {
            sight: ClassifierInput::named(values.word("sees")).expect("a word of the list"),
            conv,
            dense: values.widths("dense").to_vec(),
            drop: values.real("drop"),
            rate: values.real("rate"),
            batch: values.whole("batch") as usize,
            epochs: values.whole("epochs") as u64,
            division: Division::of(values)?,
        })
    }

    /// The document's shape: two convolutions with pools, dense layers with something dropped between them, six sums.
    fn plan(&self) -> Result<Architecture, LabError> {
        let [first, second] = self.conv;
        let drop = match (self.drop * 1000.0).round() as u16 {
            0 => String::new(),
            thousandths => format!(" | drop {thousandths}"),
        };
        let dense: Vec<String> = self.dense.iter().map(|width| format!("dense {width} relu")).collect();
        let text = format!(
            "{} | conv {first} side 3 relu | pool 2 | conv {second} side 3 relu | pool 2 | flatten 2 2 | {} | dense {CLASSES} identity",
            self.sight.channels(),
            dense.join(&format!("{drop} | ")),
        );
        text.parse().map_err(|error: outplay_nn::ShapeError| LabError::refused(error.to_string()))
    }
}

/// A network in training.
pub struct ClassifierTraining {
    config: ClassifierConfig,
    divided: DividedSet,
    seed: u64,
    /// The fingerprint of the set.
    data: String,
    learnt: CountedTrainer,
    inputs: Vec<f32>,
    targets: Vec<f32>,
}

impl ClassifierTraining {
    /// A new training on a set.
    pub fn new(config: ClassifierConfig, set: &[GameExamples], seed: u64) -> Result<Self, LabError> {
        let divided = DividedSet::divide(set, &config.division, seed)?;
        let network = Network::new(config.plan()?, &mut Rng::stream(seed, STREAM_OF_WEIGHTS))
            .map_err(|error| LabError::refused(error.to_string()))?;
        let mut trainer = Trainer::new(&network, Optimiser::adam(), Loss::Classes);
        trainer.set_rate(config.rate as f32);
        let learnt = CountedTrainer::new(trainer);
        let data = fingerprint(set);
        Ok(Self { config, divided, seed, data, learnt, inputs: Vec::new(), targets: Vec::new() })
    }

    /// The network as it stands.
    pub fn classifier(&self) -> Classifier {
        Classifier::new(&self.learnt.trainer.network(), self.config.sight, self.divided.training.worths())
    }

    /// The set that it learns from.
    pub fn divided(&self) -> &DividedSet {
        &self.divided
    }

    fn batches_of_epoch(&self) -> u64 {
        (self.divided.training.len() as u64).div_ceil(self.config.batch as u64)
    }

    /// Learns one batch; its size and its loss before the change.
    fn learn(&mut self, order: &Permutation, batch: u64) -> (usize, f64) {
        let all = self.divided.training.len() as u64;
        let first = batch * self.config.batch as u64;
        let samples = (all - first).min(self.config.batch as u64) as usize;
        let width = SQUARES * self.config.sight.channels();
        self.inputs.resize(samples * width, 0.0);
        self.targets.clear();
        self.targets.resize(samples * CLASSES, 0.0);
        for sample in 0..samples {
            let place = order.at(first + sample as u64) as usize;
            let numbers = &mut self.inputs[sample * width..][..width];
            self.config.sight.write(&self.divided.training.positions[place], numbers);
            self.targets[sample * CLASSES + usize::from(self.divided.training.classes[place])] = 1.0;
        }
        let batch =
            Batch { extent: boards(samples), inputs: &self.inputs, targets: &self.targets, weights: None };
        (samples, self.learnt.trainer.step(&batch))
    }

    /// The accuracies of some that were learnt, of those by which a learner is chosen, and of the test, as far as there are such.
    fn accuracies(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let mut classifier = self.classifier();
        let DividedSet { training, validation, test } = &self.divided;
        let mut accuracy = |part: &Part| (part.len() > 0).then(|| classifier.confusion(part).accuracy());
        let accuracies = [
            ("training_accuracy", accuracy(&training.stretch(0..training.len().min(LEARNT)))),
            ("validation_accuracy", accuracy(validation)),
            ("test_accuracy", accuracy(test)),
        ];
        accuracies.into_iter().filter_map(|(name, accuracy)| Some((name, accuracy?)))
    }
}

impl Training for ClassifierTraining {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        self.divided.training.len() as u64 * self.config.epochs
    }

    fn step(&mut self) -> Result<TrainingStep, LabError> {
        let of_epoch = self.batches_of_epoch();
        let of_step = (STEP_POSITIONS / self.config.batch).max(1) as u64;
        let (epoch, first) = (self.learnt.done / of_epoch, self.learnt.done % of_epoch);
        let end = (first + of_step).min(of_epoch);
        let epochs = Rng::stream(self.seed, STREAM_OF_EPOCHS).seed();
        let order = Permutation::new(self.divided.training.len() as u64, Rng::stream(epochs, epoch).seed());
        let (mut samples, mut loss) = (0, 0.0);
        for batch in first..end {
            let (learnt, batch_loss) = self.learn(&order, batch);
            samples += learnt;
            loss += learnt as f64 * batch_loss;
        }
        self.learnt.done += end - first;
        let mut record = json!({ "epoch": epoch + 1, "loss": loss / samples as f64 });
        if end == of_epoch {
            for (name, accuracy) in self.accuracies() {
                record[name] = accuracy.into();
            }
        }
        let steps_of_epoch = of_epoch.div_ceil(of_step);
        Ok(TrainingStep {
            done: epoch * steps_of_epoch + end.div_ceil(of_step),
            total: self.config.epochs * steps_of_epoch,
            finished: self.learnt.done == self.config.epochs * of_epoch,
            record,
        })
    }

    fn checkpoint(&self) -> Vec<u8> {
        self.learnt.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
        self.learnt.restore(checkpoint)
    }

    fn product(&self) -> Vec<u8> {
        let values = self.divided.training.worths().values.map(|value| value.to_string()).join(" ");
        let taught =
            TrainingNotes { seed: self.seed, division: self.config.division, data: Some(self.data.clone()) }
                .notes();
        let mut notes = vec![("game", "chess"), ("sees", self.config.sight.name()), ("values", &values)];
        notes.extend(taught.iter().map(|(name, text)| (*name, text.as_str())));
        self.learnt.trainer.network().to_safetensors(&notes)
    }
}

/// The method `net` as the command line calls it.
pub fn begin(values: &Values, seed: u64) -> Result<Box<dyn Training>, LabError> {
    Ok(Box::new(ClassifierTraining::new(ClassifierConfig::of(values)?, &set(values)?, seed)?))
}
