//! Othello on 8×8, 6×6 and 4×4: rules, evaluation.
//!
//! Bit `8 * row + column` is a cell, rows from the top, on boards of every size. A side that cannot turn any disc passes; if
//! neither can, the game is over and the side with more discs has won.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use outplay_core::placement::{GridSymmetry, PlacementPosition, bits};
use outplay_core::scene::{Cell, Grid, GridStyle, LabelSide};
use outplay_core::{Evaluator, MalformedPosition, Outcome, Position, Score, Seat, Text, View, errors, mix64};

/// The cells of the first column and of the last.
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// The move of a side that can turn no disc. All other moves are bits.
pub const PASS: u8 = 64;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    /// The discs of the side to move, and of the other.
    mine: u64,
    theirs: u64,
    /// Where the side to move can put a disc.
    placements: u64,
    seat: Seat,
    size: u8,
}

/// The neighbours of the cells in one of eight directions.
#[inline]
const fn step(cells: u64, direction: usize) -> u64 {
    match direction {
        0 => (cells & !RIGHT) << 1,
        1 => (cells & !LEFT) >> 1,
        2 => cells << 8,
        3 => cells >> 8,
        4 => (cells & !RIGHT) << 9,
        5 => (cells & !LEFT) >> 9,
        6 => (cells & !LEFT) << 7,
        _ => (cells & !RIGHT) >> 7,
    }
}

/// The unbroken runs of `over` that begin beside `from`.
#[inline]
fn runs(from: u64, over: u64, direction: usize) -> u64 {
    (0..5).fold(step(from, direction) & over, |run, _| run | step(run, direction) & over)
}

/// The empty cells from which a run of `theirs` ends at one of `mine`.
#[inline]
fn placements(mine: u64, theirs: u64, size: u8) -> u64 {
    let ends = (0..8).fold(0, |ends, way| ends | step(runs(mine, theirs, way), way));
    ends & board(size) & !(mine | theirs)
}

/// The cells of a board.
const fn board(size: u8) -> u64 {
    match size {
        4 => 0x0f0f_0f0f,
        6 => 0x3f3f_3f3f_3f3f,
        _ => u64::MAX,
    }
}

impl Othello {
    /// The usual start on a board of 8, 6 or 4 cells along an edge: four discs in the middle, black to move.
    pub fn start(size: u8) -> Self {
        let middle = 9 * (size / 2 - 1);
        let (black, white) = (1 << (middle + 1) | 1 << (middle + 8), 1 << middle | 1 << (middle + 9));
        Self::of_discs(black, white, Seat::First, size)
    }

    fn of_discs(mine: u64, theirs: u64, seat: Seat, size: u8) -> Self {
        Self { mine, theirs, placements: placements(mine, theirs, size), seat, size }
    }

    /// How many cells are empty. Passes apart, a game goes on for so many plies at most.
    pub const fn empty_cells(&self) -> u32 {
        (board(self.size) & !(self.mine | self.theirs)).count_ones()
    }

    /// Where the other side could put a disc if it were to move.
    fn their_placements(&self) -> u64 {
        placements(self.theirs, self.mine, self.size)
    }

    /// The corners, and the cells diagonally beside those that are empty.
    fn corners(&self) -> [u64; 2] {
        let far = self.size - 1;
        let corners = 1 | 1 << far | 1 << (8 * far) | 1 << (9 * far);
        let open = corners & !(self.mine | self.theirs);
        [corners, (4..8).fold(0, |beside, way| beside | step(open, way)) & board(self.size)]
    }
}

impl View for Othello {
    type Move = u8;
    const SLOTS: usize = PASS as usize + 1;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    #[inline]
    fn each_move<B>(&self, mut visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.placements == 0 {
            return if self.their_placements() == 0 { ControlFlow::Continue(()) } else { visit(PASS) };
        }
        bits(self.placements).try_for_each(visit)
    }
}

impl Position for Othello {
    #[inline]
    fn play(&mut self, mv: u8) {
        let turned = self.turned(mv);
        let placed = if mv == PASS { 0 } else { 1 << mv };
        *self = Self::of_discs(self.theirs ^ turned, self.mine | turned | placed, !self.seat, self.size);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.placements != 0 || self.their_placements() != 0 {
            return None;
        }
        Some(match self.mine.count_ones().cmp(&self.theirs.count_ones()) {
            Ordering::Greater => Outcome::Win(self.seat),
            Ordering::Less => Outcome::Win(!self.seat),
            Ordering::Equal => Outcome::Draw,
        })
    }

    fn key(&self) -> u64 {
        mix64(self.mine ^ mix64(self.theirs)).wrapping_add(self.seat.index() as u64)
    }
}

errors! {
    /// Why discs on the board are not a position.
    pub enum OthelloError {
        EmptyMiddle =
            "the four cells in the middle are never empty" | "les quatre cases du milieu ne sont jamais vides",
    }
}

