//! Principal variation search. What is pruned, reduced or extended is decided in [`super::pruning`].
//!
//! The score of [`SearchThread::search`] is the side to move's, with mates counted from the root, and fail-soft: at or
//! below `alpha` it is an upper bound, at or above `beta` a lower bound, in between exact, as far as the pruning
//! heuristics allow. The principal variation at `ply` is set wherever the window is open.
//!
//! References: T. A. Marsland, M. Campbell (1982), principal variation search; history and continuation history as in
//! today's engines (Chess Programming Wiki).

use outplay_core::{Position, View};

use super::history::PieceTo;
use super::score::{DRAW, INFINITE, MATE_IN_MAX_PLY, mate_in, mated_in, score_from_tt, score_to_tt};
use super::search_thread::{SearchThread, is_tactical};
use super::transposition::{EngineTtEntry, NO_EVAL, ScoreBound};
use crate::chess::moves::ChessMove;
use crate::chess::rules::Chess;

/// What is known of a node before its moves are searched.
pub(super) struct EngineNode {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The static evaluation, or the table's score where its bound is better.
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

/// A move about to be searched.
pub(super) struct TrialMove<'a> {
    pub(super) mv: ChessMove,
    child: &'a Chess,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// How many moves were considered so far, this one included.
    pub(super) move_count: usize,
}

/// The result of searching the moves of a node.
struct MoveLoopResult {
    best: i32,
    best_move: Option<ChessMove>,
}

