//! Pawns: how they stand to one another, and how far those have come that nothing but pieces can stop.
//!
//! Law: as in [`terms`](super::terms), one set of lines for both sides.

use outplay_core::Seat;

use super::features::{
    ABREAST, BACKWARD, DOUBLED, ISOLATED, MATERIAL, PASSED, PASSED_BLOCKED, PASSED_ENEMY, PASSED_FREE,
    PASSED_KING, PAWN_PLACE, SUPPORTED,
};
use super::terms::{Sights, Tally, ahead, distance, pawn_attacks, rank_for, seen_by, sign};
use crate::chess::pieces::Kind;
use crate::chess::rules::Chess;
use crate::chess::squares::Squares;

/// All squares before some, up to the last rank.
#[inline]
fn front(seat: Seat, squares: Squares) -> Squares {
    let mut all = ahead(seat, squares);
    all |= ahead(seat, all);
    all |= ahead(seat, ahead(seat, all));
    all | ahead(seat, ahead(seat, ahead(seat, ahead(seat, all))))
}

/// The squares beside some.
#[inline]
fn beside(squares: Squares) -> Squares {
    Squares((squares & !Squares::file(0)).0 >> 1) | Squares((squares & !Squares::file(7)).0 << 1)
}

/// The squares of the side's fourth to sixth rank that no enemy pawn will ever attack.
#[inline]
pub(super) fn outposts(seat: Seat, enemy_pawns: Squares) -> Squares {
    const FAR: [Squares; 2] = [Squares(0x0000_ffff_ff00_0000), Squares(0x0000_00ff_ffff_0000)];
    let reached = enemy_pawns | front(!seat, enemy_pawns);
    FAR[seat.index()] & !pawn_attacks(!seat, reached)
}

/// Counts the terms of a side's pawns.
#[inline]
pub(super) fn count<T: Tally>(position: &Chess, seat: Seat, sights: &Sights, tally: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let pawns = position.of(seat, Kind::Pawn);
    let theirs = position.of(enemy, Kind::Pawn);
    tally.add(MATERIAL, one * pawns.len() as i32);
    let doubled = pawns & front(seat, pawns);
    tally.add(DOUBLED, one * doubled.len() as i32);
    let columns = pawns | front(seat, pawns) | front(enemy, pawns);
    tally.add(ISOLATED, one * (pawns & !beside(columns)).len() as i32);
    // No pawn beside it or behind can ever support it, and its step is met by a pawn.
    let supportable = beside(pawns | front(seat, pawns));
    let met = ahead(enemy, pawn_attacks(enemy, theirs));
    let isolated = pawns & !beside(columns);
    tally.add(BACKWARD, one * (pawns & !supportable & met & !isolated).len() as i32);
    let abreast = pawns & beside(pawns);
    let supported = pawns & pawn_attacks(seat, pawns);
    for pawn in pawns {
        tally.add(PAWN_PLACE + seen_by(seat, pawn), one);
    }
    for pawn in abreast {
        tally.add(ABREAST + rank_for(seat, pawn), one);
    }
    for pawn in supported {
        tally.add(SUPPORTED + rank_for(seat, pawn), one);
    }
    let stopped = theirs | front(enemy, theirs);
    let stopped = stopped | pawn_attacks(enemy, stopped);
    // Of two on a file only the foremost runs.
    let passed = pawns & !stopped & !front(enemy, pawns);
    for pawn in passed {
        let rank = rank_for(seat, pawn);
        let next = ahead(seat, pawn.alone()).first();
        tally.add(PASSED + rank, one);
        if position.occupied().contains(next) {
            tally.add(PASSED_BLOCKED + rank, one);
        } else if !sights.all[enemy.index()].contains(next) {
            tally.add(PASSED_FREE + rank, one);
        }
        if rank >= 3 {
            tally.add(PASSED_KING + distance(position.king(seat), next), one);
            tally.add(PASSED_ENEMY + distance(position.king(enemy), next), one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_and_outposts() {
        let at = |name| crate::chess::Square::parse(name).unwrap().alone();
        assert_eq!(front(Seat::First, at("e2")), Squares::file(4) & !(at("e1") | at("e2")));
        assert_eq!(front(Seat::Second, at("e3")), at("e2") | at("e1"));
        assert_eq!(beside(at("a4") | at("h4")), at("b4") | at("g4"));
        let safe = outposts(Seat::First, at("e7"));
        assert!((safe & (at("d6") | at("d5") | at("f4"))).is_empty());
        assert!((safe & at("e5")) == at("e5") && (safe & at("c5")) == at("c5"));
        assert!((safe & at("e7")).is_empty() && (safe & at("e3")).is_empty());
    }
}
