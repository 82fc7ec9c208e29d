//! One piece of a batch on its way through a network and back.
//!
//! Belongs here: the order of the stages, the room between them, the loss at the end. Does not belong here:
//! how a batch is cut into pieces, what is done with the gradient.
//!
//! Laws of this room:
//! - the cells of a border are zero in every buffer: they are cleared when the size of the boards changes,
//!   and only the cells of boards are written;
//! - once it has seen its largest piece, a pass allocates nothing.

use outplay_core::elementary::{fast_sigmoid, softplus};

use super::field::{Field, Start};
use super::kernel::{LANES, Lanes};
use super::stage::Stage;
use super::{Extent, Network};
use crate::activation::Activation;
use crate::loss::Loss;

/// Room for one piece. Each thread has its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pass {
    field: Field,
    /// The boards that come in, with borders. Dense networks read theirs where they lie.
    input: Vec<f32>,
    /// For each stage, its outputs; of the last one before [`finish`](Self::finish), its sums.
    outputs: Vec<Vec<Lanes>>,
    /// For each stage, the slopes of the loss by its sums.
    deltas: Vec<Vec<Lanes>>,
    /// One board's deltas, for the kernel.
    packed: Vec<Lanes>,
}

/// What the outputs of a piece are held against.
pub(crate) struct Judge<'a> {
    pub(crate) loss: Loss,
    pub(crate) targets: &'a [f32],
    pub(crate) weights: Option<&'a [f32]>,
    /// What an output of weight one counts in the mean.
    pub(crate) scale: f64,
}

impl Pass {
    /// Fills the outputs of every stage; the last stage stops at its sums.
    pub(crate) fn forward(&mut self, network: &Network, extent: Extent, inputs: &[f32]) {
        self.make_room(network, extent);
        if network.plan().is_convolutional() {
            let width = network.plan().inputs;
            for (span, line) in self.field.spans(width).zip(inputs.chunks_exact(extent.cols * width)) {
                self.input[span].copy_from_slice(line);
            }
        }
        let last = network.stages().len() - 1;
        for (index, stage) in network.stages().iter().enumerate() {
            let (before, after) = self.outputs.split_at_mut(index);
            let signal = signal(before.last(), &self.input, inputs, network);
            let out = &mut after[0];
            let parameters = network.parameters();
            let biases = Start::Biases(&parameters[stage.biases()]);
            stage.window.weigh(&self.field, signal, &parameters[stage.weights()], biases, out);
            if stage.adds {
                add_input(&self.field, stage, before.iter().rev().nth(1), &self.input, out);
            }
            if index < last {
                activate(&self.field, stage, out);
            }
        }
    }

    /// Applies the last activation and hands the outputs out, without what only fills lanes.
    pub(crate) fn finish(&self, network: &Network, outputs: &mut [f32]) {
        let stage = network.stages().last().expect("a network has a stage");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a stage has outputs"));
        let width = stage.window.out_lanes * LANES;
        let mut outputs_left = outputs.chunks_exact_mut(stage.outputs);
        for span in self.field.spans(width) {
            for (cell, out) in sums[span].chunks_exact(width).zip(&mut outputs_left) {
                out.copy_from_slice(&cell[..stage.outputs]);
            }
        }
        stage.activation.apply_fast(outputs);
    }

    /// Fills the slopes of the last stage; the summed loss of the piece, already scaled.
    pub(crate) fn judge(&mut self, network: &Network, judge: &Judge<'_>) -> f64 {
        self.deltas.resize_with(self.outputs.len(), Vec::new);
        for (deltas, outputs) in self.deltas.iter_mut().zip(&self.outputs) {
            deltas.resize(outputs.len(), Lanes::ZERO);
        }
        let stage = network.stages().last().expect("a network has a stage");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a stage has outputs"));
        let deltas = self.deltas.last_mut().expect("a stage has slopes");
        let deltas = bytemuck::cast_slice_mut::<_, f32>(deltas);
        let width = stage.window.out_lanes * LANES;
        let (mut total, mut index) = (0.0, 0);
        for span in self.field.spans(width) {
            let cells = sums[span.clone()].chunks_exact(width);
            for (sums, deltas) in cells.zip(deltas[span].chunks_exact_mut(width)) {
                deltas[stage.outputs..].fill(0.0);
                for (sum, delta) in sums.iter().zip(&mut deltas[..stage.outputs]) {
                    total += judge.one(stage.activation, *sum, index, delta);
                    index += 1;
                }
            }
        }
        total * judge.scale
    }

