//! The player `planner`: a function of the view alone.
//!
//! Each turn it plans anew: which gold may be taken next without getting stuck, then the cheapest way to it through the exact
//! game with guards that follow a model, where being within a guard's reach costs turns.

use outplay_core::{Candidate, Player, Score, Seat, Thought, Turn, View};

use super::greedy::Stillness;
use super::moment::Fate;
use super::physics::RunnerAction;
use super::policies::GuardPolicy;
use super::search::{BestFirst, Goal, ModelMind, RunnerPlan, cost_of};
use super::terrain::Spot;
use super::view::LodeRunnerView;

/// Moments that the search under one model looks at, at most.
const MOST_NODES: u32 = 2500;
/// Moments that are looked at to compare actions on which models disagree.
const COMPARED_NODES: u32 = 800;
/// What the death of the runner costs under a model, in turns.
const DEATH_COST: u32 = 4000;
/// What any other cost counts for at most, in turns.
const MAX_COST: u32 = 330;
/// Guards that come the shortest way, guards of the classic chase, and guards that stay.
const MODELS: [GuardPolicy; 3] = [GuardPolicy::Shortest, GuardPolicy::Chase, GuardPolicy::Random];

/// Plans the next actions on this level, the next one first.
pub fn plan(view: &LodeRunnerView) -> Vec<RunnerAction> {
    let (physics, moment) = (view.physics(), view.moment());
    if !physics.can_act(moment) {
        return vec![RunnerAction::Wait];
    }
    let goal = Goal::at(&physics, moment);
    let mut search = BestFirst::new();
    if moment.guards().is_empty() {
        let mut mind = ModelMind::new(GuardPolicy::Random, moment);
        let plan = search.run(&physics, moment, &goal, &mut mind, 4 * MOST_NODES);
        return plan.map_or_else(|| vec![RunnerAction::Wait], |plan| plan.actions);
    }
    let mut minds = MODELS.map(|model| ModelMind::new(model, moment));
    let mut plans: Vec<RunnerPlan> = Vec::with_capacity(MODELS.len());
    for mind in &mut minds {
        let plan = search.run(&physics, moment, &goal, mind, MOST_NODES);
        let is_known = |plan: &RunnerPlan| plans.iter().any(|known| known.actions[0] == plan.actions[0]);
        plans.extend(plan.filter(|plan| !is_known(plan)));
    }
    if plans.len() > 1 {
        return compare(view, &goal, &mut search, &mut minds, plans);
    }
    plans.pop().map_or_else(|| vec![RunnerAction::Wait], |plan| plan.actions)
}

/// The plan whose first action is cheapest under all models together; if each of them may be the runner's death, the cheapest
/// action of all.
///
/// The models weigh differently from view to view. If the guards and the runner went round in a circle, the models would be
/// weighed the same way each time only if all weights happened to lead back.
fn compare(
    view: &LodeRunnerView,
    goal: &Goal,
    search: &mut BestFirst,
    minds: &mut [ModelMind],
    mut plans: Vec<RunnerPlan>,
) -> Vec<RunnerAction> {
    let (physics, moment, key) = (view.physics(), view.moment(), view.key());
    let mut cost = |action: RunnerAction| -> u32 {
        let mut sum = 0;
        for (number, mind) in minds.iter_mut().enumerate() {
            let weight = 1 + (key >> (8 * number)) as u32 % 4;
            let cost = cost_of(search, &physics, moment, action, goal, mind, COMPARED_NODES);
            sum += cost.map_or(DEATH_COST, |cost| weight * cost.min(MAX_COST));
        }
        sum
    };
    let costs: Vec<u32> = plans.iter().map(|plan| cost(plan.actions[0])).collect();
    let best = (0..plans.len()).min_by_key(|&place| costs[place]).expect("there are several plans");
    if costs[best] < DEATH_COST {
        return plans.swap_remove(best).actions;
    }
    let is_new = |action: &RunnerAction| plans.iter().all(|plan| plan.actions[0] != *action);
    let others = view.moves().into_iter().filter(is_new).map(|action| (cost(action), action));
    match others.min_by_key(|(cost, _)| *cost) {
        Some((least, action)) if least < costs[best] => vec![action],
        _ => plans.swap_remove(best).actions,
    }
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

impl Player<LodeRunnerView> for RunnerPlanner {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &LodeRunnerView, turn: &mut Turn<'_, RunnerAction>) -> RunnerAction {
        let line = plan(view);
        let chosen = line[0];
        turn.show(|| Thought {
            candidates: vec![Candidate::scored(chosen, Score::EVEN, 1.0, line.clone())],
            depth: line.len() as u32,
            nodes: 0,
            elapsed: std::time::Duration::ZERO,
        });
        debug_assert!(view.is_legal(chosen), "{chosen:?}");
        chosen
    }
}
