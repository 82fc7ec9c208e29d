//! The search tree: one flat arena, with the children of a node side by side.
//!
//! How children are chosen and valued is each method's own. Invariant: the statistics of a node (points, proof) are from the
//! point of view of the seat that moved *to* it, so a parent takes its best child.

pub(crate) mod growth;
pub(crate) mod root_stats;

use std::ops::Range;

use outplay_core::Score;

/// The index of the root.
pub(crate) const ROOT: u32 = 0;

/// A node, reached by a move from its parent.
#[derive(Clone, Debug)]
pub(crate) struct TreeNode<M> {
    /// The sum of the points of the simulations through this node.
    pub(crate) points: f64,
    pub(crate) visits: u32,
    /// A forced result; even where nothing is proven.
    pub(crate) proof: Score,
    /// How probable its move is by the policy; 0 for searches that have none.
    pub(crate) prior: f32,
    first_child: u32,
    children: u16,
    /// The number of children, from the first on, among which the method chooses.
    pub(crate) open: u16,
    /// None at the root.
    mv: Option<M>,
}

impl<M> TreeNode<M> {
    const fn new(mv: Option<M>, prior: f32) -> Self {
        Self { points: 0.0, visits: 0, proof: Score::EVEN, prior, first_child: 0, children: 0, open: 0, mv }
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.proof != Score::EVEN
    }

    /// Whether the seat that moved to it has lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.proof < Score::EVEN
    }

    /// Points per visit; ½ without visits.
    pub(crate) fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / f64::from(self.visits) }
    }

    pub(crate) fn child_range(&self) -> Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}

/// A search tree, and a spare arena into which the kept part is copied when the root advances.
#[derive(Clone, Debug)]
pub(crate) struct Tree<M> {
    nodes: Vec<TreeNode<M>>,
    spare: Vec<TreeNode<M>>,
    capacity: usize,
}

impl<M: Copy + PartialEq> Tree<M> {
    /// An empty tree that will not grow beyond `capacity` nodes.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { nodes: vec![TreeNode::new(None, 1.0)], spare: Vec::new(), capacity }
    }

    /// Resets to a root without statistics.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(TreeNode::new(None, 1.0));
    }

    pub(crate) fn node(&self, node: u32) -> &TreeNode<M> {
        &self.nodes[node as usize]
    }

    pub(crate) fn node_mut(&mut self, node: u32) -> &mut TreeNode<M> {
        &mut self.nodes[node as usize]
    }

    /// The children of a node, which is expanded.
    pub(crate) fn children(&self, node: u32) -> &[TreeNode<M>] {
        &self.nodes[self.node(node).child_range()]
    }

    /// The same to be changed or put in another order.
    pub(crate) fn children_mut(&mut self, node: u32) -> &mut [TreeNode<M>] {
        let range = self.node(node).child_range();
        &mut self.nodes[range]
    }

    /// The move that leads to a node other than the root.
    pub(crate) fn mv(&self, node: u32) -> M {
        self.node(node).mv.expect("the root is not moved to")
    }

    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.node(node).children > 0
    }

    /// The child of a node by this move.
    pub(crate) fn child(&self, node: u32, mv: M) -> Option<u32> {
        let children = self.node(node).child_range();
        children.into_iter().find(|&index| self.nodes[index].mv == Some(mv)).map(|index| index as u32)
    }

    /// Adds children with their priors, of which so many are open to choice. False if there is no room; the root's always have
    /// room.
    pub(crate) fn add_children(
        &mut self,
        node: u32,
        children: impl ExactSizeIterator<Item = (M, f32)>,
        open: usize,
    ) -> bool {
        let first = self.nodes.len();
        let count = match u16::try_from(children.len()) {
            Ok(count) if node == ROOT || first + usize::from(count) <= self.capacity => count,
            _ => return false,
        };
        self.nodes.extend(children.map(|(mv, prior)| TreeNode::new(Some(mv), prior)));
        let parent = &mut self.nodes[node as usize];
        (parent.first_child, parent.children) = (first as u32, count);
        parent.open = u16::try_from(open).unwrap_or(u16::MAX);
        true
    }

    /// Adds a simulation to every node on the path; `points` are those of the seat that moved to the last node.
    pub(crate) fn backpropagate(&mut self, path: &[u32], mut points: f64) {
        for &node in path.iter().rev() {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.points += points;
            points = 1.0 - points;
        }
    }

    /// Sets the forced result of the last node of the path, and what follows from it above. A node is lost for the
    /// seat that moved to it if one child is won, and won if all children are lost.
    pub(crate) fn prove(&mut self, path: &[u32], result: Score) {
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
    pub(crate) fn advance(&mut self, moves: &[M], mut is_stopped: impl FnMut() -> bool) {
        let Some(new_root) = moves.iter().try_fold(ROOT, |node, &mv| self.child(node, mv)) else {
            return self.clear();
        };
        self.spare.clear();
        self.spare.push(TreeNode { mv: None, ..self.node(new_root).clone() });
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
    pub(crate) fn most_visited_line(&self, mut node: u32) -> Vec<M> {
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
    use outplay_core::{Position, View};

    use super::*;
    use crate::testing::TicTacToe;

    /// Adds all moves of a position.
    fn expand(tree: &mut Tree<u8>, node: u32, position: &TicTacToe) -> bool {
        tree.add_children(node, position.moves().into_iter().map(|mv| (mv, 0.0)), usize::MAX)
    }

    /// A tree of three full plies in which every node has its own numbers.
    fn numbered() -> Tree<u8> {
        let mut tree = Tree::new(usize::MAX);
        let mut ahead = vec![(ROOT, TicTacToe::START, 0)];
        while let Some((node, position, ply)) = ahead.pop() {
            tree.nodes[node as usize].visits = 1000 + node;
            tree.nodes[node as usize].points = f64::from(node);
            if ply < 3 {
                assert!(expand(&mut tree, node, &position));
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
        expand(&mut tree, ROOT, &TicTacToe::START);
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
    fn a_full_tree_grows_no_further_but_always_has_its_root_moves() {
        let mut tree = Tree::new(3);
        assert!(expand(&mut tree, ROOT, &TicTacToe::START));
        let child = TicTacToe::START.after(tree.mv(1));
        assert!(!expand(&mut tree, 1, &child));
        assert_eq!((tree.nodes.len(), tree.is_expanded(1)), (10, false));
    }
}
