//! Connect Four on 7 columns and 6 rows: rules and evaluation.
//!
//! A bitboard has seven bits a column, from the bottom up; the seventh is always empty, so that lines do not run on from one
//! column into the next. J. Tromp and P. Pons describe the arithmetic on it.

use std::ops::ControlFlow;

use outplay_core::placement::{GridSymmetry, PlacementPosition, bits};
use outplay_core::scene::{Cell, Grid, GridStyle};
use outplay_core::{Evaluator, MalformedPosition, Outcome, Position, Score, Seat, Text, View, errors};

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;
/// Bits a column.
const STRIDE: u8 = ROWS + 1;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);
/// The distance between neighbours upwards, to the right, and along both diagonals.
const STEPS: [u8; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];
/// The lines of four.
const LINES: [u64; 69] = lines();

const fn lines() -> [u64; 69] {
    let (mut lines, mut found, mut place) = ([0; 69], 0, 0);
    while place < STEPS.len() as u8 * COLUMNS * STRIDE {
        let (start, step) = (place / 4, STEPS[place as usize % 4]);
        if start + 3 * step < COLUMNS * STRIDE {
            let line = (1 | 1 << step | 1 << (2 * step) | 1 << (3 * step)) << start;
            if line & BOARD == line {
                lines[found] = line;
                found += 1;
            }
        }
        place += 1;
    }
    assert!(found == lines.len());
    lines
}

/// A position. A move is the number of the cell in which the disc lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    /// The discs of the side to move.
    mine: u64,
    all: u64,
}

/// The cells of all lines of four, or more.
fn fours(discs: u64) -> u64 {
    STEPS.iter().fold(0, |found, &step| {
        let pairs = discs & discs >> step;
        let starts = pairs & pairs >> (2 * step);
        found | starts | starts << step | starts << (2 * step) | starts << (3 * step)
    })
}

/// The empty cells that would complete a line of four.
fn threats(discs: u64, all: u64) -> u64 {
    let sloped = STEPS[1..].iter().fold(0, |found, &step| {
        let (up, down) = ((discs << step) & (discs << (2 * step)), (discs >> step) & (discs >> (2 * step)));
        let three = (up & (discs << (3 * step))) | (down & (discs >> (3 * step)));
        found | three | (up & (discs >> step)) | (down & (discs << step))
    });
    (sloped | (discs << 1 & discs << 2 & discs << 3)) & BOARD & !all
}

impl ConnectFour {
    /// The empty board.
    pub const START: Self = Self { mine: 0, all: 0 };

    const fn theirs(self) -> u64 {
        self.mine ^ self.all
    }

    /// The cells in which a disc can land.
    const fn landings(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// How many cells are empty, which is how many plies a game goes on at most.
    pub const fn empty_cells(&self) -> u32 {
        (BOARD & !self.all).count_ones()
    }
}

impl View for ConnectFour {
    type Move = u8;
    const SLOTS: usize = (COLUMNS * STRIDE) as usize;

    fn slot(mv: u8) -> usize {
        usize::from(mv)
    }

    fn seat(&self) -> Seat {
        Seat::BOTH[(self.all.count_ones() % 2) as usize]
    }

    #[inline]
    fn each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if fours(self.theirs()) != 0 {
            return ControlFlow::Continue(());
        }
        bits(self.landings()).try_for_each(visit)
    }
}

impl Position for ConnectFour {
    #[inline]
    fn play(&mut self, mv: u8) {
        self.mine = self.theirs();
        self.all |= 1 << mv;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if fours(self.theirs()) != 0 {
            return Some(Outcome::Win(!self.seat()));
        }
        (self.all == BOARD).then_some(Outcome::Draw)
    }

    /// Adding the discs to the occupied cells marks the height of every column, so no two positions have the same sum.
    fn key(&self) -> u64 {
        self.mine + self.all + BOTTOM
    }
}

errors! {
    /// Why discs on the board are not a position.
    pub enum ConnectFourError {
        Hanging = "a disc hangs in the air" | "un jeton est suspendu en l’air",
        Line =
            "the side to move has four in line, so the last move was not legal"
            | "le camp au trait a quatre jetons alignés, donc le dernier coup n’était pas légal",
    }
}

impl PlacementPosition for ConnectFour {
    const SEAT_NAMES: [Text; 2] = [Text::new("red", "Rouges"), Text::new("yellow", "Jaunes")];
    const SYMBOLS: [char; 2] = ['r', 'y'];
    const SYMMETRIES: &'static [GridSymmetry] = &[GridSymmetry::MIRROR];
    const LINES: &'static [u64] = &LINES;
    const CELL_SETS: usize = 9;

