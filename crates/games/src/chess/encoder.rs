//! What a network that learns chess by self-play sees.
//!
//! Its network judges for White, whichever side is to move, so colours are shown as they are.

use outplay_core::{Change, Encoder, Seat, View};

use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::Chess;
use super::squares::ChessSquare;

/// One input for each kind of piece of each side on each square, one that is on while Black is to move, and one for each
/// right to castle: 773.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChessEncoder;

/// The input that is on while Black is to move.
const BLACK_TO_MOVE: u32 = 2 * 6 * 64;
/// The first of the rights to castle: White's two, then Black's.
const CASTLING: u32 = BLACK_TO_MOVE + 1;
const INPUTS: usize = CASTLING as usize + 4;

const fn piece_input(seat: Seat, kind: PieceKind, square: ChessSquare) -> u32 {
    ((seat.index() * 6 + kind.index()) * 64 + square.index()) as u32
}

const fn castling_input(seat: Seat, wing: usize) -> u32 {
    CASTLING + (2 * seat.index() + wing) as u32
}

impl Encoder<Chess> for ChessEncoder {
    fn inputs(&self) -> usize {
        INPUTS
    }

    #[inline]
    fn each_on(&self, position: &Chess, mut visit: impl FnMut(u32)) {
        for seat in Seat::BOTH {
            for kind in PieceKind::ALL {
                position.pieces(seat, kind).into_iter().for_each(|at| visit(piece_input(seat, kind, at)));
            }
            for (wing, rook) in position.castling_rooks(seat).iter().enumerate() {
                if rook.is_some() {
                    visit(castling_input(seat, wing));
                }
            }
        }
        if position.seat() == Seat::Second {
            visit(BLACK_TO_MOVE);
        }
    }

    #[inline]
    fn each_change(&self, position: &Chess, mv: ChessMove, mut visit: impl FnMut(Change)) {
        each_piece_change(position, mv, |seat, kind, square, on| {
            visit(Change { input: piece_input(seat, kind, square), on });
        });
        each_lost_right(position, mv, |seat, wing, _| {
            visit(Change { input: castling_input(seat, wing), on: false });
        });
        visit(Change { input: BLACK_TO_MOVE, on: position.seat() == Seat::First });
    }
}

/// Visits what a legal move changes on the board: whose piece of which kind leaves which square, or comes to stand there.
#[inline]
pub(super) fn each_piece_change(
    position: &Chess,
    mv: ChessMove,
    mut visit: impl FnMut(Seat, PieceKind, ChessSquare, bool),
) {
    let (from, to, seat) = (mv.from(), mv.to(), position.seat());
    let moved = position.kind_on(from);
    let mut displace = |kind, from, becomes, to| {
        // In Chess960 a castling king or rook may stay where it is.
        if (kind, from) != (becomes, to) {
            visit(seat, kind, from, false);
            visit(seat, becomes, to, true);
        }
    };
    match mv.kind() {
        MoveKind::Castling => {
            let (king_to, rook_to) = Chess::castling_targets(from, to);
            displace(PieceKind::King, from, PieceKind::King, king_to);
            displace(PieceKind::Rook, to, PieceKind::Rook, rook_to);
        }
        MoveKind::Promotion(kind) => displace(moved, from, kind, to),
        MoveKind::Normal | MoveKind::DoublePush | MoveKind::EnPassant => displace(moved, from, moved, to),
    }
    let taken = match mv.kind() {
        MoveKind::EnPassant => Some((PieceKind::Pawn, ChessSquare::new(to.file(), from.rank()))),
        _ if position.pieces_of_seat(!seat).contains(to) => Some((position.kind_on(to), to)),
        _ => None,
    };
    if let Some((kind, square)) = taken {
        visit(!seat, kind, square, false);
    }
}

/// Visits the rights to castle that a legal move ends: whose, on which wing, with which rook.
#[inline]
pub(super) fn each_lost_right(
    position: &Chess,
    mv: ChessMove,
    mut visit: impl FnMut(Seat, usize, ChessSquare),
) {
    let (from, to, seat) = (mv.from(), mv.to(), position.seat());
    let king_moves = position.kind_on(from) == PieceKind::King;
    for side in Seat::BOTH {
        for (wing, rook) in position.castling_rooks(side).into_iter().enumerate() {
            let is_lost = |&rook: &ChessSquare| rook == from || rook == to || (king_moves && side == seat);
            if let Some(rook) = rook.filter(is_lost) {
                visit(side, wing, rook);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::conformance::check_encoder;

    #[test]
    fn changes_add_up_to_the_inputs() {
        check_encoder(&Chess::start(), &ChessEncoder, 3, 1);
        for number in [0, 518, 959] {
            check_encoder(&Chess::start_960(number), &ChessEncoder, 1, 2);
        }
    }

    /// Promotions, en passant and castling come soon here, also a king that castles without moving.
    #[test]
    fn rare_moves_change_what_they_should() {
        for fen in [
            "r3k2r/P6P/8/3pP3/3Pp3/8/p6p/R3K2R w KQkq d6 0 1",
            "4k3/8/8/8/8/8/8/1R4KR w HB - 0 1",
            "2r2k2/8/8/8/8/8/8/2R2K2 w Cc - 0 1",
        ] {
            check_encoder(&Chess::from_fen(fen).unwrap(), &ChessEncoder, 3, 3);
        }
    }

    #[test]
    fn the_start_shows_its_pieces_and_rights() {
        let mut on = Vec::new();
        ChessEncoder.each_on(&Chess::start(), |input| on.push(input));
        on.sort_unstable();
        assert_eq!(on.len(), 32 + 4);
        // The white rook on a1, and the last right to castle.
        assert!(on.contains(&(3 * 64)) && on.ends_with(&[772]) && !on.contains(&BLACK_TO_MOVE));
    }
}
