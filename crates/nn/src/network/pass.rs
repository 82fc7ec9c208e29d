//! One piece of a batch on its way through a network and back.
//!
//! Here are the order of the layers, the buffers between them and the loss at the end; how a batch is cut into
//! pieces and what is done with the gradient is the trainer's. The cells of a border are zero in every buffer:
//! they are cleared when the size of the boards changes, and only the cells of boards are written. Once it has
//! seen its largest piece, a pass allocates nothing.

use outplay_core::elementary::{fast_sigmoid, softplus};

use super::Extent;
use super::boards::{BoardLayout, SumStart};
use super::kernel::{LANES, Lanes};
use super::packed::{PackedLayer, PackedNetwork};
use super::postprocessing::{DropSeed, LayerTransition};
use super::wide::PackedOperands;
use crate::activation::Activation;
use crate::loss::{Loss, softmax};

/// The buffers for one piece. Each thread has its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pass {
    /// For each layer, where its cells lie.
    layouts: Vec<BoardLayout>,
    /// The boards that come in, with borders. Dense networks read theirs where they lie.
    input: Vec<f32>,
    /// For each layer, its outputs; of the last one before [`finish`](Self::finish), its sums.
    outputs: Vec<Vec<Lanes>>,
    /// For each layer whose slope needs them, its sums.
    sums: Vec<Vec<Lanes>>,
    /// For each layer whose outputs are postprocessed, what the next one gets.
    handed: Vec<Vec<Lanes>>,
    /// For each layer, the slopes of the loss by its sums.
    deltas: Vec<Vec<Lanes>>,
    /// For each layer whose outputs are postprocessed, the slopes of the loss by what the next one got.
    returned: Vec<Vec<Lanes>>,
    /// What the kernels read, in their order.
    packed: PackedOperands,
}

/// What the outputs of a piece should have been, and how the difference counts.
pub(crate) struct LossTargets<'a> {
    pub(crate) loss: Loss,
    pub(crate) targets: &'a [f32],
    pub(crate) weights: Option<&'a [f32]>,
    /// What an output of weight one counts in the mean.
    pub(crate) scale: f64,
}

impl Pass {
    /// Fills the outputs of every layer; the last layer stops at its sums. In training, the seed says what is dropped. False
    /// if it was stopped, which is asked before every layer.
    pub(crate) fn forward(
        &mut self,
        network: &PackedNetwork,
        extent: Extent,
        inputs: &[f32],
        seed: Option<DropSeed>,
        is_stopped: impl Fn() -> bool,
    ) -> bool {
        self.resize(network, extent);
        if network.architecture.is_convolutional() {
            let width = network.architecture.inputs;
            for (span, line) in self.layouts[0].spans(width).zip(inputs.chunks_exact(extent.cols * width)) {
                self.input[span].copy_from_slice(line);
            }
        }
        let last = network.layers.len() - 1;
        for (index, layer) in network.layers.iter().enumerate() {
            if is_stopped() {
                return false;
            }
            let (before, after) = self.outputs.split_at_mut(index);
            let handed = handed_on(network, index, before, &self.handed);
            let signal = signal(handed, &self.input, inputs, network);
            let (layout, out) = (&self.layouts[index], &mut after[0]);
            let parameters = &network.parameters;
            let biases = SumStart::Biases(&parameters[layer.biases()]);
            let weights = &parameters[layer.weights()];
            layer.window.weigh(layout, signal, weights, biases, &mut self.packed, out);
            if layer.affine.adds_input {
                add_input(layout, layer, before.iter().rev().nth(1), &self.input, out);
            }
            if index < last {
                if layer.affine.activation.slope_needs_sum() {
                    self.sums[index].clone_from(out);
                }
                activate(layout, layer, out);
            }
            if !layer.affine.after.is_none() {
                LayerTransition::new(layer, layout, &self.layouts[index + 1]).forth(
                    out,
                    &mut self.handed[index],
                    seed,
                );
            }
        }
        true
    }

    /// Applies the last activation and hands the outputs out, without what only fills lanes.
    pub(crate) fn finish(&self, network: &PackedNetwork, outputs: &mut [f32]) {
        let layer = network.layers.last().expect("a network has a layer");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a layer has outputs"));
        let width = layer.window.out_lanes * LANES;
        let mut outputs_left = outputs.chunks_exact_mut(layer.affine.outputs);
        for span in self.last_layout().spans(width) {
            for (cell, out) in sums[span].chunks_exact(width).zip(&mut outputs_left) {
                out.copy_from_slice(&cell[..layer.affine.outputs]);
            }
        }
        layer.affine.activation.apply(outputs);
    }

