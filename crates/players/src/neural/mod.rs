//! Learning by a network that plays against itself: Q-learning, TD(λ) and Watkins' Q(λ), after parts 2 and 4 of
//! INFO-F-106 2019.
//!
//! The network says of a position how likely the first seat is to win, the first seat maximises and the second
//! minimises. With s' the position before a move, s the one after it and s* the best one that could have been
//! chosen, it is corrected after every move of either seat by δ, and at the end by δ = p(s') − result:
//! - *Q-learning*: δ = p(s') − p(s*), no traces;
//! - *TD(λ)*: δ = p(s') − p(s), with eligibility traces that begin at zero in each game;
//! - *Q(λ)*: as TD(λ), but a move that is not a best one resets the traces *before* its own correction: from then on
//!   nothing before s' is corrected by what follows. An exploratory move that happens to be a best one resets nothing.
//!
//! The network and its traces are `outplay-nn`'s, what the inputs mean is an [`Encoder`] beside each game. Both
//! probabilities of a δ come from the same weights. Weights have 32 bits and probabilities 64
//! (`docs/methods/self-play.md` has the measurement).

mod afterstates;
mod player;
#[cfg(test)]
mod tests;

use outplay_core::{Encoder, Learner, Player, Position, Seat, Step, Turn};
use outplay_nn::{EligibilityTraces, Network, SparseKernel};

pub use afterstates::Ends;
pub use player::ByNetwork;

use crate::exploration::{Exploration, Ramp};
use afterstates::Afterstates;

/// Towards what the network is corrected, and how far back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Towards the best after-state, the last position only.
    QLearning,
    /// Towards the chosen after-state, earlier positions fading by λ.
    TdLambda(f64),
    /// The same, forgetting what came before a move that is not a best one.
    QLambda(f64),
}

/// How a network learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningConfig {
    /// Towards what.
    pub rule: Rule,
    /// The learning rate, α.
    pub rate: Ramp,
    /// How moves are chosen.
    pub exploration: Exploration,
    /// What is known of the ends of the game.
    pub ends: Ends,
}

/// A network that learns from its own games.
#[derive(Clone, Debug)]
pub struct TdLearner<P: Position, E> {
    net: SparseKernel,
    config: LearningConfig,
    games: u64,
    traces: EligibilityTraces,
    afterstates: Afterstates<P, E>,
    pending: Pending,
}

/// What the last choice was made of; probabilities are the first seat's.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    before: f64,
    chosen: f64,
    best: f64,
    /// Whether no move was better than the chosen one.
    is_best: bool,
}

impl<P: Position, E: Encoder<P>> TdLearner<P, E> {
    /// A learner with this network, which has as many inputs as the encoder, after so many games.
    pub fn new(net: SparseKernel, encoder: E, config: LearningConfig, games: u64) -> Self {
        let afterstates = Afterstates::new(encoder, config.ends, &net);
        let traces = EligibilityTraces::new(&net);
        Self { net, config, games, traces, afterstates, pending: Pending::default() }
    }

    /// The network as it stands, packed as it learns.
    pub const fn kernel(&self) -> &SparseKernel {
        &self.net
    }

    /// The network as it stands.
    pub fn network(&self) -> Network {
        self.net.network()
    }

    /// The games learnt from.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Corrects what the network said of the position it visited last.
    fn correct(&mut self, output: f64, target: f64) {
        let step = self.config.rate.at(self.games) * (output - target);
        let decay = match self.config.rule {
            Rule::QLearning => {
                self.traces.reset();
                0.0
            }
            Rule::TdLambda(decay) | Rule::QLambda(decay) => decay,
        };
        self.traces.correct(&mut self.net, &self.afterstates.visited(output), decay as f32, step as f32);
    }
}

impl<P: Position, E: Encoder<P>> Player<P> for TdLearner<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.traces.reset();
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let before = self.afterstates.probability(&self.net, view);
        self.afterstates.value_moves(&self.net, view);
        let chosen = self.config.exploration.at(self.games).pick(&self.afterstates.values, turn.rng);
        let first_seats = |own: f64| if view.seat() == Seat::First { own } else { 1.0 - own };
        let (own, best) = (self.afterstates.values[chosen], self.afterstates.best());
        self.pending =
            Pending { before, chosen: first_seats(own), best: first_seats(best), is_best: own == best };
        self.afterstates.moves[chosen]
    }
}

impl<P: Position, E: Encoder<P>> Learner<P> for TdLearner<P, E> {
    fn learn(&mut self, step: Step<'_, P>) {
        match step {
            Step::Moved(..) => {
                let Pending { before, chosen, best, is_best } = self.pending;
                if matches!(self.config.rule, Rule::QLambda(_)) && !is_best {
                    self.traces.reset();
                }
                let towards_best = matches!(self.config.rule, Rule::QLearning);
                self.correct(before, if towards_best { best } else { chosen });
            }
            Step::Ended(last, outcome) => {
                let output = self.afterstates.probability(&self.net, last);
                self.correct(output, outcome.points(Seat::First));
                self.traces.reset();
                self.games += 1;
            }
        }
    }
}
