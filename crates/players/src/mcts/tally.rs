//! What all trees together say about the moves of the root.

use std::cmp::Reverse;

use outplay_core::{Candidate, Evaluator, Position, Score, Thought};

use super::explorer::Explorer;
use super::tree::{ROOT, Tree};
use crate::budget::Clock;

/// One move of the root, summed over the trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<M> {
    pub(super) mv: M,
    visits: u64,
    points: f64,
    /// A certain result, proven in one of the trees; even if there is none.
    proof: Score,
}

impl<M> Tally<M> {
    /// Points per visit; nothing is known of a move without visits.
    fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / self.visits as f64 }
    }
}

/// The moves as the player prefers them: the proof, then visits, then value, then the order of the rules.
pub(super) fn best_first<P, E>(view: &P, explorers: &[Explorer<'_, P, E>]) -> Vec<Tally<P::Move>>
where
    P: Position,
    E: Evaluator<P>,
{
    let mut tallies: Vec<_> = view.moves().into_iter().filter_map(|mv| tally(mv, explorers)).collect();
    tallies.sort_by(|a, b| {
        let preference = |tally: &Tally<P::Move>| Reverse((tally.proof, tally.visits));
        preference(a).cmp(&preference(b)).then(b.value().total_cmp(&a.value()))
    });
    tallies
}

/// None for a move that is not considered.
fn tally<P: Position, E: Evaluator<P>>(
    mv: P::Move,
    explorers: &[Explorer<'_, P, E>],
) -> Option<Tally<P::Move>> {
    let mut sum: Option<Tally<P::Move>> = None;
    for tree in explorers.iter().map(|explorer| &explorer.worker.tree) {
        if let Some(node) = tree.child(ROOT, mv).map(|child| tree.node(child)) {
            let sum = sum.get_or_insert(Tally { mv, visits: 0, points: 0.0, proof: Score::EVEN });
            sum.visits += u64::from(node.visits);
            sum.points += node.points;
            if node.is_proven() {
                sum.proof = node.proof;
            }
        }
    }
    sum
}

pub(super) fn thought<P, E>(view: &P, explorers: &[Explorer<'_, P, E>], clock: &Clock<'_>) -> Thought<P::Move>
where
    P: Position,
    E: Evaluator<P>,
{
    let tallies = best_first(view, explorers);
    let visits = tallies.iter().map(|tally| tally.visits).sum::<u64>().max(1) as f64;
    let candidate = |tally: &Tally<P::Move>| {
        let (mv, weight, line) = (tally.mv, tally.visits as f64 / visits, line(tally.mv, explorers));
        if tally.proof == Score::EVEN {
            Candidate::expected(mv, tally.value(), weight, line)
        } else {
            Candidate::scored(mv, tally.proof.delayed(1), weight, line)
        }
    };
    Thought {
        candidates: tallies.iter().map(candidate).collect(),
        depth: 0,
        nodes: explorers.iter().map(|explorer| explorer.clock.nodes()).sum(),
        elapsed: clock.elapsed(),
    }
}

/// The continuation after the move, from the tree that knows it best.
fn line<P: Position, E: Evaluator<P>>(mv: P::Move, explorers: &[Explorer<'_, P, E>]) -> Vec<P::Move> {
    let visits = |tree: &&Tree<P::Move>| tree.child(ROOT, mv).map(|child| tree.node(child).visits);
    let best = explorers.iter().map(|explorer| &explorer.worker.tree).max_by_key(visits);
    let rest = best.and_then(|tree| Some(tree.most_visited_line(tree.child(ROOT, mv)?)));
    std::iter::once(mv).chain(rest.unwrap_or_default()).collect()
}
