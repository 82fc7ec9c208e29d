//! A player that follows tables, learnt or being learnt.

use std::sync::Arc;

use outplay_core::{Player, Position, Seat, Turn};

use super::Table;
use crate::exploration::{Choice, greatest, thought};

/// The moves of a position and what a table says of each.
#[derive(Clone, Debug)]
pub(super) struct Look<P: Position> {
    pub(super) moves: Vec<P::Move>,
    pub(super) values: Vec<f64>,
}

impl<P: Position> Default for Look<P> {
    fn default() -> Self {
        Self { moves: Vec::new(), values: Vec::new() }
    }
}

impl<P: Position> Look<P> {
    pub(super) fn around(&mut self, position: &P, table: &Table<P>) {
        self.moves.clear();
        position.moves_into(&mut self.moves);
        self.values.clear();
        self.values.extend(self.moves.iter().map(|&mv| table.chance(&position.after(mv))));
    }

    pub(super) fn best(&self) -> f64 {
        greatest(&self.values)
    }
}

/// Chooses by the tables of the two seats, and learns no more.
#[derive(Clone, Debug)]
pub struct ByTable<P: Position> {
    tables: Arc<[Table<P>; 2]>,
    choice: Choice,
    look: Look<P>,
}

impl<P: Position> ByTable<P> {
    /// A player that knows these tables.
    pub fn new(tables: Arc<[Table<P>; 2]>, choice: Choice) -> Self {
        Self { tables, choice, look: Look::default() }
    }
}

impl<P: Position> Player<P> for ByTable<P> {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &P, turn: &mut Turn<'_, P::Move>) -> P::Move {
        self.look.around(view, &self.tables[view.seat().index()]);
        let chosen = self.choice.pick(&self.look.values, turn.rng);
        turn.show(|| thought(&self.look.moves, &self.look.values, chosen));
        self.look.moves[chosen]
    }
}
