//! Values packed into one byte, ordered by preference: fast wins before slow ones, wins before draws, draws before
//! losses, slow losses before fast ones.

use outplay_core::Value;

/// A value: 127 − d for a win in d, d − 127 for a loss in d, 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedValue(i8);

impl PackedValue {
    /// A place without a position; below every value.
    pub(super) const NONE: Self = Self(i8::MIN);
    /// A draw.
    pub(super) const DRAW: Self = Self(0);
    /// Already won.
    pub(super) const WON: Self = Self(127);
    /// Already lost.
    pub(super) const LOST: Self = Self(-127);
    /// A win with the next move.
    pub(super) const WIN_NOW: Self = Self(126);
    /// The greatest distance. One more still fits, so that a move can be added to any value.
    pub(super) const FARTHEST: usize = 125;

    /// This position's value for the player whose move led to it, counted from before that move.
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

    /// Plies to the end; the value is not a draw.
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
        let values: Vec<PackedValue> = (-127..=127).map(PackedValue).collect();
        for pair in values.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].value().score() < pair[1].value().score());
        }
        for packed in
            values.into_iter().filter(|packed| *packed == PackedValue::DRAW || packed.distance() < 126)
        {
            assert_eq!(packed.to_mover().value(), packed.value().to_mover());
        }
        let named = [PackedValue::WON, PackedValue::LOST, PackedValue::WIN_NOW, PackedValue::DRAW]
            .map(PackedValue::value);
        assert_eq!(named, [Value::Win(0), Value::Loss(0), Value::Win(1), Value::Draw]);
    }
}
