//! Optimal play on tiny boards against an independent solver that uses nothing but the rules.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn, View};
use outplay_games::minesweeper::endgame::{EndgameBudget, win_chance};
use outplay_games::minesweeper::optimal::{NoExactValue, Optimal, OptimalSolution};
use outplay_games::minesweeper::strategy::{Effort, Strategist};
use outplay_games::minesweeper::{
    Action, BoardCell, CellSet, FirstClick, Minesweeper, MinesweeperState, Solver, VisibleBoard,
    groups::GroupsPlayer,
};

const RULES: [FirstClick; 3] = [FirstClick::Any, FirstClick::Safe, FirstClick::Zero];

fn book(game: &Minesweeper) -> OptimalSolution {
    OptimalSolution::solve(game, &AtomicBool::new(false)).unwrap()
}

/// Every placement of a game's mines that leaves `spared` empty, as states of the game.
fn placements(game: &Minesweeper, spared: &[BoardCell]) -> Vec<MinesweeperState> {
    let (rows, cols, mines) = (game.rows(), game.cols(), game.mines());
    let seen = VisibleBoard::masked_board(rows, cols, mines, false);
    let everywhere: Vec<BoardCell> = CellSet::full(rows, cols).iter().collect();
    (0u32..1 << everywhere.len())
        .filter(|word| word.count_ones() as usize == mines)
        .map(|word| {
            let mut mines = CellSet::empty(rows);
            let chosen = everywhere.iter().enumerate().filter(|(bit, _)| word >> bit & 1 == 1);
            chosen.for_each(|(_, &cell)| mines.insert(cell));
            mines
        })
        .filter(|mines| spared.iter().all(|&cell| !mines.contains(cell)))
        .map(|mines| MinesweeperState::set_up(seen.clone(), Some(mines), Rng::new(0)))
        .collect()
}

/// The independent solver: all states with the same view are grouped; every legal move is tried on all of them by the
/// rules of the game, cascades included.
struct ReferenceSolver<'g> {
    game: &'g Minesweeper,
    known: HashMap<VisibleBoard, u32>,
}

impl ReferenceSolver<'_> {
    fn won(&mut self, alike: &[MinesweeperState]) -> u32 {
        let seen = alike[0].seen();
        match self.game.outcome(&alike[0]) {
            Some(Outcome::Win(Seat::First)) => return alike.len() as u32,
            Some(_) => return 0,
            None => {}
        }
        if let Some(&won) = self.known.get(seen) {
            return won;
        }
        let won = seen.moves().into_iter().map(|mv| self.play(alike, mv)).max().unwrap();
        self.known.insert(seen.clone(), won);
        won
    }

    fn play(&mut self, alike: &[MinesweeperState], mv: Action) -> u32 {
        let mut parts: HashMap<VisibleBoard, Vec<MinesweeperState>> = HashMap::new();
        for state in alike {
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            parts.entry(next.seen().clone()).or_default().push(next);
        }
        parts.values().map(|part| self.won(part)).sum()
    }
}

