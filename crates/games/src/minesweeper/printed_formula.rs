//! The second document's formula exactly as printed.
//!
//! It weights a solution by ∏ C(|group|, mines of the group) only: the total number of mines, and the ways to place
//! the rest of them off the frontier, are ignored. Two points that the document leaves open were chosen here: weights
//! are divided by their sum, and a cell off the frontier has its share of the mines that the frontier is expected to
//! leave.
//!
//! It shares no code with the exact solver, with which it is compared.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::NEVER;
use super::grid::BoardCell;
use super::solver::Solver;
use super::visible_board::{CellContent, VisibleBoard};

/// A group of cells that the same numbers touch; from `least` to `most` of them are mined.
struct FormulaGroup {
    cells: Vec<BoardCell>,
    numbers: Vec<usize>,
    least: u8,
    most: u8,
}

impl FormulaGroup {
    fn ways(&self, mines: u8) -> f64 {
        let size = self.cells.len() as u64;
        (0..u64::from(mines)).fold(1, |ways, i| ways * (size - i) / (i + 1)) as f64
    }
}

/// A number with masked cells around it.
struct FormulaConstraint {
    mines: u8,
    groups: Vec<usize>,
}

/// The document's linear system: one equation per number, one unknown per group.
struct FormulaSystem {
    groups: Vec<FormulaGroup>,
    numbers: Vec<FormulaConstraint>,
}

/// What the partly decided constraints still need, with the weight of the ways to get there.
type WeightByState = BTreeMap<Vec<u8>, f64>;

/// The most bytes of states that are kept: a dozen times what games on 16×30 cells with 99 mines came to.
const MOST_BYTES: usize = 1 << 24;

/// The probability of every masked cell of an unfinished game by the printed formula, row by row; 0 for unmasked
/// ones. Off the frontier the formula can leave the range from 0 to 1; such values are clamped. Nothing where too many numbers
/// depend on each other.
pub fn probabilities(seen: &VisibleBoard) -> Option<Vec<f64>> {
    probabilities_unless(&NEVER, seen)
}

/// The same, and nothing where it is stopped.
pub fn probabilities_unless(stop: &AtomicBool, seen: &VisibleBoard) -> Option<Vec<f64>> {
    let mut system = FormulaSystem::of(seen, stop)?;
    system.tighten();
    let mut mined = vec![0.0; seen.rows() * seen.cols()];
    let mut expected = 0.0;
    let mut put = |group: &FormulaGroup, share: f64| {
        expected += share * group.cells.len() as f64;
        group.cells.iter().for_each(|&cell| mined[seen.index(cell)] = share);
    };
    for group in system.groups.iter().filter(|group| group.least == group.most) {
        put(group, f64::from(group.least) / group.cells.len() as f64);
    }
    for component in system.components(stop)? {
        for (group, share) in system.weigh(&component, stop)? {
            put(&system.groups[group], share);
        }
    }
    let off: Vec<BoardCell> =
        seen.masked().iter().filter(|&cell| Solver::why(seen, cell).is_empty()).collect();
    let rest = ((f64::from(seen.mines_left()) - expected) / off.len() as f64).clamp(0.0, 1.0);
    for cell in off {
        mined[seen.index(cell)] = rest;
    }
    Some(mined)
}

/// Divides weights that come close to the greatest number by the greatest of them; only their ratios matter.
fn keep_in_range(weights: &mut WeightByState) {
    let greatest = weights.values().copied().fold(0.0, f64::max);
    if greatest > 1e100 {
        for weight in weights.values_mut() {
            *weight /= greatest;
        }
    }
}

