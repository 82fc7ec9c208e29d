//! §3.3.2: reinforcement learning, which the document wishes for: a network that learns chess from its own games alone.

use std::sync::Arc;

use outplay_core::{Player, Referee, Text};
use outplay_games::chess::{Chess, MaterialEvaluator};
use outplay_players::{ActionSelection, AlphaBeta, Budget, Random};
use outplay_runtime::WorkError;
use serde::{Deserialize, Serialize};

use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::Interval;
use outplay_lab::learning::{NetworkTraining, TrainingConfig};
use outplay_lab::registry::PlayerFactory;
use outplay_report::{Block, LineChart, LineSeries, Number, Section};

/// TD(λ) on chess.
pub(super) struct SelfPlayChess;

#[derive(Serialize)]
pub(super) struct Config {
    method: String,
    /// Games between two measurements.
    every: u64,
    measurements: u64,
    /// Games of each measurement and opponent.
    games: u64,
    /// Games are drawn after so many plies.
    plies: u32,
    random_plies: u32,
}

/// A share of points with its interval.
#[derive(Serialize, Deserialize)]
struct Scored {
    score: f64,
    low: f64,
    high: f64,
    games: u64,
}

const OPPONENTS: [&str; 2] = ["random moves", "material, one ply ahead"];

fn opponents() -> [PlayerFactory<Chess>; 2] {
    let material = || AlphaBeta::new(MaterialEvaluator::default(), Budget::depth(1));
    [
        Arc::new(|| Box::new(Random) as Box<dyn Player<Chess>>),
        Arc::new(move || Box::new(material()) as Box<dyn Player<Chess>>),
    ]
}

fn record_of(games: u64) -> String {
    format!("after {games} games")
}

impl Config {
    fn referee(&self) -> Referee<Chess> {
        Referee { start: Chess::start(), repetitions: Some(3), max_plies: Some(self.plies) }
    }

    fn training(&self, seed: u64) -> Result<NetworkTraining<Chess>, WorkError> {
        let config = TrainingConfig::of_td_lambda::<Chess>(&self.method)?;
        let learning = Referee { repetitions: None, ..self.referee() };
        Ok(NetworkTraining::new(&learning, config, seed))
    }

    fn measure(
        &self,
        learnt: &PlayerFactory<Chess>,
        games: u64,
        conditions: &Conditions<'_>,
    ) -> Result<Vec<Scored>, WorkError> {
        let mut scores = Vec::new();
        for (name, opponent) in OPPONENTS.iter().zip(opponents()) {
            let contestants = [
                Contestant { name: "network", make: &**learnt },
                Contestant { name: "opponent", make: &*opponent },
            ];
            let plan =
                MatchPlan { games: self.games, random_plies: self.random_plies, ..MatchPlan::default() };
            let part = format!("{}, against {name}", record_of(games));
            let standing = conditions.play(&part, &self.referee(), &contestants, &plan)?;
            let estimate = standing.estimate().expect("games were played");
            let Interval { low, high } = estimate.score_interval();
            scores.push(Scored { score: estimate.score(), low, high, games: standing.tally().games() });
        }
        Ok(scores)
    }
}

impl Experiment for SelfPlayChess {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (every, measurements, games) = match scale {
            Scale::Smoke => (3, 2, 4),
            Scale::Desk => (1000, 10, 200),
            Scale::Full => (10_000, 20, 1000),
        };
        let total = every * measurements;
        let method = format!(
            "games={total},hidden=40,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.05,lambda=0.7,ends=known,deviation=0.1"
        );
        Config { method, every, measurements, games, plies: 200, random_plies: 4 }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let mut training = config.training(conditions.seed_of("self-play"))?;
        for measurement in 1..=config.measurements {
            let games = measurement * config.every;
            // A measurement that is recorded needs no play; the games before the next one are learnt from again.
            recorder.once(&record_of(games), || {
                while training.games() < games {
                    training.learn(STEP.min(games - training.games()), conditions.watch)?;
                    let total = config.every * config.measurements;
                    conditions.show("learning", training.games(), total, "games");
                }
                config.measure(&training.players(ActionSelection::BEST), games, conditions)
            })?;
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut lines = OPPONENTS.map(|name| LineSeries { name: name.to_owned(), points: Vec::new() });
        let mut numbers = Vec::new();
        for measurement in 1..=config.measurements {
            let games = measurement * config.every;
            let scores: Vec<Scored> = records.get(&record_of(games))?;
            for ((line, scored), name) in lines.iter_mut().zip(&scores).zip(OPPONENTS) {
                line.points.push((games as f64, 100.0 * scored.score));
                let interval = Interval { low: scored.low, high: scored.high };
                let name = format!("{games} games, against {name}");
                numbers.push(Number::percent(name, scored.score, interval, 1, scored.games));
            }
        }
        let chart = LineChart {
            caption: "Points of a network that has learnt from its own games".to_owned(),
            x_axis: "games learnt from".to_owned(),
            y_axis: "% of points".to_owned(),
            series: lines.into(),
            ..LineChart::default()
        };
        let blocks = vec![
            Block::text(format!(
                "`outplay train chess:plies={} td-lambda {}`: no engine's score and no game of others is used. The network \
                 judges each move by itself, one ply ahead; {} games against each opponent, colours swapped, from {} random \
                 plies.",
                config.plies,
                config.method.replace(',', " "),
                config.games,
                config.random_plies
            )),
            Block::Figure(chart.figure("self-play-1".to_owned())),
            Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        ];
        Ok(Section { blocks, numbers })
    }
}

/// Games learnt from before progress is shown.
const STEP: u64 = 20;
