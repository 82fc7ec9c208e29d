//! What the network makes of a position and of every move there.
//!
//! Laws of this room:
//! - sums are made anew from the weights for each position and carried over to the after-states by what each move
//!   changes, so nothing drifts and nothing is out of date;
//! - the value of a move is the chance of the player who makes it.

use outplay_core::elementary::sigmoid;
use outplay_core::{Change, Encoder, Position, Seat};

use super::network::{LANES, Lanes, Network, chance};
use super::traces::Judged;
use crate::exploration::greatest;

/// What the network knows of the ends of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Nothing: a finished position is judged like any other, as in the document.
    Judged,
    /// A move that ends the game is worth its result.
    Known,
}

/// A position, its moves and their values.
#[derive(Clone, Debug)]
pub(super) struct Sight<P: Position, E> {
    encoder: E,
    ends: Ends,
    on: Vec<u32>,
    sums: Vec<Lanes>,
    changes: Vec<Change>,
    log_odds: Vec<f32>,
    pub(super) moves: Vec<P::Move>,
    pub(super) values: Vec<f64>,
}

impl<P: Position, E: Encoder<P>> Sight<P, E> {
    /// `width` is the network's.
    pub(super) fn new(encoder: E, ends: Ends, net: &Network) -> Self {
        assert_eq!(encoder.inputs(), net.inputs(), "the network has as many inputs as the encoding");
        Self {
            encoder,
            ends,
            on: Vec::new(),
            sums: vec![[0.0; LANES]; net.width()],
            changes: Vec::new(),
            log_odds: Vec::new(),
            moves: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Looks at a position: the log-odds of the first seat.
    pub(super) fn look(&mut self, net: &Network, position: &P) -> f32 {
        self.on.clear();
        self.encoder.each_on(position, |input| self.on.push(input));
        net.sums_into(&self.on, &mut self.sums);
        net.log_odds(&self.sums)
    }

    /// The position looked at, for whoever learns from it.
    pub(super) fn judged(&self, chance: f64) -> Judged<'_> {
        Judged { on: &self.on, sums: &self.sums, chance }
    }

    /// Values every move of the position looked at.
    pub(super) fn value_moves(&mut self, net: &Network, position: &P) {
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

    /// The chance of the first seat in the position.
    pub(super) fn chance(&mut self, net: &Network, position: &P) -> f64 {
        chance(self.look(net, position))
    }
}
