//! §2.5.4 at its own size, as far as it fits: accuracy by the size of the data and of the network.
//!
//! The positions are those of our own engine's games, made by the run itself and kept in the data directory. A network's
//! weights are kept there too, with its curve so far and by all that decides it but the length of its training, so that a
//! longer run goes on where a shorter one stopped.

use std::fs;
use std::path::PathBuf;

use outplay_core::Text;
use outplay_games::chess::dataset::{ClassBounds, GameExamples};
use outplay_runtime::WorkError;
use outplay_runtime::files::{make_folder, write_atomically};
use serde::{Deserialize, Serialize};

use super::networks::{KEEPING, TESTED};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale, fingerprint};
use outplay_arena::stats::Shares;
use outplay_lab::chess::data::own_set;
use outplay_lab::chess::learning::division::{DividedSet, Division, Labels, Part, Split};
use outplay_lab::chess::learning::network::ClassifierInput;
use outplay_lab::chess::learning::train::{ClassifierConfig, ClassifierTraining, LEARNT};
use outplay_report::{Block, LineChart, LineSeries, Number, Section};
use outplay_training::Training;

/// Networks of several widths on several numbers of positions.
pub(super) struct BySize;

#[derive(Serialize)]
pub(super) struct Config {
    /// Sets of games, with the seeds from 1 on.
    sets: u64,
    /// How the games of each are played.
    games: String,
    /// The share that is kept for the test, at the end of the last set.
    test: f64,
    /// How many of the test's positions are asked.
    asked: usize,
    conv: [usize; 2],
    rate: f64,
    batch: usize,
    /// After how many samples accuracies are measured again.
    every: u64,
    networks: Vec<SizedNetwork>,
}

/// A network on a part of the positions.
#[derive(Clone, Copy, Serialize)]
struct SizedNetwork {
    /// Neurons of each dense layer.
    width: usize,
    /// It learns from the first of so many equal parts of the training positions.
    part: usize,
    /// Positions that it is shown, each as often as it takes.
    samples: u64,
}

impl SizedNetwork {
    fn key(&self) -> String {
        let Self { width, part, samples } = self;
        format!("{width} neurons, 1/{part} of the positions, {samples} samples")
    }
}

/// A point of a training's curve.
#[derive(Clone, Serialize, Deserialize)]
struct CurvePoint {
    samples: u64,
    /// Right answers on learnt positions and their number.
    learnt: (u64, u64),
    /// The same on the test.
    test: (u64, u64),
}

/// What became of a network.
#[derive(Serialize, Deserialize)]
struct SizedResult {
    positions: usize,
    curve: Vec<CurvePoint>,
}

/// What all networks of a run share.
struct SizeStudy<'a> {
    config: &'a Config,
    conditions: &'a Conditions<'a>,
    training: Part,
    test: Part,
    /// What the positions are known by.
    data: String,
}

impl<'a> SizeStudy<'a> {
    fn new(config: &'a Config, conditions: &'a Conditions<'a>) -> Result<Self, WorkError> {
        let set = all_sets(config, conditions)?;
        let DividedSet { training, test, .. } = DividedSet::divide(&set, &division(config), 0)?;
        let data = outplay_lab::chess::learning::division::fingerprint(&set);
        Ok(Self { config, conditions, training, test: test.spread(config.asked), data })
    }

    /// A network before its first step.
    fn begin(&self, network: SizedNetwork) -> Result<ClassifierTraining, WorkError> {
        let Config { conv, rate, batch, .. } = *self.config;
        let training = self.training.stretch(0..self.training.positions.len() / network.part);
        let config = ClassifierConfig {
            sight: ClassifierInput::Document,
            conv,
            dense: vec![network.width; 3],
            drop: KEEPING,
            rate,
            batch,
            epochs: network.samples.div_ceil(training.positions.len().max(1) as u64) + 1,
            division: division(self.config),
        };
        // Accuracies are measured here, not after each epoch.
        let nothing = self.test.stretch(0..0);
        let divided = DividedSet { training, validation: nothing.clone(), test: nothing };
        ClassifierTraining::on(config, divided, self.data.clone(), self.conditions.seed_of("course"))
    }

