//! Best-first search through the exact game: the runner's actions, the holes, and guards that follow a model.
//!
//! The same search proves that levels can be finished, without guards, and plans the next moves of the player `planner`, with a
//! model of guards. It ends at the first gold that may be taken, or at the exit.

use outplay_core::mix64;

use super::moment::{Fate, Guard, Moment};
use super::order::next_gold;
use super::physics::{GuardMind, GuardStep, Physics, RunnerAction};
use super::policies::{GuardPolicy, GuardWays, chase_step};
use super::terrain::{MAX_SPOTS, Spot, SpotSet, Tile};
use super::ways::{NO_WAY, Ways};

/// What a search is after.
pub(super) struct Goal {
    /// The gold that may be taken next; of other gold the runner keeps off.
    pub(super) allowed: SpotSet,
    /// The relaxed length of the way from every spot.
    pub(super) lengths: Vec<u16>,
}

impl Goal {
    /// The next goal at this moment: gold on the ground, or the exit if there is no gold.
    pub(super) fn at(physics: &Physics<'_>, moment: &Moment) -> Self {
        if moment.gold.is_empty() {
            let ways = Ways::at(physics, moment, true);
            let lengths = if moment.has_exits() {
                let top = physics.terrain.spots().take_while(|&spot| physics.terrain.is_top(spot));
                ways.lengths_to(top)
            } else {
                // Only guards have gold. They come to the runner, or put it down: nothing is nearer than anything else.
                vec![0; MAX_SPOTS]
            };
            return Self { allowed: SpotSet::default(), lengths };
        }
        let next = next_gold(physics, moment);
        // Nothing is known to be reachable: whatever looks near is tried.
        let allowed = if next.is_empty() { moment.gold } else { next };
        let lengths = Ways::new(physics, &moment.gold, false, true).lengths_to(allowed.iter());
        Self { allowed, lengths }
    }

    /// An estimate of the turns to the goal.
    fn estimate(&self, physics: &Physics<'_>, moment: &Moment) -> u16 {
        let at = moment.runner;
        let mut least = self.lengths[at.index()];
        let (row, col) = (physics.terrain.row(at), physics.terrain.col(at));
        for hole in moment.holes() {
            let (hole_row, hole_col) = (physics.terrain.row(hole.at), physics.terrain.col(hole.at));
            let down = match hole_row.wrapping_sub(row) {
                0 => 0,
                1 => 1,
                _ => continue,
            };
            let way = col.abs_diff(hole_col) as u16 + down;
            least = least.min(self.lengths[hole.at.index()].saturating_add(way));
        }
        least
    }
}

/// Guards as a search imagines them.
pub(super) struct ModelMind {
    policy: GuardPolicy,
    ways: Vec<Option<Box<GuardWays>>>,
    has_exits: bool,
}

impl ModelMind {
    pub(super) fn new(policy: GuardPolicy, moment: &Moment) -> Self {
        Self { policy, ways: (0..MAX_SPOTS).map(|_| None).collect(), has_exits: moment.has_exits() }
    }

    /// The ways to this spot as guards see them.
    pub(super) fn ways_to(&mut self, world: &Physics<'_>, target: Spot) -> &GuardWays {
        let has_exits = self.has_exits;
        self.ways[target.index()].get_or_insert_with(|| {
            let mut ways = Box::<GuardWays>::default();
            ways.find(world, target, has_exits);
            ways
        })
    }
}

impl GuardMind for ModelMind {
    fn step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep {
        let at = moment.guards()[guard].at;
        match self.policy {
            GuardPolicy::Shortest => {
                let has_exits = self.has_exits;
                self.ways_to(world, moment.runner).best_step(world, has_exits, at)
            }
            GuardPolicy::Chase | GuardPolicy::Lazy => chase_step(world, moment, at),
            GuardPolicy::Random => GuardStep::Stay,
        }
    }

    fn rebirth(&mut self, count: usize) -> usize {
        count / 2
    }
}

struct SearchNode {
    moment: Moment,
    parent: u32,
    action: RunnerAction,
    turns: u16,
    /// Turns in which the runner had a choice.
    decisions: u16,
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
}

