//! Which moves are worth a look first, as far as can be told without a search.
//!
//! Law: a promise is an order and nothing more; every legal move is visited.

use std::ops::ControlFlow;

use outplay_core::View;

use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::Chess;

/// The rough worth of a piece, for exchanges and their order.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Above whatever a search has learnt of quiet moves.
const TACTICAL_BONUS: i32 = 1 << 24;

impl Chess {
    /// The kind of piece that a move takes.
    #[inline]
    pub(super) fn captured_kind(&self, mv: ChessMove) -> Option<PieceKind> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceKind::Pawn),
            MoveKind::Castling => None,
            _ => self.pieces_of_seat(!self.seat).contains(mv.to()).then(|| self.kind_on(mv.to())),
        }
    }
}

/// Visits the legal moves: captures first, the most valuable victim by the cheapest piece before all others, and pawns that
/// become queens among them.
#[inline]
pub(super) fn consider(position: &Chess, mut visit: impl FnMut(ChessMove, i32)) -> usize {
    let _ = position.each_move(|mv| {
        let gain = position.captured_kind(mv).map_or(0, |taken| PIECE_VALUES[taken.index()]);
        let made = mv.promoted().map_or(0, |kind| PIECE_VALUES[kind.index()]);
        let promise = if gain + made == 0 || (made > 0 && mv.promoted() != Some(PieceKind::Queen)) {
            0
        } else {
            TACTICAL_BONUS + 8 * (gain + made) - position.kind_on(mv.from()).index() as i32
        };
        visit(mv, promise);
        ControlFlow::<()>::Continue(())
    });
    usize::MAX
}
