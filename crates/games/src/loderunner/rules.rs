//! The referee: where games begin, which policy the guards follow, and when time is up.
//!
//! Invariant: a game is determined by its seed and its moves. Only [`LodeRunnerState`] knows the guards' policy.

use std::sync::Arc;

use outplay_core::{Game, Outcome, Rng, Seat};

use super::generator::LevelPlan;
use super::moment::{Delays, Fate};
use super::physics::RunnerAction;
use super::policies::{GuardPolicy, PolicyMind};
use super::view::LodeRunnerView;

/// Where the levels of a game come from.
#[derive(Clone, Debug)]
pub enum LevelSource {
    /// This one.
    Fixed(Box<LodeRunnerView>),
    /// Each game has a new one.
    Generated(LevelPlan),
}

/// What the referee lets guards do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GuardRule {
    /// They follow this policy.
    Policy(GuardPolicy),
    /// They follow a policy that is drawn for each game.
    Any,
    /// There are none.
    Absent,
}

/// The referee of Lode Runner.
///
/// ```
/// use outplay_core::{Game, Outcome, Rng, Seat};
/// use outplay_games::loderunner::{Delays, GuardRule, LodeRunner, RunnerAction, read_level};
///
/// let level = read_level("H...\nHMG.\nbbbb", Delays::default()).unwrap();
/// let game = LodeRunner::on(level, GuardRule::Absent, 100);
/// let mut state = game.start(&mut Rng::new(1));
/// for action in [RunnerAction::Right, RunnerAction::Left, RunnerAction::Left, RunnerAction::Up] {
///     game.play(&mut state, action);
/// }
/// assert_eq!(game.outcome(&state), Some(Outcome::Win(Seat::First)));
/// ```
#[derive(Clone, Debug)]
pub struct LodeRunner {
    levels: LevelSource,
    guards: GuardRule,
    turns: usize,
    delays: Delays,
    shows_plan: bool,
}

/// A game in progress: what the player sees, and the guards' hidden policy.
#[derive(Clone, Debug)]
pub struct LodeRunnerState {
    seen: LodeRunnerView,
    mind: PolicyMind,
    past: Vec<u64>,
}

impl LodeRunnerState {
    /// A game that continues from a view, with guards that follow this mind.
    pub fn set_up(seen: LodeRunnerView, mind: PolicyMind) -> Self {
        Self { seen, mind, past: Vec::new() }
    }

    /// What the player sees.
    pub const fn seen(&self) -> &LodeRunnerView {
        &self.seen
    }

    /// What the guards follow: for the referee and for after the game.
    pub const fn policy(&self) -> GuardPolicy {
        self.mind.policy()
    }

    /// How many turns have been played.
    pub const fn turns(&self) -> usize {
        self.past.len()
    }
}

impl LodeRunner {
    /// A game on this level that is lost after `turns` turns.
    pub fn on(level: LodeRunnerView, guards: GuardRule, turns: usize) -> Self {
        let delays = level.delays();
        Self { levels: LevelSource::Fixed(Box::new(level)), guards, turns, delays, shows_plan: false }
    }

    /// A game on generated levels, a new one each time.
    pub fn generated(plan: LevelPlan, delays: Delays, guards: GuardRule, turns: usize) -> Self {
        Self { levels: LevelSource::Generated(plan), guards, turns, delays, shows_plan: false }
    }

    /// The same game, drawn with the plan of the player `planner` on the board.
    #[must_use]
    pub const fn showing_plan(mut self) -> Self {
        self.shows_plan = true;
        self
    }

    pub(super) const fn shows_plan(&self) -> bool {
        self.shows_plan
    }

    /// The same game on this level.
    #[must_use]
    pub fn like(&self, level: LodeRunnerView) -> Self {
        Self { shows_plan: self.shows_plan, ..Self::on(level, self.guards, self.turns) }
    }

    /// The rows and columns of its levels.
    pub(super) fn size(&self) -> (usize, usize) {
        match &self.levels {
            LevelSource::Fixed(level) => (level.terrain().rows(), level.terrain().cols()),
            LevelSource::Generated(plan) => plan.size(),
        }
    }

    /// The delays of the rules.
    pub const fn delays(&self) -> Delays {
        self.delays
    }

    /// What guards are allowed.
    pub const fn guards(&self) -> GuardRule {
        self.guards
    }

    /// The game is lost after this many turns.
    pub const fn turn_limit(&self) -> usize {
        self.turns
    }

    /// A game that continues from a view, by this referee's rules.
    pub(super) fn set_up(&self, seen: LodeRunnerView, rng: &mut Rng) -> LodeRunnerState {
        let policy = match self.guards {
            GuardRule::Policy(policy) => policy,
            GuardRule::Any | GuardRule::Absent => rng.pick(&GuardPolicy::ALL),
        };
        LodeRunnerState::set_up(seen, PolicyMind::new(policy, Rng::new(rng.seed())))
    }
}

impl Game for LodeRunner {
    type State = LodeRunnerState;
    type View = LodeRunnerView;

    fn start(&self, rng: &mut Rng) -> LodeRunnerState {
        let level = match &self.levels {
            LevelSource::Fixed(level) => LodeRunnerView::clone(level),
            LevelSource::Generated(plan) => plan.generate(self.delays, rng.seed()),
        };
        let level = if self.guards == GuardRule::Absent { without_guards(&level) } else { level };
        self.set_up(level, rng)
    }

    fn view<'s>(&self, state: &'s LodeRunnerState) -> &'s LodeRunnerView {
        &state.seen
    }

    fn play(&self, state: &mut LodeRunnerState, mv: RunnerAction) {
        debug_assert!(outplay_core::View::is_legal(&state.seen, mv), "{mv:?}");
        state.past.push(state.seen.key());
        state.seen.turn(mv, &mut state.mind);
    }

    fn outcome(&self, state: &LodeRunnerState) -> Option<Outcome> {
        match state.seen.moment().fate {
            Fate::Won => Some(Outcome::Win(Seat::First)),
            Fate::Caught | Fate::Buried => Some(Outcome::Win(Seat::Second)),
            Fate::Running => (state.past.len() >= self.turns).then_some(Outcome::Win(Seat::Second)),
        }
    }

    fn past<'s>(&self, state: &'s LodeRunnerState) -> &'s [u64] {
        &state.past
    }

    fn seats(&self) -> usize {
        1
    }
}

/// The same level without its guards.
pub fn without_guards(level: &LodeRunnerView) -> LodeRunnerView {
    let mut moment = *level.moment();
    moment.remove_guards();
    LodeRunnerView::new(Arc::clone(level.terrain()), level.delays(), moment)
}
