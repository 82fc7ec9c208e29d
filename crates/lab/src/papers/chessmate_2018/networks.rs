//! §2.5.4, §3.2.3: networks of the document's shape, by learning rate and by epochs.

use outplay_games::chess::examples::Bounds;
use serde::{Deserialize, Serialize};

use crate::artefact::{
    Block, Conditions, Experiment, LineChart, LineSeries, Number, Published, Recorder, Records, Scale,
    Section, Shares,
};
use crate::chess::learning::lessons::{Division, Split, shipped};
use crate::chess::learning::network::Sight;
use crate::chess::learning::teach::{Course, Teaching};
use crate::error::LabError;
use crate::training::Training;

/// Positions on which the document tested.
const TESTED: u64 = 1_000_000;

/// Several courses, each with its curve.
pub(super) struct Courses {
    name: &'static str,
    remark: &'static str,
    variants: &'static [Variant],
    against: fn(&Variant, &Published) -> Result<Option<f64>, LabError>,
}

/// One course.
pub(super) struct Variant {
    label: &'static str,
    sight: Sight,
    split: Split,
    rate: f64,
}

const fn variant(label: &'static str, sight: Sight, split: Split, rate: f64) -> Variant {
    Variant { label, sight, split, rate }
}

/// The table of §3.2.3.
pub(super) const LEARNING_RATES: Courses = Courses {
    name: "learning-rates",
    remark: "The document's encoding and split, at its four learning rates.",
    variants: &[
        variant("10⁻³", Sight::Document, Split::Position, 1e-3),
        variant("10⁻⁴", Sight::Document, Split::Position, 1e-4),
        variant("10⁻⁵", Sight::Document, Split::Position, 1e-5),
        variant("10⁻⁶", Sight::Document, Split::Position, 1e-6),
    ],
    against: |variant, published| {
        #[derive(Deserialize)]
        struct Rates {
            rates: Vec<f64>,
            accuracies: Vec<f64>,
        }
        let found = published.of::<Rates>("learning-rates")?.and_then(|document| {
            let place = document.rates.iter().position(|&rate| rate == variant.rate)?;
            document.accuracies.get(place).copied()
        });
        Ok(found)
    },
};

/// The curves of §3.2.3, and what a better encoding and an honest test make of them.
pub(super) const EPOCHS: Courses = Courses {
    name: "epochs",
    remark: "Learning rate 10⁻³. The document's encoding with its split and with whole games kept apart, and a plane for each \
             kind and side, seen by the side that has moved.",
    variants: &[
        variant("document, position", Sight::Document, Split::Position, 1e-3),
        variant("document, game", Sight::Document, Split::Game, 1e-3),
        variant("planes, game", Sight::Planes, Split::Game, 1e-3),
    ],
    against: |variant, published| {
        #[derive(Deserialize)]
        struct Epochs {
            test_accuracy: f64,
        }
        let is_documents = variant.label == "document, position";
        Ok(published.of::<Epochs>("epochs")?.filter(|_| is_documents).map(|document| document.test_accuracy))
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

/// Accuracies after each epoch, and the size of the test.
#[derive(Serialize, Deserialize)]
struct Finding {
    training: Vec<f64>,
    test: Vec<f64>,
    tested: u64,
}

impl Courses {
    fn course(config: &Config, variant: &Variant) -> Course {
        Course {
            sight: variant.sight,
            conv: config.conv,
            dense: config.dense.clone(),
            drop: config.drop,
            rate: variant.rate,
            batch: config.batch,
            epochs: config.epochs,
            division: Division { split: variant.split, test: config.test, bounds: Bounds::default() },
        }
    }
}

impl Experiment for Courses {
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
    ) -> Result<(), LabError> {
        let set = shipped()?;
        let set = &set[..config.games.min(set.len())];
        for (done, variant) in self.variants.iter().enumerate() {
            recorder.once(variant.label, || {
                conditions.show("teaching", done as u64, self.variants.len() as u64, "networks");
                conditions.on_threads(|| {
                    let seed = conditions.seed_of("course");
                    let mut teaching = Teaching::new(Self::course(config, variant), set, seed)?;
                    let mut finding = Finding {
                        training: Vec::new(),
                        test: Vec::new(),
                        tested: teaching.lessons().test.len() as u64,
                    };
                    loop {
                        if conditions.watch.is_stopped() {
                            return Err(LabError::Stopped);
                        }
                        let step = teaching.step()?;
                        finding.training.extend(step.record["training_accuracy"].as_f64());
                        finding.test.extend(step.record["test_accuracy"].as_f64());
                        if step.finished {
                            return Ok(finding);
                        }
                    }
                })
            })?;
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, published: &Published) -> Result<Section, LabError> {
        let (mut numbers, mut series) = (Vec::new(), Vec::new());
        for variant in self.variants {
            let finding: Finding = records.get(variant.label)?;
            let last = finding.test.last().copied().unwrap_or(0.0);
            let shares = Shares::of((last * finding.tested as f64).round() as u64, finding.tested.max(1));
            let number = Number::share(variant.label, &shares);
            let compared = (self.against)(variant, published)?.map(|percent| {
                number.clone().against(percent, 100.0 * shares.margin_to(percent / 100.0, TESTED))
            });
            numbers.push(compared.unwrap_or(number));
            if series.len() < 3 {
                let points = (1..).zip(&finding.test).map(|(epoch, share)| (f64::from(epoch), 100.0 * share));
                series.push(LineSeries { name: variant.label.to_owned(), points: points.collect() });
            }
        }
        let chart = LineChart {
            caption: "Classes told by a network after each epoch".to_owned(),
            x_axis: "epochs".to_owned(),
            y_axis: "% of test positions".to_owned(),
            series,
            ..LineChart::default()
        };
        let blocks = vec![
            Block::text(format!(
                "{} Convolutions of {} and {} planes, dense layers {:?}, {} epochs, batches of {}.",
                self.remark, config.conv[0], config.conv[1], config.dense, config.epochs, config.batch
            )),
            Block::Figure(chart.figure(self.name)),
            Block::text("Classes told after the last epoch, in %:"),
            Block::Table(Number::table(&numbers, "positions")),
        ];
        Ok(Section { blocks, numbers })
    }
}
