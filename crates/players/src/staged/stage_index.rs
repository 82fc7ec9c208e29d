//! All stages that play may reach, with symmetric stages stored once.
//!
//! Invariant: stages are numbered by rising height, so every move out of a stage leads to a smaller number.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::StagedPosition;

/// The numbering of all stages that may follow the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StageIndex<S> {
    /// The stage where play begins.
    pub(super) start: S,
    /// The number of places of each stage.
    pub(super) places: usize,
    stages: Vec<IndexedStage<S>>,
    /// The ranges of stage numbers, by height.
    levels: Vec<Range<usize>>,
}

/// A canonical stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexedStage<S> {
    pub(super) stage: S,
    /// One of the reachable stages that it represents.
    pub(super) seen: S,
    /// The number of reachable stages that it represents.
    pub(super) images: u64,
}

impl<S: Copy + Ord> StageIndex<S> {
    /// Numbers all stages that may follow this one; `None` if `stop` was set.
    pub(super) fn survey<P: StagedPosition<Stage = S>>(start: S, stop: &AtomicBool) -> Option<Self> {
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

    /// The number of places of all stages together.
    pub(super) fn len(&self) -> usize {
        self.stages.len() * self.places
    }

    /// The stages in the order of their numbers.
    pub(super) fn stages(&self) -> &[IndexedStage<S>] {
        &self.stages
    }

    /// The stages by height, the last ones of the game first, each level with the number of its first stage.
    pub(super) fn levels(&self) -> impl Iterator<Item = (usize, &[IndexedStage<S>])> {
        self.levels.iter().map(|range| (range.start, &self.stages[range.clone()]))
    }

    /// The number of a canonical stage, if play may reach it or one of its images.
    pub(super) fn find<P: StagedPosition<Stage = S>>(&self, stage: S) -> Option<usize> {
        let place = |indexed: &IndexedStage<S>| (P::height(indexed.stage), indexed.stage);
        self.stages.binary_search_by_key(&(P::height(stage), stage), place).ok()
    }
}

/// The canonical stages of these stages of one height, in order.
fn represented<P: StagedPosition>(stages: Vec<P::Stage>) -> Vec<IndexedStage<P::Stage>> {
    let mut all: Vec<_> = stages.into_iter().map(|stage| (P::canonical(stage).0, stage)).collect();
    all.sort_unstable();
    let same = all.chunk_by(|a, b| a.0 == b.0);
    same.map(|same| IndexedStage { stage: same[0].0, seen: same[0].1, images: same.len() as u64 }).collect()
}
