//! The stages of a game: every one that play may reach, images of one another kept once.
//!
//! Law: stages are numbered by rising height, so whatever a move out of a stage leads to has a smaller number.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::Staged;

/// The numbers of all stages that may follow one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atlas<S> {
    /// Where play begins.
    pub(super) start: S,
    /// Of each stage.
    pub(super) places: usize,
    stages: Vec<Known<S>>,
    /// The numbers of the stages of each height.
    levels: Vec<Range<usize>>,
}

/// A stage that stands for its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known<S> {
    pub(super) stage: S,
    /// One of the stages that play may reach and for which it stands.
    pub(super) seen: S,
    /// How many of them it stands for.
    pub(super) images: u64,
}

impl<S: Copy + Ord> Atlas<S> {
    /// All stages that may follow this one; `None` if `stop` was raised.
    pub(super) fn survey<P: Staged<Stage = S>>(start: S, stop: &AtomicBool) -> Option<Self> {
        let mut unseen = BTreeMap::from([(P::height(start), vec![start])]);
        let mut highest_first = Vec::new();
        while let Some((_, mut level)) = unseen.pop_last() {
            level.sort_unstable();
            level.dedup();
            for &stage in &level {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                for later in P::later(stage) {
                    unseen.entry(P::height(later)).or_insert_with(Vec::new).push(later);
                }
            }
            highest_first.push(represented::<P>(level));
        }
        let (mut stages, mut levels) = (Vec::new(), Vec::new());
        for level in highest_first.into_iter().rev() {
            let first = stages.len();
            stages.extend(level);
            levels.push(first..stages.len());
        }
        Some(Self { start, places: P::places(start), stages, levels })
    }

    /// How many places all stages have together.
    pub(super) fn len(&self) -> usize {
        self.stages.len() * self.places
    }

    /// The stages in the order of their numbers.
    pub(super) fn stages(&self) -> &[Known<S>] {
        &self.stages
    }

    /// The stages by height, the last ones of the game first, each with the number of its first.
    pub(super) fn levels(&self) -> impl Iterator<Item = (usize, &[Known<S>])> {
        self.levels.iter().map(|range| (range.start, &self.stages[range.clone()]))
    }

    /// The number of a stage that stands for its images, if play may reach it or one of them.
    pub(super) fn find<P: Staged<Stage = S>>(&self, stage: S) -> Option<usize> {
        let place = |known: &Known<S>| (P::height(known.stage), known.stage);
        self.stages.binary_search_by_key(&(P::height(stage), stage), place).ok()
    }
}

/// Those that stand for these stages of one height, in order.
fn represented<P: Staged>(stages: Vec<P::Stage>) -> Vec<Known<P::Stage>> {
    let mut all: Vec<_> = stages.into_iter().map(|stage| (P::represent(stage).0, stage)).collect();
    all.sort_unstable();
    let same = all.chunk_by(|a, b| a.0 == b.0);
    same.map(|same| Known { stage: same[0].0, seen: same[0].1, images: same.len() as u64 }).collect()
}
