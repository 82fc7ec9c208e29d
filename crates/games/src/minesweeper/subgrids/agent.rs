//! The decisions of an AI in one game (§3.3.2, §4.7, §4.8).
//!
//! A turn has three parts, so that many games can share one call of the predictor: [`SubgridAgent::look`] lists the
//! sub-grids that need a prediction, [`SubgridAgent::learn`] takes the predictions, [`SubgridAgent::decide`] returns
//! the action. A prediction is kept until something within two cells changes; the decisions are the same as if all
//! predictions were made anew.

use outplay_core::Rng;

use super::super::grid::cells_of_row;
use super::super::{BoardCell, CellContent, CellSet, VisibleBoard};
use super::subgrid::{CELLS, SIDE, code};

/// The radius of a sub-grid.
const REACH: usize = SIDE / 2;

/// When an AI unmasks and when it flags (§4.8).
///
/// With v the smallest and w the largest prediction, it unmasks if v < `playful` − w or w ≤ `threshold`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlagPolicy {
    /// The *playful level*, 0 to 2: how much rather it unmasks than flags.
    pub playful: f32,
    /// The *flag threshold*, 0 to 1: what a prediction must exceed for a flag.
    pub threshold: f32,
    /// Whether flags come back after all were removed so that one cell could be unmasked. The document does not say so;
    /// the author's program puts them back.
    pub restores: bool,
}

impl FlagPolicy {
    /// Never flags: the first AI (§3.3).
    pub const WITHOUT_FLAGS: Self = Self { playful: 2.0, threshold: 1.0, restores: false };
    /// Prefers neither: the AI with flags (§4.7).
    pub const NEUTRAL: Self = Self { playful: 1.0, threshold: 0.0, restores: false };
    /// The best values found in the document (§4.8).
    pub const BEST: Self = Self { playful: 1.15, threshold: 0.96, restores: false };

    /// The policy with this playful level and flag threshold, both in hundredths.
    pub fn of_hundredths((playful, threshold): (u32, u32)) -> Self {
        Self { playful: playful as f32 * 0.01, threshold: threshold as f32 * 0.01, restores: false }
    }

    fn unmasks(self, least: f32, most: f32) -> bool {
        least < self.playful - most || most <= self.threshold
    }

    /// Whether it uses flags.
    const fn has_flags(self) -> bool {
        self.threshold < 1.0
    }
}

/// The action of an AI at its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// Unmasks a cell.
    Unmask(BoardCell),
    /// Flags a cell.
    Flag(BoardCell),
    /// Removes all flags, after which the next action is to unmask: every masked cell had a flag.
    TakeFlagsAway,
}

/// The AI's knowledge of one game.
#[derive(Clone, Debug)]
pub struct SubgridAgent {
    policy: FlagPolicy,
    rows: usize,
    cols: usize,
    /// The codes of all cells, with [`REACH`] walls around them.
    codes: Vec<i8>,
    /// The prediction for each cell.
    predictions: Vec<f32>,
    /// The cells whose predictions are out of date.
    stale: CellSet,
    /// The cells listed by the last `look`, whose predictions are awaited.
    asked: Vec<BoardCell>,
    /// The flags: those on the board where the game has any, otherwise those in the AI's head.
    flagged: CellSet,
    /// Whether all flags are being removed so that a cell can be unmasked.
    must_unmask: bool,
    /// Flags that come back once it is unmasked.
    removed: CellSet,
}

impl SubgridAgent {
    /// An agent at the beginning of a game.
    pub fn new(policy: FlagPolicy) -> Self {
        Self {
            policy,
            rows: 0,
            cols: 0,
            codes: Vec::new(),
            predictions: Vec::new(),
            stale: CellSet::empty(0),
            asked: Vec::new(),
            flagged: CellSet::empty(0),
            must_unmask: false,
            removed: CellSet::empty(0),
        }
    }

    /// Forgets the game.
    pub fn forget(&mut self) {
        self.rows = 0;
    }

    /// The last prediction for a masked cell without a flag.
    pub fn prediction(&self, cell: BoardCell) -> f32 {
        self.predictions[self.index(cell)]
    }

