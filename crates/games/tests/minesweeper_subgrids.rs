//! Salamone's AIs, played with a predictor that can be computed by hand.

use outplay_core::{Game, Player, Rng, Seat, Turn, View};
use outplay_games::minesweeper::subgrids::{
    CELLS, CENTRE, FlagPolicy, MinePredictor, SubgridAi, begin_at_random, code, play_lockstep,
};
use outplay_games::minesweeper::{
    Action, BoardCell, CellContent, CellSet, FirstClick, Minesweeper, VisibleBoard,
};

/// The mean of the numbers of the eight neighbours, less a share of the flags among them.
fn neighbours(subgrids: &[f32], predictions: &mut [f32]) {
    for (subgrid, prediction) in subgrids.chunks_exact(CELLS).zip(predictions) {
        assert_eq!(subgrid[CENTRE], f32::from(code::MASKED));
        let around = [-6isize, -5, -4, -1, 1, 4, 5, 6].map(|by| subgrid[CENTRE.wrapping_add_signed(by)]);
        let numbers: Vec<f32> = around.into_iter().filter(|&code| code >= 0.0).collect();
        let flags = around.iter().filter(|&&code| code == f32::from(code::FLAGGED)).count() as f32;
        let mean = numbers.iter().sum::<f32>() / numbers.len().max(1) as f32;
        *prediction = (mean / 3.0 - flags / 10.0 + 0.3 / (1.0 + numbers.len() as f32)).clamp(0.01, 0.99);
    }
}

fn game(flags: bool) -> Minesweeper {
    let game = Minesweeper::new(10, 10, 12, FirstClick::Safe).unwrap();
    if flags { game.with_flags() } else { game }
}

/// The document's procedure with no memory but the flags, which may lie on the board: all predictions are made anew
/// at each turn.
fn cells_by_the_book(seed: u64, number: u64, policy: FlagPolicy, on_board: bool) -> (Vec<BoardCell>, usize) {
    let game = game(on_board);
    let (mut state, _) = begin_at_random(&game, seed, number);
    let (mut flags, mut cells) = (CellSet::empty(10), Vec::new());
    let mut removed = CellSet::empty(10);
    while game.outcome(&state).is_none() {
        let predict_all = |flags: &CellSet, seen: &VisibleBoard| -> Vec<(BoardCell, f32)> {
            let open = seen.masked().iter().filter(|&cell| !flags.contains(cell));
            open.map(|cell| (cell, predict_one(seen, flags, cell))).collect()
        };
        let mut all = predict_all(&flags, state.seen());
        let mut unmask = false;
        if all.is_empty() {
            if on_board {
                flags.iter().for_each(|cell| game.play(&mut state, Action::Unflag(cell)));
            }
            if policy.restores {
                removed = flags.clone();
            }
            flags.clear();
            all = predict_all(&flags, state.seen());
            unmask = true;
        }
        let least = all.iter().fold(all[0], |best, &one| if one.1 < best.1 { one } else { best });
        let most = all.iter().fold(all[0], |best, &one| if one.1 > best.1 { one } else { best });
        if unmask || least.1 < policy.playful - most.1 || most.1 <= policy.threshold {
            cells.push(least.0);
            game.play(&mut state, Action::Unmask(least.0));
            for cell in std::mem::replace(&mut removed, CellSet::empty(10)).iter() {
                if game.outcome(&state).is_none() && state.seen().masked().contains(cell) {
                    flags.insert(cell);
                    if on_board {
                        game.play(&mut state, Action::Flag(cell));
                    }
                }
            }
        } else {
            flags.insert(most.0);
            if on_board {
                game.play(&mut state, Action::Flag(most.0));
            }
        }
    }
    (cells, state.seen().score())
}

fn predict_one(seen: &VisibleBoard, flags: &CellSet, cell: BoardCell) -> f32 {
    let mut codes = [f32::from(code::WALL); CELLS];
    for (place, value) in codes.iter_mut().enumerate() {
        let (row, col) =
            (cell.row as isize + place as isize / 5 - 2, cell.col as isize + place as isize % 5 - 2);
        if (0..10).contains(&row) && (0..10).contains(&col) {
            let other = BoardCell::new(row as usize, col as usize);
            *value = match seen.shown(other) {
                CellContent::Number(number) => f32::from(number),
                _ if flags.contains(other) => f32::from(code::FLAGGED),
                _ => f32::from(code::MASKED),
            };
        }
    }
    let mut prediction = [0.0];
    neighbours(&codes, &mut prediction);
    prediction[0]
}

