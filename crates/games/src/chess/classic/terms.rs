//! What is seen on a board: every term of the evaluation, named by its weight and counted.
//!
//! Law: white's and black's terms are counted by the same lines, the board being turned round for black; who adds them
//! up, and with which weights, is somebody else's affair ([`Tally`]).

use outplay_core::{Seat, View};

use super::features::{
    BARE_EDGE, BARE_NEAR, BISHOP_PAIR, BISHOP_PAWNS, BISHOP_PLACE, BISHOP_REACH, DANGER, HANGING, KING_PLACE,
    KING_THREAT, KNIGHT_PLACE, KNIGHT_REACH, MATERIAL, MINOR_THREAT, OUTPOST, PAWN_THREAT, PUSH_THREAT,
    QUEEN_PLACE, QUEEN_REACH, ROOK_FILE, ROOK_PLACE, ROOK_REACH, ROOK_THREAT, SHELTER, SHIELDED, STORM,
    TEMPO,
};
use super::pawns;
use crate::chess::pieces::Kind;
use crate::chess::reach;
use crate::chess::rules::{Chess, DARK};
use crate::chess::squares::{Square, Squares};

/// Whoever takes the terms.
pub(super) trait Tally {
    /// So many more of a feature for white; for black, if negative.
    fn add(&mut self, feature: usize, count: i32);
}

/// What each side attacks.
#[derive(Default)]
pub(super) struct Sights {
    pub(super) by_kind: [[Squares; 6]; 2],
    pub(super) all: [Squares; 2],
    pub(super) twice: [Squares; 2],
    /// How hard each side attacks the enemy's king.
    units: [i32; 2],
    attackers: [i32; 2],
}

impl Sights {
    #[inline]
    fn see(&mut self, seat: Seat, kind: Kind, attacked: Squares) {
        let side = seat.index();
        self.twice[side] |= self.all[side] & attacked;
        self.all[side] |= attacked;
        self.by_kind[side][kind.index()] |= attacked;
    }

    /// What a side attacks with pieces of one kind.
    #[inline]
    pub(super) fn by(&self, seat: Seat, kind: Kind) -> Squares {
        self.by_kind[seat.index()][kind.index()]
    }
}

/// The sign of a side's terms.
#[inline]
pub(super) const fn sign(seat: Seat) -> i32 {
    match seat {
        Seat::First => 1,
        Seat::Second => -1,
    }
}

/// The number of a square as the side sees it, its own first rank lowest.
#[inline]
pub(super) const fn seen_by(seat: Seat, square: Square) -> usize {
    match seat {
        Seat::First => square.index(),
        Seat::Second => square.index() ^ 0o70,
    }
}

/// The rank of a square as the side sees it.
#[inline]
pub(super) const fn rank_for(seat: Seat, square: Square) -> usize {
    seen_by(seat, square) >> 3
}

/// The squares one rank further on for a side.
#[inline]
pub(super) const fn ahead(seat: Seat, squares: Squares) -> Squares {
    match seat {
        Seat::First => Squares(squares.0 << 8),
        Seat::Second => Squares(squares.0 >> 8),
    }
}

/// What a side's pawns attack.
#[inline]
pub(super) fn pawn_attacks(seat: Seat, pawns: Squares) -> Squares {
    let forward = ahead(seat, pawns);
    Squares((forward & !Squares::file(0)).0 >> 1) | Squares((forward & !Squares::file(7)).0 << 1)
}

/// Steps of a king between two squares.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> usize {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as usize
}

/// Counts every term of a position.
pub(super) fn count<T: Tally>(position: &Chess, tally: &mut T) {
    let mut sights = Sights::default();
    for seat in Seat::BOTH {
        let attacked = pawn_attacks(seat, position.of(seat, Kind::Pawn));
        sights.see(seat, Kind::Pawn, attacked);
        sights.see(seat, Kind::King, reach::king(position.king(seat)));
    }
    for seat in Seat::BOTH {
        officers(position, seat, &mut sights, tally);
    }
    for seat in Seat::BOTH {
        pawns::count(position, seat, &sights, tally);
        shelter(position, seat, tally);
        danger(position, seat, &mut sights, tally);
        threats(position, seat, &sights, tally);
        drive(position, seat, tally);
    }
    tally.add(TEMPO, sign(position.seat()));
}

/// How much an attacker of each kind adds to the danger of a king, and a check that it could safely give.
const ATTACK: [i32; 6] = [0, 3, 3, 4, 5, 0];
const SAFE_CHECK: [i32; 6] = [0, 6, 4, 6, 7, 0];

