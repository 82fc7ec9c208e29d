//! The search tree: one flat arena, with the children of a node side by side.
//!
//! Invariant: the statistics of a node (points, proof) are from the point of view of the seat that moved *to* it, so
//! a parent takes its best child.

use std::cmp::Reverse;
use std::ops::Range;

use outplay_core::{Evaluator, Position, Rng, Score};

/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// Progressive widening: one more child becomes available per this many visits.
const VISITS_PER_WIDENING: u32 = 16;

/// A node, reached by a move from its parent.
#[derive(Clone, Debug)]
pub(super) struct MctsNode<M> {
    /// The sum of the points of the simulations through this node.
    pub(super) points: f64,
    pub(super) visits: u32,
    /// A forced result; even where nothing is proven.
    pub(super) proof: Score,
    first_child: u32,
    children: u16,
    /// The number of children, from the first on, that are available from the beginning.
    open: u16,
    /// None at the root.
    mv: Option<M>,
}

impl<M> MctsNode<M> {
    const fn new(mv: Option<M>) -> Self {
        Self { points: 0.0, visits: 0, proof: Score::EVEN, first_child: 0, children: 0, open: 0, mv }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.proof != Score::EVEN
    }

    fn is_lost(&self) -> bool {
        self.proof < Score::EVEN
    }

    fn child_range(&self) -> Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }

    /// The available children; their number grows with the visits.
    fn widened_child_range(&self) -> Range<usize> {
        let open = u32::from(self.open).saturating_add(self.visits / VISITS_PER_WIDENING);
        let first = self.first_child as usize;
        first..first + u32::from(self.children).min(open) as usize
    }
}

/// A search tree, and a spare arena into which the kept part is copied when the root advances.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<MctsNode<M>>,
    spare: Vec<MctsNode<M>>,
    /// A buffer for the moves of a node being expanded, with their priority.
    moves: Vec<(i32, M)>,
    capacity: usize,
}

impl<M: Copy + PartialEq> Tree<M> {
    /// An empty tree that will not grow beyond `capacity` nodes.
    pub(super) fn new(capacity: usize) -> Self {
        Self { nodes: vec![MctsNode::new(None)], spare: Vec::new(), moves: Vec::new(), capacity }
    }

