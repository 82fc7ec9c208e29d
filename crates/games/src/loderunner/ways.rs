//! The runner's ways through a level without guards, as a graph of cells: steps, falls, and digging as a way down.
//!
//! A brick's own spot is a node too: being in the hole that was dug there. Two graphs are made of the same rules. The *exact*
//! one has an edge only where the runner can certainly get from one cell to the other if all other bricks are closed; what
//! can be reached in it can be reached in the game. The *relaxed* one also lets the runner dig from hole to hole as if the
//! bricks beside were open; its distances are never too long and guide searches.

use super::moment::Moment;
use super::physics::Physics;
use super::stairs::Stairs;
use super::terrain::{MAX_SPOTS, Spot, SpotSet, Tile};

/// There is no way.
pub(super) const NO_WAY: u16 = u16::MAX;

/// A directed graph over spots, with lengths.
pub(super) struct Ways {
    /// Where the edges from each spot begin, and one past the last.
    first: Vec<u32>,
    edges: Vec<(Spot, u16)>,
    /// The stairs among them, in the order of their tops.
    stairs: Vec<Stairs>,
}

/// What the edges are found from.
struct Surveyor<'a> {
    physics: &'a Physics<'a>,
    gold: &'a SpotSet,
    has_exits: bool,
    is_relaxed: bool,
}

impl Ways {
    /// The ways while this gold is on the ground.
    pub(super) fn new(physics: &Physics<'_>, gold: &SpotSet, has_exits: bool, is_relaxed: bool) -> Self {
        let surveyor = Surveyor { physics, gold, has_exits, is_relaxed };
        let (first, edges) = (Vec::with_capacity(MAX_SPOTS + 1), Vec::with_capacity(4096));
        let mut ways = Self { first, edges, stairs: Vec::new() };
        let mut inner = physics.terrain.spots().peekable();
        for number in 0..MAX_SPOTS {
            ways.first.push(ways.edges.len() as u32);
            if let Some(spot) = inner.next_if(|spot| spot.index() == number) {
                surveyor.add_edges(spot, &mut ways);
            }
        }
        ways.first.push(ways.edges.len() as u32);
        ways
    }

    /// The ways at this moment.
    pub(super) fn at(physics: &Physics<'_>, moment: &Moment, is_relaxed: bool) -> Self {
        Self::new(physics, &moment.gold, moment.has_exits(), is_relaxed)
    }

    #[inline]
    pub(super) fn from(&self, spot: Spot) -> &[(Spot, u16)] {
        &self.edges[self.first[spot.index()] as usize..self.first[spot.index() + 1] as usize]
    }

    /// The stairs, in the order of their tops.
    pub(super) fn stairs(&self) -> &[Stairs] {
        &self.stairs
    }

    /// The spots that can be reached from here.
    pub(super) fn reach(&self, from: Spot) -> SpotSet {
        let (mut reached, mut stack) = (SpotSet::default(), vec![from]);
        reached.insert(from);
        while let Some(spot) = stack.pop() {
            for &(to, _) in self.from(spot) {
                if !reached.contains(to) {
                    reached.insert(to);
                    stack.push(to);
                }
            }
        }
        reached
    }

    /// The length of the shortest way from every spot to the nearest target.
    pub(super) fn lengths_to(&self, targets: impl Iterator<Item = Spot>) -> Vec<u16> {
        let mut back: Vec<Vec<(Spot, u16)>> = vec![Vec::new(); MAX_SPOTS];
        for number in 0..MAX_SPOTS {
            let from = Spot(number as u16);
            for &(to, length) in self.from(from) {
                back[to.index()].push((from, length));
            }
        }
        let mut lengths = vec![NO_WAY; MAX_SPOTS];
        // Lengths of edges are small, so a bucket per length replaces a heap.
        let mut buckets: Vec<Vec<Spot>> = vec![Vec::new()];
        for target in targets {
            lengths[target.index()] = 0;
            buckets[0].push(target);
        }
        let mut at = 0;
        while at < buckets.len() {
            while let Some(to) = buckets[at].pop() {
                if usize::from(lengths[to.index()]) < at {
                    continue;
                }
                for &(from, length) in &back[to.index()] {
                    let longer = at + usize::from(length);
                    if longer < usize::from(lengths[from.index()]) {
                        lengths[from.index()] = longer as u16;
                        if buckets.len() <= longer {
                            buckets.resize(longer + 1, Vec::new());
                        }
                        buckets[longer].push(from);
                    }
                }
            }
            at += 1;
        }
        lengths
    }
}

impl Surveyor<'_> {
    fn tile(&self, spot: Spot) -> Tile {
        match self.physics.terrain.tile(spot) {
            Tile::ExitLadder if self.has_exits => Tile::Ladder,
            Tile::ExitLadder => Tile::Empty,
            tile => tile,
        }
    }

    fn is_open(&self, spot: Spot) -> bool {
        !matches!(self.tile(spot), Tile::Brick | Tile::Solid)
    }

    fn is_floor(&self, spot: Spot) -> bool {
        matches!(self.tile(spot), Tile::Brick | Tile::Solid | Tile::Ladder)
    }

    fn add_edges(&self, at: Spot, ways: &mut Ways) {
        let edges = &mut ways.edges;
        let terrain = self.physics.terrain;
        let (here, below) = (self.tile(at), terrain.below(at));
        if here == Tile::Solid {
            return;
        }
        let holds = matches!(here, Tile::Ladder | Tile::Rope) || self.is_floor(below);
        if !holds {
            edges.push((below, 1));
            return;
        }
        for side in [terrain.left(at), terrain.right(at)] {
            if self.is_open(side) {
                edges.push((side, 1));
            }
        }
        if here == Tile::Ladder && self.is_open(terrain.above(at)) {
            edges.push((terrain.above(at), 1));
        }
        if self.is_open(below) {
            edges.push((below, 1));
        }
        self.add_digs(at, ways);
    }

    fn add_digs(&self, at: Spot, ways: &mut Ways) {
        let dig = u16::from(self.physics.delays.dig);
        for is_left in [true, false] {
            let brick = self.physics.dig_spot(at, is_left);
            let beside = self.beside(at, is_left);
            if self.tile(brick) != Tile::Brick {
                continue;
            }
            let is_free = self.tile(beside) == Tile::Empty && !self.gold.contains(beside);
            let is_brick = self.tile(beside) == Tile::Brick;
            if is_free || (self.is_relaxed && is_brick && self.tile(at) == Tile::Brick) {
                ways.edges.push((brick, dig + 2));
            }
            if is_free && !self.is_relaxed {
                let is_empty = |spot| self.tile(spot) == Tile::Empty;
                for stairs in Stairs::from(self.physics, self.gold, is_empty, at, is_left) {
                    ways.edges.push((stairs.end(self.physics), stairs.length(self.physics)));
                    ways.stairs.push(stairs);
                }
            }
        }
    }

    fn beside(&self, at: Spot, is_left: bool) -> Spot {
        if is_left { self.physics.terrain.left(at) } else { self.physics.terrain.right(at) }
    }
}
