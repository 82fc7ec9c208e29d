//! §2.6, §3.2.4: nearest neighbours, for every k.

use outplay_core::Text;
use outplay_games::chess::dataset::ClassBounds;
use outplay_players::ConfusionMatrix;
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Shares;
use outplay_lab::chess::learning::division::{DividedSet, Division, Labels, Split, shipped};
use outplay_lab::chess::learning::neighbours::{KnownExamples, Sees, best_k};
use outplay_report::{Block, LineChart, LineSeries, Number, Section};

/// Two encodings, and two readings of the document's labels, each with the leak and without.
pub(super) struct ByNeighbours;

#[derive(Serialize)]
pub(super) struct Config {
    /// Games of the set that are used, at most.
    games: usize,
    /// The greatest k.
    most: usize,
    /// The share that is kept for the test.
    test: f64,
}

/// Right answers for each k from 1, their total, and the k that was chosen.
#[derive(Serialize, Deserialize)]
struct NeighbourResult {
    right: Vec<u64>,
    total: u64,
    chosen: usize,
    learnt: usize,
}

#[derive(Deserialize)]
struct PublishedNeighbours {
    accuracy: f64,
}

/// Those of one encoding and label are neighbours, so that a figure shows the effect of the leak. The first of each pair is
/// divided as in the document; the labels that it prints agree with the first two pairs.
const VARIANTS: [(&str, Sees, Labels, Split); 6] = [
    ("document, the mover's labels, position", Sees::Document, Labels::Mover, Split::Position),
    ("document, the mover's labels, game", Sees::Document, Labels::Mover, Split::Game),
    ("document, White's labels, position", Sees::Document, Labels::White, Split::Position),
    ("document, White's labels, game", Sees::Document, Labels::White, Split::Game),
    ("oriented, position", Sees::Oriented, Labels::Mover, Split::Position),
    ("oriented, game", Sees::Oriented, Labels::Mover, Split::Game),
];

impl Experiment for ByNeighbours {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (games, most) = match scale {
            Scale::Smoke => (30, 4),
            Scale::Desk => (1_000_000, 15),
            Scale::Full => (1_000_000, 25),
        };
        Config { games, most, test: 0.3 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let set = shipped()?;
        let set = &set[..config.games.min(set.len())];
        for (label, sees, labels, split) in VARIANTS {
            recorder.once(label, || {
                let division = Division { split, test: config.test, bounds: ClassBounds::default(), labels };
                let lessons = DividedSet::divide(set, &division, conditions.seed_of("division"))?;
                let known = KnownExamples::new(&lessons.training, sees, config.most);
                conditions.on_threads(|| {
                    let choice = known.confusions(&lessons.validation, config.most, conditions.watch)?;
                    let confusions = known.confusions(&lessons.test, config.most, conditions.watch)?;
                    Ok(NeighbourResult {
                        right: confusions.iter().map(ConfusionMatrix::right).collect(),
                        total: lessons.test.positions.len() as u64,
                        chosen: best_k(&choice, 1, config.most),
                        learnt: lessons.training.positions.len(),
                    })
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
        let document = published.of::<PublishedNeighbours>("neighbours")?;
        let (mut numbers, mut series) = (Vec::new(), Vec::new());
        let mut learnt = 0;
        for (label, sees, _, split) in VARIANTS {
            let finding: NeighbourResult = records.get(label)?;
            learnt = learnt.max(finding.learnt);
            let points = (1..).zip(&finding.right);
            let percent = |right: u64| 100.0 * right as f64 / finding.total as f64;
            let points = points.map(|(k, &right)| (f64::from(k), percent(right))).collect();
            series.push(LineSeries { name: label.to_owned(), points });
            let shares = Shares::of(finding.right[finding.chosen - 1], finding.total);
            let number = Number::share(format!("{label}, k = {}", finding.chosen), &shares);
            // The document tests on 1.2 million positions.
            let is_documents = sees == Sees::Document && split == Split::Position;
            let compared = document.as_ref().filter(|_| is_documents).map(|document| {
                let margin = shares.margin_to(document.accuracy / 100.0, 1_200_000);
                number.clone().against(document.accuracy, 100.0 * margin)
            });
            numbers.push(compared.unwrap_or(number));
        }
        let mut blocks = vec![Block::text(format!(
            "Up to {learnt} positions are known, k from 1 to {}; `{} %` of the set are kept for the test.",
            config.most,
            100.0 * config.test
        ))];
        for (place, lines) in (1..).zip(series.chunks(2)) {
            let chart = LineChart {
                caption: "Classes told by nearest neighbours, by their number".to_owned(),
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
