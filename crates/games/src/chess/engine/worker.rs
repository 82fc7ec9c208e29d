//! What one thread of the search owns, and the small steps of its way through the tree.
//!
//! Law: nothing is allocated at a node; moves of all positions on the path lie on one stack.

use std::ops::ControlFlow;

use outplay_core::{Position, View};

use super::SearchRequest;
use super::history::{HistoryTables, PieceTo};
use super::score::{DRAW, MAX_PLY};
use super::see;
use super::time::SearchControl;
use super::transposition::SharedTranspositionTable;
use crate::chess::classic::ClassicEvaluator;
use crate::chess::movegen::{MoveVisitor, TacticalVisitor};
use crate::chess::moves::ChessMove;
use crate::chess::ordering::PIECE_VALUES;
use crate::chess::pieces::PieceKind;
use crate::chess::rules::Chess;

/// What is remembered of a ply on the path.
#[derive(Clone, Copy, Default)]
pub(super) struct StackFrame {
    /// The evaluation, if not in check.
    pub(super) static_eval: Option<i32>,
    pub(super) killers: [Option<ChessMove>; 2],
    /// The move that is being tried, as an arrival; none for passing.
    pub(super) piece_to: Option<PieceTo>,
    /// Left out, to see whether others do as well.
    pub(super) excluded: Option<ChessMove>,
    /// How often lines on this path were extended by two.
    pub(super) double_extensions: u8,
}

/// One thread's memory.
pub(super) struct SearchThreadState {
    pub(super) evaluator: ClassicEvaluator,
    pub(super) history: HistoryTables,
    /// Moves and their ranks, of one position on the path after the other.
    pub(super) moves: Vec<(ChessMove, i32)>,
    pub(super) stack: Box<[StackFrame]>,
    /// At every ply the line that is expected.
    pub(super) pvs: Box<[Vec<ChessMove>]>,
    /// Keys of the game's past and of the path.
    pub(super) path: Vec<u64>,
}

impl SearchThreadState {
    pub(super) fn new(judge: ClassicEvaluator) -> Self {
        Self {
            evaluator: judge,
            history: HistoryTables::new(),
            moves: Vec::with_capacity(4096),
            stack: vec![StackFrame::default(); MAX_PLY + 8].into(),
            pvs: vec![Vec::new(); MAX_PLY + 8].into(),
            path: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.stack.fill(StackFrame::default());
    }
}

/// One thread of one search.
pub(super) struct SearchThread<'a> {
    pub(super) state: &'a mut SearchThreadState,
    pub(super) table: &'a SharedTranspositionTable,
    pub(super) control: &'a SearchControl<'a>,
    pub(super) request: &'a SearchRequest,
    pub(super) thread: usize,
    pub(super) nodes: u64,
    pub(super) next_poll: u64,
    /// The deepest ply of this iteration.
    pub(super) seldepth: usize,
    /// The depth of this iteration; the first one is always finished.
    pub(super) iteration: i32,
    /// The search is given up; scores mean nothing any more.
    pub(super) stopped: bool,
    /// The moves of the root that are being looked at.
    pub(super) root_moves: Vec<ChessMove>,
    /// Nodes spent on each move of the root.
    pub(super) effort: Vec<(ChessMove, u64)>,
}

/// Good captures stand above all quiet moves, and bad ones below.
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;

