//! §2.6, §3.2.4: nearest neighbours, for every k.

use outplay_core::Text;
use outplay_games::chess::dataset::ClassBounds;
use outplay_players::ConfusionMatrix;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_lab::chess::learning::division::{DividedSet, Division, Labels, Split, first_shipped};
use outplay_lab::chess::learning::neighbours::{KnownExamples, Sees, best_k};
use outplay_lab::params::ParamType;
use outplay_report::{Block, LineChart, LineSeries, Number, Section};
use outplay_runtime::Watch;

/// Three encodings, and two readings of the document's labels, each with the three splits.
pub(super) struct ByNeighbours;

#[derive(Serialize)]
pub(super) struct Config {
    /// Games of the set that are used, at most.
    games: usize,
    /// The greatest k.
    most: usize,
    /// The share that is kept for the test.
    test: f64,
    /// How many of the test's positions are asked, spread evenly over it.
    asked: usize,
}

/// Right answers for each k from 1, their total, and the k that was chosen.
#[derive(Serialize, Deserialize)]
struct NeighbourResult {
    right: Vec<u64>,
    total: u64,
    chosen: usize,
    learnt: usize,
}

impl NeighbourResult {
    fn of(lessons: &DividedSet, sees: Sees, config: &Config, watch: Watch<'_>) -> Result<Self, WorkError> {
        let known = KnownExamples::new(&lessons.training, sees, config.most);
        let [choosing, test] = [&lessons.validation, &lessons.test].map(|part| part.spread(config.asked));
        let choice = known.confusions(&choosing, config.most, watch)?;
        let confusions = known.confusions(&test, config.most, watch)?;
        Ok(Self {
            right: confusions.iter().map(ConfusionMatrix::right).collect(),
            total: test.positions.len() as u64,
            chosen: best_k(&choice, 1, config.most),
            learnt: lessons.training.positions.len(),
        })
    }
}

#[derive(Deserialize)]
struct PublishedNeighbours {
    accuracy: f64,
}

/// An encoding with a reading of the labels. Each is divided in three ways, and a figure shows what that does.
const VARIANTS: [(&str, Sees, Labels); 4] = [
    ("document, the mover's labels", Sees::Document, Labels::Mover),
    ("document, White's labels", Sees::Document, Labels::White),
    ("list, White's labels", Sees::List, Labels::White),
    ("oriented", Sees::Oriented, Labels::Mover),
];

fn record_of(label: &str, split: Split) -> String {
    format!("{label}, {}", split.write())
}

impl Experiment for ByNeighbours {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (games, most, asked) = match scale {
            Scale::Smoke => (30, 4, 500),
            Scale::Desk => (1_000_000, 15, 10_000),
            Scale::Full => (1_000_000, 25, 1_000_000),
        };
        Config { games, most, test: 0.3, asked }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let set = &first_shipped(config.games)?;
        for (label, sees, labels) in VARIANTS {
            for split in Split::ALL {
                recorder.once(&record_of(label, split), || {
                    let bounds = ClassBounds::default();
                    let division = Division { split, test: config.test, bounds, labels };
                    let lessons = DividedSet::divide(set, &division, conditions.seed_of("division"))?;
                    conditions.on_threads(|| NeighbourResult::of(&lessons, sees, config, conditions.watch))
                })?;
            }
        }
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        let document = published.of::<PublishedNeighbours>("neighbours")?;
        let (mut numbers, mut series) = (Vec::new(), Vec::new());
        let mut learnt = 0;
        for (label, sees, _) in VARIANTS {
            for split in Split::ALL {
                let finding: NeighbourResult = records.get(&record_of(label, split))?;
                learnt = learnt.max(finding.learnt);
                let percent = |right: u64| 100.0 * right as f64 / finding.total as f64;
                let points = (1..).zip(&finding.right).map(|(k, &right)| (f64::from(k), percent(right)));
                series.push(LineSeries { name: split.write(), points: points.collect() });
                let shares = Shares::of(finding.right[finding.chosen - 1], finding.total);
                let name = format!("{}, k = {}", record_of(label, split), finding.chosen);
                let number = Number::share(name, &shares);
                // The document draws its test at random, and tests on 1.2 million positions.
                let is_documents = sees == Sees::Document && split == Split::Position;
                let compared = document.as_ref().filter(|_| is_documents).map(|document| {
                    let margin = shares.margin_to(document.accuracy / 100.0, 1_200_000);
                    number.clone().against(document.accuracy, 100.0 * margin)
                });
                numbers.push(compared.unwrap_or(number));
            }
        }
        let mut blocks = vec![Block::text(format!(
            "Up to {learnt} positions are known, k from 1 to {}; `{} %` of the set are kept for the test, of which up to \
             {} positions are asked.",
            config.most,
            100.0 * config.test,
            config.asked
        ))];
        for ((place, lines), (label, ..)) in (1..).zip(series.chunks(Split::ALL.len())).zip(VARIANTS) {
            let chart = LineChart {
                caption: format!("Classes told by nearest neighbours, by their number: {label}"),
                x_axis: "k".to_owned(),
                y_axis: "% of test positions".to_owned(),
                series: lines.to_vec(),
                ..LineChart::default()
            };
            blocks.push(Block::Figure(chart.figure(format!("neighbours-{place}"))));
        }
        blocks.push(Block::text("Classes told, in %, with the k that other examples chose:"));
        blocks.push(Block::Table(Number::table(&numbers, Text::new("positions", "positions"))));
        Ok(Section { blocks, numbers })
    }
}
