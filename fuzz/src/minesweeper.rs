//! Boards of Minesweeper as text.

use outplay_games::minesweeper::{Solver, VisibleBoard};

use crate::text;

/// The most cells of a board whose odds are asked for: larger ones take the time of many inputs.
const MOST_CELLS: usize = 200;

/// A board that is read is possible, is written as a text that reads as the same board, and has odds between 0 and 1.
pub fn board(input: &[u8]) {
    let text = text(input);
    if text.len() > 2 * MOST_CELLS {
        return;
    }
    let Ok(board) = text.parse::<VisibleBoard>() else { return };
    let written = board.to_string();
    assert_eq!(written.parse::<VisibleBoard>().map(|again| again.to_string()), Ok(written.clone()));
    let mut solver = Solver::new();
    let odds = solver.solve(&board).expect("a board that was read is possible");
    assert!(odds.all().iter().all(|odd| (0.0..=1.0).contains(odd)), "{written}: {:?}", odds.all());
}
