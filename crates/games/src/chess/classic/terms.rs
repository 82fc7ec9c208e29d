//! The terms of the evaluation: which features a position has, and how often.
//!
//! White's and black's terms are counted by the same code, with the board flipped for black. The weights are applied by
//! the [`TermSink`] that receives the counts.

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

/// Receives the counted terms.
pub(super) trait TermSink {
    /// Adds to the count of a feature: positive for white, negative for black.
    fn add(&mut self, feature: usize, count: i32);
}

/// The squares that each side attacks.
#[derive(Default)]
pub(super) struct AttackMaps {
    pub(super) by_kind: [[Bitboard; 6]; 2],
    pub(super) all: [Bitboard; 2],
    pub(super) twice: [Bitboard; 2],
    /// Attack units of each side against the enemy king.
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

    /// The squares that a side attacks with pieces of one kind.
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

/// The index of a square from the side's point of view: its own first rank is lowest.
#[inline]
pub(super) const fn relative_square(seat: Seat, square: ChessSquare) -> usize {
    match seat {
        Seat::First => square.index(),
        Seat::Second => square.index() ^ 0o70,
    }
}

/// The rank of a square from the side's point of view.
#[inline]
pub(super) const fn relative_rank(seat: Seat, square: ChessSquare) -> usize {
    relative_square(seat, square) >> 3
}

/// The squares shifted one rank forward for a side.
#[inline]
pub(super) const fn forward(seat: Seat, squares: Bitboard) -> Bitboard {
    match seat {
        Seat::First => Bitboard(squares.0 << 8),
        Seat::Second => Bitboard(squares.0 >> 8),
    }
}

/// The squares that a side's pawns attack.
#[inline]
pub(super) fn pawn_attacks(seat: Seat, pawns: Bitboard) -> Bitboard {
    let forward = forward(seat, pawns);
    Bitboard((forward & !Bitboard::file(0)).0 >> 1) | Bitboard((forward & !Bitboard::file(7)).0 << 1)
}

/// The Chebyshev distance: king moves between two squares.
#[inline]
pub(super) fn distance(a: ChessSquare, b: ChessSquare) -> usize {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as usize
}

/// Counts every term of a position.
pub(super) fn count<T: TermSink>(position: &Chess, sink: &mut T) {
    let mut attacks = AttackMaps::default();
    for seat in Seat::BOTH {
        let attacked = pawn_attacks(seat, position.pieces(seat, PieceKind::Pawn));
        attacks.add_attacks(seat, PieceKind::Pawn, attacked);
        attacks.add_attacks(seat, PieceKind::King, attacks::king(position.king(seat)));
    }
    for seat in Seat::BOTH {
        pieces(position, seat, &mut attacks, sink);
    }
    for seat in Seat::BOTH {
        pawns::count(position, seat, &attacks, sink);
        shelter(position, seat, sink);
        king_danger(position, seat, &mut attacks, sink);
        threats(position, seat, &attacks, sink);
        mop_up(position, seat, sink);
    }
    sink.add(TEMPO, sign(position.seat()));
}

/// Attack units by kind of attacker, and of a safe check by that kind.
const ATTACK_UNITS: [i32; 6] = [0, 3, 3, 4, 5, 0];
const SAFE_CHECK_UNITS: [i32; 6] = [0, 6, 4, 6, 7, 0];

/// The king zone: the squares around the king and those one rank ahead.
#[inline]
fn king_zone(seat: Seat, king: ChessSquare) -> Bitboard {
    let around = attacks::king(king) | king.bitboard();
    around | forward(seat, around)
}

/// Knights to queens: material, piece-square tables, mobility, outposts, open files.
#[inline]
fn pieces<T: TermSink>(position: &Chess, seat: Seat, attacks: &mut AttackMaps, sink: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let occupied = position.occupied();
    let own_pawns = position.pieces(seat, PieceKind::Pawn);
    let enemy_pawns = position.pieces(enemy, PieceKind::Pawn);
    let enemy_zone = king_zone(enemy, position.king(enemy));
    // Mobility area: not attacked by enemy pawns, not the own king or blocked pawns.
    let blocked_pawns = own_pawns & forward(enemy, occupied);
    let mobility_area =
        !(attacks.by(enemy, PieceKind::Pawn) | position.pieces(seat, PieceKind::King) | blocked_pawns);
    let mut piece = |kind: PieceKind, from: ChessSquare, attacked: Bitboard, place: usize, reach: usize| {
        attacks.add_attacks(seat, kind, attacked);
        sink.add(MATERIAL + kind.index(), one);
        sink.add(place + relative_square(seat, from), one);
        sink.add(reach + (attacked & mobility_area).len() as usize, one);
        let aimed = (attacked & enemy_zone).len() as i32;
        if aimed > 0 {
            attacks.units[seat.index()] += ATTACK_UNITS[kind.index()] + aimed;
            attacks.attackers[seat.index()] += 1;
        }
    };
    let (bishops, rooks) = (position.pieces(seat, PieceKind::Bishop), position.pieces(seat, PieceKind::Rook));
    let queens = position.pieces(seat, PieceKind::Queen);
    for from in position.pieces(seat, PieceKind::Knight) {
        piece(PieceKind::Knight, from, attacks::knight(from), KNIGHT_SQUARE, KNIGHT_MOBILITY);
    }
    // X-ray: sliders see through own pieces that slide the same way.
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
    sink.add(KING_SQUARE + relative_square(seat, position.king(seat)), one);
    if (bishops & DARK_SQUARES).0 != 0 && (bishops & !DARK_SQUARES).0 != 0 {
        sink.add(BISHOP_PAIR, one);
    }
    let on_colour = |bishop: ChessSquare| {
        let colour = if DARK_SQUARES.contains(bishop) { DARK_SQUARES } else { !DARK_SQUARES };
        (own_pawns & colour).len() as i32
    };
    sink.add(BISHOP_PAWNS, one * bishops.into_iter().map(on_colour).sum::<i32>());
    let safe = pawns::outposts(seat, enemy_pawns) & attacks.by(seat, PieceKind::Pawn);
    sink.add(OUTPOST, one * (position.pieces(seat, PieceKind::Knight) & safe).len() as i32);
    sink.add(OUTPOST + 1, one * (bishops & safe).len() as i32);
    let minor = position.pieces(seat, PieceKind::Knight) | bishops;
    let shields = forward(enemy, position.pieces_of_kind(PieceKind::Pawn));
    sink.add(SHIELDED, one * (minor & shields).len() as i32);
    for rook in rooks {
        let file = Bitboard::file(rook.file());
        if (file & own_pawns).is_empty() {
            sink.add(ROOK_FILE + usize::from(!(file & enemy_pawns).is_empty()), one);
        }
    }
}

/// Pawn shelter and pawn storm in front of a king.
#[inline]
fn shelter<T: TermSink>(position: &Chess, seat: Seat, sink: &mut T) {
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
        sink.add(KING_SHELTER + 8 * edge + mine.saturating_sub(rank.saturating_sub(1)).min(7), one);
        let is_blocked = mine != 0 && theirs == mine + 1;
        sink.add(PAWN_STORM + 8 * usize::from(is_blocked) + theirs.saturating_sub(rank), one);
    }
}

