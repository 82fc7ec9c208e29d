//! Paths through a finished diagram: the marginals of each group, the exact number of paths, a random path.

use outplay_core::Rng;

use super::diagram::{Component, Diagram, rescale};

/// The tilted weights of one group: of all solutions, of its mines beyond the least, of its empty cells below the
/// most; and which numbers of mines beyond the least occur, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupWeights {
    pub(super) total: f64,
    pub(super) mines: f64,
    pub(super) lacking: f64,
    pub(super) counts: u16,
}

impl GroupWeights {
    fn add(&mut self, weight: f64, mines: usize, spare: u8) {
        self.total += weight;
        self.mines += weight * mines as f64;
        self.lacking += weight * (spare as usize - mines) as f64;
        self.counts |= u16::from(weight > 0.0) << mines;
    }
}

impl Diagram {
    /// The backward pass through a component whose solutions with each number of mines are weighted by `context`;
    /// visits the weights of each group.
    pub(super) fn marginals(
        &mut self,
        component: usize,
        context: &[f64],
        mut show: impl FnMut(u16, GroupWeights),
    ) {
        let Component { layers, last, .. } = self.components[component].clone();
        self.backward.resize(self.forward.len(), 0.0);
        self.backward[self.nodes[last].weights()].copy_from_slice(context);
        for layer in self.layers[layers].iter().rev() {
            let start = self.nodes[layer.nodes.start].weights().start;
            let end = self.nodes[layer.nodes.end].weights().start;
            let (here, later) = self.backward.split_at_mut(end);
            let mut weights = GroupWeights::default();
            for from in &self.nodes[layer.nodes.clone()] {
                let ways = &self.forward[from.weights()];
                let sums = &mut here[from.weights()];
                sums.fill(0.0);
                for (mines, target) in from.out_edges(&self.edges) {
                    let onward = &later[from.shift(mines, &self.nodes[target]) - end..];
                    let weight = layer.weights[mines];
                    let mut met = 0.0;
                    for ((sum, ways), on) in sums.iter_mut().zip(ways).zip(onward) {
                        *sum += weight * on;
                        met += ways * on;
                    }
                    weights.add(weight * met, mines, layer.spare);
                }
            }
            rescale(&mut here[start..]);
            show(layer.group, weights);
        }
    }

    /// Draws one solution of a component after [`marginals`](Self::marginals), by its weight there; visits the mines
    /// of each group beyond its least and returns their sum.
    pub(super) fn draw(&self, component: usize, rng: &mut Rng, mut show: impl FnMut(u16, usize)) -> usize {
        let layers = self.components[component].layers.clone();
        let (mut node, mut sum) = (self.layers[layers.start].nodes.start, 0);
        for layer in &self.layers[layers] {
            let from = &self.nodes[node];
            let onward = |mines: usize, target: usize| {
                let shift = from.shift(mines, &self.nodes[target]) + sum - from.low as usize;
                layer.weights[mines] * self.backward[shift]
            };
            let total: f64 = from.out_edges(&self.edges).map(|(mines, target)| onward(mines, target)).sum();
            let mut left = rng.unit() * total;
            let mut chosen = None;
            for (mines, target) in from.out_edges(&self.edges) {
                let weight = onward(mines, target);
                if weight > 0.0 && (chosen.is_none() || left >= 0.0) {
                    chosen = Some((mines, target));
                }
                left -= weight;
            }
            let (mines, target) =
                chosen.expect("after the backward pass every node on the path has a way on");
            show(layer.group, mines);
            sum += mines;
            node = target;
        }
        sum
    }

    /// The exact number of placements of a component's mines, by their number beyond the least; `None` on overflow.
    pub(super) fn count(&self, component: &Component) -> Option<Vec<u128>> {
        let origin = self.nodes[self.layers[component.layers.start].nodes.start].weights().start;
        let last = self.nodes[component.last].weights();
        let mut placements = vec![0u128; last.end - origin];
        placements[0] = 1;
        for layer in &self.layers[component.layers.clone()] {
            for from in &self.nodes[layer.nodes.clone()] {
                for (mines, target) in from.out_edges(&self.edges) {
                    let shift = from.shift(mines, &self.nodes[target]) - origin;
                    for (offset, place) in from.weights().enumerate() {
                        let ways = placements[place - origin].checked_mul(u128::from(layer.ways[mines]))?;
                        let sum = &mut placements[shift + offset];
                        *sum = sum.checked_add(ways)?;
                    }
                }
            }
        }
        Some(placements.split_off(last.start - origin))
    }
}
