//! Encodings of a position for a learner.
//!
//! The document's encoding has 64 numbers: the piece on each square, positive for white and negative for black, regardless
//! of the side to move. Since its labels are the mover's, two positions that look alike may have opposite labels. The
//! list that it wishes for (§3.3.2) says for every piece whether it is there, its value and its coordinates; it does not say
//! who has moved either. The other encodings show the board from the side that has just moved: its own pieces positive, its
//! own first rank below.
//!
//! All numbers are small integers, so that distances between encodings are exact.

use outplay_core::{Seat, View};

use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;
use crate::chess::squares::ChessSquare;

/// Squares of a board.
pub const SQUARES: usize = 64;
/// Planes of [`planes`]: six kinds of piece of the side that has moved, six of the other.
pub const PLANES: usize = 12;
/// Numbers of [`oriented`].
pub const ORIENTED: usize = SQUARES + 8;
/// Pieces of a side in [`piece_list`].
const LISTED: usize = 16;
/// Numbers of each of them: present, value, file, rank.
const PIECE_NUMBERS: usize = 4;
/// Numbers of [`piece_list`].
pub const PIECE_LIST: usize = 2 * LISTED * PIECE_NUMBERS;

/// The document's values, doubled so that they are whole: pawn 1, knight 3, bishop 3.5, rook 5, queen 9, king 0.
const DOCUMENT_HALF_PAWNS: [i8; 6] = [2, 6, 7, 10, 18, 0];
/// Piece values on the squares of the oriented encoding: closer together, because the material balance has inputs of its
/// own.
const ON_SQUARE: [i8; 6] = [2, 4, 4, 5, 7, 5];
/// Piece values for the material balance, in half pawns.
const HALF_PAWNS: [i32; 6] = [2, 6, 7, 10, 19, 0];

/// The pieces of a position with their squares.
fn pieces(position: &Chess) -> impl Iterator<Item = (ChessSquare, Seat, PieceKind)> {
    let of = |square| position.piece_on(square).map(|(seat, kind)| (square, seat, kind));
    position.occupied().into_iter().filter_map(of)
}

/// The document's 64 numbers, doubled, from a8 to h1.
pub fn document(position: &Chess) -> [i8; SQUARES] {
    let mut numbers = [0; SQUARES];
    for (square, seat, kind) in pieces(position) {
        let value = DOCUMENT_HALF_PAWNS[kind.index()];
        numbers[square.index() ^ 0o70] = if seat == Seat::First { value } else { -value };
    }
    numbers
}

/// The first place of each kind in a side's list and how many there are: the king, the queen, two rooks, bishops and
/// knights, eight pawns. In the order of the kinds.
const PLACES: [(usize, usize); 6] = [(8, 8), (6, 2), (4, 2), (2, 2), (1, 1), (0, 1)];

/// The list that the document wishes for: for each of White's and then Black's sixteen pieces whether it is there, its value
/// in half pawns, and its file and rank from 1 to 8; four zeros for a piece that is gone. A position does not say which
/// rook is which, so pieces of a kind stand in the order of their squares. A promoted piece that finds its kind's places
/// taken has a pawn's place, with its own value; one that finds none is left out.
pub fn piece_list(position: &Chess) -> [i8; PIECE_LIST] {
    let mut numbers = [0; PIECE_LIST];
    for seat in Seat::BOTH {
        let list = &mut numbers[seat.index() * LISTED * PIECE_NUMBERS..][..LISTED * PIECE_NUMBERS];
        // Pawns first: what is left of their places is for promoted pieces.
        for kind in PieceKind::ALL {
            let (first, places) = PLACES[kind.index()];
            let spare = PLACES[PieceKind::Pawn.index()];
            let squares = position.pieces(seat, kind).into_iter();
            let own = first..first + places;
            let mut free = own.chain(spare.0..spare.0 + spare.1);
            for square in squares {
                let is_free = |&place: &usize| list[place * PIECE_NUMBERS] == 0;
                let Some(place) = free.find(is_free) else { break };
                let (file, rank) = (square.file() as i8 + 1, square.rank() as i8 + 1);
                let value = DOCUMENT_HALF_PAWNS[kind.index()];
                list[place * PIECE_NUMBERS..][..PIECE_NUMBERS].copy_from_slice(&[1, value, file, rank]);
            }
        }
    }
    numbers
}

