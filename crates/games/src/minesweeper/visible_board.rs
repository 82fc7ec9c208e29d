//! What the player knows: numbers, masks, flags. Nothing here depends on mines that the player cannot infer from the
//! board.

use std::ops::ControlFlow;

use outplay_core::{Rng, Seat, View};

use super::grid::{BoardCell, CellSet, MAX_SIDE, around, cells_of_row};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Unmasks a masked cell without a flag.
    Unmask(BoardCell),
    /// Unmasks every neighbour without a flag of a number that has as many flags around it as it says.
    Chord(BoardCell),
    /// Flags a masked cell.
    Flag(BoardCell),
    /// Removes a flag.
    Unflag(BoardCell),
}

impl Action {
    /// The cell that the move names.
    pub const fn cell(self) -> BoardCell {
        match self {
            Self::Unmask(cell) | Self::Chord(cell) | Self::Flag(cell) | Self::Unflag(cell) => cell,
        }
    }
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellContent {
    /// Nothing yet.
    Masked,
    /// A mask with a flag on it.
    Flag,
    /// The number of mines around it.
    Number(u8),
    /// The mine that ended the game.
    Mine,
}

/// The number stored for an unmasked mine.
const MINE: u8 = 9;

/// A board as the player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VisibleBoard {
    cols: u8,
    mines: u16,
    has_flags: bool,
    masked_count: u16,
    exploded: u16,
    masked: CellSet,
    flagged: CellSet,
    /// Row by row; 0 where masked.
    numbers: Vec<u8>,
}

impl VisibleBoard {
    /// A board on which every cell is masked. The sizes are from 1 to [`MAX_SIDE`], and the mines fewer than cells.
    pub fn masked_board(rows: usize, cols: usize, mines: usize, has_flags: bool) -> Self {
        assert!((1..=MAX_SIDE).contains(&rows) && (1..=MAX_SIDE).contains(&cols), "a board of {rows}×{cols}");
        Self {
            cols: cols as u8,
            mines: mines as u16,
            has_flags,
            masked_count: (rows * cols) as u16,
            exploded: 0,
            masked: CellSet::full(rows, cols),
            flagged: CellSet::empty(rows),
            numbers: vec![0; rows * cols],
        }
    }

    /// How many rows the board has.
    pub fn rows(&self) -> usize {
        self.masked.rows().len()
    }

    /// How many columns it has.
    pub const fn cols(&self) -> usize {
        self.cols as usize
    }

    /// How many mines there are in all.
    pub const fn mines(&self) -> usize {
        self.mines as usize
    }

    /// Whether flags may be placed.
    pub const fn has_flags(&self) -> bool {
        self.has_flags
    }

    /// The masked cells, with and without flags.
    pub const fn masked(&self) -> &CellSet {
        &self.masked
    }

    /// How many cells are masked.
    pub const fn masked_count(&self) -> usize {
        self.masked_count as usize
    }

    /// The cells with a flag: the player's opinion, which no rule and no solver trusts.
    pub const fn flagged(&self) -> &CellSet {
        &self.flagged
    }

    /// Mines minus flags, as a player counts down; negative with too many flags.
    pub fn unflagged_mines(&self) -> i32 {
        i32::from(self.mines) - self.flagged.len() as i32
    }

    /// How many mines are still under masks.
    pub const fn mines_left(&self) -> i32 {
        self.mines as i32 - self.exploded as i32
    }

    /// The score: unmasked empty cells.
    pub fn score(&self) -> usize {
        self.numbers.len() - self.masked_count as usize - self.exploded as usize
    }

    /// Whether a mine was unmasked.
    pub const fn is_lost(&self) -> bool {
        self.exploded > 0
    }

    /// Whether every empty cell is unmasked.
    pub const fn is_won(&self) -> bool {
        self.exploded == 0 && self.masked_count == self.mines
    }

    /// Whether the cell is on this board.
    pub fn holds(&self, cell: BoardCell) -> bool {
        (cell.row as usize) < self.rows() && cell.col < self.cols
    }

    /// What the cell shows.
    pub fn shown(&self, cell: BoardCell) -> CellContent {
        if self.flagged.contains(cell) {
            CellContent::Flag
        } else if self.masked.contains(cell) {
            CellContent::Masked
        } else {
            match self.numbers[self.index(cell)] {
                MINE => CellContent::Mine,
                number => CellContent::Number(number),
            }
        }
    }

    /// The cells around one.
    pub fn neighbours(&self, cell: BoardCell) -> impl Iterator<Item = BoardCell> + use<> {
        cell.neighbours(self.rows(), self.cols())
    }

    /// The index of the cell in a list of all cells, row by row.
    #[inline]
    pub const fn index(&self, cell: BoardCell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }

    /// Reveals a number in a masked cell, as if the cell had been unmasked; a flag on it is removed.
    #[inline]
    pub fn reveal(&mut self, cell: BoardCell, number: u8) {
        debug_assert!(self.masked.contains(cell) && number <= 8);
        self.masked.remove(cell);
        self.flagged.remove(cell);
        self.masked_count -= 1;
        let index = self.index(cell);
        self.numbers[index] = number;
    }

    /// Masks an unmasked empty cell again: undoes [`reveal`](Self::reveal), except for the flag.
    #[inline]
    pub(super) fn conceal(&mut self, cell: BoardCell) {
        debug_assert!(matches!(self.shown(cell), CellContent::Number(_)));
        self.masked.insert(cell);
        self.masked_count += 1;
        let index = self.index(cell);
        self.numbers[index] = 0;
    }

