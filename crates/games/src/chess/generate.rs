//! Legal moves, none of them tried out.
//!
//! Pieces that give check and pieces that are pinned are found first. A check must be met on the squares between king
//! and checker; a pinned piece stays on its line. Whatever is then left is legal, but for the king's own steps and for
//! en passant, which are looked at one by one.
//!
//! Law: moves are handed out as sets of targets, so that counting them needs no move to be written.

use std::convert::Infallible;
use std::ops::ControlFlow;

use outplay_core::{Seat, View};

use super::moves::{Move, Nature};
use super::pieces::Kind;
use super::reach;
use super::rules::{Chess, WINGS};
use super::squares::{Square, Squares};

/// Whoever takes the moves.
pub(super) trait Sink {
    /// What stops it.
    type Break;

    /// A piece on `from` may go to each of these.
    fn piece(&mut self, from: Square, to: Squares) -> ControlFlow<Self::Break>;

    /// Pawns may go to each of these from the square that is so many below.
    fn pawns(
        &mut self,
        to: Squares,
        advance: i8,
        make: fn(Square, Square) -> Move,
    ) -> ControlFlow<Self::Break>;

    /// The same on the last rank, where they become something else.
    fn promotions(&mut self, to: Squares, advance: i8) -> ControlFlow<Self::Break>;

    /// One more move.
    fn single(&mut self, mv: Move) -> ControlFlow<Self::Break>;
}

/// Counts moves.
#[derive(Default)]
pub(super) struct Counter {
    pub(super) moves: u32,
}

impl Sink for Counter {
    type Break = Infallible;

    #[inline]
    fn piece(&mut self, _: Square, to: Squares) -> ControlFlow<Infallible> {
        self.moves += to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&mut self, to: Squares, _: i8, _: fn(Square, Square) -> Move) -> ControlFlow<Infallible> {
        self.moves += to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn promotions(&mut self, to: Squares, _: i8) -> ControlFlow<Infallible> {
        self.moves += 4 * to.len();
        ControlFlow::Continue(())
    }

    #[inline]
    fn single(&mut self, _: Move) -> ControlFlow<Infallible> {
        self.moves += 1;
        ControlFlow::Continue(())
    }
}

/// Hands every move on.
pub(super) struct Visitor<F>(F);

impl<F> Visitor<F> {
    pub(super) const fn new(visit: F) -> Self {
        Self(visit)
    }
}

#[inline]
fn below(to: Square, advance: i8) -> Square {
    Square::numbered((to.number() as i8 - advance) as u8)
}

impl<B, F: FnMut(Move) -> ControlFlow<B>> Sink for Visitor<F> {
    type Break = B;

    #[inline]
    fn piece(&mut self, from: Square, to: Squares) -> ControlFlow<B> {
        to.into_iter().try_for_each(|to| (self.0)(Move::plain(from, to)))
    }

    #[inline]
    fn pawns(&mut self, to: Squares, advance: i8, make: fn(Square, Square) -> Move) -> ControlFlow<B> {
        to.into_iter().try_for_each(|to| (self.0)(make(below(to, advance), to)))
    }

    #[inline]
    fn promotions(&mut self, to: Squares, advance: i8) -> ControlFlow<B> {
        to.into_iter().flat_map(|to| Move::promotions(below(to, advance), to)).try_for_each(|mv| (self.0)(mv))
    }

    #[inline]
    fn single(&mut self, mv: Move) -> ControlFlow<B> {
        (self.0)(mv)
    }
}

/// Hands on what changes the material: captures, and pawns that become queens.
pub(super) struct Forcing<F> {
    enemy: Squares,
    visit: F,
}

impl<F> Forcing<F> {
    pub(super) const fn new(enemy: Squares, visit: F) -> Self {
        Self { enemy, visit }
    }
}

impl<F: FnMut(Move)> Sink for Forcing<F> {
    type Break = Infallible;

