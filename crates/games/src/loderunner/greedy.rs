//! The player `greedy`: the shortest way to the nearest gold, and no thought of guards or of getting back.

use std::time::Duration;

use outplay_core::{Candidate, Player, Score, Seat, Thought, Turn, View};

use super::moment::{Fate, Moment};
use super::physics::{GuardMind, GuardStep, Physics, RunnerAction};
use super::view::LodeRunnerView;
use super::ways::Ways;

/// Guards that do nothing.
pub(super) struct Stillness;

impl GuardMind for Stillness {
    fn step(&mut self, _world: &Physics<'_>, _moment: &Moment, _guard: usize) -> GuardStep {
        GuardStep::Stay
    }

    fn rebirth(&mut self, _count: usize) -> usize {
        0
    }
}

/// The player `greedy`. It has no memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyRunner;

/// The legal actions with the length of the way to the nearest gold, or to the exit, after each; the shortest first.
fn ranked(view: &LodeRunnerView) -> Vec<(u16, RunnerAction)> {
    let (physics, moment) = (view.physics(), view.moment());
    let ways = Ways::at(&physics, moment, true);
    let lengths = if moment.gold.is_empty() {
        ways.lengths_to(view.terrain().spots().take_while(|&spot| view.terrain().is_top(spot)))
    } else {
        ways.lengths_to(moment.gold.iter())
    };
    let length = |action: RunnerAction| {
        let mut next = *moment;
        physics.turn(&mut next, action, &mut Stillness);
        let dug = match action {
            RunnerAction::DigLeft | RunnerAction::DigRight => {
                let brick = physics.dig_spot(moment.runner, action == RunnerAction::DigLeft);
                lengths[brick.index()].saturating_add(u16::from(physics.delays.dig) + 1)
            }
            _ => u16::MAX,
        };
        match next.fate {
            Fate::Won => 0,
            Fate::Caught | Fate::Buried => u16::MAX,
            // Beside an open hole, the way leads through it.
            Fate::Running => lengths[next.runner.index()].min(dug),
        }
    };
    let mut ranked: Vec<(u16, RunnerAction)> =
        view.moves().into_iter().map(|action| (length(action), action)).collect();
    ranked.sort_by_key(|(length, _)| *length);
    ranked
}

impl Player<LodeRunnerView> for GreedyRunner {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &LodeRunnerView, turn: &mut Turn<'_, RunnerAction>) -> RunnerAction {
        let ranked = ranked(view);
        let best = ranked[0].1;
        turn.show(|| {
            let candidate = |&(length, action): &(u16, RunnerAction)| {
                let score = Score::eval(-i32::from(length.min(1000)) * 10);
                Candidate::scored(action, score, f64::from(u8::from(action == best)), vec![action])
            };
            let candidates = ranked.iter().map(candidate).collect();
            Thought { candidates, depth: 1, nodes: ranked.len() as u64, elapsed: Duration::ZERO }
        });
        best
    }
}
