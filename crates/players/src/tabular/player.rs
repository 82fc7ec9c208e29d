//! A player that follows value tables, fixed or being learnt.

use std::sync::Arc;

use outplay_core::{Player, Position, Seat, Turn};

use super::ValueTable;
use crate::exploration::{ActionSelection, greatest, thought};

/// The moves of a position with their values in a table.
#[derive(Clone, Debug)]
pub(super) struct MoveValues<P: Position> {
    pub(super) moves: Vec<P::Move>,
    pub(super) values: Vec<f64>,
}

impl<P: Position> Default for MoveValues<P> {
    fn default() -> Self {
        Self { moves: Vec::new(), values: Vec::new() }
    }
}

impl<P: Position> MoveValues<P> {
    pub(super) fn fill(&mut self, position: &P, table: &ValueTable<P>) {
        self.moves.clear();
        position.moves_into(&mut self.moves);
        self.values.clear();
        self.values.extend(self.moves.iter().map(|&mv| table.chance(&position.after(mv))));
    }

    pub(super) fn best(&self) -> f64 {
        greatest(&self.values)
    }
}

/// Plays by the tables of the two seats, without learning.
#[derive(Clone, Debug)]
pub struct TablePlayer<P: Position> {
    tables: Arc<[ValueTable<P>; 2]>,
    choice: ActionSelection,
    move_values: MoveValues<P>,
}

impl<P: Position> TablePlayer<P> {
    /// A player by these tables.
    pub fn new(tables: Arc<[ValueTable<P>; 2]>, choice: ActionSelection) -> Self {
        Self { tables, choice, move_values: MoveValues::default() }
    }
}

impl<P: Position> Player<P> for TablePlayer<P> {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        self.move_values.fill(view, &self.tables[view.seat().index()]);
        let chosen = self.choice.pick(&self.move_values.values, turn.rng);
        turn.show(|| thought(&self.move_values.moves, &self.move_values.values, chosen));
        self.move_values.moves[chosen]
    }
}