    /// Fills the slopes of the last layer; the summed loss of the piece, already scaled.
    pub(crate) fn measure(&mut self, network: &PackedNetwork, targets: &LossTargets<'_>) -> f64 {
        self.deltas.resize_with(self.outputs.len(), Vec::new);
        for (deltas, outputs) in self.deltas.iter_mut().zip(&self.outputs) {
            deltas.resize(outputs.len(), Lanes::ZERO);
        }
        self.returned.resize_with(self.handed.len(), Vec::new);
        for (returned, handed) in self.returned.iter_mut().zip(&self.handed) {
            returned.resize(handed.len(), Lanes::ZERO);
        }
        let layout = *self.last_layout();
        let layer = network.layers.last().expect("a network has a layer");
        let sums = bytemuck::cast_slice::<_, f32>(self.outputs.last().expect("a layer has outputs"));
        let deltas = self.deltas.last_mut().expect("a layer has slopes");
        let deltas = bytemuck::cast_slice_mut::<_, f32>(deltas);
        let width = layer.window.out_lanes * LANES;
        let (mut total, mut index) = (0.0, 0);
        for span in layout.spans(width) {
            let cells = sums[span.clone()].chunks_exact(width);
            for (sums, deltas) in cells.zip(deltas[span].chunks_exact_mut(width)) {
                deltas[layer.affine.outputs..].fill(0.0);
                if targets.loss == Loss::Classes {
                    total += targets.classes(
                        &sums[..layer.affine.outputs],
                        index,
                        &mut deltas[..layer.affine.outputs],
                    );
                    index += layer.affine.outputs;
                    continue;
                }
                for (sum, delta) in sums.iter().zip(&mut deltas[..layer.affine.outputs]) {
                    total += targets.one(layer.affine.activation, *sum, index, delta);
                    index += 1;
                }
            }
        }
        total * targets.scale
    }

    /// Walks back through the layers and fills the gradient of every parameter; it is added to what is there
    /// unless `fresh`. `mirrors` are the weights that lead back, layer by layer.
    pub(crate) fn backward(
        &mut self,
        network: &PackedNetwork,
        mirrors: &[Vec<Lanes>],
        inputs: &[f32],
        fresh: bool,
        seed: DropSeed,
        gradient: &mut [Lanes],
    ) {
        for (index, layer) in network.layers.iter().enumerate().rev() {
            let (before, after) = self.deltas.split_at_mut(index);
            let deltas = &after[0];
            let handed = handed_on(network, index, &self.outputs, &self.handed);
            let signal = signal(handed, &self.input, inputs, network);
            let (layout, window) = (&self.layouts[index], &layer.window);
            let weights = &mut gradient[layer.weights()];
            window.correlate(layout, signal, deltas, fresh, &mut self.packed, weights);
            if layer.affine.has_bias() {
                window.accumulate(layout, deltas, fresh, &mut gradient[layer.biases()]);
            }
            // What leaves the first layer backwards would reach the inputs, where nothing is learnt.
            let Some((earlier, others)) = before.split_last_mut() else { break };
            if layer.affine.adds_input
                && let Some(source) = others.last_mut()
            {
                source.copy_from_slice(deltas);
            }
            let kept = network.layers.get(index + 1).is_some_and(|next| next.affine.adds_input);
            let start = if kept { SumStart::Kept } else { SumStart::Zero };
            let back = bytemuck::cast_slice(deltas);
            let (source, outputs) = (&network.layers[index - 1], &self.outputs[index - 1]);
            if source.affine.after.is_none() {
                window.mirrored().weigh(layout, back, &mirrors[index], start, &mut self.packed, earlier);
            } else {
                let returned = &mut self.returned[index - 1];
                window.mirrored().weigh(layout, back, &mirrors[index], start, &mut self.packed, returned);
                let handover = LayerTransition::new(source, &self.layouts[index - 1], layout);
                handover.back(outputs, returned, earlier, seed);
            }
            let width = source.window.out_lanes * LANES;
            let outputs = bytemuck::cast_slice::<_, f32>(outputs);
            let earlier = bytemuck::cast_slice_mut::<_, f32>(earlier);
            let activation = source.affine.activation;
            let sums = if activation.slope_needs_sum() {
                bytemuck::cast_slice::<_, f32>(&self.sums[index - 1])
            } else {
                outputs
            };
            for span in self.layouts[index - 1].spans(width) {
                let (sums, outputs) = (&sums[span.clone()], &outputs[span.clone()]);
                activation.scale_by_slope(&mut earlier[span], sums, outputs);
            }
        }
    }

    fn last_layout(&self) -> &BoardLayout {
        self.layouts.last().expect("a network has a layer")
    }

