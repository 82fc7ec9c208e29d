//! Players and evaluators that follow a network and learn no more.

use std::sync::Arc;

use outplay_core::{Encoder, Evaluator, Player, Position, Score, Seat, Turn};
use outplay_nn::SparseKernel;

use super::afterstates::{Afterstates, Ends};
use crate::exploration::{ActionSelection, thought};

/// Chooses among the after-states by what a network says of them.
#[derive(Clone, Debug)]
pub struct ByNetwork<P: Position, E> {
    net: Arc<SparseKernel>,
    choice: ActionSelection,
    afterstates: Afterstates<P, E>,
}

impl<P: Position, E: Encoder<P>> ByNetwork<P, E> {
    /// A player that follows this network, which has as many inputs as the encoder.
    pub fn new(net: Arc<SparseKernel>, encoder: E, choice: ActionSelection, ends: Ends) -> Self {
        let afterstates = Afterstates::new(encoder, ends, &net);
        Self { net, choice, afterstates }
    }
}

impl<P: Position, E: Encoder<P>> Player<P> for ByNetwork<P, E> {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        self.afterstates.visit(&self.net, view);
        self.afterstates.value_moves(&self.net, view);
        let chosen = self.choice.pick(&self.afterstates.values, turn.rng);
        turn.show(|| thought(&self.afterstates.moves, &self.afterstates.values, chosen));
        self.afterstates.moves[chosen]
    }
}

impl<P: Position, E: Encoder<P>> Evaluator<P> for ByNetwork<P, E> {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &P) -> Score {
        let first = self.afterstates.visit(&self.net, position);
        let own = if position.seat() == Seat::First { first } else { -first };
        Score::eval((1000.0 * own).round() as i32)
    }
}
