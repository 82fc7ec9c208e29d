//! The exponential function and its relatives, without branches so that the compiler can vectorise loops over them.
//!
//! Invariant: only +, ×, ÷, fused multiply-add and bit shifts are used, so every machine gives the same bits. Each
//! function states its error bound, and a test checks it.

use std::f64::consts::LOG2_E;

/// ln 2, rounded down to so few bits that its product with any exponent is exact, and the rest of it.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 1/k! from the highest power down to the constant: Taylor's series, whose remainder on |r| ≤ ½ ln 2 is
/// below 2e-16.
const EXP_SERIES: [f64; 13] = [
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// eˣ with a relative error below 1e-15; beyond ±708 it stays at the value there. NaN stays NaN.
#[inline]
pub fn exp(x: f64) -> f64 {
    // Adding 1.5·2⁵² leaves the nearest integer to x·log₂e in the lowest bits of the sum.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    let x = x.clamp(-708.0, 708.0);
    let shifted = x.mul_add(LOG2_E, ROUNDER);
    let power = shifted - ROUNDER;
    let rest = power.mul_add(-LN2_LOW, power.mul_add(-LN2_HIGH, x));
    let series = EXP_SERIES.iter().fold(0.0f64, |sum, &c| sum.mul_add(rest, c));
    series * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52))
}

/// 1/(1+e⁻ˣ) with an absolute error below 1e-15.
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent with an absolute error below 1e-15.
#[inline]
pub fn tanh(x: f64) -> f64 {
    2.0f64.mul_add(sigmoid(2.0 * x), -1.0)
}

/// ln(1+eˣ) with an error below 1e-15 of the larger of itself and 1; the cross-entropy of a sigmoid is made
/// of it.
#[inline]
pub fn softplus(x: f64) -> f64 {
    let e = exp(-x.abs());
    // ln(1+e) = 2·artanh(e/(2+e)), whose argument is at most ⅓: seventeen terms reach 2e-18.
    let t = e / (2.0 + e);
    let square = t * t;
    let series = (0..17).rev().fold(0.0f64, |sum, k| sum.mul_add(square, 1.0 / f64::from(2 * k + 1)));
    (2.0 * t).mul_add(series, x.max(0.0))
}

/// 1/(1+e⁻ˣ) in single precision, with an absolute error below 2e-7.
#[inline]
pub fn fast_sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + fast_exp(-x))
}

/// The hyperbolic tangent in single precision, with an absolute error below 4e-7.
#[inline]
pub fn fast_tanh(x: f32) -> f32 {
    2.0f32.mul_add(fast_sigmoid(2.0 * x), -1.0)
}

/// The number, or zero if it is so small that its products may be denormal. Processors handle denormal numbers about a
/// hundred times more slowly, and no learnt weight is as small as 1e-30.
#[inline]
pub fn flush(x: f32) -> f32 {
    if x.abs() < 1e-30 { 0.0 } else { x }
}

/// eˣ in single precision with a relative error below 4e-7; beyond ±87 it stays at the value there.
#[inline]
pub fn fast_exp(x: f32) -> f32 {
    const ROUNDER: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    const SERIES: [f32; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let x = x.clamp(-87.0, 87.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUNDER);
    let power = shifted - ROUNDER;
    let rest = power.mul_add(-LN2_LOW, power.mul_add(-LN2_HIGH, x));
    let series = SERIES.iter().fold(0.0f32, |sum, &c| sum.mul_add(rest, c));
    series * f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every argument from −800 to 800 in steps that hit no round number.
    fn arguments() -> impl Iterator<Item = f64> {
        let dense = (-400_000..=400_000).map(|i| f64::from(i) * 0.000_1 + 0.000_037);
        let wide = (-80_000..=80_000).map(|i| f64::from(i) * 0.01 + 0.003_7);
        dense.chain(wide)
    }

    #[test]
    fn exp_keeps_its_bound() {
        for x in arguments().filter(|x| x.abs() <= 708.0) {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-15, "{x}");
        }
        assert_eq!(exp(1e6), exp(708.0));
        assert_eq!(exp(f64::NEG_INFINITY), exp(-708.0));
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn sigmoid_tanh_and_softplus_keep_their_bounds() {
        for x in arguments() {
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-15, "{x}");
            assert!((tanh(x) - x.tanh()).abs() < 1e-15, "{x}");
            let expected = x.max(0.0) + (-x.abs()).exp().ln_1p();
            assert!((softplus(x) - expected).abs() < 1e-15 * expected.max(1.0), "{x}");
        }
        assert_eq!(sigmoid(0.0), 0.5);
    }

    #[test]
    fn single_precision_keeps_its_bounds() {
        for x in arguments() {
            let (x, exact) = (x as f32, f64::from(x as f32));
            let sigmoid_error = f64::from(fast_sigmoid(x)) - 1.0 / (1.0 + (-exact).exp());
            assert!(sigmoid_error.abs() < 2e-7, "{x}: {sigmoid_error}");
            assert!((f64::from(fast_tanh(x)) - exact.tanh()).abs() < 4e-7, "{x}");
            if exact.abs() < 87.0 {
                assert!((f64::from(fast_exp(x)) / exact.exp() - 1.0).abs() < 4e-7, "{x}");
            }
        }
        assert_eq!(fast_sigmoid(f32::INFINITY), 1.0);
        assert!(fast_sigmoid(f32::NEG_INFINITY) < 1e-37);
    }
}
