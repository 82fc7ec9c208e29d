//! One tree being grown: descents, playouts, and what they teach.
//!
//! Law: an explorer draws from its own generator and touches nothing that another one uses.

use outplay_core::{Evaluator, Outcome, Position, Rng, Score};

use super::tree::{ROOT, Tree};
use super::{Guide, Playout, Settings};
use crate::budget::Clock;
use crate::verdict::Verdicts;

/// What an explorer keeps from move to move.
#[derive(Clone, Debug)]
pub(super) struct Worker<P: Position, E> {
    pub(super) tree: Tree<P::Move>,
    pub(super) evaluator: E,
    path: Vec<u32>,
    scratch: Vec<P::Move>,
}

impl<P: Position, E> Worker<P, E> {
    pub(super) fn new(evaluator: E, capacity: usize) -> Self {
        Self { tree: Tree::new(capacity), evaluator, path: Vec::new(), scratch: Vec::new() }
    }
}

/// A worker at work on one root.
pub(super) struct Explorer<'a, P: Position, E> {
    pub(super) worker: &'a mut Worker<P, E>,
    root: &'a P,
    settings: Settings,
    rng: Rng,
    verdicts: Verdicts,
    pub(super) clock: Clock<'a>,
}

impl<'a, P: Position, E: Evaluator<P>> Explorer<'a, P, E> {
    /// A node gets children when it has been visited so often before: the first visit is only a playout, which
    /// keeps the tree small where it is not looked at twice.
    const VISITS_BEFORE_CHILDREN: u32 = 1;
    /// A playout that is still going on after so many plies will not end.
    const LONGEST_PLAYOUT: u32 = 4000;

    pub(super) fn new(
        worker: &'a mut Worker<P, E>,
        root: &'a P,
        settings: Settings,
        mut rng: Rng,
        verdicts: Verdicts,
        clock: Clock<'a>,
    ) -> Self {
        worker.evaluator.serve(root.seat());
        if !worker.tree.is_expanded(ROOT) {
            worker.tree.expand(ROOT, root, &mut worker.evaluator, &mut rng);
        }
        Self { worker, root, settings, rng, verdicts, clock }
    }

    /// Makes up to so many simulations, fewer if the budget is spent or the root is decided.
    pub(super) fn simulate_up_to(&mut self, simulations: u64) {
        for _ in 0..simulations {
            if self.is_done() {
                break;
            }
            self.simulate();
            self.clock.tick();
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.clock.is_over() || self.is_decided()
    }

    /// Whether the result at the root is proven.
    pub(super) fn is_decided(&self) -> bool {
        self.worker.tree.node(ROOT).is_proven()
    }

    /// One descent to a leaf, a judgement there, and its way back.
    fn simulate(&mut self) {
        let position = self.descend();
        let ply = self.worker.path.len() as u32 - 1;
        let end = self.verdicts.at(&position, ply).or_else(|| self.certainty(&position));
        self.verdicts.rewind();
        let Some(end) = end else {
            let points = 1.0 - self.play_out(position, ply);
            return self.worker.tree.back_up(&self.worker.path, points);
        };
        let Worker { tree, path, .. } = &mut *self.worker;
        tree.back_up(path, (-end).chance());
        if end.forecast().is_some() {
            tree.prove(path, -end);
        }
    }

    /// The judgement of the leaf itself, if it is the one that counts and certain.
    fn certainty(&mut self, position: &P) -> Option<Score> {
        let judges = self.settings.playout.cut == Some(0);
        judges.then(|| self.worker.evaluator.score(position)).filter(|score| score.forecast().is_some())
    }

    /// Follows the greatest bounds to a node without children, giving it some if it is due, and leaves the path
    /// behind.
    fn descend(&mut self) -> P {
        let Worker { tree, path, evaluator, .. } = &mut *self.worker;
        let (mut position, mut node) = (self.root.clone(), ROOT);
        path.clear();
        path.push(ROOT);
        loop {
            if !tree.is_expanded(node) {
                let is_due = tree.node(node).visits >= Self::VISITS_BEFORE_CHILDREN;
                let goes_on = || self.verdicts.at(&position, path.len() as u32 - 1).is_none();
                if !(is_due && goes_on() && tree.expand(node, &position, evaluator, &mut self.rng)) {
                    return position;
                }
            }
            self.verdicts.enter(&position);
            node = tree.select(node, self.settings.exploration);
            position.play(tree.mv(node));
            path.push(node);
        }
    }

    /// Moves from an unfinished position, as far as the settings say: the points of the side to move.
    fn play_out(&mut self, mut position: P, ply: u32) -> f64 {
        let seat = position.seat();
        let Playout { guide, cut } = self.settings.playout;
        let length = cut.unwrap_or(Self::LONGEST_PLAYOUT);
        let plies_left = self.verdicts.plies_left() - ply;
        for _ in 0..length.min(plies_left) {
            let mv = match guide {
                Guide::Random => position.random_move(&mut self.rng, &mut self.worker.scratch),
                Guide::Evaluator => self.liked_move(&position),
                Guide::Expected => {
                    let Worker { evaluator, scratch, .. } = &mut *self.worker;
                    evaluator.expect(&position, &mut self.rng, scratch)
                }
            };
            position.play(mv);
            if let Some(outcome) = position.outcome() {
                return outcome.points(seat);
            }
        }
        let score = if length < plies_left { self.worker.evaluator.score(&position) } else { Score::EVEN };
        if position.seat() == seat { score.chance() } else { (-score).chance() }
    }

    /// The move that a guided playout makes.
    fn liked_move(&mut self, position: &P) -> P::Move {
        let Worker { evaluator, scratch, .. } = &mut *self.worker;
        scratch.clear();
        position.moves_into(scratch);
        let (mut best, mut worth, mut equals) = (scratch[0], Score::MIN, 0);
        for &mv in &*scratch {
            let next = position.after(mv);
            let score = match next.outcome() {
                Some(Outcome::Win(winner)) if winner == position.seat() => return mv,
                Some(Outcome::Win(_)) => Score::loss_in(1),
                Some(Outcome::Draw) => Score::EVEN,
                None => -evaluator.score(&next),
            };
            equals = if score > worth { 1 } else { equals + usize::from(score == worth) };
            if score > worth || (score == worth && self.rng.below(equals) == 0) {
                (best, worth) = (mv, score);
            }
        }
        best
    }
}