/// The index of a square from a side's point of view: its own first rank is lowest.
fn relative_square(square: ChessSquare, side: Seat) -> usize {
    if side == Seat::First { square.index() } else { square.index() ^ 0o70 }
}

/// The board from the point of view of the side that has moved, the material balance, the largest loss to one capture, the
/// material left, check, and the balance by kind.
pub fn oriented(position: &Chess) -> [i8; ORIENTED] {
    let (mover, mut numbers) = (!position.seat(), [0; ORIENTED]);
    let (mut balance, mut material_left) = (0, 0);
    for (square, seat, kind) in pieces(position) {
        let (sign, value) = (if seat == mover { 1 } else { -1 }, HALF_PAWNS[kind.index()]);
        numbers[relative_square(square, mover)] = sign * ON_SQUARE[kind.index()];
        balance += i32::from(sign) * value;
        material_left += value;
    }
    let small = |number: i32| number.clamp(-127, 127) as i8;
    let loss = largest_capture_loss(position, mover);
    numbers[SQUARES] = small(3 * balance);
    numbers[SQUARES + 1] = small(3 * (balance - loss));
    numbers[SQUARES + 2] = small(material_left / 6);
    numbers[SQUARES + 3] = if position.in_check() { 6 } else { 0 };
    for (place, kind) in
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Rook, PieceKind::Queen].into_iter().enumerate()
    {
        let count = |side| position.pieces(side, kind).len() as i32;
        numbers[SQUARES + 4 + place] = small(4 * (count(mover) - count(!mover)));
    }
    numbers
}

/// The most that a side can lose to one capture, in half pawns: the full value of an undefended piece, otherwise the
/// difference to its cheapest attacker.
fn largest_capture_loss(position: &Chess, side: Seat) -> i32 {
    let occupied = position.occupied();
    let cheapest = |square| {
        let attackers = position.attackers(square, !side, occupied);
        PieceKind::ALL.into_iter().find(|&kind| !(attackers & position.pieces_of_kind(kind)).is_empty())
    };
    let loss = |square: ChessSquare| {
        let (_, kind) = position.piece_on(square)?;
        let attacker = cheapest(square)?;
        let is_defended = !position.attackers(square, side, occupied).is_empty();
        let price = if is_defended { HALF_PAWNS[attacker.index()] } else { 0 };
        (!is_defended || attacker != PieceKind::King).then_some(HALF_PAWNS[kind.index()] - price)
    };
    position.pieces_of_seat(side).into_iter().filter_map(loss).max().unwrap_or(0).max(0)
}

