//! Where a network's parameters are, layer by layer.
//!
//! An architecture comes down to *affine layers*: dense layers and convolutions, each with its weights, biases and
//! activation. All parameters of a network are one vector: layer after layer, each layer's weights in the order of
//! their tensor (outputs × inputs, and for boards × side × side) before its biases. Files and checkpoints keep this
//! order; kernels pack it their own way.

use std::ops::Range;

use super::architecture::{Architecture, LayerSpec};
use crate::activation::Activation;

/// A dense layer or one convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AffineLayer {
    /// What the names of its tensors begin with.
    pub(crate) name: String,
    pub(crate) is_dense: bool,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// The side of the square that one output sees; 1 for dense layers.
    pub(crate) side: usize,
    pub(crate) activation: Activation,
    /// Whether the input of the layer before is added to the sums (the second half of a residual layer).
    pub(crate) adds_input: bool,
    /// What is done to its outputs before the next layer.
    pub(crate) after: Postprocessing,
    /// Where its weights are among the parameters.
    pub(crate) weights: Range<usize>,
    /// Where its biases are; empty if it has none.
    pub(crate) biases: Range<usize>,
}

/// What is done to outputs on their way to the next layer. None of it has parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Postprocessing {
    /// The side of the squares of which the largest is kept; 1 keeps every cell.
    pub(crate) pool: usize,
    /// Boards of this size become plain numbers.
    pub(crate) flatten: Option<(usize, usize)>,
    /// The share that is dropped in training, in thousandths.
    pub(crate) drop: u16,
}

impl Postprocessing {
    const NONE: Self = Self { pool: 1, flatten: None, drop: 0 };

    pub(crate) fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

impl AffineLayer {
    /// Places of the square that one output sees.
    pub(crate) fn taps(&self) -> usize {
        self.side * self.side
    }

    pub(crate) fn has_bias(&self) -> bool {
        !self.biases.is_empty()
    }

    /// The weight tensor's sizes: outputs, inputs and, for boards, the square.
    pub(crate) fn weight_sizes(&self) -> Vec<usize> {
        let square = if self.is_dense { &[][..] } else { &[self.side; 2] };
        [&[self.outputs, self.inputs], square].concat()
    }

    /// How many cells of its outputs become the inputs of one sample.
    pub(crate) fn flattened_cells(&self) -> usize {
        self.after.flatten.map_or(1, |(rows, cols)| rows * cols)
    }
}

/// The affine layers of an architecture that was checked.
pub(crate) fn affine_layers(architecture: &Architecture) -> Vec<AffineLayer> {
    let mut layers = LayerList { inputs: architecture.inputs, layers: Vec::new() };
    for (index, spec) in architecture.layers.iter().enumerate() {
        let name = format!("layers.{index}");
        match *spec {
            LayerSpec::Dense { outputs, activation, bias }
            | LayerSpec::Sparse { outputs, activation, bias } => {
                layers.add(name, (outputs, None), bias, activation);
            }
            LayerSpec::Conv { channels, side, activation } => {
                layers.add(name, (channels, Some(side)), true, activation);
            }
            LayerSpec::Residual { side, activation } => {
                let channels = layers.width();
                layers.add(format!("{name}.inner"), (channels, Some(side)), true, activation);
                layers.add(format!("{name}.outer"), (channels, Some(side)), true, activation);
                layers.last().adds_input = true;
            }
            LayerSpec::Pool { side } => layers.last().after.pool = side,
            LayerSpec::Flatten { rows, cols } => layers.last().after.flatten = Some((rows, cols)),
            LayerSpec::Drop { thousandths } => layers.last().after.drop = thousandths,
        }
    }
    layers.layers
}

struct LayerList {
    /// Inputs of the network.
    inputs: usize,
    layers: Vec<AffineLayer>,
}

impl LayerList {
    /// Numbers or planes that the next layer gets.
    fn width(&self) -> usize {
        self.layers.last().map_or(self.inputs, |layer| layer.outputs * layer.flattened_cells())
    }

    fn last(&mut self) -> &mut AffineLayer {
        self.layers.last_mut().expect("pooling, flattening and dropping follow a layer")
    }

    fn add(
        &mut self,
        name: String,
        (outputs, side): (usize, Option<usize>),
        bias: bool,
        activation: Activation,
    ) {
        let (inputs, is_dense, side) = (self.width(), side.is_none(), side.unwrap_or(1));
        let start = self.layers.last().map_or(0, |layer| layer.biases.end);
        let middle = start + outputs * inputs * side * side;
        let end = if bias { middle + outputs } else { middle };
        self.layers.push(AffineLayer {
            name,
            is_dense,
            inputs,
            outputs,
            side,
            activation,
            adds_input: false,
            after: Postprocessing::NONE,
            weights: start..middle,
            biases: middle..end,
        });
    }
}
