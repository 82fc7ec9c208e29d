//! All placements of the mines of a region: either every placement that fits is listed once, or none, because there
//! are too many.

use super::super::grid::{BoardCell, CellSet};
use super::super::visible_board::VisibleBoard;
use super::frontier::NONE;
use super::regions::Region;
use super::{Solver, diagram::DiagramNode};

/// Paths that turn out to use too many or too few mines cost time and give nothing; this many steps are allowed per
/// placement asked for.
const STEPS_EACH: usize = 64;

/// All placements of a region's mines, each with the mines that are certain everywhere.
#[derive(Clone, Debug, Default)]
pub struct Placements {
    height: usize,
    rows: Vec<u64>,
}

impl Placements {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len() / self.height.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each placement, as the rows of its mines.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.rows.chunks_exact(self.height.max(1))
    }
}

/// Lists placements: first the mines of each group, path by path, then the cells they fall on.
struct PlacementLister<'a> {
    solver: &'a Solver,
    components: &'a [usize],
    /// Lists of cells with their number of mines: the groups, then the cells off the frontier.
    cell_lists: Vec<(Vec<BoardCell>, usize)>,
    /// The cell list of each group.
    list_of: Vec<usize>,
    /// Mines to use beyond the least counts; any number if not given.
    spare: Option<usize>,
    off: Option<usize>,
    mines: CellSet,
    found: Placements,
    most: usize,
    steps_left: usize,
}

/// There are more placements than asked for.
struct TooMany;

impl Solver {
    /// The placements of a region of the board solved last, if there are at most `most`.
    pub fn placements(&self, seen: &VisibleBoard, region: &Region, most: usize) -> Option<Placements> {
        let mut lister = PlacementLister::new(self, seen, region, most);
        lister.choose_component(0, 0).ok()?;
        Some(lister.found)
    }

    /// The mines beyond the least counts that are left when every enclosed component has its own. Cells off the
    /// frontier that are not in the last region are all mined.
    fn spare_of_rest(&self, region: &Region) -> usize {
        let components = self.diagram.components.iter().enumerate();
        let elsewhere = components.filter(|(index, _)| !region.components.contains(index));
        let used: usize = elsewhere.map(|(_, component)| self.diagram.totals(component).0).sum();
        let off = if region.has_off { 0 } else { self.frontier.off };
        self.totals.spare as usize - used - off
    }
}

impl<'a> PlacementLister<'a> {
    fn new(solver: &'a Solver, seen: &VisibleBoard, region: &'a Region, most: usize) -> Self {
        let mut cell_lists: Vec<(Vec<BoardCell>, usize)> = Vec::new();
        let mut list_of = vec![usize::MAX; solver.frontier.groups.len() + 1];
        for &cell in region.cells() {
            let group = match solver.frontier.group_of[seen.index(cell)] {
                NONE => list_of.len() - 1,
                group => group as usize,
            };
            if list_of[group] == usize::MAX {
                list_of[group] = cell_lists.len();
                let least = solver.frontier.groups.get(group).map_or(0, |group| group.least as usize);
                cell_lists.push((Vec::new(), least));
            }
            cell_lists[list_of[group]].0.push(cell);
        }
        let off = Some(list_of[list_of.len() - 1]).filter(|&list| list != usize::MAX);
        Self {
            solver,
            components: &region.components,
            cell_lists,
            list_of,
            spare: (!region.is_enclosed).then(|| solver.spare_of_rest(region)),
            off,
            mines: solver.probabilities.mined_cells.clone(),
            found: Placements { height: seen.rows(), rows: Vec::new() },
            most,
            steps_left: most * STEPS_EACH,
        }
    }

    fn choose_component(&mut self, place: usize, used: usize) -> Result<(), TooMany> {
        let Some(&component) = self.components.get(place) else { return self.share_rest(used) };
        let first = self.solver.diagram.components[component].layers.start;
        let node = self.solver.diagram.layers[first].nodes.start;
        self.choose_group(place, first, node, used)
    }

    /// Decides the group of this layer of the component, and all that follow.
    fn choose_group(&mut self, place: usize, layer: usize, node: usize, used: usize) -> Result<(), TooMany> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooMany)?;
        let diagram = &self.solver.diagram;
        if layer == diagram.components[self.components[place]].layers.end {
            return self.choose_component(place + 1, used);
        }
        let list = self.list_of[diagram.layers[layer].group as usize];
        let from: &DiagramNode = &diagram.nodes[node];
        for (mines, target) in from.out_edges(&diagram.edges) {
            if self.spare.is_some_and(|spare| used + mines > spare) {
                break;
            }
            // A group that is certainly mined has no cell list.
            if let Some(list) = self.cell_lists.get_mut(list) {
                list.1 += mines;
            }
            let listed = self.choose_group(place, layer + 1, target, used + mines);
            if let Some(list) = self.cell_lists.get_mut(list) {
                list.1 -= mines;
            }
            listed?;
        }
        Ok(())
    }

    /// Gives the remaining mines to the cells off the frontier, if they fit.
    fn share_rest(&mut self, used: usize) -> Result<(), TooMany> {
        if let Some(spare) = self.spare {
            match self.off {
                Some(off) if spare - used <= self.cell_lists[off].0.len() => {
                    self.cell_lists[off].1 = spare - used;
                }
                None if spare == used => {}
                _ => return Ok(()),
            }
        }
        self.lay(0, 0, self.cell_lists.first().map_or(0, |list| list.1))
    }

    /// Lays the mines of one cell list in every way from this cell of it on, then those of the following lists.
    fn lay(&mut self, list: usize, from: usize, left: usize) -> Result<(), TooMany> {
        let Some((cells, _)) = self.cell_lists.get(list) else {
            if self.found.len() == self.most {
                return Err(TooMany);
            }
            self.found.rows.extend_from_slice(self.mines.rows());
            return Ok(());
        };
        let count = cells.len();
        if left == 0 {
            return self.lay(list + 1, 0, self.cell_lists.get(list + 1).map_or(0, |list| list.1));
        }
        for place in from..=(count - left) {
            let cell = self.cell_lists[list].0[place];
            self.mines.insert(cell);
            let laid = self.lay(list, place + 1, left - 1);
            self.mines.remove(cell);
            laid?;
        }
        Ok(())
    }
}
