//! The statistics of the root moves, summed over all trees.

use std::cmp::Reverse;
use std::time::Duration;

use outplay_core::{Candidate, Position, Score, Thought};

use super::{ROOT, Tree};

/// One move of the root, summed over the trees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMoveStats<M> {
    pub(crate) mv: M,
    pub(crate) visits: u64,
    points: f64,
    /// A forced result proven in one of the trees; even if there is none.
    pub(crate) proof: Score,
}

impl<M> RootMoveStats<M> {
    /// Points per visit; ½ without visits.
    fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / self.visits as f64 }
    }
}

/// The moves, best first: by proof, then visits, then value, then the order of the game.
pub(crate) fn best_first<P: Position>(view: &P, trees: &[&Tree<P::Move>]) -> Vec<RootMoveStats<P::Move>> {
    let mut stats: Vec<_> = view.moves().into_iter().filter_map(|mv| root_move_stats(mv, trees)).collect();
    stats.sort_by(|a, b| {
        let preference = |stats: &RootMoveStats<P::Move>| Reverse((stats.proof, stats.visits));
        preference(a).cmp(&preference(b)).then(b.value().total_cmp(&a.value()))
    });
    stats
}

/// `None` for a move that is not among the root's children.
fn root_move_stats<M: Copy + PartialEq>(mv: M, trees: &[&Tree<M>]) -> Option<RootMoveStats<M>> {
    let mut sum: Option<RootMoveStats<M>> = None;
    for tree in trees {
        if let Some(node) = tree.child(ROOT, mv).map(|child| tree.node(child)) {
            let sum = sum.get_or_insert(RootMoveStats { mv, visits: 0, points: 0.0, proof: Score::EVEN });
            sum.visits += u64::from(node.visits);
            sum.points += node.points;
            if node.is_proven() {
                sum.proof = node.proof;
            }
        }
    }
    sum
}

/// What these trees make of the position, after so many simulations and so much time.
pub(crate) fn thought<P: Position>(
    view: &P,
    trees: &[&Tree<P::Move>],
    simulations: u64,
    elapsed: Duration,
) -> Thought<P::Move> {
    let stats = best_first(view, trees);
    let visits = stats.iter().map(|stats| stats.visits).sum::<u64>().max(1) as f64;
    let candidate = |stats: &RootMoveStats<P::Move>| {
        let (mv, weight, line) = (stats.mv, stats.visits as f64 / visits, line(stats.mv, trees));
        if stats.proof == Score::EVEN {
            Candidate::expected(mv, stats.value(), weight, line)
        } else {
            Candidate::scored(mv, stats.proof.delayed(1), weight, line)
        }
    };
    Thought { candidates: stats.iter().map(candidate).collect(), depth: 0, nodes: simulations, elapsed }
}

/// The principal variation after the move, from the tree with the most visits of it.
fn line<M: Copy + PartialEq>(mv: M, trees: &[&Tree<M>]) -> Vec<M> {
    let visits = |tree: &&&Tree<M>| tree.child(ROOT, mv).map(|child| tree.node(child).visits);
    let best = trees.iter().max_by_key(visits);
    let rest = best.and_then(|tree| Some(tree.most_visited_line(tree.child(ROOT, mv)?)));
    std::iter::once(mv).chain(rest.unwrap_or_default()).collect()
}
