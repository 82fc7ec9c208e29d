//! What one thread of the search owns, and the small steps of its way through the tree.
//!
//! Law: nothing is allocated at a node; moves of all positions on the path lie on one stack.

use std::ops::ControlFlow;

use outplay_core::{Position, View};

use super::Question;
use super::clock::Watchdog;
use super::exchange;
use super::histories::{Arrival, Histories};
use super::table::Table;
use super::value::{DEEPEST, DRAW};
use crate::chess::classic::Classic;
use crate::chess::generate::{Forcing, Visitor};
use crate::chess::moves::Move;
use crate::chess::ordering::ROUGHLY;
use crate::chess::pieces::Kind;
use crate::chess::rules::Chess;

/// What is remembered of a ply on the path.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The evaluation, if not in check.
    pub(super) judgement: Option<i32>,
    pub(super) killers: [Option<Move>; 2],
    /// The move that is being tried, as an arrival; none for passing.
    pub(super) arrival: Option<Arrival>,
    /// Left out, to see whether others do as well.
    pub(super) excluded: Option<Move>,
    /// How often lines on this path were extended by two.
    pub(super) extended: u8,
}

/// One thread's memory.
pub(super) struct Worker {
    pub(super) judge: Classic,
    pub(super) histories: Histories,
    /// Moves and their ranks, of one position on the path after the other.
    pub(super) moves: Vec<(Move, i32)>,
    pub(super) frames: Box<[Frame]>,
    /// At every ply the line that is expected.
    pub(super) lines: Box<[Vec<Move>]>,
    /// Keys of the game's past and of the path.
    pub(super) path: Vec<u64>,
}

impl Worker {
    pub(super) fn new(judge: Classic) -> Self {
        Self {
            judge,
            histories: Histories::new(),
            moves: Vec::with_capacity(4096),
            frames: vec![Frame::default(); DEEPEST + 8].into(),
            lines: vec![Vec::new(); DEEPEST + 8].into(),
            path: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        self.histories.forget();
        self.frames.fill(Frame::default());
    }
}

/// One thread of one search.
pub(super) struct Search<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) table: &'a Table,
    pub(super) dog: &'a Watchdog<'a>,
    pub(super) question: &'a Question,
    pub(super) thread: usize,
    pub(super) nodes: u64,
    pub(super) next_look: u64,
    /// The deepest ply of this iteration.
    pub(super) deepest: usize,
    /// The depth of this iteration; the first one is always finished.
    pub(super) iteration: i32,
    /// The search is given up; scores mean nothing any more.
    pub(super) over: bool,
    /// The moves of the root that are being looked at.
    pub(super) allowed: Vec<Move>,
    /// Nodes spent on each move of the root.
    pub(super) effort: Vec<(Move, u64)>,
}

/// Good captures stand above all quiet moves, and bad ones below.
const GOOD: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;

