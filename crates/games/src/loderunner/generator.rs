//! Levels by chance: floors of brick with gaps, ladders and ropes between them, gold, guards.
//!
//! Invariant: a level is determined by its plan, the delays and its seed, a proof was found that it can be finished without
//! guards, and its guards leave the runner a chance at the start.

use outplay_core::{Rng, errors};

use super::moment::{Delays, MAX_GUARDS};
use super::proof::{is_fair, prove};
use super::terrain::{MAX_COLS, MAX_ROWS};
use super::text::read_level;
use super::view::LodeRunnerView;

errors! {
    /// Why no levels can be generated.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadPlan {
        Size { rows: usize, cols: usize } =
            "levels of {rows}×{cols} cells cannot be generated: expected from 7×8 to {MAX_ROWS}×{MAX_COLS}"
            | "des niveaux de {rows}×{cols} cases ne peuvent être engendrés : attendu de 7×8 à {MAX_ROWS}×{MAX_COLS}",
        Difficulty { difficulty: u8 } =
            "the difficulty {difficulty} is unknown: expected from 1 to {MAX_DIFFICULTY}"
            | "la difficulté {difficulty} est inconnue : attendu de 1 à {MAX_DIFFICULTY}",
    }
}

/// The hardest levels.
pub const MAX_DIFFICULTY: u8 = 10;

/// What kind of levels are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelPlan {
    rows: usize,
    cols: usize,
    difficulty: u8,
}

impl LevelPlan {
    /// Levels of this size; a higher difficulty means more guards and gold, more to dig, fewer ladders.
    pub fn new(rows: usize, cols: usize, difficulty: u8) -> Result<Self, BadPlan> {
        if !(7..=MAX_ROWS).contains(&rows) || !(8..=MAX_COLS).contains(&cols) {
            return Err(BadPlan::Size { rows, cols });
        }
        if !(1..=MAX_DIFFICULTY).contains(&difficulty) {
            return Err(BadPlan::Difficulty { difficulty });
        }
        Ok(Self { rows, cols, difficulty })
    }

    /// The rows and columns of its levels.
    pub(super) const fn size(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// The level of this seed. Drafts are made until one is fair and can be proven to be finishable; the longer it takes, the
    /// easier they become.
    pub fn generate(&self, delays: Delays, seed: u64) -> LodeRunnerView {
        for attempt in 0.. {
            let mut rng = Rng::stream(seed, attempt);
            let ease = u8::try_from(attempt / 8).unwrap_or(MAX_DIFFICULTY);
            let difficulty = self.difficulty.saturating_sub(ease).max(1);
            let text = Draftsman::new(self.rows, self.cols, difficulty).draft(&mut rng);
            let Ok(level) = read_level(&text, delays) else { continue };
            if prove(&level).is_some() && is_fair(&level) {
                return level;
            }
        }
        unreachable!("attempts do not end")
    }
}

/// A level that is being drawn, in the letters of levels.
struct Draftsman {
    rows: usize,
    cols: usize,
    difficulty: usize,
    cells: Vec<Vec<u8>>,
    /// The rows of the floors, from the bottom up.
    floors: Vec<usize>,
}

impl Draftsman {
    fn new(rows: usize, cols: usize, difficulty: u8) -> Self {
        let cells = vec![vec![b'.'; cols]; rows];
        Self { rows, cols, difficulty: usize::from(difficulty), cells, floors: Vec::new() }
    }

    fn draft(mut self, rng: &mut Rng) -> String {
        self.lay_floors(rng);
        for upper in 1..self.floors.len() {
            self.build_ladders(upper, rng);
        }
        self.hide_exit(rng);
        self.build_vaults(rng);
        self.place(rng);
        let rows: Vec<String> =
            self.cells.iter().map(|row| row.iter().map(|&letter| char::from(letter)).collect()).collect();
        rows.join("\n")
    }

    fn lay_floors(&mut self, rng: &mut Rng) {
        let mut row = self.rows - 1;
        self.floors.push(row);
        self.cells[row].fill(if rng.below(3) == 0 { b'B' } else { b'b' });
        while row >= 6 {
            row -= 3 + usize::from(row >= 7 && rng.below(3) == 0);
            self.floors.push(row);
            self.lay_floor(row, rng);
        }
    }