/// King danger: the side's attack on the enemy king.
#[inline]
fn king_danger<T: TermSink>(position: &Chess, seat: Seat, attacks: &mut AttackMaps, sink: &mut T) {
    let (enemy, side) = (!seat, seat.index());
    let king = position.king(enemy);
    let occupied = position.occupied();
    let other = enemy.index();
    let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
    let defended = attacks.all[other];
    let weak = attacks.all[side]
        & (!defended | (attacks.by(enemy, PieceKind::King) & !attacks.twice[other] & attacks.twice[side]));
    let safe = !position.pieces_of_seat(seat) & (!defended | (weak & attacks.twice[side]));
    let lines = [Bitboard::EMPTY, attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY];
    let mut units = attacks.units[side];
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        if !(lines[kind.index()] & safe & attacks.by(seat, kind)).is_empty() {
            units += SAFE_CHECK_UNITS[kind.index()];
        }
    }
    units += 2 * (weak & attacks::king(king)).len() as i32;
    if attacks.attackers[side] < 2 {
        units /= 2;
    }
    if position.pieces(seat, PieceKind::Queen).is_empty() {
        units /= 2;
    }
    sink.add(KING_DANGER + units.clamp(0, 47) as usize, sign(seat));
}

/// Threats: attacked enemy pieces.
#[inline]
fn threats<T: TermSink>(position: &Chess, seat: Seat, attacks: &AttackMaps, sink: &mut T) {
    let (one, enemy) = (sign(seat), !seat);
    let (mine, theirs) = (seat.index(), enemy.index());
    let targets = position.pieces_of_seat(enemy) & !position.pieces_of_kind(PieceKind::King);
    let by_pawn = attacks.by(seat, PieceKind::Pawn);
    let by_minor = attacks.by(seat, PieceKind::Knight) | attacks.by(seat, PieceKind::Bishop);
    let by_rook = attacks.by(seat, PieceKind::Rook);
    let guarded = attacks.by(enemy, PieceKind::Pawn) | (attacks.twice[theirs] & !attacks.twice[mine]);
    let mut add = |feature: usize, of: Bitboard| {
        let count = of.len() as i32;
        if count > 0 {
            sink.add(feature, one * count);
        }
    };
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        add(PAWN_THREAT + kind.index() - 1, by_pawn & targets & position.pieces_of_kind(kind));
    }
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let of_kind = targets & position.pieces_of_kind(kind);
        let worthwhile = if kind < PieceKind::Rook { of_kind & !guarded } else { of_kind };
        add(MINOR_THREAT + kind.index(), by_minor & worthwhile);
        let worthwhile = if kind < PieceKind::Queen { of_kind & !guarded } else { of_kind };
        add(ROOK_THREAT + kind.index(), by_rook & worthwhile);
    }
    let loose = targets & !attacks.all[theirs];
    add(KING_THREAT, attacks.by(seat, PieceKind::King) & loose);
    add(HANGING, attacks.all[mine] & loose);
    let pushed = forward(seat, position.pieces(seat, PieceKind::Pawn)) & !position.occupied();
    let pushed = pushed & !attacks.by(enemy, PieceKind::Pawn) & (attacks.all[mine] | !attacks.all[theirs]);
    let pieces = targets & !position.pieces_of_kind(PieceKind::Pawn) & !by_pawn;
    add(PUSH_THREAT, pawn_attacks(seat, pushed) & pieces);
}

/// Mop-up: drive a bare king to the edge and bring the own king near.
#[inline]
fn mop_up<T: TermSink>(position: &Chess, seat: Seat, sink: &mut T) {
    if position.pieces_of_seat(!seat).more_than_one() {
        return;
    }
    let (king, bare) = (position.king(seat), position.king(!seat));
    let off = |line: u8| i32::from(3 - line.min(7 - line));
    sink.add(MOP_UP_EDGE, sign(seat) * (off(bare.file()) + off(bare.rank())));
    sink.add(MOP_UP_KINGS, sign(seat) * (7 - distance(king, bare) as i32));
}
