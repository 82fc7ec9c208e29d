//! Discs dropped into columns, three in a row wins: many forced wins, and no position occurs at two plies.

use std::ops::ControlFlow;

use outplay_core::{Outcome, Position, Seat, View};

/// The board: one bit per cell for each seat, columns of [`Drop3::HEIGHT`] cells with an empty bit above each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Drop3 {
    discs: [u32; 2],
    seat: Seat,
}

impl Drop3 {
    pub(crate) const START: Self = Self { discs: [0, 0], seat: Seat::First };
    const WIDTH: u32 = 5;
    const HEIGHT: u32 = 4;
    /// Bits per column.
    const STRIDE: u32 = Self::HEIGHT + 1;

    fn has_row(discs: u32) -> bool {
        [1, Self::STRIDE - 1, Self::STRIDE, Self::STRIDE + 1]
            .into_iter()
            .any(|step| discs & discs >> step & discs >> (2 * step) != 0)
    }

    /// The lowest free cell of the column, as a bit; it lies above the board if the column is full.
    fn landing(&self, column: u8) -> u32 {
        let bottom = 1 << (u32::from(column) * Self::STRIDE);
        let cells = bottom * ((1 << Self::HEIGHT) - 1);
        ((self.discs[0] | self.discs[1]) & cells) + bottom
    }

    fn is_open(&self, column: u8) -> bool {
        self.landing(column).trailing_zeros() - u32::from(column) * Self::STRIDE < Self::HEIGHT
    }
}

impl View for Drop3 {
    type Move = u8;
    const SLOTS: usize = Self::WIDTH as usize;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn each_move<B>(&self, mut visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        (0..Self::WIDTH as u8).filter(|&column| self.is_open(column)).try_for_each(&mut visit)
    }
}

impl Position for Drop3 {
    fn play(&mut self, mv: u8) {
        self.discs[self.seat.index()] |= self.landing(mv);
        self.seat = !self.seat;
    }

    fn outcome(&self) -> Option<Outcome> {
        if Self::has_row(self.discs[(!self.seat).index()]) {
            return Some(Outcome::Win(!self.seat));
        }
        let full = (self.discs[0] | self.discs[1]).count_ones() == Self::WIDTH * Self::HEIGHT;
        full.then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        u64::from(self.discs[0]) << 32 | u64::from(self.discs[1])
    }
}

#[test]
fn rows_in_every_direction_win() {
    for (moves, what) in [
        (&[0u8, 1, 0, 1, 0][..], "upright"),
        (&[0, 0, 1, 1, 2], "level"),
        (&[0, 1, 1, 2, 3, 2, 2], "rising"),
        (&[4, 3, 3, 2, 1, 2, 2], "falling"),
    ] {
        let mut position = Drop3::START;
        for &mv in moves {
            assert_eq!(position.outcome(), None, "{what} before {mv}");
            position.play(mv);
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(Seat::First)), "{what}");
    }
}

#[test]
fn columns_fill_up() {
    let mut position = Drop3::START;
    for _ in 0..Drop3::HEIGHT {
        assert!(position.is_legal(2));
        position.play(2);
    }
    assert_eq!(position.moves(), vec![0, 1, 3, 4]);
}
