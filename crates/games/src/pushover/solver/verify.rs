//! Verifies a solution: every state is recomputed from the states it leads to.
//!
//! Only the numbering of boards is shared with the solver. Moves are compared as boards, one by one, for every board that
//! may be forbidden.

use rayon::prelude::*;

use super::board_index::{BoardIndex, BoardShape};
use super::byte_value::{BoardRecord, ByteValue};
use super::{BoardState, PushResult, PushoverSolution, RepetitionRule, has_line, push_result};
use crate::pushover::PushoverBoard;

impl PushoverSolution {
    /// How many states contradict the states they lead to: 0 proves the solution (see the header of the solver).
    /// Visits every board, with nothing forbidden and with each unfinished board forbidden that a push through
    /// a full line makes; no other forbidden board has an effect.
    pub fn bellman_violations(&self) -> u64 {
        BoardIndex::get().shapes().par_iter().map(|shape| self.violations_of(shape)).sum()
    }

    fn violations_of(&self, shape: &BoardShape) -> u64 {
        let mut made = Vec::new();
        let boards = shape.boards().enumerate();
        boards
            .map(|(offset, board)| {
                if has_line(board) {
                    u64::from(self.records[shape.first + offset] != BoardRecord::FINISHED)
                } else {
                    self.violations_at(board, &mut made)
                }
            })
            .sum()
    }

    /// `made` is a buffer for the boards that pushes make, with their values for the side that pushes.
    fn violations_at(&self, board: PushoverBoard<4>, made: &mut Vec<(PushoverBoard<4>, ByteValue)>) -> u64 {
        made.clear();
        for entry in PushoverBoard::<4>::entries() {
            let value = match push_result(board, entry) {
                PushResult::Wins => ByteValue::WIN_NOW,
                PushResult::Loses => ByteValue::LOSS_NOW,
                PushResult::Continues(next) => {
                    self.byte_value(BoardState { board: next, forbidden: Some(board.flipped()) }).for_mover()
                }
            };
            made.push((board.push(entry), value));
        }
        let recreatable =
            |forbidden: &PushoverBoard<4>| forbidden.pieces() == board.pieces() && !has_line(*forbidden);
        let restricted = made.iter().map(|&(forbidden, _)| forbidden).filter(recreatable).map(Some);
        let wrong = |forbidden: &Option<PushoverBoard<4>>| {
            let shut = forbidden.filter(|_| self.rule == RepetitionRule::Forbidden);
            let open = made.iter().filter(|&&(made, _)| Some(made) != shut);
            let expected = open.map(|&(_, value)| value).max();
            expected != Some(self.byte_value(BoardState { board, forbidden: *forbidden }))
        };
        std::iter::once(None).chain(restricted).filter(wrong).count() as u64
    }
}
