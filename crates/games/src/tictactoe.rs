//! Tic-tac-toe: the first with three in a row wins. `CONTRIBUTING.md` walks through this file as the example of a new game.

use std::ops::ControlFlow;

use outplay_core::scene::{
    Cell, Draft, EditablePosition, Grid, GridStyle, Meaning, Palette, Scene, Shape, Touch,
};
use outplay_core::{Bitboards, MalformedPosition, Outcome, Position, PositionNotation, Seat, View};
use outplay_core::{mix64, read_cells, write_cells};

/// A position: the cells that X and O have taken. Cell `i` is bit `i`, counted row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe([u64; 2]);

/// The rows, columns and diagonals; an octal digit is a row.
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const SYMBOLS: [char; 2] = ['X', 'O'];
const PIECES: [(Shape, Seat); 2] = [(Shape::Cross, Seat::First), (Shape::Nought, Seat::Second)];

impl TicTacToe {
    /// The empty board.
    pub const START: Self = Self([0, 0]);

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
        let cells = if self.outcome().is_some() { 0..0 } else { 0..9 };
        cells.filter(|cell| (self.0[0] | self.0[1]) >> cell & 1 == 0).try_for_each(visit)
    }
}

impl Position for TicTacToe {
    fn play(&mut self, mv: u8) {
        self.0[self.seat().index()] |= 1 << mv;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Seat::BOTH.into_iter().find(|&seat| self.lines(seat) != 0);
        winner.map(Outcome::Win).or_else(|| (self.0[0] | self.0[1] == 0o777).then_some(Outcome::Draw))
    }

    fn key(&self) -> u64 {
        mix64(self.0[0] << 9 | self.0[1])
    }
}

fn grid() -> Grid {
    Grid::new(3, 3, GridStyle::Plain).lettered()
}

impl PositionNotation for TicTacToe {
    const SEAT_NAMES: [&'static str; 2] = ["X", "O"];

    fn write_move(&self, mv: u8) -> String {
        grid().cell_name(Cell::nth(mv, 3))
    }

    fn write(&self) -> String {
        write_cells(self.0, 9, SYMBOLS)
    }

    /// Whose turn it is follows from the cells. Positions that play cannot reach are refused.
    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition> {
        let can_occur = |position: &Self| {
            let [crosses, noughts] = position.0.map(u64::count_ones);
            (noughts..=noughts + 1).contains(&crosses) && position.lines(position.seat()) == 0
        };
        let why = "expected nine cells, each X, O or '.', with as many X as O or one more, and no line of the side to move";
        let malformed = || MalformedPosition(format!("'{text}' is not a position of tic-tac-toe: {why}"));
        read_cells(text, 9, SYMBOLS).map(Self).filter(can_occur).ok_or_else(malformed)
    }

    fn draw(&self) -> Scene {
        let mut scene = Scene { symbols: Some(SYMBOLS), ..Scene::new(grid()) };
        for (shape, seat) in PIECES {
            scene.put_all(self.0[seat.index()], shape, Some(seat));
            scene.mark_all(self.lines(seat), Meaning::WinningLine);
        }
        scene
    }

    fn touches(&self, mv: u8) -> Vec<Touch> {
        vec![Touch::Cell(Cell::nth(mv, 3))]
    }
}

impl EditablePosition for TicTacToe {
    fn palette(&self) -> Palette {
        Palette::of_pieces(&PIECES, false, Self::START.draft())
    }

    fn read_draft(&self, draft: &Draft) -> Result<Self, MalformedPosition> {
        self.palette().check(&grid(), draft)?;
        self.read_like(&draft.symbols(&grid(), SYMBOLS))
    }
}

impl Bitboards for TicTacToe {
    fn bitboards(&self) -> [u64; 2] {
        self.0
    }
}
