//! The player of Bourdet & Abadie: it unmasks the cell that is least likely mined, ties at random. A board too
//! complex for its way to compute probabilities is played at random, and so is one that is not solved before the player
//! is stopped.

use std::time::Instant;

use outplay_core::{Candidate, Player, Seat, Thought, Turn};

use super::group_methods::{GroupMethod, GroupWeights, probabilities_unless};
use super::{Action, BoardCell, NEVER, Solver, VisibleBoard};

/// Unmasks a cell with the lowest probability of a mine.
#[derive(Default)]
pub struct GroupsPlayer {
    method: GroupMethod,
    weights: GroupWeights,
    solver: Solver,
    least: LeastLikely,
}

impl GroupsPlayer {
    /// A player with a solver of its own.
    pub fn new() -> Self {
        Self::default()
    }

    /// A player who computes probabilities in this way.
    pub fn with(method: GroupMethod, weights: GroupWeights) -> Self {
        Self { method, weights, ..Self::default() }
    }
}

impl Player<VisibleBoard> for GroupsPlayer {
    fn new_game(&mut self, _seat: Seat) {}

    fn choose(&mut self, view: &VisibleBoard, turn: &mut Turn<'_, Action>) -> Action {
        let (start, stop) = (Instant::now(), turn.stop_flag().unwrap_or(&NEVER));
        if (self.method, self.weights) != (GroupMethod::Diagram, GroupWeights::Right) {
            let mined = probabilities_unless(stop, view, self.method, self.weights);
            let mined = |cell| mined.as_ref().map_or(0.5, |mined| mined[view.index(cell)]);
            return self.least.choose(view, mined, turn, start);
        }
        let known = self.solver.solve_unless(stop, view).ok();
        let mined = |cell| known.and_then(|known| known.of(cell)).unwrap_or(0.5);
        self.least.choose(view, mined, turn, start)
    }
}

/// The choice of the cell that is least likely mined. If every masked cell has a flag, a flag is removed.
#[derive(Default)]
pub(super) struct LeastLikely {
    /// The moves, each with the probability that its cell is empty.
    chances: Vec<(Action, f64)>,
}

impl LeastLikely {
    pub(super) fn choose(
        &mut self,
        view: &VisibleBoard,
        mined: impl Fn(BoardCell) -> f64,
        turn: &mut Turn<'_, Action>,
        start: Instant,
    ) -> Action {
        let ties = self.weigh(view, mined);
        self.chances.swap(0, turn.rng.below(ties));
        turn.show(|| {
            let share = |place| if place < ties { 1.0 / ties as f64 } else { 0.0 };
            let candidate = |(place, &(mv, chance)): (usize, &(Action, f64))| {
                Candidate::expected(mv, chance, share(place), vec![mv])
            };
            Thought {
                candidates: self.chances.iter().enumerate().map(candidate).collect(),
                depth: 1,
                nodes: self.chances.len() as u64,
                elapsed: start.elapsed(),
            }
        });
        self.chances[0].0
    }

    /// Computes the probabilities, best first; returns how many of the first tie.
    fn weigh(&mut self, view: &VisibleBoard, mined: impl Fn(BoardCell) -> f64) -> usize {
        self.chances.clear();
        self.chances.extend(view.open_actions().map(|action| (action, 1.0 - mined(action.cell()))));
        self.chances.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = self.chances[0].1;
        // Cells of one group have exactly the same probability; a margin lets equal sums tie too.
        self.chances.iter().take_while(|(_, chance)| best - chance < 1e-12).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    #[test]
    fn a_proven_cell_is_unmasked_before_any_other() {
        // The 1 in the corner touches one masked cell, which is the mine; the last cell of the row is safe.
        let view: VisibleBoard = "mines 1\n1..\n".parse().unwrap();
        for seed in 0..10 {
            let mut rng = Rng::new(seed);
            let action = GroupsPlayer::new().choose(&view, &mut Turn::new(&mut rng));
            assert_eq!(action.cell().to_string(), "c1");
        }
    }

    /// The listing gives cells that no number touches a 0, even where a cell beside a number is proven.
    #[test]
    fn each_way_has_its_own_preference() {
        let view: VisibleBoard = "mines 1\n1...\n".parse().unwrap();
        let cells = |method, weights| {
            let choose = |seed| {
                let action =
                    GroupsPlayer::with(method, weights).choose(&view, &mut Turn::new(&mut Rng::new(seed)));
                action.cell().to_string()
            };
            (0..30).map(choose).collect::<std::collections::BTreeSet<_>>()
        };
        for method in [GroupMethod::Diagram, GroupMethod::GaussJordan, GroupMethod::Naive] {
            for weights in [GroupWeights::Right, GroupWeights::Printed] {
                assert_eq!(
                    cells(method, weights).into_iter().collect::<Vec<_>>(),
                    ["c1", "d1"],
                    "{method:?}"
                );
            }
        }
    }

    #[test]
    fn where_every_masked_cell_has_a_flag_one_is_taken_away() {
        let view: VisibleBoard = "mines 1\n1F\n1F\n".parse().unwrap();
        let action = GroupsPlayer::new().choose(&view, &mut Turn::new(&mut Rng::new(1)));
        assert!(matches!(action, Action::Unflag(_)), "{action:?}");
    }

    #[test]
    fn ties_are_broken_by_chance() {
        let view: VisibleBoard = "mines 1\n...\n...\n".parse().unwrap();
        let choose = |seed| GroupsPlayer::new().choose(&view, &mut Turn::new(&mut Rng::new(seed)));
        assert!((1..30).any(|seed| choose(seed) != choose(0)));
    }
}
