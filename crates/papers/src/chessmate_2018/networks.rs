//! §2.5.4, §3.2.3: networks of the document's shape, by learning rate and by epochs.

use outplay_core::Text;
use outplay_games::chess::dataset::ClassBounds;
use outplay_players::ConfusionMatrix;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_lab::chess::learning::division::{Division, Labels, Split, shipped};
use outplay_lab::chess::learning::network::ClassifierInput;
use outplay_lab::chess::learning::train::{ClassifierConfig, ClassifierTraining, LEARNT};
use outplay_report::{Block, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english};
use outplay_training::Training;

/// Positions on which the document tested.
const TESTED: u64 = 1_000_000;

/// Several trainings, each with its curve.
pub(super) struct NetworkStudy {
    name: &'static str,
    remark: &'static str,
    variants: &'static [NetworkVariant],
    against: fn(&NetworkVariant, &Published) -> Result<Documents, WorkError>,
}

/// The published accuracies on learnt positions and on the test.
type Documents = [Option<f64>; 2];

/// One training.
pub(super) struct NetworkVariant {
    label: &'static str,
    sight: ClassifierInput,
    labels: Labels,
    split: Split,
    rate: f64,
}

impl NetworkVariant {
    /// What the document does, by one reading of its labels.
    const fn document(label: &'static str, labels: Labels, rate: f64) -> Self {
        Self { label, sight: ClassifierInput::Document, labels, split: Split::Position, rate }
    }

    /// An honest test of what the document does, or of a better encoding.
    const fn honest(label: &'static str, sight: ClassifierInput, labels: Labels) -> Self {
        Self { label, sight, labels, split: Split::Game, rate: 1e-3 }
    }
}

/// The table of §3.2.3.
pub(super) const LEARNING_RATES: NetworkStudy = NetworkStudy {
    name: "learning-rates",
    remark: "The document's encoding and split, at its four learning rates, by both readings of its labels.",
    variants: &[
        NetworkVariant::document("the mover's labels, 10⁻³", Labels::Mover, 1e-3),
        NetworkVariant::document("the mover's labels, 10⁻⁴", Labels::Mover, 1e-4),
        NetworkVariant::document("the mover's labels, 10⁻⁵", Labels::Mover, 1e-5),
        NetworkVariant::document("the mover's labels, 10⁻⁶", Labels::Mover, 1e-6),
        NetworkVariant::document("White's labels, 10⁻³", Labels::White, 1e-3),
        NetworkVariant::document("White's labels, 10⁻⁴", Labels::White, 1e-4),
        NetworkVariant::document("White's labels, 10⁻⁵", Labels::White, 1e-5),
        NetworkVariant::document("White's labels, 10⁻⁶", Labels::White, 1e-6),
    ],
    against: |variant, published| {
        #[derive(Deserialize)]
        struct PublishedRates {
            rates: Vec<f64>,
            accuracies: Vec<f64>,
        }
        let found = published.of::<PublishedRates>("learning-rates")?.and_then(|document| {
            let place = document.rates.iter().position(|&rate| rate == variant.rate)?;
            document.accuracies.get(place).copied()
        });
        Ok([None, found])
    },
};

/// The curves of §3.2.3, and what a better encoding and an honest test make of them.
pub(super) const EPOCHS: NetworkStudy = NetworkStudy {
    name: "epochs",
    remark: "Learning rate 10⁻³. The document's encoding by both readings of its labels, with its split and with whole games kept \
             apart, and a plane for each kind and side, seen by the side that has moved.",
    variants: &[
        NetworkVariant::document("document, the mover's labels, position", Labels::Mover, 1e-3),
        NetworkVariant::honest(
            "document, the mover's labels, game",
            ClassifierInput::Document,
            Labels::Mover,
        ),
        NetworkVariant::document("document, White's labels, position", Labels::White, 1e-3),
        NetworkVariant::honest("document, White's labels, game", ClassifierInput::Document, Labels::White),
        NetworkVariant::honest("planes, game", ClassifierInput::Planes, Labels::Mover),
    ],
    against: |variant, published| {
        #[derive(Deserialize)]
        struct PublishedEpochs {
            training_accuracy: f64,
            test_accuracy: f64,
        }
        let is_documents = variant.split == Split::Position;
        let document = published.of::<PublishedEpochs>("epochs")?.filter(|_| is_documents);
        Ok(document.map_or([None; 2], |it| [it.training_accuracy, it.test_accuracy].map(Some)))
    },
};

#[derive(Serialize)]
pub(super) struct Config {
    games: usize,
    conv: [usize; 2],
    dense: Vec<usize>,
    drop: f64,
    batch: usize,
    epochs: u64,
    test: f64,
}

/// Accuracies after each epoch on learnt positions and on the test, and the confusion matrix after the last one.
#[derive(Serialize, Deserialize)]
struct CourseResult {
    training: Vec<f64>,
    learnt: u64,
    test: Vec<f64>,
    confusion: Vec<Vec<u64>>,
}

