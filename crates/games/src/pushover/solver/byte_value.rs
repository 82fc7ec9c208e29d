//! Game values with distance in one byte, and what the solution keeps of a board.
//!
//! Values are ordered by preference: a fast win before a slow one, any win before a draw, a draw before any loss, a slow
//! loss before a fast one.

use outplay_core::Value;

/// A [`Value`] of an unfinished position: 64 − d for a win in d, d − 64 for a loss in d, 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ByteValue(i8);

impl ByteValue {
    /// Less than every value: the value without any move.
    pub(super) const NONE: Self = Self(-64);
    /// A draw.
    pub(super) const DRAW: Self = Self(0);
    /// A win with the next push.
    pub(super) const WIN_NOW: Self = Self(63);
    /// A loss with the next push.
    pub(super) const LOSS_NOW: Self = Self(-63);
    /// The greatest distance. One more would still fit, so that a move can be added to any value; the true maximum is about
    /// half of this.
    const MAX_DISTANCE: u8 = 62;

    /// The value for the player whose move led to this position, counted from before that move.
    #[inline]
    pub(super) const fn for_mover(self) -> Self {
        debug_assert!(self.0.unsigned_abs() != 64 - Self::MAX_DISTANCE - 1);
        Self(-self.0 + self.0.signum())
    }

    pub(super) const fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            wins @ 1.. => Value::Win(64 - wins as u32),
            losses => Value::Loss((64 + losses) as u32),
        }
    }

    /// A number below 128 for files.
    pub(super) const fn code(self) -> u8 {
        (self.0 + 64) as u8
    }

    /// The result with this code, if there is one.
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        if code > 127 {
            return None;
        }
        let value = Self(code as i8 - 64);
        let known =
            value.0 == 0 || 64 - value.0.unsigned_abs() <= Self::MAX_DISTANCE && value.0 > Self::NONE.0;
        if known { Some(value) } else { None }
    }
}

/// The values of one board for every forbidden board: `second` if the favourite is forbidden, otherwise `best`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardRecord {
    /// The value of the best push.
    pub(super) best: ByteValue,
    /// The value without the favourite; equal to `best` unless one single board is best and may be forbidden.
    pub(super) second: ByteValue,
    /// The colours (see [`BoardShape`](super::board_index::BoardShape)) of the board that the best push makes, seen by the
    /// side that pushes; 0 where it makes no difference.
    pub(super) favourite: u16,
}

impl BoardRecord {
    /// Of a board with a line.
    pub(super) const FINISHED: Self = Self::certain(ByteValue::NONE);

    /// A board whose value does not depend on what is forbidden.
    pub(super) const fn certain(value: ByteValue) -> Self {
        Self { best: value, second: value, favourite: 0 }
    }

    /// Takes account of one more board that a push can make and a rule can forbid.
    #[inline]
    pub(super) fn offer(&mut self, value: ByteValue, colours: u16) {
        if value > self.best {
            *self = Self { best: value, second: self.best, favourite: colours };
        } else if value > self.second {
            self.second = value;
        }
    }

    /// The canonical form: no favourite where it makes no difference.
    pub(super) const fn normalised(self) -> Self {
        if self.is_certain() { Self::certain(self.best) } else { self }
    }

    /// Whether the value does not depend on what is forbidden.
    pub(super) const fn is_certain(self) -> bool {
        self.best.0 == self.second.0
    }

    /// The value when the board with these colours, seen by the side to move, is forbidden.
    #[inline]
    pub(super) const fn without(self, forbidden: u16) -> ByteValue {
        if forbidden == self.favourite { self.second } else { self.best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_ordered_like_scores() {
        let values: Vec<ByteValue> = (0..=255).filter_map(ByteValue::from_code).collect();
        assert_eq!(values.len(), 2 * 62 + 1);
        for pair in values.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(pair[0].value().score() < pair[1].value().score());
        }
        for value in values {
            assert_eq!(ByteValue::from_code(value.code()), Some(value));
            assert_eq!(value.for_mover().value().score(), -value.value().score().delayed(1));
        }
        assert_eq!(ByteValue::WIN_NOW.value(), Value::Win(1));
        assert_eq!(ByteValue::LOSS_NOW.value(), Value::Loss(1));
        assert_eq!(ByteValue::DRAW.value(), Value::Draw);
    }
}
