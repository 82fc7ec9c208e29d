//! Iterative deepening: one ply more at a time, around the score of the ply before.
//!
//! Laws: the first iteration is always finished, so there is a line for every candidate; an iteration that was given up
//! changes the best move only if it found one that is better. One thread with a limit of depth or nodes gives the same
//! lines every time.

use std::cmp::Reverse;

use super::clock::Limits;
use super::value::{CERTAIN, DEEPEST, INFINITE, Worth};
use super::worker::Search;
use super::{Report, Variation};
use crate::chess::moves::Move;

/// How far from the last score the next one is expected.
const WINDOW: i32 = 14;
/// Beyond this, the window is opened wholly.
const WIDE: i32 = 500;

/// How the search went, for the decision to go on.
struct Mood {
    best: Option<Move>,
    /// Iterations since the best move changed.
    steady: usize,
    worth: i32,
}

impl Search<'_> {
    /// Deepens until the limits are reached, and returns the candidates, best first.
    pub(super) fn deepen(&mut self, limits: &Limits, mut report: impl FnMut(&Report<'_>)) -> Vec<Variation> {
        let deepest =
            limits.depth.map_or(DEEPEST as i32 - 1, |depth| depth.clamp(1, DEEPEST as u32 - 1) as i32);
        let wanted = self.question.candidates.clamp(1, self.question.moves.len());
        let mut known: Vec<Variation> = Vec::new();
        let mut mood = Mood { best: None, steady: 0, worth: 0 };
        // Helpers begin at different depths, so that they do not all do the same.
        let first = 1 + self.thread as i32 % 2;
        for depth in first..=deepest {
            self.iteration = depth;
            self.deepest = 0;
            let found = self.iterate(depth, wanted, &known);
            if self.over {
                if Self::adopt(&mut known, found) && self.thread == 0 {
                    report(&self.report(depth, &known));
                }
                break;
            }
            known = found;
            if self.thread > 0 {
                continue;
            }
            self.dog.look(0, self.nodes);
            report(&self.report(depth, &known));
            if Self::is_decided(depth, limits, &known) || self.dog.is_enough(self.calm(&known[0], &mut mood))
            {
                break;
            }
        }
        known
    }

    fn report<'v>(&self, depth: i32, variations: &'v [Variation]) -> Report<'v> {
        Report {
            depth: depth as u32,
            deepest: self.deepest as u32,
            variations,
            nodes: self.dog.nodes(),
            elapsed: self.dog.elapsed(),
            fullness: self.table.fullness(),
        }
    }

    /// One iteration: the best line, then the best without its first move, and so on.
    fn iterate(&mut self, depth: i32, wanted: usize, known: &[Variation]) -> Vec<Variation> {
        let mut found: Vec<Variation> = Vec::with_capacity(wanted);
        for number in 0..wanted {
            let is_found = |mv: &Move| found.iter().any(|found| found.line.first() == Some(mv));
            self.allowed = self.question.moves.iter().copied().filter(|mv| !is_found(mv)).collect();
            let value = self.aspire(depth, known.get(number).map(|variation| variation.worth.0));
            let line = self.worker.lines[0].clone();
            if line.is_empty() {
                debug_assert!(self.over, "a finished iteration has a line");
                break;
            }
            let effort = self.effort.iter().find(|(mv, _)| *mv == line[0]).map_or(0, |&(_, nodes)| nodes);
            let share = effort as f64 / self.nodes.max(1) as f64;
            found.push(Variation { worth: Worth(value), line, share });
            if self.over {
                break;
            }
        }
        if !self.over {
            found.sort_by_key(|variation| Reverse(variation.worth));
        }
        found
    }

    /// An unfinished iteration is heard if its first line was begun: what it names is at least as good as what was known.
    /// Says whether that is another move.
    fn adopt(known: &mut Vec<Variation>, found: Vec<Variation>) -> bool {
        let Some(better) = found.into_iter().next() else { return false };
        let Some(best) = known.first() else {
            known.push(better);
            return true;
        };
        if best.line.first() == better.line.first() {
            return false;
        }
        let worth = best.worth;
        known.retain(|variation| variation.line.first() != better.line.first());
        known.insert(0, Variation { worth, ..better });
        true
    }

    /// Searches in a window around the score that is expected, opened where the score falls out of it.
    fn aspire(&mut self, depth: i32, expected: Option<i32>) -> i32 {
        let root = self.question.position;
        let (mut alpha, mut beta, mut width) = (-INFINITE, INFINITE, WINDOW);
        if let Some(expected) = expected.filter(|value| depth >= 5 && value.abs() < CERTAIN) {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let value = self.explore(&root, alpha, beta, depth, 0, false);
            if self.over || (alpha < value && value < beta) {
                return value;
            }
            width += width / 2;
            if width > WIDE {
                (alpha, beta) = (-INFINITE, INFINITE);
            } else if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - width).max(-INFINITE);
            } else {
                beta = (value + width).min(INFINITE);
            }
        }
    }

    /// Whether more depth would change nothing.
    fn is_decided(depth: i32, limits: &Limits, known: &[Variation]) -> bool {
        let best = known[0].worth;
        if let (Some(wanted), Some(mate)) = (limits.mate, best.mate_in())
            && mate > 0
            && mate <= wanted as i32
        {
            return true;
        }
        // The shortest mate that a full search of this depth could miss is longer than the one that was found.
        let all_mates = known.iter().all(|variation| variation.worth.mate_in().is_some());
        all_mates
            && known.iter().all(|one| one.worth.mate_in().is_some_and(|mate| depth > 4 * mate.abs() + 8))
    }

    /// The share of its usual time that the search should take, by how sure it is of its move.
    fn calm(&self, best: &Variation, mood: &mut Mood) -> f64 {
        if self.question.moves.len() == 1 {
            return 0.05;
        }
        let is_same = mood.best == best.line.first().copied();
        mood.steady = if is_same { (mood.steady + 1).min(4) } else { 0 };
        let falls = (mood.worth - best.worth.0).clamp(0, 60);
        (mood.best, mood.worth) = (best.line.first().copied(), best.worth.0);
        let steady = [1.4, 1.15, 1.0, 0.9, 0.8][mood.steady];
        let effort = (1.7 - best.share * 1.15).clamp(0.55, 1.6);
        steady * effort * (1.0 + f64::from(falls) / 120.0)
    }
}
