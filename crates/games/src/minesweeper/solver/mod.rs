//! Exact probabilities of mines, by the method of Bourdet & Abadie, corrected.
//!
//! Cells that the same numbers touch form groups; numbers and groups form a linear system of constraints (`frontier`,
//! and as the document solves it, [`linear`]). Bounds are propagated, independent components split off and ordered
//! (`order`), all solutions of a component gathered in a decision diagram (`diagram`, `paths`), and the components'
//! mine counts convolved with the binomials of the cells off the frontier (`totals`). The document leaves out these
//! binomials and the total number of mines; without them its probabilities are right only when the frontier holds the
//! same number of mines in every solution.
//!
//! Invariant: every placement of the mines that fits the board counts once. Flags are ignored.

mod contradiction;
mod diagram;
mod exact;
mod frontier;
mod index;
pub mod linear;
mod order;
mod paths;
mod placements;
mod regions;
mod sample;
mod totals;

use std::sync::atomic::AtomicBool;

use outplay_core::errors;

use super::NEVER;
use super::grid::{BoardCell, CellSet, MAX_SIDE};
use super::visible_board::VisibleBoard;
pub use contradiction::Contradiction;
use diagram::{CHOOSE, Diagram, DiagramError};
use frontier::{CellGroup, Frontier, NONE};
use order::GroupOrder;
pub use placements::Placements;
pub use regions::Region;
use totals::{LogFactorials, Totals};

errors! {
    /// Why a board has no probabilities.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum ProbabilityError {
        /// [`Solver::contradiction`] names the numbers.
        NoPlacement =
            "no placement of the mines fits the board" | "aucune disposition des mines ne convient au plateau",
        TooComplex =
            "the board is too complex to be solved exactly: too many of its numbers depend on each other"
            | "le plateau est trop complexe pour être résolu exactement : trop de ses chiffres dépendent les uns des autres",
        Stopped = "stopped before the board was solved" | "arrêté avant que le plateau soit résolu",
    }
}

/// The probabilities of all masked cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    cols: usize,
    masked: CellSet,
    mined: Vec<f64>,
    safe_cells: CellSet,
    mined_cells: CellSet,
    off: Option<f64>,
    log10_solutions: f64,
}

impl Probabilities {
    /// The probability that a masked cell is mined; `None` for an unmasked one.
    pub fn of(&self, cell: BoardCell) -> Option<f64> {
        let index = cell.row as usize * self.cols + cell.col as usize;
        self.masked.contains(cell).then(|| self.mined[index])
    }

    /// The probability that a masked cell is mined.
    #[inline]
    pub(super) fn mined_chance(&self, cell: BoardCell) -> f64 {
        self.mined[cell.row as usize * self.cols + cell.col as usize]
    }

    /// The same for all cells, row by row; 0 for unmasked ones.
    pub fn all(&self) -> &[f64] {
        &self.mined
    }

    /// Masked cells that are empty in every solution.
    pub const fn safe(&self) -> &CellSet {
        &self.safe_cells
    }

    /// Masked cells that are mined in every solution.
    pub const fn mined(&self) -> &CellSet {
        &self.mined_cells
    }

    /// The probability of each cell that no number touches, if there are any.
    pub const fn off_frontier(&self) -> Option<f64> {
        self.off
    }

    /// The decimal logarithm of the number of solutions.
    pub const fn log10_solutions(&self) -> f64 {
        self.log10_solutions
    }
}

/// Solves boards of any size, one after the other, in the same buffers.
///
/// ```
/// use outplay_games::minesweeper::{BoardCell, VisibleBoard, Solver};
/// let seen: VisibleBoard = "mines 1\n1.\n..".parse().unwrap();
/// let mut solver = Solver::new();
/// let probabilities = solver.solve(&seen).unwrap();
/// assert_eq!(probabilities.of(BoardCell::parse("b2").unwrap()), Some(1.0 / 3.0));
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    frontier: Frontier,
    order: GroupOrder,
    diagram: Diagram,
    totals: Totals,
    logs: LogFactorials,
    context: Vec<f64>,
    /// The probability of each group, and whether it is certain.
    group_probabilities: Vec<GroupProbability>,
    probabilities: Probabilities,
}

/// The probability of each cell of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroupProbability {
    mined: f64,
    is_safe: bool,
    is_mined: bool,
    /// Whether the group has the same number of mines in every solution.
    is_counted: bool,
}

