//! Retrograde analysis of one stage, once all later stages are solved.
//!
//! Places are decided by rising distance. A place is won as soon as one of its moves leads to a lost one, and lost
//! once all of them lead to won ones; of the moves that leave the stage only the best value is kept. What is never
//! decided is a draw.
//!
//! Invariant: when a place is decided, all places at smaller distances are already decided.

use std::ops::ControlFlow;

use outplay_core::{Outcome, StagedPosition};

use super::packed_value::PackedValue;
use super::stage_index::StageIndex;

/// The analysis of a stage, with buffers that are reused from stage to stage.
pub(super) struct StageSolver<P: StagedPosition> {
    /// Where each seat's moves lead, by move slot.
    targets: Vec<MoveTarget<P::Symmetry>>,
    /// By place, the best value of the moves that leave the stage or have been refuted within it.
    best_known: Vec<PackedValue>,
    /// By place, the number of moves within the stage that are not yet refuted.
    open: Vec<u32>,
    /// Moves within the stage, as pairs of places (from, to).
    moves_within: Vec<(u32, u32)>,
    /// Where each place's predecessors begin in `predecessors`.
    firsts: Vec<u32>,
    predecessors: Vec<u32>,
    /// Places with their values, waiting to be decided, by distance.
    by_distance: Vec<Vec<(u32, PackedValue)>>,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum MoveTarget<Y> {
    Unknown,
    Within,
    /// To a stage whose canonical image begins at `first`; the symmetry leads to it.
    Beyond {
        first: usize,
        symmetry: Y,
    },
}

impl<P: StagedPosition> StageSolver<P> {
    pub(super) fn new() -> Self {
        Self {
            targets: Vec::new(),
            best_known: Vec::new(),
            open: Vec::new(),
            moves_within: Vec::new(),
            firsts: Vec::new(),
            predecessors: Vec::new(),
            by_distance: vec![Vec::new(); PackedValue::FARTHEST + 2],
        }
    }

    /// Computes the values of a stage; `below` holds those of all lower stages. False if a result is too far away.
    pub(super) fn solve(
        &mut self,
        stage_index: &StageIndex<P::Stage>,
        stage: P::Stage,
        below: &[PackedValue],
        values: &mut [PackedValue],
    ) -> bool {
        self.survey(stage_index, stage, below, values);
        self.index_predecessors(values.len());
        for distance in 0..self.by_distance.len() {
            let mut by_distance = std::mem::take(&mut self.by_distance[distance]);
            for (place, packed) in by_distance.drain(..) {
                if values[place as usize] != PackedValue::DRAW {
                    continue;
                }
                if distance > PackedValue::FARTHEST {
                    return false;
                }
                values[place as usize] = packed;
                self.update_predecessors(place, packed.to_mover(), values);
            }
            self.by_distance[distance] = by_distance;
        }
        true
    }

    /// Visits every place once, and notes where its moves lead and what is known already.
    fn survey(
        &mut self,
        stage_index: &StageIndex<P::Stage>,
        stage: P::Stage,
        below: &[PackedValue],
        values: &mut [PackedValue],
    ) {
        self.targets.clear();
        self.targets.resize(2 * P::SLOTS, MoveTarget::Unknown);
        self.best_known.clear();
        self.best_known.resize(values.len(), PackedValue::NONE);
        self.open.clear();
        self.open.resize(values.len(), 0);
        self.moves_within.clear();
        self.by_distance.iter_mut().for_each(Vec::clear);
        for (place, packed) in values.iter_mut().enumerate() {
            let Some(position) = P::at(stage, place) else {
                *packed = PackedValue::NONE;
                continue;
            };
            *packed = PackedValue::DRAW;
            let best_known = match position.outcome() {
                Some(Outcome::Win(winner)) if winner == position.seat() => PackedValue::WON,
                Some(Outcome::Win(_)) => PackedValue::LOST,
                Some(Outcome::Draw) => PackedValue::DRAW,
                None => self.scan_moves(stage_index, &position, place as u32, below),
            };
            self.best_known[place] = best_known;
            if best_known.is_win() || (best_known.is_loss() && self.open[place] == 0) {
                self.by_distance[best_known.distance()].push((place as u32, best_known));
            }
        }
    }

    /// The best value of the moves that leave the stage; moves within the stage are recorded. With an immediate win
    /// no other move matters.
    fn scan_moves(
        &mut self,
        stage_index: &StageIndex<P::Stage>,
        position: &P,
        place: u32,
        below: &[PackedValue],
    ) -> PackedValue {
        let (mut best_known, noted, seat) = (PackedValue::NONE, self.moves_within.len(), position.seat());
        let won = position.each_move(|mv| {
            let next = position.after(mv);
            if next.outcome() == Some(Outcome::Win(seat)) {
                return ControlFlow::Break(());
            }
            let target = &mut self.targets[seat.index() * P::SLOTS + P::slot(mv)];
            if let MoveTarget::Unknown = target {
                *target = find_target(stage_index, position, &next);
            }
            match *target {
                MoveTarget::Beyond { first, symmetry } => {
                    best_known = best_known.max(below[first + next.place(symmetry)].to_mover());
                }
                _ => self.moves_within.push((place, next.place(P::Symmetry::default()) as u32)),
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            self.moves_within.truncate(noted);
            return PackedValue::WIN_NOW;
        }
        self.open[place as usize] = (self.moves_within.len() - noted) as u32;
        best_known
    }

    /// Builds the lists of predecessors from the recorded moves.
    fn index_predecessors(&mut self, places: usize) {
        self.firsts.clear();
        self.firsts.resize(places + 1, 0);
        for &(_, to) in &self.moves_within {
            self.firsts[to as usize] += 1;
        }
        let mut end = 0;
        for first in &mut self.firsts {
            end += *first;
            *first = end;
        }
        self.predecessors.clear();
        self.predecessors.resize(self.moves_within.len(), 0);
        for &(from, to) in &self.moves_within {
            let first = &mut self.firsts[to as usize];
            *first -= 1;
            self.predecessors[*first as usize] = from;
        }
    }

    /// Updates the predecessors of a place by the value of a move to it.
    fn update_predecessors(&mut self, place: u32, packed: PackedValue, values: &[PackedValue]) {
        let range = self.firsts[place as usize] as usize..self.firsts[place as usize + 1] as usize;
        for &from in &self.predecessors[range] {
            if values[from as usize] != PackedValue::DRAW {
                continue;
            }
            if packed.is_win() {
                self.by_distance[packed.distance()].push((from, packed));
                continue;
            }
            let (best_known, open) = (&mut self.best_known[from as usize], &mut self.open[from as usize]);
            *best_known = packed.max(*best_known);
            *open -= 1;
            if *open == 0 && best_known.is_loss() {
                self.by_distance[best_known.distance()].push((from, *best_known));
            }
        }
    }
}

fn find_target<P: StagedPosition>(
    stage_index: &StageIndex<P::Stage>,
    position: &P,
    next: &P,
) -> MoveTarget<P::Symmetry> {
    if next.stage() == position.stage() {
        return MoveTarget::Within;
    }
    let (stage, symmetry) = P::canonical(next.stage());
    let number = stage_index.find::<P>(stage).expect("a move leads to a stage that was surveyed");
    MoveTarget::Beyond { first: number * stage_index.places, symmetry }
}
