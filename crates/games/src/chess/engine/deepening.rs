//! Iterative deepening with aspiration windows.
//!
//! A finished iteration has a line for every candidate. An unfinished one changes the best move only if it found a better
//! one; if it was the first, its lines are the answer, and if it has none, the move that would have been searched first.
//! One thread with a limit of depth or nodes gives the same lines every time.

use std::cmp::Reverse;

use super::score::{EngineScore, INFINITE, MATE_IN_MAX_PLY, MAX_PLY};
use super::search_thread::SearchThread;
use super::time::SearchLimits;
use super::{PrincipalVariation, SearchInfo, SearchRequest};
use crate::chess::moves::ChessMove;

/// Half the width of the first aspiration window.
const ASPIRATION_WINDOW: i32 = 14;
/// Beyond this width, the full window is searched.
const MAX_ASPIRATION_WINDOW: i32 = 500;

/// How stable the best move was over the iterations, for time management.
struct BestMoveStability {
    best: Option<ChessMove>,
    /// Iterations since the best move changed.
    stable_iterations: usize,
    score: i32,
}

impl SearchThread<'_> {
    /// Searches deeper and deeper until the limits are reached, and returns the candidates, best first.
    pub(super) fn iterative_deepening(
        &mut self,
        limits: &SearchLimits,
        mut report: impl FnMut(&SearchInfo<'_>),
    ) -> Vec<PrincipalVariation> {
        let deepest =
            limits.depth.map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32);
        let wanted = self.request.candidates.clamp(1, self.request.moves.len());
        let mut known: Vec<PrincipalVariation> = Vec::new();
        let mut stability = BestMoveStability { best: None, stable_iterations: 0, score: 0 };
        // Helper threads begin at different depths, so that they do not all search the same tree.
        let first = 1 + self.thread as i32 % 2;
        for depth in first..=deepest {
            self.iteration = depth;
            self.seldepth = 0;
            self.poll();
            let found = self.search_root(depth, wanted, &known);
            if self.stopped {
                if known.is_empty() && found.is_empty() {
                    known.push(self.unsearched_move());
                    report(&self.report(0, &known));
                } else if Self::adopt_unfinished(&mut known, found) && self.thread == 0 {
                    report(&self.report(depth, &known));
                }
                break;
            }
            known = found;
            if self.thread > 0 {
                continue;
            }
            self.poll();
            report(&self.report(depth, &known));
            if Self::is_mate_settled(depth, limits, &known)
                || self.control.soft_limit_reached(self.time_scale(&known[0], &mut stability))
            {
                break;
            }
        }
        known
    }

    fn report<'v>(&self, depth: i32, variations: &'v [PrincipalVariation]) -> SearchInfo<'v> {
        SearchInfo {
            depth: depth as u32,
            seldepth: self.seldepth as u32,
            variations,
            nodes: self.control.nodes(),
            elapsed: self.control.elapsed(),
            hashfull: self.table.hashfull(),
        }
    }

    /// One iteration: the best line, then the best line that begins with another move, and so on (MultiPV).
    fn search_root(
        &mut self,
        depth: i32,
        wanted: usize,
        known: &[PrincipalVariation],
    ) -> Vec<PrincipalVariation> {
        let mut found: Vec<PrincipalVariation> = Vec::with_capacity(wanted);
        for number in 0..wanted {
            let is_found = |mv: &ChessMove| found.iter().any(|found| found.line.first() == Some(mv));
            self.root_moves = self.request.moves.iter().copied().filter(|mv| !is_found(mv)).collect();
            let value = self.aspiration_search(depth, known.get(number).map(|variation| variation.score.0));
            let line = self.state.pvs[0].clone();
            if line.is_empty() {
                debug_assert!(self.stopped, "a finished iteration has a line");
                break;
            }
            let effort = self.effort.iter().find(|(mv, _)| *mv == line[0]).map_or(0, |&(_, nodes)| nodes);
            let share = effort as f64 / self.nodes.max(1) as f64;
            found.push(PrincipalVariation { score: EngineScore(value), line, node_share: share });
            if self.stopped {
                break;
            }
        }
        if !self.stopped {
            found.sort_by_key(|variation| Reverse(variation.score));
        }
        found
    }

    /// The root move that is ordered first, with the static evaluation for its score: the answer of a search that was
    /// stopped before it knew more.
    fn unsearched_move(&mut self) -> PrincipalVariation {
        let SearchRequest { position: root, moves, .. } = self.request;
        self.state.moves.clear();
        self.generate_all(root, 0);
        let mut ordered = (0..self.state.moves.len()).map(|index| self.pick_move(root, index).0);
        let first = ordered.find(|mv| moves.contains(mv)).unwrap_or(moves[0]);
        PrincipalVariation { score: EngineScore(self.evaluate(root)), line: vec![first], node_share: 0.0 }
    }

    /// Takes the best move of an unfinished iteration: it is at least as good as the one known before. Takes all moves of an
    /// unfinished first iteration. Returns whether the best move is another one.
    fn adopt_unfinished(known: &mut Vec<PrincipalVariation>, mut found: Vec<PrincipalVariation>) -> bool {
        let Some(best) = known.first() else {
            found.sort_by_key(|variation| Reverse(variation.score));
            *known = found;
            return true;
        };
        let Some(better) = found.into_iter().next() else { return false };
        if best.line.first() == better.line.first() {
            return false;
        }
        let score = best.score;
        known.retain(|variation| variation.line.first() != better.line.first());
        known.insert(0, PrincipalVariation { score, ..better });
        true
    }

    /// Searches with a window around the expected score, and widens it on the side where the score fails.
    fn aspiration_search(&mut self, depth: i32, expected: Option<i32>) -> i32 {
        let root = self.request.position;
        let (mut alpha, mut beta, mut width) = (-INFINITE, INFINITE, ASPIRATION_WINDOW);
        if let Some(expected) = expected.filter(|value| depth >= 5 && value.abs() < MATE_IN_MAX_PLY) {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let value = self.search(&root, alpha, beta, depth, 0, false);
            if self.stopped || (alpha < value && value < beta) {
                return value;
            }
            width += width / 2;
            if width > MAX_ASPIRATION_WINDOW {
                (alpha, beta) = (-INFINITE, INFINITE);
            } else if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - width).max(-INFINITE);
            } else {
                beta = (value + width).min(INFINITE);
            }
        }
    }

    /// Whether a mate was found that more depth cannot change.
    fn is_mate_settled(depth: i32, limits: &SearchLimits, known: &[PrincipalVariation]) -> bool {
        let best = known[0].score;
        if let (Some(wanted), Some(mate)) = (limits.mate, best.mate_in())
            && mate > 0
            && mate <= wanted as i32
        {
            return true;
        }
        // The shortest mate that a full search of this depth could miss is longer than the one that was found.
        let all_mates = known.iter().all(|variation| variation.score.mate_in().is_some());
        all_mates
            && known.iter().all(|one| one.score.mate_in().is_some_and(|mate| depth > 4 * mate.abs() + 8))
    }

    /// The factor for the soft time limit: less time for a stable best move, more for a falling score.
    fn time_scale(&self, best: &PrincipalVariation, stability: &mut BestMoveStability) -> f64 {
        if self.request.moves.len() == 1 {
            return 0.05;
        }
        let is_same = stability.best == best.line.first().copied();
        stability.stable_iterations = if is_same { (stability.stable_iterations + 1).min(4) } else { 0 };
        let falls = (stability.score - best.score.0).clamp(0, 60);
        (stability.best, stability.score) = (best.line.first().copied(), best.score.0);
        let steady = [1.4, 1.15, 1.0, 0.9, 0.8][stability.stable_iterations];
        let effort = (1.7 - best.node_share * 1.15).clamp(0.55, 1.6);
        steady * effort * (1.0 + f64::from(falls) / 120.0)
    }
}
