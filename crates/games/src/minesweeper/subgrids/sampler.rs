//! Drawing unmasked sub-grids as if cut out of boards (§3.2.3).
//!
//! A 7×7 sub-grid is drawn by the document's Algorithms 2 and 3, and the 5×5 one in its middle is cut out, so that
//! the numbers along its edge count mines beyond it.

use outplay_core::Rng;

use super::sample_set::BadSet;
use super::subgrid::{CELLS, SIDE, Subgrid, code};

/// The radius of the sub-grids that are drawn, from which those of radius 2 are cut.
const RADIUS: usize = 3;
/// Cells along their edge.
const DRAWN: usize = 2 * RADIUS + 1;
/// The number of bits per row where a drawn sub-grid's mines are stored as one word.
const STRIDE: usize = 8;
/// The bit of the centre in such a word.
const CENTRE_BIT: usize = RADIUS * STRIDE + RADIUS;
/// The cells around the second cell of the second row in such a word.
const AROUND: u64 = 0b111 << (2 * STRIDE) | 0b101 << STRIDE | 0b111;

/// The boards that sub-grids are cut out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceBoard {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Mines.
    pub mines: usize,
}

impl SourceBoard {
    /// The document's: 10×10 with 10 mines.
    pub const OF_DOCUMENT: Self = Self { rows: 10, cols: 10, mines: 10 };
}

/// What is in the middle of a sub-grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Centre {
    /// Nothing.
    Empty,
    /// A mine.
    Mined,
}

impl Centre {
    /// Both, in the order of the document's training sets.
    pub const BOTH: [Self; 2] = [Self::Empty, Self::Mined];
}

/// The fewest and the most mines of boards; every number between them is equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MineRange {
    /// The fewest.
    pub fewest: usize,
    /// The most.
    pub most: usize,
}

impl MineRange {
    /// The number of mines of one board.
    pub fn draw(self, rng: &mut Rng) -> usize {
        if self.fewest == self.most {
            return self.fewest;
        }
        self.fewest + rng.below(self.most - self.fewest + 1)
    }
}

/// Draws sub-grids of boards of one size.
#[derive(Clone, Debug)]
pub struct SubgridSampler {
    board: SourceBoard,
    mines: MineRange,
}

/// The part of a drawn sub-grid, along one axis, that is on the board.
#[derive(Clone, Copy)]
struct AxisRange {
    first: usize,
    end: usize,
}

impl AxisRange {
    const fn len(self) -> usize {
        self.end - self.first
    }

    const fn holds(self, place: usize) -> bool {
        self.first <= place && place < self.end
    }
}

impl SubgridSampler {
    /// A sampler for these boards, with so many mines or with as many as the range says. The algorithms need at least
    /// six rows and columns, or a sub-grid could lie beyond two opposite edges.
    pub fn new(board: SourceBoard, mines: Option<MineRange>) -> Result<Self, BadSet> {
        let SourceBoard { rows, cols, .. } = board;
        let mines = mines.unwrap_or(MineRange { fewest: board.mines, most: board.mines });
        if mines.fewest > mines.most {
            return Err(BadSet::MineRange { fewest: mines.fewest, most: mines.most });
        }
        for mines in [mines.fewest, mines.most] {
            if rows < 2 * RADIUS || cols < 2 * RADIUS || !(1..rows * cols).contains(&mines) {
                return Err(BadSet::SourceBoard { rows, cols, mines });
            }
        }
        Ok(Self { board, mines })
    }

    /// A sub-grid without a mask.
    pub fn sample(&self, centre: Centre, rng: &mut Rng) -> Subgrid {
        let cols = wall_thickness(self.board.cols, rng);
        let rows = wall_thickness(self.board.rows, rng);
        let mines = self.mines.draw(rng);
        let count = self.number_of_mines(rows.len() * cols.len(), mines, rng);
        extract(place_mines(centre, rows, cols, count, rng), rows, cols)
    }

    /// Algorithm 3: each mine of the board falls into the sub-grid with the share of cells that are in it.
    fn number_of_mines(&self, free_cells: usize, mines: usize, rng: &mut Rng) -> usize {
        let ratio = free_cells as f64 / (self.board.rows * self.board.cols) as f64;
        (0..mines).filter(|_| rng.unit() < ratio).count()
    }
}

/// Algorithm 2 along one axis: a wall on the near side, on the far side, or none.
fn wall_thickness(cells_of_board: usize, rng: &mut Rng) -> AxisRange {
    let chance = RADIUS as f64 / cells_of_board as f64;
    let (drawn, thickness) = (rng.unit(), 1 + rng.below(RADIUS));
    if drawn < chance {
        AxisRange { first: thickness, end: DRAWN }
    } else if drawn < 2.0 * chance {
        AxisRange { first: 0, end: DRAWN - thickness }
    } else {
        AxisRange { first: 0, end: DRAWN }
    }
}

/// Places `count` mines on different free cells. A mined centre has one of them, and one even if none was drawn; an
/// empty centre has none.
fn place_mines(centre: Centre, rows: AxisRange, cols: AxisRange, count: usize, rng: &mut Rng) -> u64 {
    let (middle, room) = (1 << CENTRE_BIT, rows.len() * cols.len() - 1);
    let others = match centre {
        Centre::Empty => count.min(room),
        Centre::Mined => count.saturating_sub(1).min(room),
    };
    let (mut taken, mut placed): (u64, usize) = (middle, 0);
    while placed < others {
        let place = rng.below(rows.len() * cols.len());
        let bit = 1 << ((rows.first + place / cols.len()) * STRIDE + cols.first + place % cols.len());
        placed += usize::from(taken & bit == 0);
        taken |= bit;
    }
    if centre == Centre::Mined { taken } else { taken & !middle }
}

