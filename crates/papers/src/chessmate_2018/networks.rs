//! §2.5.4, §3.2.3: networks of the document's shape, by learning rate, by epochs and split, and by the reading of its dropout.

use outplay_core::Text;
use outplay_games::chess::dataset::ClassBounds;
use outplay_players::ConfusionMatrix;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_lab::chess::learning::division::{Division, Labels, Split, first_shipped};
use outplay_lab::chess::learning::network::ClassifierInput;
use outplay_lab::chess::learning::train::{ClassifierConfig, ClassifierTraining, LEARNT};
use outplay_report::{Block, LineChart, LineSeries, Number, ReportCell, ReportTable, Section, english};
use outplay_training::Training;

/// Positions on which the document tested.
pub(super) const TESTED: u64 = 1_000_000;
/// The share that is left out if 0.8 is kept, as the document says.
pub(super) const KEEPING: f64 = 0.2;
/// The share that a library's `Dropout(0.8)` leaves out.
const DROPPING: f64 = 0.8;

/// Several trainings, each with its curve.
pub(super) struct NetworkStudy {
    name: &'static str,
    remark: &'static str,
    variants: &'static [NetworkVariant],
    /// Whether a figure shows the tests of three splits; otherwise it shows what one network learnt, and its test.
    by_split: bool,
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
    drop: f64,
}

impl NetworkVariant {
    /// What the document seems to do, by one reading of its labels: its encoding, the end of the set for the test.
    const fn document(label: &'static str, labels: Labels, rate: f64) -> Self {
        let (sight, split) = (ClassifierInput::Document, Split::Sequential);
        Self { label, sight, labels, split, rate, drop: KEEPING }
    }

    /// An encoding with one of the three splits.
    const fn divided(label: &'static str, sight: ClassifierInput, labels: Labels, split: Split) -> Self {
        Self { label, sight, labels, split, rate: 1e-3, drop: KEEPING }
    }

    /// The document's network by one reading of its dropout.
    const fn dropping(label: &'static str, labels: Labels, drop: f64) -> Self {
        Self { drop, ..Self::document(label, labels, 1e-3) }
    }

    /// Whether the published numbers may be about it: the document's encoding, tested on the end of the set.
    fn is_documents(&self) -> bool {
        self.sight == ClassifierInput::Document && self.split == Split::Sequential
    }
}