    /// Rows have no names, so a move is the number of its column, and a disc falls wherever its column is touched.
    fn grid(&self) -> Grid {
        let column_labels = (1..=COLUMNS).map(|column| column.to_string()).collect();
        Grid { column_labels, ..Grid::new(COLUMNS, ROWS, GridStyle::Holes) }
    }

    fn cell(bit: u8) -> Cell {
        Cell::new(bit / STRIDE, (ROWS - 1).wrapping_sub(bit % STRIDE))
    }

    fn pieces(&self, seat: Seat) -> u64 {
        if seat == self.seat() { self.mine } else { self.theirs() }
    }

    fn set_up(&self, discs: [u64; 2], to_move: Seat) -> Result<Self, MalformedPosition> {
        let (mine, all) = (discs[to_move.index()], discs[0] | discs[1]);
        if (all + BOTTOM) & all != 0 {
            return Err(MalformedPosition::new(ConnectFourError::Hanging));
        }
        if fours(mine) != 0 {
            return Err(MalformedPosition::new(ConnectFourError::Line));
        }
        Ok(Self { mine, all })
    }

    fn placed(mv: u8) -> Option<u8> {
        Some(mv)
    }

    fn winning_line(&self) -> u64 {
        fours(self.theirs())
    }

    /// Threats, apart for the first player and the second, because who gains by a threat depends on its row and on the seat;
    /// threats that can be filled now; where a disc can land, and where it would land just below a threat.
    #[inline]
    fn each_cell_set(&self, mut visit: impl FnMut(usize, u64)) {
        let landings = self.landings();
        let [mine, theirs] = [self.mine, self.theirs()].map(|discs| threats(discs, self.all));
        let seat = self.seat().index();
        visit(seat, mine);
        visit(2 + seat, theirs);
        for (set, cells) in [mine, theirs, mine >> 1, theirs >> 1, BOARD].into_iter().enumerate() {
            visit(4 + set, landings & cells);
        }
    }
}

/// Counts the cells that would complete a line, and discs near the middle. The first player gains by threats on odd rows, which
/// come to it when the other columns are full, the second by those on even rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreatEvaluator;

impl ThreatEvaluator {
    const THREAT: i32 = 250;
    /// Added for a threat on the right row.
    const LASTING: i32 = 350;
    /// For a disc in each column.
    const CENTRE: [i32; COLUMNS as usize] = [0, 20, 50, 80, 50, 20, 0];

    fn worth(discs: u64, all: u64, seat: Seat) -> i32 {
        let lasting = if seat == Seat::First { BOTTOM << 2 | BOTTOM << 4 } else { BOTTOM << 1 | BOTTOM << 3 };
        let threats = threats(discs, all);
        let centre: i32 = bits(discs).map(|bit| Self::CENTRE[usize::from(bit / STRIDE)]).sum();
        let count = |cells: u64| cells.count_ones() as i32;
        centre + Self::THREAT * count(threats) + Self::LASTING * count(threats & lasting)
    }
}

impl Evaluator<ConnectFour> for ThreatEvaluator {
    fn set_root_seat(&mut self, _seat: Seat) {}

    fn score(&mut self, position: &ConnectFour) -> Score {
        let (seat, all) = (position.seat(), position.all);
        Score::eval(Self::worth(position.mine, all, seat) - Self::worth(position.theirs(), all, !seat))
    }

