//! Exact probabilities against brute force, the document's example, and general invariants.

mod minesweeper_boards;

use minesweeper_boards::scattered;
use outplay_core::{Game, Rng, View};
use outplay_games::minesweeper::solver::linear::LinearSystem;
use outplay_games::minesweeper::{
    BoardCell, CellContent, CellSet, FirstClick, Minesweeper, ProbabilityError, Solver, VisibleBoard, naive,
};
use proptest::prelude::*;

/// A board in the middle of a game, from safe unmaskings only.
fn mid_game(rows: usize, cols: usize, mines: usize, plies: usize, rng: &mut Rng) -> VisibleBoard {
    let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe).unwrap();
    let (mut state, mut scratch) = (game.start(rng), Vec::new());
    for _ in 0..plies {
        let mut tries = 0..1000;
        let next = tries.find_map(|_| {
            let mv = game.view(&state).random_move(rng, &mut scratch);
            let mut next = state.clone();
            game.play(&mut next, mv);
            (game.outcome(&next).is_none()).then_some(next)
        });
        state = next.unwrap_or(state);
    }
    state.seen().clone()
}

/// A board small enough to try all placements.
fn small(rng: &mut Rng) -> Option<VisibleBoard> {
    let (rows, cols) = (1 + rng.below(6), 2 + rng.below(6));
    let seen = scattered(rows, cols, 0, rng);
    (seen.masked_count() <= 16).then_some(seen)
}

fn check_against_naive(solver: &mut Solver, seen: &VisibleBoard) {
    let count = naive::count(seen);
    let Ok(found) = solver.solve(seen).cloned() else {
        assert_eq!(count.solutions, 0, "{seen}");
        return;
    };
    assert!(count.solutions > 0, "{seen}");
    for cell in seen.masked().iter() {
        let mined = count.mined[seen.index(cell)];
        let expected = mined as f64 / count.solutions as f64;
        let ours = found.of(cell).unwrap();
        assert!((ours - expected).abs() < 1e-9, "{cell} of\n{seen}\n{ours} but {expected}");
        assert_eq!(found.safe().contains(cell), mined == 0, "{cell} of\n{seen}");
        assert_eq!(found.mined().contains(cell), mined == count.solutions, "{cell} of\n{seen}");
    }
    assert!((found.log10_solutions() - (count.solutions as f64).log10()).abs() < 1e-9, "{seen}");
    assert_eq!(solver.exact_solutions(), Some(u128::from(count.solutions)), "{seen}");
}

#[test]
fn every_probability_agrees_with_brute_force() {
    let mut solver = Solver::new();
    let mut checked = 0;
    for number in 0..6000 {
        if let Some(seen) = small(&mut Rng::stream(1, number)) {
            check_against_naive(&mut solver, &seen);
            checked += 1;
        }
    }
    for number in 0..3000 {
        let mut rng = Rng::stream(2, number);
        let (mines, plies) = (3 + rng.below(4), 1 + rng.below(8));
        let seen = mid_game(5, 5, mines, plies, &mut rng);
        if seen.masked_count() <= 16 {
            check_against_naive(&mut solver, &seen);
            checked += 1;
        }
    }
    assert!(checked > 4000, "{checked}");
}

/// Numbers changed at random are mostly contradictory: the solver and brute force agree on that, too, and what the
/// solver names is contradictory and minimal.
#[test]
fn contradictions_are_found_and_minimal() {
    let (mut solver, mut found) = (Solver::new(), 0);
    for number in 0..3000 {
        let mut rng = Rng::stream(3, number);
        let Some(seen) = small(&mut rng) else { continue };
        let mut spoilt = VisibleBoard::masked_board(seen.rows(), seen.cols(), seen.mines(), true);
        for cell in CellSet::full(seen.rows(), seen.cols()).iter() {
            if let CellContent::Number(number) = seen.shown(cell) {
                let spoil = rng.below(8) == 0;
                spoilt.reveal(cell, if spoil { rng.below(4) as u8 } else { number });
            }
        }
        check_against_naive(&mut solver, &spoilt);
        if let Some(contradiction) = solver.contradiction(&spoilt) {
            found += 1;
            for (left_out, _) in contradiction.cells.iter().enumerate() {
                let mut fewer = contradiction.cells.clone();
                fewer.remove(left_out);
                assert!(
                    satisfiable(&spoilt, &fewer, contradiction.mines.is_some()),
                    "{spoilt}\n{contradiction}"
                );
            }
            let counted = contradiction.mines.is_some();
            assert!(!satisfiable(&spoilt, &contradiction.cells, counted), "{spoilt}\n{contradiction}");
        }
    }
    assert!(found > 500, "{found}");
}

/// Brute force over the masked cells, for some of the numbers.
fn satisfiable(seen: &VisibleBoard, numbers: &[BoardCell], counted: bool) -> bool {
    let masked: Vec<BoardCell> = seen.masked().iter().collect();
    (0u32..1 << masked.len()).any(|placement| {
        let is_mined = |cell| {
            masked.iter().position(|&other| other == cell).is_some_and(|bit| placement >> bit & 1 == 1)
        };
        let fits = |&cell: &BoardCell| {
            let mines = seen.neighbours(cell).filter(|&near| is_mined(near)).count();
            seen.shown(cell) == CellContent::Number(mines as u8)
        };
        (!counted || placement.count_ones() as usize == seen.mines()) && numbers.iter().all(fits)
    })
}

