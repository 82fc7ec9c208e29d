//! The exact solution of Push-over 4×4: every board, either side to move, whatever may not be recreated.
//!
//! Here are the numbering of boards (`board_index`), the fixpoint (`shape`), queries, the verification, the census and the
//! file format. Players and file paths are elsewhere.
//!
//! **What is solved.** A line ends the game; play without end is a draw. The limit of 50 plies belongs to the
//! referee and is no part of the solution. Under [`RepetitionRule::Forbidden`] a player may not recreate the
//! configuration that followed its own previous move, so a state is a board and at most one forbidden board.
//! That board matters only if a push can make it. So for each board the solution keeps the best value, the *favourite*
//! (the one board that attains it, if there is only one), and the best value without the favourite.
//!
//! **Why the order works.** A push fills an empty cell, or goes through a full line and leaves the set of
//! occupied cells (the *shape*) as it is. So play that returns stays in one shape, and shapes are solved from
//! the full board down, each one by itself.
//!
//! **Why a fixpoint is the truth.** The equations: a state's value is the best of its moves; a move is worth
//! the negated value of the state it leads to, one ply farther. Let *v* satisfy them.
//! - If *v* says "win in d", a move leads to a state of which it says "loss in d − 1"; if it says "loss in d",
//!   every move leads to "win in at most d − 1". Following *v*, the winner thus ends the game in d plies at most.
//! - If a state is truly won (or lost) in n plies, then *v* says "won (lost) in at most n", by induction on n:
//!   the same holds for the state (all the states) it leads to.
//!
//! So *v* gives the truth, distances included, and there is only one *v*: [`PushoverSolution::bellman_violations`] = 0
//! proves the whole table, however it was made.

mod board_index;
mod byte_value;
mod census;
mod file;
mod shape;
mod symmetry;
mod verify;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use outplay_core::{Oracle, Outcome, Position, Value, View};
use rayon::prelude::*;

use self::board_index::BoardIndex;
use self::byte_value::{BoardRecord, ByteValue};
use super::{Pushover, PushoverBoard, PushoverMove};

pub use self::census::{PushoverCensus, PushoverLongestWin, PushoverValueCounts};
pub use self::file::PushoverSolutionError;

/// The rule against repetition in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepetitionRule {
    /// A player may not recreate the configuration that followed its own previous move: Push-over.
    Forbidden,
    /// Every push is legal: a variant that shows the effect of the rule.
    Allowed,
}

/// How far a solution has come, in boards up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// Boards solved.
    pub done: u64,
    /// Boards to solve.
    pub total: u64,
}

/// The value of every Push-over 4×4 position under one of the two rules.
#[derive(Clone, PartialEq, Eq)]
pub struct PushoverSolution {
    rule: RepetitionRule,
    /// By the numbers of the [`BoardIndex`].
    records: Vec<BoardRecord>,
}

impl PushoverSolution {
    /// Solves the game on all of rayon's threads: about a second of work, 25 MB. `watch` is called after
    /// each shape, from several threads and not always in order. `None` if `stop` was set.
    pub fn solve(
        rule: RepetitionRule,
        watch: &(dyn Fn(SolverProgress) + Sync),
        stop: &AtomicBool,
    ) -> Option<Self> {
        let index = BoardIndex::get();
        let (done, total) = (AtomicU64::new(0), index.len() as u64);
        let mut records = vec![BoardRecord::FINISHED; index.len()];
        for layer in index.layers() {
            let size = layer[0].len();
            let (above, rest) = records.split_at_mut(layer[0].first);
            layer.par_iter().zip(rest.par_chunks_mut(size)).try_for_each(|(shape, records)| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                shape::solve(rule, shape, above, records);
                let done = done.fetch_add(size as u64, Ordering::Relaxed) + size as u64;
                watch(SolverProgress { done, total });
                Some(())
            })?;
        }
        Some(Self { rule, records })
    }

    /// The rule in force.
    pub const fn rule(&self) -> RepetitionRule {
        self.rule
    }

    fn extend_line(&self, line: &mut Vec<PushoverMove>, mut next: Option<BoardState>, max_len: usize) {
        while let Some(state) = next
            && line.len() < max_len
            && let Some(&(entry, _, after)) = self.valued_moves(state).first()
        {
            line.push(entry);
            next = after;
        }
    }

    /// The value of an unfinished state.
    #[inline]
    fn byte_value(&self, state: BoardState) -> ByteValue {
        let (number, forbidden) = BoardIndex::get().index_of(state.board, state.forbidden);
        let record = self.records[number];
        forbidden.map_or(record.best, |forbidden| record.without(forbidden))
    }

    /// The legal moves of an unfinished state with their values and the states they lead to, best first.
    fn valued_moves(&self, state: BoardState) -> Vec<(PushoverMove, ByteValue, Option<BoardState>)> {
        let forbidden = state.forbidden.filter(|_| self.rule == RepetitionRule::Forbidden);
        let legal = PushoverBoard::<4>::entries().filter(|&entry| Some(state.board.push(entry)) != forbidden);
        let mut moves: Vec<_> = legal
            .map(|entry| match push_result(state.board, entry) {
                PushResult::Wins => (entry, ByteValue::WIN_NOW, None),
                PushResult::Loses => (entry, ByteValue::LOSS_NOW, None),
                PushResult::Continues(board) => {
                    let next = BoardState { board, forbidden: Some(state.board.flipped()) };
                    (entry, self.byte_value(next).for_mover(), Some(next))
                }
            })
            .collect();
        moves.sort_by_key(|&(_, value, _)| std::cmp::Reverse(value));
        moves
    }
}

