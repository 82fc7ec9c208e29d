//! How the games to learn from choose at the root: what the search is asked for, the move, and the policy that it improves to.

use outplay_core::{Position, Rng};
use outplay_nn::softmax;

use super::noise::gumbel;
use super::policy_value::PolicyValue;
use super::search::ZeroSearch;
use crate::tree::growth::GrowingTree;
use crate::tree::{ROOT, TreeNode};

/// How moves are tried at the root of a search in self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootExploration {
    /// Gumbel's noise draws so many moves without replacement, among which sequential halving finds the best.
    Gumbel {
        /// How many moves are tried at first.
        considered: usize,
    },
    /// As everywhere in the tree, with this share of Dirichlet's noise in the priors.
    Dirichlet {
        /// The share.
        share: f32,
    },
}

/// What a search of the root came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RootResult<M> {
    /// The move that the search holds for best, by Gumbel's noise or by visits.
    pub(super) best: M,
    /// Every legal move with its probability by the improved policy.
    pub(super) policy: Vec<(M, f32)>,
    /// The points that the side to move can expect.
    pub(super) points: f64,
    pub(super) is_proven: bool,
}

/// Searches the root with so many simulations. Without a generator there is no noise.
pub(super) fn search_root<P: Position, V: PolicyValue<P>>(
    search: &mut ZeroSearch<'_, P, V>,
    exploration: RootExploration,
    simulations: u32,
    noise: Option<&mut Rng>,
) -> RootResult<P::Move> {
    let points = 1.0 - search.tree().node(ROOT).value();
    let best = match (exploration, noise) {
        (RootExploration::Gumbel { considered }, noise) => {
            let mut halving = Halving::new(search.tree().children(ROOT), noise);
            halving.run(search, considered, simulations);
            Some(halving.order[0])
        }
        (RootExploration::Dirichlet { share }, noise) => {
            if let Some(rng) = noise {
                search.mix_noise(share, rng);
            }
            search.simulate_up_to(u64::from(simulations));
            None
        }
    };
    let children = search.tree().children(ROOT);
    let proven = proven_best(search.tree().node(ROOT), children);
    let (policy, best) = match (proven, best) {
        (Some(best), _) => (one_hot(children.len(), best), best),
        (None, Some(best)) => (improved_policy(children, points), best),
        (None, None) => {
            let visits: Vec<f32> = children.iter().map(|child| child.visits as f32).collect();
            let sum: f32 = visits.iter().sum();
            // Lost moves have been left before they were known to be.
            let most = (0..children.len())
                .rev()
                .max_by_key(|&place| (!children[place].is_lost(), children[place].visits));
            (visits.iter().map(|visits| visits / sum.max(1.0)).collect(), most.unwrap_or(0))
        }
    };
    let first = search.tree().node(ROOT).child_range().start as u32;
    let mv = |place: usize| search.tree().mv(first + place as u32);
    RootResult {
        best: mv(best),
        policy: policy.into_iter().enumerate().map(|(place, share)| (mv(place), share)).collect(),
        points: 1.0 - proven_points(search.tree().node(ROOT)),
        is_proven: proven.is_some(),
    }
}

/// The child that a proven root has for its best: the nearest win, else the farthest loss.
fn proven_best<M>(root: &TreeNode<M>, children: &[TreeNode<M>]) -> Option<usize> {
    let best = || (0..children.len()).rev().max_by_key(|&place| children[place].proof);
    root.is_proven().then(best).flatten()
}

fn one_hot(count: usize, place: usize) -> Vec<f32> {
    let mut policy = vec![0.0; count];
    policy[place] = 1.0;
    policy
}

/// The points of a visited node, or of its proven result, for the seat that moves to it.
fn proven_points<M>(node: &TreeNode<M>) -> f64 {
    if node.is_proven() { node.proof.chance() } else { node.value() }
}

/// ln p of a child's prior.
fn logit<M>(child: &TreeNode<M>) -> f32 {
    child.prior.max(f32::MIN_POSITIVE).ln()
}

