//! Monte Carlo tree search with a policy and a value, as AlphaZero has it, and the games from which they are learnt.
//!
//! A simulation descends from the root by the child with the greatest
//!
//! ```text
//! q + c(N)·p·√N / (1 + n)      q: points per visit for the seat that moves, from 0 to 1
//!                              p: the prior of the move, by the policy
//!                              n, N: visits of the child and of its parent
//! ```
//!
//! and evaluates the leaf by the network; nothing is played out. c(N) grows slowly with the visits. A child without visits has the
//! value of its parent, less by more the more of the policy has been tried (first-play urgency). Proven results, re-use of the tree,
//! several trees and their determinism are as in [`Mcts`](crate::Mcts); trees but the first have a quarter of noise in the priors
//! of their root moves, since they would all be the same without.
//!
//! Leaves are evaluated one by one: a network of sparse inputs whose sums follow the moves gains nothing from batches, so there
//! is no virtual loss.
//!
//! [`ZeroSelfPlay`] plays the games to learn from. At the root it chooses either by Gumbel's trick and sequential halving, which
//! improves the policy with few simulations, or, as AlphaZero does, by visits with noise in the priors.
//!
//! References: D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play
//! (2018); I. Danihelka et al., Policy improvement by planning with Gumbel (2022); D. Wu, Accelerating self-play learning in Go
//! (2019).

mod evaluator;
mod noise;
mod policy_value;
mod root;
mod search;
mod selfplay;
#[cfg(test)]
mod tests;

use outplay_core::{Player, Position, Rng, Score, Seat, Turn};

use crate::budget::{Budget, Clock};
use crate::terminal::TerminalRules;
use crate::tree::growth::{LastChoice, grow_to_the_end};
use crate::tree::root_stats::RootMoveStats;
use search::{ZeroSearch, ZeroWorker};

pub use evaluator::PolicyValueEvaluator;
pub use policy_value::{NetworkPolicyValue, PolicyValue};
pub use root::RootExploration;
pub use selfplay::{ZeroGame, ZeroPosition, ZeroSelfPlay, ZeroSelfPlayConfig};

/// Nodes per tree beyond which none is added; simulations go on.
const CAPACITY: usize = 1 << 23;
/// The share of noise in the root priors of all trees but the first.
const NOISE_OF_OTHER_TREES: f32 = 0.25;

/// How children are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puct {
    /// The constant c(0).
    pub exploration: f64,
    /// By how many points a child without visits is worth less than its parent once all of the policy has been tried.
    pub first_play_urgency: f64,
}

impl Default for Puct {
    fn default() -> Self {
        Self { exploration: 0.7, first_play_urgency: 0.1 }
    }
}

impl Puct {
    /// AlphaZero's: c begins to grow after about so many visits.
    const GROWTH_FROM: f64 = 19_652.0;
    /// AlphaZero's, in parts of c(0).
    const GROWTH: f64 = 0.8;

    /// c(N)·√N.
    fn weight(&self, visits: u32) -> f64 {
        let visits = f64::from(visits);
        let growth = 1.0 + Self::GROWTH * (visits / Self::GROWTH_FROM).ln_1p();
        self.exploration * growth * visits.sqrt()
    }

    /// The value of a child without visits. Its parent is worth so many points to the seat that moves there, and children with
    /// this share of the policy have been visited.
    fn first_value(&self, points: f64, visited_prior: f32) -> f64 {
        points - self.first_play_urgency * f64::from(visited_prior.max(0.0)).sqrt()
    }
}

/// A player that searches with a policy and a value.
#[derive(Clone, Debug)]
pub struct Zero<P: Position, V> {
    budget: Budget,
    puct: Puct,
    temperature: f64,
    workers: Vec<ZeroWorker<P, V>>,
    last: Option<LastChoice<P>>,
}

