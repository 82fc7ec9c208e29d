//! Training a network to tell classes of positions apart: `outplay train chess net`.
//!
//! Weights, division and the order of every epoch follow from the parameters and the seed alone. A step is a number of
//! batches within one epoch.

use outplay_core::{Permutation, Referee, Rng, Text, errors};
use outplay_games::chess::Chess;
use outplay_games::chess::dataset::{CLASSES, GameExamples};
use outplay_nn::{Architecture, Batch, Loss, Network, Optimiser, ShapeError, Trainer};
use outplay_runtime::{Watch, WorkError};
use serde_json::json;

use super::division::{DividedSet, Division, Part, fingerprint};
use super::network::{Classifier, ClassifierInput};
use super::notes::TrainingNotes;
use super::{ExampleSetParams, LabelParams, MEASURES, SplitParams};
use crate::params;
use crate::params::{ParamType, Params};
use crate::registry::MethodDef;
use crate::training_memory::{TrainingMemory, padded};
use outplay_training::CountedTrainer;
use outplay_training::{Training, TrainingStep};

params! {
    /// The network and how it is trained. The document: 2048-2048-2048, batches of 2048, 200 epochs.
    pub struct ClassifierParams {
        sees: ClassifierInput = ClassifierInput::Planes,
            "a plane for each kind and side, as the side that has moved sees the board, the document's 64 numbers, or the list that it wishes for: of each piece whether it is there, its value and its place"
            | "un plan par sorte de pièce et par camp, vus par le camp qui vient de jouer, les 64 nombres du document, ou la liste qu’il souhaite : pour chaque pièce son existence, sa valeur et sa place";
        conv: Vec<usize> = vec![32, 64],
            "planes of the two convolutions, each with a pool; a list is not convolved"
            | "plans des deux convolutions, chacune suivie d’un regroupement ; une liste n’est pas convoluée";
        dense: Vec<usize> = vec![256; 3], "neurons of the dense layers" | "neurones des couches denses";
        drop: f64 = 0.2, in 0.0..=0.9,
            "dropout: the share that is left out between dense layers during training (the document keeps 0.8, which is drop=0.2; a library's Dropout(0.8) would be drop=0.8)"
            | "abandon (dropout) : la part omise entre les couches denses pendant l’apprentissage (le document garde 0,8, soit drop=0.2 ; Dropout(0.8) d’une bibliothèque serait drop=0.8)";
        rate: f64 = 0.001, in 1e-8..=1.0, "the learning rate of Adam" | "le taux d’apprentissage d’Adam";
        batch: usize = 256, in 1..=100_000, "positions per batch" | "positions par lot";
        epochs: u64 = 10, in 1..=10_000,
            "epochs: passes over the training set" | "époques : passages sur l’ensemble d’entraînement";
    }
    memory |params| params.memory_of_parts().mebibytes()
}

impl ClassifierParams {
    /// A board of 8×8 cells is pooled to 4×4 and to 2×2; the dense layers follow. A list goes to them as it is.
    fn memory_of_parts(&self) -> TrainingMemory {
        let planes = self.sees.channels();
        let conv: Vec<usize> = self.conv.iter().map(|&width| padded(width)).collect();
        let (first, second) = match (self.sees.is_board(), &conv[..]) {
            (true, [first, .., second]) => (*first, *second),
            _ => (0, 0),
        };
        let flat = if self.sees.is_board() { 4 * second } else { padded(planes) };
        let dense = self.dense.iter().map(|&width| padded(width));
        let widths: Vec<usize> = [flat].into_iter().chain(dense).chain([padded(CLASSES)]).collect();
        let products: u64 = widths.windows(2).map(|pair| (pair[0] + 1) as u64 * pair[1] as u64).sum();
        let outputs = (64 + 16) * first + (16 + 4) * second + widths.iter().sum::<usize>();
        TrainingMemory {
            parameters: 9 * (padded(planes) as u64 * first as u64 + first as u64 * second as u64) + products,
            outputs: (PIECE * outputs) as u64,
            examples: (self.batch * 4 * self.sees.width()) as u64,
        }
    }
}

/// Positions that a thread works on at a time.
const PIECE: usize = 256;

