//! Positions from actual play with exact labels: training data for networks.
//!
//! The games mix the moves of several kinds of players so that many kinds of positions come up: safe cells in any
//! order, one at a time or many, the teacher's guesses, now and then a random cell. A guess that would lose is
//! replaced by another cell, so that late positions of hard boards come up as well. How a position is encoded for a
//! network is not here.
//!
//! Invariant: labels are exact, and depend on what the player can see. The mines are used only to keep the game
//! going.

use outplay_core::{Game, Player, Rng, Seat, Turn};

use super::grid::BoardCell;
use super::rules::{Minesweeper, MinesweeperState};
use super::solver::{Probabilities, Solver};
use super::visible_board::{Action, VisibleBoard};

/// A position with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledBoard {
    /// The position.
    pub seen: VisibleBoard,
    /// The probability that a cell is mined, row by row; 0 where it is unmasked.
    pub mined: Vec<f64>,
    /// The teacher's guess, if no cell is certainly safe.
    pub guess: Option<BoardCell>,
}

/// The probability that a game begins with a random cell instead of the teacher's.
const RANDOM_FIRST: f64 = 0.7;
/// The probability that a random cell is unmasked instead of a safe one.
const ASTRAY: f64 = 0.04;
/// The weight of the first position of a game: there is only one, and it is soon learnt.
const FIRST_WEIGHT: f64 = 0.05;
/// Positions with more safe cells than this are easy, and get less weight.
const FEW: f64 = 2.0;

/// Plays games and samples their positions.
pub struct PositionSampler<'a> {
    teacher: &'a mut dyn Player<VisibleBoard>,
    solver: Solver,
    kept: Vec<(f64, LabelledBoard)>,
    safe: Vec<BoardCell>,
}

impl<'a> PositionSampler<'a> {
    /// A sampler with this teacher.
    pub fn new(teacher: &'a mut dyn Player<VisibleBoard>) -> Self {
        Self { teacher, solver: Solver::new(), kept: Vec::new(), safe: Vec::new() }
    }

    /// Positions from one game, or from several if one has too few.
    pub fn positions(&mut self, game: &Minesweeper, count: usize, rng: &mut Rng) -> Vec<LabelledBoard> {
        self.kept.clear();
        let mut games = 0;
        while self.kept.len() < count {
            self.play(game, count, rng);
            games += 1;
            assert!(games < 10_000, "games have positions");
        }
        self.kept.drain(..).map(|(_, position)| position).collect()
    }

    fn play(&mut self, game: &Minesweeper, count: usize, rng: &mut Rng) {
        let mut state = game.start(rng);
        self.teacher.new_game(Seat::First);
        while game.outcome(&state).is_none() {
            let is_first = state.mines().is_none();
            let seen = state.seen();
            let Ok(known) = self.solver.solve(seen) else { return };
            self.safe.clear();
            self.safe.extend(known.safe().iter());
            let guess = self.safe.is_empty().then(|| self.teacher.choose(seen, &mut Turn::new(rng)).cell());
            let weight = match self.safe.len() {
                _ if is_first => FIRST_WEIGHT,
                0 => 1.0,
                safe => (FEW / safe as f64).min(1.0),
            };
            keep(&mut self.kept, count, weight, rng, || label(seen, known, guess));
            self.continue_game(game, &mut state, guess, rng);
        }
    }

    /// Plays one guess or some of the safe cells, never a mine.
    fn continue_game(
        &mut self,
        game: &Minesweeper,
        state: &mut MinesweeperState,
        guess: Option<BoardCell>,
        rng: &mut Rng,
    ) {
        let is_first = state.mines().is_none();
        match guess {
            Some(_) if is_first && rng.unit() < RANDOM_FIRST => {
                let anywhere = any_empty(state, rng);
                game.play(state, Action::Unmask(anywhere));
            }
            Some(cell) if state.mines().is_none_or(|mines| !mines.contains(cell)) => {
                game.play(state, Action::Unmask(cell));
            }
            None if rng.unit() >= ASTRAY => {
                rng.shuffle(&mut self.safe);
                let some = 1 + rng.below(self.safe.len());
                for &cell in &self.safe[..some] {
                    if state.seen().masked().contains(cell) {
                        game.play(state, Action::Unmask(cell));
                    }
                }
            }
            _ => {
                let anywhere = any_empty(state, rng);
                game.play(state, Action::Unmask(anywhere));
            }
        }
    }
}

/// A masked cell without a mine; any masked cell while no mines are laid.
fn any_empty(state: &MinesweeperState, rng: &mut Rng) -> BoardCell {
    let empty: Vec<BoardCell> = state
        .seen()
        .masked()
        .iter()
        .filter(|&cell| state.mines().is_none_or(|mines| !mines.contains(cell)))
        .collect();
    rng.pick(&empty)
}

fn label(seen: &VisibleBoard, known: &Probabilities, guess: Option<BoardCell>) -> LabelledBoard {
    LabelledBoard { seen: seen.clone(), mined: known.all().to_vec(), guess }
}

/// Weighted reservoir sampling of `count` positions (Efraimidis & Spirakis 2006: those with the largest u^(1/w)
/// stay).
fn keep(
    kept: &mut Vec<(f64, LabelledBoard)>,
    count: usize,
    weight: f64,
    rng: &mut Rng,
    position: impl FnOnce() -> LabelledBoard,
) {
    let key = rng.unit().powf(1.0 / weight);
    if kept.len() < count {
        kept.push((key, position()));
        return;
    }
    let least = kept.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0)).expect("some are kept");
    if key > least.0 {
        *least = (key, position());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minesweeper::FirstClick;
    use crate::minesweeper::groups::GroupsPlayer;

    fn positions(seed: u64) -> Vec<LabelledBoard> {
        let game = Minesweeper::new(6, 7, 8, FirstClick::Safe).unwrap();
        let mut teacher = GroupsPlayer::new();
        PositionSampler::new(&mut teacher).positions(&game, 16, &mut Rng::new(seed))
    }

    #[test]
    fn labels_are_the_exact_probabilities_and_guesses_come_only_where_nothing_is_certain() {
        let mut guesses = 0;
        for position in (0..20).flat_map(positions) {
            let mut solver = Solver::new();
            let known = solver.solve(&position.seen).unwrap();
            assert_eq!(known.all(), position.mined);
            assert_eq!(position.guess.is_some(), known.safe().is_empty());
            assert!(!position.seen.is_lost() && !position.seen.is_won());
            guesses += usize::from(position.guess.is_some_and(|cell| known.of(cell).is_some()));
        }
        assert!(guesses > 20, "{guesses}");
    }

    #[test]
    fn lessons_follow_from_the_seed() {
        assert_eq!(positions(3), positions(3));
        assert_ne!(positions(3), positions(4));
    }
}
