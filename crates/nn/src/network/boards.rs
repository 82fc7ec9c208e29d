//! Boards in memory, and the convolutions between them.
//!
//! Here is where a cell is, and the loops that bring a convolution, its backward pass and its gradient down to the
//! kernels. Boards are stored cell by cell, all channels of a cell together (NHWC). Between two lines of a board
//! are `border` cells of zeros, which are the right margin of the one and the left margin of the other; above and
//! below a board nothing is kept, because a square that reaches over that edge is simply cut. A dense layer is the
//! convolution of side 1 over one line of samples.
//!
//! Weights are in *panels* of two lanes of outputs (the last one of one lane, if their number is odd), each panel
//! square by square, input by input.

use super::kernel::{LANES, Lanes, Rectangle, correlate, groups, weigh};
use super::wide::PackedOperands;

/// Boards of one size, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardLayout {
    pub(crate) boards: usize,
    pub(crate) lines: usize,
    pub(crate) cols: usize,
    pub(crate) border: usize,
}

impl BoardLayout {
    /// Cells with all borders.
    pub(crate) fn cells(&self) -> usize {
        self.border + self.boards * self.lines * (self.cols + self.border)
    }

    /// The first cell of a line.
    pub(crate) fn line(&self, board: usize, line: usize) -> usize {
        self.border + (board * self.lines + line) * (self.cols + self.border)
    }

    /// Where the lines of all boards lie, borders left out, for so many numbers per cell.
    pub(crate) fn spans(&self, width: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let layout = *self;
        (0..layout.boards * layout.lines).map(move |line| {
            let first = layout.line(0, line) * width;
            first..first + layout.cols * width
        })
    }
}

/// The sizes of one convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConvWindow {
    pub(crate) side: usize,
    /// Numbers per cell that come in, with those that only fill lanes.
    pub(crate) in_width: usize,
    /// Lanes per cell that come out.
    pub(crate) out_lanes: usize,
}

/// What a sum begins with.
#[derive(Clone, Copy)]
pub(crate) enum SumStart<'a> {
    Zero,
    Biases(&'a [Lanes]),
    /// What is there already.
    Kept,
}

impl ConvWindow {
    /// Weights of one output.
    pub(crate) fn rows(&self) -> usize {
        self.side * self.side * self.in_width
    }

    /// Where the weight of an output for an input at a place of the square lies, counted in numbers.
    pub(crate) fn place(&self, output: usize, input: usize, tap: usize) -> usize {
        self.lane(output / LANES, input, tap) * LANES + output % LANES
    }

    /// Where the weights of sixteen outputs for an input at a place of the square lie.
    fn lane(&self, outputs: usize, input: usize, tap: usize) -> usize {
        let panel = outputs / 2;
        let lanes = (self.out_lanes - 2 * panel).min(2);
        2 * panel * self.rows() + (tap * self.in_width + input) * lanes + outputs % 2
    }

    /// The convolution that leads back from outputs to inputs.
    pub(crate) fn mirrored(&self) -> Self {
        let (in_width, out_lanes) = (self.out_lanes * LANES, self.in_width / LANES);
        Self { side: self.side, in_width, out_lanes }
    }

    /// Writes the weights of the [`mirrored`](Self::mirrored) convolution: squares turned by half a turn,
    /// inputs and outputs exchanged.
    pub(crate) fn mirror(&self, weights: &[Lanes], mirrored: &mut [Lanes]) {
        let (back, taps) = (self.mirrored(), self.side * self.side);
        let weights = bytemuck::cast_slice::<_, f32>(weights);
        for tap in 0..taps {
            // Neighbouring outputs lie in the same cache lines, so they come last.
            for inputs in 0..back.out_lanes {
                for output in 0..back.in_width {
                    // The lanes of one output lie as far apart as its panel is wide.
                    let step = self.place(output, 1, tap) - self.place(output, 0, tap);
                    let column = &weights[self.place(output, inputs * LANES, tap)..][..=(LANES - 1) * step];
                    let lanes = Lanes::new(std::array::from_fn(|input| column[input * step]));
                    mirrored[back.lane(inputs, output, taps - 1 - tap)] = lanes;
                }
            }
        }
    }

    /// The lines of a board that a row of the square reaches from.
    fn reached(&self, tap: usize, lines: usize) -> std::ops::Range<usize> {
        let reach = self.side / 2;
        reach.saturating_sub(tap)..(lines + reach).saturating_sub(tap).min(lines)
    }

    /// The convolution itself: the sums of every cell.
    pub(crate) fn weigh(
        &self,
        layout: &BoardLayout,
        input: &[f32],
        weights: &[Lanes],
        start: SumStart<'_>,
        packed: &mut PackedOperands,
        out: &mut [Lanes],
    ) {
        if self.is_wide(layout) {
            return self.weigh_wide(layout.cols, input, weights, start, &mut packed.inputs, out);
        }
        for (first, count) in panels(self.out_lanes) {
            let panel = &weights[first * self.rows()..][..count * self.rows()];
            if count == 2 {
                self.weigh_panel::<2>(layout, input, panel, (first, start), out);
            } else {
                self.weigh_panel::<1>(layout, input, panel, (first, start), out);
            }
        }
    }