/// Places in the table of moments that were met.
const TABLE: usize = 1 << 15;
/// What a plan costs more that does not reach its goal.
const LOST_SIGHT: u32 = 100;
/// The dearest plan.
const MAX_COST: usize = 4000;

impl BestFirst {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), buckets: Vec::new(), table: vec![(0, 0); TABLE] }
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
            decisions: 0,
            cost: 0,
            is_doomed: false,
        };
        let first = usize::from(goal.estimate(physics, root).min(MAX_COST as u16 - 1));
        self.push(start, first);
        let (mut at, mut looked, mut best) = (first, 0, None::<(u32, u32)>);
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
                if is_won || node.is_doomed || survives(physics, &node.moment, mind) {
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
            }
            looked += 1;
            if looked >= most {
                break;
            }
            at = self.expand(physics, goal, mind, number, at);
        }
        best.map(|(rank, number)| self.plan(number, rank + LOST_SIGHT, false))
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
        let node = &self.nodes[number as usize];
        let (moment, turns, cost, decisions) = (node.moment, node.turns, node.cost, node.decisions);
        let can_act = physics.can_act(&moment);
        let is_guard_near = can_act && nearest_guard(physics, &moment, mind) <= NEAR;
        for action in RunnerAction::ALL {
            if !physics.allows(&moment, action) || !is_sensible(physics, goal, &moment, action, is_guard_near)
            {
                continue;
            }
            let mut next = moment;
            let danger = play(physics, &mut next, action, mind);
            let is_lost = matches!(next.fate, Fate::Caught | Fate::Buried);
            if is_lost || takes_wrong_gold(goal, &moment, &next) || is_stuck(physics, &next) {
                continue;
            }
            let (turns, decisions) = (turns + 1, decisions + u16::from(can_act));
            let cost = cost + 1 + danger_cost(danger, decisions);
            let left = goal.estimate(physics, &next);
            if left == NO_WAY || !self.is_new(&next, cost) {
                continue;
            }
            let bucket = usize::from(cost) + usize::from(left);
            if bucket < MAX_COST {
                self.push(
                    SearchNode {
                        moment: next,
                        parent: number,
                        action,
                        turns,
                        decisions,
                        cost,
                        is_doomed: false,
                    },
                    bucket,
                );
                at = at.min(bucket);
            }
        }
        at
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

/// Turns that a runner must be able to live on at the end of a plan.
const LIVE_ON: u16 = 24;
/// Moments looked at to find out.
const LIVE_ON_NODES: u32 = 500;
/// What a plan costs more if the runner cannot live on at its end, in turns.
const DOOM_COST: usize = 80;

/// Whether the runner can live on for a while, whatever else it does. The way that has lived longest is tried first.
fn survives(physics: &Physics<'_>, from: &Moment, mind: &mut ModelMind) -> bool {
    if from.guards().is_empty() {
        return true;
    }
    let (mut stack, mut looked, mut met) = (vec![(*from, 0_u16)], 0, std::collections::HashSet::new());
    while let Some((moment, turns)) = stack.pop() {
        if turns >= LIVE_ON || moment.fate == Fate::Won || looked >= LIVE_ON_NODES {
            return turns >= LIVE_ON || moment.fate == Fate::Won;
        }
        looked += 1;
        let mut next: Vec<(u16, Moment)> = Vec::with_capacity(7);
        for action in RunnerAction::ALL {
            if !physics.allows(&moment, action) {
                continue;
            }
            let mut after = moment;
            let danger = play(physics, &mut after, action, mind);
            let is_lost = matches!(after.fate, Fate::Caught | Fate::Buried);
            if !is_lost && danger == 0 && met.insert(moment_key(&after)) {
                next.push((nearest_guard(physics, &after, mind), after));
            }
        }
        // The stack ends with the moment whose guards are farthest.
        next.sort_by_key(|(far, _)| *far);
        stack.extend(next.into_iter().map(|(_, after)| (after, turns + 1)));
    }
    false
}

