//! The best play from a set of placements.
//!
//! What was seen leaves a set S of placements that agree with it, all equally likely; `won(S)` is the number of them
//! that the best play wins. A cell that is empty in all of S is free, and its numbers split S into parts of which
//! each is a game of its own. When no free cell splits S, the best play unmasks some other cell: the placements with
//! a mine there are lost, its numbers split the rest. A cell that shows one number wherever it is empty in S tells
//! nothing, in S and in all its subsets, and can wait; when only such cells are left, one placement is won.
//!
//! So a cascade needs no rule of its own: the neighbours of a 0 are free.
//!
//! Law: `won` is exact. Sets that pose the same problem ([`Shape::key`]) are searched once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::shape::Shape;

/// `won` of problems by their keys.
pub(super) type Table = HashMap<u128, u32, BuildHasherDefault<Mixed>>;

/// Why a search came to no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// There are more problems than fit into memory.
    TooMany,
    /// Someone asked it to stop.
    Stopped,
}

/// A part of the working memory.
pub(super) type Part = (usize, usize);

/// A search, with what it knows.
pub(super) struct Search<'s> {
    pub(super) shape: &'s Shape,
    /// What was known before.
    base: Arc<Table>,
    table: Table,
    most_problems: usize,
    stop: &'s AtomicBool,
    /// The sets of the searches under way, one after the other.
    pub(super) sets: Vec<u32>,
}

/// What can be said of a part without searching it.
enum Glance {
    /// `won` itself.
    Known(u32),
    /// A cell that is empty in all placements and tells them apart.
    Free { cell: usize, telling: u32 },
    /// Cells that may be unmasked, those empty most often first, with the placements in which they are.
    Open { key: u128, choices: Vec<(u32, usize)>, telling: u32 },
}

impl<'s> Search<'s> {
    pub(super) fn new(
        shape: &'s Shape,
        base: Arc<Table>,
        table: Table,
        most_problems: usize,
        stop: &'s AtomicBool,
    ) -> Self {
        Self { shape, base, table, most_problems, stop, sets: Vec::new() }
    }

    /// What was found.
    pub(super) fn into_table(self) -> Table {
        self.table
    }

    /// `won` of a part, of which only the cells of `telling` may tell anything.
    fn won(&mut self, part: Part, telling: u32) -> Result<u32, Unfinished> {
        match self.glance(part, telling) {
            Glance::Known(won) => Ok(won),
            Glance::Free { cell, telling } => self.play(part, cell, telling, 0),
            Glance::Open { key, choices, telling } => self.search(part, key, &choices, telling),
        }
    }

    fn glance(&self, part: Part, telling: u32) -> Glance {
        let count = (part.1 - part.0) as u32;
        if count <= 1 {
            return Glance::Known(count);
        }
        let set = &self.sets[part.0..part.1];
        let (mut still_telling, mut choices) = (0, Vec::new());
        for cell in bits(telling) {
            let (mined, numbers) = look(set, cell, self.shape.near[cell]);
            if numbers.count_ones() < 2 {
                continue;
            }
            if mined == 0 {
                return Glance::Free { cell, telling };
            }
            still_telling |= 1 << cell;
            choices.push((count - mined, cell));
        }
        if count == 2 || choices.is_empty() {
            return Glance::Known(1);
        }
        let key = self.key(set);
        if let Some(&won) = self.base.get(&key).or_else(|| self.table.get(&key)) {
            return Glance::Known(won);
        }
        choices.sort_by_key(|&(empty, cell)| (std::cmp::Reverse(empty), cell));
        Glance::Open { key, choices, telling: still_telling }
    }

    fn search(
        &mut self,
        part: Part,
        key: u128,
        choices: &[(u32, usize)],
        telling: u32,
    ) -> Result<u32, Unfinished> {
        if self.table.len() >= self.most_problems {
            return Err(Unfinished::TooMany);
        }
        if self.table.len().is_multiple_of(1024) && self.stop.load(Ordering::Relaxed) {
            return Err(Unfinished::Stopped);
        }
        let mut best = 1;
        for &(empty, cell) in choices {
            if empty <= best {
                break;
            }
            best = best.max(self.play(part, cell, telling, best)?);
        }
        self.table.insert(key, best);
        Ok(best)
    }

    /// Placements won by the best play that begins with this cell; if they are no more than `enough`, some number that
    /// is not either.
    pub(super) fn play(
        &mut self,
        part: Part,
        cell: usize,
        telling: u32,
        enough: u32,
    ) -> Result<u32, Unfinished> {
        let base = self.sets.len();
        let parts = self.split(part, cell);
        let telling = telling & !(1 << cell);
        let mut at_most = (self.sets.len() - base) as u32;
        for part in parts {
            if part.0 < part.1 && at_most > enough {
                at_most -= (part.1 - part.0) as u32 - self.won(part, telling)?;
            }
        }
        self.sets.truncate(base);
        Ok(at_most)
    }

    /// Copies the placements in which the cell is empty, those with the same number there side by side.
    fn split(&mut self, part: Part, cell: usize) -> [Part; 9] {
        let (bit, near) = (1 << cell, self.shape.near[cell]);
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
        self.shape.key(some & !all, all, set[0])
    }
}

/// In how many placements the cell is mined, and a bit for each number it shows in the others.
fn look(set: &[u32], cell: usize, near: u32) -> (u32, u16) {
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

/// Mixes the two halves of a key.
#[derive(Clone, Copy, Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
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