/// The squares around a king, and those that lie before them.
#[inline]
fn zone(seat: Seat, king: Square) -> Squares {
    let around = reach::king(king) | king.alone();
    around | ahead(seat, around)
}

/// Pieces but pawns and kings: where they stand, where they may go.
#[inline]
fn officers<T: Tally>(position: &Chess, seat: Seat, sights: &mut Sights, tally: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let occupied = position.occupied();
    let own_pawns = position.of(seat, Kind::Pawn);
    let enemy_pawns = position.of(enemy, Kind::Pawn);
    let enemy_zone = zone(enemy, position.king(enemy));
    // Not where an enemy pawn would take, nor where the own king and stuck pawns stand.
    let stuck = own_pawns & ahead(enemy, occupied);
    let welcome = !(sights.by(enemy, Kind::Pawn) | position.of(seat, Kind::King) | stuck);
    let mut piece = |kind: Kind, from: Square, attacked: Squares, place: usize, reach: usize| {
        sights.see(seat, kind, attacked);
        tally.add(MATERIAL + kind.index(), one);
        tally.add(place + seen_by(seat, from), one);
        tally.add(reach + (attacked & welcome).len() as usize, one);
        let aimed = (attacked & enemy_zone).len() as i32;
        if aimed > 0 {
            sights.units[seat.index()] += ATTACK[kind.index()] + aimed;
            sights.attackers[seat.index()] += 1;
        }
    };
    let (bishops, rooks) = (position.of(seat, Kind::Bishop), position.of(seat, Kind::Rook));
    let queens = position.of(seat, Kind::Queen);
    for from in position.of(seat, Kind::Knight) {
        piece(Kind::Knight, from, reach::knight(from), KNIGHT_PLACE, KNIGHT_REACH);
    }
    // Sliders see through those of their own side that slide the same way.
    for from in bishops {
        piece(Kind::Bishop, from, reach::bishop(from, occupied ^ queens), BISHOP_PLACE, BISHOP_REACH);
    }
    for from in rooks {
        piece(Kind::Rook, from, reach::rook(from, occupied ^ queens ^ rooks), ROOK_PLACE, ROOK_REACH);
    }
    for from in queens {
        let attacked = reach::bishop(from, occupied) | reach::rook(from, occupied);
        piece(Kind::Queen, from, attacked, QUEEN_PLACE, QUEEN_REACH);
    }
    tally.add(KING_PLACE + seen_by(seat, position.king(seat)), one);
    if (bishops & DARK).0 != 0 && (bishops & !DARK).0 != 0 {
        tally.add(BISHOP_PAIR, one);
    }
    let on_colour = |bishop: Square| {
        let colour = if DARK.contains(bishop) { DARK } else { !DARK };
        (own_pawns & colour).len() as i32
    };
    tally.add(BISHOP_PAWNS, one * bishops.into_iter().map(on_colour).sum::<i32>());
    let safe = pawns::outposts(seat, enemy_pawns) & sights.by(seat, Kind::Pawn);
    tally.add(OUTPOST, one * (position.of(seat, Kind::Knight) & safe).len() as i32);
    tally.add(OUTPOST + 1, one * (bishops & safe).len() as i32);
    let minor = position.of(seat, Kind::Knight) | bishops;
    let shields = ahead(enemy, position.of_kind(Kind::Pawn));
    tally.add(SHIELDED, one * (minor & shields).len() as i32);
    for rook in rooks {
        let file = Squares::file(rook.file());
        if (file & own_pawns).is_empty() {
            tally.add(ROOK_FILE + usize::from(!(file & enemy_pawns).is_empty()), one);
        }
    }
}

/// The pawns before a king, its own and those that storm it.
#[inline]
fn shelter<T: Tally>(position: &Chess, seat: Seat, tally: &mut T) {
    let (one, king) = (sign(seat), position.king(seat));
    let rank = rank_for(seat, king);
    let not_behind = match seat {
        Seat::First => Squares(!0 << (8 * king.rank())),
        Seat::Second => Squares(!0 >> (8 * (7 - king.rank()))),
    };
    let own = position.of(seat, Kind::Pawn) & not_behind;
    let enemy = position.of(!seat, Kind::Pawn) & not_behind;
    let nearest = |pawns: Squares| match seat {
        _ if pawns.is_empty() => 0,
        Seat::First => pawns.0.trailing_zeros() as usize >> 3,
        Seat::Second => pawns.0.leading_zeros() as usize >> 3,
    };
    let middle = king.file().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let of_file = Squares::file(file);
        let (mine, theirs) = (nearest(own & of_file), nearest(enemy & of_file));
        let edge = file.min(7 - file) as usize;
        tally.add(SHELTER + 8 * edge + mine.saturating_sub(rank.saturating_sub(1)).min(7), one);
        let is_blocked = mine != 0 && theirs == mine + 1;
        tally.add(STORM + 8 * usize::from(is_blocked) + theirs.saturating_sub(rank), one);
    }
}