impl FormulaSystem {
    fn of(seen: &VisibleBoard, stop: &AtomicBool) -> Option<Self> {
        let mut by_numbers: BTreeMap<Vec<BoardCell>, Vec<BoardCell>> = BTreeMap::new();
        for cell in seen.masked().iter() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            by_numbers.entry(Solver::why(seen, cell)).or_default().push(cell);
        }
        by_numbers.remove(&Vec::new());
        let mut places: BTreeMap<BoardCell, usize> = BTreeMap::new();
        let mut numbers: Vec<FormulaConstraint> = Vec::new();
        let mut groups = Vec::new();
        for (touching, cells) in by_numbers {
            let mut place_of = |cell: BoardCell| {
                *places.entry(cell).or_insert_with(|| {
                    let CellContent::Number(mines) = seen.shown(cell) else {
                        unreachable!("a number touches")
                    };
                    numbers.push(FormulaConstraint { mines, groups: Vec::new() });
                    numbers.len() - 1
                })
            };
            let touching: Vec<usize> = touching.into_iter().map(&mut place_of).collect();
            for &number in &touching {
                numbers[number].groups.push(groups.len());
            }
            groups.push(FormulaGroup { least: 0, most: cells.len() as u8, cells, numbers: touching });
        }
        Some(Self { groups, numbers })
    }

    /// The document's bounds, [0, |group|] at first, reduced as far as single equations allow.
    fn tighten(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for number in &self.numbers {
                let sum = |bound: fn(&FormulaGroup) -> u8| -> u8 {
                    number.groups.iter().map(|&group| bound(&self.groups[group])).sum()
                };
                let (least, most) = (sum(|group| group.least), sum(|group| group.most));
                for &group in &number.groups {
                    let group = &mut self.groups[group];
                    let lower = number.mines.saturating_sub(most - group.most).max(group.least);
                    let upper = (number.mines - (least - group.least)).min(group.most);
                    changed |= (lower, upper) != (group.least, group.most);
                    (group.least, group.most) = (lower, upper);
                }
            }
        }
    }

    fn is_open(&self, group: usize) -> bool {
        self.groups[group].least < self.groups[group].most
    }

    /// The undecided groups by component, in an order in which constraints are soon satisfied; nothing where it is stopped.
    fn components(&self, stop: &AtomicBool) -> Option<Vec<Vec<usize>>> {
        let mut left: Vec<usize> = (0..self.groups.len()).filter(|&group| self.is_open(group)).collect();
        let mut components = Vec::new();
        while let Some(first) = left.first().copied() {
            left.remove(0);
            let mut component = vec![first];
            let touches = |component: &[usize], group: usize| {
                let numbers = &self.groups[group].numbers;
                numbers
                    .iter()
                    .filter(|&&n| self.numbers[n].groups.iter().any(|g| component.contains(g)))
                    .count()
            };
            let new = |component: &[usize], group: usize| {
                self.groups[group].numbers.len() - touches(component, group)
            };
            while let Some(place) = (0..left.len())
                .filter(|&place| touches(&component, left[place]) > 0)
                .min_by_key(|&place| (new(&component, left[place]), place))
            {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                component.push(left.remove(place));
            }
            components.push(component);
        }
        Some(components)
    }

    /// The mean share of mined cells of each group over all solutions of a component; nothing where it is stopped or takes too
    /// much memory.
    fn weigh(&self, component: &[usize], stop: &AtomicBool) -> Option<Vec<(usize, f64)>> {
        let mut room = MOST_BYTES / self.numbers.len();
        let start: Vec<u8> = self
            .numbers
            .iter()
            .map(|number| {
                let settled = number.groups.iter().filter(|&&group| !self.is_open(group));
                number.mines - settled.map(|&group| self.groups[group].least).sum::<u8>()
            })
            .collect();
        let mut forward = vec![WeightByState::from([(start, 1.0)])];
        for (place, &group) in component.iter().enumerate() {
            let mut next = WeightByState::new();
            for (state, weight) in &forward[place] {
                if stop.load(Ordering::Relaxed) || next.len() > room {
                    return None;
                }
                for (_, after, ways) in self.decide(state, group, &component[place + 1..]) {
                    *next.entry(after).or_default() += weight * ways;
                }
            }
            room -= next.len().min(room);
            keep_in_range(&mut next);
            forward.push(next);
        }
        let mut backward: WeightByState =
            forward[component.len()].keys().map(|end| (end.clone(), 1.0)).collect();
        let mut shares = Vec::new();
        for (place, &group) in component.iter().enumerate().rev() {
            let (mut total, mut mined, mut before) = (0.0, 0.0, WeightByState::new());
            for (state, weight) in &forward[place] {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let mut sum = 0.0;
                for (mines, after, ways) in self.decide(state, group, &component[place + 1..]) {
                    let onward = ways * backward.get(&after).copied().unwrap_or(0.0);
                    sum += onward;
                    mined += weight * onward * f64::from(mines);
                }
                total += weight * sum;
                before.insert(state.clone(), sum);
            }
            shares.push((group, mined / total / self.groups[group].cells.len() as f64));
            keep_in_range(&mut before);
            backward = before;
        }
        Some(shares)
    }

    /// Every number of mines that a group may have in this state, with the state after it and its number of ways.
    fn decide(&self, state: &[u8], group: usize, later: &[usize]) -> Vec<(u8, Vec<u8>, f64)> {
        let chosen = &self.groups[group];
        let fits = |&mines: &u8| {
            chosen.numbers.iter().all(|&number| {
                let open = self.numbers[number].groups.iter().filter(|group| later.contains(group));
                let (least, most) = open.fold((0, 0), |(least, most), &group| {
                    (least + self.groups[group].least, most + self.groups[group].most)
                });
                state[number].checked_sub(mines).is_some_and(|left| (least..=most).contains(&left))
            })
        };
        let after = |mines: u8| {
            let mut after = state.to_vec();
            chosen.numbers.iter().for_each(|&number| after[number] -= mines);
            after
        };
        (chosen.least..=chosen.most)
            .filter(fits)
            .map(|mines| (mines, after(mines), chosen.ways(mines)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minesweeper::{CellSet, FirstClick, Minesweeper};
    use outplay_core::{Game, Rng, View};

    /// The document's example: (2, 0, 1) in 3 · 1 · 3 ways and (1, 1, 0) in 3 · 4 · 1.
    #[test]
    fn the_documents_example_by_its_formula() {
        let seen: VisibleBoard = "mines 3\n....\n.21.\n....".parse().unwrap();
        let mined = probabilities(&seen).unwrap();
        let of = |text: &str| mined[seen.index(BoardCell::parse(text).unwrap())];
        assert!((of("a1") - (9.0 * 2.0 + 12.0) / 21.0 / 3.0).abs() < 1e-12);
        assert!((of("b1") - 12.0 / 21.0 / 4.0).abs() < 1e-12);
        assert!((of("d3") - 9.0 / 21.0 / 3.0).abs() < 1e-12);
    }

    /// Where every solution holds as many mines as another, nothing is missing from the formula.
    #[test]
    fn it_agrees_where_the_total_tells_nothing() {
        let seen: VisibleBoard = "mines 5\n1......1\n........\n........".parse().unwrap();
        let mut solver = Solver::new();
        let exact = solver.solve(&seen).unwrap();
        for (ours, exact) in probabilities(&seen).unwrap().iter().zip(exact.all()) {
            assert!((ours - exact).abs() < 1e-12, "{seen}");
        }
    }

    /// On boards of a few cells: the shares of all placements of any number of mines that fit the numbers.
    #[test]
    fn it_counts_every_placement_of_the_frontier_once() {
        let mut compared = 0;
        for number in 0..300 {
            let mut rng = Rng::stream(9, number);
            let game = Minesweeper::new(4, 4, 3 + rng.below(3), FirstClick::Safe).unwrap();
            let (mut state, mut scratch) = (game.start(&mut rng), Vec::new());
            for _ in 0..=rng.below(3) {
                if game.outcome(&state).is_none() {
                    let mv = game.view(&state).random_move(&mut rng, &mut scratch);
                    game.play(&mut state, mv);
                }
            }
            let seen = state.seen();
            if game.outcome(&state).is_some() {
                continue;
            }
            let frontier: Vec<BoardCell> =
                seen.masked().iter().filter(|&cell| !Solver::why(seen, cell).is_empty()).collect();
            let (mut all, mut mined) = (0u32, vec![0u32; frontier.len()]);
            for word in 0u32..1 << frontier.len() {
                let is_mined = |cell: BoardCell| {
                    frontier.iter().position(|&other| other == cell).is_some_and(|bit| word >> bit & 1 == 1)
                };
                let fits = CellSet::full(4, 4).iter().all(|cell| match seen.shown(cell) {
                    CellContent::Number(number) => {
                        seen.neighbours(cell).filter(|&near| is_mined(near)).count() == number as usize
                    }
                    _ => true,
                });
                if fits {
                    all += 1;
                    mined.iter_mut().enumerate().for_each(|(bit, mined)| *mined += word >> bit & 1);
                }
            }
            let ours = probabilities(seen).unwrap();
            for (cell, &mined) in frontier.iter().zip(&mined) {
                let expected = f64::from(mined) / f64::from(all);
                assert!((ours[seen.index(*cell)] - expected).abs() < 1e-12, "{cell} of\n{seen}");
            }
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }
}
