//! The player `solver`: it plays what it has proved, whatever it remembers; the same game gives the same moves.

use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Thought, Turn, View};
use outplay_games::minesweeper::endgame::{EndgameBudget, win_chance};
use outplay_games::minesweeper::strategy::{ChoiceReason, Effort, Playouts, Strategist};
use outplay_games::minesweeper::{
    Action, BoardCell, CellContent, CellSet, FirstClick, Minesweeper, MinesweeperState, Solver, VisibleBoard,
};

fn choose(player: &mut Strategist, view: &VisibleBoard) -> Action {
    player.choose(view, &mut Turn::new(&mut Rng::new(0)))
}

/// Plays a game; visits every board with the move made on it.
fn play(
    game: &Minesweeper,
    player: &mut Strategist,
    seed: u64,
    mut show: impl FnMut(&MinesweeperState, Action),
) -> bool {
    let mut state = game.start(&mut Rng::new(seed));
    player.new_game(Seat::First);
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return outcome == Outcome::Win(Seat::First);
        }
        let action = choose(player, state.seen());
        assert!(state.seen().is_legal(action), "{action:?} on\n{}", state.seen());
        show(&state, action);
        game.play(&mut state, action);
    }
}

#[test]
fn no_cell_is_risked_while_one_is_proven_safe() {
    let mut solver = Solver::new();
    for effort in [Effort::FAST, Effort::STRONG] {
        for (rows, cols, mines) in [(5, 5, 5), (8, 8, 10), (10, 12, 25), (1, 12, 4)] {
            let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe).unwrap();
            let mut player = Strategist::new(FirstClick::Safe, effort);
            for seed in 0..20 {
                play(&game, &mut player, seed, |state, action| {
                    let known = solver.solve(state.seen()).unwrap();
                    let is_safe = known.safe().contains(action.cell());
                    assert!(is_safe || known.safe().is_empty(), "{action:?} on\n{}", state.seen());
                    assert!(!known.mined().contains(action.cell()), "{action:?} on\n{}", state.seen());
                });
            }
        }
    }
}

/// One player gets the boards of two games in turn without being told.
#[test]
fn what_was_proven_on_another_board_is_not_believed() {
    let game = Minesweeper::new(9, 9, 10, FirstClick::Safe).unwrap();
    let mut boards: Vec<Vec<VisibleBoard>> = Vec::new();
    for seed in 0..12 {
        let mut own = Vec::new();
        let mut player = Strategist::new(FirstClick::Safe, Effort::FAST);
        play(&game, &mut player, seed, |state, _| own.push(state.seen().clone()));
        boards.push(own);
    }
    let (mut solver, mut confused) = (Solver::new(), Strategist::new(FirstClick::Safe, Effort::FAST));
    for pair in boards.chunks(2) {
        for (a, b) in pair[0].iter().zip(&pair[1]) {
            for view in [a, b, b, a] {
                let cell = choose(&mut confused, view).cell();
                let known = solver.solve(view).unwrap();
                assert!(known.safe().contains(cell) || known.safe().is_empty(), "{cell} on\n{view}");
            }
        }
    }
}

#[test]
fn a_game_depends_on_nothing_before_it_and_on_no_watcher() {
    for (side, mines, effort) in [(16, 40, Effort::STRONG), (8, 14, Effort::DEEP)] {
        let game = Minesweeper::new(side, side, mines, FirstClick::Safe).unwrap();
        let moves = |player: &mut Strategist, seed| {
            let mut moves = Vec::new();
            play(&game, player, seed, |_, action| moves.push(action));
            moves
        };
        let mut old = Strategist::new(FirstClick::Safe, effort);
        for seed in 0..5 {
            let mut fresh = Strategist::new(FirstClick::Safe, effort);
            assert_eq!(moves(&mut old, seed), moves(&mut fresh, seed));
        }
    }
    let view: VisibleBoard = "mines 6\n1....\n.....\n.....\n.....".parse().unwrap();
    let mut thoughts = Vec::new();
    let mut watcher = |thought: Thought<Action>| thoughts.push(thought);
    let watched = Strategist::new(FirstClick::Safe, Effort::STRONG)
        .choose(&view, &mut Turn::new(&mut Rng::new(0)).watched(&mut watcher));
    assert_eq!(watched, choose(&mut Strategist::new(FirstClick::Safe, Effort::STRONG), &view));
    let [thought] = &thoughts[..] else { panic!("{thoughts:?}") };
    assert_eq!(thought.candidates[0].mv, watched);
    assert!(thought.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.value)));
}

/// Few placements are left on tiny boards after the first cell, so every guess must be a best one.
#[test]
fn endgames_are_played_perfectly() {
    let game = Minesweeper::new(4, 4, 4, FirstClick::Safe).unwrap();
    let (mut solver, mut guesses) = (Solver::new(), 0);
    let mut player = Strategist::new(FirstClick::Safe, Effort::STRONG);
    for seed in 0..150 {
        play(&game, &mut player, seed, |state, action| {
            let seen = state.seen();
            if seen.score() == 0 {
                return;
            }
            let chances = win_chance(&mut solver, seen, EndgameBudget::default()).unwrap();
            let own = chances.iter().find(|(cell, _)| *cell == action.cell()).unwrap().1;
            assert!(own > chances[0].1 - 1e-12, "{action:?} on\n{seen}\n{own} but {}", chances[0].1);
            guesses += usize::from(chances[0].1 < 1.0);
        });
    }
    assert!(guesses > 50, "{guesses}");
}

