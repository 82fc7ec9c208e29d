//! Mines drawn uniformly from all placements that fit a board.

use outplay_core::Rng;

use super::super::grid::{BoardCell, CellSet};
use super::super::visible_board::{CellContent, VisibleBoard};
use super::frontier::NONE;
use super::{ProbabilityError, Solver};

impl Solver {
    /// Mines that could lie under this board, every possibility being equally likely. Unmasked mines are among them.
    pub fn sample(&mut self, seen: &VisibleBoard, rng: &mut Rng) -> Result<CellSet, ProbabilityError> {
        self.prepare(seen, None, true)?;
        let mut counts: Vec<usize> = self.frontier.groups.iter().map(|group| group.least as usize).collect();
        let mut used = 0;
        for component in 0..self.diagram.components.len() {
            self.totals.context(&self.diagram, component, Some(used), &mut self.context);
            self.diagram.marginals(component, &self.context, |_, _| {});
            let mines = self.diagram.draw(component, rng, |group, mines| counts[group as usize] += mines);
            used += mines - self.diagram.totals(&self.diagram.components[component]).0;
        }
        let off_mines = self.totals.off_mines_after(&self.diagram, used);
        Ok(self.place(seen, &counts, off_mines, rng))
    }

    /// Places each group's mines, and those off the frontier, on random cells.
    fn place(&self, seen: &VisibleBoard, counts: &[usize], off_mines: usize, rng: &mut Rng) -> CellSet {
        let mut cells: Vec<Vec<BoardCell>> = vec![Vec::new(); counts.len() + 1];
        for cell in seen.masked().iter() {
            let group = self.frontier.group_of[seen.index(cell)];
            let list = if group == NONE { counts.len() } else { group as usize };
            cells[list].push(cell);
        }
        let mut mines = CellSet::empty(seen.rows());
        for (list, &count) in cells.iter_mut().zip(counts.iter().chain([&off_mines])) {
            rng.shuffle(list);
            list[..count].iter().for_each(|&cell| mines.insert(cell));
        }
        let everywhere = CellSet::full(seen.rows(), seen.cols());
        everywhere
            .iter()
            .filter(|&cell| seen.shown(cell) == CellContent::Mine)
            .for_each(|cell| mines.insert(cell));
        mines
    }
}
