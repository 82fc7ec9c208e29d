//! Monte Carlo tree search: statistics of simulated games, spent where they promise most.
//!
//! Contract. A simulation descends from the root by the child with the greatest
//!
//! ```text
//! q + c·√(ln N / n)        q: points per visit to the seat that moves, from 0 to 1
//!                          n, N: visits of the child and of its parent
//! ```
//!
//! (unvisited children first, in random order), plays on at random, or as the evaluator expects or likes it, or asks the
//! evaluator at once, and adds the points to every node it came through. A node whose result is certain is
//! proven, and what follows from it above: proven losses are not visited again, and a proven root ends the
//! search. The answer is a proven win, else the most visited move that is not proven lost; ties go to the better
//! value, then to the order of the rules. A candidate's value is its `q`, or the certain result. The distance of
//! a certain result is that of the proof found, not always the shortest.
//!
//! Where the evaluator knows which moves deserve a look, only those become children, the most promising first, and what is
//! proven is proven among them. Those that deserve it are open from the beginning, the others one by one with the visits.
//!
//! Several trees are grown side by side and their visits summed (root parallelism). Trees share nothing and
//! each has its own stream of the turn's generator, so a budget of simulations gives the same move on any
//! number of cores. Threads that shared one tree would see each other's visits at the scheduler's pleasure, and
//! never play the same game twice. The price: several small trees know less than a large one of all their
//! simulations.
//!
//! Between moves of a game the part of the tree that is still ahead is kept; its visits come on top of the
//! budget.
//!
//! References: L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning (2006); M. Winands, Y. Björnsson,
//! J.-T. Saito, Monte-Carlo tree search solver (2008); G. Chaslot, M. Winands, H. J. van den Herik, Parallel
//! Monte-Carlo tree search (2008).

mod explorer;
mod tally;
#[cfg(test)]
mod tests;
mod tree;

use outplay_core::{Evaluator, Player, Position, Rng, Seat, Turn};
use rayon::prelude::*;

use crate::budget::{Budget, Clock};
use crate::verdict::Verdicts;
use explorer::{Explorer, Worker};

/// How a leaf of the tree is judged: moves are made, to the end of the game or so many plies, and then the
/// evaluator is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Who makes the moves.
    pub guide: Guide,
    /// How many plies at most; after none, the leaf itself is judged.
    pub cut: Option<u32>,
}

/// Who makes the moves of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    /// Chance.
    Random,
    /// The evaluator: a move that wins at once, else the one after which it judges best, ties by chance.
    Evaluator,
    /// Chance, as the evaluator knows it: moves such as it expects.
    Expected,
}

impl Playout {
    /// A random game to its end.
    pub const RANDOM: Self = Self { guide: Guide::Random, cut: None };
    /// The evaluator's judgement of the leaf itself.
    pub const NONE: Self = Self::RANDOM.cut(0);

    /// The same, cut after so many plies.
    #[must_use]
    pub const fn cut(self, plies: u32) -> Self {
        Self { cut: Some(plies), ..self }
    }
}

/// What all trees of a player have in common.
#[derive(Clone, Copy, Debug)]
struct Settings {
    exploration: f64,
    playout: Playout,
}

/// Monte Carlo tree search over random games or an evaluator.
#[derive(Clone, Debug)]
pub struct Mcts<P: Position, E> {
    budget: Budget,
    settings: Settings,
    workers: Vec<Worker<P, E>>,
    /// Where the trees stand: their root, the move chosen there, and the plies that were left.
    last: Option<(P, P::Move, Option<u32>)>,
}

impl<P: Position, E: Evaluator<P>> Mcts<P, E> {
    /// The constant `c` unless [`exploring`](Self::exploring) says otherwise. The theory's √2 explores more
    /// than pays; `docs/methods/mcts.md` has the comparison.
    pub const DEFAULT_EXPLORATION: f64 = 0.5;
    /// Nodes per tree beyond which none is added; simulations go on.
    const CAPACITY: usize = 1 << 22;
    /// Simulations per tree before the first thought is shown; every further round is twice as long.
    const FIRST_ROUND: u64 = 256;

