//! The transposition table, shared by all threads without a lock.
//!
//! An entry is two words: its contents, and the position's key XORed with them (R. Hyatt, T. Mann, A lockless
//! transposition-table implementation, 2002). So an entry whose halves were written by two threads is detected and
//! ignored: what a probe returns was stored as a whole for this key.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::chess::moves::ChessMove;

/// Whether a stored score is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScoreBound {
    /// The true score is at most the stored one.
    Upper = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The stored score is exact.
    Exact = 3,
}

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EngineTtEntry {
    pub(super) mv: Option<ChessMove>,
    /// As [`score_to_tt`](super::score::score_to_tt) converts it.
    pub(super) value: i32,
    /// The uncorrected static evaluation, or [`NO_EVAL`] in check.
    pub(super) static_eval: i32,
    pub(super) depth: i32,
    pub(super) bound: ScoreBound,
}

/// Marks a missing evaluation.
pub(super) const NO_EVAL: i32 = i16::MIN as i32;

#[derive(Default)]
struct EngineTtSlot {
    check: AtomicU64,
    contents: AtomicU64,
}

/// Entries with the same index: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct EngineTtBucket([EngineTtSlot; 4]);

/// The lockless transposition table.
pub(super) struct SharedTranspositionTable {
    buckets: Box<[EngineTtBucket]>,
    age: AtomicU8,
}

const AGES: u8 = 64;

fn pack(entry: EngineTtEntry, age: u8) -> u64 {
    u64::from(entry.mv.map_or(0, ChessMove::bits))
        | u64::from(entry.value as i16 as u16) << 16
        | u64::from(entry.static_eval as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | u64::from(entry.bound as u8 | age << 2) << 56
}

fn unpack(contents: u64) -> Option<EngineTtEntry> {
    let bound = match contents >> 56 & 3 {
        1 => ScoreBound::Upper,
        2 => ScoreBound::Lower,
        3 => ScoreBound::Exact,
        _ => return None,
    };
    Some(EngineTtEntry {
        mv: ChessMove::from_bits(contents as u16),
        value: i32::from((contents >> 16) as u16 as i16),
        static_eval: i32::from((contents >> 32) as u16 as i16),
        depth: i32::from((contents >> 48) as u8),
        bound,
    })
}

impl SharedTranspositionTable {
    /// A table of this many mebibytes.
    pub(super) fn new(mebibytes: usize) -> Self {
        let buckets = (mebibytes.max(1) << 20) / size_of::<EngineTtBucket>();
        Self { buckets: (0..buckets).map(|_| EngineTtBucket::default()).collect(), age: AtomicU8::new(0) }
    }

    /// Removes all entries.
    pub(super) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.contents.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation: entries of older searches are replaced first.
    pub(super) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[EngineTtSlot; 4] {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }

    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<EngineTtEntry> {
        for slot in self.bucket(key) {
            let contents = slot.contents.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ contents == key {
                return unpack(contents);
            }
        }
        None
    }

    /// Stores an entry in place of the least valuable one: shallow, and left by older searches. A known move is not
    /// overwritten by none, nor a much deeper entry of this search by a bound.
    #[inline]
    pub(super) fn store(&self, key: u64, mut entry: EngineTtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut place = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let contents = slot.contents.load(Ordering::Relaxed);
            let (depth, left) = ((contents >> 48 & 0xff) as i32, (contents >> 58) as u8);
            if slot.check.load(Ordering::Relaxed) ^ contents == key {
                entry.mv = entry.mv.or(ChessMove::from_bits(contents as u16));
                if entry.bound != ScoreBound::Exact && left == age && depth > entry.depth + 3 {
                    return;
                }
                place = Some(slot);
                break;
            }
            let older = i32::from(age.wrapping_sub(left) % AGES);
            let value = if contents == 0 { i32::MIN } else { depth - 4 * older };
            if value < least {
                (place, least) = (Some(slot), value);
            }
        }
        let contents = pack(entry, age);
        if let Some(slot) = place {
            slot.check.store(key ^ contents, Ordering::Relaxed);
            slot.contents.store(contents, Ordering::Relaxed);
        }
    }

    /// The share of entries from this search, in thousandths.
    pub(super) fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let is_used = |slot: &&EngineTtSlot| {
            let contents = slot.contents.load(Ordering::Relaxed);
            contents != 0 && (contents >> 58) as u8 == age
        };
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(is_used).count();
        (used * 1000 / (4 * sample.len())) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::ChessSquare;

    fn entry(depth: i32, value: i32) -> EngineTtEntry {
        let mv = Some(ChessMove::normal(ChessSquare::from_number(12), ChessSquare::from_number(28)));
        EngineTtEntry { mv, value, static_eval: -77, depth, bound: ScoreBound::Lower }
    }

    #[test]
    fn what_was_stored_is_found() {
        let table = SharedTranspositionTable::new(1);
        assert_eq!(table.probe(99), None);
        for value in [-31_000, -1, 0, 1, 31_000] {
            let stored = EngineTtEntry { bound: ScoreBound::Exact, ..entry(7, value) };
            table.store(99, stored);
            assert_eq!(table.probe(99), Some(stored));
        }
        table.store(99, EngineTtEntry { mv: None, bound: ScoreBound::Exact, ..entry(8, 5) });
        assert_eq!(table.probe(99).and_then(|entry| entry.mv), entry(8, 5).mv, "a move is kept");
        table.clear();
        assert_eq!(table.probe(99), None);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_and_old_ones_go() {
        let table = SharedTranspositionTable::new(1);
        table.store(1, entry(20, 0));
        for key in 2..100 {
            table.store(key, entry(1, 0));
        }
        assert!(table.probe(1).is_some());
        for _ in 0..10 {
            table.new_search();
        }
        for key in 200..204 {
            table.store(key, entry(1, 0));
        }
        assert_eq!(table.probe(1), None);
    }
}
