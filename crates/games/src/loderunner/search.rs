//! Best-first search through the exact game: the runner's actions, the holes, and guards that follow a model.
//!
//! The same search proves that levels can be finished, without guards, and plans the next moves of the player `planner`, with a
//! model of guards. It ends at the first gold that may be taken, or at the exit.

use super::danger::{DOOM_COST, ModelMind, danger_cost, moment_key, nearest_guard, play, survives};
use super::goal::Goal;
use super::moment::{Fate, Moment};
use super::physics::{Physics, RunnerAction};
use super::stairs::Stairs;
use super::ways::NO_WAY;

struct SearchNode {
    moment: Moment,
    parent: u32,
    action: RunnerAction,
    turns: u16,
    /// Turns and dangers so far.
    cost: u16,
    /// Whether it is known that the runner can hardly live on from here.
    is_doomed: bool,
}

/// What a search found.
pub(super) struct RunnerPlan {
    /// The actions, the next one first.
    pub(super) actions: Vec<RunnerAction>,
    /// Their turns and dangers, and the estimate of what is left.
    pub(super) cost: u32,
    /// The moment at their end.
    pub(super) end: Moment,
    /// Whether the goal is reached.
    pub(super) is_goal: bool,
}

/// A search and its memory, used again from search to search.
pub(super) struct BestFirst {
    nodes: Vec<SearchNode>,
    buckets: Vec<Vec<u32>>,
    table: Vec<(u64, u16)>,
    /// The estimate at the root.
    start: u16,
    /// Moments that may still be looked at, in all searches together.
    pub(super) left: u32,
}

/// Places in the table of moments that were met.
const TABLE: usize = 1 << 15;
/// What a plan costs more that does not reach its goal.
const LOST_SIGHT: u32 = 100;
/// What a plan costs, in turns, if every way has been tried and none is left to try at its end.
pub(super) const DEAD_END: u32 = 1000;
/// The dearest plan.
const MAX_COST: usize = 4000;

impl BestFirst {
    /// A search that looks at `left` moments at most, in all its runs together.
    pub(super) fn new(left: u32) -> Self {
        Self { nodes: Vec::new(), buckets: Vec::new(), table: vec![(0, 0); TABLE], start: 0, left }
    }

