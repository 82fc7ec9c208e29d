//! The order in which groups are decided.
//!
//! Groups of different components share no constraint, so components are independent except for the total number of
//! mines. Within one, constraints are completed one after the other, the one nearest to completion first: few are
//! ever partly decided, and the diagram stays narrow.

use super::frontier::Frontier;

/// Groups in the order of decision, component after component.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupOrder {
    groups: Vec<u16>,
    /// Where each component's groups end.
    ends: Vec<u32>,
    /// The constraints of the current component.
    members: Vec<u16>,
    /// The number of undecided groups of each constraint.
    undecided: Vec<u8>,
    /// When each constraint was first touched.
    touched: Vec<u32>,
    known: Vec<bool>,
    decided: Vec<bool>,
}

const UNTOUCHED: u32 = u32::MAX;

impl GroupOrder {
    /// The components' groups.
    pub(super) fn components(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.ends.len()).map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            &self.groups[start..self.ends[index] as usize]
        })
    }

    /// Finds the components of the unsettled groups, and an order for each.
    pub(super) fn arrange(&mut self, frontier: &Frontier) {
        self.groups.clear();
        self.ends.clear();
        self.known.clear();
        self.known.resize(frontier.constraints.len(), false);
        self.decided.clear();
        self.decided.extend(frontier.groups.iter().map(super::frontier::CellGroup::is_settled));
        self.touched.clear();
        self.touched.resize(frontier.constraints.len(), UNTOUCHED);
        self.undecided.clear();
        self.undecided.extend(frontier.constraints.iter().map(|constraint| {
            constraint.groups.items().iter().filter(|&&group| !self.decided[group as usize]).count() as u8
        }));
        for constraint in 0..frontier.constraints.len() {
            if !self.known[constraint] && self.undecided[constraint] > 0 {
                self.gather(frontier, constraint as u16);
                self.decide_all(frontier);
                self.ends.push(self.groups.len() as u32);
            }
        }
    }

    /// Collects the constraints connected with `start` through unsettled groups, the farthest last.
    fn gather(&mut self, frontier: &Frontier, start: u16) {
        self.members.clear();
        self.members.push(start);
        self.known[start as usize] = true;
        let mut next = 0;
        while let Some(&constraint) = self.members.get(next) {
            next += 1;
            for &group in frontier.constraints[constraint as usize].groups.items() {
                if self.decided[group as usize] {
                    continue;
                }
                for &other in frontier.groups[group as usize].constraints.items() {
                    if !self.known[other as usize] {
                        self.known[other as usize] = true;
                        self.members.push(other);
                    }
                }
            }
        }
    }

    fn decide_all(&mut self, frontier: &Frontier) {
        let mut time = 0;
        let mut chosen = self.members.pop();
        while let Some(constraint) = chosen {
            for &group in frontier.constraints[constraint as usize].groups.items() {
                if self.decided[group as usize] {
                    continue;
                }
                self.decided[group as usize] = true;
                self.groups.push(group);
                for &other in frontier.groups[group as usize].constraints.items() {
                    self.undecided[other as usize] -= 1;
                    if self.touched[other as usize] == UNTOUCHED {
                        self.touched[other as usize] = time;
                        time += 1;
                    }
                }
            }
            self.members.retain(|&other| self.undecided[other as usize] > 0);
            let nearest_its_end = |&(_, other): &(usize, &u16)| {
                let touched = self.touched[*other as usize];
                (touched == UNTOUCHED, self.undecided[*other as usize], touched)
            };
            let place = self.members.iter().enumerate().min_by_key(nearest_its_end).map(|(place, _)| place);
            chosen = place.map(|place| self.members.swap_remove(place));
        }
    }
}
