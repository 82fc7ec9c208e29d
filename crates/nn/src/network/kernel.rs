//! The innermost loops: products of numbers with lanes, summed in registers.
//!
//! Both kernels keep up to [`MOST_ROWS`] × 2 sums of sixteen lanes in registers, one for each pair of a *row*
//! and one or two *lanes*, while they walk along what is summed. The lanes are `wide`'s type and not plain
//! arrays, because compilers cut loops over arrays to half of the widest registers
//! (`docs/methods/networks.md` has what was measured). Every sum is taken in one fixed order with fused
//! multiply-adds.

/// Sixteen numbers that are worked on together.
pub(crate) type Lanes = wide::f32x16;

/// Numbers in [`Lanes`].
pub(crate) const LANES: usize = 16;

/// The most rows that one call of a kernel takes.
pub(crate) const MOST_ROWS: usize = 12;

/// Cuts `count` rows into groups of nearly equal size, none over [`MOST_ROWS`]: first row and size of each.
pub(crate) fn groups(count: usize) -> impl Iterator<Item = (usize, usize)> {
    parts(count, count.div_ceil(MOST_ROWS))
}

/// Cuts `count` things into so many parts whose sizes differ by one at most: first thing and size of each.
pub(crate) fn parts(count: usize, parts: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..parts).map(move |part| {
        let first = part * count / parts;
        (first, (part + 1) * count / parts - first)
    })
}

/// Calls a kernel with the number of rows as a constant.
macro_rules! with_rows {
    ($rows:expr, $kernel:ident, $($argument:expr),*) => {
        match $rows {
            1 => $kernel::<1, V>($($argument),*),
            2 => $kernel::<2, V>($($argument),*),
            3 => $kernel::<3, V>($($argument),*),
            4 => $kernel::<4, V>($($argument),*),
            5 => $kernel::<5, V>($($argument),*),
            6 => $kernel::<6, V>($($argument),*),
            7 => $kernel::<7, V>($($argument),*),
            8 => $kernel::<8, V>($($argument),*),
            9 => $kernel::<9, V>($($argument),*),
            10 => $kernel::<10, V>($($argument),*),
            11 => $kernel::<11, V>($($argument),*),
            12 => $kernel::<12, V>($($argument),*),
            rows => unreachable!("a group has 1 to {MOST_ROWS} rows, not {rows}"),
        }
    };
}

/// `out[r·out_stride ..] = start + Σₖ input[r·stride + k] · weights[k]` for each row r; without a start, what
/// `out` held is kept and added to.
#[inline]
pub(crate) fn weigh<const V: usize>(
    rows: usize,
    (input, stride): (&[f32], usize),
    weights: &[[Lanes; V]],
    start: Option<&[Lanes; V]>,
    (out, out_stride): (&mut [Lanes], usize),
) {
    with_rows!(rows, weigh_rows, (input, stride), weights, start, (out, out_stride));
}

fn weigh_rows<const R: usize, const V: usize>(
    (input, stride): (&[f32], usize),
    weights: &[[Lanes; V]],
    start: Option<&[Lanes; V]>,
    (out, out_stride): (&mut [Lanes], usize),
) {
    let rows: [&[f32]; R] = std::array::from_fn(|r| &input[r * stride..][..weights.len()]);
    let mut sums: [[Lanes; V]; R] = match start {
        Some(start) => [*start; R],
        None => std::array::from_fn(|r| std::array::from_fn(|v| out[r * out_stride + v])),
    };
    for (k, weights) in weights.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let factor = Lanes::splat(row[k]);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = factor.mul_add(*weight, *sum);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        out[r * out_stride..][..V].copy_from_slice(sums);
    }
}

/// A rectangle of positions to sum over: how many lines of how many positions, and how far apart lines and
/// positions lie among the inputs.
#[derive(Clone, Copy)]
pub(crate) struct Rectangle {
    pub(crate) lines: usize,
    pub(crate) positions: usize,
    pub(crate) line_stride: usize,
    pub(crate) position_stride: usize,
}

/// `gradient[r] = Σ over positions of input[position + r] · deltas[position]` for each row r, added to what
/// `gradient` held unless `fresh`. The deltas of one line lie together, `delta_stride` before those of the
/// next.
#[inline]
pub(crate) fn correlate<const V: usize>(
    rows: usize,
    rectangle: Rectangle,
    input: &[f32],
    (deltas, delta_stride): (&[[Lanes; V]], usize),
    fresh: bool,
    gradient: &mut [[Lanes; V]],
) {
    with_rows!(rows, correlate_rows, rectangle, input, (deltas, delta_stride), fresh, gradient);
}

fn correlate_rows<const R: usize, const V: usize>(
    rectangle: Rectangle,
    input: &[f32],
    (deltas, delta_stride): (&[[Lanes; V]], usize),
    fresh: bool,
    gradient: &mut [[Lanes; V]],
) {
    let gradient = gradient.first_chunk_mut::<R>().expect("a row of the gradient for each row of a group");
    let mut sums = if fresh { [[Lanes::ZERO; V]; R] } else { *gradient };
    for line in 0..rectangle.lines {
        let inputs = &input[line * rectangle.line_stride..];
        let deltas = &deltas[line * delta_stride..][..rectangle.positions];
        for (position, deltas) in deltas.iter().enumerate() {
            let inputs = inputs[position * rectangle.position_stride..].first_chunk::<R>();
            for (sums, input) in sums.iter_mut().zip(inputs.expect("inputs at every position")) {
                let factor = Lanes::splat(*input);
                for (sum, delta) in sums.iter_mut().zip(deltas) {
                    *sum = factor.mul_add(*delta, *sum);
                }
            }
        }
    }
    *gradient = sums;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_every_row_once() {
        for count in 0..100 {
            let mut next = 0;
            for (first, size) in groups(count) {
                assert_eq!(first, next);
                assert!((1..=MOST_ROWS).contains(&size));
                next += size;
            }
            assert_eq!(next, count);
        }
    }
}
