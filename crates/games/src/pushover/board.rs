//! Bitboards and the push, without colours or turns.
//!
//! The push is branch-free: it gathers the line's occupancy, looks the moved cells up in a table, and rotates.

/// A move: the edge entry where a piece is pushed in, `side · N + line`, sides in the order left, right, top, bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PushoverMove(pub u8);

/// Two bitboards. Bit `row · N + column`, row 0 at the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct PushoverBoard<const N: usize> {
    /// The pieces of the side to move.
    pub mine: u32,
    /// The pieces of the other side.
    pub theirs: u32,
}

impl<const N: usize> PushoverBoard<N> {
    /// No piece at all.
    pub const EMPTY: Self = Self { mine: 0, theirs: 0 };
    /// The number of entries.
    pub const ENTRIES: usize = 4 * N;

    const TABLES: &'static PushTables = &PushTables::build(N);

    /// The board after the side to move has pushed a piece in at `entry`, *still seen by that side*.
    ///
    /// Pieces that touch each other from the edge on move by one cell; the first empty cell absorbs the push;
    /// if there is none, the last piece falls off the far edge.
    #[inline]
    #[must_use]
    pub const fn push(self, entry: PushoverMove) -> Self {
        let lane = &Self::TABLES.lanes[entry.0 as usize & 31];
        let moved = lane.moved[lane.gathered(self.mine | self.theirs, N) as usize & 31];
        Self {
            mine: (self.mine & !moved) | ((self.mine & moved).rotate_left(lane.step) & moved) | lane.entry,
            theirs: (self.theirs & !moved) | ((self.theirs & moved).rotate_left(lane.step) & moved),
        }
    }

    /// The same board seen by the other side.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { mine: self.theirs, theirs: self.mine }
    }

    /// The number of pieces on the board.
    #[inline]
    pub const fn pieces(self) -> u32 {
        (self.mine | self.theirs).count_ones()
    }

    /// Whether the bitboard holds a full row, column or main diagonal.
    #[inline]
    pub const fn has_line(side: u32) -> bool {
        let (mut row, mut column, mut step) = (side, side, 1);
        while step < N {
            row &= side >> step;
            column &= side >> (step * N);
            step += 1;
        }
        let tables = Self::TABLES;
        (row & tables.row_starts) | (column & tables.column_starts) != 0
            || side & tables.falling == tables.falling
            || side & tables.rising == tables.rising
    }

    /// The pieces (mine, theirs) of a row as two `N`-bit numbers, left to right from the low bit.
    #[inline]
    pub const fn row(self, row: usize) -> (u32, u32) {
        let full = (1 << N) - 1;
        (self.mine >> (row * N) & full, self.theirs >> (row * N) & full)
    }

    /// The pieces (mine, theirs) of a column as two `N`-bit numbers, top to bottom from the low bit.
    #[inline]
    pub const fn column(self, column: usize) -> (u32, u32) {
        let lane = &Self::TABLES.lanes[(2 * N + column) & 31];
        (lane.gathered(self.mine, N), lane.gathered(self.theirs, N))
    }

    /// The pieces (mine, theirs) of the two main diagonals as `N`-bit numbers, top to bottom from the low bit.
    #[inline]
    pub const fn diagonals(self) -> [(u32, u32); 2] {
        let (mut falling, mut rising, mut i) = ((0, 0), (0, 0), 0);
        while i < N {
            let (fall, rise) = (i * N + i, i * N + N - 1 - i);
            falling = (falling.0 | (self.mine >> fall & 1) << i, falling.1 | (self.theirs >> fall & 1) << i);
            rising = (rising.0 | (self.mine >> rise & 1) << i, rising.1 | (self.theirs >> rise & 1) << i);
            i += 1;
        }
        [falling, rising]
    }

    /// The cell where a piece pushed in at `entry` comes to stand.
    pub const fn entry_cell(entry: PushoverMove) -> u32 {
        Self::TABLES.lanes[entry.0 as usize & 31].entry
    }

    /// All entries, in order.
    pub fn entries() -> impl DoubleEndedIterator<Item = PushoverMove> + ExactSizeIterator {
        (0..Self::ENTRIES as u8).map(PushoverMove)
    }
}

