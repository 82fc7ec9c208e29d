//! What a network with a value and a policy sees of a position.
//!
//! The board has no up and down, so *mine* and *theirs* are all that a seat's view needs. Of the board that may not be recreated
//! only the entries are told that would do so: after the next move the ban is another one, so these are all there is to it.

use outplay_core::placement::GridSymmetry;
use outplay_core::scene::Cell;
use outplay_core::{Change, Seat, SeatEncoder, Symmetry, View};

use super::encode::each_bit;
use super::{Pushover, PushoverBoard, PushoverMove};

/// Inputs: the seat's own pieces by cell, the other's; computed: for each row, column and main diagonal which pieces stand on
/// it, one input for every pattern, and the entries that are forbidden. Slots are the entries.
///
/// A push moves a whole line, and what it does depends on all cells of it: that is why patterns are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushoverSeatEncoder;

/// The patterns of `pieces` on a line of 5 or fewer cells: by bits, the number that has them as its digits in base 3.
const TERNARY: [u32; 32] = {
    let (mut numbers, mut cells) = ([0; 32], 0);
    while cells < 32 {
        let (mut cell, mut power) = (0, 1);
        while cell < 5 {
            numbers[cells] += (cells as u32 >> cell & 1) * power;
            power *= 3;
            cell += 1;
        }
        cells += 1;
    }
    numbers
};

/// The number of the pattern with these pieces, (mine, theirs), on a line.
#[inline]
const fn pattern((mine, theirs): (u32, u32)) -> u32 {
    TERNARY[(mine & 31) as usize] + 2 * TERNARY[(theirs & 31) as usize]
}

/// What depends on the size of the board alone.
struct Layout<const N: usize>;

impl<const N: usize> Layout<N> {
    const CELLS: u32 = (N * N) as u32;
    const PATTERNS: u32 = 3_u32.pow(N as u32);
    /// Rows, columns, diagonals.
    const LINES: usize = 2 * N + 2;
    const LINES_START: u32 = 2 * Self::CELLS;
    const BANS_START: u32 = Self::LINES_START + Self::LINES as u32 * Self::PATTERNS;
    const INPUTS: u32 = Self::BANS_START + 4 * N as u32;

    /// The cells of a line in the order of its pattern's digits.
    fn line(number: usize) -> [usize; N] {
        std::array::from_fn(|i| match number {
            row if row < N => row * N + i,
            column if column < 2 * N => i * N + column - N,
            falling if falling == 2 * N => i * N + i,
            _ => i * N + N - 1 - i,
        })
    }

    fn image_of_cell(symmetry: GridSymmetry, cell: usize) -> usize {
        let Cell { column, row } = symmetry.image(Cell::nth(cell as u8, N as u8), N as u8, N as u8);
        usize::from(row) * N + usize::from(column)
    }

    /// The entry from which the image of a push comes: its line is the image's, and it begins at the image of its cell.
    fn image_of_entry(symmetry: GridSymmetry, entry: usize) -> usize {
        let along = |entry: usize| {
            let (side, line) = (entry / N, entry % N);
            let cells = Self::line(if side < 2 { line } else { N + line });
            if side % 2 == 0 { cells } else { std::array::from_fn(|i| cells[N - 1 - i]) }
        };
        let image = along(entry).map(|cell| Self::image_of_cell(symmetry, cell));
        (0..4 * N).find(|&entry| along(entry) == image).expect("a push goes to a push")
    }

    /// The line and the pattern that a pattern on a line goes to.
    fn image_of_pattern(symmetry: GridSymmetry, line: usize, pattern: u32) -> (usize, u32) {
        let image = Self::line(line).map(|cell| Self::image_of_cell(symmetry, cell));
        let back: [usize; N] = std::array::from_fn(|i| image[N - 1 - i]);
        let mut lines = (0..Self::LINES).map(|number| (number, Self::line(number)));
        let (number, cells) =
            lines.find(|(_, cells)| *cells == image || *cells == back).expect("a line goes to a line");
        let digits = (0..N as u32).map(|i| pattern / 3_u32.pow(i) % 3);
        let placed = digits
            .enumerate()
            .map(|(i, digit)| 3_u32.pow(if cells == image { i } else { N - 1 - i } as u32) * digit);
        (number, placed.sum())
    }

    fn symmetry(symmetry: GridSymmetry) -> Symmetry {
        let cells = (0..N * N).map(|cell| Self::image_of_cell(symmetry, cell) as u32);
        let pieces = cells.clone().chain(cells.map(|cell| Self::CELLS + cell));
        let patterns = (0..Self::LINES).flat_map(|line| {
            (0..Self::PATTERNS).map(move |pattern| {
                let (line, pattern) = Self::image_of_pattern(symmetry, line, pattern);
                Self::LINES_START + line as u32 * Self::PATTERNS + pattern
            })
        });
        let entries = (0..4 * N).map(|entry| Self::image_of_entry(symmetry, entry) as u16);
        let bans = entries.clone().map(|entry| Self::BANS_START + u32::from(entry));
        Symmetry { inputs: pieces.chain(patterns).chain(bans).collect(), slots: entries.collect() }
    }
}