    /// Wins at once, else stops the other side from it; discs that make threats first. Moves that let the other side win at once
    /// are left out unless all do.
    fn plausible_moves(
        &mut self,
        position: &ConnectFour,
        _depth: u32,
        mut visit: impl FnMut(u8, i32),
    ) -> usize {
        let (mine, all, landings) = (position.mine, position.all, position.landings());
        let dangers = threats(position.theirs(), all);
        let safe = landings & !(dangers >> 1);
        let choices = [landings & threats(mine, all), landings & dangers, safe, landings];
        let chosen = choices.into_iter().find(|&moves| moves != 0).unwrap_or_default();
        for mv in bits(chosen) {
            let made = threats(mine | 1 << mv, all | 1 << mv).count_ones() as i32;
            visit(mv, (made << 20) + Self::CENTRE[usize::from(mv / STRIDE)]);
        }
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::conformance::{check_open_game, check_seat_encoder};
    use outplay_core::placement::PlacementSeatEncoder;
    use outplay_core::scene::{Meaning, Touch};
    use outplay_core::{PositionNotation, SeatEncoder};
    use proptest::prelude::*;

    use super::*;

    fn played(columns: &str) -> ConnectFour {
        let play = |position: ConnectFour, column: char| {
            position.after(position.read_move(&column.to_string()).unwrap())
        };
        columns.chars().fold(ConnectFour::START, play)
    }

    #[test]
    fn conforms() {
        check_open_game(&ConnectFour::START, 300, 1);
        check_seat_encoder(&[ConnectFour::START], &PlacementSeatEncoder::new(ConnectFour::START), 100, 2);
    }

    /// Red threatens the third cell of the fourth column, an odd row, which yellow must not make playable, and the fourth of the
    /// first, which can be filled at once.
    #[test]
    fn threats_are_shown() {
        let position =
            ConnectFour::START.read_like("......./......./......./rrr..../ryr.y.y/yryry.y").unwrap();
        let shown = |position: &ConnectFour| {
            let mut sets = [0; ConnectFour::CELL_SETS];
            position.each_cell_set(|set, cells| sets[set] = cells);
            sets
        };
        let cell = |column: u8, row: u8| 1 << (STRIDE * (column - 1) + row - 1);
        let (odd, even, below) = (cell(4, 3), cell(1, 4), cell(4, 2));
        let landings = even | cell(2, 4) | cell(3, 4) | below | cell(5, 3) | cell(6, 1) | cell(7, 3);
        assert_eq!(shown(&position), [odd | even, 0, 0, 0, even, 0, below, 0, landings]);
        let yellow_sees = shown(&position.after(position.read_move("6").unwrap()));
        assert_eq!(yellow_sees[..8], [0, 0, 0, odd | even, 0, even, 0, below]);
        let line = LINES.iter().position(|&line| line == cell(1, 3) | cell(2, 3) | cell(3, 3) | odd).unwrap();
        let mut on = Vec::new();
        PlacementSeatEncoder::new(position).each_computed(&position, |input| on.push(input as usize));
        assert!(on.contains(&(2 * 49 + 6 * line + 2)), "three of one's own");
    }

    #[test]
    fn endings_are_seen() {
        for line in ["1212121", "1122334", "12234334544", "76655454414"] {
            let (before, end) = (played(&line[..line.len() - 1]), played(line));
            assert_eq!((before.outcome(), end.outcome()), (None, Some(Outcome::Win(Seat::First))), "{line}");
            let marks = end.draw().marks;
            assert!(marks.len() == 4 && marks.iter().all(|mark| mark.meaning == Meaning::WinningLine));
        }
        let full = played("121212212121343434434343565656656565777777");
        assert_eq!((full.outcome(), full.moves()), (Some(Outcome::Draw), vec![]));
        assert_eq!(full.draw().caption, ["a draw"]);
    }

    #[test]
    fn a_touch_anywhere_drops_into_the_column() {
        let position = played("444");
        assert_eq!(position.attempted_move(&[Touch::Cell(Cell::new(3, 5))]), Some("4".to_owned()));
        assert_eq!(position.touches(position.read_move("4").unwrap()), [Touch::Cell(Cell::new(3, 2))]);
        let refused = |text: &str| position.read_like(text).unwrap_err().to_string();
        assert!(refused("rr").contains("2 cells, expected 42"));
        assert!(refused(&format!("r{}", ".".repeat(41))).contains("in the air"));
        assert!(refused(&format!("{}rr.....", ".".repeat(35))).contains("2 r and 0 y"));
    }

    /// Four in line by looking at every line of the board.
    fn wins(board: &[Vec<u8>], seat: u8) -> bool {
        let holds = |column: i32, row: i32| {
            board.get(column as usize).and_then(|discs| discs.get(row as usize)) == Some(&seat)
        };
        let lines = [(0, 1), (1, 0), (1, 1), (1, -1)];
        (0..7).any(|column| {
            let from = |row| lines.iter().any(|&(x, y)| (0..4).all(|i| holds(column + i * x, row + i * y)));
            (0..6).any(from)
        })
    }

    proptest! {
        #[test]
        fn play_is_as_on_a_board_of_stacks(columns in prop::collection::vec(0_u8..7, 0..60)) {
            let (mut position, mut board) = (ConnectFour::START, vec![Vec::new(); 7]);
            for column in columns {
                let open: Vec<u8> = (0..7).filter(|&column| board[usize::from(column)].len() < 6).collect();
                let won = (0..2).find(|&seat| wins(&board, seat));
                let expected = won.map(|seat| Outcome::Win(Seat::BOTH[usize::from(seat)]));
                prop_assert_eq!(position.outcome(), expected.or(open.is_empty().then_some(Outcome::Draw)));
                if position.outcome().is_some() {
                    break;
                }
                let moves: Vec<u8> = position.moves().iter().map(|mv| mv / STRIDE).collect();
                prop_assert_eq!(&moves, &open);
                let column = open[usize::from(column) % open.len()];
                board[usize::from(column)].push(position.seat().index() as u8);
                position.play(position.read_move(&(column + 1).to_string()).unwrap());
            }
        }
    }
}
