//! Monte Carlo tree search (UCT): statistics of simulated games, gathered where they matter most.
//!
//! A simulation descends from the root by the child with the greatest
//!
//! ```text
//! q + c·√(ln N / n)        q: points per visit for the seat that moves, from 0 to 1
//!                          n, N: visits of the child and of its parent
//! ```
//!
//! (unvisited children first, in random order), evaluates the leaf by a playout or by the evaluator, and adds the points
//! to every node on its path. A node with a forced result is proven, and so is what follows from it above (MCTS-Solver):
//! proven losses are not visited again, and a proven root ends the search. The answer is a proven win, else the most
//! visited move that is not proven lost; ties go to the better value, then to the order of the game. A candidate's value
//! is its `q`, or the forced result. The distance of a forced result is that of the proof found, not always the shortest.
//!
//! If the evaluator names plausible moves, only those become children, in the order of their priority, and proofs hold
//! among them. The evaluator's full-depth moves are available from the beginning, the others one by one with the visits
//! (progressive widening).
//!
//! Several trees are grown in parallel and their visits summed (root parallelism). Trees share nothing and each has its
//! own stream of the turn's generator, so a budget of simulations gives the same move on any number of cores. Threads
//! that shared one tree would depend on the scheduler and never play the same game twice. The price: several small trees
//! know less than one large tree of all their simulations.
//!
//! Between moves of a game the part of the tree below the new root is kept; its visits come on top of the budget.
//!
//! References: L. Kocsis, C. Szepesvári, Bandit based Monte-Carlo planning (2006); M. Winands, Y. Björnsson,
//! J.-T. Saito, Monte-Carlo tree search solver (2008); G. Chaslot, M. Winands, H. J. van den Herik, Parallel
//! Monte-Carlo tree search (2008).

mod search;
mod selection;
#[cfg(test)]
mod tests;

use outplay_core::{Evaluator, Player, Position, Rng, Seat, Turn};

use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;
use crate::tree::TreeNode;
use crate::tree::growth::{LastChoice, grow_to_the_end};
use search::{MctsSearch, MctsWorker};

/// How a leaf is evaluated: moves are played to the end of the game, or for a number of plies after which the
/// evaluator is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playout {
    /// How the moves are chosen.
    pub policy: PlayoutPolicy,
    /// The greatest number of plies; with 0, the leaf itself is evaluated.
    pub cut: Option<u32>,
    /// What the evaluator's answer counts for.
    pub result: PlayoutResult,
}

/// What a playout that was cut counts for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayoutResult {
    /// The chance that the evaluator gives.
    Chance,
    /// A win if the chance is above this threshold, from ½ to 1, a loss if that of the other seat is, and else a draw.
    Threshold(f64),
}

impl PlayoutResult {
    /// The points of a seat that has this chance.
    fn points(self, chance: f64) -> f64 {
        match self {
            Self::Chance => chance,
            Self::Threshold(threshold) if chance > threshold => 1.0,
            Self::Threshold(threshold) if 1.0 - chance > threshold => 0.0,
            Self::Threshold(_) => 0.5,
        }
    }
}

/// How the moves of a playout are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Uniformly at random.
    Random,
    /// A move that wins at once, else the move whose position the evaluator scores best, ties at random.
    Greedy,
    /// Drawn by the evaluator ([`Evaluator::playout_move`]).
    Sampled,
}

impl Playout {
    /// A random game to its end.
    pub const RANDOM: Self = Self { policy: PlayoutPolicy::Random, cut: None, result: PlayoutResult::Chance };
    /// No playout: the evaluator scores the leaf itself.
    pub const NONE: Self = Self::RANDOM.cut(0);

    /// The same, cut after this many plies.
    #[must_use]
    pub const fn cut(self, plies: u32) -> Self {
        Self { cut: Some(plies), ..self }
    }
}

/// The parameters of all trees of a player.
#[derive(Clone, Copy, Debug)]
struct MctsConfig {
    exploration: f64,
    playout: Playout,
}

/// Nodes per tree beyond which none is added; simulations go on.
const CAPACITY: usize = 1 << 22;

