//! The search over sets of placements.
//!
//! A state of the game is the set S of placements that agree with everything seen. `won(S)`, the number of placements
//! won by best play, is the maximum, over the cells, of the sum of `won` over the parts into which the cell's numbers
//! split S; placements with a mine there are lost.
//!
//! Three facts make it fast. A cell that is empty under all of S is free: unmask it first. A cell that shows one
//! number under all of S in which it is empty gives no information: leave it for last, in S and in every subset of it
//! (play that unmasks it now wins nothing that the same play without it does not). When no other cells are left,
//! nothing tells the placements apart, so one of them is won.
//!
//! Invariant: `won` is exact, or the search reports that its budget is spent. Sets are identified by 128-bit Zobrist
//! hashes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::placement_table::{MINE, PlacementTable};

/// The budget was spent, or the search stopped, before the result was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct BudgetExhausted;

/// A search over one table.
pub(in super::super) struct EndgameSearch<'t> {
    table: &'t PlacementTable,
    stop: &'t AtomicBool,
    /// `won` of the sets searched so far.
    known: HashMap<u128, u32, IdentityHash>,
    keys: Vec<u128>,
    /// Stacks of the sets and cell lists of the searches in progress.
    sets: Vec<u32>,
    cells: Vec<u16>,
    nodes: u64,
    most_nodes: u64,
}

/// A cell that gives information about the set.
#[derive(Clone, Copy)]
struct InformativeCell {
    cell: u16,
    empty: u32,
    /// How many different numbers it shows.
    numbers: u32,
}

impl<'t> EndgameSearch<'t> {
    pub(in super::super) fn new(table: &'t PlacementTable, most_nodes: u64, stop: &'t AtomicBool) -> Self {
        let mut generator = PlacementKeys(0x243f_6a88_85a3_08d3);
        let keys = (0..table.placements()).map(|_| generator.next()).collect();
        Self {
            table,
            stop,
            known: HashMap::default(),
            keys,
            sets: Vec::new(),
            cells: Vec::new(),
            nodes: 0,
            most_nodes,
        }
    }

