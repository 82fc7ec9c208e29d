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
use super::handover::{Chance, Handover};
use super::kernel::{LANES, Lanes};
use super::stage::Stage;
use super::{Extent, Network};
use crate::activation::Activation;
use crate::loss::{Loss, softmax};

/// Room for one piece. Each thread has its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pass {
    /// For each stage, where its cells lie.
    fields: Vec<Field>,
    /// The boards that come in, with borders. Dense networks read theirs where they lie.
    input: Vec<f32>,
    /// For each stage, its outputs; of the last one before [`finish`](Self::finish), its sums.
    outputs: Vec<Vec<Lanes>>,
    /// For each stage after which something is done, what the next one gets.
    handed: Vec<Vec<Lanes>>,
    /// For each stage, the slopes of the loss by its sums.
    deltas: Vec<Vec<Lanes>>,
    /// For each stage after which something is done, the slopes of the loss by what the next one got.
    returned: Vec<Vec<Lanes>>,
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
    /// Fills the outputs of every stage; the last stage stops at its sums. In training, chance says what is dropped.
    pub(crate) fn forward(
        &mut self,
        network: &Network,
        extent: Extent,
        inputs: &[f32],
        chance: Option<Chance>,
    ) {
        self.make_room(network, extent);
        if network.plan().is_convolutional() {
            let width = network.plan().inputs;
            for (span, line) in self.fields[0].spans(width).zip(inputs.chunks_exact(extent.cols * width)) {
                self.input[span].copy_from_slice(line);
            }
        }
        let last = network.stages().len() - 1;
        for (index, stage) in network.stages().iter().enumerate() {
            let (before, after) = self.outputs.split_at_mut(index);
            let handed = handed_on(network, index, before, &self.handed);
            let signal = signal(handed, &self.input, inputs, network);
            let (field, out) = (&self.fields[index], &mut after[0]);
            let parameters = network.parameters();
            let biases = Start::Biases(&parameters[stage.biases()]);
            stage.window.weigh(field, signal, &parameters[stage.weights()], biases, out);
            if stage.adds {
                add_input(field, stage, before.iter().rev().nth(1), &self.input, out);
            }
            if index < last {
                activate(field, stage, out);
            }
            if !stage.after.is_nothing() {
                Handover::new(stage, field, &self.fields[index + 1]).forth(
                    out,
                    &mut self.handed[index],
                    chance,
                );
            }
        }
    }

    /// Applies the last activation and hands the outputs out, without what only fills lanes.
    pub(crate) fn finish(&self, network: &Network, outputs: &mut [f32]) {
        let stage = network.stages().last().expect("a network has a stage");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a stage has outputs"));
        let width = stage.window.out_lanes * LANES;
        let mut outputs_left = outputs.chunks_exact_mut(stage.outputs);
        for span in self.last_field().spans(width) {
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
        self.returned.resize_with(self.handed.len(), Vec::new);
        for (returned, handed) in self.returned.iter_mut().zip(&self.handed) {
            returned.resize(handed.len(), Lanes::ZERO);
        }
        let field = *self.last_field();
        let stage = network.stages().last().expect("a network has a stage");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a stage has outputs"));
        let deltas = self.deltas.last_mut().expect("a stage has slopes");
        let deltas = bytemuck::cast_slice_mut::<_, f32>(deltas);
        let width = stage.window.out_lanes * LANES;
        let (mut total, mut index) = (0.0, 0);
        for span in field.spans(width) {
            let cells = sums[span.clone()].chunks_exact(width);
            for (sums, deltas) in cells.zip(deltas[span].chunks_exact_mut(width)) {
                deltas[stage.outputs..].fill(0.0);
                if judge.loss == Loss::Classes {
                    total += judge.classes(&sums[..stage.outputs], index, &mut deltas[..stage.outputs]);
                    index += stage.outputs;
                    continue;
                }
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
        chance: Chance,
        gradient: &mut [Lanes],
    ) {
        for (index, stage) in network.stages().iter().enumerate().rev() {
            let (before, after) = self.deltas.split_at_mut(index);
            let deltas = &after[0];
            let handed = handed_on(network, index, &self.outputs, &self.handed);
            let signal = signal(handed, &self.input, inputs, network);
            let (field, window) = (&self.fields[index], &stage.window);
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
            let (source, outputs) = (&network.stages()[index - 1], &self.outputs[index - 1]);
            if source.after.is_nothing() {
                window.mirrored().weigh(field, back, &mirrors[index], start, earlier);
            } else {
                let returned = &mut self.returned[index - 1];
                window.mirrored().weigh(field, back, &mirrors[index], start, returned);
                let handover = Handover::new(source, &self.fields[index - 1], field);
                handover.back(outputs, returned, earlier, chance);
            }
            let width = source.window.out_lanes * LANES;
            let outputs = bytemuck::cast_slice::<_, f32>(outputs);
            let earlier = bytemuck::cast_slice_mut::<_, f32>(earlier);
            for span in self.fields[index - 1].spans(width) {
                source.activation.scale_by_slope_fast(&mut earlier[span.clone()], &outputs[span]);
            }
        }
    }

    fn last_field(&self) -> &Field {
        self.fields.last().expect("a network has a stage")
    }

    fn make_room(&mut self, network: &Network, extent: Extent) {
        let fields = fields(network, extent);
        let size = |field: &Field| (field.lines, field.cols);
        let same_size = fields.iter().map(size).eq(self.fields.iter().map(size));
        if fields[0].border > 0 && !same_size {
            self.input.clear();
            let kept = [&mut self.outputs, &mut self.handed, &mut self.deltas, &mut self.returned];
            kept.into_iter().flatten().for_each(Vec::clear);
        }
        if network.plan().is_convolutional() {
            self.input.resize(fields[0].cells() * network.plan().inputs, 0.0);
        }
        self.outputs.resize_with(network.stages().len(), Vec::new);
        self.handed.resize_with(network.stages().len(), Vec::new);
        for (index, stage) in network.stages().iter().enumerate() {
            self.outputs[index].resize(fields[index].cells() * stage.window.out_lanes, Lanes::ZERO);
            if !stage.after.is_nothing() {
                let width = network.stages()[index + 1].window.in_width;
                self.handed[index].resize(fields[index + 1].cells() * width / LANES, Lanes::ZERO);
            }
        }
        self.fields = fields;
    }
}

/// Where the cells of every stage lie.
fn fields(network: &Network, extent: Extent) -> Vec<Field> {
    let line_of_samples = Field { boards: 1, lines: 1, cols: extent.samples, border: 0 };
    let mut field = if network.plan().is_convolutional() {
        let border = network.plan().sides().max().unwrap_or(1) / 2;
        Field { boards: extent.samples, lines: extent.rows, cols: extent.cols, border }
    } else {
        line_of_samples
    };
    let next = |stage: &Stage| {
        let here = field;
        let pool = stage.after.pool;
        field = match stage.after.flatten {
            Some(_) => line_of_samples,
            None if pool > 1 => Field { lines: here.lines / pool, cols: here.cols / pool, ..here },
            None => here,
        };
        here
    };
    network.stages().iter().map(next).collect()
}

/// What a stage gets from the one before it, if there is one.
fn handed_on<'a>(
    network: &Network,
    index: usize,
    outputs: &'a [Vec<Lanes>],
    handed: &'a [Vec<Lanes>],
) -> Option<&'a Vec<Lanes>> {
    let before = index.checked_sub(1)?;
    let nothing_is_done = network.stages()[before].after.is_nothing();
    Some(if nothing_is_done { &outputs[before] } else { &handed[before] })
}

/// What comes into a stage: what the one before it hands on, or else the input of the network.
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
    /// The loss of a sample whose outputs are classes, and its slopes by the sums.
    fn classes(&self, sums: &[f32], index: usize, deltas: &mut [f32]) -> f64 {
        let weight = |place: usize| self.weights.map_or(1.0, |weights| weights[index + place]);
        // A masked output may have any target.
        let wanted = |place: usize| match weight(place) {
            0.0 => 0.0,
            weight => weight * self.targets[index + place],
        };
        deltas.copy_from_slice(sums);
        softmax(deltas);
        let all: f32 = (0..sums.len()).map(wanted).sum();
        let mut loss = 0.0;
        for (place, delta) in deltas.iter_mut().enumerate() {
            let probability = *delta;
            let wanted = wanted(place);
            if wanted != 0.0 {
                loss -= f64::from(wanted) * f64::from(probability.max(f32::MIN_POSITIVE)).ln();
            }
            *delta = ((f64::from(probability * all) - f64::from(wanted)) * self.scale) as f32;
        }
        loss
    }

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