impl SearchThread<'_> {
    /// The score of a position, as the module's header defines it.
    pub(super) fn search(
        &mut self,
        position: &Chess,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        let is_pv = beta - alpha > 1;
        if is_pv {
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
        if !is_pv
            && let Some(entry) = entry.filter(|entry| entry.depth >= depth && position.halfmove_clock() < 90)
            && let Some(value) = entry.cutoff_score(alpha, beta, ply)
        {
            return value;
        }
        let in_check = position.in_check();
        let raw_eval = match entry {
            _ if in_check => NO_EVAL,
            Some(entry) if entry.static_eval != NO_EVAL => entry.static_eval,
            _ => self.evaluate(position),
        };
        let mut node = self.prepare_node(position, (alpha, beta), depth, ply, in_check, raw_eval, entry);
        node.cut_node = cut_node;
        if excluded.is_none()
            && let Some(value) = self.prune_node(position, &node)
        {
            return value;
        }
        if node.depth >= 4 && node.tt_move.is_none() && excluded.is_none() && (is_pv || cut_node) {
            node.depth -= 1;
        }
        let tried = self.search_moves(position, &mut node);
        if !self.stopped && excluded.is_none() {
            self.store_result(position, (alpha, beta), &node, raw_eval, &tried);
        }
        tried.best
    }

    /// Collects what is known of a node before its moves are searched.
    #[expect(clippy::too_many_arguments, reason = "everything that is known of the node")]
    fn prepare_node(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        in_check: bool,
        raw_eval: i32,
        entry: Option<EngineTtEntry>,
    ) -> EngineNode {
        let mut eval = -INFINITE;
        let (mut improving, mut static_eval) = (false, None);
        if !in_check {
            let corrected = raw_eval + self.state.history.correction(position);
            static_eval = Some(corrected);
            eval = corrected;
            if let Some(entry) = entry {
                let value = score_from_tt(entry.value, ply);
                let is_better = match entry.bound {
                    ScoreBound::Exact => true,
                    ScoreBound::Lower => value > eval,
                    ScoreBound::Upper => value < eval,
                };
                if is_better && value.abs() < MATE_IN_MAX_PLY {
                    eval = value;
                }
            }
            let earlier =
                |back: usize| ply.checked_sub(back).and_then(|ply| self.state.stack[ply].static_eval);
            improving = earlier(2).or_else(|| earlier(4)).is_none_or(|earlier| corrected > earlier);
        }
        self.state.stack[ply].static_eval = static_eval;
        self.state.stack[ply + 1].killers = [None; 2];
        let tt_move = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let depth = if in_check && ply > 0 { depth + 1 } else { depth };
        EngineNode {
            alpha,
            beta,
            depth,
            ply,
            in_check,
            improving,
            eval,
            tt_move,
            tt_entry: entry,
            cut_node: false,
        }
    }

    /// Searches the moves until one fails high. The TT move comes first, before the others are generated.
    fn search_moves(&mut self, position: &Chess, node: &mut EngineNode) -> MoveLoopResult {
        let ply = node.ply;
        let excluded = self.state.stack[ply].excluded;
        let mut tried = MoveLoopResult { best: -INFINITE, best_move: None };
        let first = self.state.moves.len();
        let mut move_count = 0;
        let (mut failed_quiets, mut failed_captures) = (FailedMoves::default(), FailedMoves::default());
        let mut next = first;
        let mut is_listed = false;
        loop {
            let (mv, is_tt_move) =
                if move_count == 0 && !is_listed && node.tt_move.is_some() && node.tt_move != excluded {
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
                if is_tt_move {
                    node.tt_move = None;
                }
                continue;
            }
            let quiet = !is_tactical(position, mv);
            let child = position.after(mv);
            let gives_check = child.in_check();
            let may_skip = !is_tt_move && !gives_check && tried.best > -MATE_IN_MAX_PLY;
            move_count += 1;
            if may_skip && self.is_pruned(position, node, mv, quiet, move_count - 1) {
                continue;
            }
            let trial = TrialMove { mv, child: &child, quiet, gives_check, move_count };
            let Some(value) = self.search_move(position, node, &trial) else {
                // Multi-cut: several moves besides the TT move fail high.
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
        if move_count == 0 && tried.best == -INFINITE && !self.stopped {
            tried.best = match excluded {
                Some(_) => node.alpha,
                None if node.in_check => mated_in(ply),
                None => DRAW,
            };
        }
        tried
    }

    /// The score of a move: late moves first at reduced depth, all but the first move with a null window. `None` if the
    /// singular search found that several moves fail high.
    fn search_move(&mut self, position: &Chess, node: &EngineNode, trial: &TrialMove<'_>) -> Option<i32> {
        let &EngineNode { alpha, beta, depth, ply, .. } = node;
        let &TrialMove { mv, child, move_count, .. } = trial;
        let is_pv = node.is_pv();
        let mut extension = 0;
        if move_count == 1 && node.tt_move == Some(mv) {
            extension = self.singular_extension(position, mv, node)?;
        }
        if self.stopped {
            return Some(DRAW);
        }
        let piece_to = PieceTo::of(position, mv);
        let nodes_before = self.nodes;
        let doubled = self.state.stack[ply].double_extensions;
        self.state.stack[ply + 1].double_extensions = doubled + u8::from(extension >= 2);
        self.state.stack[ply].piece_to = Some(piece_to);
        self.state.path.push(position.key());
        if is_pv {
            // A child that fails high sets no line; the one of an earlier move must not follow this move.
            self.state.pvs[ply + 1].clear();
        }
        let new_depth = depth - 1 + extension;
        let mut value = -INFINITE;
        let mut is_open = move_count == 1;
        if move_count > 1 {
            let mut searched = new_depth;
            if depth >= 2 && move_count > 1 + usize::from(is_pv) {
                let reduction = self.late_move_reduction(position, node, trial);
                searched = (new_depth - reduction).clamp(1, new_depth.max(1));
            }
            value = -self.search(child, -alpha - 1, -alpha, searched, ply + 1, true);
            if value > alpha && searched < new_depth && !self.stopped {
                value = -self.search(child, -alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
            }
            is_open = is_pv && value > alpha && value < beta;
        }
        if is_open && !self.stopped {
            let cut_node = !is_pv && !node.cut_node;
            value = -self.search(child, -beta, -alpha, new_depth, ply + 1, cut_node);
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

    /// A move failed high: it gets a bonus, the moves searched before it a malus.
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
            if let Some(captured) = position.captured_kind(mv) {
                self.state.history.update_capture(PieceTo::of(position, mv), captured, bonus);
            }
        } else {
            let killers = &mut self.state.stack[ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            let history = &mut self.state.history;
            history.update_quiet(seat, mv, PieceTo::of(position, mv), before, bonus);
            for failed in quiets.moves() {
                history.update_quiet(seat, failed, PieceTo::of(position, failed), before, -bonus);
            }
        }
        for failed in captures.moves() {
            if let Some(captured) = position.captured_kind(failed) {
                self.state.history.update_capture(PieceTo::of(position, failed), captured, -bonus);
            }
        }
    }

    /// Stores the result in the transposition table and updates the correction history.
    fn store_result(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        node: &EngineNode,
        raw_eval: i32,
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
        let entry =
            EngineTtEntry { mv: tried.best_move, value, static_eval: raw_eval, depth: node.depth, bound };
        self.table.store(position.key(), entry);
        let is_quiet = tried.best_move.is_none_or(|mv| !is_tactical(position, mv));
        if let Some(static_eval) = self.state.stack[ply].static_eval
            && is_quiet
            && tried.best.abs() < MATE_IN_MAX_PLY
            && !(bound == ScoreBound::Lower && tried.best <= static_eval)
            && !(bound == ScoreBound::Upper && tried.best >= static_eval)
        {
            self.state.history.update_correction(position, node.depth, tried.best - raw_eval);
        }
    }
}

/// The moves searched so far that did not fail high.
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
