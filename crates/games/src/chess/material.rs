//! The evaluation by material, with the piece values of ChessMate's document. It is symmetric between the sides.

use outplay_core::{Evaluator, Score, Seat, View};

use super::moves::ChessMove;
use super::ordering;
use super::pieces::PieceKind;
use super::rules::Chess;

/// Piece values in tenths of a pawn (ChessMate 2018): queen 9.5, rook 5, bishop 3.5, knight 3.
const TENTHS: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 10),
    (PieceKind::Knight, 30),
    (PieceKind::Bishop, 35),
    (PieceKind::Rook, 50),
    (PieceKind::Queen, 95),
];

/// The evaluation by material.
#[derive(Clone, Copy, Debug)]
pub struct MaterialEvaluator {
    /// The value of a pawn, in thousandths of log-odds.
    pub pawn: i32,
}

impl Default for MaterialEvaluator {
    /// Four pawns make ten to one, as in Elo's scale.
    fn default() -> Self {
        Self { pawn: 576 }
    }
}

impl Evaluator<Chess> for MaterialEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    #[inline]
    fn score(&mut self, position: &Chess) -> Score {
        let (me, other) = (position.seat(), !position.seat());
        let count = |seat, kind| position.pieces(seat, kind).len() as i32;
        let tenths: i32 =
            TENTHS.iter().map(|&(kind, value)| value * (count(me, kind) - count(other, kind))).sum();
        Score::eval(self.pawn * tenths / 10)
    }

    #[inline]
    fn plausible_moves(&mut self, position: &Chess, _depth: u32, visit: impl FnMut(ChessMove, i32)) -> usize {
        ordering::consider(position, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_worth_what_the_document_says() {
        let score = |fen: &str| MaterialEvaluator { pawn: 1000 }.score(&Chess::from_fen(fen).unwrap());
        assert_eq!(score("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), Score::eval(1000));
        assert_eq!(score("4k3/8/8/8/8/8/P7/4K3 b - - 0 1"), Score::eval(-1000));
        assert_eq!(score("q3k3/8/8/8/8/8/8/RB2K1N1 w - - 0 1"), Score::eval(2000));
    }
}
