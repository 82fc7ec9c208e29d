//! How a simulation of UCT expands nodes and chooses among children.

use std::cmp::Reverse;

use outplay_core::{Evaluator, Position, Rng};

use crate::tree::Tree;

/// Progressive widening: one more child becomes available per this many visits.
const VISITS_PER_WIDENING: u32 = 16;

/// Adds a child for every plausible move: by priority, equals in random order, since unvisited children are tried in order.
/// False if there is no room. `scratch` is room for a list.
pub(super) fn expand<P: Position, E: Evaluator<P>>(
    tree: &mut Tree<P::Move>,
    node: u32,
    position: &P,
    evaluator: &mut E,
    rng: &mut Rng,
    scratch: &mut Vec<(i32, P::Move)>,
) -> bool {
    scratch.clear();
    let open = evaluator.plausible_moves(position, u32::MAX, |mv, priority| scratch.push((priority, mv)));
    rng.shuffle(scratch);
    scratch.sort_by_key(|&(priority, _)| Reverse(priority));
    tree.add_children(node, scratch.iter().map(|&(_, mv)| (mv, 0.0)), open)
}

/// The child with the greatest upper confidence bound; unvisited ones first, lost ones never. The node is expanded and has
/// been visited. Its number of available children grows with its visits.
pub(super) fn select<M: Copy + PartialEq>(tree: &Tree<M>, node: u32, exploration: f64) -> u32 {
    let parent = tree.node(node);
    let available = u32::from(parent.open).saturating_add(parent.visits / VISITS_PER_WIDENING);
    let first = parent.child_range().start as u32;
    let log_visits = f64::from(parent.visits.max(1)).ln();
    let (mut best, mut best_bound) = (first, f64::NEG_INFINITY);
    for (child, index) in tree.children(node).iter().take(available as usize).zip(first..) {
        if child.visits == 0 {
            return index;
        }
        let per_visit = 1.0 / f64::from(child.visits);
        let bound = child.points * per_visit + exploration * (log_visits * per_visit).sqrt();
        if bound > best_bound && !child.is_lost() {
            (best, best_bound) = (index, bound);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use outplay_core::Score;

    use super::*;
    use crate::EvenEvaluator;
    use crate::testing::TicTacToe;
    use crate::tree::ROOT;

    #[test]
    fn lost_children_are_not_selected() {
        let mut tree = Tree::new(usize::MAX);
        let mut rng = Rng::new(1);
        assert!(expand(&mut tree, ROOT, &TicTacToe::START, &mut EvenEvaluator, &mut rng, &mut Vec::new()));
        for child in 1..=9 {
            tree.backpropagate(&[ROOT, child], if child == 3 { 1.0 } else { 0.1 });
        }
        assert_eq!(select(&tree, ROOT, 1.0), 3);
        tree.prove(&[ROOT, 3], Score::loss_in(2));
        assert_ne!(select(&tree, ROOT, 1.0), 3);
    }
}