#[test]
fn contradictory_boards_name_their_cells() {
    for (text, why) in [
        (
            "mines 5\n8..\n...\n...",
            "the board is impossible: the number at a1 cannot be satisfied by the cells around it",
        ),
        (
            "mines 1\n1...1",
            "the board is impossible: the numbers at a1 and e1 cannot be satisfied with one mine on the board",
        ),
        ("mines 2\n1.0..", "the board is impossible: the numbers at a1 and c1 contradict each other"),
        (
            "mines 2\n00.",
            "the board is impossible: 2 mines do not fit the masks and the mines that are shown",
        ),
    ] {
        assert_eq!(text.parse::<VisibleBoard>().unwrap_err().to_string(), why, "{text}");
    }
    let mut solver = Solver::new();
    let mut seen = VisibleBoard::masked_board(1, 3, 1, false);
    seen.reveal(BoardCell::new(0, 0), 0);
    seen.reveal(BoardCell::new(0, 2), 1);
    assert_eq!(solver.solve(&seen), Err(ProbabilityError::NoPlacement));
}

/// The document's example: two numbers, 2 and 1, that share four cells, with three more of their own each.
#[test]
fn the_documents_example() {
    let system =
        LinearSystem { matrix: vec![vec![1, 1, 0], vec![0, 1, 1]], values: vec![2, 1], sizes: vec![3, 4, 3] };
    assert_eq!(system.solutions(), [vec![1, 1, 0], vec![2, 0, 1]]);
    let mut reduced = system.clone();
    assert_eq!(reduced.reduce(), [0, 1]);
    assert_eq!(reduced.matrix, [[1, 0, -1], [0, 1, 1]]);
    assert_eq!(reduced.values, [1, 1]);

    let seen: VisibleBoard = "mines 3\n....\n.21.\n....".parse().unwrap();
    let of_board = LinearSystem::of(&seen);
    assert_eq!(of_board.solutions().len(), 2);
    let mut solver = Solver::new();
    let found = solver.solve(&seen).unwrap().clone();
    // (2, 0, 1) in 3 · 3 ways and (1, 1, 0) in 3 · 4 ways, the latter with one mine too few.
    assert_eq!(found.of(BoardCell::parse("a1").unwrap()), Some(2.0 / 3.0));
    assert_eq!(found.of(BoardCell::parse("b1").unwrap()), Some(0.0));
    assert_eq!(solver.exact_solutions(), Some(9));
}

/// The document's method, step by step, finds the solutions that the diagram counts.
#[test]
fn gauss_jordan_counts_the_same_solutions() {
    let mut solver = Solver::new();
    for number in 0..400 {
        let mut rng = Rng::stream(8, number);
        let plies = 2 + rng.below(5);
        let seen = mid_game(6, 6, 6, plies, &mut rng);
        let system = LinearSystem::of(&seen);
        if system.sizes.len() > 14 {
            continue;
        }
        let grouped: usize = system.sizes.iter().map(|&size| size as usize).sum();
        let off = seen.masked_count() - grouped;
        let choose =
            |n: usize, k: usize| (0..k).fold(1u128, |product, i| product * (n - i) as u128 / (i + 1) as u128);
        let ways = system.solutions().into_iter().map(|counts| {
            let used: usize = counts.iter().map(|&mines| mines as usize).sum();
            let Some(left) = seen.mines().checked_sub(used).filter(|&left| left <= off) else { return 0 };
            let groups = counts.iter().zip(&system.sizes);
            groups.map(|(&mines, &size)| choose(size as usize, mines as usize)).product::<u128>()
                * choose(off, left)
        });
        let expected = ways.sum();
        solver.solve(&seen).unwrap();
        assert_eq!(solver.exact_solutions(), Some(expected), "{seen}");
    }
}

fn check_conservation(solver: &mut Solver, seen: &VisibleBoard) {
    let found = solver.solve(seen).unwrap_or_else(|error| panic!("{error}:\n{seen}"));
    let sum: f64 = found.all().iter().sum();
    assert!(found.all().iter().all(|p| (0.0..=1.0).contains(p)), "{seen}");
    assert!(
        (sum - f64::from(seen.mines_left())).abs() < 1e-9 * f64::from(seen.mines_left()),
        "{sum}\n{seen}"
    );
    assert!(found.log10_solutions().is_finite() && found.log10_solutions() >= -1e-9);
}

#[test]
fn probabilities_sum_to_the_mines_left() {
    let mut solver = Solver::new();
    for number in 0..300 {
        let mut rng = Rng::stream(4, number);
        let plies = 1 + rng.below(60);
        check_conservation(&mut solver, &mid_game(16, 30, 99, plies, &mut rng));
    }
}