    fn weigh_panel<const V: usize>(
        &self,
        layout: &BoardLayout,
        input: &[f32],
        panel: &[Lanes],
        (first, start): (usize, SumStart<'_>),
        out: &mut [Lanes],
    ) {
        let reach = self.side / 2;
        let start = match start {
            SumStart::Zero => Some([Lanes::ZERO; V]),
            SumStart::Biases(biases) => Some(std::array::from_fn(|v| biases[first + v])),
            SumStart::Kept => None,
        };
        let panel = panel.as_chunks::<V>().0;
        for board in 0..layout.boards {
            for (tap, weights) in panel.chunks_exact(self.side * self.in_width).enumerate() {
                for line in self.reached(tap, layout.lines) {
                    let begin = start.as_ref().filter(|_| tap == reach.saturating_sub(line));
                    let from = (layout.line(board, line + tap - reach) - reach) * self.in_width;
                    let to = layout.line(board, line) * self.out_lanes + first;
                    for (x, count) in groups(layout.cols) {
                        let input = (&input[from + x * self.in_width..], self.in_width);
                        let out = (&mut out[to + x * self.out_lanes..], self.out_lanes);
                        weigh::<V>(count, input, weights, begin, out);
                    }
                }
            }
        }
    }

    /// The gradient of the weights, from the inputs and the slopes of the loss by every sum. It is added to
    /// what is there unless `fresh`.
    pub(crate) fn correlate(
        &self,
        layout: &BoardLayout,
        input: &[f32],
        deltas: &[Lanes],
        fresh: bool,
        packed: &mut PackedOperands,
        gradient: &mut [Lanes],
    ) {
        if self.is_wide(layout) {
            return self.correlate_wide(layout.cols, input, deltas, fresh, packed, gradient);
        }
        let packed = &mut packed.deltas;
        for (first, count) in panels(self.out_lanes) {
            let panel = &mut gradient[first * self.rows()..][..count * self.rows()];
            for board in 0..layout.boards {
                let fresh = fresh && board == 0;
                self.pack(layout, board, deltas, (first, count), packed);
                if count == 2 {
                    self.correlate_panel::<2>(layout, board, input, packed, fresh, panel);
                } else {
                    self.correlate_panel::<1>(layout, board, input, packed, fresh, panel);
                }
            }
        }
    }

    /// One board's deltas of one panel, close together and without borders.
    fn pack(
        &self,
        layout: &BoardLayout,
        board: usize,
        deltas: &[Lanes],
        (first, count): (usize, usize),
        packed: &mut Vec<Lanes>,
    ) {
        packed.clear();
        for line in 0..layout.lines {
            let cells = &deltas[layout.line(board, line) * self.out_lanes..][..layout.cols * self.out_lanes];
            packed.extend(cells.chunks_exact(self.out_lanes).flat_map(|cell| &cell[first..first + count]));
        }
    }

    fn correlate_panel<const V: usize>(
        &self,
        layout: &BoardLayout,
        board: usize,
        input: &[f32],
        deltas: &[Lanes],
        fresh: bool,
        gradient: &mut [Lanes],
    ) {
        let reach = self.side / 2;
        let deltas = deltas.as_chunks::<V>().0;
        let gradient = gradient.as_chunks_mut::<V>().0;
        for (tap, rows) in gradient.chunks_exact_mut(self.in_width).enumerate() {
            let (down, across) = (tap / self.side, tap % self.side);
            let lines = self.reached(down, layout.lines);
            let cols = self.reached(across, layout.cols);
            let rectangle = Rectangle {
                lines: lines.len(),
                positions: cols.len(),
                line_stride: (layout.cols + layout.border) * self.in_width,
                position_stride: self.in_width,
            };
            if lines.is_empty() || cols.is_empty() {
                if fresh {
                    rows.fill([Lanes::ZERO; V]);
                }
                continue;
            }
            let cell = layout.line(board, lines.start + down - reach) + cols.start + across - reach;
            let deltas = &deltas[lines.start * layout.cols + cols.start..];
            for (row, count) in groups(self.in_width) {
                let input = &input[cell * self.in_width + row..];
                correlate::<V>(count, rectangle, input, (deltas, layout.cols), fresh, &mut rows[row..]);
            }
        }
    }

    /// The gradient of the biases: the deltas of all cells, summed; added to what is there unless `fresh`.
    pub(crate) fn accumulate(
        &self,
        layout: &BoardLayout,
        deltas: &[Lanes],
        fresh: bool,
        biases: &mut [Lanes],
    ) {
        if fresh {
            biases.fill(Lanes::ZERO);
        }
        for span in layout.spans(self.out_lanes) {
            for cell in deltas[span].chunks_exact(self.out_lanes) {
                biases.iter_mut().zip(cell).for_each(|(bias, delta)| *bias += *delta);
            }
        }
    }
}

/// The panels of so many lanes: first lane and number of lanes.
pub(super) fn panels(lanes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..lanes).step_by(2).map(move |first| (first, (lanes - first).min(2)))
}