fn player_cells(seed: u64, number: u64, policy: FlagPolicy, flags: bool) -> (Vec<BoardCell>, usize) {
    let game = game(flags);
    let (mut state, mut rng) = begin_at_random(&game, seed, number);
    let mut player = SubgridAi::new(neighbours, policy);
    player.new_game(Seat::First);
    let mut cells = Vec::new();
    while game.outcome(&state).is_none() {
        let action = player.choose(state.seen(), &mut Turn::new(&mut rng));
        assert!(state.seen().is_legal(action), "{action:?}");
        if let Action::Unmask(cell) = action {
            cells.push(cell);
        }
        game.play(&mut state, action);
    }
    (cells, state.seen().score())
}

const TEMPERS: [FlagPolicy; 7] = [
    FlagPolicy::WITHOUT_FLAGS,
    FlagPolicy::NEUTRAL,
    FlagPolicy::BEST,
    FlagPolicy { playful: 1.1, threshold: 0.4, restores: false },
    FlagPolicy { playful: 0.0, threshold: 0.0, restores: false },
    FlagPolicy { playful: 1.1, threshold: 0.4, restores: true },
    FlagPolicy { playful: 0.0, threshold: 0.0, restores: true },
];

#[test]
fn what_is_remembered_changes_nothing_with_flags_in_the_head_or_on_the_board() {
    for (policy, on_board) in TEMPERS.into_iter().flat_map(|policy| [(policy, false), (policy, true)]) {
        for number in 0..60 {
            let expected = cells_by_the_book(1, number, policy, on_board);
            assert_eq!(player_cells(1, number, policy, on_board), expected, "{policy:?} {number} {on_board}");
        }
    }
}

#[test]
fn games_in_step_are_the_games_one_by_one() {
    for policy in TEMPERS {
        let scores: Vec<usize> = play_lockstep(&game(false), policy, &mut neighbours, 1, 0..60)
            .iter()
            .map(VisibleBoard::score)
            .collect();
        let expected: Vec<usize> = (0..60).map(|number| player_cells(1, number, policy, false).1).collect();
        assert_eq!(scores, expected);
        let some: Vec<usize> = play_lockstep(&game(false), policy, &mut neighbours, 1, 20..30)
            .iter()
            .map(VisibleBoard::score)
            .collect();
        assert_eq!(some, expected[20..30]);
    }
}

#[test]
fn games_in_step_with_flags_on_the_board_are_the_games_one_by_one() {
    for policy in TEMPERS {
        let scores: Vec<usize> = play_lockstep(&game(true), policy, &mut neighbours, 1, 0..40)
            .iter()
            .map(VisibleBoard::score)
            .collect();
        let expected: Vec<usize> = (0..40).map(|number| player_cells(1, number, policy, true).1).collect();
        assert_eq!(scores, expected, "{policy:?}");
    }
}

#[test]
fn when_every_masked_cell_has_a_flag_all_are_taken_away() {
    // Wants a flag on everything: unmasks one cell each time it has run out of cells to flag.
    let policy = FlagPolicy { playful: 0.0, threshold: 0.0, restores: false };
    let game = game(true);
    let (mut state, mut rng) = begin_at_random(&game, 3, 0);
    let mut player = SubgridAi::new(neighbours, policy);
    let mut actions = Vec::new();
    while game.outcome(&state).is_none() {
        let masked = state.seen().masked_count();
        let action = player.choose(state.seen(), &mut Turn::new(&mut rng));
        if let Action::Unmask(_) = action {
            assert!(state.seen().flagged().is_empty());
            assert_eq!(actions, [vec!['F'; masked], vec!['U'; masked]].concat());
            actions.clear();
        } else {
            actions.push(if matches!(action, Action::Flag(_)) { 'F' } else { 'U' });
        }
        game.play(&mut state, action);
    }
}

#[test]
fn the_first_cell_is_any_cell() {
    let mut player = SubgridAi::new(neighbours, FlagPolicy::BEST);
    let start = game(false).start(&mut Rng::new(1));
    let mut counts = [0u32; 100];
    for seed in 0..20_000 {
        player.new_game(Seat::First);
        let action = player.choose(start.seen(), &mut Turn::new(&mut Rng::new(seed)));
        counts[start.seen().index(action.cell())] += 1;
    }
    assert!(counts.iter().all(|n| (130..=270).contains(n)), "{counts:?}");
}

#[test]
fn flags_that_others_placed_are_respected() {
    for (policy, text) in
        [(FlagPolicy::WITHOUT_FLAGS, "mines 2\nFFF\n"), (FlagPolicy::BEST, "mines 2\n1FF\n")]
    {
        let seen: VisibleBoard = text.parse().unwrap();
        let mut player = SubgridAi::new(neighbours, policy);
        let action = player.choose(&seen, &mut Turn::new(&mut Rng::new(1)));
        assert!(matches!(action, Action::Unflag(_)), "{action:?}");
    }
}

#[test]
fn a_closure_is_a_predictor() {
    fn takes(_: impl MinePredictor) {}
    takes(neighbours);
}