    /// A floor with gaps, some of which a rope crosses.
    fn lay_floor(&mut self, row: usize, rng: &mut Rng) {
        let mut col = rng.below(3);
        while col < self.cols {
            let letter = if rng.below(8) == 0 { b'B' } else { b'b' };
            let end = (col + 4 + rng.below(self.cols / 2)).min(self.cols);
            self.cells[row][col..end].fill(letter);
            let gap = 1 + rng.below(4);
            let far = (end + gap).min(self.cols);
            if rng.below(2) == 0 && far < self.cols {
                self.cells[row - 1][end..far].fill(b'-');
            }
            col = far;
        }
    }

    /// Ladders from the floor below up through this one.
    fn build_ladders(&mut self, upper: usize, rng: &mut Rng) {
        let (top, bottom) = (self.floors[upper], self.floors[upper - 1]);
        let count = 1 + rng.below(2 + (usize::from(MAX_DIFFICULTY) - self.difficulty) / 3);
        for _ in 0..count {
            let cols: Vec<usize> = (0..self.cols)
                .filter(|&col| {
                    self.cells[top][col] != b'.' && matches!(self.cells[bottom][col], b'b' | b'B' | b'#')
                })
                .collect();
            if cols.is_empty() {
                return;
            }
            let col = rng.pick(&cols);
            (top..bottom).for_each(|row| self.cells[row][col] = b'#');
        }
    }

    fn hide_exit(&mut self, rng: &mut Rng) {
        let top = self.floors[self.floors.len() - 1];
        let cols: Vec<usize> = (0..self.cols).filter(|&col| self.cells[top][col] != b'.').collect();
        if !cols.is_empty() {
            let col = rng.pick(&cols);
            (0..top).for_each(|row| self.cells[row][col] = b'H');
        }
    }

    /// Gold under a floor that has to be dug out: a chamber below the floor, closed at its sides.
    fn build_vaults(&mut self, rng: &mut Rng) {
        for _ in 0..self.difficulty / 2 {
            let floor = self.floors[rng.below(self.floors.len())];
            let (row, col) = (floor + 1, 1 + rng.below(self.cols - 4));
            if row + 1 >= self.rows || rng.below(2) == 0 {
                continue;
            }
            let is_free =
                (col - 1..col + 4).all(|col| self.cells[row][col] == b'.' && self.cells[floor][col] == b'b');
            if is_free {
                self.cells[row][col - 1] = b'b';
                self.cells[row][col + 3] = b'b';
                self.cells[row][col + 1] = b'G';
                if rng.below(2) == 0 && row + 2 < self.rows {
                    (col - 1..col + 4).for_each(|col| {
                        if self.cells[row + 1][col] == b'.' {
                            self.cells[row + 1][col] = b'b';
                        }
                    });
                }
            }
        }
    }

    /// Empty cells with a floor below.
    fn standing_cells(&self) -> Vec<(usize, usize)> {
        let stands = |&(row, col): &(usize, usize)| {
            self.cells[row][col] == b'.' && matches!(self.cells[row + 1][col], b'b' | b'B' | b'#')
        };
        (0..self.rows - 1).flat_map(|row| (0..self.cols).map(move |col| (row, col))).filter(stands).collect()
    }

    fn place(&mut self, rng: &mut Rng) {
        let (mut start, mut gold) = (None, 2 + self.difficulty / 2 + rng.below(4));
        let area = self.rows * self.cols;
        let mut guards = (1 + self.difficulty / 3).min(area / 70).min(MAX_GUARDS);
        let mut cells = self.standing_cells();
        rng.shuffle(&mut cells);
        for (row, col) in cells {
            match start {
                None if row + self.rows / 3 >= self.rows - 1 => {
                    start = Some((row, col));
                    self.cells[row][col] = b'M';
                }
                Some((near_row, near_col))
                    if guards > 0 && row.abs_diff(near_row) + col.abs_diff(near_col) > self.cols / 3 =>
                {
                    guards -= 1;
                    self.cells[row][col] = b'E';
                }
                _ if gold > 0 => {
                    gold -= 1;
                    self.cells[row][col] = b'G';
                }
                _ => {}
            }
        }
    }
}
