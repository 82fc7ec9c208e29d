//! The vectors that BFGS moves through: arithmetic on plain slices, and the type that lends it to argmin. Sums run
//! over sixteen partial sums in one fixed order.

use argmin_math::{ArgminDot, ArgminL2Norm, ArgminMul, ArgminScaledAdd, ArgminSub};

/// Partial sums of a dot product.
const STRIDE: usize = 16;

/// A parameter vector, a gradient or a direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vector(pub(crate) Vec<f64>);

/// Σ a·b; the longer one's rest is ignored.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let length = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..length].as_chunks::<STRIDE>(), b[..length].as_chunks::<STRIDE>());
    let mut sums = [0.0f64; STRIDE];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..STRIDE {
            sums[lane] = a[lane].mul_add(b[lane], sums[lane]);
        }
    }
    a_rest.iter().zip(b_rest).fold(total(sums), |sum, (a, b)| a.mul_add(*b, sum))
}

/// `out += factor · a`, as far as both go.
pub(crate) fn add_scaled(factor: f64, a: &[f64], out: &mut [f64]) {
    for (out, a) in out.iter_mut().zip(a) {
        *out = factor.mul_add(*a, *out);
    }
}

/// `out += factor · a`, and Σ a·b, in one pass over the three, which are equally long.
pub(crate) fn add_scaled_and_dot(factor: f64, a: &[f64], b: &[f64], out: &mut [f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<STRIDE>(), b.as_chunks::<STRIDE>());
    let (out, out_rest) = out.as_chunks_mut::<STRIDE>();
    let mut sums = [0.0f64; STRIDE];
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        for lane in 0..STRIDE {
            sums[lane] = a[lane].mul_add(b[lane], sums[lane]);
            out[lane] = factor.mul_add(a[lane], out[lane]);
        }
    }
    add_scaled(factor, a_rest, out_rest);
    a_rest.iter().zip(b_rest).fold(total(sums), |sum, (a, b)| a.mul_add(*b, sum))
}

/// The sum of all, by halves. Kept apart, because the compiler would otherwise cut the loops before it to the
/// width of its last halves.
#[inline(never)]
fn total(mut sums: [f64; STRIDE]) -> f64 {
    let mut half = STRIDE / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

impl ArgminDot<Self, f64> for Vector {
    fn dot(&self, other: &Self) -> f64 {
        dot(&self.0, &other.0)
    }
}

impl ArgminL2Norm<f64> for Vector {
    fn l2_norm(&self) -> f64 {
        dot(&self.0, &self.0).sqrt()
    }
}

impl ArgminMul<f64, Self> for Vector {
    fn mul(&self, factor: &f64) -> Self {
        Self(self.0.iter().map(|x| x * factor).collect())
    }
}

impl ArgminSub<Self, Self> for Vector {
    fn sub(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }
}

impl ArgminScaledAdd<Self, f64, Self> for Vector {
    fn scaled_add(&self, factor: &f64, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| factor.mul_add(*b, *a)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_their_definitions() {
        for length in [0, 1, 15, 16, 17, 50] {
            let a: Vec<f64> = (0..length).map(|i| f64::from(i) - 3.5).collect();
            let b: Vec<f64> = (0..length).map(|i| f64::from(i * i % 7) * 0.25).collect();
            let expected: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert!((dot(&a, &b) - expected).abs() < 1e-10);
            let mut out = b.clone();
            assert_eq!(add_scaled_and_dot(2.0, &a, &b, &mut out), dot(&a, &b));
            assert!(out.iter().zip(&a).zip(&b).all(|((out, a), b)| (out - (b + 2.0 * a)).abs() < 1e-12));
        }
    }
}
