//! What the network makes of a position and of every move there.
//!
//! The sums of the hidden neurons are computed anew for each position and carried over to the after-states by what
//! each move changes, so nothing drifts and nothing is out of date. The value of a move is the probability that the
//! player who makes it wins.

use outplay_core::elementary::sigmoid;
use outplay_core::{Change, Encoder, Position, Seat};
use outplay_nn::{HiddenSums, SparseKernel, VisitedState};

use crate::exploration::greatest;

/// How moves that end the game are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// By the network, like any other move, as in the document.
    Judged,
    /// By the result.
    Known,
}

/// A position, its moves and their values.
#[derive(Clone, Debug)]
pub(super) struct Afterstates<P: Position, E> {
    encoder: E,
    ends: Ends,
    on: Vec<u32>,
    sums: HiddenSums,
    changes: Vec<Change>,
    log_odds: Vec<f32>,
    pub(super) moves: Vec<P::Move>,
    pub(super) values: Vec<f64>,
}

impl<P: Position, E: Encoder<P>> Afterstates<P, E> {
    pub(super) fn new(encoder: E, ends: Ends, net: &SparseKernel) -> Self {
        assert_eq!(encoder.inputs(), net.inputs(), "the network has as many inputs as the encoding");
        Self {
            encoder,
            ends,
            on: Vec::new(),
            sums: net.empty_sums(),
            changes: Vec::new(),
            log_odds: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Visits a position: the log-odds of the first seat.
    pub(super) fn visit(&mut self, net: &SparseKernel, position: &P) -> f32 {
        self.on.clear();
        self.encoder.each_on(position, |input| self.on.push(input));
        net.sum_inputs(&self.on, &mut self.sums);
        net.log_odds(&self.sums)
    }

    /// The position visited last, with the probability that the network gave the first seat there.
    pub(super) fn visited(&self, output: f64) -> VisitedState<'_> {
        VisitedState { on: &self.on, sums: &self.sums, output }
    }

    /// Values every move of the position visited last.
    pub(super) fn value_moves(&mut self, net: &SparseKernel, position: &P) {
        self.moves.clear();
        position.moves_into(&mut self.moves);
        self.log_odds.clear();
        for &mv in &self.moves {
            self.changes.clear();
            self.encoder.each_change(position, mv, |change| self.changes.push(change));
            self.log_odds.push(net.log_odds_after(&self.sums, &self.changes));
        }
        let sign = if position.seat() == Seat::First { 1.0 } else { -1.0 };
        self.values.clear();
        self.values.extend(self.log_odds.iter().map(|&odds| sigmoid(sign * f64::from(odds))));
        if self.ends == Ends::Known {
            for (value, &mv) in self.values.iter_mut().zip(&self.moves) {
                if let Some(outcome) = position.after(mv).outcome() {
                    *value = outcome.points(position.seat());
                }
            }
        }
    }

    /// The value of the best move.
    pub(super) fn best(&self) -> f64 {
        greatest(&self.values)
    }

    /// The value of a position that was reached, for the first seat.
    pub(super) fn value_reached(&mut self, net: &SparseKernel, position: &P) -> f64 {
        match position.outcome() {
            Some(outcome) if self.ends == Ends::Known => outcome.points(Seat::First),
            _ => self.probability(net, position),
        }
    }

    /// Visits a position: the probability that the first seat wins.
    pub(super) fn probability(&mut self, net: &SparseKernel, position: &P) -> f64 {
        sigmoid(f64::from(self.visit(net, position)))
    }
}
