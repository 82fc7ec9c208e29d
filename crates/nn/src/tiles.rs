//! Arithmetic on sixteen samples at a time, in double precision.
//!
//! Here are the two products that full-batch training is made of, over tiles. A *tile* holds one [`TileRow`] of
//! [`LANES`] samples per neuron. Every sum is taken in one fixed order with fused multiply-adds, so its bits do not
//! depend on the machine or on how the work is cut.

/// Samples in a row of a tile.
pub(crate) const LANES: usize = 16;

/// One number for each sample of a tile. Aligned so that no vector load straddles two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct TileRow(pub(crate) [f64; LANES]);

impl TileRow {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);

    /// One in the first `count` lanes, zero in the others.
    pub(crate) fn mask(count: usize) -> Self {
        Self(std::array::from_fn(|lane| if lane < count { 1.0 } else { 0.0 }))
    }

    /// self + a·b, lane by lane.
    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        for lane in 0..LANES {
            self.0[lane] = a.0[lane].mul_add(b.0[lane], self.0[lane]);
        }
    }

    /// self + factor·b, lane by lane.
    #[inline]
    fn add_scaled(&mut self, factor: f64, b: &Self) {
        for lane in 0..LANES {
            self.0[lane] = factor.mul_add(b.0[lane], self.0[lane]);
        }
    }

    /// The sum of all lanes, by halves. Kept apart, because the compiler would otherwise cut the loops before it
    /// to the width of its last halves.
    #[inline(never)]
    pub(crate) fn total(self) -> f64 {
        let mut sums = self.0;
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        sums[0]
    }
}

/// `sums[o] = biases[o] + Σᵢ weights[o·n + i] · inputs[i]` for one tile of n inputs.
pub(crate) fn weigh(weights: &[f64], biases: &[f64], inputs: &[TileRow], sums: &mut [TileRow]) {
    let fours = sums.len() / 4 * 4;
    for first in (0..fours).step_by(4) {
        weigh_group::<4>(&weights[first * inputs.len()..], &biases[first..], inputs, &mut sums[first..]);
    }
    for first in fours..sums.len() {
        weigh_group::<1>(&weights[first * inputs.len()..], &biases[first..], inputs, &mut sums[first..]);
    }
}

/// The first `OUT` sums, kept in registers while the inputs pass by.
#[inline]
fn weigh_group<const OUT: usize>(weights: &[f64], biases: &[f64], inputs: &[TileRow], sums: &mut [TileRow]) {
    let rows: [&[f64]; OUT] = std::array::from_fn(|o| &weights[o * inputs.len()..][..inputs.len()]);
    let mut held: [TileRow; OUT] = std::array::from_fn(|o| TileRow([biases[o]; LANES]));
    for (i, input) in inputs.iter().enumerate() {
        for (sum, row) in held.iter_mut().zip(&rows) {
            sum.add_scaled(row[i], input);
        }
    }
    sums[..OUT].copy_from_slice(&held);
}

/// Several tiles, one after the other, each of `width` rows.
#[derive(Clone, Copy)]
pub(crate) struct Tiles<'a> {
    pub(crate) rows: &'a [TileRow],
    pub(crate) width: usize,
}

/// `gradient[o·n + i] += Σ over tiles and lanes of deltas[o] · inputs[i]`, for tiles of n inputs.
pub(crate) fn correlate(deltas: Tiles<'_>, inputs: Tiles<'_>, gradient: &mut [f64]) {
    for (o, entries) in gradient.chunks_exact_mut(inputs.width).enumerate() {
        let (fours, ones) = entries.as_chunks_mut::<4>();
        let mut i = 0;
        for four in fours {
            correlate_group(deltas, o, inputs, i, four);
            i += 4;
        }
        for one in ones {
            correlate_group(deltas, o, inputs, i, std::array::from_mut(one));
            i += 1;
        }
    }
}

/// `IN` neighbouring entries of the gradient, kept in registers while the tiles pass by.
#[inline]
fn correlate_group<const IN: usize>(
    deltas: Tiles<'_>,
    o: usize,
    inputs: Tiles<'_>,
    i: usize,
    entries: &mut [f64; IN],
) {
    let mut held = [TileRow::ZERO; IN];
    let tiles = deltas.rows.chunks_exact(deltas.width).zip(inputs.rows.chunks_exact(inputs.width));
    for (deltas, inputs) in tiles {
        let inputs = inputs[i..].first_chunk::<IN>().expect("a group lies within its tile");
        for (sum, input) in held.iter_mut().zip(inputs) {
            sum.add_product(&deltas[o], input);
        }
    }
    for (entry, sum) in entries.iter_mut().zip(held) {
        *entry += sum.total();
    }
}

/// `gradient[o] += Σ over tiles and lanes of deltas[o]`.
pub(crate) fn accumulate(deltas: Tiles<'_>, gradient: &mut [f64]) {
    for (o, entry) in gradient.iter_mut().enumerate() {
        let mut held = TileRow::ZERO;
        for delta in deltas.rows.iter().skip(o).step_by(deltas.width) {
            held.add_scaled(1.0, delta);
        }
        *entry += held.total();
    }
}
