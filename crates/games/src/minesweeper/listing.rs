//! Listing 2.1 of Bourdet & Abadie, executed as printed.
//!
//! For each number, every way to lay its mines among its masked neighbours; then every element of the Cartesian product
//! of these ways. An element is dropped only if the intersection of two numbers' neighbours holds *more* mines than one
//! of the two numbers. Whether the two numbers agree about the intersection, and whether a number has as many mines as
//! it says once the other numbers' mines are laid, is never asked: that test is faulty, and elements that contradict the
//! board are counted. Cells that no number touches keep their 0, and the total number of mines plays no part.
//!
//! Where the listing is unclear it was read in its favour: the masked cells of an intersection have no number, so it is
//! compared with the two numbers whose neighbours meet there; "Continuer" goes on with the next element; and a cell that two
//! numbers' ways both mine counts once.

use std::sync::atomic::{AtomicBool, Ordering};

use super::NEVER;
use super::grid::BoardCell;
use super::visible_board::{CellContent, VisibleBoard};

/// The most elements of the product that are tried.
pub const MOST_ELEMENTS: f64 = 1e6;

/// The masked cells around one number, as bits, and the number.
#[derive(Clone, Copy, Debug)]
struct NumberGroup {
    cells: u64,
    mines: u32,
}

/// What the listing counts.
#[derive(Clone, Debug, PartialEq)]
pub struct ListingCount {
    /// Elements that pass its test.
    pub valid: u64,
    /// Of these, those that agree with every number.
    pub consistent: u64,
    /// Its probabilities, row by row: of elements that pass, the share with a mine there.
    pub mined: Vec<f64>,
}

/// Runs the listing; nothing where the board is too large for it: more than [`MOST_ELEMENTS`] elements or 64 masked cells
/// beside numbers.
pub fn count(seen: &VisibleBoard) -> Option<ListingCount> {
    count_unless(&NEVER, seen)
}

/// The same, and nothing where it is stopped.
pub fn count_unless(stop: &AtomicBool, seen: &VisibleBoard) -> Option<ListingCount> {
    let (cells, groups) = read(seen)?;
    let elements: f64 = groups.iter().map(|group| ways(group.cells.count_ones(), group.mines)).product();
    if elements > MOST_ELEMENTS {
        return None;
    }
    let mut product = ListingProduct { groups, valid: 0, consistent: 0, mined: vec![0; cells.len()], stop };
    product.extend(0, 0)?;
    let mut mined = vec![0.0; seen.rows() * seen.cols()];
    for (&cell, &count) in cells.iter().zip(&product.mined) {
        mined[seen.index(cell)] = count as f64 / product.valid.max(1) as f64;
    }
    Some(ListingCount { valid: product.valid, consistent: product.consistent, mined })
}

/// The masked cells beside numbers, and the groups of the numbers.
fn read(seen: &VisibleBoard) -> Option<(Vec<BoardCell>, Vec<NumberGroup>)> {
    let (mut cells, mut groups): (Vec<BoardCell>, Vec<NumberGroup>) = (Vec::new(), Vec::new());
    let places = (0..seen.rows()).flat_map(|row| (0..seen.cols()).map(move |col| BoardCell::new(row, col)));
    for place in places {
        let CellContent::Number(mines) = seen.shown(place) else { continue };
        let mut group = NumberGroup { cells: 0, mines: u32::from(mines) };
        for near in seen.neighbours(place).filter(|&near| seen.masked().contains(near)) {
            let bit = cells.iter().position(|&cell| cell == near).unwrap_or_else(|| {
                cells.push(near);
                cells.len() - 1
            });
            group.cells |= 1u64.checked_shl(bit as u32)?;
        }
        if group.cells != 0 {
            groups.push(group);
        }
    }
    Some((cells, groups))
}

fn ways(cells: u32, mines: u32) -> f64 {
    (0..mines).fold(1.0, |ways, i| ways * f64::from(cells.saturating_sub(i)) / f64::from(i + 1))
}

struct ListingProduct<'a> {
    groups: Vec<NumberGroup>,
    valid: u64,
    consistent: u64,
    mined: Vec<u64>,
    stop: &'a AtomicBool,
}

impl ListingProduct<'_> {
    /// Lays the mines of the groups from `next` on in every way, on top of `laid`; nothing if it is stopped.
    fn extend(&mut self, next: usize, laid: u64) -> Option<()> {
        let Some(&NumberGroup { cells, mines }) = self.groups.get(next) else {
            self.test(laid);
            return (!self.stop.load(Ordering::Relaxed)).then_some(());
        };
        self.choose(next, cells, mines, laid)
    }

    /// Every way to lay `mines` among `cells`.
    fn choose(&mut self, group: usize, cells: u64, mines: u32, laid: u64) -> Option<()> {
        if mines == 0 {
            return self.extend(group + 1, laid);
        }
        if cells.count_ones() < mines {
            return Some(());
        }
        let (first, rest) = (cells & cells.wrapping_neg(), cells & (cells - 1));
        self.choose(group, rest, mines - 1, laid | first)?;
        self.choose(group, rest, mines, laid)
    }

    /// The listing's test, and what it counts.
    fn test(&mut self, laid: u64) {
        for (place, a) in self.groups.iter().enumerate() {
            for b in &self.groups[place + 1..] {
                let inside = (laid & a.cells & b.cells).count_ones();
                if inside > a.mines.min(b.mines) {
                    return;
                }
            }
        }
        self.valid += 1;
        let fits = |group: &NumberGroup| (laid & group.cells).count_ones() == group.mines;
        self.consistent += u64::from(self.groups.iter().all(fits));
        for (bit, count) in self.mined.iter_mut().enumerate() {
            *count += laid >> bit & 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minesweeper::naive;

    fn of(count: &ListingCount, seen: &VisibleBoard, cell: &str) -> f64 {
        count.mined[seen.index(BoardCell::parse(cell).unwrap())]
    }

    /// Two 1s that share two masked cells.
    #[test]
    fn the_test_lets_contradictions_pass() {
        let seen: VisibleBoard = "mines 1\n.11.\n....".parse().unwrap();
        let count = count(&seen).unwrap();
        // Around b1: a1, a2, b2, c2; around c1: d1, b2, c2, d2; both: b2, c2. Sixteen elements, of which the two with b2 and c2
        // both mined are dropped. Two agree by a shared mine, four by two mines apart.
        assert_eq!((count.valid, count.consistent), (14, 6));
        assert!((of(&count, &seen, "b2") - 5.0 / 14.0).abs() < 1e-12);
        let exact = naive::count(&seen);
        assert_eq!(exact.solutions, 2);
        assert_eq!(exact.mined[seen.index(BoardCell::parse("a1").unwrap())], 0);
        assert!(
            (of(&count, &seen, "a1") - 4.0 / 14.0).abs() < 1e-12,
            "the listing is wrong about a proven cell"
        );
    }

    #[test]
    fn where_numbers_share_nothing_it_is_right_and_off_the_frontier_it_says_nothing() {
        let seen: VisibleBoard = "mines 2\n1......1\n........".parse().unwrap();
        let count = count(&seen).unwrap();
        assert_eq!((count.valid, count.consistent), (9, 9));
        assert!((of(&count, &seen, "a2") - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of(&count, &seen, "d1"), 0.0);
    }

    #[test]
    fn boards_that_are_too_large_are_not_begun() {
        let seen: VisibleBoard =
            "mines 20\n.........\n.4.4.4.4.\n.........\n.4.4.4.4.\n.........".parse().unwrap();
        assert_eq!(count(&seen), None);
    }
}