    /// Searches from `root` for the goal, looking at `most` moments at most. `None` if the runner cannot do anything but die.
    pub(super) fn run(
        &mut self,
        physics: &Physics<'_>,
        root: &Moment,
        goal: &Goal,
        mind: &mut ModelMind,
        most: u32,
    ) -> Option<RunnerPlan> {
        self.nodes.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
        self.table.fill((0, 0));
        let start = SearchNode {
            moment: *root,
            parent: u32::MAX,
            action: RunnerAction::Wait,
            turns: 0,
            cost: 0,
            is_doomed: false,
        };
        self.start = goal.estimate(physics, root);
        let first = usize::from(self.start.min(MAX_COST as u16 - 1));
        self.push(start, first);
        let least_left = self.left.saturating_sub(most);
        let (mut at, mut best, mut longest) = (first, None::<(u32, u32)>, (0, 0));
        let gold_left = root.gold_left();
        while at < self.buckets.len() {
            let Some(number) = self.buckets[at].pop() else {
                at += 1;
                continue;
            };
            let node = &self.nodes[number as usize];
            let is_won = node.moment.fate == Fate::Won;
            if is_won
                || node.moment.gold_left() < gold_left
                || (root.gold.is_empty() && !node.moment.gold.is_empty())
            {
                let is_accepted = is_won || node.is_doomed;
                if is_accepted || survives(physics, &node.moment, mind, &mut self.left) {
                    return Some(self.plan(number, at as u32, true));
                }
                self.nodes[number as usize].is_doomed = true;
                self.add_to_bucket(number, at + DOOM_COST);
                continue;
            }
            if number > 0 {
                let left = u32::from(goal.estimate(physics, &node.moment));
                // A plan that does not arrive is worth what it comes near, and the turns it survives.
                let rank =
                    left + u32::from(node.cost - node.turns) + 40_u32.saturating_sub(u32::from(node.turns));
                if best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, number));
                }
                longest = longest.max((node.turns, number));
            }
            self.left = self.left.saturating_sub(1);
            if self.left <= least_left {
                break;
            }
            at = self.expand(physics, goal, mind, number, at);
        }
        let (rank, number) = best?;
        if at >= self.buckets.len() {
            // Every way has been tried to its end.
            let (turns, number) = longest;
            return Some(self.plan(number, DEAD_END + 20 * 60_u32.saturating_sub(u32::from(turns)), false));
        }
        let doom = if survives(physics, &self.nodes[number as usize].moment, mind, &mut self.left) {
            0
        } else {
            DOOM_COST as u32
        };
        Some(self.plan(number, rank + LOST_SIGHT + doom, false))
    }

    fn push(&mut self, node: SearchNode, bucket: usize) {
        self.add_to_bucket(self.nodes.len() as u32, bucket);
        self.nodes.push(node);
    }

    fn add_to_bucket(&mut self, number: u32, bucket: usize) {
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(number);
    }

    /// Adds what follows a node, and returns the cheapest bucket to go on with.
    fn expand(
        &mut self,
        physics: &Physics<'_>,
        goal: &Goal,
        mind: &mut ModelMind,
        number: u32,
        mut at: usize,
    ) -> usize {
        let moment = self.nodes[number as usize].moment;
        let can_act = physics.can_act(&moment);
        let is_guard_near = can_act && nearest_guard(physics, &moment, mind) <= NEAR;
        for action in RunnerAction::ALL {
            if physics.allows(&moment, action) && is_sensible(physics, goal, &moment, action, is_guard_near) {
                let next = self.follow(physics, goal, mind, number, action);
                at = at.min(next.map_or(at, |node| self.offer(physics, goal, node)));
            }
        }
        if can_act {
            for stairs in goal.stairs_from(moment.runner) {
                at = at.min(self.descend(physics, goal, mind, number, *stairs).unwrap_or(at));
            }
        }
        if number == 0 {
            // The runner may be half way down.
            for stairs in goal.stairs.iter().filter(|stairs| stairs.holds(physics, moment.runner)) {
                at = at.min(self.descend(physics, goal, mind, number, *stairs).unwrap_or(at));
            }
        }
        at
    }

    /// The node after an action, if the runner lives and keeps off the wrong gold.
    fn follow(
        &self,
        physics: &Physics<'_>,
        goal: &Goal,
        mind: &mut ModelMind,
        parent: u32,
        action: RunnerAction,
    ) -> Option<SearchNode> {
        let SearchNode { moment, turns, cost, .. } = &self.nodes[parent as usize];
        let mut next = *moment;
        let danger = play(physics, &mut next, action, mind);
        let is_lost = matches!(next.fate, Fate::Caught | Fate::Buried);
        if is_lost || takes_wrong_gold(goal, moment, &next) || is_stuck(physics, &next) {
            return None;
        }
        let progress = self.start.saturating_sub(goal.estimate(physics, &next));
        let cost = cost + 1 + danger_cost(danger, progress);
        Some(SearchNode { moment: next, parent, action, turns: turns + 1, cost, is_doomed: false })
    }

    /// Adds a node that is new, and returns its bucket.
    fn offer(&mut self, physics: &Physics<'_>, goal: &Goal, node: SearchNode) -> usize {
        let left = goal.estimate(physics, &node.moment);
        let bucket = usize::from(node.cost) + usize::from(left);
        if left == NO_WAY || bucket >= MAX_COST || !self.is_new(&node.moment, node.cost) {
            return usize::MAX;
        }
        self.push(node, bucket);
        bucket
    }

    /// Follows stairs to their end, or to the goal, and adds the node there; `None` if they cannot be followed.
    fn descend(
        &mut self,
        physics: &Physics<'_>,
        goal: &Goal,
        mind: &mut ModelMind,
        from: u32,
        stairs: Stairs,
    ) -> Option<usize> {
        let (first, mut at) = (self.nodes.len(), from);
        let gold_left = self.nodes[from as usize].moment.gold_left();
        // Stairs that a guard disturbs may lead back and forth.
        for _ in 0..2 * stairs.length(physics) {
            let moment = &self.nodes[at as usize].moment;
            let is_over = moment.fate != Fate::Running || moment.gold_left() < gold_left;
            if is_over || moment.runner == stairs.end(physics) {
                break;
            }
            let action = stairs.next_action(physics, moment);
            let Some(next) = action.and_then(|action| self.follow(physics, goal, mind, at, action)) else {
                self.nodes.truncate(first);
                return None;
            };
            at = self.nodes.len() as u32;
            self.nodes.push(next);
            self.left = self.left.saturating_sub(1);
        }
        let last = if at == from { None } else { self.nodes.pop() };
        last.map(|last| self.offer(physics, goal, last))
    }

    /// Whether the moment was not met before at this cost or less.
    fn is_new(&mut self, moment: &Moment, cost: u16) -> bool {
        let key = moment_key(moment);
        let mut place = key as usize % TABLE;
        for _ in 0..16 {
            let (known, least) = self.table[place];
            if known == 0 || (known == key && cost < least) {
                self.table[place] = (key, cost);
                return true;
            }
            if known == key {
                return false;
            }
            place = (place + 1) % TABLE;
        }
        true
    }

    fn plan(&self, number: u32, cost: u32, is_goal: bool) -> RunnerPlan {
        let end = self.nodes[number as usize].moment;
        let (mut actions, mut at) = (Vec::new(), number);
        while at != 0 {
            let node = &self.nodes[at as usize];
            actions.push(node.action);
            at = node.parent;
        }
        actions.reverse();
        RunnerPlan { actions, cost, end, is_goal }
    }
}