#[test]
fn a_flag_on_the_cell_to_unmask_is_taken_away() {
    let view: VisibleBoard = "mines 1\n1.F\n".parse().unwrap();
    let action = choose(&mut Strategist::new(FirstClick::Safe, Effort::FAST), &view);
    assert_eq!(action, Action::Unflag(BoardCell::new(0, 2)));
}

/// Every placement of the mines that fits a small board, by brute force.
fn placements(seen: &VisibleBoard) -> Vec<CellSet> {
    let masked: Vec<BoardCell> = seen.masked().iter().collect();
    let placement = |bits: u32| {
        let mut mines = CellSet::empty(seen.rows());
        let chosen = masked.iter().enumerate().filter(|&(place, _)| bits >> place & 1 == 1);
        chosen.for_each(|(_, &cell)| mines.insert(cell));
        mines
    };
    let fits = |mines: &CellSet| {
        CellSet::full(seen.rows(), seen.cols()).iter().all(|cell| match seen.shown(cell) {
            CellContent::Number(number) => {
                let near = seen.neighbours(cell).filter(|&near| mines.contains(near));
                near.count() == usize::from(number)
            }
            _ => true,
        })
    };
    let all = (0..1u32 << masked.len()).filter(|bits| bits.count_ones() as usize == seen.mines());
    all.map(placement).filter(fits).collect()
}

/// Playouts estimate the share of all placements under which the player wins from this cell on.
#[test]
fn the_mean_of_playouts_is_the_chance_to_win() {
    let game = Minesweeper::new(4, 4, 5, FirstClick::Safe).unwrap();
    let seen: VisibleBoard = "mines 5\n1...\n....\n....\n..2.".parse().unwrap();
    let placements = placements(&seen);
    for effort in [Effort::FAST, Effort { placements: 0, ..Effort::FAST }] {
        let (mut player, mut playouts) = (Strategist::new(FirstClick::Safe, effort), Playouts::new(effort));
        for cell in [BoardCell::new(0, 1), BoardCell::new(0, 3), BoardCell::new(2, 2)] {
            let is_won = |mines: &CellSet| {
                let mut state = MinesweeperState::set_up(seen.clone(), Some(mines.clone()), Rng::new(0));
                game.play(&mut state, Action::Unmask(cell));
                player.new_game(Seat::First);
                while game.outcome(&state).is_none() {
                    let action = choose(&mut player, state.seen());
                    game.play(&mut state, action);
                }
                state.seen().is_won()
            };
            let won = placements.iter().map(is_won).filter(|&won| won).count();
            let exact = won as f64 / placements.len() as f64;
            let (mut rng, never) = (Rng::new(1), AtomicBool::new(false));
            let draws: Vec<f64> =
                (0..4000).map(|_| playouts.draw(&seen, cell, &mut rng, &never).unwrap()).collect();
            let mean = draws.iter().sum::<f64>() / 4000.0;
            let spread = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 4000.0;
            let error = (spread / 4000.0).sqrt();
            assert!((mean - exact).abs() < 4.0 * error, "{cell}: {mean} ± {error}, but {exact}");
            assert!(spread < exact * (1.0 - exact) / 2.0, "{cell}: {spread} is no better than games");
        }
    }
}

/// On boards small enough to be searched, but with the search disabled, guesses chosen by playouts win more than
/// those chosen by look-ahead alone, and nearly as much as the best.
#[test]
fn playing_on_finds_better_guesses() {
    let game = Minesweeper::new(5, 5, 6, FirstClick::Safe).unwrap();
    let weighs = Effort { placements: 0, ..Effort::STRONG };
    let plays_on = Effort { placements: 0, ..Effort::DEEP };
    let mut players = [weighs, plays_on].map(|effort| Strategist::new(FirstClick::Safe, effort));
    let (mut solver, mut guesses, mut lost) = (Solver::new(), 0, [0.0; 2]);
    let mut guide = Strategist::new(FirstClick::Safe, Effort::FAST);
    for seed in 0..100 {
        play(&game, &mut guide, seed, |state, _| {
            let seen = state.seen();
            let Some(chances) = win_chance(&mut solver, seen, EndgameBudget::default()) else { return };
            let chosen = players.each_mut().map(|player| choose(player, seen).cell());
            if players[0].reason() != ChoiceReason::LookAhead {
                return;
            }
            guesses += 1;
            for (lost, cell) in lost.iter_mut().zip(chosen) {
                let own = chances.iter().find(|(other, _)| *other == cell).unwrap().1;
                *lost += chances[0].1 - own;
            }
        });
    }
    let [weighing, playout] = lost.map(|lost| lost / f64::from(guesses));
    assert!(guesses > 50, "{guesses}");
    assert!(playout < weighing / 2.0, "{playout} and {weighing} lost by a guess");
}