    /// A search within the budget: `nodes` are simulations, of all trees together; `depth` means nothing here.
    /// The evaluator judges where playouts do not reach the end; [`Even`](crate::Even) serves where they do.
    pub fn new(evaluator: E, budget: Budget) -> Self {
        let settings = Settings { exploration: Self::DEFAULT_EXPLORATION, playout: Playout::RANDOM };
        Self { budget, settings, workers: vec![Worker::new(evaluator, Self::CAPACITY)], last: None }
    }

    /// The same with another constant `c`.
    #[must_use]
    pub fn exploring(mut self, c: f64) -> Self {
        self.settings.exploration = c;
        self
    }

    /// The same with another way to judge leaves.
    #[must_use]
    pub fn judging_by(mut self, playout: Playout) -> Self {
        self.settings.playout = playout;
        self
    }

    /// The same with so many trees, at least 1, grown in parallel.
    #[must_use]
    pub fn with_trees(mut self, trees: usize) -> Self
    where
        E: Clone,
    {
        let evaluator = self.workers[0].evaluator.clone();
        self.workers.resize_with(trees.max(1), || Worker::new(evaluator.clone(), Self::CAPACITY));
        self
    }

    /// Keeps of the trees what lies ahead of the position, if it answers the last move.
    fn catch_up(&mut self, view: &P, plies_left: Option<u32>) {
        let way = self.last.take().and_then(|(root, mv, left_then)| {
            let answer = answer_between(&root, mv, view)?;
            (left_then.map(|left| left.saturating_sub(2)) == plies_left).then_some([mv, answer])
        });
        for worker in &mut self.workers {
            match way {
                Some(way) => worker.tree.advance(&way),
                None => worker.tree.clear(),
            }
        }
    }

    /// Explorers for every tree, each with its share of the simulations and its own generator.
    fn explorers<'a>(
        &'a mut self,
        view: &'a P,
        turn: &mut Turn<'_, P::Move>,
        clock: &Clock<'a>,
    ) -> Vec<Explorer<'a, P, E>> {
        let (settings, seed, verdicts) = (self.settings, turn.rng.seed(), Verdicts::new(turn));
        let trees = self.workers.len() as u64;
        let simulations = self.budget.nodes.map(|nodes| nodes.max(1));
        let explorer = |(number, worker)| {
            let share = simulations.map(|all| all / trees + u64::from(number < all % trees));
            let rng = Rng::stream(seed, number);
            Explorer::new(worker, view, settings, rng, verdicts.clone(), clock.sharing_time(share))
        };
        (0..).zip(&mut self.workers).map(explorer).collect()
    }
}

/// The answer to `mv` in `root` that leads to `view`, if there is one.
fn answer_between<P: Position>(root: &P, mv: P::Move, view: &P) -> Option<P::Move> {
    let next = root.after(mv);
    next.moves().into_iter().find(|&answer| next.after(answer) == *view)
}

/// Grows all trees by up to so many simulations each.
fn grow<P: Position, E: Evaluator<P>>(explorers: &mut [Explorer<'_, P, E>], simulations: u64) {
    if let [only] = explorers {
        only.simulate_up_to(simulations);
    } else {
        explorers.par_iter_mut().for_each(|explorer| explorer.simulate_up_to(simulations));
    }
}

impl<P: Position, E: Evaluator<P>> Player<P> for Mcts<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.last = None;
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let ends = self.budget.nodes.is_some() || self.budget.time.is_some() || turn.stop_flag().is_some();
        assert!(ends, "a Monte Carlo search needs a number of simulations, a time or a stop flag to end by");
        self.catch_up(view, turn.plies_left);
        let clock = Clock::start(&self.budget, turn.stop_flag());
        let mut explorers = self.explorers(view, turn, &clock);
        let mut round = Self::FIRST_ROUND;
        loop {
            grow(&mut explorers, round);
            turn.show(|| tally::thought(view, &explorers, &clock));
            if explorers.iter().all(Explorer::is_done) || explorers.iter().any(Explorer::is_decided) {
                break;
            }
            round *= 2;
        }
        let chosen = tally::best_first(view, &explorers)[0].mv;
        self.last = Some((view.clone(), chosen, turn.plies_left));
        chosen
    }
}
