//! The chess position and the rules: pieces, side to move, castling rights, en passant, draws.
//!
//! Each side has one king, and the side not to move is not in check. The key is updated incrementally and equals the one
//! computed from scratch. An en passant square is kept only if a pawn can legally capture there, so that positions with the
//! same moves are equal. Repetition is the referee's concern; the halfmove clock is part of the position, as in FEN.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Seat, View};

use super::movegen::{MoveCounter, MoveVisitor};
use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::squares::{Bitboard, ChessSquare};
use super::{attacks, zobrist};

/// A chess position.
///
/// ```
/// use outplay_core::{Position, View, PositionNotation};
/// use outplay_games::chess::Chess;
///
/// let mut position = Chess::start();
/// assert_eq!(position.move_count(), 20);
/// for mv in ["e4", "e5", "Nf3"] {
///     position.play(position.read_move(mv).unwrap());
/// }
/// assert_eq!(position.write(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chess {
    pub(super) by_kind: [Bitboard; 6],
    pub(super) by_seat: [Bitboard; 2],
    key: u64,
    /// The rooks with which each side may still castle: queenside, kingside.
    pub(super) castling_rooks: [[Option<ChessSquare>; 2]; 2],
    /// The square where a pawn can be captured en passant.
    pub(super) en_passant: Option<ChessSquare>,
    pub(super) seat: Seat,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove_clock: u8,
    /// The move number, from 1, incremented after black's move.
    pub(super) fullmove_number: u16,
    pub(super) draw_clock: DrawClock,
}

const _: () = assert!(size_of::<Chess>() <= 88, "a position is copied at every node");

/// After how many moves of each side without a capture or pawn move a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DrawClock {
    /// The fifty-move rule: players may claim the draw, and programs do.
    #[default]
    Fifty,
    /// The seventy-five-move rule, which needs no claim.
    SeventyFive,
}

impl DrawClock {
    const fn plies(self) -> u8 {
        match self {
            Self::Fifty => 100,
            Self::SeventyFive => 150,
        }
    }
}

/// The wings of the board: queenside, kingside.
pub(super) const WINGS: [usize; 2] = [0, 1];
/// The files of king and rook after castling, by wing.
const KING_FILE: [u8; 2] = [2, 6];
const ROOK_FILE: [u8; 2] = [3, 5];
/// The dark squares.
pub(super) const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

impl Chess {
    /// The pieces of one kind.
    #[inline]
    pub const fn pieces_of_kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The pieces of one side.
    #[inline]
    pub const fn pieces_of_seat(&self, seat: Seat) -> Bitboard {
        self.by_seat[seat.index()]
    }

    /// The pieces of one kind and side.
    #[inline]
    pub fn pieces(&self, seat: Seat, kind: PieceKind) -> Bitboard {
        self.pieces_of_seat(seat) & self.pieces_of_kind(kind)
    }