impl PlacementPosition for Othello {
    const SEAT_NAMES: [Text; 2] = [Text::new("black", "Noirs"), Text::new("white", "Blancs")];
    const SEAT_FOLLOWS: bool = false;
    const COUNTED: bool = true;
    const SYMMETRIES: &'static [GridSymmetry] = &GridSymmetry::SQUARE;
    const CELL_SETS: usize = 4;

    fn grid(&self) -> Grid {
        let row_labels = (1..=self.size).map(|row| row.to_string()).collect();
        let grid = Grid::new(self.size, self.size, GridStyle::Plain).lettered();
        Grid { row_labels, column_labels_at: LabelSide::Top, ..grid }
    }

    fn cell(bit: u8) -> Cell {
        Cell::new(bit % 8, bit / 8)
    }

    fn pieces(&self, seat: Seat) -> u64 {
        if seat == self.seat { self.mine } else { self.theirs }
    }

    fn set_up(&self, discs: [u64; 2], to_move: Seat) -> Result<Self, MalformedPosition> {
        let Self { mine, theirs, .. } = Self::start(self.size);
        if (mine | theirs) & !(discs[0] | discs[1]) != 0 {
            return Err(MalformedPosition::new(OthelloError::EmptyMiddle));
        }
        let [mine, theirs] = [to_move, !to_move].map(|seat| discs[seat.index()]);
        Ok(Self::of_discs(mine, theirs, to_move, self.size))
    }

    fn placed(mv: u8) -> Option<u8> {
        (mv != PASS).then_some(mv)
    }

    #[inline]
    fn turned(&self, mv: u8) -> u64 {
        let placed = if mv == PASS { 0 } else { 1 << mv };
        (0..8).fold(0, |turned, way| {
            let run = runs(placed, self.theirs, way);
            if step(run, way) & self.mine == 0 { turned } else { turned | run }
        })
    }

    /// Where either side can put a disc, and the discs of either that can never be turned.
    #[inline]
    fn each_cell_set(&self, mut visit: impl FnMut(usize, u64)) {
        visit(0, self.placements);
        visit(1, self.their_placements());
        let safe = safe_axes(self.mine | self.theirs, self.size);
        visit(2, stable(self.mine, safe));
        visit(3, stable(self.theirs, safe));
    }
}

/// By pair of opposite directions, the discs that no move can turn along it: beside the rim, or in a line without an empty cell.
#[inline]
fn safe_axes(discs: u64, size: u8) -> [u64; 4] {
    let board = board(size);
    [0, 2, 4, 6].map(|way| {
        let near_empty =
            (1..size).fold(board & !discs, |cells, _| cells | step(cells, way) | step(cells, way + 1));
        let inside = step(board, way) & step(board, way + 1);
        discs & !(near_empty & inside)
    })
}