/// The MiB that a tree may come to use in so many simulations: its nodes and the spare arena, each of which doubles when it grows.
pub fn tree_memory(simulations: Option<u64>) -> u32 {
    /// A node with a move of up to eight bytes.
    const NODE: u64 = size_of::<TreeNode<u64>>() as u64;
    /// The children that a simulation adds: more than the games have moves on average.
    const CHILDREN: u64 = 128;
    let nodes = simulations.map_or(CAPACITY as u64, |count| count.saturating_mul(CHILDREN));
    let bytes = 2 * NODE * nodes.min(CAPACITY as u64).next_power_of_two();
    1 + u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// Monte Carlo tree search with playouts or an evaluator.
#[derive(Clone, Debug)]
pub struct Mcts<P: Position, E> {
    budget: Budget,
    config: MctsConfig,
    workers: Vec<MctsWorker<P, E>>,
    last: Option<LastChoice<P>>,
}

impl<P: Position, E: Evaluator<P>> Mcts<P, E> {
    /// The constant `c` unless [`with_exploration`](Self::with_exploration) says otherwise. The theory's √2 explores more
    /// than pays; `docs/methods/mcts.md` has the comparison.
    pub const DEFAULT_EXPLORATION: f64 = 0.5;

    /// A search within the budget: `nodes` are simulations of all trees together; `depth` is ignored. The evaluator
    /// is used where playouts do not reach the end; [`EvenEvaluator`](crate::EvenEvaluator) suffices where they do.
    pub fn new(evaluator: E, budget: Budget) -> Self {
        let config = MctsConfig { exploration: Self::DEFAULT_EXPLORATION, playout: Playout::RANDOM };
        Self { budget, config, workers: vec![MctsWorker::new(evaluator, CAPACITY)], last: None }
    }

    /// The same with another constant `c`.
    #[must_use]
    pub fn with_exploration(mut self, c: f64) -> Self {
        self.config.exploration = c;
        self
    }

    /// The same with another evaluation of leaves.
    #[must_use]
    pub fn with_playout(mut self, playout: Playout) -> Self {
        self.config.playout = playout;
        self
    }

    /// The same with this many trees, at least 1, grown in parallel.
    #[must_use]
    pub fn with_trees(mut self, trees: usize) -> Self
    where
        E: Clone,
    {
        let evaluator = self.workers[0].evaluator.clone();
        self.workers.resize_with(trees.max(1), || MctsWorker::new(evaluator.clone(), CAPACITY));
        self
    }

    /// Keeps the part of the trees below the new root, if the position answers the last move and there is time to copy it.
    fn reuse_trees(&mut self, view: &P, plies_left: Option<u32>, clock: &mut Clock<'_>) {
        let way = self.last.take().and_then(|last| last.way_to(view, plies_left));
        for worker in &mut self.workers {
            match way {
                Some(way) => worker.tree.advance(&way, || clock.step()),
                None => worker.tree.clear(),
            }
        }
    }

    /// A search for every tree, each with its share of the simulations and its own generator; fewer if the time is over.
    fn searches<'a>(
        &'a mut self,
        view: &'a P,
        turn: &mut Turn<'_, P::Move>,
        clock: &mut Clock<'a>,
    ) -> Vec<MctsSearch<'a, P, E>> {
        let (config, seed, terminal_rules) = (self.config, turn.rng.seed(), TerminalRules::new(turn));
        let trees = self.workers.len() as u64;
        let simulations = self.budget.nodes.map(|nodes| nodes.max(1));
        let search = |(number, worker)| {
            if clock.step() && number > 0 {
                return None;
            }
            let share = simulations.map(|all| all / trees + u64::from(number < all % trees));
            let rng = Rng::stream(seed, number);
            let clock = clock.sharing_time(share);
            Some(MctsSearch::new(worker, view, config, rng, terminal_rules.clone(), clock))
        };
        (0..).zip(&mut self.workers).map_while(search).collect()
    }
}

impl<P: Position, E: Evaluator<P>> Player<P> for Mcts<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.last = None;
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let ends = self.budget.nodes.is_some() || self.budget.time.is_some() || turn.stop_flag().is_some();
        assert!(ends, "a Monte Carlo search needs a number of simulations, a time or a stop flag to end by");
        // The simulations are counted tree by tree.
        let time_only = Budget { nodes: None, ..self.budget };
        let mut clock = Clock::start(&time_only, turn.stop_flag());
        self.reuse_trees(view, turn.plies_left, &mut clock);
        let mut searches = self.searches(view, turn, &mut clock);
        let chosen = grow_to_the_end(view, &mut searches, turn, &clock)[0].mv;
        self.last = Some(LastChoice::new(view, chosen, turn.plies_left));
        chosen
    }
}