/// A guard that can be with the runner in so many steps is near enough to dig or wait for.
const NEAR: u16 = 10;

/// Leaves out actions that only waste turns: digging where it leads nowhere and no guard is near, waiting for nothing.
fn is_sensible(
    physics: &Physics<'_>,
    goal: &Goal,
    moment: &Moment,
    action: RunnerAction,
    is_guard_near: bool,
) -> bool {
    match action {
        RunnerAction::DigLeft | RunnerAction::DigRight => {
            let brick = physics.dig_spot(moment.runner, action == RunnerAction::DigLeft);
            goal.lengths[brick.index()] < goal.lengths[moment.runner.index()] || is_guard_near
        }
        RunnerAction::Wait => !physics.can_act(moment) || !moment.holes().is_empty() || is_guard_near,
        _ => true,
    }
}

fn takes_wrong_gold(goal: &Goal, before: &Moment, after: &Moment) -> bool {
    before.gold.contains(after.runner) && !goal.allowed.contains(after.runner)
}

/// The cost of an action now and of what follows it, as far as a search of `most` moments sees; `None` if the runner dies.
pub(super) fn cost_of(
    search: &mut BestFirst,
    physics: &Physics<'_>,
    moment: &Moment,
    action: RunnerAction,
    goal: &Goal,
    mind: &mut ModelMind,
    most: u32,
) -> Option<u32> {
    let mut next = *moment;
    let danger = play(physics, &mut next, action, mind);
    let now = 1 + u32::from(danger_cost(danger, 0));
    match next.fate {
        Fate::Won => Some(now),
        Fate::Caught | Fate::Buried => None,
        Fate::Running if next.gold_left() < moment.gold_left() => {
            let lives = survives(physics, &next, mind, &mut search.left);
            Some(now + if lives { 0 } else { DOOM_COST as u32 })
        }
        Fate::Running if takes_wrong_gold(goal, moment, &next) || is_stuck(physics, &next) => None,
        Fate::Running => search.run(physics, &next, goal, mind, most).map(|plan| now + plan.cost),
    }
}

/// Whether the runner is in a hole that it cannot leave before it closes.
fn is_stuck(physics: &Physics<'_>, moment: &Moment) -> bool {
    let (terrain, at) = (physics.terrain, moment.runner);
    moment.open.contains(at)
        && !physics.is_passable(moment, terrain.below(at))
        && !physics.is_passable(moment, terrain.left(at))
        && !physics.is_passable(moment, terrain.right(at))
}