    /// Reads the board and appends the sub-grids that need a prediction, [`CELLS`] numbers each.
    pub fn look(&mut self, seen: &VisibleBoard, inputs: &mut Vec<f32>) {
        if (self.rows, self.cols) != (seen.rows(), seen.cols()) || self.is_other_game(seen) {
            self.begin(seen);
        }
        if seen.has_flags() {
            self.flagged.clone_from(seen.flagged());
        } else if !self.must_unmask {
            // Kept in the head, flags need no turn to come back.
            while let Some(cell) = self.take_removed(seen) {
                self.flagged.insert(cell);
            }
        }
        for row in 0..self.rows {
            for col in 0..self.cols {
                let cell = BoardCell::new(row, col);
                let seen_code = match seen.shown(cell) {
                    CellContent::Number(number) => number as i8,
                    CellContent::Mine => code::MINE,
                    CellContent::Masked | CellContent::Flag
                        if self.policy.has_flags() && self.flagged.contains(cell) =>
                    {
                        code::FLAGGED
                    }
                    CellContent::Masked | CellContent::Flag => code::MASKED,
                };
                self.note(cell, seen_code);
            }
        }
        self.ask(inputs);
    }

    /// Takes the predictions for what [`look`](Self::look) appended, in the same order.
    pub fn learn(&mut self, predictions: &[f32]) {
        for (i, &prediction) in predictions.iter().enumerate() {
            let index = self.index(self.asked[i]);
            self.predictions[index] = prediction;
        }
    }

    /// The next action. Before anything is unmasked, a random cell is unmasked.
    pub fn decide(&mut self, seen: &VisibleBoard, rng: &mut Rng) -> AgentAction {
        if let Some(cell) = (!self.must_unmask).then(|| self.take_removed(seen)).flatten() {
            return AgentAction::Flag(cell);
        }
        let open = || seen.masked().iter().filter(|&cell| !self.flagged.contains(cell));
        let count = open().count();
        let flags_stay = seen.has_flags() && self.must_unmask && !self.flagged.is_empty();
        if count == 0 || flags_stay {
            if self.policy.restores && !self.must_unmask {
                self.removed.clone_from(&self.flagged);
            }
            self.must_unmask = true;
            self.flagged.clear();
            return AgentAction::TakeFlagsAway;
        }
        if seen.score() == 0 {
            return AgentAction::Unmask(open().nth(rng.below(count)).expect("there are so many"));
        }
        let (least, most) = self.extremes(open());
        if self.must_unmask || self.policy.unmasks(self.prediction(least), self.prediction(most)) {
            self.must_unmask = false;
            return AgentAction::Unmask(least);
        }
        self.flagged.insert(most);
        AgentAction::Flag(most)
    }

    /// Takes one of the removed flags that comes back, if there is one: its cell is still masked.
    fn take_removed(&mut self, seen: &VisibleBoard) -> Option<BoardCell> {
        loop {
            let cell = self.removed.iter().next()?;
            self.removed.remove(cell);
            if seen.masked().contains(cell) {
                return Some(cell);
            }
        }
    }

    /// The first cell with the smallest prediction and the first with the largest; there is at least one cell.
    fn extremes(&self, mut open: impl Iterator<Item = BoardCell>) -> (BoardCell, BoardCell) {
        let first = open.next().expect("there is a cell");
        open.fold((first, first), |(least, most), cell| {
            let prediction = self.prediction(cell);
            (
                if prediction < self.prediction(least) { cell } else { least },
                if prediction > self.prediction(most) { cell } else { most },
            )
        })
    }

    /// Whether something that was unmasked is masked again, or shows another number.
    fn is_other_game(&self, seen: &VisibleBoard) -> bool {
        let cells = |row| (0..self.cols).map(move |col| BoardCell::new(row, col));
        (0..self.rows).flat_map(cells).any(|cell| {
            let before = self.codes[self.place(cell)];
            before >= 0 && seen.shown(cell) != CellContent::Number(before as u8)
        })
    }

    fn begin(&mut self, seen: &VisibleBoard) {
        (self.rows, self.cols) = (seen.rows(), seen.cols());
        self.codes.clear();
        self.codes.resize((self.rows + 2 * REACH) * self.stride(), code::WALL);
        self.predictions.clear();
        self.predictions.resize(self.rows * self.cols, 0.0);
        self.flagged = CellSet::empty(self.rows);
        self.stale = CellSet::full(self.rows, self.cols);
        self.must_unmask = false;
        self.removed = CellSet::empty(self.rows);
    }