/// A line and the direction in which it is pushed.
#[derive(Clone, Copy)]
struct PushLane {
    line: u32,
    entry: u32,
    /// Left rotation that moves a piece one cell along the push.
    step: u32,
    /// Multiplying the line's cells by `gather` and shifting right brings them together as an `N`-bit number.
    gather: u64,
    gather_shift: u32,
    /// By the gathered occupation: the cells from the entry up to the first empty one, or the whole line.
    moved: [u32; 32],
}

struct PushTables {
    /// Sized beyond the 20 entries of 5×5 so that a 5-bit index needs no bounds check.
    lanes: [PushLane; 32],
    row_starts: u32,
    column_starts: u32,
    falling: u32,
    rising: u32,
}

impl PushTables {
    const fn build(n: usize) -> Self {
        let nothing = PushLane { line: 0, entry: 0, step: 0, gather: 0, gather_shift: 0, moved: [0; 32] };
        let mut tables =
            Self { lanes: [nothing; 32], row_starts: 0, column_starts: 0, falling: 0, rising: 0 };
        let mut i = 0;
        while i < n {
            tables.row_starts |= 1 << (i * n);
            tables.column_starts |= 1 << i;
            tables.falling |= 1 << (i * n + i);
            tables.rising |= 1 << (i * n + n - 1 - i);
            let mut side = 0;
            while side < 4 {
                tables.lanes[side * n + i] = PushLane::build(n, side, i);
                side += 1;
            }
            i += 1;
        }
        tables
    }
}

impl PushLane {
    /// The line's cells in a bitboard as an `n`-bit number.
    #[inline]
    const fn gathered(&self, side: u32, n: usize) -> u32 {
        let spread = (side & self.line) as u64 * self.gather;
        (spread >> self.gather_shift) as u32 & ((1 << n) - 1)
    }

    const fn build(n: usize, side: usize, index: usize) -> Self {
        let is_row = side < 2;
        let from_low_end = side.is_multiple_of(2);
        let (first, stride) = if is_row { (index * n, 1) } else { (index, n) };
        let mut line = 0;
        let mut gather = if is_row { 1 } else { 0 };
        let mut cell = 0;
        while cell < n {
            line |= 1 << (first + cell * stride);
            if !is_row {
                // Cell k of a column stands at index + n·k; the term 2^((n−1)(n−1−k)) brings it to
                // index + (n−1)² + k, and all other products land on bits of their own, so nothing carries.
                gather |= 1 << ((n - 1) * (n - 1 - cell));
            }
            cell += 1;
        }
        let gather_shift = if is_row { first } else { index + (n - 1) * (n - 1) };
        let entry = 1 << (if from_low_end { first } else { first + (n - 1) * stride });
        let step = if from_low_end { stride } else { 32 - stride };
        let mut moved = [0; 32];
        let mut occupation = 0;
        while occupation < 1 << n {
            moved[occupation] = Self::moved_cells(n, first, stride, from_low_end, occupation);
            occupation += 1;
        }
        Self { line, entry, step: step as u32, gather, gather_shift: gather_shift as u32, moved }
    }

    const fn moved_cells(
        n: usize,
        first: usize,
        stride: usize,
        from_low_end: bool,
        occupation: usize,
    ) -> u32 {
        let mut cells = 0;
        let mut depth = 0;
        while depth < n {
            let cell = if from_low_end { depth } else { n - 1 - depth };
            cells |= 1 << (first + cell * stride);
            if occupation >> cell & 1 == 0 {
                break;
            }
            depth += 1;
        }
        cells
    }
}