/// The steps that the nearest guard needs to the runner.
fn nearest_guard(physics: &Physics<'_>, moment: &Moment, mind: &mut ModelMind) -> u16 {
    let ways = mind.ways_to(physics, moment.runner);
    let free = moment.guards().iter().filter(|guard| guard.is_in_play() && guard.trapped == 0);
    free.filter_map(|guard| ways.steps(guard.at)).min().unwrap_or(u16::MAX)
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
    let now = 1 + u32::from(danger_cost(danger, 1));
    match next.fate {
        Fate::Won => Some(now),
        Fate::Caught | Fate::Buried => None,
        Fate::Running if next.gold_left() < moment.gold_left() => {
            Some(now + if survives(physics, &next, mind) { 0 } else { DOOM_COST as u32 })
        }
        Fate::Running if takes_wrong_gold(goal, moment, &next) || is_stuck(physics, &next) => None,
        Fate::Running => search.run(physics, &next, goal, mind, most).map(|plan| now + plan.cost),
    }
}

/// Plays a turn and counts the guards that could have caught the runner in it, had they wanted.
fn play(physics: &Physics<'_>, moment: &mut Moment, action: RunnerAction, mind: &mut ModelMind) -> u16 {
    let before = *moment;
    physics.turn(moment, action, mind);
    if moment.fate != Fate::Running || moment.guards().is_empty() {
        return 0;
    }
    let falling = fall_danger(physics, moment);
    if before.until_rest == 1 {
        return falling;
    }
    let terrain = physics.terrain;
    let runner = moment.runner;
    let beside = [terrain.left(runner), terrain.right(runner), terrain.below(runner), terrain.above(runner)];
    let can_catch = |number: usize| {
        let guard = &before.guards()[number];
        guard.is_in_play()
            && guard.trapped == 0
            && beside.contains(&guard.at)
            && GuardStep::MOVES
                .into_iter()
                .any(|step| physics.guard_target(&before, number, step) == Some(runner))
            && physics.is_supported(&before, guard.at, Some(number))
    };
    falling + (0..before.guards().len()).filter(|&number| can_catch(number)).count() as u16
}

/// Guards below a runner that has nothing but air or their heads under its feet: it cannot choose where it comes down.
fn fall_danger(physics: &Physics<'_>, moment: &Moment) -> u16 {
    let (terrain, at) = (physics.terrain, moment.runner);
    let holds = |tile| matches!(tile, Tile::Ladder | Tile::Rope);
    let is_floor = |tile| matches!(tile, Tile::Brick | Tile::Solid | Tile::Ladder);
    let below = terrain.below(at);
    if holds(physics.tile(moment, at)) || is_floor(physics.tile(moment, below)) {
        return 0;
    }
    let is_below = |guard: &&Guard| {
        let down = terrain.row(guard.at).wrapping_sub(terrain.row(at));
        guard.is_in_play()
            && guard.trapped == 0
            && down <= 2
            && terrain.col(guard.at).abs_diff(terrain.col(at)) <= 2
    };
    moment.guards().iter().filter(is_below).count() as u16
}

/// What a danger costs, in turns: much now, less after further choices, because the plan will have changed by then.
fn danger_cost(danger: u16, decisions: u16) -> u16 {
    if danger == 0 { 0 } else { 2 + danger * 40 / decisions.max(1) }
}

/// Whether the runner is in a hole that it cannot leave before it closes.
fn is_stuck(physics: &Physics<'_>, moment: &Moment) -> bool {
    let (terrain, at) = (physics.terrain, moment.runner);
    moment.open.contains(at)
        && !physics.is_passable(moment, terrain.below(at))
        && !physics.is_passable(moment, terrain.left(at))
        && !physics.is_passable(moment, terrain.right(at))
}

/// A hash of what matters of a moment; never 0.
fn moment_key(moment: &Moment) -> u64 {
    let mut key = u64::from(moment.runner.0) << 8 | u64::from(moment.busy);
    for word in moment.gold.words() {
        key = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    for hole in moment.holes() {
        key = mix64(key ^ (u64::from(hole.at.0) << 8 | u64::from(hole.left)));
    }
    if !moment.guards().is_empty() {
        key ^= u64::from(moment.until_rest) << 40;
    }
    for guard in moment.guards() {
        let flags = u64::from(guard.has_gold) | u64::from(guard.climbed) << 1;
        let times =
            u64::from(guard.trapped) << 16 | u64::from(guard.away) << 24 | u64::from(guard.carry) << 32;
        key = mix64(key ^ (u64::from(guard.at.0) << 40 | times | flags));
    }
    mix64(key) | 1
}
