//! Masked sub-grids cut out of games: the masks that real games leave, which the document wishes for (§6).
//!
//! A player who never meets a mine unmasks, again and again, a random empty cell beside what is unmasked. So whatever is
//! unmasked hangs together, and no 0 has a masked neighbour, as in games and unlike where masks are drawn.

use outplay_core::Rng;

use super::super::grid::cells_of_row;
use super::super::mine_field::MineField;
use super::super::rules::unmask;
use super::super::{BoardCell, CellContent, CellSet, VisibleBoard};
use super::sample_set::BadSet;
use super::sampler::{Centre, MineRange, SourceBoard};
use super::subgrid::{CELLS, SIDE, Subgrid, code};

/// Plays games on boards of one size and cuts masked sub-grids out of them.
#[derive(Clone, Debug)]
pub(super) struct GameSource {
    board: SourceBoard,
    mines: MineRange,
    has_flags: bool,
}

/// A game under way.
struct OracleGame {
    field: MineField,
    seen: VisibleBoard,
}

impl GameSource {
    pub(super) fn new(board: SourceBoard, mines: Option<MineRange>, has_flags: bool) -> Self {
        let mines = mines.unwrap_or(MineRange { fewest: board.mines, most: board.mines });
        Self { board, mines, has_flags }
    }

    /// Refuses boards with so many mines that every game is won by its first cell.
    pub(super) fn check(&self) -> Result<(), BadSet> {
        let (SourceBoard { rows, cols, .. }, mines) = (self.board, self.mines.most);
        if mines + 2 > rows * cols { Err(BadSet::FullBoard { rows, cols, mines }) } else { Ok(()) }
    }

    /// Sub-grids with this centre from one game, each from a moment of its own: every number of unmasked cells that the
    /// game may come to is equally likely. A moment before the first cell's cascade has ended is taken right after it.
    pub(super) fn samples(&self, centre: Centre, count: usize, rng: &mut Rng) -> Vec<u128> {
        let (mut game, empty) = self.begin(rng);
        let mut moments: Vec<usize> = (0..count).map(|_| 1 + rng.below(empty - 1)).collect();
        moments.sort_unstable();
        let (mut samples, mut due) = (Vec::with_capacity(count), moments.into_iter().peekable());
        while due.peek().is_some() {
            let before = game.seen.clone();
            game.advance(rng);
            // A moment belongs to the last board that shows no more cells than it says.
            while due.next_if(|&moment| moment < game.seen.score()).is_some() {
                samples.push(self.cut(&before, game.field.mines(), centre, rng).pack());
            }
        }
        samples
    }

    /// A game after its first cell that is not won yet, and its number of empty cells.
    fn begin(&self, rng: &mut Rng) -> (OracleGame, usize) {
        let SourceBoard { rows, cols, .. } = self.board;
        loop {
            let mines = self.mines.draw(rng);
            let first = rng.below(rows * cols);
            let first = BoardCell::new(first / cols, first % cols);
            let mut spared = CellSet::empty(rows);
            spared.insert(first);
            let field = MineField::draw(cols, mines, &spared, rng);
            let mut seen = VisibleBoard::masked_board(rows, cols, mines, self.has_flags);
            unmask(&mut seen, &field, first);
            if !seen.is_won() {
                return (OracleGame { field, seen }, rows * cols - mines);
            }
        }
    }

    /// The surroundings of a masked cell with this centre. A share of the mines beside numbers, drawn anew each time, is
    /// flagged.
    fn cut(&self, seen: &VisibleBoard, mines: &CellSet, centre: Centre, rng: &mut Rng) -> Subgrid {
        let is_kind = |cell: &BoardCell| mines.contains(*cell) == (centre == Centre::Mined);
        let count = seen.masked().iter().filter(is_kind).count();
        let middle = seen.masked().iter().filter(is_kind).nth(rng.below(count)).expect("there are so many");
        let share = if self.has_flags { rng.unit() } else { 0.0 };
        let mut codes = [code::WALL; CELLS];
        for (place, shown) in codes.iter_mut().enumerate() {
            let (row, col) = (middle.row as usize + place / SIDE, middle.col as usize + place % SIDE);
            let (Some(row), Some(col)) = (row.checked_sub(SIDE / 2), col.checked_sub(SIDE / 2)) else {
                continue;
            };
            if row >= seen.rows() || col >= seen.cols() {
                continue;
            }
            let cell = BoardCell::new(row, col);
            *shown = match seen.shown(cell) {
                CellContent::Number(number) => number as i8,
                _ if cell != middle && mines.contains(cell) && is_seen(seen, cell) && rng.unit() < share => {
                    code::FLAGGED
                }
                _ => code::MASKED,
            };
        }
        Subgrid(codes)
    }
}

