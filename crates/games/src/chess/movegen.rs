//! Legal move generation without playing any move.
//!
//! Checkers and pinned pieces are found first. A check must be met on the squares between king and checker; a pinned piece
//! stays on its line. All other moves are legal, except king moves and en passant, which are tested one by one.
//!
//! Moves are handed out as sets of target squares, so that counting them does not construct any move.

use std::convert::Infallible;
use std::ops::ControlFlow;

use outplay_core::{Seat, View};

use super::attacks;
use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::{Chess, WINGS};
use super::squares::{Bitboard, ChessSquare};

/// Receives the generated moves.
pub(super) trait MoveSink {
    /// The value with which it stops the generation.
    type Break;

    /// A piece moves from `from` to each of these squares.
    fn piece(&mut self, from: ChessSquare, to: Bitboard) -> ControlFlow<Self::Break>;

    /// Pawns move to each of these squares, from the square `advance` below.
    fn pawns(
        &mut self,
        to: Bitboard,
        advance: i8,
        make: fn(ChessSquare, ChessSquare) -> ChessMove,
    ) -> ControlFlow<Self::Break>;

    /// The same for promotions.
    fn promotions(&mut self, to: Bitboard, advance: i8) -> ControlFlow<Self::Break>;

    /// A single move: en passant or castling.
    fn single(&mut self, mv: ChessMove) -> ControlFlow<Self::Break>;
}

/// Counts moves.
#[derive(Default)]
pub(super) struct MoveCounter {
    pub(super) moves: u32,
}

impl MoveSink for MoveCounter {
    type Break = Infallible;

