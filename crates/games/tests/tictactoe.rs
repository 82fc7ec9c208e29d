//! Tic-tac-toe: the conformance suite, and the whole game compared with a naive one and with known numbers.

use std::collections::HashSet;

use outplay_core::conformance::{
    check_editor, check_encoder, check_game, check_position, check_seat_encoder,
};
use outplay_core::placement::{PlacementEncoder, PlacementSeatEncoder};
use outplay_core::scene::Meaning;
use outplay_core::{Outcome, Position, PositionNotation, Referee, Seat, SeatEncoder, View, perft};
use outplay_games::tictactoe::TicTacToe;

#[test]
fn conforms() {
    let game = Referee { start: TicTacToe::START, repetitions: None, max_plies: None };
    check_game(&game, 1000, 9, 1);
    check_position(&TicTacToe::START, 1000, 9, 2);
    check_editor(&game, 200, 9, 3);
    check_encoder(&TicTacToe::START, &PlacementEncoder, 200, 4);
    check_seat_encoder(&[TicTacToe::START], &PlacementSeatEncoder::new(TicTacToe::START), 200, 5);
}

/// X has two on the top row; O, to move, has the centre.
#[test]
fn lines_of_one_side_are_shown() {
    let position = TicTacToe::START.read_like("xx..o....").unwrap();
    let encoder = PlacementSeatEncoder::new(TicTacToe::START);
    let mut on = Vec::new();
    encoder.each_computed(&position, |input| on.push(input));
    on.sort_unstable();
    // After the 18 inputs of pieces, four for each row, column and diagonal: one and two of one's own, of the other's.
    let line = |line: u32, side: u32, count: u32| 18 + 4 * line + 2 * side + count - 1;
    assert_eq!(encoder.inputs(), 18 + 4 * 8);
    assert_eq!(on, [line(0, 1, 2), line(1, 0, 1), line(3, 1, 1), line(7, 0, 1)]);
}

/// Move sequences on a board of characters: an implementation that shares nothing with the game's.
fn naive_leaves(board: [char; 9], turn: char, depth: u32) -> u64 {
    let line = |start: usize, step: usize| {
        (0..3).all(|i| board[start + i * step] == board[start]) && board[start] != '.'
    };
    let is_won = (0..3).any(|i| line(3 * i, 1) || line(i, 3)) || line(0, 4) || line(2, 2);
    if depth == 0 {
        return 1;
    }
    if is_won {
        return 0;
    }
    let next = if turn == 'X' { 'O' } else { 'X' };
    let after = |cell: usize| std::array::from_fn(|i| if i == cell { turn } else { board[i] });
    (0..9).filter(|&cell| board[cell] == '.').map(|cell| naive_leaves(after(cell), next, depth - 1)).sum()
}

#[test]
fn a_naive_implementation_counts_the_same() {
    for depth in 0..=9 {
        assert_eq!(perft(&TicTacToe::START, depth), naive_leaves(['.'; 9], 'X', depth), "{depth} plies");
    }
}

/// Collects all positions and counts the finished games by who wins.
fn explore(position: &TicTacToe, seen: &mut HashSet<String>, games: &mut [u64; 3]) {
    seen.insert(position.write());
    match position.outcome() {
        Some(Outcome::Win(seat)) => games[seat.index()] += 1,
        Some(Outcome::Draw) => games[2] += 1,
        None => position.moves().into_iter().for_each(|mv| explore(&position.after(mv), seen, games)),
    }
}

/// The texts that are read are exactly those of the 5 478 positions that play can reach, of all 3⁹.
#[test]
fn the_whole_game_is_as_known() {
    let (mut seen, mut games) = (HashSet::new(), [0; 3]);
    explore(&TicTacToe::START, &mut seen, &mut games);
    assert_eq!((seen.len(), games), (5478, [131_184, 77_904, 46_080]));
    for number in 0..3_usize.pow(9) {
        let text: String = (0..9).map(|cell| ['.', 'X', 'O'][number / 3_usize.pow(cell) % 3]).collect();
        assert_eq!(TicTacToe::START.read_like(&text).is_ok(), seen.contains(&text), "{text}");
    }
}

#[test]
fn a_line_wins_and_is_marked() {
    let position = TicTacToe::START.read_like("xoxox.x.o").unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Seat::First)));
    let scene = position.draw();
    assert_eq!(scene.to_text(), "3  X O X\n2  O X .\n1  X . O\n   a b c\n");
    assert_eq!(scene.marks.iter().filter(|mark| mark.meaning == Meaning::WinningLine).count(), 3);
    assert_eq!(TicTacToe::START.read_move(" B2 ").unwrap(), 4);
    let refusal = TicTacToe::START.after(4).read_move("b2").unwrap_err().to_string();
    assert_eq!(refusal, "'b2' is not a legal move: expected one of a3, b3, c3, a2, c2, a1, b1, c1");
}

/// What `CONTRIBUTING.md` quotes is what stands in the sources, so that the walk-through stays true.
#[test]
fn the_walk_through_quotes_the_code() {
    let guide = include_str!("../../../CONTRIBUTING.md");
    let sources = [
        include_str!("../src/tictactoe.rs"),
        include_str!("../../lab/src/tictactoe.rs"),
        include_str!("tictactoe.rs"),
    ];
    let quotes: Vec<&str> =
        guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!quotes.is_empty());
    for quote in quotes {
        assert!(sources.iter().any(|source| source.contains(quote)), "not in the code:\n{quote}");
    }
}
