//! A seeded pseudo-random permutation of `0..len` that is computed rather than stored.
//!
//! The numbers below the next power of two are permuted by a Feistel network, which is a bijection whatever its rounds
//! compute: the two halves are changed in turn by a function of the other half. A result that lies beyond the length is
//! permuted again until one does not (cycle walking: at most twice on average), so the result is a bijection of the
//! numbers below the length.

use crate::Rng;
use crate::rng::mix64;

/// Feistel rounds; each half is changed three times.
const ROUNDS: usize = 6;

/// An order of `0..len`.
///
/// ```
/// use outplay_core::Permutation;
/// let order = Permutation::new(5, 7);
/// let mut seen: Vec<u64> = (0..5).map(|place| order.at(place)).collect();
/// seen.sort_unstable();
/// assert_eq!(seen, [0, 1, 2, 3, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct Permutation {
    len: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The permutation of `0..len` that the seed gives.
    pub fn new(len: u64, seed: u64) -> Self {
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let low_bits = bits / 2;
        let mut rng = Rng::new(seed);
        Self {
            len,
            low_bits,
            low_mask: mask(low_bits),
            high_mask: mask(bits - low_bits),
            keys: std::array::from_fn(|_| rng.seed()),
        }
    }

    /// The number at this place, which is below the length.
    #[inline]
    pub fn at(&self, place: u64) -> u64 {
        debug_assert!(place < self.len);
        let mut number = place;
        loop {
            number = self.permute(number);
            if number < self.len {
                return number;
            }
        }
    }

    #[inline]
    fn permute(&self, number: u64) -> u64 {
        let (mut low, mut high) = (number & self.low_mask, number >> self.low_bits);
        for [first, second] in self.keys.as_chunks().0 {
            high ^= mix64(first ^ low) & self.high_mask;
            low ^= mix64(second ^ high) & self.low_mask;
        }
        high << self.low_bits | low
    }
}

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_visited_once() {
        for len in (1..70).chain([255, 256, 257, 1000]) {
            for seed in 0..3 {
                let order = Permutation::new(len, seed);
                let mut seen: Vec<u64> = (0..len).map(|place| order.at(place)).collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..len), "{len} {seed}");
            }
        }
    }

    #[test]
    fn places_and_what_stands_there_have_nothing_in_common() {
        // Each of 20 × 20 boxes (place, number) expects 250 of 100 000; χ² with 361 degrees of freedom exceeds 450
        // once in a thousand.
        let order = Permutation::new(100_000, 1);
        let mut boxes = [[0u32; 20]; 20];
        for place in 0..100_000 {
            boxes[place as usize / 5000][order.at(place) as usize / 5000] += 1;
        }
        let chi2: f64 = boxes.as_flattened().iter().map(|&n| (f64::from(n) - 250.0).powi(2) / 250.0).sum();
        assert!(chi2 < 450.0, "{chi2}");
    }

    #[test]
    fn seeds_draw_all_orders_about_as_often() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..24_000 {
            let order = Permutation::new(4, seed);
            *counts.entry([0, 1, 2, 3].map(|place| order.at(place))).or_insert(0u32) += 1;
        }
        // Six rounds are not quite enough to make so short orders equally likely: they come within a tenth.
        assert!(counts.len() == 24 && counts.values().all(|n| (880..1120).contains(n)), "{counts:?}");
    }
}