/// Discs of a side that are surely never turned: along every axis they are safe or have such a disc beside them.
#[inline]
fn stable(discs: u64, safe: [u64; 4]) -> u64 {
    let mut stable = 0;
    loop {
        let beside = |way| step(stable, way) | step(stable, way + 1);
        let next =
            [0, 2, 4, 6].into_iter().zip(safe).fold(discs, |kept, (way, safe)| kept & (safe | beside(way)));
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

const CORNER: i32 = 900;
/// For a disc diagonally beside an empty corner.
const BESIDE_CORNER: i32 = -350;
const MOBILITY: i32 = 90;
/// For a disc, once fewer cells than `LATE` are empty.
const DISC: i32 = 60;
const LATE: u32 = 12;
/// With fewer empty cells, counting the replies to a move takes longer than trying it.
const FEW: u32 = 5;

/// Corners, the moves that either side has, and towards the end discs.
#[derive(Clone, Copy, Debug, Default)]
pub struct MobilityEvaluator;

impl Evaluator<Othello> for MobilityEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &Othello) -> Score {
        let Othello { mine, theirs, .. } = *position;
        let lead = |mine: u64, theirs: u64| mine.count_ones() as i32 - theirs.count_ones() as i32;
        let [corners, beside] = position.corners();
        let disc = if position.empty_cells() < LATE { DISC } else { 0 };
        Score::eval(
            CORNER * lead(mine & corners, theirs & corners)
                + BESIDE_CORNER * lead(mine & beside, theirs & beside)
                + MOBILITY * lead(position.placements, position.their_placements())
                + disc * lead(mine, theirs),
        )
    }

    /// Corners first, then the moves that leave the other side the fewest replies.
    fn plausible_moves(&mut self, position: &Othello, depth: u32, mut visit: impl FnMut(u8, i32)) -> usize {
        let [corners, beside] = position.corners();
        let looks_ahead = depth > 2 && position.empty_cells() >= FEW;
        let _ = position.each_move(|mv| {
            let replies = if looks_ahead { position.after(mv).placements.count_ones() as i32 } else { 0 };
            let at = |cells: u64| i32::from(mv != PASS && cells >> mv & 1 == 1);
            visit(mv, (8 * at(corners) - 4 * at(beside) - replies) << 14);
            ControlFlow::<()>::Continue(())
        });
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::PositionNotation;
    use outplay_core::conformance::{check_open_game, check_seat_encoder};
    use outplay_core::placement::PlacementSeatEncoder;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn conforms() {
        for size in [4, 6, 8] {
            check_open_game(&Othello::start(size), 60, 1);
        }
    }

    /// Half of the symmetries exchange the colours of the four discs in the middle.
    #[test]
    fn seats_are_shown_the_board_as_their_own() {
        for size in [4, 6, 8] {
            let start = Othello::start(size);
            let exchanged = Othello::of_discs(start.theirs, start.mine, Seat::First, size);
            check_seat_encoder(&[start, exchanged], &PlacementSeatEncoder::new(start), 30, 3);
        }
    }

    #[test]
    fn moves_and_stable_discs_are_shown() {
        let sets = |text| {
            let (position, mut sets) = (Othello::start(4).read_like(text).unwrap(), [0; 4]);
            position.each_cell_set(|set, cells| sets[set] = cells);
            sets
        };
        let cells = |bits: &[u8]| bits.iter().fold(0, |cells, bit| cells | 1_u64 << bit);
        let start = [cells(&[1, 8, 19, 26]), cells(&[2, 11, 16, 25]), 0, 0];
        assert_eq!(sets("..../.ox./.xo./.... x"), start);
        // Corners, and what stands beside one on the rim.
        assert_eq!(sets("xx.o/xox./.xo./.... x")[2..], [cells(&[0, 1, 8]), cells(&[3])]);
    }

    /// No game turns a disc that was called stable.
    #[test]
    fn stable_discs_stay() {
        let mut rng = outplay_core::Rng::new(4);
        for game in 0..300 {
            let (mut position, mut known) = (Othello::start([4, 6, 8][game % 3]), [0; 2]);
            while position.outcome().is_none() {
                for seat in Seat::BOTH {
                    let discs = position.pieces(seat);
                    assert_eq!(known[seat.index()] & !discs, 0, "{position:?}");
                    known[seat.index()] =
                        stable(discs, safe_axes(position.mine | position.theirs, position.size));
                }
                position.play(position.random_move(&mut rng, &mut Vec::new()));
            }
        }
    }

    #[test]
    fn endings_are_seen() {
        let read = |text| Othello::start(4).read_like(text).unwrap();
        let full = read("xxxx/xxxx/oooo/oooo x");
        assert_eq!((full.outcome(), full.moves()), (Some(Outcome::Draw), vec![]));
        let double_pass = read("xxxx/xxxx/xxxo/xx.o o");
        assert_eq!((double_pass.outcome(), double_pass.moves()), (Some(Outcome::Win(Seat::First)), vec![]));
        let must_pass = read("xxxx/xxxx/xxxo/xxo. o");
        assert_eq!((must_pass.outcome(), must_pass.moves()), (None, vec![PASS]));
        assert!(must_pass.touches(PASS).is_empty() && must_pass.write_move(PASS) == "pass");
        let wiped_out = must_pass.after(PASS).after(27);
        assert_eq!(wiped_out.write(), "xxxx/xxxx/xxxx/xxxx o");
        assert_eq!(wiped_out.draw().caption, ["black (x) 16, white (o) 0; black has won"]);
    }

    /// The discs that `mine` turns by walking from the cell, one step after the other.
    fn turned_by_walking(mine: u64, theirs: u64, size: u8, bit: u8) -> u64 {
        let on_board =
            |row, column| (0..i32::from(size)).contains(&row) && (0..i32::from(size)).contains(&column);
        let mut turned = 0;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (mut run, mut row, mut column) = (0, i32::from(bit / 8) + down, i32::from(bit % 8) + right);
            while on_board(row, column) && theirs >> (8 * row + column) & 1 == 1 {
                (run, row, column) = (run | 1 << (8 * row + column), row + down, column + right);
            }
            if on_board(row, column) && mine >> (8 * row + column) & 1 == 1 {
                turned |= run;
            }
        }
        turned
    }

    proptest! {
        #[test]
        fn discs_turn_as_by_walking(half in 2_u8..=4, choices in prop::collection::vec(any::<usize>(), 64)) {
            let mut position = Othello::start(2 * half);
            for choice in choices {
                let Othello { mine, theirs, size, .. } = position;
                let empty: Vec<u8> = bits(board(size) & !(mine | theirs)).collect();
                let can_turn = |&&bit: &&u8| turned_by_walking(mine, theirs, size, bit) != 0;
                let mut expected: Vec<u8> = empty.iter().filter(can_turn).copied().collect();
                if expected.is_empty() && empty.iter().any(|&bit| turned_by_walking(theirs, mine, size, bit) != 0) {
                    expected.push(PASS);
                }
                prop_assert_eq!(position.moves(), &expected[..]);
                prop_assert_eq!(position.outcome().is_some(), expected.is_empty());
                let Some(&mv) = expected.get(choice % expected.len().max(1)) else { break };
                if mv != PASS {
                    prop_assert_eq!(position.turned(mv), turned_by_walking(mine, theirs, size, mv));
                }
                position.play(mv);
            }
        }
    }
}
