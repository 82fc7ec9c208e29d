//! The document's naïve algorithm: it tries every placement of the mines.
//!
//! It serves to teach and to check the solver; its time doubles with every masked cell.

use std::sync::atomic::{AtomicBool, Ordering};

use super::NEVER;
use super::grid::BoardCell;
use super::visible_board::{CellContent, VisibleBoard};

/// The greatest number of masked cells for which it is practical.
pub const MOST_MASKED: usize = 24;

/// The result of counting every placement.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementCount {
    /// How many placements fit every number.
    pub solutions: u64,
    /// Of these, how many have a mine in each cell, row by row.
    pub mined: Vec<u64>,
}

/// Placements between two looks at the stop flag.
const STRIDE: u32 = 1 << 12;

/// Counts the placements that fit the board, which has at most [`MOST_MASKED`] masked cells.
pub fn count(seen: &VisibleBoard) -> PlacementCount {
    count_unless(&NEVER, seen).expect("nobody stops it")
}

/// The same, unless it is stopped.
pub fn count_unless(stop: &AtomicBool, seen: &VisibleBoard) -> Option<PlacementCount> {
    let masked: Vec<BoardCell> = seen.masked().iter().collect();
    assert!(masked.len() <= MOST_MASKED, "{} masked cells are too many to try every placement", masked.len());
    let numbers = numbers(seen, &masked);
    let mut count = PlacementCount { solutions: 0, mined: vec![0; seen.rows() * seen.cols()] };
    for placement in 0u32..1 << masked.len() {
        if placement % STRIDE == 0 && stop.load(Ordering::Relaxed) {
            return None;
        }
        let fits = |&(cells, mines): &(u32, i32)| (placement & cells).count_ones() as i32 == mines;
        if placement.count_ones() as i32 == seen.mines_left() && numbers.iter().all(fits) {
            count.solutions += 1;
            for (bit, &cell) in masked.iter().enumerate() {
                count.mined[seen.index(cell)] += u64::from(placement >> bit & 1);
            }
        }
    }
    Some(count)
}

/// Every number as the masked cells around it and the mines that must be among them.
fn numbers(seen: &VisibleBoard, masked: &[BoardCell]) -> Vec<(u32, i32)> {
    let cells = (0..seen.rows()).flat_map(|row| (0..seen.cols()).map(move |col| BoardCell::new(row, col)));
    cells
        .filter_map(|cell| {
            let CellContent::Number(number) = seen.shown(cell) else { return None };
            let (mut around, mut mines) = (0, i32::from(number));
            for neighbour in seen.neighbours(cell) {
                match masked.iter().position(|&other| other == neighbour) {
                    Some(bit) => around |= 1 << bit,
                    None => mines -= i32::from(seen.shown(neighbour) == CellContent::Mine),
                }
            }
            Some((around, mines))
        })
        .collect()
}
