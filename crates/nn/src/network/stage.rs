//! What a plan comes to: one convolution after the other.
//!
//! Belongs here: which convolutions a layer is made of, where the parameters of each lie, and what they are
//! called in files. Does not belong here: the loops over boards (`field`), the order of a whole pass
//! (`pass`).
//!
//! Laws of this room:
//! - channels are filled up to whole lanes, and all that belongs to a filling channel (weights, biases,
//!   outputs, slopes) is zero and stays zero;
//! - a stage that adds adds what came into the stage before it;
//! - what has no parameters (pooling, flattening, dropping) is done to a stage's outputs on their way to the next.

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
    /// What is done to its outputs on their way to the next stage.
    pub(crate) after: After,
    /// How many inputs lie together, and how far apart such groups begin: one group, unless boards were flattened.
    group: (usize, usize),
    /// Where its parameters lie, counted in lanes: biases, then panels.
    start: usize,
}

/// What is done between two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct After {
    /// The side of the squares of which the largest is kept; 1 keeps every cell.
    pub(crate) pool: usize,
    /// Boards of this size become plain numbers.
    pub(crate) flatten: Option<(usize, usize)>,
    /// The share that is left out in training, in thousandths.
    pub(crate) drop: u16,
}

impl After {
    const NOTHING: Self = Self { pool: 1, flatten: None, drop: 0 };

    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::NOTHING
    }
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
                let (together, apart) = self.group;
                let place = input / together * apart + input % together;
                (0..self.taps()).map(move |tap| first + self.window.place(output, place, tap))
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
        let inputs = stages.last().map_or(plan.inputs, |stage| stage.outputs * flattened(stage));
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
            LayerPlan::Pool { side } => after(&mut stages).pool = side,
            LayerPlan::Flatten { rows, cols } => after(&mut stages).flatten = Some((rows, cols)),
            LayerPlan::Drop { thousandths } => after(&mut stages).drop = thousandths,
        }
    }
    stages
}

fn after(stages: &mut [Stage]) -> &mut After {
    &mut stages.last_mut().expect("a stage stands before what is done to its outputs").after
}

/// How many cells of a stage's outputs become the inputs of one sample.
fn flattened(stage: &Stage) -> usize {
    stage.after.flatten.map_or(1, |(rows, cols)| rows * cols)
}

fn add(
    stages: &mut Vec<Stage>,
    (name, dense): (String, bool),
    (inputs, outputs, side): (usize, usize, usize),
    (activation, adds): (Activation, bool),
) {
    let (in_width, group, start) = match stages.last() {
        None => (inputs, (inputs, inputs), 0),
        Some(before) => {
            let width = before.window.out_lanes * LANES;
            (width * flattened(before), (before.outputs, width), before.weights().end)
        }
    };
    let window = Window { side, in_width, out_lanes: outputs.div_ceil(LANES) };
    let after = After::NOTHING;
    stages.push(Stage { name, dense, inputs, outputs, window, activation, adds, after, group, start });
}
