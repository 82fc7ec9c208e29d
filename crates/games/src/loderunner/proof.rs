//! Proofs that a level can be finished without guards: the actions that finish it, found by searching the full state with its
//! holes from gold to gold. And whether a level with guards is fair.

use super::danger::{ModelMind, survives};
use super::goal::Goal;
use super::moment::{Fate, Guard, Moment};
use super::physics::{Physics, RunnerAction};
use super::policies::GuardPolicy;
use super::rules::without_guards;
use super::search::BestFirst;
use super::view::LodeRunnerView;

/// Moments that the search for one piece of gold looks at, at most.
const MOST_NODES: u32 = 20_000;

/// Actions that finish the level if there are no guards; `None` if none were found.
pub fn prove(level: &LodeRunnerView) -> Option<Vec<RunnerAction>> {
    let level = without_guards(level);
    let (physics, mut moment) = (level.physics(), *level.moment());
    let (mut search, mut proof) = (BestFirst::new(u32::MAX), Vec::new());
    while moment.fate == Fate::Running {
        let leg = leg(&physics, &moment, &mut search)?;
        moment = leg.1;
        proof.extend(leg.0);
    }
    (moment.fate == Fate::Won).then_some(proof)
}

fn leg(
    physics: &Physics<'_>,
    moment: &Moment,
    search: &mut BestFirst,
) -> Option<(Vec<RunnerAction>, Moment)> {
    let goal = Goal::at(physics, moment);
    let mut mind = ModelMind::new(GuardPolicy::Random, moment);
    let plan = search.run(physics, moment, &goal, &mut mind, MOST_NODES)?;
    plan.is_goal.then_some((plan.actions, plan.end))
}

/// Whether the guards leave the runner a chance: it can live on for a while at the start, if they come the shortest way, and none
/// of them is shut in, where it could only guard gold.
pub(super) fn is_fair(level: &LodeRunnerView) -> bool {
    let (physics, moment) = (level.physics(), level.moment());
    let mut mind = ModelMind::new(GuardPolicy::Shortest, moment);
    let ways = mind.ways_to(&physics, moment.runner);
    let mut left = MOST_NODES;
    let is_free = |guard: &Guard| ways.steps(guard.at).is_some();
    moment.guards().iter().all(is_free) && survives(&physics, moment, &mut mind, &mut left)
}
