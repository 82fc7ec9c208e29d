//! What a network with a value and a policy sees of a game of placements: the pieces, how the lines stand, and the sets of
//! cells that the game declares, all as one seat sees them.
//!
//! The game declares its lines, sets and symmetries as data of [`PlacementPosition`]; everything else follows here, also where
//! a symmetry takes each input.

use crate::scene::{Cell, Grid};
use crate::{Change, Seat, SeatEncoder, Symmetry, View};

use super::{PlacementPosition, bits};

/// A reflection or rotation of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSymmetry {
    /// Exchanges rows and columns, before the rest.
    transposes: bool,
    /// Exchanges left and right.
    mirrors: bool,
    /// Exchanges top and bottom.
    upends: bool,
}

impl GridSymmetry {
    /// Left and right exchanged.
    pub const MIRROR: Self = Self::new(false, true, false);

    /// All of a square but the identity.
    pub const SQUARE: [Self; 7] = [
        Self::MIRROR,
        Self::new(false, false, true),
        Self::new(false, true, true),
        Self::new(true, false, false),
        Self::new(true, true, false),
        Self::new(true, false, true),
        Self::new(true, true, true),
    ];

    const fn new(transposes: bool, mirrors: bool, upends: bool) -> Self {
        Self { transposes, mirrors, upends }
    }

    /// Where the cell in this column and row goes on a board of so many columns and rows.
    pub const fn image(self, cell: Cell, columns: u8, rows: u8) -> Cell {
        let (column, row) = if self.transposes { (cell.row, cell.column) } else { (cell.column, cell.row) };
        Cell::new(
            if self.mirrors { columns - 1 - column } else { column },
            if self.upends { rows - 1 - row } else { row },
        )
    }
}

/// Inputs: the seat's own pieces by their bits, the other's; for every line of which only one side has cells, whose and how
/// many; the game's [sets of cells](PlacementPosition::each_cell_set). The last two are computed. Slots are the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementSeatEncoder<P> {
    board: P,
}

impl<P: PlacementPosition> PlacementSeatEncoder<P> {
    /// The numbers of pieces on a line that are told apart: from one to one short of all.
    const COUNTS: usize = match P::LINES {
        [] => 0,
        [line, ..] => line.count_ones() as usize - 1,
    };
    /// The inputs of a line.
    const LINE_INPUTS: usize = 2 * Self::COUNTS;
    const LINES_START: usize = 2 * P::SLOTS;
    const SETS_START: usize = Self::LINES_START + Self::LINE_INPUTS * P::LINES.len();
    const INPUTS: usize = Self::SETS_START + P::SLOTS * P::CELL_SETS;
    /// By bit, the lines through this cell.
    const LINES_THROUGH: &'static [u128; 64] = &lines_through(P::LINES);

    /// The encoding of boards like this one.
    pub const fn new(board: P) -> Self {
        Self { board }
    }

    /// The input of a piece, whose block is 0 for the seat's own and 1 for the other's.
    #[inline]
    fn piece(block: usize, bit: u8) -> u32 {
        (P::SLOTS * block) as u32 + u32::from(bit)
    }

    /// Visits the inputs of the lines. Only lines that one side alone has cells of are looked at.
    #[inline]
    fn each_line(position: &P, mut visit: impl FnMut(u32)) {
        let pieces = [position.seat(), !position.seat()].map(|seat| position.pieces(seat));
        let through = |bit: u8| Self::LINES_THROUGH[usize::from(bit & 63)];
        let touched = pieces.map(|pieces| bits(pieces).fold(0, |lines, bit| lines | through(bit)));
        let mixed = touched[0] & touched[1];
        for side in 0..2 {
            let mut lines = touched[side] & !mixed;
            while lines != 0 {
                let line = lines.trailing_zeros() as usize;
                let count = (P::LINES[line] & pieces[side]).count_ones() as usize;
                // A line is full only where the game is over.
                if count <= Self::COUNTS {
                    let input =
                        Self::LINES_START + Self::LINE_INPUTS * line + Self::COUNTS * side + count - 1;
                    visit(input as u32);
                }
                lines &= lines - 1;
            }
        }
    }

