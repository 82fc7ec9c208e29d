//! What is seen on a board: every term of the evaluation, named by its weight and counted.
//!
//! Law: white's and black's terms are counted by the same lines, the board being turned round for black; who adds them
//! up, and with which weights, is somebody else's affair ([`Tally`]).

use outplay_core::{Seat, View};

use super::features::{
    BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, BISHOP_SQUARE, HANGING, KING_DANGER, KING_SHELTER,
    KING_SQUARE, KING_THREAT, KNIGHT_MOBILITY, KNIGHT_SQUARE, MATERIAL, MINOR_THREAT, MOP_UP_EDGE,
    MOP_UP_KINGS, OUTPOST, PAWN_STORM, PAWN_THREAT, PUSH_THREAT, QUEEN_MOBILITY, QUEEN_SQUARE, ROOK_FILE,
    ROOK_MOBILITY, ROOK_SQUARE, ROOK_THREAT, SHIELDED, TEMPO,
};
use super::pawns;
use crate::chess::attacks;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::{Chess, DARK_SQUARES};
use crate::chess::squares::{Bitboard, ChessSquare};

/// Whoever takes the terms.
pub(super) trait TermSink {
    /// So many more of a feature for white; for black, if negative.
    fn add(&mut self, feature: usize, count: i32);
}

/// What each side attacks.
#[derive(Default)]
pub(super) struct AttackMaps {
    pub(super) by_kind: [[Bitboard; 6]; 2],
    pub(super) all: [Bitboard; 2],
    pub(super) twice: [Bitboard; 2],
    /// How hard each side attacks the enemy's king.
    units: [i32; 2],
    attackers: [i32; 2],
}

impl AttackMaps {
    #[inline]
    fn add_attacks(&mut self, seat: Seat, kind: PieceKind, attacked: Bitboard) {
        let side = seat.index();
        self.twice[side] |= self.all[side] & attacked;
        self.all[side] |= attacked;
        self.by_kind[side][kind.index()] |= attacked;
    }

