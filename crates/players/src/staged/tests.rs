//! The solver on games with obvious values; Quoridor's own tests compare it with an exhaustive search.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use outplay_core::{Oracle, Outcome, Position, Seat, StagedPosition, Value, View};

use super::{StagedFileError, StagedSolution, StagedSolveError};
use crate::ReachableSolution;
use crate::testing::Tug;

/// A tug is one stage.
impl StagedPosition for Tug {
    type Stage = ();
    type Symmetry = ();

    fn stage(&self) {}

    fn height((): ()) -> u32 {
        0
    }

    fn later((): ()) -> Vec<()> {
        Vec::new()
    }

    fn canonical((): ()) -> ((), ()) {
        ((), ())
    }

    fn places((): ()) -> usize {
        2 * (Self::TOP as usize + 1)
    }

    fn place(&self, (): ()) -> usize {
        self.key() as usize
    }

    fn at((): (), place: usize) -> Option<Self> {
        let mut tug = Self::at((place / 2) as i8);
        tug.pass_to(Seat::BOTH[place % 2]);
        Some(tug)
    }
}

/// A pile from which a player takes one or two; a player who finds it empty has lost. Every height is a stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pile {
    left: u32,
    seat: Seat,
    /// The most that may be taken.
    most: u32,
}

impl View for Pile {
    type Move = u32;
    const SLOTS: usize = 2;

    fn slot(taken: u32) -> usize {
        taken as usize - 1
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn each_move<B>(&self, visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.most.min(self.left)).try_for_each(visit)
    }
}

impl Position for Pile {
    fn play(&mut self, taken: u32) {
        self.left -= taken;
        self.seat = !self.seat;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(!self.seat))
    }

    fn key(&self) -> u64 {
        u64::from(self.left) * 2 + self.seat.index() as u64
    }
}

impl StagedPosition for Pile {
    type Stage = (u32, u32);
    type Symmetry = ();

    fn stage(&self) -> (u32, u32) {
        (self.left, self.most)
    }

    fn height((left, _): (u32, u32)) -> u32 {
        left
    }

    fn later((left, most): (u32, u32)) -> Vec<(u32, u32)> {
        (1..=most.min(left)).map(|taken| (left - taken, most)).collect()
    }

    fn canonical(stage: (u32, u32)) -> ((u32, u32), ()) {
        (stage, ())
    }

    fn places(_: (u32, u32)) -> usize {
        2
    }

    fn place(&self, (): ()) -> usize {
        self.seat.index()
    }

    fn at((left, most): (u32, u32), place: usize) -> Option<Self> {
        Some(Self { left, seat: Seat::BOTH[place], most })
    }
}

/// The solver that needs only the rules finds the same values.
#[test]
fn stages_change_nothing() {
    fn agree<P: StagedPosition + std::fmt::Debug>(start: &P) {
        let reached = ReachableSolution::solve(start, 1000, &|_| (), &AtomicBool::new(false)).unwrap();
        let solution = solve(start).unwrap();
        assert!(reached.positions() > 5);
        for (position, value) in reached.each() {
            assert_eq!(solution.value(position), value, "{position:?}");
        }
    }
    agree(&Tug::at(4));
    agree(&Pile { left: 30, seat: Seat::First, most: 2 });
}

fn solve<P: StagedPosition>(start: &P) -> Result<StagedSolution<P>, StagedSolveError> {
    StagedSolution::solve(start, &|_, _| (), &AtomicBool::new(false))
}

#[test]
fn nobody_wins_a_tug_but_from_beside_the_end() {
    let solution = solve(&Tug::at(3)).unwrap();
    assert_eq!(solution.violations(), 0);
    for height in 1..Tug::TOP {
        let value = if height == Tug::TOP - 1 { Value::Win(1) } else { Value::Draw };
        assert_eq!(solution.value(&Tug::at(height)), value, "at {height}");
    }
    assert_eq!(solution.moves(&Tug::at(1)), vec![(1, Value::Draw), (-1, Value::Loss(1))]);
    let value_counts = solution.value_counts();
    assert_eq!(
        (value_counts.finished, value_counts.wins, value_counts.losses, value_counts.draws),
        (4, 2, 0, 8)
    );
    assert_eq!(value_counts.longest.map(|longest| longest.plies), Some(1));
}

#[test]
fn every_third_pile_is_lost() {
    let solution = solve(&Pile { left: 30, seat: Seat::First, most: 2 }).unwrap();
    assert_eq!((solution.violations(), solution.stages(), solution.size()), (0, 31, 62));
    for left in 0..=30 {
        let pile = Pile { left, seat: Seat::Second, most: 2 };
        let won = !left.is_multiple_of(3);
        let distance = 2 * (left / 3) + u32::from(won);
        let value = if won { Value::Win(distance) } else { Value::Loss(distance) };
        assert_eq!(solution.value(&pile), value, "{left}");
        assert_eq!(solution.principal_variation(&pile, 99).len() as u32, distance);
    }
    assert!(!solution.covers(&Pile { left: 31, seat: Seat::First, most: 2 }));
}

#[test]
fn what_takes_too_long_is_refused() {
    let pile = |left| Pile { left, seat: Seat::First, most: 1 };
    assert_eq!(solve(&pile(125)).unwrap().value(&pile(125)), Value::Win(125));
    assert_eq!(solve(&pile(126)).unwrap_err(), StagedSolveError::TooFar { farthest: 125 });
    let stopped =
        StagedSolution::solve(&pile(9), &|_, _| panic!("nothing is solved"), &AtomicBool::new(true));
    assert_eq!(stopped.unwrap_err(), StagedSolveError::Stopped);
}

#[test]
fn only_the_whole_file_of_the_same_game_is_read() {
    let pile = |left| Pile { left, seat: Seat::First, most: 2 };
    let solution = solve(&pile(30)).unwrap();
    let bytes = solution.to_bytes();
    assert_eq!(StagedSolution::from_bytes(&pile(30), &bytes).unwrap(), solution);
    let refusal = |start: &Pile, bytes: &[u8]| StagedSolution::from_bytes(start, bytes).unwrap_err();
    assert!(matches!(refusal(&pile(29), &bytes), StagedFileError::Length { .. }));
    assert_eq!(refusal(&Pile { most: 1, ..pile(30) }, &bytes), StagedFileError::Start);
    for cut in 0..bytes.len() {
        assert!(matches!(
            refusal(&pile(30), &bytes[..cut]),
            StagedFileError::Form | StagedFileError::Checksum { .. }
        ));
    }
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(
            refusal(&pile(30), &damaged),
            StagedFileError::Form | StagedFileError::Checksum { .. }
        ));
    }
}
