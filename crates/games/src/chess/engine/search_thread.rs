//! One search thread: its state, and the steps that the search is built of (node counting, draws, move ordering).
//!
//! Nothing is allocated at a node; the moves of all positions on the path lie on one stack.

use std::ops::ControlFlow;
use std::time::Duration;

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

/// What is kept of a ply on the current path.
#[derive(Clone, Copy, Default)]
pub(super) struct StackFrame {
    /// The static evaluation, if not in check.
    pub(super) static_eval: Option<i32>,
    pub(super) killers: [Option<ChessMove>; 2],
    /// The move being searched; `None` for a null move.
    pub(super) piece_to: Option<PieceTo>,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<ChessMove>,
    /// How many double extensions there were on this path.
    pub(super) double_extensions: u8,
}

/// What a thread keeps from one search to the next, and its buffers.
pub(super) struct SearchThreadState {
    pub(super) evaluator: ClassicEvaluator,
    pub(super) history: HistoryTables,
    /// The move stack: moves with their ordering scores, of all positions on the path.
    pub(super) moves: Vec<(ChessMove, i32)>,
    pub(super) stack: Box<[StackFrame]>,
    /// The principal variation at every ply.
    pub(super) pvs: Box<[Vec<ChessMove>]>,
    /// Keys of the game's past and of the current path.
    pub(super) path: Vec<u64>,
}

impl SearchThreadState {
    pub(super) fn new(evaluator: ClassicEvaluator) -> Self {
        Self {
            evaluator,
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

/// One thread of a running search.
pub(super) struct SearchThread<'a> {
    pub(super) state: &'a mut SearchThreadState,
    pub(super) table: &'a SharedTranspositionTable,
    pub(super) control: &'a SearchControl<'a>,
    pub(super) request: &'a SearchRequest,
    pub(super) thread: usize,
    pub(super) nodes: u64,
    polling: Polling,
    /// The node count from which on the current quiescence search looks at no more moves.
    pub(super) quiescence_end: u64,
    /// The selective depth of this iteration.
    pub(super) seldepth: usize,
    /// The depth of this iteration.
    pub(super) iteration: i32,
    /// The search was stopped; scores are meaningless from here on.
    pub(super) stopped: bool,
    /// The root moves searched in this pass.
    pub(super) root_moves: Vec<ChessMove>,
    /// Nodes spent below each root move.
    pub(super) effort: Vec<(ChessMove, u64)>,
}

/// When a thread next looks at the limits.
///
/// That costs more than a node, so it is done only every few hundred nodes, and more often where nodes are slow.
#[derive(Default)]
struct Polling {
    /// The node count at which it does.
    next: u64,
    interval: u64,
    last: Duration,
}

impl Polling {
    const LONGEST_INTERVAL: u64 = 256;
    /// Polls should not be further apart than this.
    const TARGET_GAP: Duration = Duration::from_millis(1);

    /// Chooses the next time after a poll at this node count and time, at most `nodes_left` nodes ahead.
    fn advance(&mut self, nodes: u64, now: Duration, nodes_left: u64) {
        let is_slow = now.saturating_sub(self.last) >= Self::TARGET_GAP;
        let interval = if is_slow { self.interval / 2 } else { self.interval * 2 };
        self.interval = interval.clamp(1, Self::LONGEST_INTERVAL);
        self.last = now;
        self.next = nodes + self.interval.min(nodes_left).max(1);
    }
}

/// Good captures are ordered before all quiet moves, bad ones after.
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;

impl<'a> SearchThread<'a> {
    /// The thread of this number at the beginning of a search.
    pub(super) fn new(
        state: &'a mut SearchThreadState,
        table: &'a SharedTranspositionTable,
        control: &'a SearchControl<'a>,
        request: &'a SearchRequest,
        thread: usize,
    ) -> Self {
        state.path.clear();
        state.path.extend_from_slice(&request.past);
        state.moves.clear();
        Self {
            state,
            table,
            control,
            request,
            thread,
            nodes: 0,
            polling: Polling::default(),
            quiescence_end: 0,
            seldepth: 0,
            iteration: 1,
            stopped: false,
            root_moves: Vec::new(),
            effort: Vec::new(),
        }
    }

    /// Counts a node; true if the search is stopped.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.polling.next {
            self.poll();
        }
        self.stopped
    }