    /// Trains a network to its end, from where an earlier run left it.
    fn train(&self, network: SizedNetwork) -> Result<SizedResult, WorkError> {
        let kept = KeptTraining(self.kept_path(network));
        let mut teaching = self.begin(network)?;
        let mut curve = kept.restore(&mut teaching).unwrap_or_default();
        let every = self.config.every;
        while teaching.samples() < network.samples {
            let next = (teaching.samples() / every + 1) * every;
            while teaching.samples() < next.min(network.samples) {
                teaching.step(self.conditions.watch)?;
                let part = format!("teaching {}", network.key());
                self.conditions.show(&part, teaching.samples(), network.samples, "samples");
            }
            curve.push(self.measure(&teaching));
            kept.write(&curve, &teaching)?;
        }
        // A longer run may have been here before.
        curve.truncate((network.samples / every) as usize);
        Ok(SizedResult { positions: teaching.divided().training.positions.len(), curve })
    }

    fn measure(&self, teaching: &ClassifierTraining) -> CurvePoint {
        let mut classifier = teaching.classifier();
        let mut right = |part: &Part| (classifier.confusion(part).right(), part.positions.len() as u64);
        let learnt = teaching.divided().training.spread(LEARNT);
        CurvePoint { samples: teaching.samples(), learnt: right(&learnt), test: right(&self.test) }
    }

    /// The file of a network, by all that decides it but the length of its training.
    fn kept_path(&self, network: SizedNetwork) -> PathBuf {
        let Config { conv, rate, batch, test, asked, every, .. } = self.config;
        let SizedNetwork { width, part, .. } = network;
        let seed = self.conditions.seed;
        let all =
            format!("{conv:?} {rate} {batch} {test} {asked} {every} {width} {part} {seed} {}", self.data);
        let name = format!("chessmate-2018-{width}-{part}-{:016x}.training", fingerprint(all.as_bytes()));
        self.conditions.store.path("networks").join(name)
    }
}

fn division(config: &Config) -> Division {
    let bounds = ClassBounds::default();
    Division { split: Split::Sequential, test: config.test, bounds, labels: Labels::White }
}

/// The games of all sets, made where they are missing.
fn all_sets(config: &Config, conditions: &Conditions<'_>) -> Result<Vec<GameExamples>, WorkError> {
    let mut games = Vec::new();
    for seed in 1..=config.sets {
        let name = format!("{:016x}-{seed}.set", fingerprint(config.games.as_bytes()));
        let path = conditions.store.path("sets").join("chess").join(name);
        games.extend(own_set(&config.games, seed, &path, conditions.threads, conditions.watch)?);
    }
    Ok(games)
}

/// The file in which a training is kept: a checksum, the length of the curve, the curve as JSON, the checkpoint.
struct KeptTraining(PathBuf);

impl KeptTraining {
    fn write(&self, curve: &[CurvePoint], teaching: &ClassifierTraining) -> Result<(), WorkError> {
        let curve = serde_json::to_vec(curve).expect("a curve is plain data");
        let content = [&(curve.len() as u64).to_le_bytes()[..], &curve, &teaching.checkpoint()].concat();
        if let Some(folder) = self.0.parent() {
            make_folder(folder)?;
        }
        Ok(write_atomically(&self.0, |writer| {
            writer.write_all(&fingerprint(&content).to_le_bytes())?;
            writer.write_all(&content)
        })?)
    }

    /// The curve so far, the training having gone back to its end; nothing if there is no whole file.
    fn restore(&self, teaching: &mut ClassifierTraining) -> Option<Vec<CurvePoint>> {
        let bytes = fs::read(&self.0).ok()?;
        let (checksum, content) = bytes.split_first_chunk()?;
        let (length, rest) = content.split_first_chunk()?;
        let (curve, checkpoint) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        if fingerprint(content) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let curve = serde_json::from_slice(curve).ok()?;
        teaching.restore(checkpoint).ok()?;
        Some(curve)
    }
}