    /// Resets to a root without statistics.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(MctsNode::new(None));
    }

    pub(super) fn node(&self, node: u32) -> &MctsNode<M> {
        &self.nodes[node as usize]
    }

    /// The move that leads to a node other than the root.
    pub(super) fn mv(&self, node: u32) -> M {
        self.node(node).mv.expect("the root is not moved to")
    }

    pub(super) fn is_expanded(&self, node: u32) -> bool {
        self.node(node).children > 0
    }

    /// The child of a node by this move.
    pub(super) fn child(&self, node: u32, mv: M) -> Option<u32> {
        let children = self.node(node).child_range();
        children.into_iter().find(|&index| self.nodes[index].mv == Some(mv)).map(|index| index as u32)
    }

    /// Adds a child for every plausible move: by priority, equals in random order, since unvisited children are tried
    /// in order. False if there is no room.
    pub(super) fn expand<P, E>(&mut self, node: u32, position: &P, evaluator: &mut E, rng: &mut Rng) -> bool
    where
        P: Position<Move = M>,
        E: Evaluator<P>,
    {
        let Self { nodes, moves, capacity, .. } = self;
        moves.clear();
        let open = evaluator.plausible_moves(position, u32::MAX, |mv, priority| moves.push((priority, mv)));
        let first = nodes.len();
        let children = match u16::try_from(moves.len()) {
            Ok(children) if node == ROOT || first + moves.len() <= *capacity => children,
            _ => return false,
        };
        rng.shuffle(moves);
        moves.sort_by_key(|&(priority, _)| Reverse(priority));
        nodes.extend(moves.iter().map(|&(_, mv)| MctsNode::new(Some(mv))));
        let parent = &mut nodes[node as usize];
        (parent.first_child, parent.children) = (first as u32, children);
        parent.open = u16::try_from(open).unwrap_or(u16::MAX);
        true
    }

    /// The child with the greatest upper confidence bound; unvisited ones first, lost ones never. The node is
    /// expanded and has been visited.
    pub(super) fn select(&self, node: u32, exploration: f64) -> u32 {
        let parent = self.node(node);
        let log_visits = f64::from(parent.visits.max(1)).ln();
        let (mut best, mut best_bound) = (parent.first_child, f64::NEG_INFINITY);
        for (child, index) in self.nodes[parent.widened_child_range()].iter().zip(parent.first_child..) {
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

    /// Adds a simulation to every node on the path; `points` are those of the seat that moved to the last node.
    pub(super) fn backpropagate(&mut self, path: &[u32], mut points: f64) {
        for &node in path.iter().rev() {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.points += points;
            points = 1.0 - points;
        }
    }

    /// Sets the forced result of the last node of the path, and what follows from it above. A node is lost for the
    /// seat that moved to it if one child is won, and won if all children are lost.
    pub(super) fn prove(&mut self, path: &[u32], result: Score) {
        let [above @ .., last] = path else { return };
        self.nodes[*last as usize].proof = result;
        for &parent in above.iter().rev() {
            let children = &self.nodes[self.node(parent).child_range()];
            let best = children.iter().map(|child| child.proof).max().unwrap_or_default();
            if best == Score::EVEN {
                return;
            }
            self.nodes[parent as usize].proof = -best.delayed(1);
        }
    }

    /// Makes the node after these moves the root and drops everything that is not below it. The tree is empty afterwards
    /// if it did not contain the node, or if `is_stopped` said so, which is asked for every node.
    pub(super) fn advance(&mut self, moves: &[M], mut is_stopped: impl FnMut() -> bool) {
        let Some(new_root) = moves.iter().try_fold(ROOT, |node, &mv| self.child(node, mv)) else {
            return self.clear();
        };
        self.spare.clear();
        self.spare.push(MctsNode { mv: None, ..self.node(new_root).clone() });
        let mut copied = 0;
        while copied < self.spare.len() {
            if is_stopped() {
                return self.clear();
            }
            let children = self.spare[copied].child_range();
            self.spare[copied].first_child = self.spare.len() as u32;
            self.spare.extend_from_slice(&self.nodes[children]);
            copied += 1;
        }
        std::mem::swap(&mut self.nodes, &mut self.spare);
    }

    /// The most visited continuation from the node.
    pub(super) fn most_visited_line(&self, mut node: u32) -> Vec<M> {
        let mut line = Vec::new();
        while let Some(child) = self.most_visited_child(node) {
            line.push(self.mv(child));
            node = child;
        }
        line
    }

    /// The child with a proven win, else with the most visits; the first among equals.
    fn most_visited_child(&self, node: u32) -> Option<u32> {
        let visited = self.node(node).child_range().filter(|&index| self.nodes[index].visits > 0);
        let preference = |&index: &usize| (self.nodes[index].proof, self.nodes[index].visits);
        visited.rev().max_by_key(preference).map(|index| index as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvenEvaluator;
    use crate::testing::TicTacToe;

    /// A tree of three full plies in which every node has its own numbers.
    fn numbered() -> Tree<u8> {
        let mut tree = Tree::new(usize::MAX);
        let mut ahead = vec![(ROOT, TicTacToe::START, 0)];
        while let Some((node, position, ply)) = ahead.pop() {
            tree.nodes[node as usize].visits = 1000 + node;
            tree.nodes[node as usize].points = f64::from(node);
            if ply < 3 {
                assert!(tree.expand(node, &position, &mut EvenEvaluator, &mut Rng::new(u64::from(node))));
                ahead.extend(tree.node(node).child_range().map(|child| {
                    let child = child as u32;
                    (child, position.after(tree.mv(child)), ply + 1)
                }));
            }
        }
        tree
    }

    fn assert_same(old: &Tree<u8>, old_node: u32, new: &Tree<u8>, new_node: u32) {
        let (before, after) = (old.node(old_node), new.node(new_node));
        assert_eq!((before.visits, before.children), (after.visits, after.children));
        assert_eq!(before.points, after.points);
        for (old_child, new_child) in before.child_range().zip(after.child_range()) {
            assert_eq!(old.nodes[old_child].mv, new.nodes[new_child].mv);
            assert_same(old, old_child as u32, new, new_child as u32);
        }
    }

    #[test]
    fn advancing_keeps_what_is_below_and_nothing_else() {
        let before = numbered();
        let mut after = before.clone();
        after.advance(&[4, 2], || false);
        let kept = before.child(ROOT, 4).and_then(|node| before.child(node, 2)).unwrap();
        assert_same(&before, kept, &after, ROOT);
        assert_eq!(after.nodes.len(), 1 + 7);
        after.advance(&[4], || false);
        assert_eq!(after.nodes.len(), 1, "4 is taken, the tree does not know it");
        assert_eq!(after.node(ROOT).visits, 0);
        let mut stopped = before.clone();
        stopped.advance(&[4, 2], || true);
        assert_eq!(stopped.nodes.len(), 1);
    }

    #[test]
    fn points_alternate_on_the_way_up() {
        let mut tree = numbered();
        let child = tree.child(ROOT, 4).unwrap();
        let grandchild = tree.child(child, 2).unwrap();
        let path = [ROOT, child, grandchild];
        tree.backpropagate(&path, 0.75);
        let gained =
            path.map(|node| (tree.node(node).visits - 1000 - node, tree.node(node).points - f64::from(node)));
        assert_eq!(gained, [(1, 0.75), (1, 0.25), (1, 0.75)]);
    }

    #[test]
    fn a_win_proves_the_loss_above_and_all_losses_the_win() {
        let mut tree = Tree::new(usize::MAX);
        tree.expand(ROOT, &TicTacToe::START, &mut EvenEvaluator, &mut Rng::new(1));
        let moves: Vec<u32> = tree.node(ROOT).child_range().map(|child| child as u32).collect();
        tree.prove(&[ROOT, moves[0]], Score::loss_in(4));
        assert!(!tree.node(ROOT).is_proven());
        for &mv in &moves[1..] {
            tree.prove(&[ROOT, mv], Score::loss_in(2));
        }
        assert_eq!(tree.node(ROOT).proof, Score::win_in(5), "the loser holds out as long as it can");
        tree.prove(&[ROOT, moves[3]], Score::win_in(0));
        assert_eq!(tree.node(ROOT).proof, Score::loss_in(1));
    }

    #[test]
    fn lost_children_are_not_selected() {
        let mut tree = Tree::new(usize::MAX);
        tree.expand(ROOT, &TicTacToe::START, &mut EvenEvaluator, &mut Rng::new(1));
        for child in 1..=9 {
            tree.backpropagate(&[ROOT, child], if child == 3 { 1.0 } else { 0.1 });
        }
        assert_eq!(tree.select(ROOT, 1.0), 3);
        tree.prove(&[ROOT, 3], Score::loss_in(2));
        assert_ne!(tree.select(ROOT, 1.0), 3);
    }

    #[test]
    fn a_full_tree_grows_no_further_but_always_has_its_root_moves() {
        let mut tree = Tree::new(3);
        assert!(tree.expand(ROOT, &TicTacToe::START, &mut EvenEvaluator, &mut Rng::new(1)));
        let child = TicTacToe::START.after(tree.mv(1));
        assert!(!tree.expand(1, &child, &mut EvenEvaluator, &mut Rng::new(1)));
        assert_eq!((tree.nodes.len(), tree.is_expanded(1)), (10, false));
    }
}