    /// Looks at the limits.
    #[cold]
    pub(super) fn poll(&mut self) {
        self.stopped |= self.control.poll(self.thread, self.nodes, self.iteration);
        let nodes_left = self.control.nodes_left(self.iteration);
        self.polling.advance(self.nodes, self.control.elapsed(), nodes_left);
    }

    /// Whether the game is drawn by repetition, length, material or the fifty-move rule. Mate has precedence over the latter.
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

    /// One repetition of a position in the search tree is a draw; positions of the game's past must repeat as often as the
    /// referee requires.
    fn is_repetition(&self, position: &Chess) -> bool {
        let (path, key) = (&self.state.path, position.key());
        let Some(limit) = self.request.repetitions else { return false };
        let root = self.request.past.len();
        let mut seen = 1;
        let mut back = 4;
        while back <= usize::from(position.halfmove_clock()) && back <= path.len() {
            let index = path.len() - back;
            if path[index] == key {
                seen += 1;
                if index >= root || seen >= limit {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The static evaluation, clamped to stay below mate scores.
    #[inline]
    pub(super) fn evaluate(&self, position: &Chess) -> i32 {
        self.state.evaluator.centipawns(position).clamp(-20_000, 20_000)
    }

    /// The two moves before a ply, for continuation history.
    #[inline]
    pub(super) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        let back = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.state.stack[ply].piece_to);
        [back(1), back(2)]
    }

    /// Counts a node, and returns its score if there is nothing to search: the search is stopped, the game is drawn, or the
    /// greatest depth is reached.
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

    /// Pushes every legal move with its ordering score.
    pub(super) fn generate_all(&mut self, position: &Chess, ply: usize) {
        let previous = self.previous_moves(ply);
        let SearchThreadState { history, moves, stack: frames, .. } = &mut *self.state;
        let killers = frames[ply].killers;
        let _ = position.generate(&mut MoveVisitor::new(|mv: ChessMove| {
            moves.push((mv, rank(position, history, mv, killers, previous)));
            ControlFlow::<()>::Continue(())
        }));
    }

    /// Pushes captures and queen promotions.
    pub(super) fn generate_tactical(&mut self, position: &Chess) {
        let SearchThreadState { history, moves, .. } = &mut *self.state;
        let ControlFlow::Continue(()) = position.generate(&mut TacticalVisitor::new(
            position.pieces_of_seat(!position.seat()),
            |mv: ChessMove| {
                moves.push((mv, tactical_rank(position, history, mv)));
            },
        ));
    }

    /// Selection sort: swaps the best of the moves from `index` on to `index`, and returns it with its score. A capture that
    /// loses material by SEE is moved to the end.
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

    /// Sets the line at `ply` to the move and the line of the next ply.
    pub(super) fn update_pv(&mut self, mv: ChessMove, ply: usize) {
        let (above, below) = self.state.pvs.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// Whether a move is a capture or a queen promotion.
#[inline]
pub(super) fn is_tactical(position: &Chess, mv: ChessMove) -> bool {
    position.captured_kind(mv).is_some() || mv.promoted() == Some(PieceKind::Queen)
}

#[inline]
fn tactical_rank(position: &Chess, history: &HistoryTables, mv: ChessMove) -> i32 {
    let taken = position.captured_kind(mv);
    let gain = taken.map_or(0, |kind| PIECE_VALUES[kind.index()])
        + mv.promoted().map_or(0, |kind| PIECE_VALUES[kind.index()]);
    let bonus = taken.map_or(0, |kind| history.capture_score(PieceTo::of(position, mv), kind));
    GOOD_CAPTURE + 16 * gain + bonus / 4 - position.kind_on(mv.from()).index() as i32
}

#[inline]
fn rank(
    position: &Chess,
    history: &HistoryTables,
    mv: ChessMove,
    killers: [Option<ChessMove>; 2],
    previous: [Option<PieceTo>; 2],
) -> i32 {
    if is_tactical(position, mv) {
        return tactical_rank(position, history, mv);
    }
    if killers[0] == Some(mv) {
        KILLER
    } else if killers[1] == Some(mv) {
        KILLER - 1
    } else if mv.promoted().is_some() {
        -KILLER
    } else {
        history.quiet_score(position.seat(), mv, PieceTo::of(position, mv), previous)
    }
}