    /// Stores what a cell shows; a change makes the predictions around it stale.
    fn note(&mut self, cell: BoardCell, seen_code: i8) {
        let place = self.place(cell);
        if self.codes[place] == seen_code {
            return;
        }
        self.codes[place] = seen_code;
        let (row, col) = (cell.row as usize, cell.col as usize);
        let from = col.saturating_sub(REACH);
        let word = (u64::MAX >> (63 - (col + REACH).min(self.cols - 1))) & (u64::MAX << from);
        let rows = row.saturating_sub(REACH)..(row + REACH + 1).min(self.rows);
        self.stale.rows_mut()[rows].iter_mut().for_each(|stale| *stale |= word);
    }

    /// Appends the sub-grids of stale cells that are masked and have no flag.
    fn ask(&mut self, inputs: &mut Vec<f32>) {
        self.asked.clear();
        for row in 0..self.rows {
            for cell in cells_of_row(row, self.stale.rows()[row]) {
                let place = self.place(cell);
                if self.codes[place] != code::MASKED {
                    continue;
                }
                self.asked.push(cell);
                self.stale.remove(cell);
                let corner = place - REACH * self.stride() - REACH;
                for line in 0..SIDE {
                    let from = corner + line * self.stride();
                    inputs.extend(self.codes[from..from + SIDE].iter().map(|&code| f32::from(code)));
                }
            }
        }
        debug_assert!(inputs.len().is_multiple_of(CELLS));
    }

    const fn stride(&self) -> usize {
        self.cols + 2 * REACH
    }

    const fn place(&self, cell: BoardCell) -> usize {
        (cell.row as usize + REACH) * self.stride() + cell.col as usize + REACH
    }

    const fn index(&self, cell: BoardCell) -> usize {
        cell.row as usize * self.cols + cell.col as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conditions_are_the_documents() {
        assert!(FlagPolicy::NEUTRAL.unmasks(0.1, 0.8) && !FlagPolicy::NEUTRAL.unmasks(0.3, 0.8));
        assert!(!FlagPolicy::NEUTRAL.unmasks(0.25, 0.75), "as near to 0 as the other to 1: a flag");
        assert!(FlagPolicy::BEST.unmasks(0.2, 0.9) && FlagPolicy::BEST.unmasks(0.9, 0.96));
        assert!(!FlagPolicy::BEST.unmasks(0.3, 0.97));
        assert!(FlagPolicy::WITHOUT_FLAGS.unmasks(1.0, 1.0));
    }

    #[test]
    fn subgrids_are_cut_around_their_cells() {
        let seen: VisibleBoard = "mines 1\n1..\n1..\n".parse().unwrap();
        let (mut agent, mut inputs) = (SubgridAgent::new(FlagPolicy::NEUTRAL), Vec::new());
        agent.look(&seen, &mut inputs);
        assert_eq!(inputs.len(), 4 * CELLS);
        let text = |i: usize| {
            let codes: Vec<i8> = inputs[i * CELLS..(i + 1) * CELLS].iter().map(|&x| x as i8).collect();
            super::super::Subgrid(codes.try_into().unwrap()).to_string()
        };
        assert_eq!(text(0), "###########1..##1..######");
        assert_eq!(text(3), "#####1..##1..############");
        inputs.clear();
        agent.look(&seen, &mut inputs);
        assert!(inputs.is_empty(), "nothing has changed");
    }

    #[test]
    fn only_what_changed_is_predicted_again() {
        let before = "mines 2\n........\n........\n........\n........\n........\n1.......\n";
        let after = "mines 2\n.......1\n........\n........\n........\n........\n1.......\n";
        let (mut agent, mut inputs) = (SubgridAgent::new(FlagPolicy::NEUTRAL), Vec::new());
        agent.look(&before.parse().unwrap(), &mut inputs);
        assert_eq!(inputs.len(), 47 * CELLS);
        inputs.clear();
        agent.look(&after.parse().unwrap(), &mut inputs);
        assert_eq!(inputs.len(), 8 * CELLS, "the 3×3 cells in the corner, without the corner");
        inputs.clear();
        agent.look(&before.parse().unwrap(), &mut inputs);
        assert_eq!(inputs.len(), 47 * CELLS, "a number is gone: another game");
    }
}
