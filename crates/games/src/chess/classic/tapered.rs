//! A middlegame and an endgame score packed in one number.
//!
//! Both halves stay within sixteen bits, so one addition adds both.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A middlegame and an endgame score, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaperedScore(i32);

impl TaperedScore {
    /// Both scores 0.
    pub const ZERO: Self = Self(0);

    /// Packs both scores.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self((end << 16).wrapping_add(middle))
    }

    /// The middlegame score.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score. (The lower half borrows from the upper one when it is negative.)
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for TaperedScore {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for TaperedScore {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for TaperedScore {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<i32> for TaperedScore {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_add_up_apart() {
        let worths = [(0, 0), (1, -1), (-1, 1), (-300, -200), (950, 1000), (-7, 0), (0, -7)];
        for (a, b) in worths {
            for (c, d) in worths {
                let sum = TaperedScore::new(a, b) + TaperedScore::new(c, d);
                assert_eq!((sum.middlegame(), sum.endgame()), (a + c, b + d));
                let difference = TaperedScore::new(a, b) - TaperedScore::new(c, d);
                assert_eq!((difference.middlegame(), difference.endgame()), (a - c, b - d));
                let thrice = TaperedScore::new(a, b) * -3;
                assert_eq!((thrice.middlegame(), thrice.endgame()), (-3 * a, -3 * b));
            }
        }
    }
}