    #[inline]
    fn piece(&mut self, _: ChessSquare, to: Bitboard) -> ControlFlow<Infallible> {
        self.moves += to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(
        &mut self,
        to: Bitboard,
        _: i8,
        _: fn(ChessSquare, ChessSquare) -> ChessMove,
    ) -> ControlFlow<Infallible> {
        self.moves += to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8) -> ControlFlow<Infallible> {
        self.moves += 4 * to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn single(&mut self, _: ChessMove) -> ControlFlow<Infallible> {
        self.moves += 1;
        ControlFlow::Continue(())
    }
}

/// Calls a function with every move.
pub(super) struct MoveVisitor<F>(F);

impl<F> MoveVisitor<F> {
    pub(super) const fn new(visit: F) -> Self {
        Self(visit)
    }
}

#[inline]
fn pawn_origin(to: ChessSquare, advance: i8) -> ChessSquare {
    ChessSquare::from_number((to.number() as i8 - advance) as u8)
}

impl<B, F: FnMut(ChessMove) -> ControlFlow<B>> MoveSink for MoveVisitor<F> {
    type Break = B;

    #[inline]
    fn piece(&mut self, from: ChessSquare, to: Bitboard) -> ControlFlow<B> {
        to.into_iter().try_for_each(|to| (self.0)(ChessMove::normal(from, to)))
    }

    #[inline]
    fn pawns(
        &mut self,
        to: Bitboard,
        advance: i8,
        make: fn(ChessSquare, ChessSquare) -> ChessMove,
    ) -> ControlFlow<B> {
        to.into_iter().try_for_each(|to| (self.0)(make(pawn_origin(to, advance), to)))
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, advance: i8) -> ControlFlow<B> {
        to.into_iter()
            .flat_map(|to| ChessMove::promotions(pawn_origin(to, advance), to))
            .try_for_each(|mv| (self.0)(mv))
    }

    #[inline]
    fn single(&mut self, mv: ChessMove) -> ControlFlow<B> {
        (self.0)(mv)
    }
}

/// Calls a function with captures and queen promotions only.
pub(super) struct TacticalVisitor<F> {
    enemy: Bitboard,
    visit: F,
}

impl<F> TacticalVisitor<F> {
    pub(super) const fn new(enemy: Bitboard, visit: F) -> Self {
        Self { enemy, visit }
    }
}

impl<F: FnMut(ChessMove)> MoveSink for TacticalVisitor<F> {
    type Break = Infallible;

    #[inline]
    fn piece(&mut self, from: ChessSquare, to: Bitboard) -> ControlFlow<Infallible> {
        for to in to & self.enemy {
            (self.visit)(ChessMove::normal(from, to));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(
        &mut self,
        to: Bitboard,
        advance: i8,
        make: fn(ChessSquare, ChessSquare) -> ChessMove,
    ) -> ControlFlow<Infallible> {
        for to in to & self.enemy {
            (self.visit)(make(pawn_origin(to, advance), to));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, advance: i8) -> ControlFlow<Infallible> {
        for to in to {
            (self.visit)(ChessMove::promotion(pawn_origin(to, advance), to, PieceKind::Queen));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn single(&mut self, mv: ChessMove) -> ControlFlow<Infallible> {
        if mv.kind() == MoveKind::EnPassant {
            (self.visit)(mv);
        }
        ControlFlow::Continue(())
    }
}

/// The checkers of the king and the pieces pinned to it.
struct ChecksAndPins {
    checkers: Bitboard,
    pinned: Bitboard,
}

impl Chess {
    /// Generates every legal move.
    #[inline]
    pub(super) fn generate<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<S::Break> {
        match self.seat() {
            Seat::First => self.generate_for::<true, S>(sink),
            Seat::Second => self.generate_for::<false, S>(sink),
        }
    }

    fn generate_for<const WHITE: bool, S: MoveSink>(&self, sink: &mut S) -> ControlFlow<S::Break> {
        let seat = if WHITE { Seat::First } else { Seat::Second };
        let (own, king, occupied) = (self.pieces_of_seat(seat), self.king(seat), self.occupied());
        let ChecksAndPins { checkers, pinned } = self.checks_and_pins(seat, king, occupied);
        if !checkers.more_than_one() {
            let open =
                if checkers.is_empty() { !own } else { attacks::between(king, checkers.first()) | checkers };
            self.pawn_moves::<WHITE, S>(sink, king, open, pinned)?;
            self.piece_moves(sink, king, open, pinned)?;
            if checkers.is_empty() {
                self.castling_moves(sink, king, occupied)?;
            }
        }
        sink.piece(king, self.king_targets(king, own, occupied))
    }

    /// Finds checkers and pinned pieces.
    #[inline]
    fn checks_and_pins(&self, seat: Seat, king: ChessSquare, occupied: Bitboard) -> ChecksAndPins {
        let [pawns, knights, bishops, rooks, queens, _] = self.by_kind;
        let (own, enemy) = (self.pieces_of_seat(seat), self.pieces_of_seat(!seat));
        let mut checkers = (attacks::knight(king) & knights) | (attacks::pawn(seat, king) & pawns);
        checkers &= enemy;
        let mut pinned = Bitboard::EMPTY;
        let snipers = (attacks::bishop(king, enemy) & (bishops | queens))
            | (attacks::rook(king, enemy) & (rooks | queens));
        for sniper in snipers & enemy {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= sniper.bitboard();
            } else if !shield.more_than_one() {
                pinned |= shield & own;
            }
        }
        ChecksAndPins { checkers, pinned }
    }

    #[inline]
    fn piece_moves<S: MoveSink>(
        &self,
        sink: &mut S,
        king: ChessSquare,
        open: Bitboard,
        pinned: Bitboard,
    ) -> ControlFlow<S::Break> {
        let (own, occupied) = (self.pieces_of_seat(self.seat()), self.occupied());
        let open = open & !own;
        for from in own & self.pieces_of_kind(PieceKind::Knight) & !pinned {
            sink.piece(from, attacks::knight(from) & open)?;
        }
        let on_line = |from: ChessSquare, to: Bitboard| {
            if pinned.contains(from) { to & attacks::line(king, from) } else { to }
        };
        for from in own & self.pieces_of_kind(PieceKind::Bishop) {
            sink.piece(from, on_line(from, attacks::bishop(from, occupied) & open))?;
        }
        for from in own & self.pieces_of_kind(PieceKind::Rook) {
            sink.piece(from, on_line(from, attacks::rook(from, occupied) & open))?;
        }
        for from in own & self.pieces_of_kind(PieceKind::Queen) {
            let to = attacks::bishop(from, occupied) | attacks::rook(from, occupied);
            sink.piece(from, on_line(from, to & open))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawn_moves<const WHITE: bool, S: MoveSink>(
        &self,
        sink: &mut S,
        king: ChessSquare,
        open: Bitboard,
        pinned: Bitboard,
    ) -> ControlFlow<S::Break> {
        let pawns = self.pieces(self.seat(), PieceKind::Pawn);
        self.pawn_moves_of::<WHITE, S>(sink, pawns & !pinned, open)?;
        for pawn in pawns & pinned {
            self.pawn_moves_of::<WHITE, S>(sink, pawn.bitboard(), open & attacks::line(king, pawn))?;
        }
        let Some(to) = self.en_passant else { return ControlFlow::Continue(()) };
        for from in attacks::pawn(!self.seat(), to) & pawns {
            if self.is_en_passant_legal(from, to) {
                sink.single(ChessMove::en_passant(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The moves of some pawns to allowed squares, except en passant.
    #[inline]
    fn pawn_moves_of<const WHITE: bool, S: MoveSink>(
        &self,
        sink: &mut S,
        pawns: Bitboard,
        open: Bitboard,
    ) -> ControlFlow<S::Break> {
        const fn ahead<const WHITE: bool>(squares: Bitboard, advance: u32) -> Bitboard {
            Bitboard(if WHITE { squares.0 << advance } else { squares.0 >> advance })
        }
        let sign = if WHITE { 1 } else { -1 };
        let (third, last) = if WHITE { (2, 7) } else { (5, 0) };
        let (empty, enemy) = (!self.occupied(), self.pieces_of_seat(!self.seat()));
        let one = ahead::<WHITE>(pawns, 8) & empty;
        let two = ahead::<WHITE>(one & Bitboard::rank(third), 8) & empty & open;
        let to_west = ahead::<WHITE>(pawns & !Bitboard::file(0), if WHITE { 7 } else { 9 }) & enemy & open;
        let to_east = ahead::<WHITE>(pawns & !Bitboard::file(7), if WHITE { 9 } else { 7 }) & enemy & open;
        let last = Bitboard::rank(last);
        for (to, advance) in [
            (to_west, if WHITE { 7 } else { -9 }),
            (to_east, if WHITE { 9 } else { -7 }),
            (one & open, 8 * sign),
        ] {
            sink.pawns(to & !last, advance, ChessMove::normal)?;
            sink.promotions(to & last, advance)?;
        }
        sink.pawns(two, 16 * sign, ChessMove::double_push)
    }

    /// Whether an en passant capture leaves the own king out of check.
    pub(super) fn is_en_passant_legal(&self, from: ChessSquare, to: ChessSquare) -> bool {
        let (seat, taken) = (self.seat(), ChessSquare::new(to.file(), from.rank()));
        let after = (self.occupied() ^ from.bitboard() ^ taken.bitboard()) | to.bitboard();
        let attackers = self.attackers(self.king(seat), !seat, after);
        (attackers & !taken.bitboard()).is_empty()
    }

    #[inline]
    fn king_targets(&self, king: ChessSquare, own: Bitboard, occupied: Bitboard) -> Bitboard {
        let (enemy, without) = (!self.seat(), occupied ^ king.bitboard());
        let mut steps = Bitboard::EMPTY;
        for to in attacks::king(king) & !own {
            if self.attackers(to, enemy, without).is_empty() {
                steps |= to.bitboard();
            }
        }
        steps
    }

    #[inline]
    fn castling_moves<S: MoveSink>(
        &self,
        sink: &mut S,
        king: ChessSquare,
        occupied: Bitboard,
    ) -> ControlFlow<S::Break> {
        for wing in WINGS {
            if let Some(rook) = self.castling_rooks[self.seat().index()][wing]
                && self.can_castle(king, rook, occupied)
            {
                sink.single(ChessMove::castling(king, rook))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether no piece is in the way of king and rook, and the king passes no attacked square. The king is not in check.
    fn can_castle(&self, king: ChessSquare, rook: ChessSquare, occupied: Bitboard) -> bool {
        let (king_to, rook_to) = Self::castling_targets(king, rook);
        let others = occupied ^ king.bitboard() ^ rook.bitboard();
        let way = attacks::between(king, king_to) | king_to.bitboard();
        let rooks_way = attacks::between(rook, rook_to) | rook_to.bitboard();
        if !((way | rooks_way) & others).is_empty() {
            return false;
        }
        let enemy = !self.seat();
        let after = others | rook_to.bitboard();
        way.into_iter().all(|square| {
            let seen = if square == king_to { after } else { others | rook.bitboard() };
            self.attackers(square, enemy, seen).is_empty()
        })
    }
}
