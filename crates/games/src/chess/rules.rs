//! The position: what stands where, who is to move, what may still be done.
//!
//! Laws: each side has one king, and the side that is not to move is not in check. The key is kept move by move and
//! equals the one made from scratch. An en passant square is kept only if a pawn can legally take there, so that
//! positions with the same moves are the same. Repetition belongs to the referee; the clock of moves without a
//! capture or a pawn's move is in the position, as in its text.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Seat, View};

use super::generate::{Counter, Visitor};
use super::moves::{Move, Nature};
use super::pieces::Kind;
use super::squares::{Square, Squares};
use super::{keys, reach};

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
    pub(super) kinds: [Squares; 6],
    pub(super) sides: [Squares; 2],
    key: u64,
    /// The rooks with which each side may still castle: towards a, towards h.
    pub(super) rooks: [[Option<Square>; 2]; 2],
    /// Where a pawn may be taken en passant.
    pub(super) passant: Option<Square>,
    pub(super) seat: Seat,
    /// Plies since the last capture or move of a pawn.
    pub(super) clock: u8,
    /// The number of the move, from 1, counted after black's.
    pub(super) number: u16,
    pub(super) draw_clock: DrawClock,
}

const _: () = assert!(size_of::<Chess>() <= 88, "a position is copied at every node");

/// After how many moves of each side without a capture or a pawn's move a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DrawClock {
    /// Fifty: what players may claim, and programs do.
    #[default]
    Fifty,
    /// Seventy-five: what needs no claim.
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

/// The sides of the board.
pub(super) const WINGS: [usize; 2] = [0, 1];
/// The files where king and rook stand after castling, by wing.
const KING_FILE: [u8; 2] = [2, 6];
const ROOK_FILE: [u8; 2] = [3, 5];
/// The squares of one colour.
pub(super) const DARK: Squares = Squares(0xaa55_aa55_aa55_aa55);

impl Chess {
    /// The pieces of one kind.
    #[inline]
    pub const fn of_kind(&self, kind: Kind) -> Squares {
        self.kinds[kind.index()]
    }

    /// The pieces of one side.
    #[inline]
    pub const fn of_seat(&self, seat: Seat) -> Squares {
        self.sides[seat.index()]
    }

    /// The pieces of one kind and side.
    #[inline]
    pub fn of(&self, seat: Seat, kind: Kind) -> Squares {
        self.of_seat(seat) & self.of_kind(kind)
    }

