//! Learning by a network that plays against itself: Q-learning, TD(λ) and Watkins' Q(λ), after parts 2 and 4 of
//! INFO-F-106 2019.
//!
//! The network says of a position how likely the first seat is to win, the first seat maximises and the second
//! minimises. With s' the position before a move, s the one after it and s* the best one that could have been
//! chosen, it is corrected after every move of either seat by δ, and at the end by δ = p(s') − result:
//! - *Q-learning*: δ = p(s') − p(s*), no traces;
//! - *TD(λ)*: δ = p(s') − p(s), with eligibility traces that begin at zero in each game;
//! - *Q(λ)*: as TD(λ), but a move that is not a best one resets the traces *before* its own correction: from then on
//!   nothing before s' is judged by what follows. A move drawn blindly that happens to be a best one resets nothing.
//!
//! Belongs here: the network, its traces, the learner, the player. Does not belong here: what the inputs mean (an
//! [`Encoder`] beside each game), files.
//!
//! Laws of this room:
//! - both chances of a δ come from the same weights;
//! - weights are single numbers of 32 bits and outputs of 64 (`docs/methods/self-play.md` has the measurement).

mod activation;
mod network;
mod player;
mod sight;
#[cfg(test)]
mod tests;
mod traces;

use outplay_core::{Encoder, Learner, Player, Position, Seat, Step, Turn};

pub use activation::Activation;
pub use network::Network;
pub use player::ByNetwork;
pub use sight::Ends;

use crate::exploration::{Exploration, Ramp};
use sight::Sight;
use traces::Traces;

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
pub struct Studies {
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
pub struct SelfTaught<P: Position, E> {
    net: Network,
    studies: Studies,
    games: u64,
    traces: Traces,
    sight: Sight<P, E>,
    pending: Pending,
}

/// What the last choice was made of; chances are the first seat's.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    before: f64,
    chosen: f64,
    best: f64,
    /// Whether no move was better than the chosen one.
    is_best: bool,
}

impl<P: Position, E: Encoder<P>> SelfTaught<P, E> {
    /// A learner with this network, which has as many inputs as the encoder, after so many games.
    pub fn new(net: Network, encoder: E, studies: Studies, games: u64) -> Self {
        let sight = Sight::new(encoder, studies.ends, &net);
        Self { traces: Traces::new(&net), net, studies, games, sight, pending: Pending::default() }
    }

    /// The network as it stands.
    pub const fn network(&self) -> &Network {
        &self.net
    }

    /// The games learnt from.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Corrects what the network said of the position it looked at last.
    fn correct(&mut self, chance: f64, target: f64) {
        let step = self.studies.rate.at(self.games) * (chance - target);
        let decay = match self.studies.rule {
            Rule::QLearning => {
                self.traces.reset();
                0.0
            }
            Rule::TdLambda(decay) | Rule::QLambda(decay) => decay,
        };
        self.traces.correct(&mut self.net, &self.sight.judged(chance), decay as f32, step as f32);
    }
}

impl<P: Position, E: Encoder<P>> Player<P> for SelfTaught<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.traces.reset();
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let before = self.sight.chance(&self.net, view);
        self.sight.value_moves(&self.net, view);
        let chosen = self.studies.exploration.at(self.games).pick(&self.sight.values, turn.rng);
        let first_seats = |own: f64| if view.seat() == Seat::First { own } else { 1.0 - own };
        let (own, best) = (self.sight.values[chosen], self.sight.best());
        self.pending =
            Pending { before, chosen: first_seats(own), best: first_seats(best), is_best: own == best };
        self.sight.moves[chosen]
    }
}

impl<P: Position, E: Encoder<P>> Learner<P> for SelfTaught<P, E> {
    fn learn(&mut self, step: Step<'_, P>) {
        match step {
            Step::Moved(..) => {
                let Pending { before, chosen, best, is_best } = self.pending;
                if matches!(self.studies.rule, Rule::QLambda(_)) && !is_best {
                    self.traces.reset();
                }
                let towards_best = matches!(self.studies.rule, Rule::QLearning);
                self.correct(before, if towards_best { best } else { chosen });
            }
            Step::Ended(last, outcome) => {
                let chance = self.sight.chance(&self.net, last);
                self.correct(chance, outcome.points(Seat::First));
                self.traces.reset();
                self.games += 1;
            }
        }
    }
}
