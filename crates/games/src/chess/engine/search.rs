//! The recursion: principal variation search. What it leaves out is decided in [`super::thrift`].
//!
//! Contract of [`Search::explore`]. The score is the side to move's, mates counted from the root, fail-soft: at or below
//! `alpha` it is meant as an upper bound, at or above `beta` as a lower bound, in between as the score. "Meant", because
//! null moves, reductions and futility trust that a position is as it looks; only depth makes up for it. The line at
//! `ply` is set wherever the window is wider than one.
//!
//! References: T. A. Marsland, M. Campbell (1982), principal variation search; history and continuation history as in
//! today's engines (Chess Programming Wiki).

use outplay_core::{Position, View};

use super::history::PieceTo;
use super::score::{DRAW, INFINITE, MATE_IN_MAX_PLY, mate_in, mated_in, score_from_tt, score_to_tt};
use super::transposition::{EngineTtEntry, NO_EVAL, ScoreBound};
use super::worker::{SearchThread, is_tactical};
use crate::chess::moves::ChessMove;
use crate::chess::rules::Chess;

/// What is known of a position before its moves are tried.
pub(super) struct EngineNode {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The evaluation, or what the table knows better.
    pub(super) eval: i32,
    pub(super) tt_move: Option<ChessMove>,
    pub(super) tt_entry: Option<EngineTtEntry>,
    pub(super) cut_node: bool,
}

impl EngineNode {
    pub(super) fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// A move that is going to be tried.
pub(super) struct TrialMove<'a> {
    pub(super) mv: ChessMove,
    child: &'a Chess,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// How many moves were looked at, this one included.
    pub(super) move_count: usize,
}

/// What came of trying the moves.
struct MoveLoopResult {
    best: i32,
    best_move: Option<ChessMove>,
}

