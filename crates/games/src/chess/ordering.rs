//! Which moves are worth a look first, as far as can be told without a search.
//!
//! Law: a promise is an order and nothing more; every legal move is visited.

use std::ops::ControlFlow;

use outplay_core::View;

use super::moves::{Move, Nature};
use super::pieces::Kind;
use super::rules::Chess;

/// The rough worth of a piece, for exchanges and their order.
pub(super) const ROUGHLY: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Above whatever a search has learnt of quiet moves.
const FORCING: i32 = 1 << 24;

impl Chess {
    /// The kind of piece that a move takes.
    #[inline]
    pub(super) fn taken_by(&self, mv: Move) -> Option<Kind> {
        match mv.nature() {
            Nature::EnPassant => Some(Kind::Pawn),
            Nature::Castling => None,
            _ => self.of_seat(!self.seat).contains(mv.to()).then(|| self.kind_on(mv.to())),
        }
    }
}

/// Visits the legal moves: captures first, the most valuable victim by the cheapest piece before all others, and pawns that
/// become queens among them.
#[inline]
pub(super) fn consider(position: &Chess, mut visit: impl FnMut(Move, i32)) -> usize {
    let _ = position.each_move(|mv| {
        let gain = position.taken_by(mv).map_or(0, |taken| ROUGHLY[taken.index()]);
        let made = mv.promoted().map_or(0, |kind| ROUGHLY[kind.index()]);
        let promise = if gain + made == 0 || (made > 0 && mv.promoted() != Some(Kind::Queen)) {
            0
        } else {
            FORCING + 8 * (gain + made) - position.kind_on(mv.from()).index() as i32
        };
        visit(mv, promise);
        ControlFlow::<()>::Continue(())
    });
    usize::MAX
}
