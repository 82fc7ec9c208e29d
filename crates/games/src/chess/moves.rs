//! Moves in two bytes.
//!
//! Castling is encoded as the king capturing its own rook, so that one encoding serves every Chess960 setup. A move and the
//! piece that moves determine the change of the board.

use super::pieces::PieceKind;
use super::squares::ChessSquare;

/// A chess move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChessMove(u16);

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A piece moves to a square, capturing an enemy piece there.
    Normal,
    /// A pawn advances two squares.
    DoublePush,
    /// A pawn captures another that has just made a double push.
    EnPassant,
    /// The king castles with the rook on the square it goes to.
    Castling,
    /// A pawn promotes to this kind.
    Promotion(PieceKind),
}

const DOUBLE_PUSH: u16 = 1;
const EN_PASSANT: u16 = 2;
const CASTLING: u16 = 3;
const PROMOTION: u16 = 4;
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

impl ChessMove {
    const fn with(from: ChessSquare, to: ChessSquare, kind: u16) -> Self {
        Self(from.number() as u16 | (to.number() as u16) << 6 | kind << 12)
    }

    /// A normal move or capture.
    #[inline]
    pub const fn normal(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, 0)
    }

    /// A pawn advances two squares.
    #[inline]
    pub const fn double_push(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, DOUBLE_PUSH)
    }

    /// An en passant capture; `to` is the square the pawn moves to.
    #[inline]
    pub const fn en_passant(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, EN_PASSANT)
    }

    /// Castling with a rook.
    #[inline]
    pub const fn castling(king: ChessSquare, rook: ChessSquare) -> Self {
        Self::with(king, rook, CASTLING)
    }

    /// A promotion to knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: ChessSquare, to: ChessSquare, kind: PieceKind) -> Self {
        Self::with(from, to, PROMOTION + kind as u16 - PieceKind::Knight as u16)
    }

    /// The four promotions of a pawn, the queen first.
    pub fn promotions(from: ChessSquare, to: ChessSquare) -> [Self; 4] {
        [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop]
            .map(|kind| Self::promotion(from, to, kind))
    }

    /// The encoding, for tables. No move is 0.
    #[inline]
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`bits`](Self::bits); `None` for 0.
    #[inline]
    pub(super) const fn from_bits(bits: u16) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> ChessSquare {
        ChessSquare::from_number(self.0 as u8 & 63)
    }

    /// The target square; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> ChessSquare {
        ChessSquare::from_number((self.0 >> 6) as u8 & 63)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            0 => MoveKind::Normal,
            DOUBLE_PUSH => MoveKind::DoublePush,
            EN_PASSANT => MoveKind::EnPassant,
            CASTLING => MoveKind::Castling,
            promotion => MoveKind::Promotion(PROMOTIONS[(promotion & 3) as usize]),
        }
    }

    /// The kind that a pawn promotes to.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// How many slots there are.
    pub const SLOTS: usize = 5 << 12;

    /// An index for tables: the squares and the promotion.
    #[inline]
    pub const fn slot(self) -> usize {
        let squares = (self.0 & 0xfff) as usize;
        let kind = (self.0 >> 12) as usize;
        if kind < PROMOTION as usize { squares } else { (kind - 3) << 12 | squares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_says_what_it_was_made_of() {
        let (from, to) = (ChessSquare::from_number(52), ChessSquare::from_number(60));
        let moves = [
            (ChessMove::normal(from, to), MoveKind::Normal),
            (ChessMove::double_push(from, to), MoveKind::DoublePush),
            (ChessMove::en_passant(from, to), MoveKind::EnPassant),
            (ChessMove::castling(from, to), MoveKind::Castling),
        ];
        let promotions =
            PROMOTIONS.map(|kind| (ChessMove::promotion(from, to, kind), MoveKind::Promotion(kind)));
        for (mv, kind) in moves.into_iter().chain(promotions) {
            assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
            assert!(mv.slot() < ChessMove::SLOTS);
        }
        let mut slots = promotions.map(|(mv, _)| mv.slot()).to_vec();
        slots.push(ChessMove::normal(from, to).slot());
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 5);
    }
}
