//! Salamone's AIs as players.
//!
//! If the game has flags, the AI's flags are those on the board; if it has none, the AI keeps them to itself. The
//! only other difference is that a cascade does not stop at flags that are not on the board. A player that is stopped
//! while it looks unmasks any cell.

use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn};

use super::super::{Action, BoardCell, VisibleBoard};
use super::agent::{AgentAction, FlagPolicy, SubgridAgent};
use super::subgrid::CELLS;

/// Sub-grids that are predicted together.
const BATCH: usize = 256;

/// Predicts whether the centres of sub-grids are mined.
pub trait MinePredictor: Send {
    /// The prediction for each sub-grid, given as [`CELLS`] numbers, from 0 (empty) to 1 (mined). It depends only on
    /// that sub-grid.
    fn predict(&mut self, subgrids: &[f32], predictions: &mut [f32]);
}

impl<F: FnMut(&[f32], &mut [f32]) + Send> MinePredictor for F {
    fn predict(&mut self, subgrids: &[f32], predictions: &mut [f32]) {
        self(subgrids, predictions);
    }
}

/// The move that performs the action.
fn to_move(action: AgentAction, view: &VisibleBoard) -> Action {
    match action {
        AgentAction::Unmask(cell) => Action::Unmask(cell),
        AgentAction::Flag(cell) => Action::Flag(cell),
        AgentAction::TakeFlagsAway => Action::Unflag(view.flagged().iter().next().expect("there is a flag")),
    }
}

/// An AI that plays one game at a time.
pub struct SubgridAi<J> {
    predictor: J,
    agent: SubgridAgent,
    inputs: Vec<f32>,
    predictions: Vec<f32>,
    /// Sub-grids predicted at this turn.
    predicted: u64,
}

impl<J: MinePredictor> SubgridAi<J> {
    /// An AI with this policy.
    pub fn new(predictor: J, policy: FlagPolicy) -> Self {
        Self {
            predictor,
            agent: SubgridAgent::new(policy),
            inputs: Vec::new(),
            predictions: Vec::new(),
            predicted: 0,
        }
    }

    /// The next action that changes the board; `None` if the player is stopped first.
    fn next_action(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Option<AgentAction> {
        self.predicted = 0;
        loop {
            self.look(view, turn)?;
            let action = self.agent.decide(view, turn.rng);
            if matches!(action, AgentAction::Unmask(_)) || view.has_flags() {
                return Some(action);
            }
            if turn.is_stopped() {
                return None;
            }
        }
    }

    /// Predicts what needs a prediction; `None` if the player is stopped first.
    fn look(&mut self, view: &VisibleBoard, turn: &Turn<'_, Action>) -> Option<()> {
        self.inputs.clear();
        self.agent.look(view, &mut self.inputs);
        let count = self.inputs.len() / CELLS;
        self.predictions.resize(count, 0.0);
        let batches = self.inputs.chunks(BATCH * CELLS).zip(self.predictions.chunks_mut(BATCH));
        for (number, (inputs, predictions)) in batches.enumerate() {
            if number > 0 && turn.is_stopped() {
                // The agent waits for predictions that it does not get.
                self.agent.forget();
                return None;
            }
            self.predictor.predict(inputs, predictions);
        }
        self.agent.learn(&self.predictions);
        self.predicted += count as u64;
        Some(())
    }

    /// A candidate for every cell that may be unmasked, the chosen move first.
    fn candidates(&self, chosen: Action, view: &VisibleBoard) -> Vec<Candidate<Action>> {
        let chance = |cell: BoardCell| {
            if view.score() == 0 {
                return 1.0 - view.mines() as f64 / (view.rows() * view.cols()) as f64;
            }
            1.0 - f64::from(self.agent.prediction(cell))
        };
        let weight = |action: Action| if action == chosen { 1.0 } else { 0.0 };
        let open = view.masked().iter().filter(|&cell| !view.flagged().contains(cell)).map(Action::Unmask);
        let mut candidates: Vec<_> = open
            .map(|action| Candidate::expected(action, chance(action.cell()), weight(action), vec![action]))
            .collect();
        if !matches!(chosen, Action::Unmask(_)) {
            // The value of a flag is the probability that it stands on a mine.
            let worth = if matches!(chosen, Action::Flag(_)) { 1.0 - chance(chosen.cell()) } else { 0.0 };
            candidates.push(Candidate::expected(chosen, worth, 1.0, vec![chosen]));
        }
        candidates.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(b.value.total_cmp(&a.value)));
        candidates
    }
}

impl<J: MinePredictor> Player<VisibleBoard> for SubgridAi<J> {
    fn new_game(&mut self, _seat: Seat) {
        self.agent.forget();
    }

    fn choose(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Action {
        let start = Instant::now();
        let action = match self.next_action(view, turn) {
            Some(action) => to_move(action, view),
            None => view.open_actions().next().expect("an unfinished game has a masked cell"),
        };
        turn.show(|| Thought {
            candidates: self.candidates(action, view),
            depth: 1,
            nodes: self.predicted,
            elapsed: start.elapsed(),
        });
        action
    }
}