    /// Sets searched so far.
    pub(in super::super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// For each cell, the placements won by the best play that begins with it.
    pub(in super::super) fn each_cell(&mut self) -> Result<Vec<u32>, BudgetExhausted> {
        self.begin();
        let (set, cells) = ((0, self.sets.len()), (0, self.cells.len()));
        (0..self.table.cells() as u16).map(|cell| self.play(set, cells, cell, 0)).collect()
    }

    /// The first cell of a best play, and the placements it wins.
    pub(in super::super) fn best_cell(&mut self) -> Result<(usize, u32), BudgetExhausted> {
        self.begin();
        let (set, cells) = ((0, self.sets.len()), (0, self.cells.len()));
        let mut choices = Vec::new();
        if let Some(free) = self.list_informative(set, cells, &mut choices) {
            return Ok((free as usize, self.play(set, cells, free, 0)?));
        }
        let mut best = (self.safest(), 1);
        for choice in choices {
            if choice.empty <= best.1 {
                break;
            }
            let won = self.play(set, cells, choice.cell, best.1)?;
            if won > best.1 {
                best = (choice.cell as usize, won);
            }
        }
        Ok(best)
    }

    /// The cell that is mined under the fewest placements.
    fn safest(&self) -> usize {
        let mined = |&cell: &usize| -> usize {
            self.table.line(cell).iter().map(|&shown| usize::from(shown == MINE)).sum()
        };
        (0..self.table.cells()).min_by_key(mined).unwrap_or(0)
    }

    fn begin(&mut self) {
        self.sets.clear();
        self.sets.extend(0..self.table.placements() as u32);
        self.cells.clear();
        self.cells.extend(0..self.table.cells() as u16);
    }

    /// `won` of a set for which only these cells can give information.
    fn won(&mut self, set: (usize, usize), cells: (usize, usize)) -> Result<u32, BudgetExhausted> {
        if set.1 - set.0 == 1 {
            return Ok(1);
        }
        let key = self.sets[set.0..set.1].iter().fold(0, |key, &place| key ^ self.keys[place as usize]);
        if let Some(&won) = self.known.get(&key) {
            return Ok(won);
        }
        if self.nodes >= self.most_nodes || self.stop.load(Ordering::Relaxed) {
            return Err(BudgetExhausted);
        }
        self.nodes += 1;
        let cells_before = self.cells.len();
        let won = self.search(set, cells)?;
        self.cells.truncate(cells_before);
        self.known.insert(key, won);
        Ok(won)
    }

    fn search(&mut self, set: (usize, usize), cells: (usize, usize)) -> Result<u32, BudgetExhausted> {
        let mut choices = Vec::with_capacity(cells.1 - cells.0);
        let free = self.list_informative(set, cells, &mut choices);
        let start = self.cells.len();
        self.cells.extend(choices.iter().map(|choice| choice.cell));
        let living = (start, self.cells.len());
        if let Some(cell) = free {
            return self.play(set, living, cell, 0);
        }
        let mut best = 1;
        for choice in choices {
            if choice.empty <= best {
                break;
            }
            best = best.max(self.play(set, living, choice.cell, best)?);
        }
        Ok(best)
    }

    /// Lists the informative cells, those empty most often first; returns one that is free, if any.
    fn list_informative(
        &self,
        set: (usize, usize),
        cells: (usize, usize),
        choices: &mut Vec<InformativeCell>,
    ) -> Option<u16> {
        let set = &self.sets[set.0..set.1];
        let mut free: Option<InformativeCell> = None;
        for &cell in &self.cells[cells.0..cells.1] {
            let line = self.table.line(cell as usize);
            let (mut seen, mut mined) = (0u32, 0);
            for &placement in set {
                let shown = line[placement as usize];
                seen |= 1 << shown;
                mined += u32::from(shown == MINE);
            }
            let numbers = (seen & !(1 << MINE)).count_ones();
            if numbers < 2 {
                continue;
            }
            let choice = InformativeCell { cell, empty: set.len() as u32 - mined, numbers };
            if mined == 0 && free.is_none_or(|free| free.numbers < numbers) {
                free = Some(choice);
            }
            choices.push(choice);
        }
        choices.sort_by_key(|choice| std::cmp::Reverse((choice.empty, choice.numbers)));
        free.map(|choice| choice.cell)
    }

    /// Placements won by best play that begins with this cell; an upper bound of at most `enough` if they are no more
    /// than that.
    fn play(
        &mut self,
        set: (usize, usize),
        cells: (usize, usize),
        cell: u16,
        enough: u32,
    ) -> Result<u32, BudgetExhausted> {
        let line = self.table.line(cell as usize);
        let mut counts = [0usize; MINE as usize + 1];
        for &placement in &self.sets[set.0..set.1] {
            counts[line[placement as usize] as usize] += 1;
        }
        let base = self.sets.len();
        let mut ends = [0usize; MINE as usize];
        let mut end = base;
        for (number, place) in ends.iter_mut().enumerate() {
            *place = end;
            end += counts[number];
        }
        self.sets.resize(end, 0);
        for index in set.0..set.1 {
            let placement = self.sets[index];
            let number = line[placement as usize];
            if number != MINE {
                self.sets[ends[number as usize]] = placement;
                ends[number as usize] += 1;
            }
        }
        let mut at_most = (end - base) as u32;
        for number in 0..MINE as usize {
            let part = (ends[number] - counts[number], ends[number]);
            if part.0 < part.1 && at_most > enough {
                at_most -= (part.1 - part.0) as u32 - self.won(part, cells)?;
            }
        }
        self.sets.truncate(base);
        Ok(at_most)
    }
}

/// Generates the Zobrist keys of the placements, the same in every search.
struct PlacementKeys(u64);

impl PlacementKeys {
    fn next(&mut self) -> u128 {
        let mut half = || {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            u128::from(mixed ^ mixed >> 31)
        };
        half() << 64 | half()
    }
}

/// A pass-through hasher: the keys are hashes already.
type IdentityHash = std::hash::BuildHasherDefault<IdentityHasher>;

#[derive(Default)]
struct IdentityHasher(u64);

impl std::hash::Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole keys are hashed")
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