/// Lines follow this solution's rule, which may differ from the position's.
impl Oracle<Pushover<4>> for PushoverSolution {
    fn value(&self, position: &Pushover<4>) -> Value {
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == position.seat() => Value::Win(0),
            Some(_) => Value::Loss(0),
            None => self.byte_value(BoardState::of(position)).value(),
        }
    }

    /// The moves that are legal under this solution's rule, equals in the order of their letters.
    fn moves(&self, position: &Pushover<4>) -> Vec<(PushoverMove, Value)> {
        if position.outcome().is_some() {
            return Vec::new();
        }
        let valued = self.valued_moves(BoardState::of(position));
        valued.into_iter().map(|(entry, value, _)| (entry, value.value())).collect()
    }

    fn principal_variation(&self, position: &Pushover<4>, max_len: usize) -> Vec<PushoverMove> {
        let mut line = Vec::new();
        self.extend_line(&mut line, position.outcome().is_none().then(|| BoardState::of(position)), max_len);
        line
    }

    fn line_after(&self, position: &Pushover<4>, first: PushoverMove, max_len: usize) -> Vec<PushoverMove> {
        let mut line = vec![first];
        let next = match push_result(position.board(), first) {
            PushResult::Continues(board) => {
                Some(BoardState { board, forbidden: Some(position.board().flipped()) })
            }
            PushResult::Wins | PushResult::Loses => None,
        };
        self.extend_line(&mut line, next, max_len);
        line
    }
}

impl fmt::Debug for PushoverSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution").field("rule", &self.rule).field("records", &self.records.len()).finish()
    }
}

/// An unfinished board and the one that may not be made, both seen by the side to move.
#[derive(Clone, Copy, Debug)]
struct BoardState {
    board: PushoverBoard<4>,
    forbidden: Option<PushoverBoard<4>>,
}

impl BoardState {
    /// Of a position in progress. A forbidden board with a line cannot have arisen in play and counts as none.
    fn of(position: &Pushover<4>) -> Self {
        let forbidden = position.forbidden().filter(|&forbidden| !has_line(forbidden));
        Self { board: position.board(), forbidden }
    }
}

/// What a push does.
enum PushResult {
    /// It completes a line of the side that pushes.
    Wins,
    /// It completes only a line of the other side.
    Loses,
    /// The game goes on from this board, seen by the other side.
    Continues(PushoverBoard<4>),
}

#[inline]
fn push_result(board: PushoverBoard<4>, entry: PushoverMove) -> PushResult {
    let pushed = board.push(entry);
    if PushoverBoard::<4>::has_line(pushed.mine) {
        PushResult::Wins
    } else if PushoverBoard::<4>::has_line(pushed.theirs) {
        PushResult::Loses
    } else {
        PushResult::Continues(pushed.flipped())
    }
}

/// Whether the game is over on this board.
#[inline]
fn has_line(board: PushoverBoard<4>) -> bool {
    PushoverBoard::<4>::has_line(board.mine) || PushoverBoard::<4>::has_line(board.theirs)
}