    #[inline]
    fn piece(&mut self, from: Square, to: Squares) -> ControlFlow<Infallible> {
        for to in to & self.enemy {
            (self.visit)(Move::plain(from, to));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(
        &mut self,
        to: Squares,
        advance: i8,
        make: fn(Square, Square) -> Move,
    ) -> ControlFlow<Infallible> {
        for to in to & self.enemy {
            (self.visit)(make(below(to, advance), to));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn promotions(&mut self, to: Squares, advance: i8) -> ControlFlow<Infallible> {
        for to in to {
            (self.visit)(Move::promotion(below(to, advance), to, Kind::Queen));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn single(&mut self, mv: Move) -> ControlFlow<Infallible> {
        if mv.nature() == Nature::EnPassant {
            (self.visit)(mv);
        }
        ControlFlow::Continue(())
    }
}

/// What the king has to fear.
struct Danger {
    checkers: Squares,
    pinned: Squares,
}

impl Chess {
    /// Hands out every legal move.
    #[inline]
    pub(super) fn generate<S: Sink>(&self, sink: &mut S) -> ControlFlow<S::Break> {
        match self.seat() {
            Seat::First => self.generate_for::<true, S>(sink),
            Seat::Second => self.generate_for::<false, S>(sink),
        }
    }

    fn generate_for<const WHITE: bool, S: Sink>(&self, sink: &mut S) -> ControlFlow<S::Break> {
        let seat = if WHITE { Seat::First } else { Seat::Second };
        let (own, king, occupied) = (self.of_seat(seat), self.king(seat), self.occupied());
        let Danger { checkers, pinned } = self.danger(seat, king, occupied);
        if !checkers.are_several() {
            let open =
                if checkers.is_empty() { !own } else { reach::between(king, checkers.first()) | checkers };
            self.pawns::<WHITE, S>(sink, king, open, pinned)?;
            self.pieces(sink, king, open, pinned)?;
            if checkers.is_empty() {
                self.castlings(sink, king, occupied)?;
            }
        }
        sink.piece(king, self.king_steps(king, own, occupied))
    }

    /// Who gives check, and who may not leave a line.
    #[inline]
    fn danger(&self, seat: Seat, king: Square, occupied: Squares) -> Danger {
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        let (own, enemy) = (self.of_seat(seat), self.of_seat(!seat));
        let mut checkers = (reach::knight(king) & knights) | (reach::pawn(seat, king) & pawns);
        checkers &= enemy;
        let mut pinned = Squares::NONE;
        let snipers =
            (reach::bishop(king, enemy) & (bishops | queens)) | (reach::rook(king, enemy) & (rooks | queens));
        for sniper in snipers & enemy {
            let shield = reach::between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= sniper.alone();
            } else if !shield.are_several() {
                pinned |= shield & own;
            }
        }
        Danger { checkers, pinned }
    }

    #[inline]
    fn pieces<S: Sink>(
        &self,
        sink: &mut S,
        king: Square,
        open: Squares,
        pinned: Squares,
    ) -> ControlFlow<S::Break> {
        let (own, occupied) = (self.of_seat(self.seat()), self.occupied());
        let open = open & !own;
        for from in own & self.of_kind(Kind::Knight) & !pinned {
            sink.piece(from, reach::knight(from) & open)?;
        }
        let on_line = |from: Square, to: Squares| {
            if pinned.contains(from) { to & reach::line(king, from) } else { to }
        };
        for from in own & self.of_kind(Kind::Bishop) {
            sink.piece(from, on_line(from, reach::bishop(from, occupied) & open))?;
        }
        for from in own & self.of_kind(Kind::Rook) {
            sink.piece(from, on_line(from, reach::rook(from, occupied) & open))?;
        }
        for from in own & self.of_kind(Kind::Queen) {
            let to = reach::bishop(from, occupied) | reach::rook(from, occupied);
            sink.piece(from, on_line(from, to & open))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns<const WHITE: bool, S: Sink>(
        &self,
        sink: &mut S,
        king: Square,
        open: Squares,
        pinned: Squares,
    ) -> ControlFlow<S::Break> {
        let pawns = self.of(self.seat(), Kind::Pawn);
        self.pawns_among::<WHITE, S>(sink, pawns & !pinned, open)?;
        for pawn in pawns & pinned {
            self.pawns_among::<WHITE, S>(sink, pawn.alone(), open & reach::line(king, pawn))?;
        }
        let Some(to) = self.passant else { return ControlFlow::Continue(()) };
        for from in reach::pawn(!self.seat(), to) & pawns {
            if self.may_take_passant(from, to) {
                sink.single(Move::en_passant(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The moves of some pawns to open squares, en passant left out.
    #[inline]
    fn pawns_among<const WHITE: bool, S: Sink>(
        &self,
        sink: &mut S,
        pawns: Squares,
        open: Squares,
    ) -> ControlFlow<S::Break> {
        const fn ahead<const WHITE: bool>(squares: Squares, advance: u32) -> Squares {
            Squares(if WHITE { squares.0 << advance } else { squares.0 >> advance })
        }
        let sign = if WHITE { 1 } else { -1 };
        let (third, last) = if WHITE { (2, 7) } else { (5, 0) };
        let (empty, enemy) = (!self.occupied(), self.of_seat(!self.seat()));
        let one = ahead::<WHITE>(pawns, 8) & empty;
        let two = ahead::<WHITE>(one & Squares::rank(third), 8) & empty & open;
        let to_west = ahead::<WHITE>(pawns & !Squares::file(0), if WHITE { 7 } else { 9 }) & enemy & open;
        let to_east = ahead::<WHITE>(pawns & !Squares::file(7), if WHITE { 9 } else { 7 }) & enemy & open;
        let last = Squares::rank(last);
        for (to, advance) in [
            (to_west, if WHITE { 7 } else { -9 }),
            (to_east, if WHITE { 9 } else { -7 }),
            (one & open, 8 * sign),
        ] {
            sink.pawns(to & !last, advance, Move::plain)?;
            sink.promotions(to & last, advance)?;
        }
        sink.pawns(two, 16 * sign, Move::two_squares)
    }

    /// Whether a pawn that stands beside one that went two squares may take it without leaving the king in check.
    pub(super) fn may_take_passant(&self, from: Square, to: Square) -> bool {
        let (seat, taken) = (self.seat(), Square::new(to.file(), from.rank()));
        let after = (self.occupied() ^ from.alone() ^ taken.alone()) | to.alone();
        let attackers = self.attackers(self.king(seat), !seat, after);
        (attackers & !taken.alone()).is_empty()
    }

    #[inline]
    fn king_steps(&self, king: Square, own: Squares, occupied: Squares) -> Squares {
        let (enemy, without) = (!self.seat(), occupied ^ king.alone());
        let mut steps = Squares::NONE;
        for to in reach::king(king) & !own {
            if self.attackers(to, enemy, without).is_empty() {
                steps |= to.alone();
            }
        }
        steps
    }

    #[inline]
    fn castlings<S: Sink>(&self, sink: &mut S, king: Square, occupied: Squares) -> ControlFlow<S::Break> {
        for wing in WINGS {
            if let Some(rook) = self.rooks[self.seat().index()][wing]
                && self.may_castle(king, rook, occupied)
            {
                sink.single(Move::castling(king, rook))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether nothing is in the way of king and rook, and the king passes no attacked square. It is not in check.
    fn may_castle(&self, king: Square, rook: Square, occupied: Squares) -> bool {
        let (king_to, rook_to) = Self::castled(king, rook);
        let others = occupied ^ king.alone() ^ rook.alone();
        let way = reach::between(king, king_to) | king_to.alone();
        let rooks_way = reach::between(rook, rook_to) | rook_to.alone();
        if !((way | rooks_way) & others).is_empty() {
            return false;
        }
        let enemy = !self.seat();
        let after = others | rook_to.alone();
        way.into_iter().all(|square| {
            let seen = if square == king_to { after } else { others | rook.alone() };
            self.attackers(square, enemy, seen).is_empty()
        })
    }
}
