//! Tic-tac-toe: the first with three in a row wins. `CONTRIBUTING.md` walks through this file as the example of a new game.

use std::ops::ControlFlow;

use outplay_core::placement::{GridSymmetry, PlacementPosition, bits};
use outplay_core::scene::{Cell, Grid, GridStyle, Shape};
use outplay_core::{MalformedPosition, Outcome, Position, Seat, Text, View, errors, mix64};

/// A position: the cells that X and O have taken. Cell `i` is bit `i`, counted row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe([u64; 2]);

/// The whole board; an octal digit is a row.
const BOARD: u64 = 0o777;
/// The rows, columns and diagonals.
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// The empty board.
    pub const START: Self = Self([0, 0]);

    /// The cells that nobody has taken.
    fn free(&self) -> u64 {
        BOARD & !(self.0[0] | self.0[1])
    }

    /// The cells of the lines that a seat has filled.
    fn lines(&self, seat: Seat) -> u64 {
        let taken = self.0[seat.index()];
        LINES.into_iter().filter(|line| taken & line == *line).fold(0, |cells, line| cells | line)
    }
}

impl View for TicTacToe {
    /// The cell to take.
    type Move = u8;
    const SLOTS: usize = 9;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        let [crosses, noughts] = self.0.map(u64::count_ones);
        if crosses == noughts { Seat::First } else { Seat::Second }
    }

    fn each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let cells = if self.outcome().is_some() { 0 } else { self.free() };
        bits(cells).try_for_each(visit)
    }
}

impl Position for TicTacToe {
    fn play(&mut self, mv: u8) {
        self.0[self.seat().index()] |= 1 << mv;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Seat::BOTH.into_iter().find(|&seat| self.lines(seat) != 0);
        winner.map(Outcome::Win).or_else(|| (self.free() == 0).then_some(Outcome::Draw))
    }

    fn key(&self) -> u64 {
        mix64(self.0[0] << 9 | self.0[1])
    }
}

errors! {
    /// Why pieces on the board are not a position.
    pub enum TicTacToeError {
        Line =
            "the side to move has three in a row, so the last move was not legal"
            | "le camp au trait a trois pièces alignées, donc le dernier coup n’était pas légal",
    }
}

impl PlacementPosition for TicTacToe {
    const SEAT_NAMES: [Text; 2] = [Text::new("X", "X"), Text::new("O", "O")];
    const SYMBOLS: [char; 2] = ['X', 'O'];
    const SHAPES: [Shape; 2] = [Shape::Cross, Shape::Nought];
    const ROW_SEPARATOR: &'static str = "";
    const CAPTIONED: bool = false;
    const SYMMETRIES: &'static [GridSymmetry] = &GridSymmetry::SQUARE;
    const LINES: &'static [u64] = &LINES;

    fn grid(&self) -> Grid {
        Grid::new(3, 3, GridStyle::Plain).lettered()
    }

    fn cell(bit: u8) -> Cell {
        Cell::nth(bit, 3)
    }

    fn pieces(&self, seat: Seat) -> u64 {
        self.0[seat.index()]
    }

    /// Positions that play cannot reach are refused.
    fn set_up(&self, pieces: [u64; 2], to_move: Seat) -> Result<Self, MalformedPosition> {
        let position = Self(pieces);
        let is_over = position.lines(to_move) != 0;
        if is_over { Err(MalformedPosition::new(TicTacToeError::Line)) } else { Ok(position) }
    }

    fn placed(mv: u8) -> Option<u8> {
        Some(mv)
    }

    fn winning_line(&self) -> u64 {
        self.lines(Seat::First) | self.lines(Seat::Second)
    }
}