    /// The squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_seat[0] | self.by_seat[1]
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, seat: Seat) -> ChessSquare {
        self.pieces(seat, PieceKind::King).first()
    }

    /// The kind of piece on an occupied square.
    #[inline]
    pub(super) fn kind_on(&self, square: ChessSquare) -> PieceKind {
        let bit = |kind: PieceKind| usize::from(self.pieces_of_kind(kind).contains(square));
        let number = bit(PieceKind::Knight)
            + 2 * bit(PieceKind::Bishop)
            + 3 * bit(PieceKind::Rook)
            + 4 * bit(PieceKind::Queen)
            + 5 * bit(PieceKind::King);
        PieceKind::ALL[number]
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: ChessSquare) -> Option<(Seat, PieceKind)> {
        let seat = Seat::BOTH.into_iter().find(|&seat| self.pieces_of_seat(seat).contains(square))?;
        Some((seat, self.kind_on(square)))
    }

    /// The pieces of a side that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers(&self, square: ChessSquare, by: Seat, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.by_kind;
        let attackers = (attacks::pawn(!by, square) & pawns)
            | (attacks::knight(square) & knights)
            | (attacks::king(square) & kings)
            | (attacks::bishop(square, occupied) & (bishops | queens))
            | (attacks::rook(square, occupied) & (rooks | queens));
        attackers & self.pieces_of_seat(by)
    }

    /// The pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.seat), !self.seat, self.occupied())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The rooks with which a side may still castle, queenside and kingside.
    pub const fn castling_rooks(&self, seat: Seat) -> [Option<ChessSquare>; 2] {
        self.castling_rooks[seat.index()]
    }

    /// The move number, from 1.
    pub const fn move_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u8 {
        self.halfmove_clock
    }

    /// Whether neither side can ever mate: no pawn, rook or queen, and at most one knight, or only bishops on squares of one
    /// colour.
    #[inline]
    pub fn has_insufficient_material(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = self.by_kind;
        if !(pawns | rooks | queens).is_empty() {
            return false;
        }
        let is_one_colour = (bishops & DARK_SQUARES).is_empty() || (bishops & !DARK_SQUARES).is_empty();
        (knights.is_empty() && is_one_colour) || (bishops.is_empty() && !knights.more_than_one())
    }

    /// Whether the game is drawn by the halfmove clock or by material, even if there are moves.
    #[inline]
    pub(super) fn is_drawn_by_rule(&self) -> bool {
        self.halfmove_clock >= self.draw_clock.plies() || self.has_insufficient_material()
    }

    /// The legal moves, even if the game is drawn by the halfmove clock or by material: programs play on until a draw is
    /// claimed.
    pub fn moves_ignoring_draws(&self) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        let _ = self.generate(&mut MoveVisitor::new(|mv| {
            moves.push(mv);
            ControlFlow::<()>::Continue(())
        }));
        moves
    }

    fn can_play(&self, mv: ChessMove) -> bool {
        let is_it = |other| if other == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.generate(&mut MoveVisitor::new(is_it)).is_break()
    }

    /// The squares of king and rook after castling with a rook.
    #[inline]
    pub(super) fn castling_targets(king: ChessSquare, rook: ChessSquare) -> (ChessSquare, ChessSquare) {
        let wing = usize::from(rook.file() > king.file());
        (ChessSquare::new(KING_FILE[wing], king.rank()), ChessSquare::new(ROOK_FILE[wing], king.rank()))
    }

    /// Adds or removes a piece.
    #[inline]
    pub(super) fn toggle_piece(&mut self, seat: Seat, kind: PieceKind, square: ChessSquare) {
        self.by_kind[kind.index()] ^= square.bitboard();
        self.by_seat[seat.index()] ^= square.bitboard();
        self.key ^= zobrist::piece(seat, kind, square);
    }

    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Sets the en passant square if a pawn of the side to move can legally capture there.
    pub(super) fn set_en_passant_if_legal(&mut self, square: ChessSquare) {
        let capturers = attacks::pawn(!self.seat, square) & self.pieces(self.seat, PieceKind::Pawn);
        if capturers.into_iter().any(|from| self.is_en_passant_legal(from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Removes castling rights when the king moves, or a rook moves or is captured.
    #[inline]
    fn update_castling_rights(&mut self, from: ChessSquare, to: ChessSquare, moved: PieceKind) {
        for seat in Seat::BOTH {
            for wing in WINGS {
                let Some(rook) = self.castling_rooks[seat.index()][wing] else { continue };
                if rook == from || rook == to || (moved == PieceKind::King && seat == self.seat) {
                    self.castling_rooks[seat.index()][wing] = None;
                    self.key ^= zobrist::castling(rook);
                }
            }
        }
    }

    /// The key computed from scratch.
    pub(super) fn compute_key(&self) -> u64 {
        let mut key = if self.seat == Seat::Second { zobrist::BLACK_TO_MOVE } else { 0 };
        for square in self.occupied() {
            let (seat, kind) = self.piece_on(square).expect("occupied");
            key ^= zobrist::piece(seat, kind, square);
        }
        for rook in self.castling_rooks.into_iter().flatten().flatten() {
            key ^= zobrist::castling(rook);
        }
        key ^ self.en_passant.map_or(0, |square| zobrist::en_passant(square.file()))
    }

    /// A board without pieces, to be set up.
    pub(super) const fn empty(seat: Seat) -> Self {
        Self {
            by_kind: [Bitboard::EMPTY; 6],
            by_seat: [Bitboard::EMPTY; 2],
            key: 0,
            castling_rooks: [[None; 2]; 2],
            en_passant: None,
            seat,
            halfmove_clock: 0,
            fullmove_number: 1,
            draw_clock: DrawClock::Fifty,
        }
    }

    /// Recomputes the key after a position was set up.
    pub(super) fn refresh_key(&mut self) {
        self.key = self.compute_key();
    }

    /// The same position under the fifty- or seventy-five-move rule.
    #[must_use]
    pub const fn with_draw_clock(mut self, draw_clock: DrawClock) -> Self {
        self.draw_clock = draw_clock;
        self
    }

    /// The position after a null move; the side to move must not be in check. The halfmove clock restarts, so that no
    /// repetition is looked for across it.
    pub(super) fn after_null_move(&self) -> Self {
        let mut next = *self;
        next.clear_en_passant();
        next.halfmove_clock = 0;
        next.seat = !self.seat;
        next.key ^= zobrist::BLACK_TO_MOVE;
        next
    }

    fn castle(&mut self, king: ChessSquare, rook: ChessSquare) {
        let (seat, (king_to, rook_to)) = (self.seat, Self::castling_targets(king, rook));
        self.toggle_piece(seat, PieceKind::King, king);
        self.toggle_piece(seat, PieceKind::Rook, rook);
        self.toggle_piece(seat, PieceKind::King, king_to);
        self.toggle_piece(seat, PieceKind::Rook, rook_to);
    }

    /// Moves a piece and captures on its target. Returns whether the halfmove clock restarts.
    #[inline]
    fn move_piece(
        &mut self,
        from: ChessSquare,
        to: ChessSquare,
        moved: PieceKind,
        becomes: PieceKind,
    ) -> bool {
        let seat = self.seat;
        let captures = self.pieces_of_seat(!seat).contains(to);
        if captures {
            let taken = self.kind_on(to);
            self.toggle_piece(!seat, taken, to);
        }
        self.toggle_piece(seat, moved, from);
        self.toggle_piece(seat, becomes, to);
        captures || moved == PieceKind::Pawn
    }
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.by_kind == other.by_kind
            && self.by_seat == other.by_seat
            && self.castling_rooks == other.castling_rooks
            && (self.en_passant, self.seat, self.halfmove_clock)
                == (other.en_passant, other.seat, other.halfmove_clock)
    }
}

impl Eq for Chess {}

impl Hash for Chess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl View for Chess {
    type Move = ChessMove;
    const SLOTS: usize = ChessMove::SLOTS;

    fn slot(mv: ChessMove) -> usize {
        mv.slot()
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn each_move<B>(&self, visit: impl FnMut(ChessMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_drawn_by_rule() {
            return ControlFlow::Continue(());
        }
        self.generate(&mut MoveVisitor::new(visit))
    }

    fn move_count(&self) -> usize {
        if self.is_drawn_by_rule() {
            return 0;
        }
        let mut counter = MoveCounter::default();
        let ControlFlow::Continue(()) = self.generate(&mut counter);
        counter.moves as usize
    }
}

impl Position for Chess {
    fn play(&mut self, mv: ChessMove) {
        debug_assert!(self.can_play(mv), "{mv:?} in {self:?}");
        let (from, to, seat) = (mv.from(), mv.to(), self.seat);
        self.clear_en_passant();
        let moved = self.kind_on(from);
        self.update_castling_rights(from, to, moved);
        let resets_clock = match mv.kind() {
            MoveKind::Normal | MoveKind::DoublePush => self.move_piece(from, to, moved, moved),
            MoveKind::Promotion(kind) => self.move_piece(from, to, moved, kind),
            MoveKind::Castling => {
                self.castle(from, to);
                false
            }
            MoveKind::EnPassant => {
                self.toggle_piece(!seat, PieceKind::Pawn, ChessSquare::new(to.file(), from.rank()));
                self.move_piece(from, to, moved, moved)
            }
        };
        self.halfmove_clock = if resets_clock { 0 } else { self.halfmove_clock.saturating_add(1) };
        self.fullmove_number += u16::from(seat == Seat::Second);
        self.seat = !seat;
        self.key ^= zobrist::BLACK_TO_MOVE;
        if mv.kind() == MoveKind::DoublePush {
            self.set_en_passant_if_legal(ChessSquare::new(from.file(), from.rank().midpoint(to.rank())));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_moves = || {
            let first = |_| ControlFlow::Break(());
            self.generate(&mut MoveVisitor::new(first)).is_break()
        };
        if has_moves() {
            return self.is_drawn_by_rule().then_some(Outcome::Draw);
        }
        Some(if self.in_check() { Outcome::Win(!self.seat) } else { Outcome::Draw })
    }

    fn key(&self) -> u64 {
        self.key
    }
}