    /// Shows a mine in a masked cell: the game is lost.
    pub(super) fn explode(&mut self, cell: BoardCell) {
        self.reveal(cell, 0);
        let index = self.index(cell);
        self.numbers[index] = MINE;
        self.exploded += 1;
    }

    /// The numbers of all cells, row by row; 0 where masked.
    pub(super) fn numbers(&self) -> &[u8] {
        &self.numbers
    }

    /// The same board without its flags, in a game that has none.
    #[must_use]
    pub fn without_flags(mut self) -> Self {
        self.flagged.clear();
        self.has_flags = false;
        self
    }

    pub(super) fn set_flag(&mut self, cell: BoardCell, flag: bool) {
        if flag {
            self.flagged.insert(cell);
        } else {
            self.flagged.remove(cell);
        }
    }

    /// The word of the cells in a row that may be unmasked.
    #[inline]
    pub(super) fn open_row(&self, row: usize) -> u64 {
        self.masked.rows()[row] & !self.flagged.rows()[row]
    }

    /// The moves that make progress: unmasking any cell without a flag; if there is none, removing any flag.
    pub fn open_actions(&self) -> impl Iterator<Item = Action> {
        let all_flagged = self.masked.iter().all(|cell| self.flagged.contains(cell));
        let open = self.masked.iter().filter(move |&cell| all_flagged || !self.flagged.contains(cell));
        open.map(move |cell| if all_flagged { Action::Unflag(cell) } else { Action::Unmask(cell) })
    }

    /// Whether a number has as many flags around it as it says, and something left to unmask.
    pub fn can_chord(&self, cell: BoardCell) -> bool {
        let CellContent::Number(number @ 1..) = self.shown(cell) else { return false };
        let (mut flags, mut open) = (0, 0);
        for neighbour in self.neighbours(cell) {
            match self.shown(neighbour) {
                CellContent::Flag => flags += 1,
                CellContent::Masked => open += 1,
                CellContent::Number(_) | CellContent::Mine => {}
            }
        }
        open > 0 && flags == number
    }

    /// A hash of the view: equal views of one game have equal keys, different ones very likely do not.
    pub fn key(&self) -> u64 {
        let mix = |key: u64, word: u64| {
            let mixed = (key ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
            mixed ^ mixed >> 32
        };
        let sets = self.masked.rows().iter().chain(self.flagged.rows());
        let key = sets.fold(u64::from(self.exploded) + 1, |key, &word| mix(key, word));
        self.numbers.chunks(8).fold(key, |key, eight| {
            mix(key, eight.iter().fold(0, |word, &number| word << 8 | u64::from(number)))
        })
    }

    const fn is_over(&self) -> bool {
        self.is_lost() || self.is_won()
    }

    /// Visits the moves of games with flags: chords, flagging, unflagging.
    fn each_flag_move<B>(&self, visit: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for row in 0..self.rows() {
            let beside_flags = around(self.flagged.rows(), row) & !self.masked.rows()[row];
            for cell in cells_of_row(row, beside_flags).filter(|&cell| self.holds(cell)) {
                if self.can_chord(cell) {
                    visit(Action::Chord(cell))?;
                }
            }
        }
        for row in 0..self.rows() {
            for cell in cells_of_row(row, self.open_row(row)) {
                visit(Action::Flag(cell))?;
            }
        }
        for cell in self.flagged.iter() {
            visit(Action::Unflag(cell))?;
        }
        ControlFlow::Continue(())
    }
}

impl View for VisibleBoard {
    type Move = Action;

    const SLOTS: usize = 4 * MAX_SIDE * MAX_SIDE;

    fn slot(mv: Action) -> usize {
        let kind = match mv {
            Action::Unmask(_) => 0,
            Action::Chord(_) => 1,
            Action::Flag(_) => 2,
            Action::Unflag(_) => 3,
        };
        let cell = mv.cell();
        (kind * MAX_SIDE + cell.row as usize) * MAX_SIDE + cell.col as usize
    }

    fn seat(&self) -> Seat {
        Seat::First
    }

    /// Cells to unmask, row by row; then, in a game with flags, chords, flags, flags taken away.
    fn each_move<B>(&self, mut visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        for row in 0..self.rows() {
            for cell in cells_of_row(row, self.open_row(row)) {
                visit(Action::Unmask(cell))?;
            }
        }
        if self.has_flags { self.each_flag_move(&mut visit) } else { ControlFlow::Continue(()) }
    }

    fn is_legal(&self, mv: Action) -> bool {
        let cell = mv.cell();
        if self.is_over() || !self.holds(cell) {
            return false;
        }
        match mv {
            Action::Unmask(_) => self.shown(cell) == CellContent::Masked,
            Action::Flag(_) => self.has_flags && self.shown(cell) == CellContent::Masked,
            Action::Unflag(_) => self.has_flags && self.shown(cell) == CellContent::Flag,
            Action::Chord(_) => self.has_flags && self.can_chord(cell),
        }
    }

    /// Without flags a move is a masked cell, drawn without listing them.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        if self.has_flags {
            scratch.clear();
            self.moves_into(scratch);
            return rng.pick(scratch);
        }
        let mut skipped = rng.below(self.masked_count());
        for (row, &word) in self.masked.rows().iter().enumerate() {
            let here = word.count_ones() as usize;
            if skipped < here {
                let cell = cells_of_row(row, word).nth(skipped).expect("the row has more cells");
                return Action::Unmask(cell);
            }
            skipped -= here;
        }
        unreachable!("an unfinished game has a masked cell")
    }
}
