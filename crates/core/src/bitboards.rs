//! Games in which all pieces of a seat are alike, such as tic-tac-toe: a board is the set of cells that each seat has taken.
//!
//! Here are the text of such a board and an [`Encoder`] for it. Cell `i` is bit `i`, counted row by row from the top left.

use crate::{Change, Encoder, Position, Seat};

/// A position that can be told by the cells that each seat has taken and by the side to move; 64 cells at most.
pub trait Bitboards: Position {
    /// The cells that each seat has taken.
    fn bitboards(&self) -> [u64; 2];
}

/// The cells one by one: the symbol of the seat that has taken it, or `.`.
///
/// ```
/// use outplay_core::{read_cells, write_cells};
/// assert_eq!(write_cells([0b0001, 0b0100], 4, ['X', 'O']), "X.O.");
/// assert_eq!(read_cells("x.o.", 4, ['X', 'O']), Some([0b0001, 0b0100]));
/// assert_eq!(read_cells("x.o", 4, ['X', 'O']), None);
/// ```
pub fn write_cells(bitboards: [u64; 2], cells: u32, symbols: [char; 2]) -> String {
    let owner = |cell| bitboards.iter().position(|board| board >> cell & 1 == 1);
    (0..cells).map(|cell| owner(cell).map_or('.', |seat| symbols[seat])).collect()
}

/// What [`write_cells`] has written, in small or capital letters; `None` for any other text.
pub fn read_cells(text: &str, cells: u32, symbols: [char; 2]) -> Option<[u64; 2]> {
    let text = text.trim();
    let mut bitboards = [0, 0];
    for (cell, symbol) in text.chars().enumerate().take(64) {
        match symbols.iter().position(|known| known.eq_ignore_ascii_case(&symbol)) {
            Some(seat) => bitboards[seat] |= 1 << cell,
            None if symbol == '.' => {}
            None => return None,
        }
    }
    (text.chars().count() == cells as usize).then_some(bitboards)
}

/// One input for each cell that the first seat has taken, one for each of the second seat's, and one that is on while the
/// second seat is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitboardEncoder {
    /// How many cells the board has.
    pub cells: u32,
}

impl BitboardEncoder {
    fn each_cell(self, bitboards: [u64; 2], mut visit: impl FnMut(u32)) {
        for (mut board, start) in bitboards.into_iter().zip([0, self.cells]) {
            while board != 0 {
                visit(start + board.trailing_zeros());
                board &= board - 1;
            }
        }
    }
}

impl<P: Bitboards> Encoder<P> for BitboardEncoder {
    fn inputs(&self) -> usize {
        2 * self.cells as usize + 1
    }

    fn each_on(&self, position: &P, mut visit: impl FnMut(u32)) {
        self.each_cell(position.bitboards(), &mut visit);
        if position.seat() == Seat::Second {
            visit(2 * self.cells);
        }
    }

    fn each_change(&self, position: &P, mv: P::Move, mut visit: impl FnMut(Change)) {
        let next = position.after(mv);
        let ([first, second], after) = (position.bitboards(), next.bitboards());
        let gained = [after[0] & !first, after[1] & !second];
        let lost = [first & !after[0], second & !after[1]];
        self.each_cell(gained, |input| visit(Change { input, on: true }));
        self.each_cell(lost, |input| visit(Change { input, on: false }));
        if next.seat() != position.seat() {
            visit(Change { input: 2 * self.cells, on: next.seat() == Seat::Second });
        }
    }
}
