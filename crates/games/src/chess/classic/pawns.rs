//! Pawn structure and passed pawns. As in [`terms`](super::terms), one code serves both sides.

use outplay_core::Seat;

use super::features::{
    BACKWARD, DOUBLED, ISOLATED, MATERIAL, PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FREE,
    PASSED_OWN_KING, PAWN_SQUARE, PHALANX, SUPPORTED,
};
use super::terms::{
    AttackMaps, TermSink, distance, forward, pawn_attacks, relative_rank, relative_square, sign,
};
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;
use crate::chess::squares::Bitboard;

/// The front spans of some squares: all squares ahead on their files.
#[inline]
fn front_span(seat: Seat, squares: Bitboard) -> Bitboard {
    let mut all = forward(seat, squares);
    all |= forward(seat, all);
    all |= forward(seat, forward(seat, all));
    all | forward(seat, forward(seat, forward(seat, forward(seat, all))))
}

/// The squares left and right of some.
#[inline]
fn adjacent_files(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !Bitboard::file(0)).0 >> 1) | Bitboard((squares & !Bitboard::file(7)).0 << 1)
}

/// Outpost squares: on the side's fourth to sixth rank, never attacked by an enemy pawn.
#[inline]
pub(super) fn outposts(seat: Seat, enemy_pawns: Bitboard) -> Bitboard {
    const FAR: [Bitboard; 2] = [Bitboard(0x0000_ffff_ff00_0000), Bitboard(0x0000_00ff_ffff_0000)];
    let reached = enemy_pawns | front_span(!seat, enemy_pawns);
    FAR[seat.index()] & !pawn_attacks(!seat, reached)
}

/// Counts the terms of a side's pawns.
#[inline]
pub(super) fn count<T: TermSink>(position: &Chess, seat: Seat, attacks: &AttackMaps, sink: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let pawns = position.pieces(seat, PieceKind::Pawn);
    let theirs = position.pieces(enemy, PieceKind::Pawn);
    sink.add(MATERIAL, one * pawns.len() as i32);
    let doubled = pawns & front_span(seat, pawns);
    sink.add(DOUBLED, one * doubled.len() as i32);
    let columns = pawns | front_span(seat, pawns) | front_span(enemy, pawns);
    sink.add(ISOLATED, one * (pawns & !adjacent_files(columns)).len() as i32);
    // Backward: no pawn beside or behind can ever support it, and an enemy pawn attacks its stop square.
    let supportable = adjacent_files(pawns | front_span(seat, pawns));
    let met = forward(enemy, pawn_attacks(enemy, theirs));
    let isolated = pawns & !adjacent_files(columns);
    sink.add(BACKWARD, one * (pawns & !supportable & met & !isolated).len() as i32);
    let abreast = pawns & adjacent_files(pawns);
    let supported = pawns & pawn_attacks(seat, pawns);
    for pawn in pawns {
        sink.add(PAWN_SQUARE + relative_square(seat, pawn), one);
    }
    for pawn in abreast {
        sink.add(PHALANX + relative_rank(seat, pawn), one);
    }
    for pawn in supported {
        sink.add(SUPPORTED + relative_rank(seat, pawn), one);
    }
    let stopped = theirs | front_span(enemy, theirs);
    let stopped = stopped | pawn_attacks(enemy, stopped);
    // Of two on a file only the front one counts as passed.
    let passed = pawns & !stopped & !front_span(enemy, pawns);
    for pawn in passed {
        let rank = relative_rank(seat, pawn);
        let next = forward(seat, pawn.bitboard()).first();
        sink.add(PASSED + rank, one);
        if position.occupied().contains(next) {
            sink.add(PASSED_BLOCKED + rank, one);
        } else if !attacks.all[enemy.index()].contains(next) {
            sink.add(PASSED_FREE + rank, one);
        }
        if rank >= 3 {
            sink.add(PASSED_OWN_KING + distance(position.king(seat), next), one);
            sink.add(PASSED_ENEMY_KING + distance(position.king(enemy), next), one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_and_outposts() {
        let at = |name| crate::chess::ChessSquare::parse(name).unwrap().bitboard();
        assert_eq!(front_span(Seat::First, at("e2")), Bitboard::file(4) & !(at("e1") | at("e2")));
        assert_eq!(front_span(Seat::Second, at("e3")), at("e2") | at("e1"));
        assert_eq!(adjacent_files(at("a4") | at("h4")), at("b4") | at("g4"));
        let safe = outposts(Seat::First, at("e7"));
        assert!((safe & (at("d6") | at("d5") | at("f4"))).is_empty());
        assert!((safe & at("e5")) == at("e5") && (safe & at("c5")) == at("c5"));
        assert!((safe & at("e7")).is_empty() && (safe & at("e3")).is_empty());
    }
}
