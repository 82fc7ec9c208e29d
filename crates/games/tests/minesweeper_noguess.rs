//! Boards without guesses: solved by proofs alone from their first click, and reproducible.

use outplay_core::{Game, Notation, Outcome, Rng, Seat};
use outplay_games::minesweeper::{
    Action, BadGame, BoardCell, FirstClick, Minesweeper, MinesweeperState, Solver,
};

fn game(rows: usize, cols: usize, mines: usize, first: FirstClick) -> Minesweeper {
    Minesweeper::new(rows, cols, mines, first).unwrap().without_guesses().unwrap()
}

fn begin(game: &Minesweeper, first: BoardCell, seed: u64) -> MinesweeperState {
    let mut state = game.start(&mut Rng::new(seed));
    game.play(&mut state, Action::Unmask(first));
    state
}

/// Unmasks all certainly safe cells; true if that wins.
fn is_proven(game: &Minesweeper, mut state: MinesweeperState) -> bool {
    let mut solver = Solver::new();
    while game.outcome(&state).is_none() {
        let known = solver.solve(state.seen()).unwrap();
        let Some(cell) = known.safe().iter().next() else { return false };
        game.play(&mut state, Action::Unmask(cell));
    }
    game.outcome(&state) == Some(Outcome::Win(Seat::First))
}

#[test]
fn every_board_is_solved_by_proofs_alone() {
    for (rows, cols, mines, boards) in [(9, 9, 10, 30), (16, 16, 40, 15), (16, 30, 99, 8), (5, 5, 8, 30)] {
        for first in [FirstClick::Safe, FirstClick::Zero] {
            let game = game(rows, cols, mines, first);
            for seed in 0..boards {
                let corner = seed % 2 == 0;
                let first = if corner { BoardCell::new(0, 0) } else { BoardCell::new(rows / 2, cols / 2) };
                let state = begin(&game, first, seed);
                assert!(!state.needs_guess(), "{rows}×{cols}/{mines}, seed {seed}");
                assert_eq!(state.mines().unwrap().len(), mines);
                assert!(is_proven(&game, state), "{rows}×{cols}/{mines}, seed {seed}");
            }
        }
    }
}

/// Dense boards are repaired, where random drawing would find none.
#[test]
fn dense_boards_are_found() {
    let game = game(16, 30, 125, FirstClick::Safe);
    let state = begin(&game, BoardCell::new(3, 3), 1);
    assert!(!state.needs_guess() && is_proven(&game, state));
}

#[test]
fn the_seed_lays_the_board() {
    let game = game(16, 16, 40, FirstClick::Safe);
    let mines = |seed| begin(&game, BoardCell::new(8, 8), seed).mines().unwrap().clone();
    assert_eq!(mines(5), mines(5));
    assert_ne!(mines(5), mines(6));
}

#[test]
fn boards_that_cannot_be_proven_are_refused() {
    let refusal = |rows, cols, mines, first| {
        Minesweeper::new(rows, cols, mines, first).unwrap().without_guesses().unwrap_err()
    };
    assert_eq!(refusal(9, 9, 10, FirstClick::Any), BadGame::GuessFirst);
    // Whichever cell is first, it shows a 2, and three others could hold the mines.
    let none = refusal(2, 2, 2, FirstClick::Safe);
    assert_eq!(none, BadGame::NoProof { rows: 2, cols: 2, mines: 2 });
    assert!(none.to_string().contains("2×2 cells with 2 mines"));
}

/// A board that needs a guess although none was promised says so: eight cells in which the first click leaves room
/// for four mines only elsewhere.
#[test]
fn a_broken_promise_is_told() {
    let game = game(2, 4, 4, FirstClick::Safe);
    let state = begin(&game, BoardCell::new(0, 2), 1);
    assert!(state.needs_guess());
    assert!(game.draw(&state).to_text().contains("no board without a guess was found"));
    assert!(!is_proven(&game, state));
}