    /// Walks back through the stages and fills the gradient of every parameter; it is added to what is there
    /// unless `fresh`. `mirrors` are the weights that lead back, stage by stage.
    pub(crate) fn backward(
        &mut self,
        network: &Network,
        mirrors: &[Vec<Lanes>],
        inputs: &[f32],
        fresh: bool,
        gradient: &mut [Lanes],
    ) {
        for (index, stage) in network.stages().iter().enumerate().rev() {
            let (before, after) = self.deltas.split_at_mut(index);
            let deltas = &after[0];
            let signal = signal(self.outputs[..index].last(), &self.input, inputs, network);
            let (field, window) = (&self.field, &stage.window);
            let weights = &mut gradient[stage.weights()];
            window.correlate(field, signal, deltas, fresh, &mut self.packed, weights);
            window.accumulate(field, deltas, fresh, &mut gradient[stage.biases()]);
            // What leaves the first stage backwards would reach the inputs, where nothing is learnt.
            let Some((earlier, others)) = before.split_last_mut() else { break };
            if stage.adds
                && let Some(source) = others.last_mut()
            {
                source.copy_from_slice(deltas);
            }
            let kept = network.stages().get(index + 1).is_some_and(|next| next.adds);
            let start = if kept { Start::Kept } else { Start::Zero };
            let back = bytemuck::cast_slice(deltas);
            window.mirrored().weigh(field, back, &mirrors[index], start, earlier);
            let activation = network.stages()[index - 1].activation;
            let width = window.in_width;
            let outputs = bytemuck::cast_slice::<_, f32>(&self.outputs[index - 1]);
            let earlier = bytemuck::cast_slice_mut::<_, f32>(earlier);
            for span in field.spans(width) {
                activation.scale_by_slope_fast(&mut earlier[span.clone()], &outputs[span]);
            }
        }
    }

    fn make_room(&mut self, network: &Network, extent: Extent) {
        let convolutional = network.plan().is_convolutional();
        let field = if convolutional {
            let border = network.plan().sides().max().unwrap_or(1) / 2;
            Field { boards: extent.samples, lines: extent.rows, cols: extent.cols, border }
        } else {
            Field { boards: 1, lines: 1, cols: extent.samples, border: 0 }
        };
        let same_size = (field.lines, field.cols) == (self.field.lines, self.field.cols);
        if field.border > 0 && !same_size {
            self.input.clear();
            self.outputs.iter_mut().chain(&mut self.deltas).for_each(Vec::clear);
        }
        self.field = field;
        let cells = field.cells();
        if convolutional {
            self.input.resize(cells * network.plan().inputs, 0.0);
        }
        self.outputs.resize_with(network.stages().len(), Vec::new);
        for (stage, outputs) in network.stages().iter().zip(&mut self.outputs) {
            outputs.resize(cells * stage.window.out_lanes, Lanes::ZERO);
        }
    }
}

/// What comes into a stage: the outputs before it, or else the input of the network.
fn signal<'a>(
    before: Option<&'a Vec<Lanes>>,
    boards: &'a [f32],
    inputs: &'a [f32],
    network: &Network,
) -> &'a [f32] {
    match before {
        Some(outputs) => bytemuck::cast_slice(outputs),
        None if network.plan().is_convolutional() => boards,
        None => inputs,
    }
}

/// Adds what came into the stage before: the outputs of the one before that, or else the input of the
/// network.
fn add_input(field: &Field, stage: &Stage, source: Option<&Vec<Lanes>>, boards: &[f32], out: &mut [Lanes]) {
    if let Some(source) = source {
        out.iter_mut().zip(source).for_each(|(out, source)| *out += *source);
        return;
    }
    let width = stage.window.out_lanes * LANES;
    let out = bytemuck::cast_slice_mut::<_, f32>(out);
    for (to, from) in field.spans(width).zip(field.spans(stage.inputs)) {
        for (out, cell) in out[to].chunks_exact_mut(width).zip(boards[from].chunks_exact(stage.inputs)) {
            out.iter_mut().zip(cell).for_each(|(out, source)| *out += source);
        }
    }
}

fn activate(field: &Field, stage: &Stage, out: &mut [Lanes]) {
    let width = stage.window.out_lanes * LANES;
    let out = bytemuck::cast_slice_mut::<_, f32>(out);
    for span in field.spans(width) {
        let line = &mut out[span];
        stage.activation.apply_fast(line);
        if stage.activation == Activation::Sigmoid && stage.outputs < width {
            line.chunks_exact_mut(width).for_each(|cell| cell[stage.outputs..].fill(0.0));
        }
    }
}

impl Judge<'_> {
    /// The loss of one output, and its slope by the sum.
    fn one(&self, activation: Activation, sum: f32, index: usize, delta: &mut f32) -> f64 {
        let weight = self.weights.map_or(1.0, |weights| weights[index]);
        // A masked output may have any target, and must leave no trace even if the sum has run away.
        if weight == 0.0 {
            *delta = 0.0;
            return 0.0;
        }
        let target = self.targets[index];
        let scale = (f64::from(weight) * self.scale) as f32;
        if self.loss == Loss::CrossEntropy {
            *delta = (fast_sigmoid(sum) - target) * scale;
            return f64::from(weight) * (softplus(f64::from(sum)) - f64::from(target) * f64::from(sum));
        }
        let mut output = [sum];
        activation.apply_fast(&mut output);
        let error = output[0] - target;
        let factor = if self.loss == Loss::SquaredError { 1.0 } else { 0.5 };
        let mut slope = [2.0 * factor * error * scale];
        activation.scale_by_slope_fast(&mut slope, &output);
        *delta = slope[0];
        f64::from(weight) * f64::from(factor) * f64::from(error) * f64::from(error)
    }
}