/// The 5×5 sub-grid in the middle, with its numbers.
fn extract(mines: u64, rows: AxisRange, cols: AxisRange) -> Subgrid {
    let cell = |place: usize| {
        let (row, col) = (1 + place / SIDE, 1 + place % SIDE);
        if !rows.holds(row) || !cols.holds(col) {
            code::WALL
        } else if mines >> (row * STRIDE + col) & 1 == 1 {
            code::MINE
        } else {
            (mines & AROUND << ((row - 1) * STRIDE + col - 1)).count_ones() as i8
        }
    };
    let cells: [i8; CELLS] = std::array::from_fn(cell);
    Subgrid(cells)
}

#[cfg(test)]
mod tests {
    use super::super::subgrid::CENTRE;
    use super::*;

    const DRAWS: usize = 60_000;

    /// Whether a count out of [`DRAWS`] agrees with this probability within five standard deviations.
    fn is_chance(count: usize, chance: f64) -> bool {
        let n = DRAWS as f64;
        (count as f64 - n * chance).abs() < 5.0 * (n * chance * (1.0 - chance)).sqrt() + 1e-9
    }

    #[test]
    fn walls_are_as_thick_as_algorithm_2_says() {
        for cells in [6, 10, 24] {
            let mut rng = Rng::new(1);
            let mut counts = [[0; DRAWN + 1]; DRAWN + 1];
            for _ in 0..DRAWS {
                let span = wall_thickness(cells, &mut rng);
                counts[span.first][span.end] += 1;
            }
            let each = 1.0 / cells as f64;
            for thickness in 1..=RADIUS {
                assert!(is_chance(counts[thickness][DRAWN], each), "{cells} {counts:?}");
                assert!(is_chance(counts[0][DRAWN - thickness], each), "{cells} {counts:?}");
            }
            assert!(is_chance(counts[0][DRAWN], 1.0 - 6.0 * each), "{cells} {counts:?}");
        }
    }

    #[test]
    fn mines_are_binomial_as_algorithm_3_says() {
        let sampler = SubgridSampler::new(SourceBoard::OF_DOCUMENT, None).unwrap();
        let mut rng = Rng::new(2);
        for free in [16, 28, 49] {
            let mut counts = [0; 11];
            for _ in 0..DRAWS {
                counts[sampler.number_of_mines(free, 10, &mut rng)] += 1;
            }
            let share = free as f64 / 100.0;
            let mut ways = 1.0;
            for (mines, &count) in counts.iter().enumerate() {
                let chance = ways * share.powi(mines as i32) * (1.0 - share).powi(10 - mines as i32);
                assert!(is_chance(count, chance), "{free} {mines} {counts:?}");
                ways *= (10 - mines) as f64 / (mines + 1) as f64;
            }
        }
    }

    /// The same sub-grid, slowly: cell by cell on a 7×7 grid of its own.
    fn slowly(mines: u64, rows: AxisRange, cols: AxisRange) -> [i8; CELLS] {
        let is_mine = |row: usize, col: usize| mines >> (row * STRIDE + col) & 1 == 1;
        let mut cells = [0; CELLS];
        for row in 1..=SIDE {
            for col in 1..=SIDE {
                let mut number = 0;
                for (r, c) in (row - 1..=row + 1).flat_map(|r| (col - 1..=col + 1).map(move |c| (r, c))) {
                    number += i8::from((r, c) != (row, col) && is_mine(r, c));
                }
                let is_free = (rows.first..rows.end).contains(&row) && (cols.first..cols.end).contains(&col);
                cells[(row - 1) * SIDE + col - 1] = match (is_free, is_mine(row, col)) {
                    (false, _) => code::WALL,
                    (true, true) => code::MINE,
                    (true, false) => number,
                };
            }
        }
        cells
    }

    #[test]
    fn numbers_count_mines_beyond_the_edge_and_walls_stand_around() {
        let mut rng = Rng::new(3);
        for round in 0..20_000 {
            let (rows, cols) = (wall_thickness(10, &mut rng), wall_thickness(10, &mut rng));
            let centre = Centre::BOTH[round % 2];
            let count = rng.below(50);
            let mines = place_mines(centre, rows, cols, count, &mut rng);
            let room = rows.len() * cols.len();
            let expected = match centre {
                Centre::Empty => count.min(room - 1),
                Centre::Mined => count.clamp(1, room),
            };
            assert_eq!(mines.count_ones() as usize, expected);
            assert_eq!(mines >> CENTRE_BIT & 1 == 1, centre == Centre::Mined);
            let subgrid = extract(mines, rows, cols);
            assert_eq!(subgrid.0, slowly(mines, rows, cols));
            assert_eq!(subgrid.0[CENTRE] == code::MINE, centre == Centre::Mined);
        }
    }

    #[test]
    fn the_documents_figures_9_and_10_are_sample() {
        let mines = [(1, 0), (1, 6), (2, 4), (5, 4), (6, 1)];
        let word = mines.iter().fold(0, |word, &(row, col)| word | 1 << (row * STRIDE + col));
        let whole = AxisRange { first: 0, end: DRAWN };
        assert_eq!(extract(word, whole, whole).to_string(), "10112101*20011100111111*1");
    }

    #[test]
    fn boards_without_room_are_refused() {
        for (rows, cols, mines) in [(5, 10, 10), (10, 5, 10), (10, 10, 0), (10, 10, 100)] {
            assert!(SubgridSampler::new(SourceBoard { rows, cols, mines }, None).is_err());
        }
    }
}
