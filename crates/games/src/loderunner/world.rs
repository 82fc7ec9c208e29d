//! One world that may be: a view with guards that follow a known policy. Its future can be simulated, so searches that look
//! ahead can be used on samples of worlds. The referee's own policy is not in it.

use std::ops::ControlFlow;

use outplay_core::{Evaluator, Outcome, Position, Rng, Score, Seat, View, mix64};

use super::moment::Fate;
use super::physics::RunnerAction;
use super::policies::{GuardPolicy, PolicyMind};
use super::view::LodeRunnerView;
use super::ways::{NO_WAY, Ways};

/// A view with guards that follow a sampled policy.
#[derive(Clone, Debug)]
pub struct SampledWorld {
    view: LodeRunnerView,
    mind: PolicyMind,
    /// The past of the sampled guards' generator: worlds are equal if their views and draws are.
    turns: u32,
    seed: u64,
}

impl SampledWorld {
    /// The view with guards that follow this policy and draw from this seed.
    pub fn new(view: LodeRunnerView, policy: GuardPolicy, seed: u64) -> Self {
        Self { view, mind: PolicyMind::new(policy, Rng::new(seed)), turns: 0, seed }
    }
}

impl PartialEq for SampledWorld {
    fn eq(&self, other: &Self) -> bool {
        (self.turns, self.seed, &self.view) == (other.turns, other.seed, &other.view)
    }
}

impl Eq for SampledWorld {}

impl std::hash::Hash for SampledWorld {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.turns, self.seed, &self.view).hash(state);
    }
}

impl View for SampledWorld {
    type Move = RunnerAction;
    const SLOTS: usize = RunnerAction::ALL.len();

    fn slot(mv: RunnerAction) -> usize {
        mv as usize
    }

    fn seat(&self) -> Seat {
        Seat::First
    }

    fn each_move<B>(&self, visit: impl FnMut(RunnerAction) -> ControlFlow<B>) -> ControlFlow<B> {
        self.view.each_move(visit)
    }
}

impl Position for SampledWorld {
    fn play(&mut self, mv: RunnerAction) {
        self.turns += 1;
        let rng = Rng::stream(self.seed, u64::from(self.turns));
        self.mind = PolicyMind::new(self.mind.policy(), rng);
        self.view.turn(mv, &mut self.mind);
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.view.moment().fate {
            Fate::Running => None,
            Fate::Won => Some(Outcome::Win(Seat::First)),
            Fate::Caught | Fate::Buried => Some(Outcome::Win(Seat::Second)),
        }
    }

    fn key(&self) -> u64 {
        mix64(self.view.key() ^ mix64(self.seed ^ u64::from(self.turns)))
    }
}

/// How near the runner is to its next gold, and how much is left: what a playout that is cut is worth.
#[derive(Clone, Debug, Default)]
pub struct WayEvaluator {
    /// The gold that the lengths lead to, and they.
    known: Option<(super::terrain::SpotSet, Vec<u16>)>,
}

impl WayEvaluator {
    fn length(&mut self, world: &SampledWorld) -> u16 {
        let (view, moment) = (&world.view, world.view.moment());
        if self.known.as_ref().is_none_or(|(gold, _)| *gold != moment.gold) {
            let ways = Ways::at(&view.physics(), moment, true);
            let terrain = view.terrain();
            let lengths = if moment.gold.is_empty() {
                ways.lengths_to(terrain.spots().take_while(|&spot| terrain.is_top(spot)))
            } else {
                ways.lengths_to(moment.gold.iter())
            };
            self.known = Some((moment.gold, lengths));
        }
        self.known.as_ref().map_or(NO_WAY, |(_, lengths)| lengths[moment.runner.index()])
    }
}

impl Evaluator<SampledWorld> for WayEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, world: &SampledWorld) -> Score {
        let left = world.view.moment().gold_left() as i32;
        let length = i32::from(self.length(world).min(200));
        Score::eval(1500 - 250 * left - 12 * length)
    }
}
