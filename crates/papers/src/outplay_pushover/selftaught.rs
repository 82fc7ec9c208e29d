//! What Müller wished for: a player that learnt without an expert, against the experts, their network and perfect play.

use outplay_core::Text;
use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_games::pushover::Pushover;
use outplay_games::pushover::solver::RepetitionRule;
use outplay_players::{ActionSelection, Ends, Minimax, Perfect, TerminalAwareness};
use rayon::prelude::*;
use serde::Serialize;

use super::super::mueller_1992::{LIMIT, Schooling, TrainedNetwork, expert, network};
use crate::artefact::{Conditions, Experiment, Published, Recorder, Records, Scale};
use outplay_arena::matches::{Contestant, MatchPlan};
use outplay_arena::stats::Shares;
use outplay_arena::stats::Tally;
use outplay_lab::learning::{LearntNetwork, NetworkTraining, TrainingConfig};
use outplay_lab::pushover::network::Encoding;
use outplay_lab::pushover::train::Winners;
use outplay_lab::pushover::{referee, solution};
use outplay_lab::registry::PlayerFactory;
use outplay_report::{BarChart, BarRow, Block, Number, Section};
use outplay_training::Training;

/// Self-taught networks in games.
pub(super) struct SelfTaught;

const OPPONENTS: [&str; 4] = ["e1", "e2", "r*2", "perfect"];

/// The search depths of a self-taught network.
const DEPTHS: [u32; 2] = [1, 2];

#[derive(Serialize)]
pub(super) struct Config {
    networks: u64,
    learning_games: u64,
    course: String,
    games: u64,
    random_plies: u32,
    schooling: Schooling,
}

/// The course of the network that comes with the program: `models/README.md`.
fn course(games: u64) -> TrainingConfig {
    let parameters =
        "hidden=80,deviation=0.1,lambda=0.7,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.05,ends=known";
    TrainingConfig::of_td_lambda::<Pushover<4>>(&format!("games={games},{parameters}")).expect("a course")
}

fn key(network: u64, depth: u32, opponent: &str) -> String {
    format!("network {network} at depth {depth} against {opponent}")
}

impl Experiment for SelfTaught {
    type Config = Config;

    fn config(&self, scale: Scale) -> Config {
        let (networks, learning_games, games) = match scale {
            Scale::Smoke => (2, 300, 6),
            Scale::Desk => (4, 100_000, 400),
            Scale::Full => (10, 400_000, 1000),
        };
        Config {
            networks,
            learning_games,
            course: course(learning_games).fingerprint_text(),
            games,
            random_plies: 4,
            schooling: Schooling::of(scale, Encoding::Cells, Winners::Any),
        }
    }

    fn run(
        &self,
        config: &Config,
        conditions: &Conditions<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), WorkError> {
        let numbers: Vec<u64> = (0..config.networks).collect();
        let keys = |number: u64| {
            DEPTHS.iter().flat_map(move |&depth| OPPONENTS.map(|opponent| key(number, depth, opponent)))
        };
        let missing: Vec<u64> =
            numbers.into_iter().filter(|&number| keys(number).any(|key| !recorder.has(&key))).collect();
        let files: Vec<Vec<u8>> = conditions
            .on_threads(|| missing.par_iter().map(|&number| learn(config, number, conditions)).collect())?;
        for (number, file) in missing.into_iter().zip(files) {
            for depth in DEPTHS {
                for opponent in OPPONENTS {
                    let key = key(number, depth, opponent);
                    recorder.once(&key, || {
                        play(
                            &key,
                            &file,
                            depth,
                            &opponent_of(opponent, number, config, conditions)?,
                            config,
                            conditions,
                        )
                    })?;
                }
            }
        }
        Ok(())
    }

