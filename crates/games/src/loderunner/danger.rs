//! Guards as searches imagine them, and the danger that the runner is in.

use std::collections::HashSet;

use outplay_core::mix64;

use super::moment::{Fate, Guard, Moment};
use super::physics::{GuardMind, GuardStep, Physics, RunnerAction};
use super::policies::{GuardPolicy, GuardWays, chase_step, is_in_sight};
use super::terrain::{MAX_SPOTS, Spot, Tile};

/// Guards as a search imagines them.
pub(super) struct ModelMind {
    /// What they follow. Those of `Random` stay where they are, and those of `Lazy` stay until the runner is near.
    pub(super) policy: GuardPolicy,
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
            GuardPolicy::Chase => chase_step(world, moment, at),
            GuardPolicy::Lazy if is_in_sight(world, moment, at) => chase_step(world, moment, at),
            GuardPolicy::Lazy | GuardPolicy::Random => GuardStep::Stay,
        }
    }

    fn rebirth(&mut self, count: usize) -> usize {
        count / 2
    }
}

/// Turns that a runner must be able to live on at the end of a plan.
const LIVE_ON: u16 = 60;
/// Moments looked at to find out.
const LIVE_ON_NODES: u32 = 800;
/// What a plan costs more if the runner cannot live on at its end, in turns.
pub(super) const DOOM_COST: usize = 150;

/// Whether the runner can live on for a while with guards that come the shortest way, whatever else it does. The way that keeps
/// farthest from them is tried first.
pub(super) fn survives(physics: &Physics<'_>, from: &Moment, mind: &mut ModelMind, left: &mut u32) -> bool {
    if from.guards().is_empty() {
        return true;
    }
    let policy = std::mem::replace(&mut mind.policy, GuardPolicy::Shortest);
    let least_left = left.saturating_sub(LIVE_ON_NODES);
    let (mut stack, mut met, mut lives) = (vec![(*from, 0_u16)], HashSet::new(), false);
    while let Some((moment, turns)) = stack.pop().filter(|_| *left > least_left) {
        if turns >= LIVE_ON || moment.fate == Fate::Won {
            lives = true;
            break;
        }
        *left -= 1;
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
    mind.policy = policy;
    lives
}

/// The steps that the nearest guard needs to the runner.
pub(super) fn nearest_guard(physics: &Physics<'_>, moment: &Moment, mind: &mut ModelMind) -> u16 {
    let ways = mind.ways_to(physics, moment.runner);
    let free = moment.guards().iter().filter(|guard| guard.is_in_play() && guard.trapped == 0);
    free.filter_map(|guard| ways.steps(guard.at)).min().unwrap_or(u16::MAX)
}

/// Plays a turn and counts the guards that could have caught the runner in it, had they wanted.
pub(super) fn play(
    physics: &Physics<'_>,
    moment: &mut Moment,
    action: RunnerAction,
    mind: &mut ModelMind,
) -> u16 {
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

/// What a danger costs, in turns: much now, less when the runner has come nearer to its goal, because guards will have moved by
/// then. It is not less for turns that pass, or the runner would put off every danger for ever.
pub(super) fn danger_cost(danger: u16, progress: u16) -> u16 {
    if danger == 0 { 0 } else { 2 + danger * 40 / (progress + 1) }
}

/// A hash of what matters of a moment; never 0.
pub(super) fn moment_key(moment: &Moment) -> u64 {
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