impl SearchThread<'_> {
    /// The score of a position; the contract is at the head.
    pub(super) fn search(
        &mut self,
        position: &Chess,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        is_cut: bool,
    ) -> i32 {
        let principal = beta - alpha > 1;
        if principal {
            self.state.pvs[ply].clear();
        }
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply);
        }
        if ply > 0 {
            if let Some(value) = self.enter_node(position, ply) {
                return value;
            }
            (alpha, beta) = (alpha.max(mated_in(ply)), beta.min(mate_in(ply + 1)));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.state.stack[ply].excluded;
        let entry = if excluded.is_some() { None } else { self.table.probe(position.key()) };
        if !principal
            && let Some(entry) = entry.filter(|entry| entry.depth >= depth && position.halfmove_clock() < 90)
            && let Some(value) = entry.cutoff_score(alpha, beta, ply)
        {
            return value;
        }
        let in_check = position.in_check();
        let raw = match entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.static_eval != NO_EVAL => entry.static_eval,
            _ => self.evaluate(position),
        };
        let mut node = self.prepare_node(position, (alpha, beta), depth, ply, in_check, raw, entry);
        node.cut_node = is_cut;
        if excluded.is_none()
            && let Some(value) = self.prune_node(position, &node)
        {
            return value;
        }
        if node.depth >= 4 && node.tt_move.is_none() && excluded.is_none() && (principal || is_cut) {
            node.depth -= 1;
        }
        let tried = self.search_moves(position, &mut node);
        if !self.stopped && excluded.is_none() {
            self.store_result(position, (alpha, beta), &node, raw, &tried);
        }
        tried.best
    }

    /// What can be said of a position before its moves are tried.
    #[expect(clippy::too_many_arguments, reason = "all that is known so far")]
    fn prepare_node(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        in_check: bool,
        raw: i32,
        entry: Option<EngineTtEntry>,
    ) -> EngineNode {
        let mut judgement = -INFINITE;
        let (mut improving, mut own) = (false, None);
        if !in_check {
            let corrected = raw + self.state.history.correction(position);
            own = Some(corrected);
            judgement = corrected;
            if let Some(entry) = entry {
                let value = score_from_tt(entry.value, ply);
                let is_better = match entry.bound {
                    ScoreBound::Exact => true,
                    ScoreBound::Lower => value > judgement,
                    ScoreBound::Upper => value < judgement,
                };
                if is_better && value.abs() < MATE_IN_MAX_PLY {
                    judgement = value;
                }
            }
            let earlier =
                |back: usize| ply.checked_sub(back).and_then(|ply| self.state.stack[ply].static_eval);
            improving = earlier(2).or_else(|| earlier(4)).is_none_or(|earlier| corrected > earlier);
        }
        self.state.stack[ply].static_eval = own;
        self.state.stack[ply + 1].killers = [None; 2];
        let hint = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let depth = if in_check && ply > 0 { depth + 1 } else { depth };
        EngineNode {
            alpha,
            beta,
            depth,
            ply,
            in_check,
            improving,
            eval: judgement,
            tt_move: hint,
            tt_entry: entry,
            cut_node: false,
        }
    }

    /// Tries the moves, the hint before the others are listed, until one is too good.
    fn search_moves(&mut self, position: &Chess, node: &mut EngineNode) -> MoveLoopResult {
        let ply = node.ply;
        let excluded = self.state.stack[ply].excluded;
        let mut tried = MoveLoopResult { best: -INFINITE, best_move: None };
        let first = self.state.moves.len();
        let mut number = 0;
        let (mut failed_quiets, mut failed_captures) = (FailedMoves::default(), FailedMoves::default());
        let mut next = first;
        let mut is_listed = false;
        loop {
            let (mv, is_hint) =
                if number == 0 && !is_listed && node.tt_move.is_some() && node.tt_move != excluded {
                    (node.tt_move.unwrap_or_else(|| unreachable!("just seen")), true)
                } else {
                    if !is_listed {
                        self.generate_all(position, ply);
                        is_listed = true;
                    }
                    if next >= self.state.moves.len() {
                        break;
                    }
                    let (mv, _) = self.pick_move(position, next);
                    next += 1;
                    if Some(mv) == node.tt_move || Some(mv) == excluded {
                        continue;
                    }
                    (mv, false)
                };
            if ply == 0 && !self.root_moves.contains(&mv) {
                if is_hint {
                    node.tt_move = None;
                }
                continue;
            }
            let quiet = !is_tactical(position, mv);
            let child = position.after(mv);
            let checks = child.in_check();
            let may_skip = !is_hint && !checks && tried.best > -MATE_IN_MAX_PLY;
            number += 1;
            if may_skip && self.is_pruned(position, node, mv, quiet, number - 1) {
                continue;
            }
            let attempt = TrialMove { mv, child: &child, quiet, gives_check: checks, move_count: number };
            let Some(value) = self.search_move(position, node, &attempt) else {
                // The hint proved to be one of several good moves: that is enough.
                tried.best = node.beta;
                break;
            };
            if self.stopped {
                break;
            }
            if value > tried.best {
                tried.best = value;
                if value > node.alpha {
                    tried.best_move = Some(mv);
                    if node.is_pv() {
                        self.update_pv(mv, ply);
                    }
                    if value >= node.beta {
                        self.update_history(position, node, mv, &failed_quiets, &failed_captures);
                        break;
                    }
                    node.alpha = value;
                }
            }
            if quiet { &mut failed_quiets } else { &mut failed_captures }.push(mv);
        }
        self.state.moves.truncate(first);
        if number == 0 && tried.best == -INFINITE && !self.stopped {
            tried.best = match excluded {
                Some(_) => node.alpha,
                None if node.in_check => mated_in(ply),
                None => DRAW,
            };
        }
        tried
    }

    /// The score of a move: late ones at first not so deep, all but the first with a window that only asks whether they are
    /// better. Nothing, if the first one is found to be no better than others that are good enough.
    fn search_move(&mut self, position: &Chess, node: &EngineNode, attempt: &TrialMove<'_>) -> Option<i32> {
        let &EngineNode { alpha, beta, depth, ply, .. } = node;
        let &TrialMove { mv, child, move_count: number, .. } = attempt;
        let principal = node.is_pv();
        let mut extension = 0;
        if number == 1 && node.tt_move == Some(mv) {
            extension = self.singular_extension(position, mv, node)?;
        }
        if self.stopped {
            return Some(DRAW);
        }
        let arrival = PieceTo::of(position, mv);
        let nodes_before = self.nodes;
        let doubled = self.state.stack[ply].double_extensions;
        self.state.stack[ply + 1].double_extensions = doubled + u8::from(extension >= 2);
        self.state.stack[ply].piece_to = Some(arrival);
        self.state.path.push(position.key());
        if principal {
            // A move may prove too good without a line of its own: then none follows it, not that of a move before it.
            self.state.pvs[ply + 1].clear();
        }
        let new_depth = depth - 1 + extension;
        let mut value = -INFINITE;
        let mut is_open = number == 1;
        if number > 1 {
            let mut searched = new_depth;
            if depth >= 2 && number > 1 + usize::from(principal) {
                let less = self.late_move_reduction(position, node, attempt);
                searched = (new_depth - less).clamp(1, new_depth.max(1));
            }
            value = -self.search(child, -alpha - 1, -alpha, searched, ply + 1, true);
            if value > alpha && searched < new_depth && !self.stopped {
                value = -self.search(child, -alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
            }
            is_open = principal && value > alpha && value < beta;
        }
        if is_open && !self.stopped {
            let is_cut = !principal && !node.cut_node;
            value = -self.search(child, -beta, -alpha, new_depth, ply + 1, is_cut);
        }
        self.state.path.pop();
        if ply == 0 {
            self.add_effort(mv, self.nodes - nodes_before);
        }
        Some(value)
    }

    fn add_effort(&mut self, mv: ChessMove, nodes: u64) {
        match self.effort.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, effort)) => *effort += nodes,
            None => self.effort.push((mv, nodes)),
        }
    }

    /// A move was too good: it and those before it that were not are remembered.
    fn update_history(
        &mut self,
        position: &Chess,
        node: &EngineNode,
        mv: ChessMove,
        quiets: &FailedMoves,
        captures: &FailedMoves,
    ) {
        let &EngineNode { depth, ply, .. } = node;
        let bonus = (160 * depth - 100).clamp(60, 1800);
        let (seat, before) = (position.seat(), self.previous_moves(ply));
        if is_tactical(position, mv) {
            if let Some(taken) = position.captured_kind(mv) {
                self.state.history.update_capture(PieceTo::of(position, mv), taken, bonus);
            }
        } else {
            let killers = &mut self.state.stack[ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            let histories = &mut self.state.history;
            histories.update_quiet(seat, mv, PieceTo::of(position, mv), before, bonus);
            for failed in quiets.moves() {
                histories.update_quiet(seat, failed, PieceTo::of(position, failed), before, -bonus);
            }
        }
        for failed in captures.moves() {
            if let Some(taken) = position.captured_kind(failed) {
                self.state.history.update_capture(PieceTo::of(position, failed), taken, -bonus);
            }
        }
    }

    /// The table and the corrections learn what was found.
    fn store_result(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        node: &EngineNode,
        raw: i32,
        tried: &MoveLoopResult,
    ) {
        let ply = node.ply;
        if ply == 0 && self.root_moves.len() < self.request.moves.len() {
            return;
        }
        let bound = match tried.best {
            best if best >= beta => ScoreBound::Lower,
            best if best > alpha => ScoreBound::Exact,
            _ => ScoreBound::Upper,
        };
        let value = score_to_tt(tried.best, ply);
        let entry = EngineTtEntry { mv: tried.best_move, value, static_eval: raw, depth: node.depth, bound };
        self.table.store(position.key(), entry);
        let is_quiet = tried.best_move.is_none_or(|mv| !is_tactical(position, mv));
        if let Some(own) = self.state.stack[ply].static_eval
            && is_quiet
            && tried.best.abs() < MATE_IN_MAX_PLY
            && !(bound == ScoreBound::Lower && tried.best <= own)
            && !(bound == ScoreBound::Upper && tried.best >= own)
        {
            self.state.history.update_correction(position, node.depth, tried.best - raw);
        }
    }
}

/// The first moves that were tried and were not good enough.
#[derive(Default)]
struct FailedMoves {
    moves: [Option<ChessMove>; 32],
    count: usize,
}

impl FailedMoves {
    fn push(&mut self, mv: ChessMove) {
        if let Some(place) = self.moves.get_mut(self.count) {
            *place = Some(mv);
            self.count += 1;
        }
    }

    fn moves(&self) -> impl Iterator<Item = ChessMove> {
        self.moves[..self.count].iter().copied().flatten()
    }
}
