//! Positions from actual play, with all that is known of them: what a network learns from.
//!
//! Belongs here: playing games so that many kinds of positions come up, and labelling them. Does not belong here:
//! networks, and how a position is shown to them.
//!
//! The moves of a lesson's game are those of several players: safe cells in any order, one at a time or many, the
//! teacher's guesses, now and then a cell far from the rest. A guess that would lose is replaced by another cell, so
//! that late positions of hard boards come up as well; labels say what can be known of a position, not how it
//! came about.
//!
//! Law: labels are exact. The mines are used to keep the game going and for nothing else.

use outplay_core::{Game, Player, Rng, Seat, Turn};

use super::grid::Cell;
use super::rules::{Minesweeper, State};
use super::seen::{Action, Seen};
use super::solver::{Probabilities, Solver};

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The position.
    pub seen: Seen,
    /// The probability that a cell is mined, row by row; 0 where it is unmasked.
    pub mined: Vec<f64>,
    /// Where the teacher guesses, if nothing is certainly empty.
    pub guess: Option<Cell>,
}

/// How often a game begins with a random cell rather than the teacher's.
const RANDOM_FIRST: f64 = 0.7;
/// How often a cell anywhere is unmasked instead of a certain one.
const ASTRAY: f64 = 0.04;
/// How much the first position of a game counts: there is only one, and it is soon learnt.
const FIRST_WEIGHT: f64 = 0.05;
/// How many safe cells a position has that counts as easy; easier ones come up less often.
const FEW: f64 = 2.0;

/// Plays games and keeps some of their positions.
pub struct School<'a> {
    teacher: &'a mut dyn Player<Seen>,
    solver: Solver,
    kept: Vec<(f64, Lesson)>,
    safe: Vec<Cell>,
}

impl<'a> School<'a> {
    /// A school with this teacher.
    pub fn new(teacher: &'a mut dyn Player<Seen>) -> Self {
        Self { teacher, solver: Solver::new(), kept: Vec::new(), safe: Vec::new() }
    }

    /// Lessons from one game, or from several if one has too few positions.
    pub fn lessons(&mut self, game: &Minesweeper, count: usize, rng: &mut Rng) -> Vec<Lesson> {
        self.kept.clear();
        let mut games = 0;
        while self.kept.len() < count {
            self.play(game, count, rng);
            games += 1;
            assert!(games < 10_000, "games have positions");
        }
        self.kept.drain(..).map(|(_, lesson)| lesson).collect()
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
            self.go_on(game, &mut state, guess, rng);
        }
    }

    /// Plays one guess or some of the safe cells, never a mine.
    fn go_on(&mut self, game: &Minesweeper, state: &mut State, guess: Option<Cell>, rng: &mut Rng) {
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
fn any_empty(state: &State, rng: &mut Rng) -> Cell {
    let empty: Vec<Cell> = state
        .seen()
        .masked()
        .iter()
        .filter(|&cell| state.mines().is_none_or(|mines| !mines.contains(cell)))
        .collect();
    rng.pick(&empty)
}

fn label(seen: &Seen, known: &Probabilities, guess: Option<Cell>) -> Lesson {
    Lesson { seen: seen.clone(), mined: known.all().to_vec(), guess }
}

/// Keeps `count` of all that are offered, each with a chance that grows with its weight (Efraimidis & Spirakis 2006:
/// those with the largest u^(1/w) stay).
fn keep(
    kept: &mut Vec<(f64, Lesson)>,
    count: usize,
    weight: f64,
    rng: &mut Rng,
    lesson: impl FnOnce() -> Lesson,
) {
    let key = rng.unit().powf(1.0 / weight);
    if kept.len() < count {
        kept.push((key, lesson()));
        return;
    }
    let least = kept.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0)).expect("some are kept");
    if key > least.0 {
        *least = (key, lesson());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minesweeper::FirstClick;
    use crate::minesweeper::groups::Groups;

    fn lessons(seed: u64) -> Vec<Lesson> {
        let game = Minesweeper::new(6, 7, 8, FirstClick::Safe).unwrap();
        let mut teacher = Groups::new();
        School::new(&mut teacher).lessons(&game, 16, &mut Rng::new(seed))
    }

    #[test]
    fn labels_are_the_exact_probabilities_and_guesses_come_only_where_nothing_is_certain() {
        let mut guesses = 0;
        for lesson in (0..20).flat_map(lessons) {
            let mut solver = Solver::new();
            let known = solver.solve(&lesson.seen).unwrap();
            assert_eq!(known.all(), lesson.mined);
            assert_eq!(lesson.guess.is_some(), known.safe().is_empty());
            assert!(!lesson.seen.is_lost() && !lesson.seen.is_won());
            guesses += usize::from(lesson.guess.is_some_and(|cell| known.of(cell).is_some()));
        }
        assert!(guesses > 20, "{guesses}");
    }

    #[test]
    fn lessons_follow_from_the_seed() {
        assert_eq!(lessons(3), lessons(3));
        assert_ne!(lessons(3), lessons(4));
    }
}