    fn report(&self, config: &Config, records: &Records, _: &Published) -> Result<Section, WorkError> {
        let mut numbers = Vec::new();
        for depth in DEPTHS {
            for opponent in OPPONENTS {
                let tallies =
                    (0..config.networks).map(|number| records.get::<Tally>(&key(number, depth, opponent)));
                let tallies = tallies.collect::<Result<Vec<Tally>, WorkError>>()?;
                // A network's last half point is rounded up.
                let points = tallies.iter().map(|tally| (tally.points().round() as u64, tally.games()));
                let name = format!("depth {depth} against {opponent}");
                numbers.push(Number::share(name, &Shares::of_groups(points.collect())));
            }
        }
        Ok(section(config, numbers))
    }
}

fn learn(config: &Config, number: u64, conditions: &Conditions<'_>) -> Result<Vec<u8>, WorkError> {
    let seed = conditions.seed_of(&format!("self-taught {number}"));
    let mut training = NetworkTraining::new(&referee::<4>(LIMIT), course(config.learning_games), seed);
    training.learn(config.learning_games, conditions.watch)?;
    Ok(training.product())
}

/// The network at depth 1 is the player that follows it; deeper it judges the ends of a full search.
fn pupil(file: &[u8], depth: u32) -> Result<PlayerFactory<Pushover<4>>, WorkError> {
    let pupil = LearntNetwork::read(&Pushover::<4>::START, file, "the self-taught network")?;
    if depth == 1 {
        return Ok(pupil.factory(ActionSelection::BEST, Ends::Known));
    }
    let judge = pupil.evaluator();
    Ok(Arc::new(move || Box::new(Minimax::new(judge.clone(), depth, TerminalAwareness::Outcomes))))
}

fn opponent_of(
    name: &str,
    number: u64,
    config: &Config,
    conditions: &Conditions<'_>,
) -> Result<PlayerFactory<Pushover<4>>, WorkError> {
    Ok(match name {
        "e1" => expert(1),
        "e2" => expert(2),
        "perfect" => {
            let solution = solution(RepetitionRule::Forbidden, conditions.store, conditions.watch)?;
            Arc::new(move || Box::new(Perfect::new(Arc::clone(&solution))))
        }
        _ => {
            let trained = TrainedNetwork::get(&config.schooling, number, conditions)?;
            network(&trained.evaluator(&config.schooling)?, 2, TerminalAwareness::Outcomes)
        }
    })
}

fn play(
    key: &str,
    file: &[u8],
    depth: u32,
    opponent: &PlayerFactory<Pushover<4>>,
    config: &Config,
    conditions: &Conditions<'_>,
) -> Result<Tally, WorkError> {
    let pupil = pupil(file, depth)?;
    let contestants =
        [Contestant { name: "pupil", make: &*pupil }, Contestant { name: "other", make: &**opponent }];
    let plan = MatchPlan { games: config.games, random_plies: config.random_plies, ..MatchPlan::default() };
    Ok(conditions.play(key, &referee(LIMIT), &contestants, &plan)?.tally())
}

fn section(config: &Config, numbers: Vec<Number>) -> Section {
    let about = format!(
        "{} networks that taught themselves by {} games each (33–80–1, TD(λ), no expert, no data base; the course of \
         `models/pushover-selftaught.npz`). At depth 1 a network chooses among its own moves and looks no further; at depth 2 it \
         judges the positions two plies ahead, as e2 and r*2 do. Each meets the experts e1 and e2, a network r*2 that the expert \
         taught, and perfect play, in {} games, colours alternating, the first {} plies at random.",
        config.networks, config.learning_games, config.games, config.random_plies
    );
    let caption = "Points of self-taught networks, in % of all; whiskers are 95% intervals";
    let chart = BarChart {
        caption: caption.to_owned(),
        axis: "% of points".to_owned(),
        limit: 100.0,
        series: vec!["points".to_owned()],
        ghost: None,
        rows: numbers.iter().map(BarRow::from).collect(),
    };
    let figure = chart.figure("selftaught");
    let blocks = vec![
        Block::text(about),
        Block::text("Points made, in % (a draw is half a point):"),
        Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        Block::Figure(figure),
    ];
    Section { blocks, numbers }
}