    fn resize(&mut self, network: &PackedNetwork, extent: Extent) {
        let layouts = layouts(network, extent);
        let size = |layout: &BoardLayout| (layout.lines, layout.cols);
        let same_size = layouts.iter().map(size).eq(self.layouts.iter().map(size));
        if layouts[0].border > 0 && !same_size {
            self.input.clear();
            let kept = [&mut self.outputs, &mut self.handed, &mut self.deltas, &mut self.returned];
            kept.into_iter().flatten().for_each(Vec::clear);
        }
        if network.architecture.is_convolutional() {
            self.input.resize(layouts[0].cells() * network.architecture.inputs, 0.0);
        }
        self.outputs.resize_with(network.layers.len(), Vec::new);
        self.sums.resize_with(network.layers.len(), Vec::new);
        self.handed.resize_with(network.layers.len(), Vec::new);
        for (index, layer) in network.layers.iter().enumerate() {
            self.outputs[index].resize(layouts[index].cells() * layer.window.out_lanes, Lanes::ZERO);
            if !layer.affine.after.is_none() {
                let width = network.layers[index + 1].window.in_width;
                self.handed[index].resize(layouts[index + 1].cells() * width / LANES, Lanes::ZERO);
            }
        }
        self.layouts = layouts;
    }
}

/// Where the cells of every layer lie.
fn layouts(network: &PackedNetwork, extent: Extent) -> Vec<BoardLayout> {
    let line_of_samples = BoardLayout { boards: 1, lines: 1, cols: extent.samples, border: 0 };
    let mut layout = if network.architecture.is_convolutional() {
        let border = network.architecture.sides().max().unwrap_or(1) / 2;
        BoardLayout { boards: extent.samples, lines: extent.rows, cols: extent.cols, border }
    } else {
        line_of_samples
    };
    let next = |layer: &PackedLayer| {
        let here = layout;
        let pool = layer.affine.after.pool;
        layout = match layer.affine.after.flatten {
            Some(_) => line_of_samples,
            None if pool > 1 => BoardLayout { lines: here.lines / pool, cols: here.cols / pool, ..here },
            None => here,
        };
        here
    };
    network.layers.iter().map(next).collect()
}

/// What a layer gets from the one before it, if there is one.
fn handed_on<'a>(
    network: &PackedNetwork,
    index: usize,
    outputs: &'a [Vec<Lanes>],
    handed: &'a [Vec<Lanes>],
) -> Option<&'a Vec<Lanes>> {
    let before = index.checked_sub(1)?;
    let unchanged = network.layers[before].affine.after.is_none();
    Some(if unchanged { &outputs[before] } else { &handed[before] })
}

/// What comes into a layer: what the one before it hands on, or else the input of the network.
fn signal<'a>(
    before: Option<&'a Vec<Lanes>>,
    boards: &'a [f32],
    inputs: &'a [f32],
    network: &PackedNetwork,
) -> &'a [f32] {
    match before {
        Some(outputs) => bytemuck::cast_slice(outputs),
        None if network.architecture.is_convolutional() => boards,
        None => inputs,
    }
}

/// Adds what came into the layer before: the outputs of the one before that, or else the input of the
/// network.
fn add_input(
    layout: &BoardLayout,
    layer: &PackedLayer,
    source: Option<&Vec<Lanes>>,
    boards: &[f32],
    out: &mut [Lanes],
) {
    if let Some(source) = source {
        out.iter_mut().zip(source).for_each(|(out, source)| *out += *source);
        return;
    }
    let width = layer.window.out_lanes * LANES;
    let out = bytemuck::cast_slice_mut::<_, f32>(out);
    for (to, from) in layout.spans(width).zip(layout.spans(layer.affine.inputs)) {
        for (out, cell) in out[to].chunks_exact_mut(width).zip(boards[from].chunks_exact(layer.affine.inputs))
        {
            out.iter_mut().zip(cell).for_each(|(out, source)| *out += source);
        }
    }
}

fn activate(layout: &BoardLayout, layer: &PackedLayer, out: &mut [Lanes]) {
    let width = layer.window.out_lanes * LANES;
    let out = bytemuck::cast_slice_mut::<_, f32>(out);
    for span in layout.spans(width) {
        let line = &mut out[span];
        layer.affine.activation.apply(line);
        if layer.affine.activation.moves_zero() && layer.affine.outputs < width {
            line.chunks_exact_mut(width).for_each(|cell| cell[layer.affine.outputs..].fill(0.0));
        }
    }
}

impl LossTargets<'_> {
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
        activation.apply(&mut output);
        let error = output[0] - target;
        let factor = if self.loss == Loss::SquaredError { 1.0 } else { 0.5 };
        let mut slope = [2.0 * factor * error * scale];
        activation.scale_by_slope(&mut slope, &[sum], &output);
        *delta = slope[0];
        f64::from(weight) * f64::from(factor) * f64::from(error) * f64::from(error)
    }
}
