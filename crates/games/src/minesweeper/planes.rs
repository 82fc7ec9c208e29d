//! The input planes of a network that sees the whole board.
//!
//! Invariant: a cell's planes contain what the player sees there, and nothing about the mines under the masks. Flags
//! are the player's opinion and are left out.

use super::grid::{BoardCell, cells_of_row};
use super::visible_board::VisibleBoard;

/// The number of planes: masked, one for each of 0 to 8, on the board, the mine density of the masked cells.
pub const PLANES: usize = 12;

const ON_THE_BOARD: usize = 10;
const DENSITY: usize = 11;

/// Writes the planes of all cells, cell by cell and row by row.
///
/// ```
/// use outplay_games::minesweeper::{VisibleBoard, planes};
/// let seen: VisibleBoard = "mines 1\n1..\n".parse().unwrap();
/// let mut cells = [0.0; 3 * planes::PLANES];
/// planes::write(&seen, &mut cells);
/// assert_eq!(cells[..planes::PLANES], [0., 0., 1., 0., 0., 0., 0., 0., 0., 0., 1., 0.5]);
/// ```
pub fn write(seen: &VisibleBoard, out: &mut [f32]) {
    let density = seen.mines_left() as f32 / seen.masked_count().max(1) as f32;
    let (cells, rest) = out.as_chunks_mut::<PLANES>();
    assert!(
        rest.is_empty() && cells.len() == seen.rows() * seen.cols(),
        "planes of a {}×{} board",
        seen.rows(),
        seen.cols()
    );
    for (cell, &number) in cells.iter_mut().zip(seen.numbers()) {
        *cell = [0.0; PLANES];
        cell[ON_THE_BOARD] = 1.0;
        cell[DENSITY] = density;
        if number <= 8 {
            cell[1 + number as usize] = 1.0;
        }
    }
    for (row, &word) in seen.masked().rows().iter().enumerate() {
        for BoardCell { row, col } in cells_of_row(row, word) {
            let cell = &mut cells[row as usize * seen.cols() + col as usize];
            (cell[0], cell[1]) = (1.0, 0.0);
        }
    }
}
