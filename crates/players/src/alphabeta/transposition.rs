//! The transposition table: results of earlier searches by position key.
//!
//! Invariant: an entry is used only if its whole key and its generation match. Forced results are stored as distances
//! from the entry's own position. [`TranspositionTable::clear`] invalidates all entries at once by starting a new
//! generation.

use outplay_core::Score;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundKind {
    Exact,
    Lower,
    Upper,
}

/// The stored result of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry<M> {
    key: u64,
    mv: Option<M>,
    score: Score,
    generation: u16,
    depth: u8,
    bound: BoundKind,
}

impl<M: Copy> TableEntry<M> {
    /// An empty entry; generation 0 is never current.
    const EMPTY: Self =
        Self { key: 0, mv: None, score: Score::EVEN, generation: 0, depth: 0, bound: BoundKind::Exact };

    /// The best move found, to be tried first.
    pub(super) fn mv(&self) -> Option<M> {
        self.mv
    }

    /// The depth of the search that gave the score.
    pub(super) fn depth(&self) -> u32 {
        u32::from(self.depth)
    }

    /// The score as seen from the root, `ply` plies earlier, if it is exact or causes a cutoff in the window.
    pub(super) fn cutoff_score(&self, alpha: Score, beta: Score, ply: u32) -> Option<Score> {
        let score = self.score.delayed(ply);
        let enough = match self.bound {
            BoundKind::Exact => true,
            BoundKind::Lower => score >= beta,
            BoundKind::Upper => score <= alpha,
        };
        enough.then_some(score)
    }
}

/// Buckets of two entries: the deepest result, and the latest of the others.
#[derive(Clone, Debug)]
pub(super) struct TranspositionTable<M> {
    pairs: Vec<[TableEntry<M>; 2]>,
    /// The bucket of a key is given by the top bits of its product with an odd number, so keys need not be well
    /// mixed.
    shift: u32,
    generation: u16,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table of at most this many entries, rounded down to a power of two, at least four. Memory is allocated by
    /// the first call of [`clear`](Self::clear), which precedes every use.
    pub(super) fn new(entries: usize) -> Self {
        let pairs = 1usize << (entries / 2).max(2).ilog2();
        Self { pairs: Vec::new(), shift: u64::BITS - pairs.trailing_zeros(), generation: 0 }
    }

    /// How many entries this much memory holds.
    pub(super) const fn entries_in(bytes: usize) -> usize {
        bytes / size_of::<TableEntry<M>>()
    }

    /// Invalidates all entries.
    pub(super) fn clear(&mut self) {
        if self.pairs.is_empty() {
            self.pairs = vec![[TableEntry::EMPTY; 2]; 1 << (u64::BITS - self.shift)];
        }
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.pairs.fill([TableEntry::EMPTY; 2]);
            1
        });
    }

    fn pair(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    pub(super) fn probe(&self, key: u64) -> Option<TableEntry<M>> {
        let pair = &self.pairs[self.pair(key)];
        pair.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    /// Stores the result of a search at `ply` plies from the root.
    pub(super) fn store(
        &mut self,
        key: u64,
        mv: Option<M>,
        (bound, score): (BoundKind, Score),
        depth: u32,
        ply: u32,
    ) {
        let generation = self.generation;
        let entry = TableEntry { key, mv, score: score.advanced(ply), generation, depth: depth as u8, bound };
        let pair = self.pair(key);
        let [deep, recent] = &mut self.pairs[pair];
        if deep.key == key || deep.generation != generation {
            *deep = entry;
        } else if deep.depth <= entry.depth {
            *recent = *deep;
            *deep = entry;
        } else {
            *recent = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full_window(entry: Option<TableEntry<u8>>, ply: u32) -> Option<Score> {
        entry.and_then(|entry| entry.cutoff_score(Score::MIN, Score::MAX, ply))
    }

    fn opened(entries: usize) -> TranspositionTable<u8> {
        let mut table = TranspositionTable::new(entries);
        table.clear();
        table
    }

    #[test]
    fn certain_results_move_with_the_ply() {
        let mut table = opened(16);
        table.store(7, Some(1u8), (BoundKind::Exact, Score::win_in(9)), 4, 6);
        assert_eq!(full_window(table.probe(7), 6), Some(Score::win_in(9)));
        assert_eq!(full_window(table.probe(7), 2), Some(Score::win_in(5)));
    }

    #[test]
    fn bounds_answer_only_on_their_side() {
        let mut table = opened(16);
        let eval = Score::eval;
        table.store(7, None::<u8>, (BoundKind::Lower, eval(50)), 4, 0);
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.cutoff_score(eval(10), eval(50), 0), Some(eval(50)));
        assert_eq!(entry.cutoff_score(eval(10), eval(51), 0), None);
        table.store(7, None, (BoundKind::Upper, eval(50)), 4, 0);
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.cutoff_score(eval(50), eval(60), 0), Some(eval(50)));
        assert_eq!(entry.cutoff_score(eval(49), eval(60), 0), None);
    }

    #[test]
    fn what_is_forgotten_stays_forgotten_through_every_generation() {
        let mut table = opened(4);
        table.store(7, Some(1u8), (BoundKind::Exact, Score::EVEN), 4, 0);
        for _ in 0..=u32::from(u16::MAX) {
            table.clear();
            assert!(table.probe(7).is_none());
        }
    }

    #[test]
    fn the_deep_entry_survives_shallow_ones() {
        let mut table = opened(4);
        table.store(1, Some(1u8), (BoundKind::Exact, Score::EVEN), 9, 0);
        for key in 2..200 {
            table.store(key, Some(2), (BoundKind::Exact, Score::EVEN), 1, 0);
            assert!(table.probe(key).is_some(), "the latest is always found");
        }
        assert_eq!(table.probe(1).and_then(|entry| entry.mv()), Some(1));
    }

    #[test]
    fn other_keys_are_not_believed() {
        let mut table = opened(4);
        table.store(1, Some(1u8), (BoundKind::Exact, Score::EVEN), 9, 0);
        assert!((2..200).all(|key| table.probe(key).is_none()));
    }
}