impl SearchThread<'_> {
    /// Counts a position; true if the search is over.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            let is_over = self.control.poll(self.thread, self.nodes);
            self.next_poll = self.nodes + self.control.poll_interval(self.nodes);
            self.stopped |= is_over && self.iteration > 1;
        }
        self.stopped
    }

    /// Whether the game is drawn by repetition, length, material or the clock. Mate comes before the clock.
    #[inline]
    pub(super) fn is_drawn(&self, position: &Chess, ply: usize) -> bool {
        if position.is_drawn_by_rule() {
            return position.has_insufficient_material() || !position.in_check() || Self::has_moves(position);
        }
        self.request.plies_left.is_some_and(|left| ply >= left as usize) || self.is_repetition(position)
    }

    fn has_moves(position: &Chess) -> bool {
        position.generate(&mut MoveVisitor::new(|_| ControlFlow::Break(()))).is_break()
    }

    /// A position that stood on the path is a draw; one of the game's past, once the referee's number is complete.
    fn is_repetition(&self, position: &Chess) -> bool {
        let (path, key) = (&self.state.path, position.key());
        let Some(limit) = self.request.repetitions else { return false };
        let root = self.request.past.len();
        let mut seen = 1;
        let mut back = 4;
        while back <= usize::from(position.halfmove_clock()) && back <= path.len() {
            let place = path.len() - back;
            if path[place] == key {
                seen += 1;
                if place >= root || seen >= limit {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The evaluation, kept away from mates.
    #[inline]
    pub(super) fn evaluate(&self, position: &Chess) -> i32 {
        self.state.evaluator.centipawns(position).clamp(-20_000, 20_000)
    }

    /// The arrivals of the two moves before a ply.
    #[inline]
    pub(super) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        let back = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.state.stack[ply].piece_to);
        [back(1), back(2)]
    }

    /// Counts a position, and scores it if nothing is to be searched there: the search is over, the game is drawn, or the
    /// line is as long as lines may be.
    #[inline]
    pub(super) fn enter_node(&mut self, position: &Chess, ply: usize) -> Option<i32> {
        if self.count_node() {
            return Some(DRAW);
        }
        self.seldepth = self.seldepth.max(ply);
        if self.is_drawn(position, ply) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY).then(|| self.evaluate(position))
    }

    /// Puts every legal move on the stack, with its rank.
    pub(super) fn generate_all(&mut self, position: &Chess, ply: usize) {
        let before = self.previous_moves(ply);
        let SearchThreadState { history: histories, moves, stack: frames, .. } = &mut *self.state;
        let killers = frames[ply].killers;
        let _ = position.generate(&mut MoveVisitor::new(|mv: ChessMove| {
            moves.push((mv, rank(position, histories, mv, killers, before)));
            ControlFlow::<()>::Continue(())
        }));
    }

    /// Puts captures and promotions on the stack.
    pub(super) fn generate_tactical(&mut self, position: &Chess) {
        let SearchThreadState { history: histories, moves, .. } = &mut *self.state;
        let ControlFlow::Continue(()) = position.generate(&mut TacticalVisitor::new(
            position.pieces_of_seat(!position.seat()),
            |mv: ChessMove| {
                moves.push((mv, tactical_rank(position, histories, mv)));
            },
        ));
    }

    /// Puts the best of the moves from `index` on at `index`, and returns it with its rank. A capture that loses material
    /// is found out here and goes to the end.
    pub(super) fn pick_move(&mut self, position: &Chess, index: usize) -> (ChessMove, i32) {
        let moves = &mut self.state.moves;
        loop {
            let mut best = index;
            for other in index + 1..moves.len() {
                if moves[other].1 > moves[best].1 {
                    best = other;
                }
            }
            moves.swap(index, best);
            let (mv, rank) = moves[index];
            if rank < GOOD_CAPTURE / 2 || see::see_at_least(position, mv, -20) {
                return (mv, rank);
            }
            moves[index].1 = rank - 2 * GOOD_CAPTURE;
        }
    }

    /// The line at `ply` is the move, then the line of the ply after it.
    pub(super) fn update_pv(&mut self, mv: ChessMove, ply: usize) {
        let (above, below) = self.state.pvs.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// Whether a move changes the material for the better, at first sight.
#[inline]
pub(super) fn is_tactical(position: &Chess, mv: ChessMove) -> bool {
    position.captured_kind(mv).is_some() || mv.promoted() == Some(PieceKind::Queen)
}

#[inline]
fn tactical_rank(position: &Chess, histories: &HistoryTables, mv: ChessMove) -> i32 {
    let taken = position.captured_kind(mv);
    let gain = taken.map_or(0, |kind| PIECE_VALUES[kind.index()])
        + mv.promoted().map_or(0, |kind| PIECE_VALUES[kind.index()]);
    let learnt = taken.map_or(0, |kind| histories.capture_score(PieceTo::of(position, mv), kind));
    GOOD_CAPTURE + 16 * gain + learnt / 4 - position.kind_on(mv.from()).index() as i32
}

#[inline]
fn rank(
    position: &Chess,
    histories: &HistoryTables,
    mv: ChessMove,
    killers: [Option<ChessMove>; 2],
    before: [Option<PieceTo>; 2],
) -> i32 {
    if is_tactical(position, mv) {
        return tactical_rank(position, histories, mv);
    }
    if killers[0] == Some(mv) {
        KILLER
    } else if killers[1] == Some(mv) {
        KILLER - 1
    } else if mv.promoted().is_some() {
        -KILLER
    } else {
        histories.quiet_score(position.seat(), mv, PieceTo::of(position, mv), before)
    }
}
