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
//! One set of traces serves both seats, as the document writes it; or each seat has its own, as in the program of the
//! document's course. The last correction of a game is by the traces of the seat that moved last.
//!
//! Against an opponent, its moves are corrected like moves that the learner chose and held for best: there is no other
//! move to compare them with.
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

/// Whose moves a set of eligibility traces remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceSets {
    /// One set for the moves of both seats.
    Shared,
    /// One set for each seat.
    PerSeat,
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
    /// Whose moves the traces remember.
    pub traces: TraceSets,
}

/// A network that learns from its own games.
#[derive(Clone, Debug)]
pub struct TdLearner<P: Position, E> {
    net: SparseKernel,
    config: LearningConfig,
    games: u64,
    /// By seat; the first set serves both if they share it.
    traces: [EligibilityTraces; 2],
    afterstates: Afterstates<P, E>,
    pending: Pending,
}

/// What the last choice was made of; probabilities are the first seat's.
#[derive(Clone, Copy, Debug)]
struct Pending {
    seat: Seat,
    before: f64,
    chosen: f64,
    best: f64,
    /// Whether no move was better than the chosen one.
    is_best: bool,
}

impl Default for Pending {
    fn default() -> Self {
        Self { seat: Seat::First, before: 0.5, chosen: 0.5, best: 0.5, is_best: true }
    }
}

impl<P: Position, E: Encoder<P>> TdLearner<P, E> {
    /// A learner with this network, which has as many inputs as the encoder, after so many games.
    pub fn new(net: SparseKernel, encoder: E, config: LearningConfig, games: u64) -> Self {
        let afterstates = Afterstates::new(encoder, config.ends, &net);
        let traces = [EligibilityTraces::new(&net), EligibilityTraces::new(&net)];
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

    /// Corrects what the network said of the position it visited last, in which this seat moved.
    fn correct(&mut self, seat: Seat, output: f64, target: f64) {
        let step = self.config.rate.at(self.games) * (output - target);
        let traces = &mut self.traces[trace_set(self.config.traces, seat)];
        let decay = match self.config.rule {
            Rule::QLearning => {
                traces.reset();
                0.0
            }
            Rule::TdLambda(decay) | Rule::QLambda(decay) => decay,
        };
        traces.correct(&mut self.net, &self.afterstates.visited(output), decay as f32, step as f32);
    }

    fn reset_traces(&mut self) {
        self.traces.iter_mut().for_each(EligibilityTraces::reset);
    }
}

/// Which set remembers the moves of a seat.
const fn trace_set(sets: TraceSets, seat: Seat) -> usize {
    match sets {
        TraceSets::Shared => 0,
        TraceSets::PerSeat => seat.index(),
    }
}

impl<P: Position, E: Encoder<P>> Player<P> for TdLearner<P, E> {
    fn new_game(&mut self, _seat: Seat) {
        self.reset_traces();
    }

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        let seat = view.seat();
        let before = self.afterstates.probability(&self.net, view);
        self.afterstates.value_moves(&self.net, view);
        let chosen = self.config.exploration.at(self.games).pick(&self.afterstates.values, turn.rng);
        let first_seats = |own: f64| if seat == Seat::First { own } else { 1.0 - own };
        let (own, best) = (self.afterstates.values[chosen], self.afterstates.best());
        self.pending =
            Pending { seat, before, chosen: first_seats(own), best: first_seats(best), is_best: own == best };
        self.afterstates.moves[chosen]
    }
}

impl<P: Position, E: Encoder<P>> Learner<P> for TdLearner<P, E> {
    fn learn(&mut self, step: Step<'_, P>) {
        match step {
            Step::Moved(..) => {
                let Pending { seat, before, chosen, best, is_best } = self.pending;
                if matches!(self.config.rule, Rule::QLambda(_)) && !is_best {
                    self.traces[trace_set(self.config.traces, seat)].reset();
                }
                let towards_best = matches!(self.config.rule, Rule::QLearning);
                self.correct(seat, before, if towards_best { best } else { chosen });
            }
            Step::OpponentMoved(view, mv) => {
                let reached = self.afterstates.value_reached(&self.net, &view.after(mv));
                let before = self.afterstates.probability(&self.net, view);
                self.pending.seat = view.seat();
                self.correct(view.seat(), before, reached);
            }
            Step::Ended(last, outcome) => {
                let output = self.afterstates.probability(&self.net, last);
                self.correct(self.pending.seat, output, outcome.points(Seat::First));
                self.reset_traces();
                self.games += 1;
            }
        }
    }
}
