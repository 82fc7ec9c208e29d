//! One tree being grown: selection, expansion, playouts and backpropagation.
//!
//! Invariant: a search draws from its own generator and shares nothing with the searches of other trees.

use outplay_core::{Evaluator, Outcome, Position, Rng, Score};

use super::selection::{expand, select};
use super::{MctsConfig, Playout, PlayoutPolicy};
use crate::budget::Clock;
use crate::terminal::TerminalRules;
use crate::tree::growth::GrowingTree;
use crate::tree::{ROOT, Tree};

/// What a search keeps from move to move.
#[derive(Clone, Debug)]
pub(super) struct MctsWorker<P: Position, E> {
    pub(super) tree: Tree<P::Move>,
    pub(super) evaluator: E,
    path: Vec<u32>,
    scratch: Vec<P::Move>,
    ordered: Vec<(i32, P::Move)>,
}

impl<P: Position, E> MctsWorker<P, E> {
    pub(super) fn new(evaluator: E, capacity: usize) -> Self {
        let (path, scratch, ordered) = (Vec::new(), Vec::new(), Vec::new());
        Self { tree: Tree::new(capacity), evaluator, path, scratch, ordered }
    }
}

/// A search in progress from one root.
pub(super) struct MctsSearch<'a, P: Position, E> {
    worker: &'a mut MctsWorker<P, E>,
    root: &'a P,
    config: MctsConfig,
    rng: Rng,
    terminal_rules: TerminalRules,
    clock: Clock<'a>,
}

impl<'a, P: Position, E: Evaluator<P>> MctsSearch<'a, P, E> {
    /// A node is expanded once it has this many visits: its first visit is only a playout, which keeps the tree small
    /// where it is not visited twice.
    const VISITS_BEFORE_CHILDREN: u32 = 1;
    /// A playout that is longer than this is taken to be endless.
    const LONGEST_PLAYOUT: u32 = 4000;

    pub(super) fn new(
        worker: &'a mut MctsWorker<P, E>,
        root: &'a P,
        config: MctsConfig,
        mut rng: Rng,
        terminal_rules: TerminalRules,
        clock: Clock<'a>,
    ) -> Self {
        let MctsWorker { tree, evaluator, ordered, .. } = &mut *worker;
        evaluator.set_root_seat(root.seat());
        if !tree.is_expanded(ROOT) {
            expand(tree, ROOT, root, evaluator, &mut rng, ordered);
        }
        Self { worker, root, config, rng, terminal_rules, clock }
    }

    /// One simulation: selection, evaluation of the leaf, backpropagation. False if it was stopped; then it leaves nothing
    /// behind.
    fn simulate(&mut self) -> bool {
        let position = self.descend();
        let ply = self.worker.path.len() as u32 - 1;
        let end = self.terminal_rules.at(&position, ply).or_else(|| self.forced_score(&position));
        self.terminal_rules.rewind();
        let Some(end) = end else {
            let Some(points) = self.playout(position, ply) else { return false };
            self.worker.tree.backpropagate(&self.worker.path, 1.0 - points);
            return true;
        };
        let MctsWorker { tree, path, .. } = &mut *self.worker;
        tree.backpropagate(path, (-end).chance());
        if end.forced_result().is_some() {
            tree.prove(path, -end);
        }
        true
    }

    /// The evaluator's score of the leaf, if leaves are not played out and the score is a forced result.
    fn forced_score(&mut self, position: &P) -> Option<Score> {
        let evaluates_leaves = self.config.playout.cut == Some(0);
        evaluates_leaves
            .then(|| self.worker.evaluator.score(position))
            .filter(|score| score.forced_result().is_some())
    }

    /// Selects children down to a leaf, expanding it if it has enough visits, and stores the path.
    fn descend(&mut self) -> P {
        let MctsWorker { tree, path, evaluator, ordered, .. } = &mut *self.worker;
        let (mut position, mut node) = (self.root.clone(), ROOT);
        path.clear();
        path.push(ROOT);
        loop {
            if !tree.is_expanded(node) {
                let is_due = tree.node(node).visits >= Self::VISITS_BEFORE_CHILDREN;
                let goes_on = || self.terminal_rules.at(&position, path.len() as u32 - 1).is_none();
                let rng = &mut self.rng;
                if !(is_due && goes_on() && expand(tree, node, &position, evaluator, rng, ordered)) {
                    return position;
                }
            }
            self.terminal_rules.enter(&position);
            node = select(tree, node, self.config.exploration);
            position.play(tree.mv(node));
            path.push(node);
        }
    }

    /// A playout from an unfinished position; returns the points of the side to move, or `None` if it was stopped.
    fn playout(&mut self, mut position: P, ply: u32) -> Option<f64> {
        let seat = position.seat();
        let Playout { policy, cut, result } = self.config.playout;
        let length = cut.unwrap_or(Self::LONGEST_PLAYOUT);
        let plies_left = self.terminal_rules.plies_left() - ply;
        for _ in 0..length.min(plies_left) {
            if self.clock.step() {
                return None;
            }
            let mv = match policy {
                PlayoutPolicy::Random => position.random_move(&mut self.rng, &mut self.worker.scratch),
                PlayoutPolicy::Greedy => self.greedy_move(&position),
                PlayoutPolicy::Sampled => {
                    let MctsWorker { evaluator, scratch, .. } = &mut *self.worker;
                    evaluator.playout_move(&position, &mut self.rng, scratch)
                }
            };
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return Some(outcome.points(seat));
            }
        }
        let score = if length < plies_left { self.worker.evaluator.score(&position) } else { Score::EVEN };
        Some(result.points(if position.seat() == seat { score.chance() } else { (-score).chance() }))
    }

    /// The move of a greedy playout; any move if the search is stopped.
    fn greedy_move(&mut self, position: &P) -> P::Move {
        let MctsWorker { evaluator, scratch, .. } = &mut *self.worker;
        scratch.clear();
        position.moves_into(scratch);
        let (mut best, mut best_score, mut equals) = (scratch[0], Score::MIN, 0);
        for &mv in &*scratch {
            if self.clock.step() {
                break;
            }
            let next = position.after(mv);
            let score = match next.outcome() {
                Some(Outcome::Win(winner)) if winner == position.seat() => return mv,
                Some(Outcome::Win(_)) => Score::loss_in(1),
                Some(Outcome::Draw) => Score::EVEN,
                None => -evaluator.score(&next),
            };
            equals = if score > best_score { 1 } else { equals + usize::from(score == best_score) };
            if score > best_score || (score == best_score && self.rng.below(equals) == 0) {
                (best, best_score) = (mv, score);
            }
        }
        best
    }
}

impl<P: Position, E: Evaluator<P>> GrowingTree<P::Move> for MctsSearch<'_, P, E> {
    fn simulate_up_to(&mut self, simulations: u64) {
        for _ in 0..simulations {
            if self.clock.is_over() || self.is_proven() {
                break;
            }
            if self.simulate() {
                self.clock.tick();
            }
        }
    }

    fn tree(&self) -> &Tree<P::Move> {
        &self.worker.tree
    }

    fn clock(&self) -> &Clock<'_> {
        &self.clock
    }
}
