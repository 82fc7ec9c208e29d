//! Salamone's AIs as players.
//!
//! Law: where the game has flags, the AI's flags are those on the board; where it has none, the AI keeps them in its
//! head, and nothing else differs but that a cascade does not stop at them.

use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn};

use super::super::{Action, Cell, Seen};
use super::mind::{Deed, Mind, Temper};
use super::subgrid::CELLS;

/// Predicts whether the centres of sub-grids are mined.
pub trait Judge: Send {
    /// For each sub-grid, given as [`CELLS`] numbers, the prediction from 0 (empty) to 1 (mined). It depends on
    /// nothing but that sub-grid.
    fn judge(&mut self, subgrids: &[f32], predictions: &mut [f32]);
}

impl<F: FnMut(&[f32], &mut [f32]) + Send> Judge for F {
    fn judge(&mut self, subgrids: &[f32], predictions: &mut [f32]) {
        self(subgrids, predictions);
    }
}

/// The move that does it.
fn action(deed: Deed, view: &Seen) -> Action {
    match deed {
        Deed::Unmask(cell) => Action::Unmask(cell),
        Deed::Flag(cell) => Action::Flag(cell),
        Deed::TakeFlagsAway => Action::Unflag(view.flagged().iter().next().expect("there is a flag")),
    }
}

/// An AI that plays one game at a time.
pub struct SubgridAi<J> {
    judge: J,
    mind: Mind,
    inputs: Vec<f32>,
    predictions: Vec<f32>,
    /// Sub-grids judged at this turn.
    judged: u64,
}

impl<J: Judge> SubgridAi<J> {
    /// An AI of this temper.
    pub fn new(judge: J, temper: Temper) -> Self {
        Self { judge, mind: Mind::new(temper), inputs: Vec::new(), predictions: Vec::new(), judged: 0 }
    }

    /// The next deed that shows on a board.
    fn next_deed(&mut self, view: &Seen, turn: &mut Turn<'_, Action>) -> Deed {
        self.judged = 0;
        loop {
            self.look(view);
            let deed = self.mind.decide(view, turn.rng);
            if matches!(deed, Deed::Unmask(_)) || view.has_flags() {
                return deed;
            }
        }
    }

    fn look(&mut self, view: &Seen) {
        self.inputs.clear();
        self.mind.look(view, &mut self.inputs);
        let count = self.inputs.len() / CELLS;
        self.predictions.resize(count, 0.0);
        self.judge.judge(&self.inputs, &mut self.predictions);
        self.mind.learn(&self.predictions);
        self.judged += count as u64;
    }

    /// What is thought of every cell that may be unmasked, the chosen move first.
    fn candidates(&self, chosen: Action, view: &Seen) -> Vec<Candidate<Action>> {
        let chance = |cell: Cell| {
            if view.score() == 0 {
                return 1.0 - view.mines() as f64 / (view.rows() * view.cols()) as f64;
            }
            1.0 - f64::from(self.mind.prediction(cell))
        };
        let weight = |action: Action| if action == chosen { 1.0 } else { 0.0 };
        let open = view.masked().iter().filter(|&cell| !view.flagged().contains(cell)).map(Action::Unmask);
        let mut candidates: Vec<_> = open
            .map(|action| Candidate::expected(action, chance(action.cell()), weight(action), vec![action]))
            .collect();
        if !matches!(chosen, Action::Unmask(_)) {
            // A flag is worth what it is surely: the chance that it stands on a mine.
            let worth = if matches!(chosen, Action::Flag(_)) { 1.0 - chance(chosen.cell()) } else { 0.0 };
            candidates.push(Candidate::expected(chosen, worth, 1.0, vec![chosen]));
        }
        candidates.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(b.value.total_cmp(&a.value)));
        candidates
    }
}

impl<J: Judge> Player<Seen> for SubgridAi<J> {
    fn new_game(&mut self, _seat: Seat) {
        self.mind.forget();
    }

    fn choose(&mut self, view: &Seen, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        let action = action(self.next_deed(view, turn), view);
        turn.show(|| Thought {
            candidates: self.candidates(action, view),
            depth: 1,
            nodes: self.judged,
            elapsed: start.elapsed(),
        });
        action
    }
}