/// The table of §3.2.3.
pub(super) const LEARNING_RATES: NetworkStudy = NetworkStudy {
    name: "learning-rates",
    remark: "The document's encoding, the end of the set for the test, at its four learning rates, by both readings of its \
             labels.",
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
    by_split: false,
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

/// What the document reports after 200 epochs, for networks that it may be about.
fn after_epochs(variant: &NetworkVariant, published: &Published) -> Result<Documents, WorkError> {
    #[derive(Deserialize)]
    struct PublishedEpochs {
        training_accuracy: f64,
        test_accuracy: f64,
    }
    let document = published.of::<PublishedEpochs>("epochs")?.filter(|_| variant.is_documents());
    Ok(document.map_or([None; 2], |it| [it.training_accuracy, it.test_accuracy].map(Some)))
}

/// The curves of §3.2.3, and what other splits and encodings make of them.
pub(super) const EPOCHS: NetworkStudy = NetworkStudy {
    name: "epochs",
    remark: "Learning rate 10⁻³. Each encoding with each of the three splits: the document's by both readings of its labels, \
             the list of pieces that it wishes for, which does not say who has moved either, and a plane for each kind and \
             side, seen by the side that has moved. The published numbers stand beside the sequential split, which the \
             document's 3 million and 1 million positions suggest.",
    variants: &[
        NetworkVariant::divided(
            "document, the mover's labels, position",
            DOCUMENT,
            Labels::Mover,
            Split::Position,
        ),
        NetworkVariant::divided(
            "document, the mover's labels, sequential",
            DOCUMENT,
            Labels::Mover,
            Split::Sequential,
        ),
        NetworkVariant::divided("document, the mover's labels, game", DOCUMENT, Labels::Mover, Split::Game),
        NetworkVariant::divided(
            "document, White's labels, position",
            DOCUMENT,
            Labels::White,
            Split::Position,
        ),
        NetworkVariant::divided(
            "document, White's labels, sequential",
            DOCUMENT,
            Labels::White,
            Split::Sequential,
        ),
        NetworkVariant::divided("document, White's labels, game", DOCUMENT, Labels::White, Split::Game),
        NetworkVariant::divided("list, White's labels, position", LIST, Labels::White, Split::Position),
        NetworkVariant::divided("list, White's labels, sequential", LIST, Labels::White, Split::Sequential),
        NetworkVariant::divided("list, White's labels, game", LIST, Labels::White, Split::Game),
        NetworkVariant::divided("planes, position", PLANES, Labels::Mover, Split::Position),
        NetworkVariant::divided("planes, sequential", PLANES, Labels::Mover, Split::Sequential),
        NetworkVariant::divided("planes, game", PLANES, Labels::Mover, Split::Game),
    ],
    by_split: true,
    against: after_epochs,
};

const DOCUMENT: ClassifierInput = ClassifierInput::Document;
const LIST: ClassifierInput = ClassifierInput::List;
const PLANES: ClassifierInput = ClassifierInput::Planes;

/// Both readings of §2.5.4's dropout.
pub(super) const DROPOUT: NetworkStudy = NetworkStudy {
    name: "dropout",
    remark: "Learning rate 10⁻³, the document's encoding, the end of the set for the test. The document says that each neuron \
             is used with probability 0.8; its library's `Dropout(0.8)` leaves a neuron out with that probability. If the \
             second was meant by the first, the training accuracy should stall early.",
    variants: &[
        NetworkVariant::dropping("the mover's labels, 0.8 kept", Labels::Mover, KEEPING),
        NetworkVariant::dropping("the mover's labels, 0.8 dropped", Labels::Mover, DROPPING),
        NetworkVariant::dropping("White's labels, 0.8 kept", Labels::White, KEEPING),
        NetworkVariant::dropping("White's labels, 0.8 dropped", Labels::White, DROPPING),
    ],
    by_split: false,
    against: after_epochs,
};

#[derive(Serialize)]
pub(super) struct Config {
    games: usize,
    conv: [usize; 2],
    dense: Vec<usize>,
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
            let step = teaching.step(conditions.watch)?;
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
        let series = vec![curve("learnt positions", &self.training), curve("test", &self.test)];
        accuracy_chart(format!("Classes told after each epoch: {label}"), series)
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

/// A curve by epochs.
fn curve(name: &str, shares: &[f64]) -> LineSeries {
    let points = (1..).zip(shares).map(|(epoch, share)| (f64::from(epoch), 100.0 * share));
    LineSeries { name: name.to_owned(), points: points.collect() }
}

fn accuracy_chart(caption: String, series: Vec<LineSeries>) -> LineChart {
    LineChart {
        caption,
        x_axis: "epochs".to_owned(),
        y_axis: "% of positions".to_owned(),
        series,
        ..LineChart::default()
    }
}

/// The key of a network's record.
fn record_of(variant: &NetworkVariant) -> String {
    format!("network {}", variant.label)
}

impl NetworkStudy {
    /// The curves of all networks.
    fn figures(&self, findings: &[CourseResult]) -> Vec<Block> {
        let each = if self.by_split { Split::ALL.len() } else { 1 };
        let chart = |variants: &[NetworkVariant], findings: &[CourseResult]| {
            if let [only] = variants {
                return findings[0].chart(only.label);
            }
            let test = |(variant, finding): (&NetworkVariant, &CourseResult)| {
                curve(variant.label.rsplit(", ").next().unwrap_or_default(), &finding.test)
            };
            let shown = variants[0].label.rsplit_once(", ").map_or("", |(shown, _)| shown);
            let caption = format!("Classes of the test told after each epoch: {shown}");
            accuracy_chart(caption, variants.iter().zip(findings).map(test).collect())
        };
        let groups = self.variants.chunks(each).zip(findings.chunks(each));
        let figure = |(place, (variants, findings))| {
            Block::Figure(chart(variants, findings).figure(format!("{}-{place}", self.name)))
        };
        (1..).zip(groups).map(figure).collect()
    }

    fn course(config: &Config, variant: &NetworkVariant) -> ClassifierConfig {
        ClassifierConfig {
            sight: variant.sight,
            conv: config.conv,
            dense: config.dense.clone(),
            drop: variant.drop,
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
            Scale::Full => (1_000_000, [32, 64], 256, 10),
        };
        Config { games, conv, dense: vec![width; 3], batch: 256, epochs, test: 0.25 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let set = &first_shipped(config.games)?;
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
        let (mut numbers, mut confusions, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        for variant in self.variants {
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
            if variant.is_documents() {
                let label = variant.label;
                confusions.push(Block::text(format!("Answers in the test, by their true class: {label}.")));
                confusions.push(Block::Table(finding.confusion_table()));
            }
            findings.push(finding);
        }
        let mut figures = self.figures(&findings);
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
