//! Scores inside the engine: hundredths of a pawn, with mates at the ends.
//!
//! Law: every score is the side to move's; a mate is counted from the root while the search is on its way, and from the
//! position itself in the table.

use outplay_core::Score;

use crate::chess::classic::score_of;

/// Beyond every score.
pub(super) const INFINITE: i32 = 32_000;
/// A mate on the board.
const MATE: i32 = 31_000;
/// No search goes deeper than so many plies.
pub(super) const DEEPEST: usize = 120;
/// Beyond this lie mates; evaluations stay within.
pub(super) const CERTAIN: i32 = MATE - 2 * DEEPEST as i32;
/// A draw.
pub(super) const DRAW: i32 = 0;

/// The side to move is mated so many plies after the root.
#[inline]
pub(super) const fn mated(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The side to move mates so many plies after the root.
#[inline]
pub(super) const fn mates(ply: usize) -> i32 {
    MATE - ply as i32
}

/// A score of the search as the table keeps it.
#[inline]
pub(super) const fn to_table(value: i32, ply: usize) -> i32 {
    if value >= CERTAIN {
        value + ply as i32
    } else if value <= -CERTAIN {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(super) const fn from_table(value: i32, ply: usize) -> i32 {
    if value >= CERTAIN {
        value - ply as i32
    } else if value <= -CERTAIN {
        value + ply as i32
    } else {
        value
    }
}

/// What a candidate is worth to the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth(pub(super) i32);

impl Worth {
    /// Hundredths of a pawn, if no mate is seen.
    pub const fn centipawns(self) -> Option<i32> {
        if self.0.abs() >= CERTAIN { None } else { Some(self.0) }
    }

    /// Moves to the mate that is seen, negative if the side to move is mated.
    pub const fn mate_in(self) -> Option<i32> {
        if self.0 >= CERTAIN {
            Some((MATE - self.0 + 1) / 2)
        } else if self.0 <= -CERTAIN {
            Some(-((MATE + self.0 + 1) / 2))
        } else {
            None
        }
    }

    /// The same in the words of the house.
    pub const fn score(self) -> Score {
        if self.0 >= CERTAIN {
            Score::win_in((MATE - self.0) as u32)
        } else if self.0 <= -CERTAIN {
            Score::loss_in((MATE + self.0) as u32)
        } else {
            score_of(self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_and_from_where_one_stands() {
        assert_eq!(Worth(mates(1)).mate_in(), Some(1));
        assert_eq!(Worth(mates(3)).mate_in(), Some(2));
        assert_eq!(Worth(mated(2)).mate_in(), Some(-1));
        assert_eq!(Worth(mated(4)).score(), Score::loss_in(4));
        assert_eq!((Worth(35).centipawns(), Worth(35).mate_in()), (Some(35), None));
        for value in [mates(9), mated(9), 123] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        assert_eq!(to_table(mates(9), 5), mates(4));
    }
}
