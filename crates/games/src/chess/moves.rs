//! Moves in two bytes.
//!
//! Law: castling is written as the king taking its own rook, so that one form serves every placing of the
//! pieces; what a move does to the board can be told from it and the piece that moves.

use super::pieces::PieceKind;
use super::squares::ChessSquare;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChessMove(u16);

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Nothing: a piece goes to a square, taking what is there.
    Normal,
    /// A pawn goes two squares.
    DoublePush,
    /// A pawn takes one that has just gone two squares.
    EnPassant,
    /// The king castles with the rook on the square it goes to.
    Castling,
    /// A pawn becomes another piece.
    Promotion(PieceKind),
}

const DOUBLE_PUSH: u16 = 1;
const EN_PASSANT: u16 = 2;
const CASTLING: u16 = 3;
const PROMOTION: u16 = 4;
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

impl ChessMove {
    const fn with(from: ChessSquare, to: ChessSquare, nature: u16) -> Self {
        Self(from.number() as u16 | (to.number() as u16) << 6 | nature << 12)
    }

    /// A piece goes from a square to another.
    #[inline]
    pub const fn normal(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, 0)
    }

    /// A pawn goes two squares.
    #[inline]
    pub const fn double_push(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, DOUBLE_PUSH)
    }

    /// A pawn takes en passant; `to` is where it goes.
    #[inline]
    pub const fn en_passant(from: ChessSquare, to: ChessSquare) -> Self {
        Self::with(from, to, EN_PASSANT)
    }

    /// The king castles with a rook.
    #[inline]
    pub const fn castling(king: ChessSquare, rook: ChessSquare) -> Self {
        Self::with(king, rook, CASTLING)
    }

    /// A pawn becomes a knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: ChessSquare, to: ChessSquare, kind: PieceKind) -> Self {
        Self::with(from, to, PROMOTION + kind as u16 - PieceKind::Knight as u16)
    }

    /// The four promotions of a pawn, the queen first.
    pub fn promotions(from: ChessSquare, to: ChessSquare) -> [Self; 4] {
        [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop]
            .map(|kind| Self::promotion(from, to, kind))
    }

    /// The two bytes, for tables. No move has both at zero.
    #[inline]
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// The move of two bytes that a table kept; none of zero.
    #[inline]
    pub(super) const fn from_bits(bits: u16) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// Where it begins.
    #[inline]
    pub const fn from(self) -> ChessSquare {
        ChessSquare::from_number(self.0 as u8 & 63)
    }

    /// Where it ends; of castling, the rook's square.
    #[inline]
    pub const fn to(self) -> ChessSquare {
        ChessSquare::from_number((self.0 >> 6) as u8 & 63)
    }

    /// What is special about it.
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

    /// The piece that a pawn becomes.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// How many slots there are.
    pub const SLOTS: usize = 5 << 12;

    /// A number for tables: the squares, and what a pawn becomes.
    #[inline]
    pub const fn slot(self) -> usize {
        let squares = (self.0 & 0xfff) as usize;
        let nature = (self.0 >> 12) as usize;
        if nature < PROMOTION as usize { squares } else { (nature - 3) << 12 | squares }
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
        for (mv, nature) in moves.into_iter().chain(promotions) {
            assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, nature));
            assert!(mv.slot() < ChessMove::SLOTS);
        }
        let mut slots = promotions.map(|(mv, _)| mv.slot()).to_vec();
        slots.push(ChessMove::normal(from, to).slot());
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 5);
    }
}