errors! {
    /// Why there is no such network.
    pub enum ClassifierError {
        Convolutions =
            "conv: expected the planes of two convolutions, such as 32-64"
            | "conv : attendu les plans de deux convolutions, tels que 32-64",
    }
}

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
    pub fn of(params: &ClassifierParams, division: Division) -> Result<Self, ClassifierError> {
        let ClassifierParams { sees, ref conv, ref dense, drop, rate, batch, epochs } = *params;
        let conv = conv.as_slice().try_into().map_err(|_| ClassifierError::Convolutions)?;
        Ok(Self { sight: sees, conv, dense: dense.clone(), drop, rate, batch, epochs, division })
    }

    /// The document's shape: two convolutions with pools, dense layers with something dropped between them, six sums. A
    /// list of pieces goes to the dense layers as it is.
    fn plan(&self) -> Result<Architecture, ShapeError> {
        let [first, second] = self.conv;
        let drop = match (self.drop * 1000.0).round() as u16 {
            0 => String::new(),
            thousandths => format!(" | drop {thousandths}"),
        };
        let convolved = if self.sight.is_board() {
            format!("conv {first} side 3 relu | pool 2 | conv {second} side 3 relu | pool 2 | flatten 2 2 | ")
        } else {
            String::new()
        };
        let dense: Vec<String> = self.dense.iter().map(|width| format!("dense {width} relu")).collect();
        let dense = dense.join(&format!("{drop} | "));
        format!("{} | {convolved}{dense} | dense {CLASSES} identity", self.sight.channels()).parse()
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
    pub fn new(config: ClassifierConfig, set: &[GameExamples], seed: u64) -> Result<Self, WorkError> {
        let divided = DividedSet::divide(set, &config.division, seed)?;
        Self::on(config, divided, fingerprint(set), seed)
    }

    /// A new training on what was made of the set with this fingerprint.
    pub fn on(
        config: ClassifierConfig,
        divided: DividedSet,
        data: String,
        seed: u64,
    ) -> Result<Self, WorkError> {
        let network = Network::new(config.plan()?, &mut Rng::stream(seed, STREAM_OF_WEIGHTS))?;
        let mut trainer = Trainer::new(&network, Optimiser::adam(), Loss::Classes);
        trainer.set_rate(config.rate as f32);
        let learnt = CountedTrainer::new(trainer);
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

    /// Positions learnt from so far, each as often as it was.
    pub fn samples(&self) -> u64 {
        let (positions, of_epoch) = (self.divided.training.len() as u64, self.batches_of_epoch());
        let (epochs, batches) = (self.learnt.done / of_epoch, self.learnt.done % of_epoch);
        epochs * positions + (batches * self.config.batch as u64).min(positions)
    }

    fn batches_of_epoch(&self) -> u64 {
        (self.divided.training.len() as u64).div_ceil(self.config.batch as u64)
    }

    /// Learns one batch; its size and its loss before the change.
    fn learn(&mut self, order: &Permutation, batch: u64) -> (usize, f64) {
        let all = self.divided.training.len() as u64;
        let first = batch * self.config.batch as u64;
        let samples = (all - first).min(self.config.batch as u64) as usize;
        let width = self.config.sight.width();
        self.inputs.resize(samples * width, 0.0);
        self.targets.clear();
        self.targets.resize(samples * CLASSES, 0.0);
        for sample in 0..samples {
            let place = order.at(first + sample as u64) as usize;
            let numbers = &mut self.inputs[sample * width..][..width];
            self.config.sight.write(&self.divided.training.positions[place], numbers);
            self.targets[sample * CLASSES + usize::from(self.divided.training.classes[place])] = 1.0;
        }
        let extent = self.config.sight.extent(samples);
        let batch = Batch { extent, inputs: &self.inputs, targets: &self.targets, weights: None };
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

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        let of_epoch = self.batches_of_epoch();
        let of_step = (STEP_POSITIONS / self.config.batch).max(1) as u64;
        let (epoch, first) = (self.learnt.done / of_epoch, self.learnt.done % of_epoch);
        let end = (first + of_step).min(of_epoch);
        let epochs = Rng::stream(self.seed, STREAM_OF_EPOCHS).seed();
        let order = Permutation::new(self.divided.training.len() as u64, Rng::stream(epochs, epoch).seed());
        let (mut samples, mut loss) = (0, 0.0);
        for batch in first..end {
            watch.check()?;
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

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        self.learnt.restore(checkpoint)
    }

    fn product(&self) -> Vec<u8> {
        let values = self.divided.training.worths().values.map(|value| value.to_string()).join(" ");
        let taught =
            TrainingNotes { seed: self.seed, division: self.config.division, data: Some(self.data.clone()) }
                .notes();
        let sees = ParamType::write(&self.config.sight);
        let mut notes = vec![("game", "chess"), ("sees", &sees), ("values", &values)];
        notes.extend(taught.iter().map(|(name, text)| (*name, text.as_str())));
        self.learnt.trainer.network().to_safetensors(&notes)
    }
}

/// The method `net` on chess's list.
pub(in crate::chess) fn method() -> MethodDef<Referee<Chess>> {
    let defaults = (
        (ExampleSetParams::default(), ClassifierParams::default()),
        (SplitParams::default(), LabelParams::default()),
    );
    let usual = defaults.clone();
    let mut method = MethodDef::new(
        "net",
        Text::new(
            "a network that tells six classes of positions apart, for eval=net (ChessMate 2018)",
            "un réseau qui distingue six classes de positions, pour eval=net (ChessMate 2018)",
        ),
        defaults,
        MEASURES,
        |_, ((set, params), (split, labelling)), seed, _, _| {
            let config = ClassifierConfig::of(params, Division::of(split, labelling))?;
            Ok(Box::new(ClassifierTraining::new(config, &set.read()?, seed)?))
        },
    );
    method.memory = Box::new(move |spec| {
        let ((set, params), _) = usual.read(spec)?;
        // The set as it was read, and its parts for learning and for the test.
        Ok(params.memory().saturating_add(set.memory().saturating_mul(2)))
    });
    method
}