/// One-hot planes by kind and side, the side that has moved first, square by square: 64 × 12 numbers.
pub fn planes(position: &Chess, numbers: &mut [f32]) {
    let mover = !position.seat();
    numbers.fill(0.0);
    for (square, seat, kind) in pieces(position) {
        let plane = kind.index() + if seat == mover { 0 } else { 6 };
        numbers[relative_square(square, mover) * PLANES + plane] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Position;

    /// The first board that the document prints.
    #[test]
    fn the_documents_first_board() {
        let fen = "r1b1kb1r/p2n1ppp/2p1pn2/qp4B1/3P4/1QN1PN2/PP3PPP/R3KB1R b KQkq - 0 9";
        let halves = |number: &f64| (number * 2.0) as i8;
        let printed: [f64; 64] = [
            -5., 0., -3.5, 0., 0., -3.5, 0., -5., -1., 0., 0., -3., 0., -1., -1., -1., 0., 0., -1., 0., -1.,
            -3., 0., 0., -9., -1., 0., 0., 0., 0., 3.5, 0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 9., 3., 0.,
            1., 3., 0., 0., 1., 1., 0., 0., 0., 1., 1., 1., 5., 0., 0., 0., 0., 3.5, 0., 5.,
        ];
        assert_eq!(
            document(&Chess::from_fen(fen).unwrap()).to_vec(),
            printed.iter().map(halves).collect::<Vec<_>>()
        );
    }

    /// What a list says of White's and of Black's pieces, place by place; places without a piece are left out.
    fn listed(fen: &str) -> [Vec<(usize, [i8; 4])>; 2] {
        let numbers = piece_list(&Chess::from_fen(fen).unwrap());
        let sides = numbers.as_chunks::<PIECE_NUMBERS>().0.chunks_exact(LISTED);
        let present = |side: &[[i8; 4]]| {
            (0..).zip(side.iter().copied()).filter(|(_, piece)| *piece != [0; 4]).collect::<Vec<_>>()
        };
        let sides: Vec<_> = sides.map(present).collect();
        sides.try_into().unwrap()
    }

    #[test]
    fn a_list_says_what_is_there_what_it_is_worth_and_where() {
        let [white, black] = listed("4k3/8/8/3p4/8/5N2/P7/R3K2R w - - 0 1");
        let expected =
            [(0, [1, 0, 5, 1]), (2, [1, 10, 1, 1]), (3, [1, 10, 8, 1]), (6, [1, 6, 6, 3]), (8, [1, 2, 1, 2])];
        assert_eq!(white, expected);
        assert_eq!(black, [(0, [1, 0, 5, 8]), (8, [1, 2, 4, 5])]);
        let [white, black] = listed("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!((white.len(), black.len()), (16, 16));
    }

    /// Nine queens: one has the queen's place, eight have those of the pawns.
    #[test]
    fn promoted_pieces_have_the_places_of_pawns() {
        let [white, _] = listed("QQQQQQQQ/Q7/8/8/8/8/8/K6k b - - 0 1");
        let places: Vec<usize> = white.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [0, 1, 8, 9, 10, 11, 12, 13, 14, 15]);
        assert!(white[1..].iter().all(|(_, piece)| piece[..2] == [1, 18]));
    }

    /// A position and its colour-swapped counterpart look alike to the side that has moved.
    #[test]
    fn colours_do_not_matter_to_the_mover() {
        let white = Chess::from_fen("4k3/8/8/3p4/4P3/8/8/4K2R b - - 0 1").unwrap();
        let black = Chess::from_fen("4k2r/8/8/4p3/3P4/8/8/4K3 w - - 0 1").unwrap();
        let shown = |position: &Chess| {
            let mut numbers = vec![0.0; SQUARES * PLANES];
            planes(position, &mut numbers);
            numbers
        };
        // Mirrored left to right as well, so the comparison is of counts only.
        assert_eq!(shown(&white).iter().sum::<f32>(), shown(&black).iter().sum::<f32>());
        assert_eq!(oriented(&white)[SQUARES..], oriented(&black)[SQUARES..]);
        let mirror = Chess::from_fen("4k2r/8/8/4p3/3P4/8/8/4K3 w - - 0 1").unwrap();
        let other = Chess::from_fen("4k3/8/8/3p4/4P3/8/8/4K2R b - - 0 1").unwrap();
        assert_eq!(oriented(&mirror)[7], oriented(&other)[7], "each has its rook on its own h1");
    }

    /// White's pawn on e4 can be taken by the pawn on d5, and nothing defends it.
    #[test]
    fn what_can_be_taken_counts() {
        let position = Chess::from_fen("4k3/8/8/3p4/4P3/8/8/4K2R b - - 0 1").unwrap();
        assert_eq!(oriented(&position)[SQUARES..SQUARES + 2], [3 * 10, 3 * (10 - 2)]);
        let start = Chess::start();
        let quiet = start.after(start.read_uci("e2e4").unwrap());
        assert_eq!(oriented(&quiet)[SQUARES..SQUARES + 2], [0, 0]);
        let defended = Chess::from_fen("4k3/8/2p5/3r4/2B5/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(oriented(&defended)[SQUARES..SQUARES + 2], [3 * 5, 3 * (5 - 3)]);
    }
}
