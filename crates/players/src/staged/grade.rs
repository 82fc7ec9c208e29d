//! Values in one byte.
//!
//! Law: grades are ordered by preference, a fast win before a slow one, any win before a draw, a draw before
//! any loss, a slow loss before a fast one.

use outplay_core::Value;

/// A value: 127 − d for a win in d, d − 127 for a loss in d, 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Grade(i8);

impl Grade {
    /// Of a place without a position, and below every grade.
    pub(super) const NONE: Self = Self(i8::MIN);
    /// A draw.
    pub(super) const DRAW: Self = Self(0);
    /// Won already.
    pub(super) const WON: Self = Self(127);
    /// Lost already.
    pub(super) const LOST: Self = Self(-127);
    /// A win with the next move.
    pub(super) const WIN_NOW: Self = Self(126);
    /// No distance is greater. One more would still fit, so that a move can be added to any grade.
    pub(super) const FARTHEST: usize = 125;

    /// This position's worth to the player whose move led to it, counted from before that move.
    #[inline]
    pub(super) const fn to_mover(self) -> Self {
        debug_assert!(self.0 != Self::NONE.0);
        Self(-self.0 + self.0.signum())
    }

    pub(super) const fn is_win(self) -> bool {
        self.0 > 0
    }

    pub(super) const fn is_loss(self) -> bool {
        self.0 < 0 && self.0 != Self::NONE.0
    }

    /// Plies to the end of a game that is not drawn.
    pub(super) const fn distance(self) -> usize {
        127 - self.0.unsigned_abs() as usize
    }

    pub(super) const fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            1.. => Value::Win(self.distance() as u32),
            _ => Value::Loss(self.distance() as u32),
        }
    }

    pub(super) const fn to_byte(self) -> u8 {
        self.0 as u8
    }

    pub(super) const fn from_byte(byte: u8) -> Self {
        Self(byte as i8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_ordered_like_scores() {
        let grades: Vec<Grade> = (-127..=127).map(Grade).collect();
        for pair in grades.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].value().score() < pair[1].value().score());
        }
        for grade in grades.into_iter().filter(|grade| *grade == Grade::DRAW || grade.distance() < 126) {
            assert_eq!(grade.to_mover().value(), grade.value().to_mover());
        }
        let named = [Grade::WON, Grade::LOST, Grade::WIN_NOW, Grade::DRAW].map(Grade::value);
        assert_eq!(named, [Value::Win(0), Value::Loss(0), Value::Win(1), Value::Draw]);
    }
}
