//! The player `planner`: a function of the view alone.
//!
//! Each turn it plans anew: which gold may be taken next without getting stuck, then the cheapest way to it through the exact
//! game with guards that follow a model, where being within a guard's reach costs turns.

use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn, View, mix64};

use super::danger::ModelMind;
use super::goal::Goal;
use super::greedy::Stillness;
use super::moment::Fate;
use super::physics::RunnerAction;
use super::policies::GuardPolicy;
use super::search::{BestFirst, DEAD_END, RunnerPlan, cost_of};
use super::terrain::Spot;
use super::view::LodeRunnerView;

/// Moments that are looked at in a turn, at most.
pub const TURN_NODES: u32 = 18_000;
/// Moments that are looked at if there are no guards, at most.
const LONE_NODES: u32 = 8000;
/// Moments that the search under one model looks at, at most.
const MOST_NODES: u32 = 2000;
/// Moments that are looked at to find the cost of one action under one model, at most.
const COMPARED_NODES: u32 = 500;
/// What the death of the runner costs under a model, in turns.
const DEATH_COST: u32 = 12_000;
/// Of actions that cost more, all are tried.
const DANGEROUS: u32 = 4 * DEAD_END;
/// What a way that goes on counts for at most, in turns.
const MAX_COST: u32 = 400;
/// In one of so many views, by their hash, the runner is bold: else it might wait for ever for guards that do not come.
const BOLD_VIEWS: u64 = 4;
/// What an action costs a bold runner more if it does not lead nearer to the goal, in turns.
const HESITATION_COST: u32 = 40;
/// Guards that come the shortest way, guards of the classic chase, guards that wait for the runner, and guards that stay.
const MODELS: [GuardPolicy; 4] =
    [GuardPolicy::Shortest, GuardPolicy::Chase, GuardPolicy::Lazy, GuardPolicy::Random];

/// What the planner thinks of in a turn.
pub struct PlannedTurn {
    /// The next actions, the first of which is played.
    pub line: Vec<RunnerAction>,
    /// Moments that were looked at.
    pub nodes: u32,
}

/// Plans the next actions on this level, the next one first.
pub fn plan(view: &LodeRunnerView) -> Vec<RunnerAction> {
    think(view).line
}

/// Plans the next actions on this level.
pub fn think(view: &LodeRunnerView) -> PlannedTurn {
    let mut search = BestFirst::new(TURN_NODES);
    let line = line(view, &mut search);
    PlannedTurn { line, nodes: TURN_NODES - search.left }
}

fn line(view: &LodeRunnerView, search: &mut BestFirst) -> Vec<RunnerAction> {
    let (physics, moment) = (view.physics(), view.moment());
    if !physics.can_act(moment) {
        return vec![RunnerAction::Wait];
    }
    let goal = Goal::at(&physics, moment);
    let mut mind = ModelMind::new(GuardPolicy::Random, moment);
    if moment.guards().is_empty() {
        let plan = search.run(&physics, moment, &goal, &mut mind, LONE_NODES);
        return plan.map_or_else(|| vec![RunnerAction::Wait], |plan| plan.actions);
    }
    let mut plans: Vec<RunnerPlan> = Vec::with_capacity(MODELS.len());
    let mut is_agreed = true;
    for policy in MODELS {
        mind.policy = policy;
        let plan = search.run(&physics, moment, &goal, &mut mind, MOST_NODES);
        is_agreed &= plan.as_ref().is_some_and(|plan| plan.cost < DEAD_END);
        let is_known = |plan: &RunnerPlan| plans.iter().any(|known| known.actions[0] == plan.actions[0]);
        plans.extend(plan.filter(|plan| !is_known(plan)));
    }
    let is_bold = view.key().is_multiple_of(BOLD_VIEWS);
    let leads_nearer = |plan: &RunnerPlan| goal.is_nearer_after(&physics, moment, plan.actions[0]);
    if plans.len() == 1 && is_agreed && (!is_bold || leads_nearer(&plans[0])) {
        return plans.swap_remove(0).actions;
    }
    Comparison { view, goal: &goal, search, mind, weights: leg_key(view), is_bold }.best(plans)
}

/// The actions of a turn under every model.
struct Comparison<'a> {
    view: &'a LodeRunnerView,
    goal: &'a Goal,
    search: &'a mut BestFirst,
    mind: ModelMind,
    /// The models weigh as the bytes of this number say.
    weights: u64,
    /// Whether actions that do not lead nearer to the goal cost more.
    is_bold: bool,
}

