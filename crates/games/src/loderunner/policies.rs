//! What guards want: the policies from which the referee chooses. No player is told which one it is.
//!
//! All policies take an open hole for the floor that it was; that is how guards are trapped.

use std::collections::VecDeque;

use outplay_core::Rng;

use super::moment::Moment;
use super::physics::{GuardMind, GuardStep, Physics};
use super::terrain::{MAX_SPOTS, Spot, Tile};

/// How guards choose their steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GuardPolicy {
    /// The classic chase: along the floor if the runner is on it, else to the ladder or the edge that leads nearest to its row.
    Chase,
    /// The shortest way to the runner.
    Shortest,
    /// Any step at random.
    Random,
    /// The classic chase while the runner is near, else a rare step at random.
    Lazy,
}

impl GuardPolicy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chase, Self::Shortest, Self::Random, Self::Lazy];
}

/// Lazy guards chase a runner within so many columns and rows.
const LAZY_SIGHT: usize = 7;
/// Lazy guards take a step at random once in so many turns.
const LAZY_STEPS: usize = 6;

/// Guards that follow a policy.
#[derive(Clone, Debug)]
pub struct PolicyMind {
    policy: GuardPolicy,
    rng: Rng,
    ways: GuardWays,
}

impl PolicyMind {
    /// Guards that follow this policy and draw from this generator.
    pub fn new(policy: GuardPolicy, rng: Rng) -> Self {
        Self { policy, rng, ways: GuardWays::default() }
    }

    /// The policy.
    pub const fn policy(&self) -> GuardPolicy {
        self.policy
    }

    fn random_step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep {
        let mut steps = [GuardStep::Stay; 4];
        let mut count = 0;
        for step in GuardStep::MOVES {
            if world.guard_target(moment, guard, step).is_some() {
                steps[count] = step;
                count += 1;
            }
        }
        if count == 0 { GuardStep::Stay } else { self.rng.pick(&steps[..count]) }
    }

    fn lazy_step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep {
        let at = moment.guards()[guard].at;
        if is_in_sight(world, moment, at) {
            chase_step(world, moment, at)
        } else if self.rng.below(LAZY_STEPS) == 0 {
            self.random_step(world, moment, guard)
        } else {
            GuardStep::Stay
        }
    }
}

/// Whether a lazy guard on this spot chases the runner.
pub(super) fn is_in_sight(world: &Physics<'_>, moment: &Moment, at: Spot) -> bool {
    let (terrain, runner) = (world.terrain, moment.runner);
    terrain.row(at).abs_diff(terrain.row(runner)) <= LAZY_SIGHT
        && terrain.col(at).abs_diff(terrain.col(runner)) <= LAZY_SIGHT
}

impl GuardMind for PolicyMind {
    fn step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep {
        let at = moment.guards()[guard].at;
        match self.policy {
            GuardPolicy::Chase => chase_step(world, moment, at),
            GuardPolicy::Shortest => self.ways.step(world, moment, at),
            GuardPolicy::Random => self.random_step(world, moment, guard),
            GuardPolicy::Lazy => self.lazy_step(world, moment, guard),
        }
    }

    fn rebirth(&mut self, count: usize) -> usize {
        self.rng.below(count)
    }
}

/// A tile as guards see it: holes are bricks.
#[inline]
fn seen(world: &Physics<'_>, has_exits: bool, spot: Spot) -> Tile {
    match world.terrain.tile(spot) {
        Tile::ExitLadder if has_exits => Tile::Ladder,
        Tile::ExitLadder => Tile::Empty,
        tile => tile,
    }
}

/// A level as guards see it.
struct GuardSight<'a> {
    world: &'a Physics<'a>,
    has_exits: bool,
}

impl GuardSight<'_> {
    fn tile(&self, spot: Spot) -> Tile {
        seen(self.world, self.has_exits, spot)
    }

    fn is_open(&self, spot: Spot) -> bool {
        !matches!(self.tile(spot), Tile::Brick | Tile::Solid)
    }

    fn holds(&self, spot: Spot) -> bool {
        matches!(self.tile(spot), Tile::Ladder | Tile::Rope)
            || matches!(self.tile(self.world.terrain.below(spot)), Tile::Brick | Tile::Solid | Tile::Ladder)
    }

    /// Where one gets from the spot by climbing up as far as it goes: the best row with a way off the ladder.
    fn climb(&self, from: Spot, runner: Spot) -> Option<u32> {
        let (terrain, mut at, mut best) = (self.world.terrain, from, None);
        while self.tile(at) == Tile::Ladder && self.is_open(terrain.above(at)) {
            at = terrain.above(at);
            best = best.min_some(Some(self.rating(at, runner)).filter(|_| self.has_way_off(at)));
        }
        best
    }

    /// Where one gets by going down or falling: the best row with a way off, or the bottom.
    fn descend(&self, from: Spot, runner: Spot) -> Option<u32> {
        let (terrain, mut at, mut best) = (self.world.terrain, from, None);
        while self.is_open(terrain.below(at)) {
            at = terrain.below(at);
            let is_bottom = !self.is_open(terrain.below(at));
            best = best.min_some(Some(self.rating(at, runner)).filter(|_| is_bottom || self.has_way_off(at)));
        }
        best
    }

    fn has_way_off(&self, at: Spot) -> bool {
        let sides = [self.world.terrain.left(at), self.world.terrain.right(at)];
        self.holds(at) && sides.into_iter().any(|side| self.is_open(side))
    }

    /// How good it is to be on this row: the runner's own is best, then rows above it, then rows below.
    fn rating(&self, at: Spot, runner: Spot) -> u32 {
        let terrain = self.world.terrain;
        let (row, goal) = (terrain.row(at), terrain.row(runner));
        match row.cmp(&goal) {
            std::cmp::Ordering::Equal => terrain.col(at).abs_diff(terrain.col(runner)) as u32,
            std::cmp::Ordering::Less => 100 + (goal - row) as u32,
            std::cmp::Ordering::Greater => 200 + (row - goal) as u32,
        }
    }

    /// Whether one walks from one column of a row to another without falling.
    fn is_walkable(&self, from: Spot, to: Spot) -> bool {
        let (low, high) = (from.min(to), from.max(to));
        (low.0..=high.0).map(Spot).all(|at| self.is_open(at) && (at == to || self.holds(at)))
    }
}