    /// Where the symmetry takes every slot; slots that are not cells stay.
    fn images(&self, symmetry: GridSymmetry) -> Vec<usize> {
        let grid = self.board.grid();
        let Grid { columns, rows, .. } = grid;
        let bit_of = |cell| (0..64).find(|&bit| P::cell(bit) == cell).expect("every cell has its bit");
        let image = |slot: usize| {
            let cell = (slot < 64).then(|| P::cell(slot as u8)).filter(|&cell| grid.contains(cell));
            cell.map_or(slot, |cell| usize::from(bit_of(symmetry.image(cell, columns, rows))))
        };
        (0..P::SLOTS).map(image).collect()
    }

    fn symmetry(&self, symmetry: GridSymmetry) -> Symmetry {
        let images = self.images(symmetry);
        let block = |start: usize| images.iter().map(move |image| start + image);
        let line_block = |line: u64| {
            let image = bits(line).fold(0, |cells, bit| cells | 1 << images[usize::from(bit)]);
            let number = P::LINES.iter().position(|&line| line == image).expect("a line goes to a line");
            (0..Self::LINE_INPUTS).map(move |input| Self::LINES_START + Self::LINE_INPUTS * number + input)
        };
        let pieces = [0, P::SLOTS].into_iter().flat_map(block);
        let lines = P::LINES.iter().copied().flat_map(line_block);
        let sets = (0..P::CELL_SETS).flat_map(|set| block(Self::SETS_START + P::SLOTS * set));
        Symmetry {
            inputs: pieces.chain(lines).chain(sets).map(|input| input as u32).collect(),
            slots: images.iter().map(|&image| image as u16).collect(),
        }
    }
}

const fn lines_through(lines: &[u64]) -> [u128; 64] {
    assert!(lines.len() <= 128, "the lines of a game fit into a set of 128");
    let (mut through, mut i) = ([0; 64], 0);
    while i < 64 * lines.len() {
        let (line, bit) = (i / 64, i % 64);
        through[bit] |= ((lines[line] >> bit & 1) as u128) << line;
        i += 1;
    }
    through
}

impl<P: PlacementPosition> SeatEncoder<P> for PlacementSeatEncoder<P> {
    fn inputs(&self) -> usize {
        Self::INPUTS
    }

    fn most_on(&self) -> usize {
        let Grid { columns, rows, .. } = self.board.grid();
        usize::from(columns) * usize::from(rows) * (1 + P::CELL_SETS) + P::LINES.len()
    }

    fn slots(&self) -> usize {
        P::SLOTS
    }

    #[inline]
    fn each_on(&self, position: &P, seat: Seat, mut visit: impl FnMut(u32)) {
        for (block, side) in [seat, !seat].into_iter().enumerate() {
            bits(position.pieces(side)).for_each(|bit| visit(Self::piece(block, bit)));
        }
    }

    #[inline]
    fn each_change(&self, position: &P, mv: P::Move, seat: Seat, mut visit: impl FnMut(Change)) {
        let movers = usize::from(position.seat() != seat);
        let turned = position.turned(mv);
        let mut change = |block, bit, on| visit(Change { input: Self::piece(block, bit), on });
        bits(turned).for_each(|bit| change(1 - movers, bit, false));
        P::placed(mv).into_iter().chain(bits(turned)).for_each(|bit| change(movers, bit, true));
    }

    #[inline]
    fn each_computed(&self, position: &P, mut visit: impl FnMut(u32)) {
        if !P::LINES.is_empty() {
            Self::each_line(position, &mut visit);
        }
        position.each_cell_set(|set, cells| {
            let start = (Self::SETS_START + P::SLOTS * set) as u32;
            bits(cells).for_each(|bit| visit(start + u32::from(bit)));
        });
    }

    #[inline]
    fn slot(&self, _position: &P, mv: P::Move) -> u16 {
        <P as View>::slot(mv) as u16
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        P::SYMMETRIES.iter().map(|&symmetry| self.symmetry(symmetry)).collect()
    }
}
