//! Networks with two heads: what a position is worth, and which moves are worth a look.
//!
//! Binary inputs add up to the sums of a hidden layer. Its activations lead to a small value head, which gives the
//! probabilities of win, draw and loss, and to the policy, one logit for every move slot, of which only those of legal
//! moves are computed. [`PolicyValueTrainer`] learns in single precision; [`IntegerNetwork`] answers in 16-bit integers
//! and keeps the hidden sums up to date by the inputs that a move changes.

mod file;
mod integer;
mod pass;
mod shape;
#[cfg(test)]
mod tests;
mod trainer;

use std::collections::BTreeMap;

use outplay_core::Rng;

use crate::error::ShapeError;
use crate::network::{LANES, Lanes};
use pass::PolicyValuePass;
use shape::{Head, Layout, OUTCOMES};

pub use integer::{Accumulator, Activations, IntegerNetwork};
pub use shape::{PolicyValueShape, SparseActivation};
pub use trainer::{PolicyValueLoss, PolicyValueSample, PolicyValueTrainer};

/// A policy–value network in single precision.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyValueNetwork {
    shape: PolicyValueShape,
    /// In the order of [`Layout`]; what only fills lanes is zero.
    parameters: Vec<Lanes>,
    notes: BTreeMap<String, String>,
}

/// What a network says of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomeProbabilities {
    /// The side to move wins.
    pub win: f32,
    /// Nobody wins.
    pub draw: f32,
    /// The side to move loses.
    pub loss: f32,
}

impl OutcomeProbabilities {
    /// The points that the side to move can expect, from 0 to 1.
    pub fn points(&self) -> f32 {
        0.5f32.mul_add(self.draw, self.win)
    }

    fn of([win, draw, loss]: [f32; OUTCOMES]) -> Self {
        Self { win, draw, loss }
    }
}

/// First weights of inputs are drawn from ± this: about thirty inputs that are on then spread the sums over the active range.
const FIRST_WEIGHT: f64 = 0.15;
/// The first bias of hidden neurons, in the active range.
const FIRST_BIAS: f32 = 0.25;

impl PolicyValueNetwork {
    /// A new network, to which all moves are alike and every position is a draw or as likely a win as a loss.
    pub fn new(shape: PolicyValueShape, rng: &mut Rng) -> Result<Self, ShapeError> {
        shape.check()?;
        let layout = shape.layout();
        let mut network =
            Self { shape, parameters: vec![Lanes::ZERO; layout.lanes()], notes: BTreeMap::new() };
        let mut draw = |bound: f64| (rng.unit().mul_add(2.0, -1.0) * bound) as f32;
        let first = &mut network.parameters[layout.first.clone()];
        for weight in bytemuck::cast_slice_mut::<_, f32>(first) {
            *weight = draw(FIRST_WEIGHT);
        }
        network.parameters[layout.first_bias.clone()].fill(Lanes::splat(FIRST_BIAS));
        // Glorot's rule.
        let bound = (6.0 / (shape.hidden + shape.value_hidden) as f64).sqrt();
        for (output, input) in pairs(shape.value_hidden, shape.hidden) {
            *network.weight_mut(&layout.value, output, input) = draw(bound);
        }
        Ok(network)
    }

    /// Its sizes.
    pub fn shape(&self) -> &PolicyValueShape {
        &self.shape
    }

    /// What was noted of it, by key.
    pub fn notes(&self) -> &BTreeMap<String, String> {
        &self.notes
    }

    /// Notes something of it.
    pub fn note(&mut self, key: &str, value: &str) {
        self.notes.insert(key.to_owned(), value.to_owned());
    }

    /// What it says of the position with these inputs on: the outcome, and under each of these move slots its logit.
    pub fn answer(&self, on: &[u32], slots: &[u16]) -> (OutcomeProbabilities, Vec<f32>) {
        PolicyValuePass::default().answer(self, on, slots)
    }

    fn layout(&self) -> Layout {
        self.shape.layout()
    }

    /// The weight of a head's output for an input.
    fn weight(&self, head: &Head, output: usize, input: usize) -> f32 {
        self.numbers()[head.weights.start * LANES + head.window.place(output, input, 0)]
    }

    fn weight_mut(&mut self, head: &Head, output: usize, input: usize) -> &mut f32 {
        let place = head.weights.start * LANES + head.window.place(output, input, 0);
        &mut bytemuck::cast_slice_mut::<_, f32>(&mut self.parameters)[place]
    }

    /// All parameters, with what only fills lanes.
    fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(&self.parameters)
    }
}

/// All pairs of an output and an input, output by output.
fn pairs(outputs: usize, inputs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..outputs).flat_map(move |output| (0..inputs).map(move |input| (output, input)))
}
