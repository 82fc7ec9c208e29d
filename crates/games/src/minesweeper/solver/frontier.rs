//! The linear system of a board: constraints, and groups of cells that the same constraints touch.
//!
//! Invariant: the cells of a group are interchangeable, so only the number of mines in it is decided. Bounds on these
//! counts are tightened as far as single constraints allow; a group whose bounds meet is settled.

use super::super::grid::{CellSet, around, beside, cells_of_row, full_row};
use super::super::visible_board::{CellContent, VisibleBoard};

/// No constraint, or no group.
pub(super) const NONE: u16 = u16::MAX;

/// A list of at most eight items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ShortList {
    len: u8,
    items: [u16; 8],
}

impl ShortList {
    fn push(&mut self, item: u16) {
        self.items[self.len as usize] = item;
        self.len += 1;
    }

    #[inline]
    pub(super) fn items(&self) -> &[u16] {
        &self.items[..self.len as usize]
    }
}

/// A constraint from an unmasked number: this many mines among its groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    pub(super) mines: i16,
    pub(super) groups: ShortList,
}

/// Masked cells that the same constraints touch; from `least` to `most` of them are mined.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellGroup {
    pub(super) size: u8,
    pub(super) least: u8,
    pub(super) most: u8,
    pub(super) constraints: ShortList,
}

impl CellGroup {
    pub(super) const fn is_settled(&self) -> bool {
        self.least == self.most
    }
}

/// The system of one board, in reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    pub(super) constraints: Vec<Constraint>,
    pub(super) groups: Vec<CellGroup>,
    /// The group of each cell, row by row; [`NONE`] off the frontier.
    pub(super) group_of: Vec<u16>,
    /// Masked cells that no number touches.
    pub(super) off: usize,
    /// Mines under masks.
    pub(super) mines_left: i32,
    constraint_of: Vec<u16>,
    waiting: Vec<u16>,
    is_waiting: Vec<bool>,
}

impl Frontier {
    /// Reads the system of a board; only numbers in `trusted` count, if it is given.
    pub(super) fn read(&mut self, seen: &VisibleBoard, trusted: Option<&CellSet>) {
        self.constraints.clear();
        self.groups.clear();
        self.mines_left = seen.mines_left();
        for list in [&mut self.group_of, &mut self.constraint_of] {
            list.clear();
            list.resize(seen.rows() * seen.cols(), NONE);
        }
        self.read_constraints(seen, trusted);
        self.read_groups(seen);
        let grouped: usize = self.groups.iter().map(|group| group.size as usize).sum();
        self.off = seen.masked_count() - grouped;
    }

    fn read_constraints(&mut self, seen: &VisibleBoard, trusted: Option<&CellSet>) {
        let masked = seen.masked().rows();
        let full = full_row(seen.cols());
        for row in 0..seen.rows() {
            let beside_masks = around(masked, row);
            let trusted = trusted.map_or(u64::MAX, |set| set.rows()[row]);
            for cell in cells_of_row(row, full & !masked[row] & trusted) {
                let CellContent::Number(number) = seen.shown(cell) else { continue };
                let has_masks = beside_masks >> cell.col & 1 == 1;
                // A 0 among unmasked cells constrains nothing, unless a mine beside it has exploded.
                if !has_masks && number == 0 && !seen.is_lost() {
                    continue;
                }
                let mut mines = i16::from(number);
                if seen.is_lost() {
                    let exploded =
                        seen.neighbours(cell).filter(|&near| seen.shown(near) == CellContent::Mine);
                    mines -= exploded.count() as i16;
                }
                self.constraint_of[seen.index(cell)] = self.constraints.len() as u16;
                self.constraints.push(Constraint { mines, groups: ShortList::default() });
            }
        }
    }

    fn read_groups(&mut self, seen: &VisibleBoard) {
        let (masked, cols) = (seen.masked().rows(), seen.cols());
        for row in 0..seen.rows() {
            let unmasked_near = (row.saturating_sub(1)..(row + 2).min(seen.rows()))
                .fold(0, |near, row| near | !masked[row] & full_row(cols));
            let frontier = beside(unmasked_near) & masked[row];
            for cell in cells_of_row(row, frontier) {
                let mut touching = ShortList::default();
                let (top, left) = (row.saturating_sub(1), (cell.col as usize).saturating_sub(1));
                for near in top..(row + 2).min(seen.rows()) {
                    let right = (cell.col as usize + 2).min(cols);
                    for &constraint in &self.constraint_of[near * cols + left..near * cols + right] {
                        if constraint != NONE {
                            touching.push(constraint);
                        }
                    }
                }
                if touching.len > 0 {
                    self.group_of[seen.index(cell)] = self.join_group(touching);
                }
            }
        }
    }

    /// Adds a cell to the group of the cells that exactly these constraints touch.
    fn join_group(&mut self, touching: ShortList) -> u16 {
        let first = &self.constraints[touching.items[0] as usize];
        let known =
            first.groups.items().iter().find(|&&group| self.groups[group as usize].constraints == touching);
        if let Some(&group) = known {
            self.groups[group as usize].size += 1;
            self.groups[group as usize].most += 1;
            return group;
        }
        let group = self.groups.len() as u16;
        self.groups.push(CellGroup { size: 1, least: 0, most: 1, constraints: touching });
        for &constraint in touching.items() {
            self.constraints[constraint as usize].groups.push(group);
        }
        group
    }

    /// Tightens the bounds of every group until no constraint changes them; false if a constraint cannot be
    /// satisfied.
    pub(super) fn propagate(&mut self) -> bool {
        self.waiting.clear();
        self.waiting.extend(0..self.constraints.len() as u16);
        self.is_waiting.clear();
        self.is_waiting.resize(self.constraints.len(), true);
        while let Some(constraint) = self.waiting.pop() {
            self.is_waiting[constraint as usize] = false;
            if !self.tighten(constraint) {
                return false;
            }
        }
        true
    }

    fn tighten(&mut self, constraint: u16) -> bool {
        let Constraint { mines, groups } = self.constraints[constraint as usize];
        let (mut least, mut most) = (0, 0);
        for &group in groups.items() {
            let group = &self.groups[group as usize];
            least += i16::from(group.least);
            most += i16::from(group.most);
        }
        if mines < least || mines > most {
            return false;
        }
        for &index in groups.items() {
            let group = &mut self.groups[index as usize];
            let lower = mines - (most - i16::from(group.most));
            let upper = mines - (least - i16::from(group.least));
            let (before_least, before_most) = (group.least, group.most);
            group.least = group.least.max(lower.max(0) as u8);
            group.most = group.most.min(upper as u8);
            least += i16::from(group.least - before_least);
            most -= i16::from(before_most - group.most);
            if group.least == before_least && group.most == before_most {
                continue;
            }
            for &other in group.constraints.items() {
                if other != constraint && !self.is_waiting[other as usize] {
                    self.is_waiting[other as usize] = true;
                    self.waiting.push(other);
                }
            }
        }
        true
    }
}
