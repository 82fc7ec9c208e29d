//! A tug-of-war: a game with cycles.
//!
//! The knot moves one step up or down; the first seat wins at the top, the second at the bottom. Each can always undo
//! the other's move, so from anywhere but next to the mover's end nobody can win.

use std::ops::ControlFlow;

use outplay_core::{Change, Encoder, Evaluator, Outcome, Position, Score, Seat, View};

/// The height of the knot, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tug {
    height: i8,
    seat: Seat,
}

impl Tug {
    pub(crate) const TOP: i8 = 6;

    /// The first seat's turn at this height.
    pub(crate) fn at(height: i8) -> Self {
        Self { height, seat: Seat::First }
    }

    /// Gives the turn to this seat.
    pub(crate) fn pass_to(&mut self, seat: Seat) {
        self.seat = seat;
    }
}

impl View for Tug {
    type Move = i8;
    const SLOTS: usize = 2;

    fn slot(mv: i8) -> usize {
        usize::from(mv > 0)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn each_move<B>(&self, mut visit: impl FnMut(i8) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        visit(-1)?;
        visit(1)
    }
}

impl Position for Tug {
    fn play(&mut self, mv: i8) {
        self.height += mv;
        self.seat = !self.seat;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.height {
            0 => Some(Outcome::Win(Seat::Second)),
            Self::TOP => Some(Outcome::Win(Seat::First)),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        self.height as u64 * 2 + self.seat.index() as u64
    }
}

/// The higher the knot, the better for the first seat: never even.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Height;

impl Evaluator<Tug> for Height {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &Tug) -> Score {
        let first_seats = Score::eval(500 + 100 * i32::from(position.height));
        if position.seat == Seat::First { first_seats } else { -first_seats }
    }
}

/// One input for each height of the knot, and one that is on while the second seat is to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot;

impl Knot {
    const SECOND_TO_MOVE: u32 = Tug::TOP as u32 + 1;
}

impl Encoder<Tug> for Knot {
    fn inputs(&self) -> usize {
        Self::SECOND_TO_MOVE as usize + 1
    }

    fn each_on(&self, position: &Tug, mut visit: impl FnMut(u32)) {
        visit(position.height as u32);
        if position.seat == Seat::Second {
            visit(Self::SECOND_TO_MOVE);
        }
    }

    fn each_change(&self, position: &Tug, mv: i8, mut visit: impl FnMut(Change)) {
        visit(Change { input: position.height as u32, on: false });
        visit(Change { input: (position.height + mv) as u32, on: true });
        visit(Change { input: Self::SECOND_TO_MOVE, on: position.seat == Seat::First });
    }
}