impl SizedResult {
    /// The test, in percent, by samples.
    fn line(&self, name: String) -> LineSeries {
        let percent = |(right, of): (u64, u64)| 100.0 * right as f64 / of.max(1) as f64;
        let points = self.curve.iter().map(|point| (point.samples as f64 / 1e6, percent(point.test)));
        LineSeries { name, points: points.collect() }
    }

    /// Shares of right answers at the end: learnt positions, test.
    fn shares(&self) -> [Shares; 2] {
        let last = self.curve.last().map_or([(0, 1); 2], |point| [point.learnt, point.test]);
        last.map(|(right, of)| Shares::of(right, of.max(1)))
    }
}

fn chart(caption: &str, x_axis: &str, series: Vec<LineSeries>) -> LineChart {
    LineChart {
        caption: caption.to_owned(),
        x_axis: x_axis.to_owned(),
        y_axis: "% of test positions".to_owned(),
        series,
        ..LineChart::default()
    }
}

impl Experiment for BySize {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (sets, games, conv, asked, every) = match scale {
            Scale::Smoke => (2, "games=6,depth=1,plies=60", [4, 8], 200, 300),
            Scale::Desk => (2, "games=10000,depth=4", [32, 64], 10_000, 125_000),
            Scale::Full => (2, "games=10000,depth=4", [32, 64], 20_000, 500_000),
        };
        let network = |width, part, samples| SizedNetwork { width, part, samples };
        let networks = match scale {
            Scale::Smoke => vec![network(8, 1, 900), network(8, 4, 900), network(16, 1, 900)],
            Scale::Desk => {
                let small = [128, 512].into_iter().flat_map(|width| [64, 16, 4, 1].map(|part| (width, part)));
                let small = small.map(|(width, part)| network(width, part, DESK_SAMPLES));
                small.chain([network(2048, 1, DESK_SAMPLES)]).collect()
            }
            Scale::Full => {
                let parts = [(128, &[64, 16, 4, 1][..]), (512, &[64, 16, 4, 1]), (2048, &[1])];
                let of_width = |(width, parts): (usize, &[usize])| {
                    parts.iter().map(|&part| network(width, part, FULL_SAMPLES)).collect::<Vec<_>>()
                };
                parts.into_iter().flat_map(of_width).collect()
            }
        };
        let games = games.to_owned();
        Config { sets, games, test: 0.25, asked, conv, rate: 1e-4, batch: 256, every, networks }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let study = SizeStudy::new(config, conditions)?;
        for &network in &config.networks {
            recorder.once(&network.key(), || conditions.on_threads(|| study.train(network)))?;
        }
        recorder.once("data", || Ok((study.data.clone(), study.training.positions.len())))?;
        Ok(())
    }

    fn report(
        &self,
        config: &Config,
        records: &Records,
        published: &Published,
    ) -> Result<Section, WorkError> {
        #[derive(Deserialize)]
        struct PublishedSize {
            width: usize,
            training_accuracy: f64,
            test_accuracy: f64,
        }
        let document = published.of::<PublishedSize>("sizes")?;
        let (data, positions): (String, usize) = records.get("data")?;
        let (mut numbers, mut results) = (Vec::new(), Vec::new());
        for &network in &config.networks {
            let result: SizedResult = records.get(&network.key())?;
            let SizedNetwork { width, part, .. } = network;
            let name = format!("{width} neurons, {} positions", result.positions);
            let documents = document.as_ref().filter(|it| it.width == width && part == 1);
            let documents =
                documents.map_or([None; 2], |it| [it.training_accuracy, it.test_accuracy].map(Some));
            let names = [format!("{name}, learnt positions"), name];
            for ((name, shares), document) in names.into_iter().zip(result.shares()).zip(documents) {
                let number = Number::share(name, &shares);
                let margin = |percent: f64| 100.0 * shares.margin_to(percent / 100.0, TESTED);
                let compared = document.map(|percent| number.clone().against(percent, margin(percent)));
                numbers.push(compared.unwrap_or(number));
            }
            results.push((network, result));
        }
        let mut blocks = vec![Block::text(format!(
            "Set {data} of {} games of our own engine (`outplay data chess engine=own {}`, seeds 1 to {}): \
             {positions} positions to learn from, White's labels, the end of the set for the test, of which {} positions \
             are asked. Convolutions of {} and {} planes, three dense layers, 0.8 kept, rate {:e}, batches of {}.",
            config.sets,
            config.games.replace(',', " "),
            config.sets,
            config.asked,
            config.conv[0],
            config.conv[1],
            config.rate,
            config.batch
        ))];
        blocks.extend(figures(&results));
        blocks.push(Block::text("Classes told at the end, in %, of the test and of some learnt positions:"));
        blocks.push(Block::Table(Number::table(&numbers, Text::new("positions", "positions"))));
        Ok(Section { blocks, numbers })
    }
}

