//! The hidden field: the mines, and the numbers that follow from them. A field never changes once it is laid.

use outplay_core::Rng;

use super::grid::{BoardCell, CellSet, MAX_SIDE, around, beside, full_row};

/// A laid field. The numbers are kept as bits: `counts[row][b]` holds bit `b` of the number of every cell.
#[derive(Clone, Debug)]
pub(super) struct MineField {
    cols: usize,
    mines: CellSet,
    counts: Vec<[u64; 4]>,
}

impl MineField {
    pub(super) fn new(mines: CellSet, cols: usize) -> Self {
        let rows = mines.rows();
        let counts = (0..rows.len()).map(|row| count_row(rows, row)).collect();
        Self { cols, mines, counts }
    }

    /// Lays `mines` mines uniformly over the cells outside `spared`; there is room for them.
    pub(super) fn draw(cols: usize, mines: usize, spared: &CellSet, rng: &mut Rng) -> Self {
        let rows = spared.rows().len();
        let room = rows * cols - spared.len();
        let mut chosen = spared.clone();
        // Whichever is rarer, mines or empty cells, is drawn; a cell drawn twice is drawn again.
        let rarer = mines.min(room - mines);
        let mut drawn = 0;
        while drawn < rarer {
            let place = rng.below(rows * cols);
            let cell = BoardCell::new(place / cols, place % cols);
            drawn += usize::from(!chosen.contains(cell));
            chosen.insert(cell);
        }
        let mines_were_drawn = rarer == mines;
        for (word, spared) in chosen.rows_mut().iter_mut().zip(spared.rows()) {
            *word = if mines_were_drawn { *word & !spared } else { full_row(cols) & !*word };
        }
        Self::new(chosen, cols)
    }

    pub(super) const fn mines(&self) -> &CellSet {
        &self.mines
    }

    #[inline]
    pub(super) fn number(&self, cell: BoardCell) -> u8 {
        let counts = &self.counts[cell.row as usize];
        counts.iter().enumerate().map(|(bit, word)| ((word >> cell.col & 1) as u8) << bit).sum()
    }

    /// The cells that unmasking `cell`, a 0, unmasks, as rows: those in or around the 0s connected to it, as far as
    /// `open` allows.
    pub(super) fn cascade(&self, cell: BoardCell, open: impl Fn(usize) -> u64) -> [u64; MAX_SIDE] {
        let rows = self.counts.len();
        let mut zeros = [0u64; MAX_SIDE];
        for (row, [a, b, c, d]) in self.counts.iter().enumerate() {
            zeros[row] = !(a | b | c | d | self.mines.rows()[row]) & open(row);
        }
        let mut region = [0u64; MAX_SIDE];
        region[cell.row as usize] = 1 << cell.col;
        let mut grows = true;
        while grows {
            grows = false;
            for row in (0..rows).chain((0..rows).rev()) {
                let reached = fill_row(around(&region[..rows], row) & zeros[row], zeros[row]);
                grows |= reached != region[row];
                region[row] = reached;
            }
        }
        let mut unmasked = [0; MAX_SIDE];
        for (row, word) in unmasked.iter_mut().enumerate().take(rows) {
            *word = around(&region[..rows], row) & open(row) & full_row(self.cols);
        }
        unmasked
    }
}

/// The runs of `passable` that touch `reached`.
#[inline]
fn fill_row(mut reached: u64, passable: u64) -> u64 {
    loop {
        let wider = beside(reached) & passable;
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}

/// The bits of the numbers of one row: eight neighbours, added one by one.
fn count_row(mines: &[u64], row: usize) -> [u64; 4] {
    let [mut ones, mut twos, mut fours, mut eights] = [0u64; 4];
    let mut add = |word: u64| {
        let two = ones & word;
        ones ^= word;
        let four = twos & two;
        twos ^= two;
        eights |= fours & four;
        fours ^= four;
    };
    let beside_it = mines[row];
    add(beside_it << 1);
    add(beside_it >> 1);
    let above = row.checked_sub(1).map(|above| mines[above]);
    for word in above.into_iter().chain(mines.get(row + 1).copied()) {
        add(word);
        add(word << 1);
        add(word >> 1);
    }
    [ones, twos, fours, eights]
}