impl GroupProbability {
    /// Each cell is mined with this probability; `some_mined` and `some_empty` tell whether any ever is, or is not.
    const fn new(mined: f64, some_mined: bool, some_empty: bool, is_counted: bool) -> Self {
        Self { mined, is_safe: !some_mined, is_mined: !some_empty, is_counted }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver with nothing in its buffers.
    pub fn new() -> Self {
        let none = CellSet::empty(0);
        Self {
            frontier: Frontier::default(),
            order: GroupOrder::default(),
            diagram: Diagram::default(),
            totals: Totals::default(),
            logs: LogFactorials::up_to(MAX_SIDE * MAX_SIDE),
            context: Vec::new(),
            group_probabilities: Vec::new(),
            probabilities: Probabilities {
                cols: 0,
                masked: none.clone(),
                mined: Vec::new(),
                safe_cells: none.clone(),
                mined_cells: none,
                off: None,
                log10_solutions: 0.0,
            },
        }
    }

    /// The exact probabilities of a board. They stay in the solver until the next board.
    pub fn solve(&mut self, seen: &VisibleBoard) -> Result<&Probabilities, ProbabilityError> {
        self.solve_unless(&NEVER, seen)
    }

    /// The same, unless the flag is raised while a complex board is solved.
    pub fn solve_unless(
        &mut self,
        stop: &AtomicBool,
        seen: &VisibleBoard,
    ) -> Result<&Probabilities, ProbabilityError> {
        self.read(seen, None)?;
        self.finish(seen, stop)?;
        Ok(&self.probabilities)
    }

    /// Visits certainly safe cells: all that single numbers prove; if they prove none, solves the board and visits
    /// all there are. Returns whether it was solved.
    pub(super) fn each_safe(
        &mut self,
        seen: &VisibleBoard,
        stop: &AtomicBool,
        mut show: impl FnMut(BoardCell),
    ) -> Result<bool, ProbabilityError> {
        self.read(seen, None)?;
        if self.frontier.groups.iter().any(|group| group.most == 0) {
            let group_of = |cell: BoardCell| self.frontier.group_of[seen.index(cell)];
            let safe = seen.masked().iter().filter(|&cell| {
                let group = group_of(cell);
                group != NONE && self.frontier.groups[group as usize].most == 0
            });
            safe.for_each(show);
            return Ok(false);
        }
        self.finish(seen, stop)?;
        self.probabilities.safe_cells.iter().for_each(&mut show);
        Ok(true)
    }

    /// Computes the probabilities of the board that was read.
    fn finish(&mut self, seen: &VisibleBoard, stop: &AtomicBool) -> Result<(), ProbabilityError> {
        let odds = self.build(seen, true, stop)?;
        self.compute_group_probabilities();
        self.write(seen, odds);
        Ok(())
    }

    /// The probabilities of the board solved last.
    pub(super) const fn known(&self) -> &Probabilities {
        &self.probabilities
    }

    /// Whether no number of the board solved last, which is this one, touches this cell.
    pub(super) fn is_off_frontier(&self, seen: &VisibleBoard, cell: BoardCell) -> bool {
        self.frontier.group_of[seen.index(cell)] == NONE
    }

    /// Whether any placement of the mines fits a board.
    pub fn is_possible(&mut self, seen: &VisibleBoard) -> Result<bool, ProbabilityError> {
        match self.prepare(seen, None, true) {
            Ok(_) => Ok(true),
            Err(ProbabilityError::NoPlacement) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The groups of two cells of the board solved last that hold exactly one mine in every solution.
    pub(super) fn pairs_with_one_mine(&self, seen: &VisibleBoard) -> Vec<[BoardCell; 2]> {
        let groups = &self.frontier.groups;
        let is_pair = |group: usize| {
            let probability = &self.group_probabilities[group];
            groups[group].size == 2 && probability.is_counted && !probability.is_safe && !probability.is_mined
        };
        let mut first = vec![None; groups.len()];
        let mut pairs = Vec::new();
        for cell in seen.masked().iter() {
            let group = self.frontier.group_of[seen.index(cell)];
            if group == NONE || !is_pair(group as usize) {
                continue;
            }
            match first[group as usize] {
                None => first[group as usize] = Some(cell),
                Some(other) => pairs.push([other, cell]),
            }
        }
        pairs
    }

    /// Builds the diagrams and totals of a board, using only the numbers in `trusted` if it is given, and the number
    /// of mines only if `counted`. Returns the odds by which weights are tilted.
    fn prepare(
        &mut self,
        seen: &VisibleBoard,
        trusted: Option<&CellSet>,
        counted: bool,
    ) -> Result<f64, ProbabilityError> {
        self.read(seen, trusted)?;
        self.build(seen, counted, &NEVER)
    }

    /// Reads the constraints of a board and propagates their bounds.
    fn read(&mut self, seen: &VisibleBoard, trusted: Option<&CellSet>) -> Result<(), ProbabilityError> {
        self.frontier.read(seen, trusted);
        if self.frontier.propagate() { Ok(()) } else { Err(ProbabilityError::NoPlacement) }
    }

    fn build(
        &mut self,
        seen: &VisibleBoard,
        counted: bool,
        stop: &AtomicBool,
    ) -> Result<f64, ProbabilityError> {
        let odds = odds(self.frontier.mines_left, seen.masked_count());
        self.order.arrange(&self.frontier);
        self.diagram.clear(&self.frontier);
        for groups in self.order.components() {
            self.diagram.add(&self.frontier, groups, odds, stop).map_err(|dead| match dead {
                DiagramError::Contradictory => ProbabilityError::NoPlacement,
                DiagramError::TooWide => ProbabilityError::TooComplex,
                DiagramError::Stopped => ProbabilityError::Stopped,
            })?;
        }
        if counted {
            let least: i64 = self.frontier.groups.iter().map(|group| i64::from(group.least)).sum();
            let spare = i64::from(self.frontier.mines_left) - least;
            if !self.totals.combine(&self.diagram, spare, self.frontier.off, odds, &self.logs) {
                return Err(ProbabilityError::NoPlacement);
            }
        }
        Ok(odds)
    }

    /// Computes the probability of every group.
    fn compute_group_probabilities(&mut self) {
        let groups = &self.frontier.groups;
        self.group_probabilities.clear();
        self.group_probabilities.extend(groups.iter().map(|group| {
            let share = f64::from(group.least) / f64::from(group.size);
            GroupProbability::new(share, group.least > 0, group.least < group.size, true)
        }));
        for component in 0..self.diagram.components.len() {
            self.totals.context(&self.diagram, component, None, &mut self.context);
            self.diagram.marginals(component, &self.context, |index, weights| {
                let CellGroup { size, least, most, .. } = groups[index as usize];
                let share = (f64::from(least) + weights.mines / weights.total) / f64::from(size);
                let some_mined = least > 0 || weights.mines > 0.0;
                let some_empty = most < size || weights.lacking > 0.0;
                let is_counted = weights.counts.is_power_of_two();
                self.group_probabilities[index as usize] =
                    GroupProbability::new(share.min(1.0), some_mined, some_empty, is_counted);
            });
        }
    }

    /// The probability of each cell off the frontier.
    fn off_probability(&self) -> GroupProbability {
        let Totals { total, off_mines, off_empty, .. } = self.totals;
        let mined = off_mines / total / self.frontier.off.max(1) as f64;
        GroupProbability::new(mined, off_mines > 0.0, off_empty > 0.0, false)
    }

    fn write(&mut self, seen: &VisibleBoard, odds: f64) {
        let off = self.frontier.off;
        let off_probability = self.off_probability();
        let log10_solutions = self.log_solutions(odds) / std::f64::consts::LN_10;
        let known = &mut self.probabilities;
        known.cols = seen.cols();
        known.masked.clone_from(seen.masked());
        known.safe_cells.clone_from(seen.masked());
        known.safe_cells.clear();
        known.mined_cells.clone_from(&known.safe_cells);
        known.mined.clear();
        known.mined.resize(seen.rows() * seen.cols(), 0.0);
        known.off = (off > 0).then_some(off_probability.mined);
        known.log10_solutions = log10_solutions;
        for cell in seen.masked().iter() {
            let index = seen.index(cell);
            let group = self.frontier.group_of[index];
            let probability =
                if group == NONE { off_probability } else { self.group_probabilities[group as usize] };
            known.mined[index] = probability.mined;
            if probability.is_safe {
                known.safe_cells.insert(cell);
            }
            if probability.is_mined {
                known.mined_cells.insert(cell);
                known.mined[index] = 1.0;
            }
        }
    }

    /// The natural logarithm of the number of solutions: the tilt is removed, the settled groups are included.
    fn log_solutions(&self, odds: f64) -> f64 {
        let settled = self.frontier.groups.iter().filter(|group| group.is_settled());
        let (mines, ways) = settled.fold((0, 0.0), |(mines, ways), group| {
            let choose = CHOOSE[group.size as usize][group.least as usize];
            (mines + i32::from(group.least), ways + if choose > 1 { f64::from(choose).ln() } else { 0.0 })
        });
        self.totals.log_total() - f64::from(self.frontier.mines_left - mines) * odds.ln() + ways
    }
}

/// The prior odds of a mine. They tilt the weights, so any positive number is correct and a likely one gives the best
/// numerical range.
fn odds(mines: i32, masked: usize) -> f64 {
    let empty = masked as f64 - f64::from(mines);
    (f64::from(mines).max(0.5) / empty.max(0.5)).clamp(1e-3, 1e3)
}
