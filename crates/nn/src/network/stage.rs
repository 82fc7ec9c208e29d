//! What a plan comes to: one convolution after the other.
//!
//! Belongs here: which convolutions a layer is made of, where the parameters of each lie, and what they are
//! called in files. Does not belong here: the loops over boards (`field`), the order of a whole pass
//! (`pass`).
//!
//! Laws of this room:
//! - channels are filled up to whole lanes, and all that belongs to a filling channel (weights, biases,
//!   outputs, slopes) is zero and stays zero;
//! - a stage that adds adds what came into the stage before it.

use std::ops::Range;

use super::field::Window;
use super::kernel::LANES;
use super::plan::{LayerPlan, Plan};
use crate::activation::Activation;

/// One convolution with its biases and activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// The tensors' names begin with this.
    pub(crate) name: String,
    pub(crate) dense: bool,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) window: Window,
    pub(crate) activation: Activation,
    /// Whether what came into the stage before is added to the sums.
    pub(crate) adds: bool,
    /// Where its parameters lie, counted in lanes: biases, then panels.
    start: usize,
}

impl Stage {
    /// Where the biases lie, in lanes.
    pub(crate) fn biases(&self) -> Range<usize> {
        self.start..self.start + self.window.out_lanes
    }

    /// Where the weights lie, in lanes.
    pub(crate) fn weights(&self) -> Range<usize> {
        let start = self.biases().end;
        start..start + self.window.out_lanes * self.window.rows()
    }

    /// Places of the square.
    pub(crate) fn taps(&self) -> usize {
        self.window.side * self.window.side
    }

    /// The weight tensor's sizes: outputs, inputs and, for boards, the square.
    pub(crate) fn weight_sizes(&self) -> Vec<usize> {
        let square = if self.dense { &[][..] } else { &[self.window.side; 2] };
        [&[self.outputs, self.inputs], square].concat()
    }

    /// Where every weight lies, counted in numbers, in the order of the tensor.
    pub(crate) fn weight_places(&self) -> impl Iterator<Item = usize> {
        let first = self.weights().start * LANES;
        (0..self.outputs).flat_map(move |output| {
            (0..self.inputs).flat_map(move |input| {
                (0..self.taps()).map(move |tap| first + self.window.place(output, input, tap))
            })
        })
    }

    /// Where every bias lies, counted in numbers.
    pub(crate) fn bias_places(&self) -> Range<usize> {
        let first = self.biases().start * LANES;
        first..first + self.outputs
    }
}

/// The stages of a plan that was checked.
pub(crate) fn stages(plan: &Plan) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    for (index, layer) in plan.layers.iter().enumerate() {
        let inputs = stages.last().map_or(plan.inputs, |stage| stage.outputs);
        let name = format!("layers.{index}");
        match *layer {
            LayerPlan::Dense { outputs, activation } => {
                add(&mut stages, (name, true), (inputs, outputs, 1), (activation, false));
            }
            LayerPlan::Conv { channels, side, activation } => {
                add(&mut stages, (name, false), (inputs, channels, side), (activation, false));
            }
            LayerPlan::Residual { side, activation } => {
                let sizes = (inputs, inputs, side);
                add(&mut stages, (format!("{name}.inner"), false), sizes, (activation, false));
                add(&mut stages, (format!("{name}.outer"), false), sizes, (activation, true));
            }
        }
    }
    stages
}

fn add(
    stages: &mut Vec<Stage>,
    (name, dense): (String, bool),
    (inputs, outputs, side): (usize, usize, usize),
    (activation, adds): (Activation, bool),
) {
    let (in_width, start) = match stages.last() {
        None => (inputs, 0),
        Some(before) => (before.window.out_lanes * LANES, before.weights().end),
    };
    let window = Window { side, in_width, out_lanes: outputs.div_ceil(LANES) };
    stages.push(Stage { name, dense, inputs, outputs, window, activation, adds, start });
}