/// The monotone function σ by which points count against logits, with the paper's constants.
fn transformed(points: f64, most_visits: u32) -> f32 {
    const VISITS: f64 = 50.0;
    const SCALE: f64 = 1.0;
    ((VISITS + f64::from(most_visits)) * SCALE * points) as f32
}

fn most_visits<M>(children: &[TreeNode<M>]) -> u32 {
    children.iter().map(|child| child.visits).max().unwrap_or(0)
}

/// Sequential halving among the children of the root, with the order of all of them by what is known of each.
struct Halving {
    /// The noise of each child, by place.
    noise: Vec<f32>,
    /// The places of the children, the best first.
    order: Vec<usize>,
}

impl Halving {
    fn new<M>(children: &[TreeNode<M>], rng: Option<&mut Rng>) -> Self {
        let noise: Vec<f32> = match rng {
            Some(rng) => children.iter().map(|_| gumbel(rng)).collect(),
            None => vec![0.0; children.len()],
        };
        let mut halving = Self { noise, order: (0..children.len()).collect() };
        halving.sort(children, children.len(), |_| 0.0);
        halving
    }

    /// Sorts so many of the first places by noise, logit and the transformed points.
    fn sort<M>(&mut self, children: &[TreeNode<M>], count: usize, transformed: impl Fn(&TreeNode<M>) -> f32) {
        let Self { noise, order } = self;
        let score = |place: usize| noise[place] + logit(&children[place]) + transformed(&children[place]);
        order[..count].sort_by(|&one, &other| score(other).total_cmp(&score(one)));
    }

    /// Tries `considered` children at first, and then half as many with about as many simulations together, until all
    /// simulations are made or the result is proven. Lost children leave their place to the next ones.
    fn run<P: Position, V: PolicyValue<P>>(
        &mut self,
        search: &mut ZeroSearch<'_, P, V>,
        considered: usize,
        simulations: u32,
    ) {
        let first = search.tree().node(ROOT).child_range().start as u32;
        let considered = considered.clamp(1, self.order.len());
        let phases = considered.next_power_of_two().trailing_zeros().max(1);
        let (mut remaining, mut left) = (considered, simulations);
        while left > 0 && !search.is_proven() {
            let each = (simulations / (phases * remaining as u32)).max(1);
            for _ in 0..each {
                for place in 0..remaining {
                    let child = self.order[place];
                    if left == 0 || search.is_proven() {
                        break;
                    }
                    if !search.tree().children(ROOT)[child].is_lost() {
                        search.simulate(Some(first + child as u32));
                        left -= 1;
                    }
                }
                self.drop_lost(search.tree().children(ROOT));
            }
            let children = search.tree().children(ROOT);
            let most = most_visits(children);
            self.sort(children, remaining, |child| transformed(proven_points(child), most));
            remaining = (remaining / 2).max(2).min(considered);
        }
        self.drop_lost(search.tree().children(ROOT));
    }

    /// Puts lost children behind all others, which keep their order.
    fn drop_lost<M>(&mut self, children: &[TreeNode<M>]) {
        if children.iter().any(TreeNode::is_lost) {
            self.order.sort_by_key(|&place| children[place].is_lost());
        }
    }
}

/// The policy that the search improves to: logits plus transformed points, where a child without visits counts for what can be
/// expected of it. `root_points` is the network's own value of the root.
fn improved_policy<M>(children: &[TreeNode<M>], root_points: f64) -> Vec<f32> {
    let visited = || children.iter().filter(|child| child.visits > 0);
    let visits: f64 = visited().map(|child| f64::from(child.visits)).sum();
    let prior: f64 = visited().map(|child| f64::from(child.prior)).sum();
    let weighed: f64 = visited().map(|child| f64::from(child.prior) * proven_points(child)).sum();
    let mean = if prior > 0.0 { weighed / prior } else { root_points };
    let unvisited = (root_points + visits * mean) / (1.0 + visits);
    let most = most_visits(children);
    let points = |child: &TreeNode<M>| if child.visits > 0 { proven_points(child) } else { unvisited };
    let mut policy: Vec<f32> =
        children.iter().map(|child| logit(child) + transformed(points(child), most)).collect();
    softmax(&mut policy);
    policy
}