/// Samples of each network at the scale `desk`.
const DESK_SAMPLES: u64 = 1_500_000;
/// Samples of each network at the scale `full`: what two slow cores manage in some two hours, a hundredth of the document's 200
/// epochs of 3 million positions.
const FULL_SAMPLES: u64 = 6_000_000;

/// Accuracy by samples for each width, and by positions for each width that learnt from several numbers of them.
fn figures(results: &[(SizedNetwork, SizedResult)]) -> Vec<Block> {
    let whole = results.iter().filter(|(network, _)| network.part == 1);
    let by_samples = whole.map(|(network, result)| result.line(format!("{} neurons", network.width)));
    let by_samples = chart(
        "Classes told by networks that learn from all positions",
        "million samples",
        by_samples.collect(),
    );
    let mut widths: Vec<usize> = results.iter().map(|(network, _)| network.width).collect();
    widths.sort_unstable();
    widths.dedup();
    let by_positions = widths.into_iter().map(|width| {
        let of_width = results.iter().filter(|(network, _)| network.width == width);
        let mut points: Vec<(f64, f64)> = of_width
            .filter_map(|(_, result)| {
                let &(_, accuracy) = result.line(String::new()).points.last()?;
                Some(((result.positions as f64).log10(), accuracy))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        LineSeries { name: format!("{width} neurons"), points }
    });
    let by_positions = chart(
        "Classes told after as many samples, by the number of positions",
        "log₁₀ of the positions learnt from",
        by_positions.collect(),
    );
    let named = [by_samples, by_positions].into_iter().zip(1..);
    named.map(|(chart, place)| Block::Figure(chart.figure(format!("sizes-{place}")))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use outplay_lab::Store;
    use outplay_runtime::Watch;

    /// A network after so many samples, trained in the store at `data`.
    fn train(data: &Path, samples: u64) -> String {
        let (store, config) = (Store::at(data), Experiment::config(&BySize, Scale::Smoke));
        let (paper, artefact, scale) = ("chessmate-2018", "sizes", Scale::Smoke);
        let (seed, threads, watch) = (7, Some(1), Watch::nobody());
        let conditions = Conditions { paper, artefact, scale, seed, threads, store: &store, watch };
        let study = SizeStudy::new(&config, &conditions).unwrap();
        let result = study.train(SizedNetwork { width: 8, part: 1, samples }).unwrap();
        serde_json::to_string(&result).unwrap()
    }

    /// What a network becomes does not depend on how far earlier runs took it.
    #[test]
    fn a_longer_training_goes_on_from_a_shorter_one() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let short = train(one.path(), 300);
        let long = train(one.path(), 900);
        assert_ne!(short, long);
        assert_eq!(train(other.path(), 900), long);
        assert_eq!(train(other.path(), 300), short);
        for file in fs::read_dir(one.path().join("networks")).unwrap() {
            fs::write(file.unwrap().path(), "damaged").unwrap();
        }
        assert_eq!(train(one.path(), 300), short);
    }
}
