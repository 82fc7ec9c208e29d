//! The speeds of Lode Runner, for `outplay bench`. One thread.

use outplay_core::{Game, Rng, View};
use outplay_games::loderunner::planner::{plan, think};
use outplay_games::loderunner::{Delays, GuardRule, LevelPlan, LodeRunner, LodeRunnerView};
use outplay_runtime::WorkError;

use crate::bench::{Measurement, rate, seconds};

const ROWS: usize = 16;
const COLS: usize = 28;
/// Turns of a game that are played at random.
const TURNS: usize = 200;
/// Views that the planner is shown.
const VIEWS: usize = 100;

pub(super) fn measure() -> Result<Vec<Measurement>, WorkError> {
    let name = |what: &str| format!("loderunner {ROWS}×{COLS}: {what}");
    let levels = LevelPlan::new(ROWS, COLS, 5)?;
    let game = LodeRunner::generated(levels, Delays::default(), GuardRule::Any, TURNS);
    let views = sample_views(&game);
    let signature: u32 = views.iter().map(|view| think(view).nodes).sum();
    let planning = seconds(|_| views.iter().for_each(|view| drop(plan(view))));
    Ok(vec![
        Measurement::new(name("random actions"), random_turns(&game), "turns/s"),
        Measurement::new(name("planner"), planning * 1000.0 / views.len() as f64, "ms/turn"),
        Measurement::new(name("planner signature"), f64::from(signature), "nodes"),
    ])
}

/// Turns per second of the rules with their guards.
fn random_turns(game: &LodeRunner) -> f64 {
    let starts: Vec<_> = (0..8).map(|seed| game.start(&mut Rng::new(seed))).collect();
    rate(|run| {
        let (mut state, mut rng) = (starts[run % starts.len()].clone(), Rng::new(run as u64));
        while game.outcome(&state).is_none() {
            let action = rng.pick(&game.view(&state).moves());
            game.play(&mut state, action);
        }
        state.turns() as u64
    })
}

/// Views of games that the planner plays.
fn sample_views(game: &LodeRunner) -> Vec<LodeRunnerView> {
    let mut views = Vec::new();
    for seed in 0.. {
        let mut state = game.start(&mut Rng::new(seed));
        while game.outcome(&state).is_none() {
            views.push(game.view(&state).clone());
            if views.len() == VIEWS {
                return views;
            }
            let action = plan(game.view(&state))[0];
            game.play(&mut state, action);
        }
    }
    views
}