#[test]
fn the_largest_boards_stay_finite() {
    let mut solver = Solver::new();
    for (mines, plies) in
        [(800, 1), (800, 40), (800, 200), (500, 60), (1200, 30), (4000, 5), (4095, 0), (1, 0)]
    {
        let seen = mid_game(64, 64, mines, plies, &mut Rng::stream(6, plies as u64));
        check_conservation(&mut solver, &seen);
    }
    let fresh = VisibleBoard::masked_board(64, 64, 800, false);
    let known = solver.solve(&fresh).unwrap();
    assert_eq!(known.off_frontier(), Some(800.0 / 4096.0));
    assert!((known.log10_solutions() - 876.665_040_173).abs() < 1e-8, "{}", known.log10_solutions());
    assert_eq!(solver.exact_solutions(), None);
}

/// A lattice of numbers that all depend on each other is beyond exact counting: the solver reports it and stays
/// usable.
#[test]
fn too_complex_boards_are_given_up() {
    let mut seen = VisibleBoard::masked_board(64, 64, 1000, false);
    for row in (1..63).step_by(2) {
        for col in (1..63).step_by(2) {
            seen.reveal(BoardCell::new(row, col), 2);
        }
    }
    let mut solver = Solver::new();
    assert_eq!(solver.solve(&seen), Err(ProbabilityError::TooComplex));
    check_conservation(&mut solver, &VisibleBoard::masked_board(5, 5, 3, false));
}

/// Boards whose numbers are far apart: each half is solved independently, except for the number of mines.
#[test]
fn components_are_independent() {
    let mut solver = Solver::new();
    // Every solution of either corner has one mine, so the off-frontier cells share the rest evenly.
    let seen: VisibleBoard = "mines 5\n1......1\n........\n........\n........".parse().unwrap();
    let found = solver.solve(&seen).unwrap();
    for text in ["b1", "b2", "a2", "g1", "g2", "h2"] {
        assert!((found.of(BoardCell::parse(text).unwrap()).unwrap() - 1.0 / 3.0).abs() < 1e-12);
    }
    assert!((found.off_frontier().unwrap() - 3.0 / 24.0).abs() < 1e-12);
    // Three places for the mine of either corner, and C(24, 3) for the others.
    assert_eq!(solver.exact_solutions(), Some(3 * 3 * 2024));
}

#[test]
fn a_certain_cell_has_a_proof() {
    let mut solver = Solver::new();
    let seen: VisibleBoard = "mines 2\n....\n1221\n0000".parse().unwrap();
    let known = solver.solve(&seen).unwrap().clone();
    for cell in seen.masked().iter() {
        let certain = known.safe().contains(cell) || known.mined().contains(cell);
        let proof = solver.proof(&seen, cell);
        assert!(certain && proof.is_some_and(|proof| !proof.cells.is_empty()));
        assert!(!Solver::why(&seen, cell).is_empty());
    }
}

#[test]
fn samples_are_uniform() {
    let mut solver = Solver::new();
    let seen: VisibleBoard = "mines 4\n1...\n....\n..2.\n....".parse().unwrap();
    let expected = naive::count(&seen);
    let mut rng = Rng::new(5);
    let (draws, mut counts, mut distinct) = (40_000, [0u32; 16], std::collections::HashMap::new());
    for _ in 0..draws {
        let mines = solver.sample(&seen, &mut rng).unwrap();
        mines.iter().for_each(|cell| counts[seen.index(cell)] += 1);
        *distinct.entry(mines.rows().to_vec()).or_insert(0u32) += 1;
    }
    assert_eq!(distinct.len() as u64, expected.solutions);
    for (count, mined) in counts.iter().zip(&expected.mined) {
        let share = *mined as f64 / expected.solutions as f64;
        assert!((f64::from(*count) / f64::from(draws) - share).abs() < 0.012);
    }
    let mean = f64::from(draws) / expected.solutions as f64;
    let chi2: f64 = distinct.values().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
    let freedom = expected.solutions as f64 - 1.0;
    assert!((chi2 - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{chi2} with {freedom}");
}

proptest! {
    #[test]
    fn any_small_board_agrees_with_brute_force(
        rows in proptest::collection::vec("[.F.F*0-3]{4}", 4),
        mines in 1usize..12,
    ) {
        let text = format!("mines {mines}\n{}", rows.join("\n"));
        match text.parse::<VisibleBoard>() {
            Ok(seen) => check_against_naive(&mut Solver::new(), &seen),
            Err(error) => prop_assert!(error.to_string().contains("impossible"), "{}", error),
        }
    }
}

/// A 0 that touches no mask still forbids the exploded mine beside it.
#[test]
fn an_exploded_mine_counts_for_numbers_without_masks() {
    let refusal = "mines 2\n0*0\n...\n".parse::<VisibleBoard>().unwrap_err().to_string();
    assert!(refusal.contains("impossible"), "{refusal}");
    let refusal = "mines 1\n0*\n".parse::<VisibleBoard>().unwrap_err().to_string();
    assert!(refusal.contains("impossible"), "{refusal}");
    assert!("mines 1\n1*\n".parse::<VisibleBoard>().is_ok());
}