impl CourseResult {
    /// The result of a training.
    fn of(mut teaching: ClassifierTraining, conditions: &Conditions<'_>) -> Result<Self, WorkError> {
        let (mut training, mut test) = (Vec::new(), Vec::new());
        loop {
            if conditions.watch.is_stopped() {
                return Err(WorkError::Stopped);
            }
            let step = teaching.step()?;
            training.extend(step.record["training_accuracy"].as_f64());
            test.extend(step.record["test_accuracy"].as_f64());
            if step.finished {
                break;
            }
        }
        let lessons = teaching.divided();
        let learnt = lessons.training.positions.len().min(LEARNT) as u64;
        let confusion = teaching.classifier().confusion(&lessons.test).counts;
        Ok(Self { training, learnt, test, confusion })
    }

    /// Both curves of one network.
    fn chart(&self, label: &str) -> LineChart {
        let series = |name: &str, shares: &[f64]| LineSeries {
            name: name.to_owned(),
            points: (1..).zip(shares).map(|(epoch, share)| (f64::from(epoch), 100.0 * share)).collect(),
        };
        LineChart {
            caption: format!("Classes told after each epoch: {label}"),
            x_axis: "epochs".to_owned(),
            y_axis: "% of positions".to_owned(),
            series: vec![series("learnt positions", &self.training), series("test", &self.test)],
            ..LineChart::default()
        }
    }

    /// Shares of right answers after the last epoch, of learnt positions and of the test.
    fn shares(&self) -> [Shares; 2] {
        let last = self.training.last().copied().unwrap_or(0.0);
        let told = ConfusionMatrix { counts: self.confusion.clone() };
        let learnt = Shares::of((last * self.learnt as f64).round() as u64, self.learnt.max(1));
        [learnt, Shares::of(told.right(), told.total().max(1))]
    }

    /// How often each class was answered where each was true.
    fn confusion_table(&self) -> ReportTable {
        let head =
            ["true class".to_owned()].into_iter().chain((1..=self.confusion.len()).map(|n| n.to_string()));
        let row = |(number, counts): (usize, &Vec<u64>)| {
            [number.to_string()]
                .into_iter()
                .chain(counts.iter().map(u64::to_string))
                .map(ReportCell::from)
                .collect()
        };
        ReportTable { left: 1, head: english(head), rows: (1..).zip(&self.confusion).map(row).collect() }
    }
}

/// The key of a network's record.
fn record_of(variant: &NetworkVariant) -> String {
    format!("network {}", variant.label)
}

impl NetworkStudy {
    fn course(config: &Config, variant: &NetworkVariant) -> ClassifierConfig {
        ClassifierConfig {
            sight: variant.sight,
            conv: config.conv,
            dense: config.dense.clone(),
            drop: config.drop,
            rate: variant.rate,
            batch: config.batch,
            epochs: config.epochs,
            division: Division {
                split: variant.split,
                test: config.test,
                bounds: ClassBounds::default(),
                labels: variant.labels,
            },
        }
    }
}

impl Experiment for NetworkStudy {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (games, conv, width, epochs) = match scale {
            Scale::Smoke => (20, [4, 8], 16, 2),
            Scale::Desk => (500, [16, 32], 128, 10),
            Scale::Full => (1_000_000, [32, 64], 256, 50),
        };
        Config { games, conv, dense: vec![width; 3], drop: 0.2, batch: 256, epochs, test: 0.25 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let set = shipped()?;
        let set = &set[..config.games.min(set.len())];
        for (done, variant) in self.variants.iter().enumerate() {
            recorder.once(&record_of(variant), || {
                conditions.show("teaching", done as u64, self.variants.len() as u64, "networks");
                conditions.on_threads(|| {
                    let seed = conditions.seed_of("course");
                    CourseResult::of(
                        ClassifierTraining::new(Self::course(config, variant), set, seed)?,
                        conditions,
                    )
                })
            })?;
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let (mut numbers, mut figures, mut confusions) = (Vec::new(), Vec::new(), Vec::new());
        for (place, variant) in (1..).zip(self.variants) {
            let finding: CourseResult = records.get(&record_of(variant))?;
            let documents = (self.against)(variant, published)?;
            let names = [format!("{}, learnt positions", variant.label), variant.label.to_owned()];
            for ((name, shares), document) in names.into_iter().zip(finding.shares()).zip(documents) {
                let number = Number::share(name, &shares);
                let compared = document.map(|percent| {
                    number.clone().against(percent, 100.0 * shares.margin_to(percent / 100.0, TESTED))
                });
                numbers.push(compared.unwrap_or(number));
            }
            figures
                .push(Block::Figure(finding.chart(variant.label).figure(format!("{}-{place}", self.name))));
            confusions
                .push(Block::text(format!("Answers in the test, by their true class: {}.", variant.label)));
            confusions.push(Block::Table(finding.confusion_table()));
        }
        let mut blocks = vec![Block::text(format!(
            "{} Convolutions of {} and {} planes, dense layers {:?}, {} epochs, batches of {}.",
            self.remark, config.conv[0], config.conv[1], config.dense, config.epochs, config.batch
        ))];
        blocks.append(&mut figures);
        blocks.push(Block::text(
            "Classes told after the last epoch, in %, of the test and of some learnt positions:",
        ));
        blocks.push(Block::Table(Number::table(&numbers, Text::new("positions", "positions"))));
        blocks.append(&mut confusions);
        Ok(Section { blocks, numbers })
    }
}
