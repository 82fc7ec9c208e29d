//! All solutions of each component at once, as a decision diagram.
//!
//! Groups are decided one after the other, one per layer. A node stands for all decisions so far that leave the same
//! to be found by every partly decided constraint; an edge decides the next group. A path from the first node to the
//! last is a solution in group counts, and its weight is the number of placements it stands for. Every node stores,
//! for each number of mines on the way to it, the weight of those paths (`forward`), and of the paths on from it
//! (`backward`). So the work grows with the width of the frontier, not with the number of solutions.
//!
//! Invariant: weights are tilted by odds^mines so that likely totals are near 1, and every layer is rescaled by a
//! power of two when needed: nothing overflows, and what underflows is 10⁻²⁰⁰ of the rest. All terms are positive, so
//! nothing cancels.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::frontier::{CellGroup, Frontier};
use super::index::NodeIndex;

/// The greatest number of partly decided constraints in a key.
const SLOTS: usize = 32;
const BITS: u32 = 4;
/// A diagram with more nodes or more weights is given up.
const MOST_NODES: usize = 1 << 20;
const MOST_WEIGHTS: usize = 1 << 22;
/// Nodes between two readings of the stop flag.
const STEP: usize = 4096;
/// Layers whose largest weight is outside these bounds are rescaled.
const LARGEST: f64 = 1e100;
const SMALLEST: f64 = 1e-100;

/// The decision of one group.
#[derive(Clone, Debug)]
pub(super) struct DiagramLayer {
    pub(super) group: u16,
    /// The group's mines beyond its least, at most.
    pub(super) spare: u8,
    /// A 1 in the slot of each of the group's constraints.
    unit: u128,
    /// What the constraints that begin with this group need, in their slots.
    opened: u128,
    slots: [ConstraintSlot; 8],
    constraints: u8,
    /// The nodes at which it is decided.
    pub(super) nodes: Range<usize>,
    /// The tilted weight of each number of mines beyond the least.
    pub(super) weights: [f64; 9],
    /// The number of ways to place each number of mines on the group's cells.
    pub(super) ways: [u8; 9],
}

/// A constraint in a layer: its slot, and how many mines its later groups can still take.
#[derive(Clone, Copy, Debug, Default)]
struct ConstraintSlot {
    slot: u8,
    later: u8,
}

/// A node: all partial solutions that leave the same to be found.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiagramNode {
    key: u128,
    first_edge: u32,
    /// The next group's mines along the first edge; each further edge has one more.
    fewest: u8,
    edges: u8,
    /// Mines on the way to the node: `span` different numbers, from `low` on.
    pub(super) low: u16,
    span: u16,
    first_weight: u32,
}

impl DiagramNode {
    const fn new(key: u128, low: u16, span: u16) -> Self {
        Self { key, first_edge: 0, fewest: 0, edges: 0, low, span, first_weight: 0 }
    }

    /// The range of the node's weights.
    pub(super) fn weights(&self) -> Range<usize> {
        self.first_weight as usize..self.first_weight as usize + self.span as usize
    }

    /// The start, in the weights of `to`, of the node's own weights shifted by this many mines.
    pub(super) const fn shift(&self, mines: usize, to: &Self) -> usize {
        to.first_weight as usize + self.low as usize + mines - to.low as usize
    }

    /// The edges, each with the mines it decides and the node it leads to.
    pub(super) fn out_edges<'e>(&self, edges: &'e [u32]) -> impl Iterator<Item = (usize, usize)> + use<'e> {
        let first = self.first_edge as usize;
        let targets = &edges[first..first + self.edges as usize];
        (self.fewest as usize..).zip(targets.iter().map(|&target| target as usize))
    }
}

/// The layers of one component, and its last node, where every constraint is satisfied.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) layers: Range<usize>,
    pub(super) last: usize,
    /// The weights were divided by two to this power.
    pub(super) exponent: i32,
}

/// Why a component could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiagramError {
    Contradictory,
    TooWide,
    Stopped,
}

/// The diagrams of all components, in reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Diagram {
    pub(super) components: Vec<Component>,
    pub(super) layers: Vec<DiagramLayer>,
    pub(super) nodes: Vec<DiagramNode>,
    pub(super) edges: Vec<u32>,
    pub(super) forward: Vec<f64>,
    pub(super) backward: Vec<f64>,
    index: NodeIndex,
    slots: SlotAllocator,
}