impl Comparison<'_> {
    /// The plan whose first action is cheapest under all models together; if each of them may be the runner's death, the cheapest
    /// action of all.
    fn best(mut self, plans: Vec<RunnerPlan>) -> Vec<RunnerAction> {
        let mut lines: Vec<Vec<RunnerAction>> = plans.into_iter().map(|plan| plan.actions).collect();
        if self.is_bold {
            let (physics, moment, goal) = (self.view.physics(), self.view.moment(), self.goal);
            let is_nearer = |action: &RunnerAction| goal.is_nearer_after(&physics, moment, *action);
            let is_new = |action: &RunnerAction| lines.iter().all(|line| line[0] != *action);
            let bold: Vec<RunnerAction> =
                self.view.moves().into_iter().filter(is_new).filter(is_nearer).collect();
            lines.extend(bold.into_iter().map(|action| vec![action]));
        }
        let mut costs: Vec<u32> = lines.iter().map(|line| self.cost(line[0])).collect();
        if costs.iter().all(|&cost| cost >= DANGEROUS) {
            for action in self.view.moves() {
                if lines.iter().all(|line| line[0] != action) {
                    lines.push(vec![action]);
                    costs.push(self.cost(action));
                }
            }
        }
        let best = (0..lines.len()).min_by_key(|&place| costs[place]);
        best.map_or_else(|| vec![RunnerAction::Wait], |place| lines.swap_remove(place))
    }

    /// What an action costs under all models together.
    fn cost(&mut self, action: RunnerAction) -> u32 {
        let (physics, moment) = (self.view.physics(), self.view.moment());
        let hesitates = self.is_bold && !self.goal.is_nearer_after(&physics, moment, action);
        let hesitation = if hesitates { HESITATION_COST } else { 0 };
        let mut sum = 0;
        for (number, policy) in MODELS.into_iter().enumerate() {
            self.mind.policy = policy;
            let weight = 1 + (self.weights >> (8 * number)) as u32 % 4;
            let cost =
                cost_of(self.search, &physics, moment, action, self.goal, &mut self.mind, COMPARED_NODES);
            sum += match cost {
                // What could not be looked into may be anything.
                None if self.search.left == 0 => weight * MAX_COST,
                Some(cost) if cost < DEAD_END => weight * (cost.min(MAX_COST) + hesitation),
                Some(cost) => 4 * cost,
                None => DEATH_COST,
            };
        }
        sum
    }
}

/// A hash of what changes rarely. The models are weighed by it, so that the runner does not change its mind from turn to turn,
/// but does when a guard takes gold or changes floors.
fn leg_key(view: &LodeRunnerView) -> u64 {
    let (terrain, moment) = (view.terrain(), view.moment());
    let mut key = moment.gold.words().iter().fold(0, |key, word| mix64(key ^ word));
    for guard in moment.guards() {
        key = mix64(key ^ (terrain.row(guard.at) as u64) << 1 ^ u64::from(guard.has_gold));
    }
    key
}

/// Where the runner is at the end of each turn of a plan, if guards stay where they are.
pub(super) fn places(view: &LodeRunnerView, plan: &[RunnerAction]) -> Vec<Spot> {
    let (physics, mut moment, mut places) = (view.physics(), *view.moment(), Vec::new());
    for &action in plan {
        if moment.fate != Fate::Running || !physics.allows(&moment, action) {
            break;
        }
        physics.turn(&mut moment, action, &mut Stillness);
        places.push(moment.runner);
    }
    places
}

/// The player `planner`. It has no memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunnerPlanner;

/// What every legal action is worth, from 0 to 1: the mean of the models' values.
fn values(view: &LodeRunnerView) -> Vec<(RunnerAction, f64)> {
    let (physics, moment) = (view.physics(), view.moment());
    let (goal, mut search) = (Goal::at(&physics, moment), BestFirst::new(u32::MAX));
    let mut mind = ModelMind::new(GuardPolicy::Random, moment);
    let models = if moment.guards().is_empty() { &MODELS[..1] } else { &MODELS[..] };
    let mut value = |action: RunnerAction| {
        let of_model = |&policy: &GuardPolicy| {
            mind.policy = policy;
            value_of(cost_of(&mut search, &physics, moment, action, &goal, &mut mind, COMPARED_NODES))
        };
        models.iter().map(of_model).sum::<f64>() / models.len() as f64
    };
    view.moves().into_iter().map(|action| (action, value(action))).collect()
}

/// The value of a way by its cost in turns. Short ways differ little, so that a value says how safe the runner is, not how far from
/// its next gold.
fn value_of(cost: Option<u32>) -> f64 {
    match cost {
        None => 0.0,
        Some(cost) if cost >= DEAD_END => 0.1,
        Some(cost) if cost < 100 => 1.0 - 0.04 * f64::from(cost) / 100.0,
        Some(cost) => 0.96 - 0.46 * (f64::from(cost.min(MAX_COST)) - 100.0) / f64::from(MAX_COST - 100),
    }
}

/// Every legal action with its value, the chosen one first; none is worth more than that.
fn candidates(view: &LodeRunnerView, line: &[RunnerAction]) -> Vec<Candidate<RunnerAction>> {
    let mut values = values(view);
    values.sort_by(|one, two| two.1.total_cmp(&one.1));
    let best = values.first().map_or(0.0, |&(_, value)| value);
    let others = values.iter().filter(|(action, _)| *action != line[0]);
    std::iter::once(Candidate::expected(line[0], best, 1.0, line.to_vec()))
        .chain(others.map(|&(action, value)| Candidate::expected(action, value, 0.0, vec![action])))
        .collect()
}

impl Player<LodeRunnerView> for RunnerPlanner {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &LodeRunnerView, turn: &mut Turn<'_, RunnerAction>) -> RunnerAction {
        let start = Instant::now();
        let PlannedTurn { line, nodes } = think(view);
        let chosen = line[0];
        turn.show(|| Thought {
            candidates: candidates(view, &line),
            depth: line.len() as u32,
            nodes: u64::from(nodes),
            elapsed: start.elapsed(),
        });
        debug_assert!(view.is_legal(chosen), "{chosen:?}");
        chosen
    }
}