    /// What a side attacks with pieces of one kind.
    #[inline]
    pub(super) fn by(&self, seat: Seat, kind: PieceKind) -> Bitboard {
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
pub(super) const fn relative_square(seat: Seat, square: ChessSquare) -> usize {
    match seat {
        Seat::First => square.index(),
        Seat::Second => square.index() ^ 0o70,
    }
}

/// The rank of a square as the side sees it.
#[inline]
pub(super) const fn relative_rank(seat: Seat, square: ChessSquare) -> usize {
    relative_square(seat, square) >> 3
}

/// The squares one rank further on for a side.
#[inline]
pub(super) const fn forward(seat: Seat, squares: Bitboard) -> Bitboard {
    match seat {
        Seat::First => Bitboard(squares.0 << 8),
        Seat::Second => Bitboard(squares.0 >> 8),
    }
}

/// What a side's pawns attack.
#[inline]
pub(super) fn pawn_attacks(seat: Seat, pawns: Bitboard) -> Bitboard {
    let forward = forward(seat, pawns);
    Bitboard((forward & !Bitboard::file(0)).0 >> 1) | Bitboard((forward & !Bitboard::file(7)).0 << 1)
}

/// Steps of a king between two squares.
#[inline]
pub(super) fn distance(a: ChessSquare, b: ChessSquare) -> usize {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as usize
}

/// Counts every term of a position.
pub(super) fn count<T: TermSink>(position: &Chess, tally: &mut T) {
    let mut sights = AttackMaps::default();
    for seat in Seat::BOTH {
        let attacked = pawn_attacks(seat, position.pieces(seat, PieceKind::Pawn));
        sights.add_attacks(seat, PieceKind::Pawn, attacked);
        sights.add_attacks(seat, PieceKind::King, attacks::king(position.king(seat)));
    }
    for seat in Seat::BOTH {
        pieces(position, seat, &mut sights, tally);
    }
    for seat in Seat::BOTH {
        pawns::count(position, seat, &sights, tally);
        shelter(position, seat, tally);
        king_danger(position, seat, &mut sights, tally);
        threats(position, seat, &sights, tally);
        mop_up(position, seat, tally);
    }
    tally.add(TEMPO, sign(position.seat()));
}

/// How much an attacker of each kind adds to the danger of a king, and a check that it could safely give.
const ATTACK_UNITS: [i32; 6] = [0, 3, 3, 4, 5, 0];
const SAFE_CHECK_UNITS: [i32; 6] = [0, 6, 4, 6, 7, 0];

/// The squares around a king, and those that lie before them.
#[inline]
fn king_zone(seat: Seat, king: ChessSquare) -> Bitboard {
    let around = attacks::king(king) | king.bitboard();
    around | forward(seat, around)
}

/// Pieces but pawns and kings: where they stand, where they may go.
#[inline]
fn pieces<T: TermSink>(position: &Chess, seat: Seat, sights: &mut AttackMaps, tally: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let occupied = position.occupied();
    let own_pawns = position.pieces(seat, PieceKind::Pawn);
    let enemy_pawns = position.pieces(enemy, PieceKind::Pawn);
    let enemy_zone = king_zone(enemy, position.king(enemy));
    // Not where an enemy pawn would take, nor where the own king and stuck pawns stand.
    let stuck = own_pawns & forward(enemy, occupied);
    let welcome = !(sights.by(enemy, PieceKind::Pawn) | position.pieces(seat, PieceKind::King) | stuck);
    let mut piece = |kind: PieceKind, from: ChessSquare, attacked: Bitboard, place: usize, reach: usize| {
        sights.add_attacks(seat, kind, attacked);
        tally.add(MATERIAL + kind.index(), one);
        tally.add(place + relative_square(seat, from), one);
        tally.add(reach + (attacked & welcome).len() as usize, one);
        let aimed = (attacked & enemy_zone).len() as i32;
        if aimed > 0 {
            sights.units[seat.index()] += ATTACK_UNITS[kind.index()] + aimed;
            sights.attackers[seat.index()] += 1;
        }
    };
    let (bishops, rooks) = (position.pieces(seat, PieceKind::Bishop), position.pieces(seat, PieceKind::Rook));
    let queens = position.pieces(seat, PieceKind::Queen);
    for from in position.pieces(seat, PieceKind::Knight) {
        piece(PieceKind::Knight, from, attacks::knight(from), KNIGHT_SQUARE, KNIGHT_MOBILITY);
    }
    // Sliders see through those of their own side that slide the same way.
    for from in bishops {
        piece(
            PieceKind::Bishop,
            from,
            attacks::bishop(from, occupied ^ queens),
            BISHOP_SQUARE,
            BISHOP_MOBILITY,
        );
    }
    for from in rooks {
        piece(
            PieceKind::Rook,
            from,
            attacks::rook(from, occupied ^ queens ^ rooks),
            ROOK_SQUARE,
            ROOK_MOBILITY,
        );
    }
    for from in queens {
        let attacked = attacks::bishop(from, occupied) | attacks::rook(from, occupied);
        piece(PieceKind::Queen, from, attacked, QUEEN_SQUARE, QUEEN_MOBILITY);
    }
    tally.add(KING_SQUARE + relative_square(seat, position.king(seat)), one);
    if (bishops & DARK_SQUARES).0 != 0 && (bishops & !DARK_SQUARES).0 != 0 {
        tally.add(BISHOP_PAIR, one);
    }
    let on_colour = |bishop: ChessSquare| {
        let colour = if DARK_SQUARES.contains(bishop) { DARK_SQUARES } else { !DARK_SQUARES };
        (own_pawns & colour).len() as i32
    };
    tally.add(BISHOP_PAWNS, one * bishops.into_iter().map(on_colour).sum::<i32>());
    let safe = pawns::outposts(seat, enemy_pawns) & sights.by(seat, PieceKind::Pawn);
    tally.add(OUTPOST, one * (position.pieces(seat, PieceKind::Knight) & safe).len() as i32);
    tally.add(OUTPOST + 1, one * (bishops & safe).len() as i32);
    let minor = position.pieces(seat, PieceKind::Knight) | bishops;
    let shields = forward(enemy, position.pieces_of_kind(PieceKind::Pawn));
    tally.add(SHIELDED, one * (minor & shields).len() as i32);
    for rook in rooks {
        let file = Bitboard::file(rook.file());
        if (file & own_pawns).is_empty() {
            tally.add(ROOK_FILE + usize::from(!(file & enemy_pawns).is_empty()), one);
        }
    }
}

/// The pawns before a king, its own and those that storm it.
#[inline]
fn shelter<T: TermSink>(position: &Chess, seat: Seat, tally: &mut T) {
    let (one, king) = (sign(seat), position.king(seat));
    let rank = relative_rank(seat, king);
    let not_behind = match seat {
        Seat::First => Bitboard(!0 << (8 * king.rank())),
        Seat::Second => Bitboard(!0 >> (8 * (7 - king.rank()))),
    };
    let own = position.pieces(seat, PieceKind::Pawn) & not_behind;
    let enemy = position.pieces(!seat, PieceKind::Pawn) & not_behind;
    let nearest = |pawns: Bitboard| match seat {
        _ if pawns.is_empty() => 0,
        Seat::First => pawns.0.trailing_zeros() as usize >> 3,
        Seat::Second => pawns.0.leading_zeros() as usize >> 3,
    };
    let middle = king.file().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let of_file = Bitboard::file(file);
        let (mine, theirs) = (nearest(own & of_file), nearest(enemy & of_file));
        let edge = file.min(7 - file) as usize;
        tally.add(KING_SHELTER + 8 * edge + mine.saturating_sub(rank.saturating_sub(1)).min(7), one);
        let is_blocked = mine != 0 && theirs == mine + 1;
        tally.add(PAWN_STORM + 8 * usize::from(is_blocked) + theirs.saturating_sub(rank), one);
    }
}

/// How dangerous the side's attack on the enemy's king is.
#[inline]
fn king_danger<T: TermSink>(position: &Chess, seat: Seat, sights: &mut AttackMaps, tally: &mut T) {
    let (enemy, side) = (!seat, seat.index());
    let king = position.king(enemy);
    let occupied = position.occupied();
    let other = enemy.index();
    let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
    let defended = sights.all[other];
    let weak = sights.all[side]
        & (!defended | (sights.by(enemy, PieceKind::King) & !sights.twice[other] & sights.twice[side]));
    let safe = !position.pieces_of_seat(seat) & (!defended | (weak & sights.twice[side]));
    let lines = [Bitboard::EMPTY, attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY];
    let mut units = sights.units[side];
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        if !(lines[kind.index()] & safe & sights.by(seat, kind)).is_empty() {
            units += SAFE_CHECK_UNITS[kind.index()];
        }
    }
    units += 2 * (weak & attacks::king(king)).len() as i32;
    if sights.attackers[side] < 2 {
        units /= 2;
    }
    if position.pieces(seat, PieceKind::Queen).is_empty() {
        units /= 2;
    }
    tally.add(KING_DANGER + units.clamp(0, 47) as usize, sign(seat));
}

