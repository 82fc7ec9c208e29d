//! The ways in which Bourdet & Abadie compute probabilities, beside the right one.
//!
//! Two choices: how solutions are found, and how they are weighted. A method that lists cases refuses boards with too
//! many of them.

use std::sync::atomic::AtomicBool;

use super::NEVER;
use super::solver::Solver;
use super::solver::linear::LinearSystem;
use super::visible_board::VisibleBoard;
use super::{listing, naive, printed_formula};

/// How solutions are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GroupMethod {
    /// In a diagram, without listing them: for boards of any size.
    #[default]
    Diagram,
    /// Gauss–Jordan elimination and every choice of the free groups (§2.3).
    GaussJordan,
    /// One case after the other (§2.2): Listing 2.1 by the printed weights, every placement by the right ones.
    Naive,
}

/// How solutions are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GroupWeights {
    /// By all placements that they stand for, those of the mines off the frontier included.
    #[default]
    Right,
    /// As printed: by the placements on the frontier alone.
    Printed,
}

/// The most choices of free groups that are tried.
pub const MOST_CHOICES: f64 = 1e6;

/// The probability of a mine in every masked cell, row by row, and 0 in unmasked ones; nothing where the board is too
/// large for the method, or where no solution was found.
pub fn probabilities(seen: &VisibleBoard, method: GroupMethod, weights: GroupWeights) -> Option<Vec<f64>> {
    probabilities_unless(&NEVER, seen, method, weights)
}

/// The same, and nothing where it is stopped.
pub fn probabilities_unless(
    stop: &AtomicBool,
    seen: &VisibleBoard,
    method: GroupMethod,
    weights: GroupWeights,
) -> Option<Vec<f64>> {
    match (method, weights) {
        (GroupMethod::Diagram, GroupWeights::Right) => {
            let mut solver = Solver::new();
            let known = solver.solve_unless(stop, seen).ok()?;
            let mut mined = vec![0.0; seen.rows() * seen.cols()];
            seen.masked().iter().for_each(|cell| mined[seen.index(cell)] = known.of(cell).unwrap_or(0.0));
            Some(mined)
        }
        (GroupMethod::Diagram, GroupWeights::Printed) => printed_formula::probabilities_unless(stop, seen),
        (GroupMethod::GaussJordan, _) => by_elimination(stop, seen, weights),
        (GroupMethod::Naive, GroupWeights::Printed) => {
            let count = listing::count_unless(stop, seen)?;
            (count.valid > 0).then_some(count.mined)
        }
        (GroupMethod::Naive, GroupWeights::Right) => by_placements(stop, seen),
    }
}

fn by_placements(stop: &AtomicBool, seen: &VisibleBoard) -> Option<Vec<f64>> {
    let can_count = seen.masked_count() <= naive::MOST_MASKED;
    let count = can_count.then(|| naive::count_unless(stop, seen)).flatten()?;
    let share = |&mined: &u64| mined as f64 / count.solutions as f64;
    (count.solutions > 0).then(|| count.mined.iter().map(share).collect())
}

/// The document's optimised algorithm: each solution of the system with its weight.
fn by_elimination(stop: &AtomicBool, seen: &VisibleBoard, weights: GroupWeights) -> Option<Vec<f64>> {
    let (system, groups) = (LinearSystem::of(seen), LinearSystem::groups_of(seen));
    let frontier: usize = groups.iter().map(Vec::len).sum();
    let off = seen.masked_count() - frontier;
    let off_ways = ln_binomials(off, seen.mines_left());
    let (mut total, mut sums, mut rest) = (0.0, vec![0.0; groups.len()], 0.0);
    // The greatest weight so far counts as 1: on large boards they leave the range of numbers.
    let mut greatest = f64::NEG_INFINITY;
    system.each_solution(MOST_CHOICES, stop, &mut |solution| {
        let used: i32 = solution.iter().map(|&mines| i32::from(mines)).sum();
        let left = seen.mines_left() - used;
        let ways = groups.iter().zip(solution).map(|(cells, &mines)| binomial(cells.len(), mines).ln());
        let mut weight: f64 = ways.sum();
        if weights == GroupWeights::Right {
            let Some(off_ways) = usize::try_from(left).ok().and_then(|left| off_ways.get(left)) else {
                return;
            };
            weight += off_ways;
        }
        if weight > greatest {
            let shrunk = (greatest - weight).exp();
            [&mut total, &mut rest].into_iter().chain(&mut sums).for_each(|sum| *sum *= shrunk);
            greatest = weight;
        }
        let weight = (weight - greatest).exp();
        total += weight;
        rest += weight * f64::from(left);
        sums.iter_mut().zip(solution).for_each(|(sum, &mines)| *sum += weight * f64::from(mines));
    })?;
    if total == 0.0 {
        return None;
    }
    // As for the printed formula: off the frontier, an even share of the mines that are expected to be left.
    let share = (rest / total / off as f64).clamp(0.0, 1.0);
    let mut mined = vec![0.0; seen.rows() * seen.cols()];
    seen.masked().iter().for_each(|cell| mined[seen.index(cell)] = share);
    for (cells, sum) in groups.iter().zip(&sums) {
        for &cell in cells {
            mined[seen.index(cell)] = sum / total / cells.len() as f64;
        }
    }
    Some(mined)
}

