//! Dense layers with so many inputs that the rows of several samples push each other out of the nearest cache.
//!
//! What a kernel multiplies is packed before, in the order in which it is read. The sums are those of `boards`, term by term
//! in the same order, so packing changes no bit of them.

use super::boards::{BoardLayout, ConvWindow, SumStart, panels};
use super::kernel::{Lanes, MOST_ROWS, Rectangle, correlate, groups};

/// From so many inputs on, the rows of all samples of a group begin in the same set of a usual first-level cache.
const WIDE: usize = 1024;

/// Numbers that are packed together before the next row.
const BLOCK: usize = 16;

/// Buffers for what is packed.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedOperands {
    pub(super) inputs: Vec<f32>,
    pub(super) deltas: Vec<Lanes>,
}

impl ConvWindow {
    /// Whether these are the samples of a dense layer with many inputs.
    pub(super) fn is_wide(&self, layout: &BoardLayout) -> bool {
        self.side == 1 && layout.boards * layout.lines == 1 && self.in_width >= WIDE
    }

    /// The sums of every sample.
    pub(super) fn weigh_wide(
        &self,
        samples: usize,
        input: &[f32],
        weights: &[Lanes],
        start: SumStart<'_>,
        packed: &mut Vec<f32>,
        out: &mut [Lanes],
    ) {
        self.pack_samples(samples, input, packed);
        for (first, count) in panels(self.out_lanes) {
            let panel = &weights[first * self.in_width..][..count * self.in_width];
            if count == 2 {
                self.weigh_wide_panel::<2>(samples, packed, panel, (first, start), out);
            } else {
                self.weigh_wide_panel::<1>(samples, packed, panel, (first, start), out);
            }
        }
    }

    fn weigh_wide_panel<const V: usize>(
        &self,
        samples: usize,
        packed: &[f32],
        panel: &[Lanes],
        (first, start): (usize, SumStart<'_>),
        out: &mut [Lanes],
    ) {
        let panel = panel.as_chunks::<V>().0;
        for (sample, count) in groups(samples) {
            let place = |row: usize| (sample + row) * self.out_lanes + first;
            let sum = |row: usize, v: usize| match start {
                SumStart::Zero => Lanes::ZERO,
                SumStart::Biases(biases) => biases[first + v],
                SumStart::Kept => out[place(row) + v],
            };
            let mut sums = [[Lanes::ZERO; V]; MOST_ROWS];
            for (row, sums) in sums[..count].iter_mut().enumerate() {
                *sums = std::array::from_fn(|v| sum(row, v));
            }
            let inputs = &packed[sample * self.in_width..];
            correlate::<V>(count, line(self.in_width, count), inputs, (panel, 0), false, &mut sums);
            for (row, sums) in sums[..count].iter().enumerate() {
                out[place(row)..][..V].copy_from_slice(sums);
            }
        }
    }

    /// The inputs of groups of samples: of each group, all samples' first input, then all samples' second.
    fn pack_samples(&self, samples: usize, input: &[f32], packed: &mut Vec<f32>) {
        packed.resize(samples * self.in_width, 0.0);
        for (sample, count) in groups(samples) {
            let span = sample * self.in_width..(sample + count) * self.in_width;
            let (rows, packed) = (&input[span.clone()], &mut packed[span]);
            for (block, packed) in packed.chunks_mut(BLOCK * count).enumerate() {
                for (row, inputs) in rows.chunks_exact(self.in_width).enumerate() {
                    let inputs = &inputs[block * BLOCK..];
                    packed[row..].iter_mut().step_by(count).zip(inputs).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }

    /// The gradient of the weights; added to what is there unless `fresh`.
    pub(super) fn correlate_wide(
        &self,
        samples: usize,
        input: &[f32],
        deltas: &[Lanes],
        fresh: bool,
        packed: &mut PackedOperands,
        gradient: &mut [Lanes],
    ) {
        self.pack_inputs(samples, input, &mut packed.inputs);
        for (first, count) in panels(self.out_lanes) {
            let panel = &mut gradient[first * self.in_width..][..count * self.in_width];
            packed.deltas.clear();
            for sample in deltas.chunks_exact(self.out_lanes) {
                packed.deltas.extend_from_slice(&sample[first..first + count]);
            }
            if count == 2 {
                self.correlate_wide_panel::<2>(samples, packed, fresh, panel);
            } else {
                self.correlate_wide_panel::<1>(samples, packed, fresh, panel);
            }
        }
    }

    fn correlate_wide_panel<const V: usize>(
        &self,
        samples: usize,
        packed: &PackedOperands,
        fresh: bool,
        gradient: &mut [Lanes],
    ) {
        let deltas = packed.deltas.as_chunks::<V>().0;
        let gradient = gradient.as_chunks_mut::<V>().0;
        for (row, count) in groups(self.in_width) {
            let inputs = &packed.inputs[row * samples..];
            correlate::<V>(count, line(samples, count), inputs, (deltas, 0), fresh, &mut gradient[row..]);
        }
    }

    /// The inputs in groups: of each group, those of the first sample, then those of the second.
    fn pack_inputs(&self, samples: usize, input: &[f32], packed: &mut Vec<f32>) {
        packed.clear();
        for (row, count) in groups(self.in_width) {
            for sample in input.chunks_exact(self.in_width).take(samples) {
                packed.extend_from_slice(&sample[row..row + count]);
            }
        }
    }
}

/// So many positions, one after the other, with so many numbers at each.
fn line(positions: usize, numbers: usize) -> Rectangle {
    Rectangle { lines: 1, positions, line_stride: 0, position_stride: numbers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LANES;
    use outplay_core::Rng;

    /// A layer's samples in one line, which is packed, and in two, which is not.
    fn layouts(samples: usize) -> [BoardLayout; 2] {
        [1, 2].map(|lines| BoardLayout { boards: 1, lines, cols: samples / lines, border: 0 })
    }

    fn numbers(count: usize, rng: &mut Rng) -> Vec<f32> {
        (0..count).map(|_| rng.unit() as f32 - 0.5).collect()
    }

    #[test]
    fn packing_changes_no_bit() {
        let mut rng = Rng::new(1);
        for (samples, out_lanes) in [(2, 1), (26, 3), (60, 4)] {
            let window = ConvWindow { side: 1, in_width: 1024 + 3 * LANES, out_lanes };
            let input = numbers(samples * window.in_width, &mut rng);
            let lanes = |count: usize, rng: &mut Rng| -> Vec<Lanes> {
                numbers(count * LANES, rng).chunks_exact(LANES).map(Lanes::from).collect()
            };
            let (weights, biases) =
                (lanes(window.in_width * out_lanes, &mut rng), lanes(out_lanes, &mut rng));
            let deltas = lanes(samples * out_lanes, &mut rng);
            let kept = lanes(weights.len(), &mut rng);
            for (start, fresh) in
                [(SumStart::Zero, true), (SumStart::Biases(&biases), false), (SumStart::Kept, false)]
            {
                let [packed, plain] = layouts(samples).map(|layout| {
                    assert_eq!(window.is_wide(&layout), layout.lines == 1);
                    let (mut sums, mut gradient) = (deltas.clone(), kept.clone());
                    let mut buffers = PackedOperands::default();
                    window.weigh(&layout, &input, &weights, start, &mut buffers, &mut sums);
                    window.correlate(&layout, &input, &deltas, fresh, &mut buffers, &mut gradient);
                    (sums, gradient)
                });
                assert!(packed == plain, "{samples} samples, {out_lanes} lanes of outputs");
            }
        }
    }
}
