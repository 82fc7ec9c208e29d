//! Scores inside the engine: centipawns, with mates at the ends of the scale.
//!
//! Every score is the side to move's. Mates are counted from the root during the search and from the position itself in
//! the transposition table.

use outplay_core::Score;

use crate::chess::classic::score_of;

/// Greater than every score.
pub(super) const INFINITE: i32 = 32_000;
/// The score of a mate on the board.
const MATE: i32 = 31_000;
/// The greatest depth of a search, in plies.
pub(super) const MAX_PLY: usize = 120;
/// Scores beyond this are mates; evaluations stay below.
pub(super) const MATE_IN_MAX_PLY: i32 = MATE - 2 * MAX_PLY as i32;
/// A draw.
pub(super) const DRAW: i32 = 0;

/// The score of being mated at this ply from the root.
#[inline]
pub(super) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of giving mate at this ply from the root.
#[inline]
pub(super) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// A search score as the transposition table keeps it.
#[inline]
pub(super) const fn score_to_tt(value: i32, ply: usize) -> i32 {
    if value >= MATE_IN_MAX_PLY {
        value + ply as i32
    } else if value <= -MATE_IN_MAX_PLY {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`score_to_tt`].
#[inline]
pub(super) const fn score_from_tt(value: i32, ply: usize) -> i32 {
    if value >= MATE_IN_MAX_PLY {
        value - ply as i32
    } else if value <= -MATE_IN_MAX_PLY {
        value + ply as i32
    } else {
        value
    }
}

/// The score of a candidate for the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EngineScore(pub(super) i32);

impl EngineScore {
    /// Centipawns, if it is not a mate.
    pub const fn centipawns(self) -> Option<i32> {
        if self.0.abs() >= MATE_IN_MAX_PLY { None } else { Some(self.0) }
    }

    /// Moves to mate, negative if the side to move is mated.
    pub const fn mate_in(self) -> Option<i32> {
        if self.0 >= MATE_IN_MAX_PLY {
            Some((MATE - self.0 + 1) / 2)
        } else if self.0 <= -MATE_IN_MAX_PLY {
            Some(-((MATE + self.0 + 1) / 2))
        } else {
            None
        }
    }

    /// The same as a [`Score`] in log-odds.
    pub const fn to_score(self) -> Score {
        if self.0 >= MATE_IN_MAX_PLY {
            Score::win_in((MATE - self.0) as u32)
        } else if self.0 <= -MATE_IN_MAX_PLY {
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
        assert_eq!(EngineScore(mate_in(1)).mate_in(), Some(1));
        assert_eq!(EngineScore(mate_in(3)).mate_in(), Some(2));
        assert_eq!(EngineScore(mated_in(2)).mate_in(), Some(-1));
        assert_eq!(EngineScore(mated_in(4)).to_score(), Score::loss_in(4));
        assert_eq!((EngineScore(35).centipawns(), EngineScore(35).mate_in()), (Some(35), None));
        for value in [mate_in(9), mated_in(9), 123] {
            assert_eq!(score_from_tt(score_to_tt(value, 5), 5), value);
        }
        assert_eq!(score_to_tt(mate_in(9), 5), mate_in(4));
    }
}
