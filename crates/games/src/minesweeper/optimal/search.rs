//! The best play from a set of placements.
//!
//! What was seen leaves a set S of equally likely placements; `won(S)` is the number of them that best play wins. A
//! cell that is empty in all of S is free, and its numbers split S into independent games. When no free cell splits
//! S, best play unmasks some other cell: the placements with a mine there are lost, and its numbers split the rest. A
//! cell that shows one number wherever it is empty in S gives no information, in S and in all its subsets, and can
//! wait; when only such cells are left, one placement is won. A cascade needs no rule of its own: the neighbours of a
//! 0 are free.
//!
//! Invariant: `won` is exact. Sets that pose the same problem ([`TinyBoard::key`]) are searched once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tiny_board::TinyBoard;

/// `won` of problems by their keys.
pub(super) type ProblemTable = HashMap<u128, u32, BuildHasherDefault<KeyHasher>>;

/// Why a search was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchAborted {
    /// There are too many problems to store.
    TooMany,
    /// The stop flag was set.
    Stopped,
}

/// A range of `OptimalSearch::sets`.
pub(super) type PlacementRange = (usize, usize);

/// A search with the problems solved so far.
pub(super) struct OptimalSearch<'s> {
    pub(super) board: &'s TinyBoard,
    /// Problems solved before.
    base: Arc<ProblemTable>,
    table: ProblemTable,
    most_problems: usize,
    stop: &'s AtomicBool,
    /// A stack of the sets of the searches in progress.
    pub(super) sets: Vec<u32>,
}

/// What is known of a set without searching it.
enum QuickResult {
    /// `won` itself.
    Known(u32),
    /// A cell that is empty in all placements and splits them.
    Free { cell: usize, informative: u32 },
    /// The cells to try, those empty most often first, with the number of placements in which they are empty.
    Open { key: u128, choices: Vec<(u32, usize)>, informative: u32 },
}

impl<'s> OptimalSearch<'s> {
    pub(super) fn new(
        board: &'s TinyBoard,
        base: Arc<ProblemTable>,
        table: ProblemTable,
        most_problems: usize,
        stop: &'s AtomicBool,
    ) -> Self {
        Self { board, base, table, most_problems, stop, sets: Vec::new() }
    }

    /// The problems solved.
    pub(super) fn into_table(self) -> ProblemTable {
        self.table
    }

    /// `won` of a set for which only the cells of `informative` can give information.
    fn won(&mut self, part: PlacementRange, informative: u32) -> Result<u32, SearchAborted> {
        match self.quick_result(part, informative) {
            QuickResult::Known(won) => Ok(won),
            QuickResult::Free { cell, informative } => self.play(part, cell, informative, 0),
            QuickResult::Open { key, choices, informative } => self.search(part, key, &choices, informative),
        }
    }

    fn quick_result(&self, part: PlacementRange, informative: u32) -> QuickResult {
        let count = (part.1 - part.0) as u32;
        if count <= 1 {
            return QuickResult::Known(count);
        }
        let set = &self.sets[part.0..part.1];
        let (mut still_telling, mut choices) = (0, Vec::new());
        for cell in bits(informative) {
            let (mined, numbers) = inspect(set, cell, self.board.near[cell]);
            if numbers.count_ones() < 2 {
                continue;
            }
            if mined == 0 {
                return QuickResult::Free { cell, informative };
            }
            still_telling |= 1 << cell;
            choices.push((count - mined, cell));
        }
        if count == 2 || choices.is_empty() {
            return QuickResult::Known(1);
        }
        let key = self.key(set);
        if let Some(&won) = self.base.get(&key).or_else(|| self.table.get(&key)) {
            return QuickResult::Known(won);
        }
        choices.sort_by_key(|&(empty, cell)| (std::cmp::Reverse(empty), cell));
        QuickResult::Open { key, choices, informative: still_telling }
    }

    fn search(
        &mut self,
        part: PlacementRange,
        key: u128,
        choices: &[(u32, usize)],
        informative: u32,
    ) -> Result<u32, SearchAborted> {
        if self.table.len() >= self.most_problems {
            return Err(SearchAborted::TooMany);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(SearchAborted::Stopped);
        }
        let mut best = 1;
        for &(empty, cell) in choices {
            if empty <= best {
                break;
            }
            best = best.max(self.play(part, cell, informative, best)?);
        }
        self.table.insert(key, best);
        Ok(best)
    }

    /// Placements won by best play that begins with this cell; an upper bound of at most `enough` if they are no more
    /// than that.
    pub(super) fn play(
        &mut self,
        part: PlacementRange,
        cell: usize,
        informative: u32,
        enough: u32,
    ) -> Result<u32, SearchAborted> {
        let base = self.sets.len();
        let parts = self.split(part, cell);
        let informative = informative & !(1 << cell);
        let mut at_most = (self.sets.len() - base) as u32;
        for part in parts {
            if part.0 < part.1 && at_most > enough {
                at_most -= (part.1 - part.0) as u32 - self.won(part, informative)?;
            }
        }
        self.sets.truncate(base);
        Ok(at_most)
    }

    /// Copies the placements in which the cell is empty, grouped by its number.
    fn split(&mut self, part: PlacementRange, cell: usize) -> [PlacementRange; 9] {
        let (bit, near) = (1 << cell, self.board.near[cell]);
        let mut counts = [0usize; 9];
        for &placement in &self.sets[part.0..part.1] {
            counts[(placement & near).count_ones() as usize] += usize::from(placement & bit == 0);
        }
        let base = self.sets.len();
        let mut ends = [base; 9];
        for number in 1..9 {
            ends[number] = ends[number - 1] + counts[number - 1];
        }
        let end = ends[8] + counts[8];
        self.sets.resize(end, 0);
        for index in part.0..part.1 {
            let placement = self.sets[index];
            if placement & bit == 0 {
                let place = &mut ends[(placement & near).count_ones() as usize];
                self.sets[*place] = placement;
                *place += 1;
            }
        }
        std::array::from_fn(|number| (ends[number] - counts[number], ends[number]))
    }

    fn key(&self, set: &[u32]) -> u128 {
        let (some, all) = set.iter().fold((0, u32::MAX), |(some, all), &mines| (some | mines, all & mines));
        self.board.key(some & !all, all, set[0])
    }
}

/// In how many placements the cell is mined, and a bit for each number it shows in the others.
fn inspect(set: &[u32], cell: usize, near: u32) -> (u32, u16) {
    let (mut mined, mut numbers) = (0, 0);
    for &mines in set {
        let here = mines >> cell & 1;
        mined += here;
        numbers |= (1 - here) << (mines & near).count_ones();
    }
    (mined, numbers as u16)
}

/// The cells of a word, in order.
fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(next)
    })
}

/// A hasher that mixes the two halves of a key.
#[derive(Clone, Copy, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole keys are hashed")
    }

    fn write_u128(&mut self, key: u128) {
        let folded = (key as u64) ^ ((key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = folded.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.0 = mixed ^ mixed >> 29;
    }
}
