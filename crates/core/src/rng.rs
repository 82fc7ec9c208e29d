//! The random number generator that everything random uses.
//!
//! Invariant: a generator is made from a seed, or from a seed and the number of a task ([`Rng::stream`]), never from the
//! clock or a thread. So work split over any number of threads draws the same numbers.

use std::convert::Infallible;

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator (xoshiro256++). It is also a `rand_core` generator, for libraries that want one.
///
/// ```
/// use outplay_core::Rng;
/// let (mut a, mut b) = (Rng::stream(7, 3), Rng::stream(7, 3));
/// assert_eq!(a.below(1000), b.below(1000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator of task `index` under `seed`, independent of every other task's.
    pub fn stream(seed: u64, index: u64) -> Self {
        Self::new(mix64(seed ^ mix64(index.wrapping_add(0x5851_f42d_4c95_7f2d))))
    }

    /// A seed for another generator.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..n`; `n` is at least 1. (Lemire's multiplication; its bias is below `n`/2⁶⁴.)
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0);
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Uniform in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// From the normal distribution of mean 0 and deviation 1 (Box and Muller's transform of two uniform numbers).
    pub fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A uniformly chosen item; the slice is not empty.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Puts the items in a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Spreads neighbouring numbers over all of the 64-bit range (the finaliser of SplitMix64).
pub const fn mix64(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // χ² with 6 degrees of freedom: 22.5 is exceeded once in a thousand.
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi2 < 22.5, "{counts:?}");
    }

    #[test]
    fn gaussian_has_the_moments_of_the_normal_distribution() {
        let mut rng = Rng::new(2);
        let draws: Vec<f64> = (0..100_000).map(|_| rng.gaussian()).collect();
        let moment = |power| draws.iter().map(|x| x.powi(power)).sum::<f64>() / draws.len() as f64;
        // Standard errors: 0.003, 0.0045, 0.012, 0.031.
        for (power, expected, error) in [(1, 0.0, 0.013), (2, 1.0, 0.018), (3, 0.0, 0.05), (4, 3.0, 0.13)] {
            assert!((moment(power) - expected).abs() < error, "moment {power}: {}", moment(power));
        }
    }

    #[test]
    fn streams_differ_and_repeat() {
        assert_ne!(Rng::stream(1, 0), Rng::stream(1, 1));
        assert_ne!(Rng::stream(1, 0), Rng::stream(0, 1));
        assert_eq!(Rng::stream(5, 9), Rng::stream(5, 9));
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
