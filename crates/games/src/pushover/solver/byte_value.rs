//! Results at a distance, in one byte, and what the solution keeps of a board.
//!
//! Law: grades are ordered by preference, a fast win before a slow one, any win before a draw, a draw before
//! any loss, a slow loss before a fast one.

use outplay_core::Value;

/// A [`Value`] of an unfinished position: 64 − d for a win in d, d − 64 for a loss in d, 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ByteValue(i8);

impl ByteValue {
    /// Below every result: what a player without a move could get.
    pub(super) const NONE: Self = Self(-64);
    /// A draw.
    pub(super) const DRAW: Self = Self(0);
    /// A win with the next push.
    pub(super) const WIN_NOW: Self = Self(63);
    /// A loss with the next push.
    pub(super) const LOSS_NOW: Self = Self(-63);
    /// No distance is greater. One more would still fit, so that a move can be added to any grade; the true
    /// maximum is about half of this.
    const MAX_DISTANCE: u8 = 62;

    /// This position's worth to the player whose move led to it, counted from before that move.
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
        let grade = Self(code as i8 - 64);
        let known =
            grade.0 == 0 || 64 - grade.0.unsigned_abs() <= Self::MAX_DISTANCE && grade.0 > Self::NONE.0;
        if known { Some(grade) } else { None }
    }
}

/// The grades of one board, whatever is forbidden: `second` if that is the favourite, otherwise `best`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardRecord {
    /// The grade of the best push.
    pub(super) best: ByteValue,
    /// The grade without the favourite; equal to `best` unless one single board is best and may be forbidden.
    pub(super) second: ByteValue,
    /// The colours (see [`Shape`](super::atlas::Shape)) of the board that the best push makes, seen by the
    /// side that pushes; 0 where it makes no difference.
    pub(super) favourite: u16,
}

impl BoardRecord {
    /// Of a board with a line.
    pub(super) const FINISHED: Self = Self::certain(ByteValue::NONE);

    /// A board whose grade nothing forbidden can change.
    pub(super) const fn certain(grade: ByteValue) -> Self {
        Self { best: grade, second: grade, favourite: 0 }
    }

    /// Takes account of one more board that a push can make and a rule can forbid.
    #[inline]
    pub(super) fn offer(&mut self, grade: ByteValue, colours: u16) {
        if grade > self.best {
            *self = Self { best: grade, second: self.best, favourite: colours };
        } else if grade > self.second {
            self.second = grade;
        }
    }

    /// The same knowledge in its one form: no favourite where it makes no difference.
    pub(super) const fn normalised(self) -> Self {
        if self.is_certain() { Self::certain(self.best) } else { self }
    }

    /// Whether nothing forbidden can change the grade.
    pub(super) const fn is_certain(self) -> bool {
        self.best.0 == self.second.0
    }

    /// The grade when the board with these colours, seen by the side to move, may not be made.
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
        let grades: Vec<ByteValue> = (0..=255).filter_map(ByteValue::from_code).collect();
        assert_eq!(grades.len(), 2 * 62 + 1);
        for pair in grades.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(pair[0].value().score() < pair[1].value().score());
        }
        for grade in grades {
            assert_eq!(ByteValue::from_code(grade.code()), Some(grade));
            assert_eq!(grade.for_mover().value().score(), -grade.value().score().delayed(1));
        }
        assert_eq!(ByteValue::WIN_NOW.value(), Value::Win(1));
        assert_eq!(ByteValue::LOSS_NOW.value(), Value::Loss(1));
        assert_eq!(ByteValue::DRAW.value(), Value::Draw);
    }
}
