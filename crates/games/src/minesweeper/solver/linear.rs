//! The linear system as the document solves it: Gauss–Jordan elimination, then every choice of the free groups.
//!
//! It serves to teach and to check the diagram; its time grows with the number of solutions.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::NEVER;
use super::super::grid::BoardCell;
use super::super::visible_board::VisibleBoard;
use super::frontier::Frontier;

/// A · x = v, where x counts the mines of each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearSystem {
    /// One row per number, one column per group: 1 where the number touches the group.
    pub matrix: Vec<Vec<i64>>,
    /// The numbers.
    pub values: Vec<i64>,
    /// How many cells each group has.
    pub sizes: Vec<u8>,
}

impl LinearSystem {
    /// The system of a board, a number without masked cells around it left out.
    pub fn of(seen: &VisibleBoard) -> Self {
        let mut frontier = Frontier::default();
        frontier.read(seen, None);
        let numbers = frontier.constraints.iter().filter(|number| !number.groups.items().is_empty());
        let (matrix, values) = numbers
            .map(|number| {
                let touches = |group| i64::from(number.groups.items().contains(&(group as u16)));
                ((0..frontier.groups.len()).map(touches).collect(), i64::from(number.mines))
            })
            .unzip();
        Self { matrix, values, sizes: frontier.groups.iter().map(|group| group.size).collect() }
    }

    /// The cells of each group, in the order of the columns of [`of`](Self::of).
    pub fn groups_of(seen: &VisibleBoard) -> Vec<Vec<BoardCell>> {
        let mut frontier = Frontier::default();
        frontier.read(seen, None);
        let mut groups = vec![Vec::new(); frontier.groups.len()];
        for cell in seen.masked().iter() {
            if let Some(group) = groups.get_mut(frontier.group_of[seen.index(cell)] as usize) {
                group.push(cell);
            }
        }
        groups
    }

    /// The reduced echelon form in integers: a pivot is alone in its column, but need not be 1. Rows of zeros are
    /// removed. Returns the pivots' columns, row by row.
    pub fn reduce(&mut self) -> Vec<usize> {
        self.reduce_unless(&NEVER).expect("nobody stops it")
    }

    /// The same, unless it is stopped.
    fn reduce_unless(&mut self, stop: &AtomicBool) -> Option<Vec<usize>> {
        let mut pivots = Vec::new();
        for column in 0..self.sizes.len() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let top = pivots.len();
            let Some(found) = (top..self.matrix.len()).find(|&row| self.matrix[row][column] != 0) else {
                continue;
            };
            self.matrix.swap(top, found);
            self.values.swap(top, found);
            for row in (0..self.matrix.len()).filter(|&row| row != top) {
                self.eliminate(row, top, column);
            }
            pivots.push(column);
        }
        let keep = |row: usize| row < pivots.len() || self.values[row] != 0;
        let kept: Vec<usize> = (0..self.matrix.len()).filter(|&row| keep(row)).collect();
        self.matrix = kept.iter().map(|&row| self.matrix[row].clone()).collect();
        self.values = kept.iter().map(|&row| self.values[row]).collect();
        Some(pivots)
    }

    /// Clears `column` of `row` by means of the pivot in row `top`, and divides by what all entries share.
    fn eliminate(&mut self, row: usize, top: usize, column: usize) {
        let (own, pivot) = (self.matrix[row][column], self.matrix[top][column]);
        if own == 0 {
            return;
        }
        for index in 0..self.sizes.len() {
            self.matrix[row][index] = self.matrix[row][index] * pivot - self.matrix[top][index] * own;
        }
        self.values[row] = self.values[row] * pivot - self.values[top] * own;
        let entries = self.matrix[row].iter().chain([&self.values[row]]);
        let common = entries.fold(0, |common, &entry| gcd(common, entry));
        if common > 1 {
            self.matrix[row].iter_mut().for_each(|entry| *entry /= common);
            self.values[row] /= common;
        }
    }

    /// Every way to give each group from 0 to its size mines.
    pub fn solutions(&self) -> Vec<Vec<u8>> {
        let mut solutions = Vec::new();
        let visit = &mut |counts: &[u8]| solutions.push(counts.to_vec());
        self.each_solution(f64::INFINITY, &NEVER, visit).expect("nobody stops it");
        solutions
    }

    /// Visits every way to give each group from 0 to its size mines. `None` if it was stopped, or if there are more choices of the free
    /// groups than `most`: then none was visited.
    pub fn each_solution(&self, most: f64, stop: &AtomicBool, visit: &mut dyn FnMut(&[u8])) -> Option<()> {
        let mut reduced = self.clone();
        let pivots = reduced.reduce_unless(stop)?;
        if reduced.matrix.len() > pivots.len() {
            return Some(());
        }
        let free: Vec<usize> = (0..self.sizes.len()).filter(|column| !pivots.contains(column)).collect();
        let choices: f64 = free.iter().map(|&column| f64::from(self.sizes[column]) + 1.0).product();
        if choices > most {
            return None;
        }
        reduced.choose_free(&pivots, &free, &mut vec![0; self.sizes.len()], stop, visit)
    }

    fn choose_free(
        &self,
        pivots: &[usize],
        free: &[usize],
        counts: &mut Vec<u8>,
        stop: &AtomicBool,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Option<()> {
        let Some((&column, later)) = free.split_first() else {
            if let Some(solution) = self.follow(pivots, counts) {
                visit(&solution);
            }
            return (!stop.load(Ordering::Relaxed)).then_some(());
        };
        for mines in 0..=self.sizes[column] {
            counts[column] = mines;
            self.choose_free(pivots, later, counts, stop, visit)?;
        }
        counts[column] = 0;
        Some(())
    }

    /// The solution that follows from the free groups, if its other counts are whole and within bounds.
    fn follow(&self, pivots: &[usize], free: &[u8]) -> Option<Vec<u8>> {
        let mut counts = free.to_vec();
        for (row, &pivot) in pivots.iter().enumerate() {
            let entries = self.matrix[row].iter().zip(free).enumerate();
            let rest: i64 = entries
                .filter(|&(column, _)| column != pivot)
                .map(|(_, (entry, &mines))| entry * i64::from(mines))
                .sum();
            let (sum, factor) = (self.values[row] - rest, self.matrix[row][pivot]);
            let mines = u8::try_from(sum / factor).ok()?;
            if sum % factor != 0 || mines > self.sizes[pivot] {
                return None;
            }
            counts[pivot] = mines;
        }
        Some(counts)
    }
}

const fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