/// What a side attacks that it would like to take.
#[inline]
fn threats<T: TermSink>(position: &Chess, seat: Seat, sights: &AttackMaps, tally: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let (mine, theirs) = (seat.index(), enemy.index());
    let targets = position.pieces_of_seat(enemy) & !position.pieces_of_kind(PieceKind::King);
    let by_pawn = sights.by(seat, PieceKind::Pawn);
    let by_minor = sights.by(seat, PieceKind::Knight) | sights.by(seat, PieceKind::Bishop);
    let by_rook = sights.by(seat, PieceKind::Rook);
    let guarded = sights.by(enemy, PieceKind::Pawn) | (sights.twice[theirs] & !sights.twice[mine]);
    let mut add = |feature: usize, of: Bitboard| {
        let count = of.len() as i32;
        if count > 0 {
            tally.add(feature, one * count);
        }
    };
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        add(PAWN_THREAT + kind.index() - 1, by_pawn & targets & position.pieces_of_kind(kind));
    }
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let of_kind = targets & position.pieces_of_kind(kind);
        let of_worth = if kind < PieceKind::Rook { of_kind & !guarded } else { of_kind };
        add(MINOR_THREAT + kind.index(), by_minor & of_worth);
        let of_worth = if kind < PieceKind::Queen { of_kind & !guarded } else { of_kind };
        add(ROOK_THREAT + kind.index(), by_rook & of_worth);
    }
    let loose = targets & !sights.all[theirs];
    add(KING_THREAT, sights.by(seat, PieceKind::King) & loose);
    add(HANGING, sights.all[mine] & loose);
    let pushed = forward(seat, position.pieces(seat, PieceKind::Pawn)) & !position.occupied();
    let pushed = pushed & !sights.by(enemy, PieceKind::Pawn) & (sights.all[mine] | !sights.all[theirs]);
    let pieces = targets & !position.pieces_of_kind(PieceKind::Pawn) & !by_pawn;
    add(PUSH_THREAT, pawn_attacks(seat, pushed) & pieces);
}

/// A bare king is driven to the edge, and the other king comes near.
#[inline]
fn mop_up<T: TermSink>(position: &Chess, seat: Seat, tally: &mut T) {
    if position.pieces_of_seat(!seat).more_than_one() {
        return;
    }
    let (king, bare) = (position.king(seat), position.king(!seat));
    let off = |line: u8| i32::from(3 - line.min(7 - line));
    tally.add(MOP_UP_EDGE, sign(seat) * (off(bare.file()) + off(bare.rank())));
    tally.add(MOP_UP_KINGS, sign(seat) * (7 - distance(king, bare) as i32));
}