/// The smaller of two options, where one may be missing.
trait MinSome {
    fn min_some(self, other: Self) -> Self;
}

impl MinSome for Option<u32> {
    fn min_some(self, other: Self) -> Self {
        match (self, other) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        }
    }
}

/// The step of the classic chase for a guard on this spot.
pub(super) fn chase_step(world: &Physics<'_>, moment: &Moment, at: Spot) -> GuardStep {
    let (terrain, runner) = (world.terrain, moment.runner);
    let sight = GuardSight { world, has_exits: moment.has_exits() };
    if terrain.row(at) == terrain.row(runner) && sight.is_walkable(at, runner) {
        return if runner < at { GuardStep::Left } else { GuardStep::Right };
    }
    let mut best: Option<(u32, GuardStep)> = None;
    let mut offer = |rating: Option<u32>, step: GuardStep| {
        if let Some(rating) = rating.filter(|&rating| best.is_none_or(|(least, _)| rating < least)) {
            best = Some((rating, step));
        }
    };
    offer(sight.climb(at, runner), GuardStep::Up);
    offer(sight.descend(at, runner), GuardStep::Down);
    for step in [GuardStep::Left, GuardStep::Right] {
        let mut there = at;
        loop {
            there = if step == GuardStep::Left { terrain.left(there) } else { terrain.right(there) };
            if !sight.is_open(there) {
                break;
            }
            offer(sight.climb(there, runner).min_some(sight.descend(there, runner)), step);
            if !sight.holds(there) {
                break;
            }
        }
    }
    best.map_or(GuardStep::Stay, |(_, step)| step)
}

/// How many steps a guard needs to a target from everywhere, as far as it sees.
#[derive(Clone, Debug, Default)]
pub(super) struct GuardWays {
    /// The target and whether the exit ladders were there.
    target: Option<(Spot, bool)>,
    steps: Vec<u16>,
    queue: VecDeque<Spot>,
}

/// There is no way.
const NO_WAY: u16 = u16::MAX;

impl GuardWays {
    /// Finds the ways to this target.
    pub(super) fn find(&mut self, world: &Physics<'_>, target: Spot, has_exits: bool) {
        if self.target == Some((target, has_exits)) {
            return;
        }
        self.target = Some((target, has_exits));
        let (sight, terrain) = (GuardSight { world, has_exits }, world.terrain);
        self.steps.clear();
        self.steps.resize(MAX_SPOTS, NO_WAY);
        self.steps[target.index()] = 0;
        self.queue.clear();
        self.queue.push_back(target);
        while let Some(to) = self.queue.pop_front() {
            let next = self.steps[to.index()] + 1;
            let (below, above) = (terrain.below(to), terrain.above(to));
            let from = [
                (terrain.left(to), true),
                (terrain.right(to), true),
                (below, sight.tile(below) == Tile::Ladder),
                (above, true),
            ];
            for (number, (from, is_way)) in from.into_iter().enumerate() {
                let must_stand = number < 2;
                if is_way
                    && self.steps[from.index()] == NO_WAY
                    && sight.is_open(from)
                    && (!must_stand || sight.holds(from))
                {
                    self.steps[from.index()] = next;
                    self.queue.push_back(from);
                }
            }
        }
    }

    /// Steps from a spot to the target; `None` if there is no way.
    #[inline]
    pub(super) fn steps(&self, from: Spot) -> Option<u16> {
        Some(self.steps[from.index()]).filter(|&steps| steps != NO_WAY)
    }

    fn step(&mut self, world: &Physics<'_>, moment: &Moment, at: Spot) -> GuardStep {
        let has_exits = moment.has_exits();
        self.find(world, moment.runner, has_exits);
        self.best_step(world, has_exits, at)
    }

    /// The step that leads nearer to the target.
    pub(super) fn best_step(&self, world: &Physics<'_>, has_exits: bool, at: Spot) -> GuardStep {
        let (terrain, sight) = (world.terrain, GuardSight { world, has_exits });
        let mut best = (self.steps[at.index()], GuardStep::Stay);
        for step in GuardStep::MOVES {
            let to = match step {
                GuardStep::Left => terrain.left(at),
                GuardStep::Right => terrain.right(at),
                GuardStep::Up if sight.tile(at) == Tile::Ladder => terrain.above(at),
                GuardStep::Down => terrain.below(at),
                GuardStep::Up | GuardStep::Stay => continue,
            };
            if sight.is_open(to) && self.steps[to.index()] < best.0 {
                best = (self.steps[to.index()], step);
            }
        }
        best.1
    }
}
