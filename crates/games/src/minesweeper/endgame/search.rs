//! The search over sets of placements.
//!
//! A state of the game is the set S of placements that agree with all that was seen: what else was unmasked says the
//! same under all of S. `won(S)`, the number of placements won by the best play, is the largest, over the cells, of
//! the sum of `won` over the parts into which the cell's numbers split S; placements with a mine there are lost.
//!
//! Three facts make it short. A cell that is empty under all of S is free: unmask it first. A cell that shows one
//! number under all of S in which it is empty tells nothing: leave it for last, in S and in every subset of it (a
//! play that unmasks it now wins nowhere where the same play without it does not). When no other cells are left,
//! nothing tells the placements apart, so one of them is won.
//!
//! Law: `won` is exact, or the search says that its budget is spent. Sets are told apart by 128 bits of hash.

use std::collections::HashMap;

use super::table::{MINE, Table};

/// The budget was used up before the result was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Spent;

/// A search through one table.
pub(in super::super) struct Search<'t> {
    table: &'t Table,
    /// `won` of the sets searched so far.
    known: HashMap<u128, u32, Plain>,
    marks: Vec<u128>,
    /// Sets and lists of cells of the searches under way, one after the other.
    sets: Vec<u32>,
    cells: Vec<u16>,
    nodes: u64,
    most_nodes: u64,
}

/// A cell that may tell something, as the set sees it.
#[derive(Clone, Copy)]
struct Choice {
    cell: u16,
    empty: u32,
    /// How many different numbers it shows.
    numbers: u32,
}

impl<'t> Search<'t> {
    pub(in super::super) fn new(table: &'t Table, most_nodes: u64) -> Self {
        let mut mark = Marks(0x243f_6a88_85a3_08d3);
        let marks = (0..table.placements()).map(|_| mark.next()).collect();
        Self {
            table,
            known: HashMap::default(),
            marks,
            sets: Vec::new(),
            cells: Vec::new(),
            nodes: 0,
            most_nodes,
        }
    }

    /// Sets looked at so far.
    pub(in super::super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// For each cell, the placements won by the best play that begins with it.
    pub(in super::super) fn each_cell(&mut self) -> Result<Vec<u32>, Spent> {
        self.begin();
        let (set, cells) = ((0, self.sets.len()), (0, self.cells.len()));
        (0..self.table.cells() as u16).map(|cell| self.play(set, cells, cell, 0)).collect()
    }

    /// The first cell of a best play, and the placements it wins.
    pub(in super::super) fn best_cell(&mut self) -> Result<(usize, u32), Spent> {
        self.begin();
        let (set, cells) = ((0, self.sets.len()), (0, self.cells.len()));
        let mut choices = Vec::new();
        if let Some(free) = self.weigh(set, cells, &mut choices) {
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

    /// `won` of a set of which only these cells may tell anything.
    fn won(&mut self, set: (usize, usize), cells: (usize, usize)) -> Result<u32, Spent> {
        if set.1 - set.0 == 1 {
            return Ok(1);
        }
        let key = self.sets[set.0..set.1].iter().fold(0, |key, &place| key ^ self.marks[place as usize]);
        if let Some(&won) = self.known.get(&key) {
            return Ok(won);
        }
        if self.nodes >= self.most_nodes {
            return Err(Spent);
        }
        self.nodes += 1;
        let cells_before = self.cells.len();
        let won = self.search(set, cells)?;
        self.cells.truncate(cells_before);
        self.known.insert(key, won);
        Ok(won)
    }

    fn search(&mut self, set: (usize, usize), cells: (usize, usize)) -> Result<u32, Spent> {
        let mut choices = Vec::with_capacity(cells.1 - cells.0);
        let free = self.weigh(set, cells, &mut choices);
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

    /// Lists the cells that tell something, those empty most often first; or names one that is free and does.
    fn weigh(&self, set: (usize, usize), cells: (usize, usize), choices: &mut Vec<Choice>) -> Option<u16> {
        let set = &self.sets[set.0..set.1];
        let mut free: Option<Choice> = None;
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
            let choice = Choice { cell, empty: set.len() as u32 - mined, numbers };
            if mined == 0 && free.is_none_or(|free| free.numbers < numbers) {
                free = Some(choice);
            }
            choices.push(choice);
        }
        choices.sort_by_key(|choice| std::cmp::Reverse((choice.empty, choice.numbers)));
        free.map(|choice| choice.cell)
    }

    /// Placements won by the best play that begins with this cell; at most `enough` is returned if they are no more.
    fn play(
        &mut self,
        set: (usize, usize),
        cells: (usize, usize),
        cell: u16,
        enough: u32,
    ) -> Result<u32, Spent> {
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

/// Numbers that mark the placements, the same in every search.
struct Marks(u64);

impl Marks {
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

/// The keys are hashes already.
type Plain = std::hash::BuildHasherDefault<LowHalf>;

#[derive(Default)]
struct LowHalf(u64);

impl std::hash::Hasher for LowHalf {
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
