//! A pseudo-random evaluator: a search can only agree with it by really evaluating the positions.

use outplay_core::{Evaluator, Position, Score, Seat};

/// Scores a position by its key alone, in `levels` different values on either side of even; few levels make
/// many ties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    pub(crate) levels: u64,
}

impl<P: Position> Evaluator<P> for Noise {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &P) -> Score {
        let mixed =
            position.key().wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29).wrapping_mul(0x9e37_79b9);
        Score::eval((mixed >> 20).rem_euclid(2 * self.levels + 1) as i32 - self.levels as i32)
    }
}
