//! What happens to the outputs of a layer on their way to the next: pooling, flattening, dropping.
//!
//! The largest of a square hands its slope back to the first cell that has it, and to no other. What is dropped
//! follows from the step, the sample's place in its batch and the number's place in the sample, so it does not
//! depend on how a batch is cut; what is kept is scaled up, so that the expected sum stays the same. What only
//! fills lanes stays zero.

use super::boards::BoardLayout;
use super::kernel::{LANES, Lanes};
use super::layout::Postprocessing;
use super::packed::PackedLayer;

/// Which step and sample a piece of a batch begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropSeed {
    pub(crate) step: u64,
    pub(crate) first: usize,
}

/// The way from one layer to the next.
pub(super) struct LayerTransition<'a> {
    after: Postprocessing,
    from: &'a BoardLayout,
    to: &'a BoardLayout,
    /// Numbers per cell that the layer gives out.
    width: usize,
    /// Whether what is handed on is a line of samples rather than boards.
    is_plain: bool,
}

impl<'a> LayerTransition<'a> {
    pub(super) fn new(layer: &PackedLayer, from: &'a BoardLayout, to: &'a BoardLayout) -> Self {
        let is_plain = layer.affine.is_dense || layer.affine.after.flatten.is_some();
        Self { after: layer.affine.after, from, to, width: layer.window.out_lanes * LANES, is_plain }
    }

    /// Fills what the next layer gets.
    pub(super) fn forth(&self, outputs: &[Lanes], handed: &mut [Lanes], seed: Option<DropSeed>) {
        let outputs = bytemuck::cast_slice::<_, f32>(outputs);
        let handed = bytemuck::cast_slice_mut::<_, f32>(handed);
        self.each_cell(|place, cells| {
            let kept = &mut handed[place..][..self.width];
            kept.copy_from_slice(&outputs[cells.start..][..self.width]);
            for cell in cells.others() {
                let other = &outputs[cell..][..self.width];
                kept.iter_mut().zip(other).for_each(|(kept, other)| *kept = kept.max(*other));
            }
        });
        if let Some(seed) = seed {
            self.drop_some(handed, seed);
        }
    }

    /// Brings the slopes of what was handed on back to the outputs.
    pub(super) fn back(
        &self,
        outputs: &[Lanes],
        returned: &mut [Lanes],
        deltas: &mut [Lanes],
        seed: DropSeed,
    ) {
        let outputs = bytemuck::cast_slice::<_, f32>(outputs);
        let returned = bytemuck::cast_slice_mut::<_, f32>(returned);
        let deltas = bytemuck::cast_slice_mut::<_, f32>(deltas);
        self.drop_some(returned, seed);
        for span in self.from.spans(self.width) {
            deltas[span].fill(0.0);
        }
        let mut largest = vec![0.0f32; self.width];
        self.each_cell(|place, cells| {
            let slopes = &mut returned[place..][..self.width];
            largest.copy_from_slice(&outputs[cells.start..][..self.width]);
            for cell in cells.others() {
                let other = &outputs[cell..][..self.width];
                largest.iter_mut().zip(other).for_each(|(kept, other)| *kept = kept.max(*other));
            }
            for cell in cells.all() {
                let numbers = outputs[cell..][..self.width].iter().zip(&largest).zip(&mut *slopes);
                for (delta, ((number, largest), slope)) in
                    deltas[cell..][..self.width].iter_mut().zip(numbers)
                {
                    if number == largest {
                        *delta = std::mem::take(slope);
                    }
                }
            }
        });
    }

    /// Visits every cell that is handed on: where its numbers go, and the square of cells it is made of.
    fn each_cell(&self, mut visit: impl FnMut(usize, PoolSquare)) {
        let side = self.after.pool;
        let (lines, cols) = (self.from.lines / side, self.from.cols / side);
        // Plain numbers are one line of samples on both sides.
        for board in 0..self.from.boards {
            for (line, col) in (0..lines).flat_map(|line| (0..cols).map(move |col| (line, col))) {
                let place = match self.after.flatten {
                    Some(_) => (board * lines + line) * cols + col,
                    None => self.to.line(board, line) + col,
                };
                let start = (self.from.line(board, line * side) + col * side) * self.width;
                let down = (self.from.cols + self.from.border) * self.width;
                visit(place * self.width, PoolSquare { start, side, across: self.width, down });
            }
        }
    }

    /// Makes some of the numbers zero and the others larger; the same ones forth and back.
    fn drop_some(&self, numbers: &mut [f32], seed: DropSeed) {
        if self.after.drop == 0 {
            return;
        }
        let (dropped, kept) = (u64::from(self.after.drop), 1000.0 / (1000 - self.after.drop) as f32);
        let limit = (dropped << 16) / 1000;
        let cell = match self.after.flatten {
            Some((rows, cols)) => rows * cols * self.width,
            None => self.width,
        };
        let cells_of_sample = if self.is_plain { 1 } else { self.to.lines * self.to.cols };
        let mut index = (seed.first * cells_of_sample * cell / 4) as u64;
        for span in self.to.spans(cell) {
            for four in numbers[span].as_chunks_mut::<4>().0 {
                let bits = scramble(seed.step ^ scramble(index ^ (self.width as u64) << 48));
                index += 1;
                for (lane, number) in four.iter_mut().enumerate() {
                    *number *= if bits >> (16 * lane) & 0xffff < limit { 0.0 } else { kept };
                }
            }
        }
    }
}

/// Bits that look random (the last steps of splitmix64).
const fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The cells of a square: where the numbers of the first begin, and how far the next lie.
#[derive(Clone, Copy)]
struct PoolSquare {
    start: usize,
    side: usize,
    across: usize,
    down: usize,
}

impl PoolSquare {
    fn all(self) -> impl Iterator<Item = usize> {
        let Self { start, side, across, down } = self;
        (0..side).flat_map(move |y| (0..side).map(move |x| start + y * down + x * across))
    }

    fn others(self) -> impl Iterator<Item = usize> {
        self.all().skip(1)
    }
}