/// How many ways there are to choose so many mines of a few cells.
fn binomial(cells: usize, mines: u8) -> f64 {
    (0..mines).fold(1.0, |ways, i| ways * (cells as f64 - f64::from(i)) / f64::from(i + 1))
}

/// The logarithms of the ways to choose 0, 1, … of these cells, up to so many mines.
fn ln_binomials(cells: usize, mines: i32) -> Vec<f64> {
    let most = usize::try_from(mines).unwrap_or(0).min(cells);
    let mut ways = vec![0.0];
    for chosen in 0..most {
        ways.push(ways[chosen] + ((cells - chosen) as f64 / (chosen + 1) as f64).ln());
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minesweeper::{FirstClick, Minesweeper};
    use outplay_core::{Game, Rng, View};

    /// Boards of random games on 4×4 cells.
    fn boards() -> impl Iterator<Item = VisibleBoard> {
        (0..400).filter_map(|number| {
            let mut rng = Rng::stream(4, number);
            let game = Minesweeper::new(4, 4, 2 + rng.below(4), FirstClick::Safe).unwrap();
            let (mut state, mut scratch) = (game.start(&mut rng), Vec::new());
            for _ in 0..=rng.below(4) {
                if game.outcome(&state).is_none() {
                    let mv = game.view(&state).random_move(&mut rng, &mut scratch);
                    game.play(&mut state, mv);
                }
            }
            game.outcome(&state).is_none().then(|| state.seen().clone())
        })
    }

    fn assert_near(ours: &[f64], other: &[f64], seen: &VisibleBoard) {
        let near = ours.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{seen}\n{ours:?}\n{other:?}");
    }

    #[test]
    fn all_methods_agree_by_the_right_weights_and_both_by_the_printed_ones() {
        let mut compared = 0;
        for seen in boards() {
            let of = |method, weights| probabilities(&seen, method, weights).unwrap();
            let exact = of(GroupMethod::Diagram, GroupWeights::Right);
            assert_near(&of(GroupMethod::GaussJordan, GroupWeights::Right), &exact, &seen);
            assert_near(&of(GroupMethod::Naive, GroupWeights::Right), &exact, &seen);
            let printed = of(GroupMethod::Diagram, GroupWeights::Printed);
            assert_near(&of(GroupMethod::GaussJordan, GroupWeights::Printed), &printed, &seen);
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }

    /// Numbers that all depend on each other, and a board that is given up because it is stopped. The diagram by the right weights
    /// is the solver's, which looks at the flag now and then.
    #[test]
    fn what_takes_too_long_is_given_up() {
        let rows = [".".repeat(63), ".2".repeat(31) + "."].join("\n");
        let rows = format!("mines 142\n{}\n{}", [&*rows; 4].join("\n"), ".".repeat(63));
        let (large, small) = (rows.parse().unwrap(), "mines 2\n.11..\n.....".parse().unwrap());
        let stop = AtomicBool::new(true);
        for (method, weights) in [
            (GroupMethod::Diagram, GroupWeights::Printed),
            (GroupMethod::GaussJordan, GroupWeights::Right),
            (GroupMethod::GaussJordan, GroupWeights::Printed),
            (GroupMethod::Naive, GroupWeights::Right),
            (GroupMethod::Naive, GroupWeights::Printed),
        ] {
            assert_eq!(probabilities(&large, method, weights), None, "{method:?} {weights:?}");
            assert_eq!(probabilities_unless(&stop, &small, method, weights), None, "{method:?} {weights:?}");
        }
    }

    #[test]
    fn what_has_too_many_cases_is_refused() {
        let seen = VisibleBoard::masked_board(10, 10, 10, false);
        assert_eq!(probabilities(&seen, GroupMethod::Naive, GroupWeights::Right), None);
        assert!(probabilities(&seen, GroupMethod::GaussJordan, GroupWeights::Right).is_some());
        // More placements than a number can count.
        let seen = VisibleBoard::masked_board(64, 64, 800, false);
        let mined = probabilities(&seen, GroupMethod::GaussJordan, GroupWeights::Right).unwrap();
        assert!(mined.iter().all(|mined| (mined - 800.0 / 4096.0).abs() < 1e-9));
    }
}