    /// The squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, seat: Seat) -> Square {
        self.of(seat, Kind::King).first()
    }

    /// What stands on a square that is known to be occupied.
    #[inline]
    pub(super) fn kind_on(&self, square: Square) -> Kind {
        let bit = |kind: Kind| usize::from(self.of_kind(kind).contains(square));
        let number = bit(Kind::Knight)
            + 2 * bit(Kind::Bishop)
            + 3 * bit(Kind::Rook)
            + 4 * bit(Kind::Queen)
            + 5 * bit(Kind::King);
        Kind::ALL[number]
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<(Seat, Kind)> {
        let seat = Seat::BOTH.into_iter().find(|&seat| self.of_seat(seat).contains(square))?;
        Some((seat, self.kind_on(square)))
    }

    /// The pieces of a side that attack a square, if the board is occupied so.
    #[inline]
    pub fn attackers(&self, square: Square, by: Seat, occupied: Squares) -> Squares {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        let attackers = (reach::pawn(!by, square) & pawns)
            | (reach::knight(square) & knights)
            | (reach::king(square) & kings)
            | (reach::bishop(square, occupied) & (bishops | queens))
            | (reach::rook(square, occupied) & (rooks | queens));
        attackers & self.of_seat(by)
    }

    /// The pieces that give check.
    pub fn checkers(&self) -> Squares {
        self.attackers(self.king(self.seat), !self.seat, self.occupied())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The rooks with which a side may still castle, towards a and towards h.
    pub const fn castling_rooks(&self, seat: Seat) -> [Option<Square>; 2] {
        self.rooks[seat.index()]
    }

    /// The number of the move, from 1.
    pub const fn move_number(&self) -> u16 {
        self.number
    }

    /// Plies since the last capture or move of a pawn.
    pub const fn clock(&self) -> u8 {
        self.clock
    }

    /// Whether neither side can ever mate: no pawn, rook or queen, and at most one knight, or bishops on squares of one
    /// colour only.
    #[inline]
    pub fn is_insufficient(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        if !(pawns | rooks | queens).is_empty() {
            return false;
        }
        let is_one_colour = (bishops & DARK).is_empty() || (bishops & !DARK).is_empty();
        (knights.is_empty() && is_one_colour) || (bishops.is_empty() && !knights.are_several())
    }

    /// Whether the game is drawn though there may be moves.
    #[inline]
    pub(super) fn is_spent(&self) -> bool {
        self.clock >= self.draw_clock.plies() || self.is_insufficient()
    }

    /// The moves of the pieces, even if the game is drawn by its clock or its material: what programs go on with until
    /// someone claims.
    pub fn playable(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = self.generate(&mut Visitor::new(|mv| {
            moves.push(mv);
            ControlFlow::<()>::Continue(())
        }));
        moves
    }

    fn may_move(&self, mv: Move) -> bool {
        let is_it = |other| if other == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.generate(&mut Visitor::new(is_it)).is_break()
    }

    /// Where king and rook stand after castling with a rook.
    #[inline]
    pub(super) fn castled(king: Square, rook: Square) -> (Square, Square) {
        let wing = usize::from(rook.file() > king.file());
        (Square::new(KING_FILE[wing], king.rank()), Square::new(ROOK_FILE[wing], king.rank()))
    }

    /// Puts a piece on a square, or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, seat: Seat, kind: Kind, square: Square) {
        self.kinds[kind.index()] ^= square.alone();
        self.sides[seat.index()] ^= square.alone();
        self.key ^= keys::piece(seat, kind, square);
    }

    fn forget_passant(&mut self) {
        if let Some(square) = self.passant.take() {
            self.key ^= keys::passant(square.file());
        }
    }

    /// Lets a pawn be taken en passant on this square, if any pawn of the side to move legally can.
    pub(super) fn allow_passant(&mut self, square: Square) {
        let takers = reach::pawn(!self.seat, square) & self.of(self.seat, Kind::Pawn);
        if takers.into_iter().any(|from| self.may_take_passant(from, square)) {
            self.passant = Some(square);
            self.key ^= keys::passant(square.file());
        }
    }

    /// Rights to castle end when the king moves, and when a rook leaves or is taken.
    #[inline]
    fn lose_rights(&mut self, from: Square, to: Square, moved: Kind) {
        for seat in Seat::BOTH {
            for wing in WINGS {
                let Some(rook) = self.rooks[seat.index()][wing] else { continue };
                if rook == from || rook == to || (moved == Kind::King && seat == self.seat) {
                    self.rooks[seat.index()][wing] = None;
                    self.key ^= keys::rook(rook);
                }
            }
        }
    }

    /// The key made from scratch.
    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = if self.seat == Seat::Second { keys::BLACK_TO_MOVE } else { 0 };
        for square in self.occupied() {
            let (seat, kind) = self.piece_on(square).expect("occupied");
            key ^= keys::piece(seat, kind, square);
        }
        for rook in self.rooks.into_iter().flatten().flatten() {
            key ^= keys::rook(rook);
        }
        key ^ self.passant.map_or(0, |square| keys::passant(square.file()))
    }

    /// A board without pieces, for those who set one up.
    pub(super) const fn bare(seat: Seat) -> Self {
        Self {
            kinds: [Squares::NONE; 6],
            sides: [Squares::NONE; 2],
            key: 0,
            rooks: [[None; 2]; 2],
            passant: None,
            seat,
            clock: 0,
            number: 1,
            draw_clock: DrawClock::Fifty,
        }
    }

    /// Makes the key right after a position was set up.
    pub(super) fn seal(&mut self) {
        self.key = self.key_from_scratch();
    }

    /// The same position under another rule of the clock.
    #[must_use]
    pub const fn drawn_after(mut self, draw_clock: DrawClock) -> Self {
        self.draw_clock = draw_clock;
        self
    }

    /// The position with the other side to move, as if one had passed; the side to move is not in check. The clock begins
    /// anew, so that no repetition is looked for across it.
    pub(super) fn passed(&self) -> Self {
        let mut next = *self;
        next.forget_passant();
        next.clock = 0;
        next.seat = !self.seat;
        next.key ^= keys::BLACK_TO_MOVE;
        next
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let (seat, (king_to, rook_to)) = (self.seat, Self::castled(king, rook));
        self.toggle(seat, Kind::King, king);
        self.toggle(seat, Kind::Rook, rook);
        self.toggle(seat, Kind::King, king_to);
        self.toggle(seat, Kind::Rook, rook_to);
    }

    /// Moves a piece, taking what stands where it goes; says whether the clock begins anew.
    #[inline]
    fn shift(&mut self, from: Square, to: Square, moved: Kind, becomes: Kind) -> bool {
        let seat = self.seat;
        let takes = self.of_seat(!seat).contains(to);
        if takes {
            let taken = self.kind_on(to);
            self.toggle(!seat, taken, to);
        }
        self.toggle(seat, moved, from);
        self.toggle(seat, becomes, to);
        takes || moved == Kind::Pawn
    }
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.kinds == other.kinds
            && self.sides == other.sides
            && self.rooks == other.rooks
            && (self.passant, self.seat, self.clock) == (other.passant, other.seat, other.clock)
    }
}