/// How dangerous the side's attack on the enemy's king is.
#[inline]
fn danger<T: Tally>(position: &Chess, seat: Seat, sights: &mut Sights, tally: &mut T) {
    let (enemy, side) = (!seat, seat.index());
    let king = position.king(enemy);
    let occupied = position.occupied();
    let other = enemy.index();
    let (bishop, rook) = (reach::bishop(king, occupied), reach::rook(king, occupied));
    let defended = sights.all[other];
    let weak = sights.all[side]
        & (!defended | (sights.by(enemy, Kind::King) & !sights.twice[other] & sights.twice[side]));
    let safe = !position.of_seat(seat) & (!defended | (weak & sights.twice[side]));
    let lines = [Squares::NONE, reach::knight(king), bishop, rook, bishop | rook, Squares::NONE];
    let mut units = sights.units[side];
    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        if !(lines[kind.index()] & safe & sights.by(seat, kind)).is_empty() {
            units += SAFE_CHECK[kind.index()];
        }
    }
    units += 2 * (weak & reach::king(king)).len() as i32;
    if sights.attackers[side] < 2 {
        units /= 2;
    }
    if position.of(seat, Kind::Queen).is_empty() {
        units /= 2;
    }
    tally.add(DANGER + units.clamp(0, 47) as usize, sign(seat));
}

/// What a side attacks that it would like to take.
#[inline]
fn threats<T: Tally>(position: &Chess, seat: Seat, sights: &Sights, tally: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let (mine, theirs) = (seat.index(), enemy.index());
    let targets = position.of_seat(enemy) & !position.of_kind(Kind::King);
    let by_pawn = sights.by(seat, Kind::Pawn);
    let by_minor = sights.by(seat, Kind::Knight) | sights.by(seat, Kind::Bishop);
    let by_rook = sights.by(seat, Kind::Rook);
    let guarded = sights.by(enemy, Kind::Pawn) | (sights.twice[theirs] & !sights.twice[mine]);
    let mut add = |feature: usize, of: Squares| {
        let count = of.len() as i32;
        if count > 0 {
            tally.add(feature, one * count);
        }
    };
    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        add(PAWN_THREAT + kind.index() - 1, by_pawn & targets & position.of_kind(kind));
    }
    for kind in [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        let of_kind = targets & position.of_kind(kind);
        let of_worth = if kind < Kind::Rook { of_kind & !guarded } else { of_kind };
        add(MINOR_THREAT + kind.index(), by_minor & of_worth);
        let of_worth = if kind < Kind::Queen { of_kind & !guarded } else { of_kind };
        add(ROOK_THREAT + kind.index(), by_rook & of_worth);
    }
    let loose = targets & !sights.all[theirs];
    add(KING_THREAT, sights.by(seat, Kind::King) & loose);
    add(HANGING, sights.all[mine] & loose);
    let pushed = ahead(seat, position.of(seat, Kind::Pawn)) & !position.occupied();
    let pushed = pushed & !sights.by(enemy, Kind::Pawn) & (sights.all[mine] | !sights.all[theirs]);
    let pieces = targets & !position.of_kind(Kind::Pawn) & !by_pawn;
    add(PUSH_THREAT, pawn_attacks(seat, pushed) & pieces);
}

/// A bare king is driven to the edge, and the other king comes near.
#[inline]
fn drive<T: Tally>(position: &Chess, seat: Seat, tally: &mut T) {
    if position.of_seat(!seat).are_several() {
        return;
    }
    let (king, bare) = (position.king(seat), position.king(!seat));
    let off = |line: u8| i32::from(3 - line.min(7 - line));
    tally.add(BARE_EDGE, sign(seat) * (off(bare.file()) + off(bare.rank())));
    tally.add(BARE_NEAR, sign(seat) * (7 - distance(king, bare) as i32));
}
