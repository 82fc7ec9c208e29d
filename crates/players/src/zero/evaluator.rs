//! A policy–value network as the evaluator of other searches.

use std::sync::Arc;

use outplay_core::{Evaluator, Position, Score, Seat, SeatEncoder};
use outplay_nn::{Accumulator, Activations, IntegerNetwork};

/// Judges positions by the network's value and orders moves by its policy.
///
/// A search that jumps about in its tree keeps no hidden sums: they are worked out anew for every position.
#[derive(Clone, Debug)]
pub struct PolicyValueEvaluator<P: Position, E> {
    network: Arc<IntegerNetwork>,
    encoder: E,
    /// The depth from which on the policy orders the moves; it costs as much as several values.
    policy_depth: u32,
    /// How many of the likeliest moves are then searched to full depth.
    full_depth_moves: usize,
    sums: Accumulator,
    activations: Activations,
    on: Vec<u32>,
    moves: Vec<P::Move>,
    slots: Vec<u16>,
    logits: Vec<f32>,
}

/// Thousandths, as scores and priorities count log-odds.
const THOUSANDTHS: f32 = 1000.0;

impl<P: Position, E: SeatEncoder<P>> PolicyValueEvaluator<P, E> {
    /// Judges by this network, and asks its policy from this depth on for the order of the moves, of which so many are searched
    /// to full depth.
    pub fn new(network: Arc<IntegerNetwork>, encoder: E, policy_depth: u32, full_depth_moves: usize) -> Self {
        let sums = network.accumulator();
        Self {
            network,
            encoder,
            policy_depth,
            full_depth_moves,
            sums,
            activations: Activations::default(),
            on: Vec::new(),
            moves: Vec::new(),
            slots: Vec::new(),
            logits: Vec::new(),
        }
    }

    fn activate(&mut self, position: &P) {
        let Self { network, encoder, sums, activations, on, .. } = self;
        on.clear();
        encoder.each_on(position, position.seat(), |input| on.push(input));
        network.set(on, sums);
        on.clear();
        encoder.each_computed(position, |input| on.push(input));
        network.activate(sums, on, activations);
    }
}

impl<P: Position, E: SeatEncoder<P>> Evaluator<P> for PolicyValueEvaluator<P, E> {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &P) -> Score {
        self.activate(position);
        let points = self.network.outcome(&self.activations).points().clamp(1e-6, 1.0 - 1e-6);
        Score::eval(((points / (1.0 - points)).ln() * THOUSANDTHS) as i32)
    }

    fn plausible_moves(&mut self, position: &P, depth: u32, mut visit: impl FnMut(P::Move, i32)) -> usize {
        self.moves.clear();
        position.moves_into(&mut self.moves);
        if depth < self.policy_depth {
            self.moves.iter().for_each(|&mv| visit(mv, 0));
            return usize::MAX;
        }
        self.activate(position);
        let Self { network, encoder, activations, moves, slots, logits, .. } = self;
        slots.clear();
        slots.extend(moves.iter().map(|&mv| encoder.slot(position, mv)));
        logits.clear();
        network.logits(activations, slots, logits);
        for (&mv, logit) in moves.iter().zip(logits) {
            visit(mv, (*logit * THOUSANDTHS) as i32);
        }
        self.full_depth_moves
    }
}
