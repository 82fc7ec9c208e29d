//! Networks in single precision, dense or convolutional.
//!
//! Belongs here: what a network is, how it begins, how it answers. Does not belong here: how it learns
//! (`minibatch`), how it is written down (`file`).
//!
//! Law: all parameters lie in one vector of lanes, in the order of `stage`, so that what learns can walk over
//! them without knowing what they are.

mod field;
mod handover;
mod kernel;
mod pass;
mod plan;
mod predictor;
mod stage;

use std::collections::BTreeMap;

use outplay_core::Rng;

use crate::error::ShapeError;
pub(crate) use handover::Chance;
pub(crate) use kernel::{LANES, Lanes, parts};
pub(crate) use pass::{Judge, Pass};
pub use plan::{LayerPlan, Plan};
pub use predictor::Predictor;
pub(crate) use stage::{Stage, stages};

/// How many boards of which size; a network that sees numbers has boards of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Boards, or samples.
    pub samples: usize,
    /// Lines of each board.
    pub rows: usize,
    /// Cells of each line.
    pub cols: usize,
}

impl Extent {
    /// So many samples of a dense network.
    pub const fn samples(samples: usize) -> Self {
        Self { samples, rows: 1, cols: 1 }
    }

    /// Cells of all boards.
    pub const fn cells(&self) -> usize {
        self.samples * self.rows * self.cols
    }

    /// How many pieces this is worked through in. A piece has about 256 cells and at least one board: enough
    /// to keep the kernels busy, few enough that what is kept of it stays near the processor. Where boards are
    /// flattened, dense layers follow, whose weights should serve more boards at a time.
    pub(crate) fn pieces(&self, plan: &Plan) -> usize {
        let cells = if plan.flattens() { 2048 } else { 256 };
        let boards = (cells / (self.rows * self.cols).max(1)).max(1);
        self.samples.div_ceil(boards)
    }
}

/// A plan with weights, and what is noted about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    plan: Plan,
    stages: Vec<Stage>,
    parameters: Vec<Lanes>,
    pub(crate) notes: BTreeMap<String, String>,
}

impl Network {
    /// A new network. Biases are zero. Dense weights are uniform in ±√(6/(inputs + outputs)) (Glorot's rule,
    /// Keras' default), those of convolutions in ±√(6/inputs) (He's), where inputs are all that one output
    /// sees. The second convolution of a residual layer is zero, so that the layer begins by handing on what
    /// comes in.
    pub fn new(plan: Plan, rng: &mut Rng) -> Result<Self, ShapeError> {
        let mut network = Self::zero(plan)?;
        let parameters = bytemuck::cast_slice_mut::<_, f32>(&mut network.parameters);
        for stage in network.stages.iter().filter(|stage| !stage.adds) {
            let seen = stage.inputs * stage.taps();
            let fan = if stage.dense { seen + stage.outputs } else { seen };
            let bound = (6.0 / fan as f64).sqrt();
            for place in stage.weight_places() {
                parameters[place] = (rng.unit().mul_add(2.0, -1.0) * bound) as f32;
            }
        }
        Ok(network)
    }

    /// The network of this plan whose every parameter is zero.
    pub(crate) fn zero(plan: Plan) -> Result<Self, ShapeError> {
        plan.check()?;
        let stages = stages(&plan);
        let lanes = stages.last().expect("a plan has a layer").weights().end;
        Ok(Self { plan, stages, parameters: vec![Lanes::ZERO; lanes], notes: BTreeMap::new() })
    }

    /// Its layers.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What was noted under this key when it was written down.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes.get(key).map(String::as_str)
    }

    /// Everything noted, sorted by key.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.notes.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    pub(crate) fn stages(&self) -> &[Stage] {
        &self.stages
    }

    pub(crate) fn parameters(&self) -> &[Lanes] {
        &self.parameters
    }

    pub(crate) fn parameters_mut(&mut self) -> &mut [Lanes] {
        &mut self.parameters
    }

    /// Sets every parameter, in the order of [`places`](Self::places).
    pub(crate) fn set_numbers(&mut self, numbers: &[f32]) {
        let places: Vec<usize> = self.places().collect();
        let parameters = bytemuck::cast_slice_mut::<_, f32>(&mut self.parameters);
        places.into_iter().zip(numbers).for_each(|(place, number)| parameters[place] = *number);
    }

    /// Where every parameter lies, counted in numbers: stage by stage, weights in the order of their tensor,
    /// then biases.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.stages.iter().flat_map(|stage| stage.weight_places().chain(stage.bias_places()))
    }
}
