//! The statistics of the root moves, summed over all trees.

use std::cmp::Reverse;

use outplay_core::{Candidate, Evaluator, Position, Score, Thought};

use super::search::MctsSearch;
use super::tree::{ROOT, Tree};
use crate::budget::Clock;

/// One move of the root, summed over the trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMoveStats<M> {
    pub(super) mv: M,
    visits: u64,
    points: f64,
    /// A forced result proven in one of the trees; even if there is none.
    proof: Score,
}

impl<M> RootMoveStats<M> {
    /// Points per visit; ½ without visits.
    fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / self.visits as f64 }
    }
}

/// The moves, best first: by proof, then visits, then value, then the order of the game.
pub(super) fn best_first<P, E>(view: &P, searches: &[MctsSearch<'_, P, E>]) -> Vec<RootMoveStats<P::Move>>
where
    P: Position,
    E: Evaluator<P>,
{
    let mut stats: Vec<_> = view.moves().into_iter().filter_map(|mv| root_move_stats(mv, searches)).collect();
    stats.sort_by(|a, b| {
        let preference = |stats: &RootMoveStats<P::Move>| Reverse((stats.proof, stats.visits));
        preference(a).cmp(&preference(b)).then(b.value().total_cmp(&a.value()))
    });
    stats
}

/// `None` for a move that is not among the root's children.
fn root_move_stats<P: Position, E: Evaluator<P>>(
    mv: P::Move,
    searches: &[MctsSearch<'_, P, E>],
) -> Option<RootMoveStats<P::Move>> {
    let mut sum: Option<RootMoveStats<P::Move>> = None;
    for tree in searches.iter().map(|search| &search.worker.tree) {
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

pub(super) fn thought<P, E>(
    view: &P,
    searches: &[MctsSearch<'_, P, E>],
    clock: &Clock<'_>,
) -> Thought<P::Move>
where
    P: Position,
    E: Evaluator<P>,
{
    let stats = best_first(view, searches);
    let visits = stats.iter().map(|stats| stats.visits).sum::<u64>().max(1) as f64;
    let candidate = |stats: &RootMoveStats<P::Move>| {
        let (mv, weight, line) = (stats.mv, stats.visits as f64 / visits, line(stats.mv, searches));
        if stats.proof == Score::EVEN {
            Candidate::expected(mv, stats.value(), weight, line)
        } else {
            Candidate::scored(mv, stats.proof.delayed(1), weight, line)
        }
    };
    Thought {
        candidates: stats.iter().map(candidate).collect(),
        depth: 0,
        nodes: searches.iter().map(|search| search.clock.nodes()).sum(),
        elapsed: clock.elapsed(),
    }
}

/// The principal variation after the move, from the tree with the most visits of it.
fn line<P: Position, E: Evaluator<P>>(mv: P::Move, searches: &[MctsSearch<'_, P, E>]) -> Vec<P::Move> {
    let visits = |tree: &&Tree<P::Move>| tree.child(ROOT, mv).map(|child| tree.node(child).visits);
    let best = searches.iter().map(|search| &search.worker.tree).max_by_key(visits);
    let rest = best.and_then(|tree| Some(tree.most_visited_line(tree.child(ROOT, mv)?)));
    std::iter::once(mv).chain(rest.unwrap_or_default()).collect()
}
