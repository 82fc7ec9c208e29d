//! §3.2.2, §3.2.5: the time of an evaluation and of a move, and the number of simulations in a given time.
//!
//! This is the only artefact whose records are times. They depend on the machine and its load, so nothing is compared by
//! its interval: each number stands beside the document's, with the ratio of the two.

use outplay_runtime::WorkError;
use std::time::Duration;

use outplay_core::{Evaluator, Player, Rng, Seat, Turn};
use outplay_games::chess::dataset::ClassBounds;
use outplay_games::chess::{Chess, ClassicEvaluator, MaterialEvaluator};
use outplay_players::{AlphaBeta, Budget, Mcts, Playout};
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::stats::Interval;
use outplay_lab::bench::{sample_positions, times};
use outplay_lab::chess::learning::CachedJudge;
use outplay_lab::chess::learning::division::{DividedSet, Division, Labels, first_shipped};
use outplay_lab::chess::learning::neighbours::{KnownExamples, Sees};
use outplay_lab::chess::learning::network::Classifier;
use outplay_report::{Block, Number, ReportCell, ReportTable, Section, english};

/// The times.
pub(super) struct Times;

#[derive(Serialize)]
pub(super) struct Config {
    /// Positions that are evaluated, one by one.
    judgements: u64,
    /// How often each move is searched.
    runs: usize,
    /// Seconds of each tree search.
    searches: Vec<f64>,
    /// Neighbours that vote.
    k: usize,
    /// Games of the set that they come from, at most.
    games: usize,
    /// The greatest depth of a move.
    deepest: u32,
}

/// Seconds: the least of several runs, and the median.
#[derive(Serialize, Deserialize)]
struct MeasuredTime {
    least: f64,
    median: f64,
    runs: u64,
}

/// The published times, in seconds.
#[derive(Deserialize)]
struct PublishedTimes {
    evaluation: SecondsByEvaluator,
    first_move: SecondsByEvaluator,
    after_four_moves: f64,
    simulations: Vec<PublishedSimulations>,
}

#[derive(Clone, Copy, Deserialize)]
struct SecondsByEvaluator {
    material: f64,
    net: f64,
    knn: f64,
}

/// The simulations that the document made in a number of seconds.
#[derive(Deserialize)]
struct PublishedSimulations {
    seconds: f64,
    simulations: f64,
}

/// The published number for an evaluator.
type Theirs = fn(SecondsByEvaluator) -> f64;

/// The evaluators by name, each with the most similar one of the document.
const JUDGES: [(&str, Option<Theirs>); 5] = [
    ("material", Some(|document| document.material)),
    ("net", Some(|document| document.net)),
    ("knn, the document's numbers", Some(|document| document.knn)),
    ("knn", Some(|document| document.knn)),
    ("classic", None),
];