impl<P: Position, V: PolicyValue<P> + Clone> Zero<P, V> {
    /// A search within the budget: `nodes` are simulations of all trees together; `depth` is ignored.
    pub fn new(network: V, budget: Budget, puct: Puct) -> Self {
        let workers = vec![ZeroWorker::new(network, CAPACITY)];
        Self { budget, puct, temperature: 0.0, workers, last: None }
    }

    /// The same with this many trees, at least 1, grown in parallel.
    #[must_use]
    pub fn with_trees(mut self, trees: usize) -> Self {
        let network = self.workers[0].network.clone();
        self.workers.resize_with(trees.max(1), || ZeroWorker::new(network.clone(), CAPACITY));
        self
    }

    /// The same, drawing moves by their visits to the power of 1/`temperature`; 0 chooses the best.
    #[must_use]
    pub const fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = temperature;
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

    /// A search for every tree, each with its share of the simulations; fewer if the time is over.
    fn searches<'a>(
        &'a mut self,
        view: &'a P,
        turn: &mut Turn<'_, P::Move>,
        clock: &mut Clock<'a>,
    ) -> Vec<ZeroSearch<'a, P, V>> {
        let (puct, seed, terminal_rules) = (self.puct, turn.rng.seed(), TerminalRules::new(turn));
        let trees = self.workers.len() as u64;
        let simulations = self.budget.nodes.map(|nodes| nodes.max(1));
        let search = |(number, worker)| {
            if clock.step() && number > 0 {
                return None;
            }
            let share = simulations.map(|all| all / trees + u64::from(number < all % trees));
            let clock = clock.sharing_time(share);
            let mut search = ZeroSearch::new(worker, view, puct, terminal_rules.clone(), clock);
            if number > 0 {
                search.mix_noise(NOISE_OF_OTHER_TREES, &mut Rng::stream(seed, number));
            }
            Some(search)
        };
        (0..).zip(&mut self.workers).map_while(search).collect()
    }
}

impl<P: Position, V: PolicyValue<P> + Clone> Player<P> for Zero<P, V> {
    fn new_game(&mut self, _seat: Seat) {
        self.last = None;
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let ends = self.budget.nodes.is_some() || self.budget.time.is_some() || turn.stop_flag().is_some();
        assert!(ends, "a search needs a number of simulations, a time or a stop flag to end by");
        // The simulations are counted tree by tree.
        let time_only = Budget { nodes: None, ..self.budget };
        let mut clock = Clock::start(&time_only, turn.stop_flag());
        self.reuse_trees(view, turn.plies_left, &mut clock);
        let temperature = self.temperature;
        let mut searches = self.searches(view, turn, &mut clock);
        let stats = grow_to_the_end(view, &mut searches, turn, &clock);
        let chosen = draw_by_visits(&stats, temperature, turn.rng);
        self.last = Some(LastChoice::new(view, chosen, turn.plies_left));
        chosen
    }
}

/// A move by its visits to the power of 1/`temperature`; the first one at 0, or if it wins. Lost moves are not drawn.
fn draw_by_visits<M: Copy>(stats: &[RootMoveStats<M>], temperature: f64, rng: &mut Rng) -> M {
    let best = stats[0];
    if temperature <= 0.0 || best.proof != Score::EVEN {
        return best.mv;
    }
    let most = stats.iter().map(|stats| stats.visits).max().unwrap_or(1).max(1) as f64;
    let weight = |stats: &RootMoveStats<M>| {
        if stats.proof < Score::EVEN { 0.0 } else { (stats.visits as f64 / most).powf(1.0 / temperature) }
    };
    draw(stats.iter().map(|stats| (stats.mv, weight(stats))), rng).unwrap_or(best.mv)
}

/// An item by its weight; `None` if none has any.
fn draw<T>(items: impl Iterator<Item = (T, f64)> + Clone, rng: &mut Rng) -> Option<T> {
    let sum: f64 = items.clone().map(|(_, weight)| weight).sum();
    let mut left = rng.unit() * sum;
    let mut last = None;
    for (item, weight) in items.filter(|&(_, weight)| weight > 0.0) {
        last = Some(item);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}
