//! Independent parts of a board.
//!
//! Two masked cells belong together if one number touches both, or if unmasking one could tell something about the
//! other because they are neighbours. Cells that are mined in every solution are left out.
//!
//! Invariant: a region is enclosed only if it holds the same number of mines in every solution. Then nothing that
//! happens in it tells anything about the rest, and vice versa, so a game is won with the product of the regions'
//! probabilities, in whatever order they are played. All cells that are not proven to be enclosed form one region,
//! the last.

use super::super::grid::BoardCell;
use super::super::visible_board::VisibleBoard;
use super::Solver;
use super::frontier::NONE;

/// Masked cells, not certainly mined, that can be played independently of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    cells: Vec<BoardCell>,
    pub(super) components: Vec<usize>,
    /// The groups whose number of mines is settled, but not which of their cells are mined.
    pub(super) settled: Vec<u16>,
    pub(super) has_off: bool,
    pub(super) is_enclosed: bool,
}

impl Region {
    /// The cells, row by row.
    pub fn cells(&self) -> &[BoardCell] {
        &self.cells
    }

    /// Whether the number of its mines is known.
    pub const fn is_enclosed(&self) -> bool {
        self.is_enclosed
    }

    const fn new(is_enclosed: bool) -> Self {
        Self { cells: Vec::new(), components: Vec::new(), settled: Vec::new(), has_off: false, is_enclosed }
    }
}

/// Disjoint sets (union–find): each member points towards the representative of its set.
struct DisjointSets(Vec<u16>);

impl DisjointSets {
    fn leader(&mut self, member: usize) -> usize {
        let above = self.0[member] as usize;
        if above == member {
            return member;
        }
        let leader = self.leader(above);
        self.0[member] = leader as u16;
        leader
    }

    fn merge(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.0[a.max(b)] = a.min(b) as u16;
    }
}

impl Solver {
    /// The regions of the board solved last, which is this one.
    pub fn regions(&self, seen: &VisibleBoard) -> Vec<Region> {
        let component_of = self.components_of_groups();
        let mut merged = self.merge_cells(seen, &component_of);
        let mut place_of = vec![usize::MAX; seen.rows() * seen.cols()];
        let mut regions: Vec<Region> = Vec::new();
        for cell in self.open_cells(seen) {
            let leader = merged.leader(seen.index(cell));
            if place_of[leader] == usize::MAX {
                place_of[leader] = regions.len();
                regions.push(Region::new(true));
            }
            self.enter(&mut regions[place_of[leader]], cell, seen, &component_of);
        }
        self.split_enclosed(regions)
    }

    /// The masked cells that are not mined in every solution.
    fn open_cells(&self, seen: &VisibleBoard) -> impl Iterator<Item = BoardCell> {
        seen.masked().iter().filter(|&cell| !self.probabilities.mined_cells.contains(cell))
    }

    /// The component of each group; the settled ones have none.
    fn components_of_groups(&self) -> Vec<Option<usize>> {
        let mut component_of = vec![None; self.frontier.groups.len()];
        for (index, component) in self.diagram.components.iter().enumerate() {
            for layer in &self.diagram.layers[component.layers.clone()] {
                component_of[layer.group as usize] = Some(index);
            }
        }
        component_of
    }

    fn merge_cells(&self, seen: &VisibleBoard, component_of: &[Option<usize>]) -> DisjointSets {
        let mut merged = DisjointSets((0..(seen.rows() * seen.cols()) as u16).collect());
        let (groups, components) = (component_of.len(), self.diagram.components.len());
        // The first cell of each group, of each component, and off the frontier.
        let mut first_met = vec![None; groups + components + 1];
        for cell in self.open_cells(seen) {
            let index = seen.index(cell);
            let group = self.frontier.group_of[index];
            let kin = match group {
                NONE => groups + components,
                group => component_of[group as usize].map_or(group as usize, |place| groups + place),
            };
            merged.merge(*first_met[kin].get_or_insert(index), index);
            for near in seen.neighbours(cell) {
                let is_open = seen.masked().contains(near) && !self.probabilities.mined_cells.contains(near);
                if near < cell && is_open {
                    merged.merge(seen.index(near), index);
                }
            }
        }
        merged
    }

    fn enter(
        &self,
        region: &mut Region,
        cell: BoardCell,
        seen: &VisibleBoard,
        component_of: &[Option<usize>],
    ) {
        region.cells.push(cell);
        let group = self.frontier.group_of[seen.index(cell)];
        if group == NONE {
            region.has_off = true;
        } else if let Some(component) = component_of[group as usize] {
            if !region.components.contains(&component) {
                region.components.push(component);
            }
        } else if !region.settled.contains(&group) {
            region.settled.push(group);
        }
    }

    /// Whether a component holds the same number of mines in all of its solutions.
    fn is_constant(&self, component: usize) -> bool {
        let (_, weights) = self.diagram.totals(&self.diagram.components[component]);
        weights.iter().filter(|&&weight| weight > 0.0).count() == 1
    }

    /// Whether any region of the board solved last can be enclosed and still undecided: a quick check.
    pub(in super::super) fn may_have_enclosed(&self) -> bool {
        let has_choice = self
            .frontier
            .groups
            .iter()
            .any(|group| group.is_settled() && (1..group.size).contains(&group.least));
        has_choice || (0..self.diagram.components.len()).any(|component| self.is_constant(component))
    }

    /// Keeps the regions whose number of mines is known, and merges the others.
    fn split_enclosed(&self, regions: Vec<Region>) -> Vec<Region> {
        let (mut enclosed, open): (Vec<_>, Vec<_>) = regions
            .into_iter()
            .partition(|region| !region.has_off && region.components.iter().all(|&at| self.is_constant(at)));
        let rest = open.into_iter().reduce(|mut rest, region| {
            rest.cells.extend(region.cells);
            rest.components.extend(region.components);
            rest.settled.extend(region.settled);
            rest.has_off |= region.has_off;
            rest
        });
        enclosed.extend(rest.map(|mut rest| {
            rest.cells.sort_unstable();
            rest.is_enclosed = false;
            rest
        }));
        enclosed
    }
}
