//! The transposition table: what the search already knows about positions it may meet again.
//!
//! Law: an entry is believed only if its whole key and its generation agree; certain results are kept as
//! distances from the entry's own position. [`Table::forget`] makes every entry strange at once.

use outplay_core::Score;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found out about one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    key: u64,
    mv: Option<M>,
    score: Score,
    generation: u16,
    depth: u8,
    bound: Bound,
}

impl<M: Copy> Entry<M> {
    /// Of no generation that a table ever has.
    const EMPTY: Self =
        Self { key: 0, mv: None, score: Score::EVEN, generation: 0, depth: 0, bound: Bound::Exact };

    /// The move that was best, to be tried first.
    pub(super) fn mv(&self) -> Option<M> {
        self.mv
    }

    /// How many plies the score looks ahead.
    pub(super) fn depth(&self) -> u32 {
        u32::from(self.depth)
    }

    /// The score as seen from the root, `ply` plies earlier, if it says enough about the window.
    pub(super) fn answer(&self, alpha: Score, beta: Score, ply: u32) -> Option<Score> {
        let score = self.score.delayed(ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        enough.then_some(score)
    }
}

/// Pairs of entries: the deepest search that wanted the pair, and the latest of the others.
#[derive(Clone, Debug)]
pub(super) struct Table<M> {
    pairs: Vec<[Entry<M>; 2]>,
    /// The pair of a key is in the top bits of its product with an odd number: keys need not be well mixed.
    shift: u32,
    generation: u16,
}

impl<M: Copy> Table<M> {
    /// A table of at most this many entries, by powers of two, at least four. It takes its room when
    /// [`forget`](Self::forget) is called first, which is before every use.
    pub(super) fn new(entries: usize) -> Self {
        let pairs = 1usize << (entries / 2).max(2).ilog2();
        Self { pairs: Vec::new(), shift: u64::BITS - pairs.trailing_zeros(), generation: 0 }
    }

    /// How many entries this much memory holds.
    pub(super) const fn entries_in(bytes: usize) -> usize {
        bytes / size_of::<Entry<M>>()
    }

    /// Nothing stored before is found again.
    pub(super) fn forget(&mut self) {
        if self.pairs.is_empty() {
            self.pairs = vec![[Entry::EMPTY; 2]; 1 << (u64::BITS - self.shift)];
        }
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.pairs.fill([Entry::EMPTY; 2]);
            1
        });
    }

    fn pair(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    pub(super) fn probe(&self, key: u64) -> Option<Entry<M>> {
        let pair = &self.pairs[self.pair(key)];
        pair.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    /// Keeps what was found out at `ply` plies from the root.
    pub(super) fn store(
        &mut self,
        key: u64,
        mv: Option<M>,
        (bound, score): (Bound, Score),
        depth: u32,
        ply: u32,
    ) {
        let generation = self.generation;
        let entry = Entry { key, mv, score: score.advanced(ply), generation, depth: depth as u8, bound };
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

    fn full_window(entry: Option<Entry<u8>>, ply: u32) -> Option<Score> {
        entry.and_then(|entry| entry.answer(Score::MIN, Score::MAX, ply))
    }

    fn opened(entries: usize) -> Table<u8> {
        let mut table = Table::new(entries);
        table.forget();
        table
    }

    #[test]
    fn certain_results_move_with_the_ply() {
        let mut table = opened(16);
        table.store(7, Some(1u8), (Bound::Exact, Score::win_in(9)), 4, 6);
        assert_eq!(full_window(table.probe(7), 6), Some(Score::win_in(9)));
        assert_eq!(full_window(table.probe(7), 2), Some(Score::win_in(5)));
    }

    #[test]
    fn bounds_answer_only_on_their_side() {
        let mut table = opened(16);
        let judged = Score::judged;
        table.store(7, None::<u8>, (Bound::AtLeast, judged(50)), 4, 0);
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.answer(judged(10), judged(50), 0), Some(judged(50)));
        assert_eq!(entry.answer(judged(10), judged(51), 0), None);
        table.store(7, None, (Bound::AtMost, judged(50)), 4, 0);
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.answer(judged(50), judged(60), 0), Some(judged(50)));
        assert_eq!(entry.answer(judged(49), judged(60), 0), None);
    }

    #[test]
    fn what_is_forgotten_stays_forgotten_through_every_generation() {
        let mut table = opened(4);
        table.store(7, Some(1u8), (Bound::Exact, Score::EVEN), 4, 0);
        for _ in 0..=u32::from(u16::MAX) {
            table.forget();
            assert!(table.probe(7).is_none());
        }
    }

    #[test]
    fn the_deep_entry_survives_shallow_ones() {
        let mut table = opened(4);
        table.store(1, Some(1u8), (Bound::Exact, Score::EVEN), 9, 0);
        for key in 2..200 {
            table.store(key, Some(2), (Bound::Exact, Score::EVEN), 1, 0);
            assert!(table.probe(key).is_some(), "the latest is always found");
        }
        assert_eq!(table.probe(1).and_then(|entry| entry.mv()), Some(1));
    }

    #[test]
    fn other_keys_are_not_believed() {
        let mut table = opened(4);
        table.store(1, Some(1u8), (Bound::Exact, Score::EVEN), 9, 0);
        assert!((2..200).all(|key| table.probe(key).is_none()));
    }
}