impl Eq for Chess {}

impl Hash for Chess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl View for Chess {
    type Move = Move;
    const SLOTS: usize = Move::SLOTS;

    fn slot(mv: Move) -> usize {
        mv.slot()
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn each_move<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_spent() {
            return ControlFlow::Continue(());
        }
        self.generate(&mut Visitor::new(visit))
    }

    fn move_count(&self) -> usize {
        if self.is_spent() {
            return 0;
        }
        let mut counter = Counter::default();
        let ControlFlow::Continue(()) = self.generate(&mut counter);
        counter.moves as usize
    }
}

impl Position for Chess {
    fn play(&mut self, mv: Move) {
        debug_assert!(self.may_move(mv), "{mv:?} in {self:?}");
        let (from, to, seat) = (mv.from(), mv.to(), self.seat);
        self.forget_passant();
        let moved = self.kind_on(from);
        self.lose_rights(from, to, moved);
        let is_new = match mv.nature() {
            Nature::Plain | Nature::TwoSquares => self.shift(from, to, moved, moved),
            Nature::Promotion(kind) => self.shift(from, to, moved, kind),
            Nature::Castling => {
                self.castle(from, to);
                false
            }
            Nature::EnPassant => {
                self.toggle(!seat, Kind::Pawn, Square::new(to.file(), from.rank()));
                self.shift(from, to, moved, moved)
            }
        };
        self.clock = if is_new { 0 } else { self.clock.saturating_add(1) };
        self.number += u16::from(seat == Seat::Second);
        self.seat = !seat;
        self.key ^= keys::BLACK_TO_MOVE;
        if mv.nature() == Nature::TwoSquares {
            self.allow_passant(Square::new(from.file(), from.rank().midpoint(to.rank())));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_moves = || {
            let first = |_| ControlFlow::Break(());
            self.generate(&mut Visitor::new(first)).is_break()
        };
        if has_moves() {
            return self.is_spent().then_some(Outcome::Draw);
        }
        Some(if self.is_check() { Outcome::Win(!self.seat) } else { Outcome::Draw })
    }

    fn key(&self) -> u64 {
        self.key
    }
}
