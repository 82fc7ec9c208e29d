//! Noughts and crosses: a draw, 5478 positions, 255 168 games.

use std::ops::ControlFlow;

use outplay_core::{Change, Encoder, Outcome, Position, Seat, View};

/// The board: one bit per cell for each seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TicTacToe {
    marks: [u16; 2],
    seat: Seat,
}

impl TicTacToe {
    pub(crate) const START: Self = Self { marks: [0, 0], seat: Seat::First };
    const FULL: u16 = 0o777;
    const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

    /// Reads nine cells row by row, then the side to move: `"XO. .X. ... O"`.
    pub(crate) fn read(text: &str) -> Self {
        let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let marks = ['X', 'O'].map(|mark| {
            symbols[..9]
                .iter()
                .enumerate()
                .filter(|(_, symbol)| **symbol == mark)
                .map(|(cell, _)| 1 << cell)
                .sum()
        });
        Self { marks, seat: if symbols[9] == 'X' { Seat::First } else { Seat::Second } }
    }
}

impl View for TicTacToe {
    type Move = u8;
    const SLOTS: usize = 9;

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
        let taken = self.marks[0] | self.marks[1];
        (0..9).filter(|cell| taken >> cell & 1 == 0).try_for_each(&mut visit)
    }
}

impl Position for TicTacToe {
    fn play(&mut self, mv: u8) {
        self.marks[self.seat.index()] |= 1 << mv;
        self.seat = !self.seat;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Seat::BOTH
            .into_iter()
            .find(|seat| Self::LINES.iter().any(|&line| self.marks[seat.index()] & line == line));
        match winner {
            Some(seat) => Some(Outcome::Win(seat)),
            None => (self.marks[0] | self.marks[1] == Self::FULL).then_some(Outcome::Draw),
        }
    }

    fn key(&self) -> u64 {
        u64::from(self.marks[0]) | u64::from(self.marks[1]) << 9 | (self.seat.index() as u64) << 18
    }
}

/// One input for each mark on each cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks;

impl Encoder<TicTacToe> for Marks {
    fn inputs(&self) -> usize {
        18
    }

    fn each_on(&self, position: &TicTacToe, visit: impl FnMut(u32)) {
        let marks = u32::from(position.marks[0]) | u32::from(position.marks[1]) << 9;
        (0..18).filter(|input| marks >> input & 1 == 1).for_each(visit);
    }

    fn each_change(&self, position: &TicTacToe, mv: u8, mut visit: impl FnMut(Change)) {
        visit(Change { input: u32::from(mv) + 9 * position.seat.index() as u32, on: true });
    }
}

#[test]
fn the_known_counts() {
    use std::collections::HashSet;
    fn walk(position: &TicTacToe, seen: &mut HashSet<TicTacToe>) -> u64 {
        seen.insert(position.clone());
        let moves = position.moves();
        if moves.is_empty() { 1 } else { moves.into_iter().map(|mv| walk(&position.after(mv), seen)).sum() }
    }
    let mut seen = HashSet::new();
    assert_eq!(walk(&TicTacToe::START, &mut seen), 255_168);
    assert_eq!(seen.len(), 5478);
}