impl<const N: usize> SeatEncoder<Pushover<N>> for PushoverSeatEncoder {
    fn inputs(&self) -> usize {
        Layout::<N>::INPUTS as usize
    }

    /// A piece on every cell, a pattern on every line, a ban on every entry.
    fn most_on(&self) -> usize {
        N * N + Layout::<N>::LINES + 4 * N
    }

    fn slots(&self) -> usize {
        4 * N
    }

    #[inline]
    fn each_on(&self, position: &Pushover<N>, seat: Seat, mut visit: impl FnMut(u32)) {
        let PushoverBoard { mine, theirs } = seen_by(position, seat, position.board());
        each_bit(mine, &mut visit);
        each_bit(theirs, |cell| visit(Layout::<N>::CELLS + cell));
    }

    #[inline]
    fn each_change(
        &self,
        position: &Pushover<N>,
        mv: PushoverMove,
        seat: Seat,
        mut visit: impl FnMut(Change),
    ) {
        let before = seen_by(position, seat, position.board());
        let after = seen_by(position, seat, position.board().push(mv));
        for (block, before, after) in [(0, before.mine, after.mine), (1, before.theirs, after.theirs)] {
            each_bit(before ^ after, |cell| {
                visit(Change { input: Layout::<N>::CELLS * block + cell, on: after >> cell & 1 == 1 });
            });
        }
    }

    #[inline]
    fn each_computed(&self, position: &Pushover<N>, mut visit: impl FnMut(u32)) {
        let board = position.board();
        let mut show = |line: usize, pieces| {
            visit(Layout::<N>::LINES_START + line as u32 * Layout::<N>::PATTERNS + pattern(pieces));
        };
        for line in 0..N {
            show(line, board.row(line));
            show(N + line, board.column(line));
        }
        let [falling, rising] = board.diagonals();
        show(2 * N, falling);
        show(2 * N + 1, rising);
        if position.forbidden().is_some() {
            for entry in PushoverBoard::<N>::entries().filter(|&entry| position.repeats(entry)) {
                visit(Layout::<N>::BANS_START + u32::from(entry.0));
            }
        }
    }

    #[inline]
    fn slot(&self, _position: &Pushover<N>, mv: PushoverMove) -> u16 {
        Pushover::<N>::slot(mv) as u16
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        GridSymmetry::SQUARE.map(Layout::<N>::symmetry).to_vec()
    }
}

/// A board that the side to move sees, as the seat sees it.
#[inline]
fn seen_by<const N: usize>(position: &Pushover<N>, seat: Seat, board: PushoverBoard<N>) -> PushoverBoard<N> {
    if seat == position.seat() { board } else { board.flipped() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::conformance::check_seat_encoder;
    use outplay_core::{Position, PositionNotation};

    #[test]
    fn conforms() {
        check_seat_encoder(&[Pushover::<4>::START], &PushoverSeatEncoder, 200, 1);
        check_seat_encoder(&[Pushover::<5>::START], &PushoverSeatEncoder, 50, 2);
    }

    fn computed(position: &Pushover<4>) -> Vec<u32> {
        let mut on = Vec::new();
        PushoverSeatEncoder.each_computed(position, |input| on.push(input));
        on.sort_unstable();
        on
    }

    #[test]
    fn patterns_and_forbidden_entries_are_shown() {
        assert_eq!(SeatEncoder::<Pushover<4>>::inputs(&PushoverSeatEncoder), 32 + 10 * 81 + 16);
        // The document's example: o may not play E, which is entry 4.
        let position = Pushover::<4>::START.read_like("+ooo...+...o....>++oo...+...o....A+").unwrap();
        assert_eq!(position.seat(), Seat::First);
        let line = |line: u32, digits: [u32; 4]| {
            32 + 81 * line + digits.iter().rev().fold(0, |number, digit| 3 * number + digit)
        };
        let expected = [
            line(0, [2, 2, 1, 1]),
            line(1, [0, 0, 0, 2]),
            line(2, [0, 0, 0, 1]),
            line(3, [0; 4]),
            line(4, [2, 0, 0, 0]),
            line(5, [2, 0, 0, 0]),
            line(6, [1, 0, 0, 0]),
            line(7, [1, 2, 1, 0]),
            line(8, [2, 0, 0, 0]),
            line(9, [1, 0, 0, 0]),
            32 + 810 + 4,
        ];
        assert_eq!(computed(&position), expected);
    }

    #[test]
    fn both_seats_see_their_own_pieces_alike() {
        let position = Pushover::<4>::START.after(PushoverMove(0)).after(PushoverMove(15));
        let seen = |seat| {
            let mut on = Vec::new();
            PushoverSeatEncoder.each_on(&position, seat, |input| on.push(input));
            on
        };
        assert_eq!((seen(Seat::First), seen(Seat::Second)), (vec![0, 31], vec![15, 16]));
    }
}