/// The positions in which moves are searched. The document does not say which four moves were played.
const PLACES: [(&str, &str); 3] = [
    ("first move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("after four moves", "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5"),
    ("in the middle", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
];

/// The depth of the document's moves.
const DEEPEST: u32 = 3;

impl Experiment for Times {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (judgements, runs, searches, games, deepest) = match scale {
            Scale::Smoke => (20, 1, vec![0.02, 0.1], 10, 1),
            Scale::Desk => (2000, 5, vec![20.0, 100.0], 1_000_000, DEEPEST),
            Scale::Full => (20_000, 15, vec![20.0, 100.0], 1_000_000, DEEPEST),
        };
        Config { judgements, runs, searches, k: 9, games, deepest }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let set = &first_shipped(config.games)?;
        let lessons =
            DividedSet::divide(set, &Division::nothing_kept(ClassBounds::default(), Labels::Mover), 0)?;
        let near = |sees| CachedJudge::new(KnownExamples::new(&lessons.training, sees, config.k));
        let mut timing = Timing { config, conditions, recorder };
        timing.judge(JUDGES[0].0, &MaterialEvaluator::default())?;
        timing.judge(JUDGES[1].0, &CachedJudge::new(Classifier::shipped()?))?;
        timing.judge(JUDGES[2].0, &near(Sees::Document))?;
        timing.judge(JUDGES[3].0, &near(Sees::Oriented))?;
        timing.judge(JUDGES[4].0, &ClassicEvaluator::default())?;
        for &seconds in &config.searches {
            recorder.once(&searched(seconds), || {
                conditions.show("a tree search", 0, 1, "searches");
                Ok(simulations(seconds))
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
        let document = published.of::<PublishedTimes>("times")?;
        let document = document.as_ref();
        let mut numbers = Vec::new();
        let mut blocks = vec![Block::text(
            "Seconds on the clock of the machine that ran it, one thread; the least of several runs, because other work can only \
             add, and the median. The document's are those of a MacBook Air with a Core i5 of 1.6 GHz, in Python; its move is the \
             making of the whole tree and the pass through it. The players here have the room of their tables already, as they have \
             from the second move of a game on.",
        )];
        blocks.push(Block::text(format!("One judgement, {} positions each:", config.judgements)));
        let mut rows = Vec::new();
        for (judge, theirs) in JUDGES {
            let theirs = theirs.zip(document).map(|(theirs, document)| theirs(document.evaluation));
            rows.push(row(records, &judged(judge), judge.to_owned(), theirs, &mut numbers)?);
        }
        blocks.push(Block::Table(table(rows)));
        blocks.push(Block::text(format!("A move by alpha-beta, {} runs each:", config.runs)));
        let mut rows = Vec::new();
        for (judge, theirs) in JUDGES {
            for (place, _) in PLACES {
                for depth in 1..=config.deepest {
                    let theirs = theirs.zip(document).filter(|_| depth == DEEPEST).and_then(
                        |(theirs, document)| match (place, judge) {
                            ("first move", _) => Some(theirs(document.first_move)),
                            ("after four moves", "material") => Some(document.after_four_moves),
                            _ => None,
                        },
                    );
                    let name = format!("{judge}, {place}, depth {depth}");
                    rows.push(row(records, &moved(judge, place, depth), name, theirs, &mut numbers)?);
                }
            }
        }
        blocks.push(Block::Table(table(rows)));
        blocks.push(Block::text(
            "Simulations of Monte-Carlo tree search from the start, playouts cut after 30 plies and judged by material, one tree:",
        ));
        blocks.push(Block::Table(searches(config, records, document, &mut numbers)?));
        Ok(Section { blocks, numbers })
    }
}

fn judged(judge: &str) -> String {
    format!("judgement by {judge}")
}

fn moved(judge: &str, place: &str, depth: u32) -> String {
    format!("{place} by {judge}, depth {depth}")
}

fn searched(seconds: f64) -> String {
    format!("simulations in {seconds} s")
}

/// What is timed, and where it is recorded.
struct Timing<'a, 'r, 's> {
    config: &'a Config,
    conditions: &'a Conditions<'a>,
    recorder: &'r mut Recorder<'s>,
}

impl Timing<'_, '_, '_> {
    /// Times an evaluator alone, and moves of a search with it.
    fn judge<E: Evaluator<Chess> + Clone>(&mut self, name: &str, judge: &E) -> Result<(), WorkError> {
        let Config { judgements, runs, deepest, .. } = *self.config;
        self.conditions.show(name, 0, 1, "judges");
        self.recorder.once(&judged(name), || {
            // Some evaluators cache, so every position is new to them.
            let positions = sample_positions(&Chess::start(), judgements, 30);
            let mut asked = judge.clone();
            Ok(taken(positions.len(), |run| {
                std::hint::black_box(asked.score(&positions[run]));
            }))
        })?;
        for (place, fen) in PLACES {
            let position: Chess = Chess::from_fen(fen)?;
            for depth in 1..=deepest {
                self.recorder.once(&moved(name, place, depth), || {
                    let mut players: Vec<_> =
                        (0..runs).map(|_| warmed_up_player(judge.clone(), depth)).collect();
                    Ok(taken(runs, |run| {
                        players[run].choose(&position, &mut Turn::new(&mut Rng::new(1)));
                    }))
                })?;
            }
        }
        Ok(())
    }
}

/// A player whose table is allocated, as in a game from the second move on, but holds nothing of the timed positions.
fn warmed_up_player<E: Evaluator<Chess>>(judge: E, depth: u32) -> AlphaBeta<Chess, E> {
    let elsewhere = Chess::from_fen("8/8/8/3k4/8/8/4R3/3K4 w - - 0 1").expect("a position");
    let mut player = AlphaBeta::new(judge, Budget::depth(depth));
    player.choose(&elsewhere, &mut Turn::new(&mut Rng::new(1)));
    player.new_game(Seat::First);
    player
}

/// How long each of several runs takes.
fn taken(runs: usize, work: impl FnMut(usize)) -> MeasuredTime {
    let times = times(runs, work);
    MeasuredTime { least: times[0], median: times[runs / 2], runs: runs as u64 }
}

/// How many simulations from the start fit into this time.
fn simulations(seconds: f64) -> u64 {
    let budget = Budget::time(Duration::from_secs_f64(seconds));
    let mut player = Mcts::new(MaterialEvaluator::default(), budget).with_playout(Playout::RANDOM.cut(30));
    let mut made = 0;
    let mut watch = |thought: outplay_core::Thought<_>| made = thought.nodes;
    player.choose(&Chess::start(), &mut Turn::new(&mut Rng::new(1)).watched(&mut watch));
    made
}

fn row(
    records: &Records,
    key: &str,
    name: String,
    theirs: Option<f64>,
    numbers: &mut Vec<Number>,
) -> Result<Vec<ReportCell>, WorkError> {
    let MeasuredTime { least, median, runs } = records.get(key)?;
    let interval = Interval { low: least, high: median };
    numbers.push(Number::new(key, "s", least, interval, runs).digits(7));
    let [theirs, faster] = match theirs {
        Some(theirs) => [readable(theirs), format!("{:.0} times", theirs / least)],
        None => Default::default(),
    };
    Ok([name, readable(least), readable(median), theirs, faster].map(ReportCell::from).to_vec())
}

fn table(rows: Vec<Vec<ReportCell>>) -> ReportTable {
    let head = ["", "ours, least", "ours, median", "the document's", "as fast"].map(str::to_owned).to_vec();
    ReportTable { left: 1, head: english(head), rows }
}

fn searches(
    config: &Config,
    records: &Records,
    document: Option<&PublishedTimes>,
    numbers: &mut Vec<Number>,
) -> Result<ReportTable, WorkError> {
    let mut rows = Vec::new();
    for &seconds in &config.searches {
        let made: u64 = records.get(&searched(seconds))?;
        let ours = made as f64;
        let alone = Interval { low: ours, high: ours };
        numbers.push(Number::new(searched(seconds), "simulations", ours, alone, 1).digits(0));
        let theirs = document.and_then(|document| {
            document
                .simulations
                .iter()
                .find(|theirs| theirs.seconds == seconds)
                .map(|theirs| theirs.simulations)
        });
        let [theirs, more] = match theirs {
            Some(theirs) => [theirs.to_string(), format!("{:.0} times", ours / theirs)],
            None => Default::default(),
        };
        rows.push([format!("{seconds} s"), made.to_string(), theirs, more].map(ReportCell::from).to_vec());
    }
    let head = ["", "ours", "the document's", "as many"].map(str::to_owned).to_vec();
    Ok(ReportTable { left: 1, head: english(head), rows })
}

/// A time in a readable unit.
fn readable(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", 1e9 * s),
        s if s < 1e-3 => format!("{:.3} µs", 1e6 * s),
        s if s < 1.0 => format!("{:.2} ms", 1e3 * s),
        s => format!("{s:.2} s"),
    }
}
