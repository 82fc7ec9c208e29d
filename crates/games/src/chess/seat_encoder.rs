//! What a network with a value and a policy sees of a chess position. The board is turned upside down for Black, so that the
//! seat that looks always plays up the board.
//!
//! Whether a pawn can be taken en passant is computed, because a move can only tell by looking at all that may capture.

use outplay_core::{Change, Seat, SeatEncoder, View};

use super::encoder::{each_lost_right, each_piece_change};
use super::moves::ChessMove;
use super::pieces::PieceKind;
use super::rules::Chess;
use super::squares::ChessSquare;

/// Inputs: the seat's own pieces by kind and square, the other's; its own rights to castle by the file of the rook, the other's;
/// computed, the file of a pawn that can be taken en passant.
///
/// Slots: the pairs of squares between which a queen or a knight can move, then promotions to other pieces than a queen.
/// Castling moves the king onto its own rook, as no other move does, so it needs no slots of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChessSeatEncoder;

const CASTLING: u32 = 2 * 6 * 64;
const EN_PASSANT: u32 = CASTLING + 2 * 8;
const INPUTS: usize = EN_PASSANT as usize + 8;

/// Pairs of squares between which a queen or a knight can move.
const PAIRS: u16 = 1792;
/// For knight, bishop and rook: from eight files, straight on or capturing to either side.
const PROMOTIONS: u16 = 3 * 8 * 3;

/// The slots of the pairs of squares, by `64 * from + to`.
static PAIR_SLOTS: [u16; 4096] = pair_slots();

const fn pair_slots() -> [u16; 4096] {
    let (mut slots, mut found, mut pair) = ([0; 4096], 0, 0);
    while pair < 4096 {
        let (from, to) = (pair as i32 / 64, pair as i32 % 64);
        let (files, ranks) = ((to % 8 - from % 8).abs(), (to / 8 - from / 8).abs());
        let is_straight = files == 0 || ranks == 0 || files == ranks;
        if from != to && (is_straight || files + ranks == 3) {
            slots[pair] = found;
            found += 1;
        }
        pair += 1;
    }
    assert!(found == PAIRS);
    slots
}

/// The number of a square as the seat sees it.
#[inline]
const fn as_seen(square: ChessSquare, seat: Seat) -> usize {
    square.index() ^ (56 * seat.index())
}

#[inline]
fn piece_input(side: Seat, kind: PieceKind, square: ChessSquare, seat: Seat) -> u32 {
    ((usize::from(side != seat) * 6 + kind.index()) * 64 + as_seen(square, seat)) as u32
}

#[inline]
fn castling_input(side: Seat, rook: ChessSquare, seat: Seat) -> u32 {
    CASTLING + 8 * u32::from(side != seat) + u32::from(rook.file())
}

impl SeatEncoder<Chess> for ChessSeatEncoder {
    fn inputs(&self) -> usize {
        INPUTS
    }

    /// A piece on every square, four rights, one pawn en passant.
    fn most_on(&self) -> usize {
        64 + 4 + 1
    }

    fn slots(&self) -> usize {
        usize::from(PAIRS + PROMOTIONS)
    }

    #[inline]
    fn each_on(&self, position: &Chess, seat: Seat, mut visit: impl FnMut(u32)) {
        for side in Seat::BOTH {
            for kind in PieceKind::ALL {
                let pieces = position.pieces(side, kind);
                pieces.into_iter().for_each(|square| visit(piece_input(side, kind, square, seat)));
            }
            for rook in position.castling_rooks(side).into_iter().flatten() {
                visit(castling_input(side, rook, seat));
            }
        }
    }

    #[inline]
    fn each_change(&self, position: &Chess, mv: ChessMove, seat: Seat, mut visit: impl FnMut(Change)) {
        each_piece_change(position, mv, |side, kind, square, on| {
            visit(Change { input: piece_input(side, kind, square, seat), on });
        });
        each_lost_right(position, mv, |side, _, rook| {
            visit(Change { input: castling_input(side, rook, seat), on: false });
        });
    }

    #[inline]
    fn each_computed(&self, position: &Chess, mut visit: impl FnMut(u32)) {
        if let Some(square) = position.en_passant {
            visit(EN_PASSANT + u32::from(square.file()));
        }
    }

    #[inline]
    fn slot(&self, position: &Chess, mv: ChessMove) -> u16 {
        let (from, to) = (mv.from(), mv.to());
        match mv.promoted() {
            Some(kind @ (PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook)) => {
                let kind = (kind.index() - PieceKind::Knight.index()) as u16;
                let side = u16::from(to.file() + 1 - from.file());
                PAIRS + (kind * 8 + u16::from(from.file())) * 3 + side
            }
            _ => PAIR_SLOTS[as_seen(from, position.seat()) << 6 | as_seen(to, position.seat())],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::conformance::check_seat_encoder;

    #[test]
    fn conforms() {
        check_seat_encoder(&[Chess::start()], &ChessSeatEncoder, 10, 1);
        for number in [0, 518, 959] {
            check_seat_encoder(&[Chess::start_960(number)], &ChessSeatEncoder, 5, 2);
        }
    }

    /// Promotions, en passant and castling come soon here, also a king that castles without moving.
    #[test]
    fn rare_moves_have_inputs_and_slots_of_their_own() {
        for fen in [
            "r3k2r/P6P/8/3pP3/3Pp3/8/p6p/R3K2R w KQkq d6 0 1",
            "1n2k1n1/P6P/8/8/8/8/p6p/1N2K1N1 b - - 0 1",
            "4k3/8/8/8/8/8/8/1R4KR w HB - 0 1",
            "2r2k2/8/8/8/8/8/8/2R2K2 w Cc - 0 1",
            "rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1",
        ] {
            check_seat_encoder(&[Chess::from_fen(fen).unwrap()], &ChessSeatEncoder, 10, 3);
        }
    }

    /// The inputs that the side to move sees and the slots of its moves.
    fn seen(fen: &str) -> (Vec<u32>, Vec<u16>) {
        let position = Chess::from_fen(fen).unwrap();
        let (mut on, mut slots) = (Vec::new(), Vec::new());
        ChessSeatEncoder.each_on(&position, position.seat(), |input| on.push(input));
        ChessSeatEncoder.each_computed(&position, |input| on.push(input));
        slots.extend(position.moves().into_iter().map(|mv| ChessSeatEncoder.slot(&position, mv)));
        on.sort_unstable();
        slots.sort_unstable();
        (on, slots)
    }

    #[test]
    fn both_seats_play_up_the_board() {
        let white = seen("r3k2r/p1pp1pb1/bn2p1p1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQk - 0 1");
        let black = seen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2P1P1/P1PP1PB1/R3K2R b Kkq - 0 1");
        assert_eq!(white, black);
        assert_eq!(white.0.len(), 30 + 3);
        let (en_passant, _) = seen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        // The pawn on e5, the king on e1, their pawn on d5 and king on e8, and the d-file.
        assert_eq!(en_passant, [36, 5 * 64 + 4, 6 * 64 + 35, 11 * 64 + 60, EN_PASSANT + 3]);
    }
}
