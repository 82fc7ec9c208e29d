//! Random boards that several tests use.

use outplay_core::{Game, Rng};
use outplay_games::minesweeper::{Action, BoardCell, CellSet, FirstClick, Minesweeper, VisibleBoard};

/// A board over random mines with some of its empty cells unmasked, at least this share of them in percent, without
/// cascades: shapes that play reaches, and others.
pub(crate) fn scattered(rows: usize, cols: usize, least_share: usize, rng: &mut Rng) -> VisibleBoard {
    let mines = 1 + rng.below(rows * cols - 1);
    let game = Minesweeper::new(rows, cols, mines, FirstClick::Any).unwrap();
    let mut state = game.start(rng);
    game.play(&mut state, Action::Unmask(BoardCell::new(0, 0)));
    let mines = state.mines().unwrap().clone();
    let mut seen = VisibleBoard::masked_board(rows, cols, mines.len(), true);
    let share = least_share + rng.below(100 - least_share);
    for cell in CellSet::full(rows, cols).iter() {
        if !mines.contains(cell) && rng.below(100) < share {
            let number = seen.neighbours(cell).filter(|&near| mines.contains(near)).count();
            seen.reveal(cell, number as u8);
        }
    }
    seen
}
