//! Static move ordering: captures by most valuable victim, least valuable attacker (MVV-LVA).
//!
//! The promise of a move only orders it; every legal move is visited.

use std::ops::ControlFlow;

use outplay_core::View;

use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::Chess;

/// Rough piece values in centipawns, for SEE and move ordering.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// Greater than any history score of a quiet move.
const TACTICAL_BONUS: i32 = 1 << 24;

impl Chess {
    /// The kind of piece that a move captures.
    #[inline]
    pub(super) fn captured_kind(&self, mv: ChessMove) -> Option<PieceKind> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceKind::Pawn),
            MoveKind::Castling => None,
            _ => self.pieces_of_seat(!self.seat).contains(mv.to()).then(|| self.kind_on(mv.to())),
        }
    }
}

/// Visits the legal moves with their promise: captures and queen promotions by MVV-LVA, others 0.
#[inline]
pub(super) fn consider(position: &Chess, mut visit: impl FnMut(ChessMove, i32)) -> usize {
    let _ = position.each_move(|mv| {
        let gain = position.captured_kind(mv).map_or(0, |captured| PIECE_VALUES[captured.index()]);
        let promotion = mv.promoted().map_or(0, |kind| PIECE_VALUES[kind.index()]);
        let promise = if gain + promotion == 0 || (promotion > 0 && mv.promoted() != Some(PieceKind::Queen)) {
            0
        } else {
            TACTICAL_BONUS + 8 * (gain + promotion) - position.kind_on(mv.from()).index() as i32
        };
        visit(mv, promise);
        ControlFlow::<()>::Continue(())
    });
    usize::MAX
}