impl Search<'_> {
    /// Counts a position; true if the search is over.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            let is_over = self.dog.look(self.thread, self.nodes);
            self.next_look = self.nodes + self.dog.interval(self.nodes);
            self.over |= is_over && self.iteration > 1;
        }
        self.over
    }

    /// Whether the game is drawn by repetition, length, material or the clock. Mate comes before the clock.
    #[inline]
    pub(super) fn is_drawn(&self, position: &Chess, ply: usize) -> bool {
        if position.is_spent() {
            return position.is_insufficient() || !position.is_check() || Self::has_moves(position);
        }
        self.question.plies_left.is_some_and(|left| ply >= left as usize) || self.repeats(position)
    }

    fn has_moves(position: &Chess) -> bool {
        position.generate(&mut Visitor::new(|_| ControlFlow::Break(()))).is_break()
    }

    /// A position that stood on the path is a draw; one of the game's past, once the referee's number is complete.
    fn repeats(&self, position: &Chess) -> bool {
        let (path, key) = (&self.worker.path, position.key());
        let Some(limit) = self.question.repetitions else { return false };
        let root = self.question.past.len();
        let mut seen = 1;
        let mut back = 4;
        while back <= usize::from(position.clock()) && back <= path.len() {
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
    pub(super) fn judge(&self, position: &Chess) -> i32 {
        self.worker.judge.centipawns(position).clamp(-20_000, 20_000)
    }

    /// The arrivals of the two moves before a ply.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> [Option<Arrival>; 2] {
        let back = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.worker.frames[ply].arrival);
        [back(1), back(2)]
    }

    /// Counts a position, and scores it if nothing is to be searched there: the search is over, the game is drawn, or the
    /// line is as long as lines may be.
    #[inline]
    pub(super) fn arrive(&mut self, position: &Chess, ply: usize) -> Option<i32> {
        if self.tick() {
            return Some(DRAW);
        }
        self.deepest = self.deepest.max(ply);
        if self.is_drawn(position, ply) {
            return Some(DRAW);
        }
        (ply >= DEEPEST).then(|| self.judge(position))
    }

    /// Puts every legal move on the stack, with its rank.
    pub(super) fn list_all(&mut self, position: &Chess, ply: usize) {
        let before = self.before(ply);
        let Worker { histories, moves, frames, .. } = &mut *self.worker;
        let killers = frames[ply].killers;
        let _ = position.generate(&mut Visitor::new(|mv: Move| {
            moves.push((mv, rank(position, histories, mv, killers, before)));
            ControlFlow::<()>::Continue(())
        }));
    }

    /// Puts captures and promotions on the stack.
    pub(super) fn list_forcing(&mut self, position: &Chess) {
        let Worker { histories, moves, .. } = &mut *self.worker;
        let ControlFlow::Continue(()) =
            position.generate(&mut Forcing::new(position.of_seat(!position.seat()), |mv: Move| {
                moves.push((mv, forcing_rank(position, histories, mv)));
            }));
    }

    /// Puts the best of the moves from `index` on at `index`, and returns it with its rank. A capture that loses material
    /// is found out here and goes to the end.
    pub(super) fn pick(&mut self, position: &Chess, index: usize) -> (Move, i32) {
        let moves = &mut self.worker.moves;
        loop {
            let mut best = index;
            for other in index + 1..moves.len() {
                if moves[other].1 > moves[best].1 {
                    best = other;
                }
            }
            moves.swap(index, best);
            let (mv, rank) = moves[index];
            if rank < GOOD / 2 || exchange::brings(position, mv, -20) {
                return (mv, rank);
            }
            moves[index].1 = rank - 2 * GOOD;
        }
    }

    /// The line at `ply` is the move, then the line of the ply after it.
    pub(super) fn extend_line(&mut self, mv: Move, ply: usize) {
        let (above, below) = self.worker.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// Whether a move changes the material for the better, at first sight.
#[inline]
pub(super) fn is_forcing(position: &Chess, mv: Move) -> bool {
    position.taken_by(mv).is_some() || mv.promoted() == Some(Kind::Queen)
}

#[inline]
fn forcing_rank(position: &Chess, histories: &Histories, mv: Move) -> i32 {
    let taken = position.taken_by(mv);
    let gain =
        taken.map_or(0, |kind| ROUGHLY[kind.index()]) + mv.promoted().map_or(0, |kind| ROUGHLY[kind.index()]);
    let learnt = taken.map_or(0, |kind| histories.of_capture(Arrival::of(position, mv), kind));
    GOOD + 16 * gain + learnt / 4 - position.kind_on(mv.from()).index() as i32
}

#[inline]
fn rank(
    position: &Chess,
    histories: &Histories,
    mv: Move,
    killers: [Option<Move>; 2],
    before: [Option<Arrival>; 2],
) -> i32 {
    if is_forcing(position, mv) {
        return forcing_rank(position, histories, mv);
    }
    if killers[0] == Some(mv) {
        KILLER
    } else if killers[1] == Some(mv) {
        KILLER - 1
    } else if mv.promoted().is_some() {
        -KILLER
    } else {
        histories.of_quiet(position.seat(), mv, Arrival::of(position, mv), before)
    }
}
