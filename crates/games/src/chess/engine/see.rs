//! Static exchange evaluation (SEE): the material balance of a series of captures on one square, both sides capturing
//! with their least valuable piece and stopping when it no longer pays.

use outplay_core::View;

use crate::chess::attacks;
use crate::chess::moves::{ChessMove, MoveKind};
use crate::chess::ordering::PIECE_VALUES;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;
use crate::chess::squares::{Bitboard, ChessSquare};

use super::search_thread::is_tactical;

/// Whether the static evaluation of a position can be trusted: the side to move is not in check, and none of its captures
/// or promotions wins material.
pub fn is_quiet(position: &Chess) -> bool {
    let wins_material = |mv: &ChessMove| is_tactical(position, *mv) && see_at_least(position, *mv, 1);
    !position.in_check() && !position.moves().iter().any(wins_material)
}

/// Whether the SEE of a legal move is at least `threshold`.
pub(super) fn see_at_least(position: &Chess, mv: ChessMove, threshold: i32) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let mut occupied = position.occupied() ^ from.bitboard();
    let gain = match mv.kind() {
        MoveKind::Castling => return threshold <= 0,
        MoveKind::EnPassant => {
            occupied ^= ChessSquare::new(to.file(), from.rank()).bitboard();
            PIECE_VALUES[PieceKind::Pawn.index()]
        }
        MoveKind::Promotion(kind) => {
            let taken = position.captured_kind(mv).map_or(0, |taken| PIECE_VALUES[taken.index()]);
            taken + PIECE_VALUES[kind.index()] - PIECE_VALUES[PieceKind::Pawn.index()]
        }
        MoveKind::Normal | MoveKind::DoublePush => {
            position.captured_kind(mv).map_or(0, |taken| PIECE_VALUES[taken.index()])
        }
    };
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    let stands = mv.promoted().unwrap_or_else(|| position.kind_on(from));
    balance -= PIECE_VALUES[stands.index()];
    balance >= 0 || wins_exchange(position, to, occupied | to.bitboard(), balance)
}

/// Whether the side to move wins the exchange on a square in which the opponent captures first. `balance` is its result
/// if its piece is captured.
fn wins_exchange(position: &Chess, to: ChessSquare, mut occupied: Bitboard, mut balance: i32) -> bool {
    let [pawns, knights, bishops, rooks, queens, kings] = position.by_kind;
    let (diagonal, straight) = (bishops | queens, rooks | queens);
    let mover = position.seat();
    let mut attackers = (attacks::pawn(!mover, to) & pawns & position.pieces_of_seat(mover))
        | (attacks::pawn(mover, to) & pawns & position.pieces_of_seat(!mover))
        | (attacks::knight(to) & knights)
        | (attacks::king(to) & kings)
        | (attacks::bishop(to, occupied) & diagonal)
        | (attacks::rook(to, occupied) & straight);
    let mut side = !mover;
    loop {
        attackers &= occupied;
        let own = attackers & position.pieces_of_seat(side);
        let Some(kind) =
            PieceKind::ALL.into_iter().find(|&kind| !(own & position.pieces_of_kind(kind)).is_empty())
        else {
            break;
        };
        if kind == PieceKind::King && !(attackers & position.pieces_of_seat(!side)).is_empty() {
            break;
        }
        occupied ^= (own & position.pieces_of_kind(kind)).first().bitboard();
        if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - PIECE_VALUES[kind.index()];
        if balance >= 0 {
            break;
        }
    }
    side != mover
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact SEE, found by trying thresholds.
    fn exchange(fen: &str, uci: &str) -> i32 {
        let position = Chess::from_fen(fen).unwrap();
        let mv = position.read_uci(uci).unwrap();
        (-1500..1500).rev().find(|&threshold| see_at_least(&position, mv, threshold)).unwrap()
    }

    #[test]
    fn exchanges_worked_out_by_hand() {
        // A rook takes an undefended pawn, and a defended one.
        assert_eq!(exchange("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
        // A knight takes a pawn that a knight, a bishop and a queen defend: pawn for knight.
        assert_eq!(exchange("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), 100 - 320);
        // Defended by a pawn: the rook is lost for a pawn.
        assert_eq!(exchange("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5"), 100 - 500);
        // Behind the first rook stands another, seen through it.
        assert_eq!(exchange("4r1k1/8/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5"), 100);
        // A king does not take what is defended.
        assert_eq!(exchange("8/8/4k3/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5"), 100);
        // En passant, a promotion, and a quiet move to an attacked square.
        assert_eq!(exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
        assert_eq!(exchange("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), 850);
        assert_eq!(exchange("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5"), -320);
    }
}
