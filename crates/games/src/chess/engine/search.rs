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

use super::histories::Arrival;
use super::table::{Bound, Entry, NO_JUDGEMENT};
use super::value::{CERTAIN, DRAW, INFINITE, from_table, mated, mates, to_table};
use super::worker::{Search, is_forcing};
use crate::chess::moves::Move;
use crate::chess::rules::Chess;

/// What is known of a position before its moves are tried.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The evaluation, or what the table knows better.
    pub(super) judgement: i32,
    pub(super) hint: Option<Move>,
    pub(super) entry: Option<Entry>,
    pub(super) is_cut: bool,
}

impl Node {
    pub(super) fn is_principal(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// A move that is going to be tried.
pub(super) struct Attempt<'a> {
    pub(super) mv: Move,
    child: &'a Chess,
    pub(super) quiet: bool,
    pub(super) checks: bool,
    /// How many moves were looked at, this one included.
    pub(super) number: usize,
}

/// What came of trying the moves.
struct Tried {
    best: i32,
    best_move: Option<Move>,
}

impl Search<'_> {
    /// The score of a position; the contract is at the head.
    pub(super) fn explore(
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
            self.worker.lines[ply].clear();
        }
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply);
        }
        if ply > 0 {
            if let Some(value) = self.arrive(position, ply) {
                return value;
            }
            (alpha, beta) = (alpha.max(mated(ply)), beta.min(mates(ply + 1)));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.worker.frames[ply].excluded;
        let entry = if excluded.is_some() { None } else { self.table.probe(position.key()) };
        if !principal
            && let Some(entry) = entry.filter(|entry| entry.depth >= depth && position.clock() < 90)
            && let Some(value) = entry.answer(alpha, beta, ply)
        {
            return value;
        }
        let in_check = position.is_check();
        let raw = match entry {
            _ if in_check => NO_JUDGEMENT,
            Some(entry) if entry.judgement != NO_JUDGEMENT => entry.judgement,
            _ => self.judge(position),
        };
        let mut node = self.look_over(position, (alpha, beta), depth, ply, in_check, raw, entry);
        node.is_cut = is_cut;
        if excluded.is_none()
            && let Some(value) = self.prune(position, &node)
        {
            return value;
        }
        if node.depth >= 4 && node.hint.is_none() && excluded.is_none() && (principal || is_cut) {
            node.depth -= 1;
        }
        let tried = self.try_moves(position, &mut node);
        if !self.over && excluded.is_none() {
            self.remember(position, (alpha, beta), &node, raw, &tried);
        }
        tried.best
    }

    /// What can be said of a position before its moves are tried.
    #[expect(clippy::too_many_arguments, reason = "all that is known so far")]
    fn look_over(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        in_check: bool,
        raw: i32,
        entry: Option<Entry>,
    ) -> Node {
        let mut judgement = -INFINITE;
        let (mut improving, mut own) = (false, None);
        if !in_check {
            let corrected = raw + self.worker.histories.correction(position);
            own = Some(corrected);
            judgement = corrected;
            if let Some(entry) = entry {
                let value = from_table(entry.value, ply);
                let is_better = match entry.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => value > judgement,
                    Bound::AtMost => value < judgement,
                };
                if is_better && value.abs() < CERTAIN {
                    judgement = value;
                }
            }
            let earlier =
                |back: usize| ply.checked_sub(back).and_then(|ply| self.worker.frames[ply].judgement);
            improving = earlier(2).or_else(|| earlier(4)).is_none_or(|earlier| corrected > earlier);
        }
        self.worker.frames[ply].judgement = own;
        self.worker.frames[ply + 1].killers = [None; 2];
        let hint = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let depth = if in_check && ply > 0 { depth + 1 } else { depth };
        Node { alpha, beta, depth, ply, in_check, improving, judgement, hint, entry, is_cut: false }
    }

    /// Tries the moves, the hint before the others are listed, until one is too good.
    fn try_moves(&mut self, position: &Chess, node: &mut Node) -> Tried {
        let ply = node.ply;
        let excluded = self.worker.frames[ply].excluded;
        let mut tried = Tried { best: -INFINITE, best_move: None };
        let first = self.worker.moves.len();
        let mut number = 0;
        let (mut failed_quiets, mut failed_captures) = (Failed::default(), Failed::default());
        let mut next = first;
        let mut is_listed = false;
        loop {
            let (mv, is_hint) = if number == 0 && !is_listed && node.hint.is_some() && node.hint != excluded {
                (node.hint.unwrap_or_else(|| unreachable!("just seen")), true)
            } else {
                if !is_listed {
                    self.list_all(position, ply);
                    is_listed = true;
                }
                if next >= self.worker.moves.len() {
                    break;
                }
                let (mv, _) = self.pick(position, next);
                next += 1;
                if Some(mv) == node.hint || Some(mv) == excluded {
                    continue;
                }
                (mv, false)
            };
            if ply == 0 && !self.allowed.contains(&mv) {
                if is_hint {
                    node.hint = None;
                }
                continue;
            }
            let quiet = !is_forcing(position, mv);
            let child = position.after(mv);
            let checks = child.is_check();
            let may_skip = !is_hint && !checks && tried.best > -CERTAIN;
            number += 1;
            if may_skip && self.is_skipped(position, node, mv, quiet, number - 1) {
                continue;
            }
            let attempt = Attempt { mv, child: &child, quiet, checks, number };
            let Some(value) = self.try_move(position, node, &attempt) else {
                // The hint proved to be one of several good moves: that is enough.
                tried.best = node.beta;
                break;
            };
            if self.over {
                break;
            }
            if value > tried.best {
                tried.best = value;
                if value > node.alpha {
                    tried.best_move = Some(mv);
                    if node.is_principal() {
                        self.extend_line(mv, ply);
                    }
                    if value >= node.beta {
                        self.reward(position, node, mv, &failed_quiets, &failed_captures);
                        break;
                    }
                    node.alpha = value;
                }
            }
            if quiet { &mut failed_quiets } else { &mut failed_captures }.push(mv);
        }
        self.worker.moves.truncate(first);
        if number == 0 && tried.best == -INFINITE && !self.over {
            tried.best = match excluded {
                Some(_) => node.alpha,
                None if node.in_check => mated(ply),
                None => DRAW,
            };
        }
        tried
    }

    /// The score of a move: late ones at first not so deep, all but the first with a window that only asks whether they are
    /// better. Nothing, if the first one is found to be no better than others that are good enough.
    fn try_move(&mut self, position: &Chess, node: &Node, attempt: &Attempt<'_>) -> Option<i32> {
        let &Node { alpha, beta, depth, ply, .. } = node;
        let &Attempt { mv, child, number, .. } = attempt;
        let principal = node.is_principal();
        let mut extension = 0;
        if number == 1 && node.hint == Some(mv) {
            extension = self.singularity(position, mv, node)?;
        }
        if self.over {
            return Some(DRAW);
        }
        let arrival = Arrival::of(position, mv);
        let nodes_before = self.nodes;
        let doubled = self.worker.frames[ply].extended;
        self.worker.frames[ply + 1].extended = doubled + u8::from(extension >= 2);
        self.worker.frames[ply].arrival = Some(arrival);
        self.worker.path.push(position.key());
        if principal {
            // A move may prove too good without a line of its own: then none follows it, not that of a move before it.
            self.worker.lines[ply + 1].clear();
        }
        let new_depth = depth - 1 + extension;
        let mut value = -INFINITE;
        let mut is_open = number == 1;
        if number > 1 {
            let mut searched = new_depth;
            if depth >= 2 && number > 1 + usize::from(principal) {
                let less = self.lateness(position, node, attempt);
                searched = (new_depth - less).clamp(1, new_depth.max(1));
            }
            value = -self.explore(child, -alpha - 1, -alpha, searched, ply + 1, true);
            if value > alpha && searched < new_depth && !self.over {
                value = -self.explore(child, -alpha - 1, -alpha, new_depth, ply + 1, !node.is_cut);
            }
            is_open = principal && value > alpha && value < beta;
        }
        if is_open && !self.over {
            let is_cut = !principal && !node.is_cut;
            value = -self.explore(child, -beta, -alpha, new_depth, ply + 1, is_cut);
        }
        self.worker.path.pop();
        if ply == 0 {
            self.note_effort(mv, self.nodes - nodes_before);
        }
        Some(value)
    }

    fn note_effort(&mut self, mv: Move, nodes: u64) {
        match self.effort.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, effort)) => *effort += nodes,
            None => self.effort.push((mv, nodes)),
        }
    }

    /// A move was too good: it and those before it that were not are remembered.
    fn reward(&mut self, position: &Chess, node: &Node, mv: Move, quiets: &Failed, captures: &Failed) {
        let &Node { depth, ply, .. } = node;
        let bonus = (160 * depth - 100).clamp(60, 1800);
        let (seat, before) = (position.seat(), self.before(ply));
        if is_forcing(position, mv) {
            if let Some(taken) = position.taken_by(mv) {
                self.worker.histories.reward_capture(Arrival::of(position, mv), taken, bonus);
            }
        } else {
            let killers = &mut self.worker.frames[ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            let histories = &mut self.worker.histories;
            histories.reward_quiet(seat, mv, Arrival::of(position, mv), before, bonus);
            for failed in quiets.moves() {
                histories.reward_quiet(seat, failed, Arrival::of(position, failed), before, -bonus);
            }
        }
        for failed in captures.moves() {
            if let Some(taken) = position.taken_by(failed) {
                self.worker.histories.reward_capture(Arrival::of(position, failed), taken, -bonus);
            }
        }
    }

    /// The table and the corrections learn what was found.
    fn remember(
        &mut self,
        position: &Chess,
        (alpha, beta): (i32, i32),
        node: &Node,
        raw: i32,
        tried: &Tried,
    ) {
        let ply = node.ply;
        if ply == 0 && self.allowed.len() < self.question.moves.len() {
            return;
        }
        let bound = match tried.best {
            best if best >= beta => Bound::AtLeast,
            best if best > alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let value = to_table(tried.best, ply);
        let entry = Entry { mv: tried.best_move, value, judgement: raw, depth: node.depth, bound };
        self.table.store(position.key(), entry);
        let is_quiet = tried.best_move.is_none_or(|mv| !is_forcing(position, mv));
        if let Some(own) = self.worker.frames[ply].judgement
            && is_quiet
            && tried.best.abs() < CERTAIN
            && !(bound == Bound::AtLeast && tried.best <= own)
            && !(bound == Bound::AtMost && tried.best >= own)
        {
            self.worker.histories.correct(position, node.depth, tried.best - raw);
        }
    }
}

/// The first moves that were tried and were not good enough.
#[derive(Default)]
struct Failed {
    moves: [Option<Move>; 32],
    count: usize,
}

impl Failed {
    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.count) {
            *place = Some(mv);
            self.count += 1;
        }
    }

    fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.count].iter().copied().flatten()
    }
}
