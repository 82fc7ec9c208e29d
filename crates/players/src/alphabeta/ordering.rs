//! Move ordering: killer moves and the history heuristic. It changes how long a search takes, but not its result,
//! except between equal root moves.

use outplay_core::{Position, Seat, View};

/// Two killer moves per ply, and a history score per seat and move slot.
#[derive(Clone, Debug)]
pub(super) struct MoveOrdering<P: Position> {
    killers: Vec<[Option<P::Move>; 2]>,
    history: Vec<i32>,
}

impl<P: Position> MoveOrdering<P> {
    /// History scores stay within this bound on either side.
    const BOUND: i32 = 1 << 14;

    pub(super) fn new(plies: usize) -> Self {
        Self { killers: vec![[None; 2]; plies], history: vec![0; 2 * P::SLOTS] }
    }

    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    fn place(seat: Seat, mv: P::Move) -> usize {
        seat.index() * P::SLOTS + <P as View>::slot(mv)
    }

    /// The move's ordering score; higher is tried earlier.
    #[inline]
    pub(super) fn rank(&self, mv: P::Move, seat: Seat, ply: u32) -> i32 {
        let killers = &self.killers[ply as usize];
        if killers[0] == Some(mv) {
            3 * Self::BOUND
        } else if killers[1] == Some(mv) {
            2 * Self::BOUND
        } else {
            self.history[Self::place(seat, mv)]
        }
    }

    /// Records a beta cutoff by `mv` after the moves in `failed` gave none.
    pub(super) fn update_history(
        &mut self,
        mv: P::Move,
        failed: &[P::Move],
        seat: Seat,
        depth: u32,
        ply: u32,
    ) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(Self::BOUND as u32 / 8) as i32;
        self.shift_history(seat, mv, bonus);
        for &failure in failed {
            self.shift_history(seat, failure, -bonus);
        }
    }

    /// The nearer the bound, the smaller the update: recent cutoffs outweigh old ones and nothing overflows.
    fn shift_history(&mut self, seat: Seat, mv: P::Move, bonus: i32) {
        let value = &mut self.history[Self::place(seat, mv)];
        *value += bonus - *value * bonus.abs() / Self::BOUND;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TicTacToe;

    #[test]
    fn history_is_bounded_and_separates_good_from_bad() {
        let mut ordering = MoveOrdering::<TicTacToe>::new(4);
        for _ in 0..100_000 {
            ordering.update_history(3, &[5], Seat::First, 200, 0);
        }
        let rank = |mv| ordering.rank(mv, Seat::First, 1);
        assert!(rank(3) > 0 && rank(3) <= MoveOrdering::<TicTacToe>::BOUND);
        assert!(rank(5) < 0 && rank(5) >= -MoveOrdering::<TicTacToe>::BOUND);
        assert_eq!(ordering.rank(3, Seat::Second, 1), 0, "the other seat has its own history");
    }

    #[test]
    fn killers_come_before_history_the_latest_first() {
        let mut ordering = MoveOrdering::<TicTacToe>::new(4);
        for mv in [1, 2, 2] {
            ordering.update_history(mv, &[], Seat::First, 3, 2);
        }
        let rank = |mv| ordering.rank(mv, Seat::First, 2);
        assert!(rank(2) > rank(1) && rank(1) > rank(0));
        assert!(ordering.rank(1, Seat::First, 3) < rank(1), "killers belong to their ply");
    }
}