/// Every first click of every tiny board, with every number of mines and every rule.
#[test]
fn the_best_play_wins_what_the_reference_finds() {
    let mut compared = 0;
    for (rows, cols) in [(1, 4), (2, 2), (1, 6), (2, 3), (2, 4), (3, 3)] {
        for mines in 1..rows * cols {
            for rule in RULES {
                let Ok(game) = Minesweeper::new(rows, cols, mines, rule) else { continue };
                let seen = VisibleBoard::masked_board(rows, cols, mines, false);
                let worths = book(&game).win_counts(&seen, &AtomicBool::new(false)).unwrap();
                assert_eq!(worths.len(), rows * cols);
                for (cell, worth) in worths {
                    let spared: Vec<BoardCell> = match rule {
                        FirstClick::Any => Vec::new(),
                        FirstClick::Safe => vec![cell],
                        FirstClick::Zero => seen.neighbours(cell).chain([cell]).collect(),
                    };
                    let all = placements(&game, &spared);
                    let mut reference = ReferenceSolver { game: &game, known: HashMap::new() };
                    let won = reference.play(&all, Action::Unmask(cell));
                    assert_eq!((worth.won, worth.of), (won, all.len() as u32), "{game:?} at {cell}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Boards in the middle of a game: the search of the endgame, which shares only the rules with this one, finds the
/// same.
#[test]
fn every_view_has_the_worth_that_the_endgame_finds() {
    let (mut solver, never, mut compared) = (Solver::new(), AtomicBool::new(false), 0);
    for number in 0..150 {
        let mut rng = Rng::stream(3, number);
        let game = Minesweeper::new(4, 5, 3 + rng.below(4), FirstClick::Safe).unwrap();
        let (mut state, mut scratch) = (game.start(&mut rng), Vec::new());
        for _ in 0..=rng.below(4) {
            if game.outcome(&state).is_none() {
                let mv = game.view(&state).random_move(&mut rng, &mut scratch);
                game.play(&mut state, mv);
            }
        }
        if game.outcome(&state).is_some() {
            continue;
        }
        let budget = EndgameBudget { placements: 2000, nodes: 200_000 };
        let Some(expected) = win_chance(&mut solver, state.seen(), budget) else { continue };
        let found = OptimalSolution::empty(&game).win_counts(state.seen(), &never).unwrap();
        for (cell, chance) in &expected {
            let worth =
                found.iter().find(|(other, _)| other == cell).map_or(0.0, |(_, worth)| worth.chance());
            assert!((worth - chance).abs() < 1e-12, "{cell}: {worth}, {chance}\n{}", state.seen());
        }
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

fn wins(game: &Minesweeper, player: &mut dyn Player<VisibleBoard>, games: u64) -> f64 {
    let mut won = 0;
    for number in 0..games {
        let mut rng = Rng::stream(11, number);
        let mut state = game.start(&mut rng);
        player.new_game(Seat::First);
        while game.outcome(&state).is_none() {
            let mv = player.choose(game.view(&state), &mut Turn::new(&mut rng));
            game.play(&mut state, mv);
        }
        won += u32::from(game.outcome(&state) == Some(Outcome::Win(Seat::First)));
    }
    f64::from(won) / games as f64
}

#[test]
fn the_player_wins_as_often_as_the_book_says() {
    for (rows, cols, mines, rule) in
        [(4, 4, 4, FirstClick::Safe), (3, 5, 4, FirstClick::Any), (4, 5, 3, FirstClick::Zero)]
    {
        let game = Minesweeper::new(rows, cols, mines, rule).unwrap();
        let book = Arc::new(book(&game));
        let seen = VisibleBoard::masked_board(rows, cols, mines, false);
        let exact = book.win_counts(&seen, &AtomicBool::new(false)).unwrap()[0].1.chance();
        let games = 4000;
        let ours = wins(&game, &mut Optimal::new(book), games);
        let deviation = (exact * (1.0 - exact) / games as f64).sqrt();
        assert!((ours - exact).abs() < 4.0 * deviation, "{rows}×{cols}/{mines}: {ours}, {exact}");
        assert!(wins(&game, &mut GroupsPlayer::new(), games) < exact + 2.0 * deviation);
    }
}

/// The result of best play when the first cell is safe: rows, columns, mines, placements won, placements.
const BEST: [(usize, usize, usize, u32, u32); 11] = [
    (3, 3, 2, 24, 28),
    (3, 3, 3, 33, 56),
    (4, 4, 2, 102, 105),
    (4, 4, 3, 400, 455),
    (4, 4, 4, 961, 1365),
    (4, 4, 5, 1461, 3003),
    (4, 4, 6, 1584, 5005),
    (4, 5, 4, 2950, 3876),
    (4, 5, 5, 6998, 11_628),
    (5, 5, 3, 1798, 2024),
    (5, 5, 4, 8236, 10_626),
];

/// How many of these games, which have the same view so far, the player wins. It draws no random numbers, so it is
/// asked once for all games with the same view.
fn won_of_all(
    game: &Minesweeper,
    player: &mut dyn Player<VisibleBoard>,
    alike: Vec<MinesweeperState>,
) -> u32 {
    let (mut won, mut open) = (0, vec![alike]);
    while let Some(alike) = open.pop() {
        player.new_game(Seat::First);
        let mv = player.choose(game.view(&alike[0]), &mut Turn::new(&mut Rng::new(0)));
        let mut by_view: HashMap<VisibleBoard, Vec<MinesweeperState>> = HashMap::new();
        for mut state in alike {
            game.play(&mut state, mv);
            match game.outcome(&state) {
                Some(outcome) => won += u32::from(outcome == Outcome::Win(Seat::First)),
                None => by_view.entry(state.seen().clone()).or_default().push(state),
            }
        }
        open.extend(by_view.into_values());
    }
    won
}

/// Playing every placement gives the exact win rate of `solver`: never more than that of best play, and not much
/// less. With `--nocapture` it is printed.
#[test]
fn solver_comes_close_to_the_best_play() {
    for (rows, cols, mines, won, of) in BEST {
        let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe).unwrap();
        let seen = VisibleBoard::masked_board(rows, cols, mines, false);
        let best = book(&game).win_counts(&seen, &AtomicBool::new(false)).unwrap()[0].1;
        assert_eq!((best.won, best.of), (won, of), "{rows}×{cols}/{mines}");
        let mut player = Strategist::new(FirstClick::Safe, Effort::STRONG);
        let first = player.choose(&seen, &mut Turn::new(&mut Rng::new(0)));
        let ours = won_of_all(&game, &mut player, placements(&game, &[first.cell()]));
        println!("{rows}×{cols}/{mines}: solver wins {ours} of {of}, the best play {won}");
        assert!(
            ours <= won && f64::from(ours) > 0.93 * f64::from(won),
            "{rows}×{cols}/{mines}: {ours} of {won}"
        );
    }
}

#[test]
fn books_read_back_and_damage_is_found() {
    let game = Minesweeper::new(4, 4, 3, FirstClick::Safe).unwrap();
    let book = book(&game);
    let bytes = book.to_bytes();
    let read = OptimalSolution::from_bytes(&game, &bytes).unwrap();
    assert_eq!((read.problems(), read.to_bytes()), (book.problems(), bytes.clone()));
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(OptimalSolution::from_bytes(&game, &damaged).is_none(), "{place}");
    }
    assert!(OptimalSolution::from_bytes(&game, &bytes[..bytes.len() - 1]).is_none());
}

#[test]
fn what_is_too_large_is_refused() {
    let refusal = |rows, cols, mines| {
        let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe).unwrap();
        OptimalSolution::solve(&game, &AtomicBool::new(false)).unwrap_err()
    };
    assert_eq!(refusal(10, 10, 10), NoExactValue::Cells { cells: 100 });
    assert_eq!(refusal(5, 5, 12), NoExactValue::Placements);
    assert!(refusal(5, 5, 12).to_string().contains("130000 ways"));
    let game = Minesweeper::new(4, 4, 4, FirstClick::Safe).unwrap();
    assert_eq!(OptimalSolution::solve(&game, &AtomicBool::new(true)).unwrap_err(), NoExactValue::Stopped);
}
