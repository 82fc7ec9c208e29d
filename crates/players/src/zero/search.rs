//! One tree being grown by PUCT: selection, evaluation, expansion, backpropagation.
//!
//! A position is evaluated at its first visit and gets its children at the second, when the policy is asked for the first time:
//! most leaves are never visited again. Of a node's children, those that are open have been visited; the next one has the greatest
//! prior of the rest, so that a selection looks at the open ones and at one more.

use outplay_core::{Position, Rng};
use outplay_nn::softmax;

use super::Puct;
use super::noise::dirichlet;
use super::policy_value::PolicyValue;
use crate::budget::Clock;
use crate::terminal::TerminalRules;
use crate::tree::growth::GrowingTree;
use crate::tree::{ROOT, Tree};

/// What a search keeps from move to move.
#[derive(Clone, Debug)]
pub(super) struct ZeroWorker<P: Position, V> {
    pub(super) tree: Tree<P::Move>,
    pub(super) network: V,
    path: Vec<u32>,
    moves: Vec<P::Move>,
    priors: Vec<f32>,
}

impl<P: Position, V: PolicyValue<P>> ZeroWorker<P, V> {
    pub(super) fn new(network: V, capacity: usize) -> Self {
        let (path, moves, priors) = (Vec::new(), Vec::new(), Vec::new());
        Self { tree: Tree::new(capacity), network, path, moves, priors }
    }

    /// Adds a child for every legal move of a position, `ply` plies below the root. False if there is no room.
    fn expand(&mut self, node: u32, ply: usize, position: &P) -> bool {
        let Self { tree, network, moves, priors, .. } = self;
        moves.clear();
        priors.clear();
        position.moves_into(moves);
        network.logits(ply, position, moves, priors);
        softmax(priors);
        let has_room = tree.add_children(node, moves.iter().copied().zip(priors.iter().copied()), 0);
        if has_room {
            bring_likeliest(tree, node, 0);
        }
        has_room
    }

    /// The child with the greatest upper confidence bound, lost ones apart. The node is expanded and has been visited.
    fn select(&mut self, node: u32, puct: &Puct) -> u32 {
        let tree = &mut self.tree;
        let (parent, children) = (tree.node(node), tree.children(node));
        let open = usize::from(parent.open);
        let weight = puct.weight(parent.visits);
        let (mut best, mut best_bound, mut visited_prior) = (open, f64::NEG_INFINITY, 0.0);
        for (place, child) in children[..open].iter().enumerate() {
            visited_prior += child.prior;
            let bound = child.value() + weight * f64::from(child.prior) / (1.0 + f64::from(child.visits));
            if bound > best_bound && !child.is_lost() {
                (best, best_bound) = (place, bound);
            }
        }
        let first = parent.child_range().start;
        if let Some(next) = children.get(open) {
            let unvisited = puct.first_value(1.0 - parent.value(), visited_prior);
            if unvisited + weight * f64::from(next.prior) > best_bound {
                best = open;
                tree.node_mut(node).open += 1;
                bring_likeliest(tree, node, open + 1);
            }
        }
        (first + best) as u32
    }
}

/// Exchanges the child of greatest prior among those from this place on with the one in this place.
fn bring_likeliest<M: Copy + PartialEq>(tree: &mut Tree<M>, node: u32, place: usize) {
    let rest = &mut tree.children_mut(node)[place..];
    let likeliest =
        (0..rest.len()).reduce(|best, next| if rest[next].prior > rest[best].prior { next } else { best });
    if let Some(likeliest) = likeliest {
        rest.swap(0, likeliest);
    }
}

/// A search in progress from one root.
pub(super) struct ZeroSearch<'a, P: Position, V> {
    pub(super) worker: &'a mut ZeroWorker<P, V>,
    root: &'a P,
    puct: Puct,
    terminal_rules: TerminalRules,
    clock: Clock<'a>,
}

impl<'a, P: Position, V: PolicyValue<P>> ZeroSearch<'a, P, V> {
    /// A search of an unfinished position, whose own evaluation is no simulation.
    pub(super) fn new(
        worker: &'a mut ZeroWorker<P, V>,
        root: &'a P,
        puct: Puct,
        terminal_rules: TerminalRules,
        clock: Clock<'a>,
    ) -> Self {
        worker.network.begin(root);
        if worker.tree.node(ROOT).visits == 0 {
            let points = worker.network.points(0, root);
            worker.tree.backpropagate(&[ROOT], 1.0 - points);
        }
        if !worker.tree.is_expanded(ROOT) {
            worker.expand(ROOT, 0, root);
        }
        Self { worker, root, puct, terminal_rules, clock }
    }

    /// Mixes this share of noise into the priors of the root moves: of Dirichlet's distribution, which favours few of them.
    pub(super) fn mix_noise(&mut self, share: f32, rng: &mut Rng) {
        let tree = &mut self.worker.tree;
        let children = tree.children_mut(ROOT);
        let noise = dirichlet(children.len(), rng);
        for (child, noise) in children.iter_mut().zip(noise) {
            child.prior += share * (noise - child.prior);
        }
        let open = usize::from(tree.node(ROOT).open);
        bring_likeliest(tree, ROOT, open);
    }

    /// One simulation, which begins with this child of the root, if one is given.
    pub(super) fn simulate(&mut self, first: Option<u32>) {
        let (mut position, mut node, mut ply) = (self.root.clone(), ROOT, 0);
        self.worker.path.clear();
        self.worker.path.push(ROOT);
        let points = loop {
            node = match first {
                Some(first) if node == ROOT => first,
                _ => self.worker.select(node, &self.puct),
            };
            self.terminal_rules.enter(&position);
            let worker = &mut *self.worker;
            let mv = worker.tree.mv(node);
            worker.network.step(ply, &position, mv);
            position.play(mv);
            ply += 1;
            worker.path.push(node);
            if worker.tree.is_expanded(node) {
                continue;
            }
            if let Some(end) = self.terminal_rules.at(&position, ply as u32) {
                if end.forced_result().is_some() {
                    worker.tree.prove(&worker.path, -end);
                }
                break end.chance();
            }
            if worker.tree.node(node).visits == 0 || !worker.expand(node, ply, &position) {
                break worker.network.points(ply, &position);
            }
        };
        self.terminal_rules.rewind();
        self.worker.tree.backpropagate(&self.worker.path, 1.0 - points);
        self.clock.tick();
    }
}

impl<P: Position, V: PolicyValue<P>> GrowingTree<P::Move> for ZeroSearch<'_, P, V> {
    fn simulate_up_to(&mut self, simulations: u64) {
        for _ in 0..simulations {
            if self.clock.is_over() || self.is_proven() {
                break;
            }
            self.simulate(None);
        }
    }

    fn tree(&self) -> &Tree<P::Move> {
        &self.worker.tree
    }

    fn clock(&self) -> &Clock<'_> {
        &self.clock
    }
}