/// Whether a number touches the cell.
fn is_seen(seen: &VisibleBoard, cell: BoardCell) -> bool {
    seen.neighbours(cell).any(|near| !seen.masked().contains(near))
}

impl OracleGame {
    /// Unmasks a random empty cell beside what is unmasked, or any empty cell where there is none.
    fn advance(&mut self, rng: &mut Rng) {
        let (masked, mines) = (self.seen.masked().rows(), self.field.mines().rows());
        let open = |row: usize| if row < masked.len() { !masked[row] & self.full_row() } else { 0 };
        let wide = |row: usize| open(row) | open(row) << 1 | open(row) >> 1;
        let empty = |row: usize| masked[row] & !mines[row];
        let beside = |row: usize| (wide(row.wrapping_sub(1)) | wide(row) | wide(row + 1)) & empty(row);
        let count =
            |of: &dyn Fn(usize) -> u64| (0..masked.len()).map(|row| of(row).count_ones() as usize).sum();
        let frontier: usize = count(&beside);
        let (words, total): (&dyn Fn(usize) -> u64, usize) =
            if frontier > 0 { (&beside, frontier) } else { (&empty, count(&empty)) };
        let cell = (0..masked.len()).flat_map(|row| cells_of_row(row, words(row))).nth(rng.below(total));
        let cell = cell.expect("there are so many");
        unmask(&mut self.seen, &self.field, cell);
    }

    fn full_row(&self) -> u64 {
        super::super::grid::full_row(self.seen.cols())
    }
}

#[cfg(test)]
mod tests {
    use super::super::subgrid::CENTRE;
    use super::*;

    const SOURCE: SourceBoard = SourceBoard { rows: 10, cols: 10, mines: 10 };

    fn drawn(has_flags: bool, mines: Option<MineRange>) -> impl Iterator<Item = Subgrid> {
        let source = GameSource::new(SOURCE, mines, has_flags);
        (0..2000).flat_map(move |game| {
            let centre = Centre::BOTH[game as usize % 2];
            source.samples(centre, 10, &mut Rng::stream(5, game)).into_iter().map(Subgrid::unpack)
        })
    }

    #[test]
    fn what_is_unmasked_is_as_games_leave_it() {
        let mut flagged = 0;
        for subgrid in drawn(true, None) {
            assert_eq!(subgrid.0[CENTRE], code::MASKED);
            assert!(!subgrid.0.contains(&code::MINE), "no mine is seen: {subgrid}");
            flagged += usize::from(subgrid.0.contains(&code::FLAGGED));
            for (place, _) in subgrid.0.iter().enumerate().filter(|(_, shown)| **shown == 0) {
                let (row, col) = (place / SIDE, place % SIDE);
                for (r, c) in (row.saturating_sub(1)..(row + 2).min(SIDE))
                    .flat_map(|r| (col.saturating_sub(1)..(col + 2).min(SIDE)).map(move |c| (r, c)))
                {
                    let near = subgrid.0[r * SIDE + c];
                    assert!(near >= 0 || near == code::WALL, "a 0 has a masked neighbour: {subgrid}");
                }
            }
        }
        assert!(flagged > 1000, "{flagged}");
        assert!(drawn(false, None).all(|subgrid| !subgrid.0.contains(&code::FLAGGED)));
    }

    /// One more mine a board shows in the numbers.
    #[test]
    fn boards_with_more_mines_show_higher_numbers() {
        let mean = |mines| {
            let range = Some(MineRange { fewest: mines, most: mines });
            let shown: Vec<f64> = drawn(false, range)
                .flat_map(|s| s.0.into_iter().filter(|&code| code > 0).map(f64::from))
                .collect();
            shown.iter().sum::<f64>() / shown.len() as f64
        };
        let [few, many] = [mean(5), mean(25)];
        assert!(few + 0.3 < many, "{few} {many}");
    }

    #[test]
    fn a_board_that_one_click_wins_is_drawn_again() {
        let source = GameSource::new(SourceBoard { rows: 6, cols: 6, mines: 1 }, None, false);
        for game in 0..200 {
            assert_eq!(source.samples(Centre::Empty, 3, &mut Rng::stream(1, game)).len(), 3);
        }
    }
}