/// The slots of partly decided constraints, and what their undecided groups can take.
#[derive(Clone, Debug, Default)]
struct SlotAllocator {
    free: u32,
    slot_of: Vec<u8>,
    later: Vec<u8>,
    undecided: Vec<u8>,
}

const UNSEATED: u8 = u8::MAX;

/// Binomial coefficients of up to eight.
pub(super) const CHOOSE: [[u8; 9]; 9] = {
    let mut table = [[0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

impl Diagram {
    pub(super) fn clear(&mut self, frontier: &Frontier) {
        self.components.clear();
        self.layers.clear();
        self.nodes.clear();
        self.edges.clear();
        self.forward.clear();
        self.backward.clear();
        self.slots.clear(frontier);
    }

    /// Builds the diagram of a component whose groups are decided in this order.
    pub(super) fn add(
        &mut self,
        frontier: &Frontier,
        groups: &[u16],
        odds: f64,
        stop: &AtomicBool,
    ) -> Result<(), DiagramError> {
        let first_layer = self.layers.len();
        let (mut first_node, mut exponent) = (self.nodes.len(), 0);
        self.nodes.push(DiagramNode { first_weight: self.forward.len() as u32, ..DiagramNode::new(0, 0, 1) });
        self.forward.push(1.0);
        for &group in groups {
            let next = self.nodes.len();
            let layer =
                self.slots.layer(frontier, group, first_node..next, odds).ok_or(DiagramError::TooWide)?;
            self.grow(&layer, stop)?;
            if next == self.nodes.len() {
                return Err(DiagramError::Contradictory);
            }
            exponent += self.carry_weights(&layer)?;
            self.layers.push(layer);
            first_node = next;
        }
        debug_assert_eq!(first_node + 1, self.nodes.len(), "one node satisfies every constraint");
        self.components.push(Component {
            layers: first_layer..self.layers.len(),
            last: first_node,
            exponent,
        });
        Ok(())
    }

    /// Adds the edges out of a layer's nodes, and the nodes they lead to.
    fn grow(&mut self, layer: &DiagramLayer, stop: &AtomicBool) -> Result<(), DiagramError> {
        self.index.clear();
        for from in layer.nodes.clone() {
            if (from + 1).is_multiple_of(STEP) && stop.load(Ordering::Relaxed) {
                return Err(DiagramError::Stopped);
            }
            if self.nodes.len() > MOST_NODES {
                return Err(DiagramError::TooWide);
            }
            let DiagramNode { key, low, span, .. } = self.nodes[from];
            let key = key + layer.opened;
            let (fewest, most) = layer.choices(key);
            self.nodes[from].first_edge = self.edges.len() as u32;
            self.nodes[from].fewest = fewest;
            self.nodes[from].edges = (most + 1).saturating_sub(fewest);
            for mines in fewest..=most {
                let key = key - layer.unit * u128::from(mines);
                let low = low + u16::from(mines);
                let fresh = self.nodes.len();
                let target = self.index.find_or_insert(key, fresh, |node| self.nodes[node].key);
                if target == fresh {
                    self.nodes.push(DiagramNode::new(key, low, span));
                } else {
                    let node = &mut self.nodes[target];
                    let high = (node.low + node.span).max(low + span);
                    node.low = node.low.min(low);
                    node.span = high - node.low;
                }
                self.edges.push(target as u32);
            }
        }
        Ok(())
    }

    /// Carries the weights of a layer's nodes along its edges; returns the power of two they were divided by.
    fn carry_weights(&mut self, layer: &DiagramLayer) -> Result<i32, DiagramError> {
        let start = self.forward.len();
        let mut end = start;
        for node in &mut self.nodes[layer.nodes.end..] {
            node.first_weight = end as u32;
            end += node.span as usize;
        }
        if self.nodes.len() > MOST_NODES || end > MOST_WEIGHTS {
            return Err(DiagramError::TooWide);
        }
        self.forward.resize(end, 0.0);
        let (before, after) = self.forward.split_at_mut(start);
        for from in &self.nodes[layer.nodes.clone()] {
            for (mines, target) in from.out_edges(&self.edges) {
                let shift = from.shift(mines, &self.nodes[target]) - start;
                let weight = layer.weights[mines];
                for (sum, ways) in after[shift..].iter_mut().zip(&before[from.weights()]) {
                    *sum += weight * ways;
                }
            }
        }
        Ok(rescale(after))
    }

    /// The weight of the component's solutions by their mines beyond the least, from the fewest on.
    pub(super) fn totals(&self, component: &Component) -> (usize, &[f64]) {
        let last = &self.nodes[component.last];
        (last.low as usize, &self.forward[last.weights()])
    }
}

impl SlotAllocator {
    fn clear(&mut self, frontier: &Frontier) {
        self.free = u32::MAX;
        self.slot_of.clear();
        self.slot_of.resize(frontier.constraints.len(), UNSEATED);
        self.later.clear();
        self.undecided.clear();
        for constraint in &frontier.constraints {
            let groups = constraint.groups.items().iter().map(|&group| &frontier.groups[group as usize]);
            let (later, undecided) = groups.fold((0, 0), |(later, undecided), group| {
                (later + group.most - group.least, undecided + u8::from(!group.is_settled()))
            });
            self.later.push(later);
            self.undecided.push(undecided);
        }
    }

    /// The layer that decides this group; `None` if its constraints need too many slots.
    fn layer(
        &mut self,
        frontier: &Frontier,
        group: u16,
        nodes: Range<usize>,
        odds: f64,
    ) -> Option<DiagramLayer> {
        let chosen = &frontier.groups[group as usize];
        let spare = chosen.most - chosen.least;
        let mut layer = DiagramLayer::new(group, chosen, nodes, odds);
        let mut left = 0;
        for &constraint in chosen.constraints.items() {
            let index = constraint as usize;
            if self.slot_of[index] == UNSEATED {
                let slot = self.free.trailing_zeros();
                if slot as usize == SLOTS {
                    return None;
                }
                self.free &= !(1 << slot);
                self.slot_of[index] = slot as u8;
                layer.opened |= u128::from(to_find(frontier, constraint)) << (slot * BITS);
            }
            let slot = self.slot_of[index];
            self.later[index] -= spare;
            self.undecided[index] -= 1;
            layer.unit |= 1 << (u32::from(slot) * BITS);
            layer.slots[layer.constraints as usize] = ConstraintSlot { slot, later: self.later[index] };
            layer.constraints += 1;
            if self.undecided[index] == 0 {
                left |= 1 << slot;
            }
        }
        self.free |= left;
        Some(layer)
    }
}

/// The mines that a constraint's groups need beyond their least.
fn to_find(frontier: &Frontier, constraint: u16) -> u8 {
    let constraint = &frontier.constraints[constraint as usize];
    let groups = constraint.groups.items().iter().map(|&group| &frontier.groups[group as usize]);
    (constraint.mines - groups.map(|group| i16::from(group.least)).sum::<i16>()) as u8
}

impl DiagramLayer {
    fn new(group: u16, chosen: &CellGroup, nodes: Range<usize>, odds: f64) -> Self {
        let mut weights = [0.0; 9];
        let mut ways = [0; 9];
        for mines in chosen.least..=chosen.most {
            let beyond = (mines - chosen.least) as usize;
            ways[beyond] = CHOOSE[chosen.size as usize][mines as usize];
            weights[beyond] = f64::from(ways[beyond]) * odds.powi(i32::from(mines));
        }
        Self {
            group,
            spare: chosen.most - chosen.least,
            unit: 0,
            opened: 0,
            slots: [ConstraintSlot::default(); 8],
            constraints: 0,
            nodes,
            weights,
            ways,
        }
    }

    /// The fewest and the most mines that every constraint of the group allows in the state `key`.
    #[inline]
    fn choices(&self, key: u128) -> (u8, u8) {
        let (mut fewest, mut most) = (0, self.spare);
        for constraint in &self.slots[..self.constraints as usize] {
            let to_find = (key >> (u32::from(constraint.slot) * BITS)) as u8 & 15;
            fewest = fewest.max(to_find.saturating_sub(constraint.later));
            most = most.min(to_find);
        }
        (fewest, most)
    }
}

/// Divides by a power of two if the largest is out of bounds; returns the exponent.
pub(super) fn rescale(weights: &mut [f64]) -> i32 {
    let largest = weights.iter().fold(0.0, |largest: f64, &weight| largest.max(weight));
    if largest == 0.0 || (SMALLEST..LARGEST).contains(&largest) {
        return 0;
    }
    let power = largest.log2().floor() as i32;
    let factor = 2f64.powi(-power);
    for weight in weights {
        *weight *= factor;
    }
    power
}
