//! How fast probabilities are found: every placement one by one, the document's linear system, and by groups with a
//! diagram.
//!
//! All three are given the same boards. The last is also timed on the boards that people play.

use outplay_runtime::WorkError;
use std::hint::black_box;
use std::time::{Duration, Instant};

use outplay_core::{Game, Rng, View};
use outplay_games::minesweeper::solver::linear::LinearSystem;
use outplay_games::minesweeper::{Action, BoardCell, FirstClick, Minesweeper, Solver, VisibleBoard, naive};

use crate::bench::{Measurement, rate};

/// How many boards there are, and how many masked cells each has at most.
const BOARDS: usize = 50;
const MOST_MASKED: usize = 18;

pub(super) fn measure() -> Result<Vec<Measurement>, WorkError> {
    let game = Minesweeper::new(5, 5, 5, FirstClick::Safe)?;
    let boards: Vec<VisibleBoard> = (0..).filter_map(|number| board(&game, number)).take(BOARDS).collect();
    let mut solver = Solver::new();
    let placements = per_second(&boards, |seen| drop(black_box(naive::count(seen))));
    let system = per_second(&boards, |seen| drop(black_box(LinearSystem::of(seen).solutions())));
    let diagram = per_second(&boards, |seen| {
        black_box(solver.solve(seen).is_ok());
    });
    let named = [
        ("every placement one by one", placements),
        ("the document's linear system", system),
        ("groups and diagrams", diagram),
    ];
    let line = |(name, speed)| {
        let name = format!("minesweeper 5×5/5, at most {MOST_MASKED} masked: {name}");
        Measurement::new(name, speed, "boards/s")
    };
    let median = Measurement::new(
        "minesweeper 16×30/99, half unmasked: exact probabilities, median".to_owned(),
        expert_median(&mut solver)?,
        "ms",
    );
    Ok(named.map(line).into_iter().chain([median]).collect())
}

/// The median time to find the probabilities of a board of the largest usual size on which half of the empty cells
/// have been unmasked, by a player who never hits a mine.
fn expert_median(solver: &mut Solver) -> Result<f64, WorkError> {
    const BOARDS: u64 = 301;
    let game = Minesweeper::new(16, 30, 99, FirstClick::Safe)?;
    let time = |number| {
        let seen = half_unmasked(&game, solver, number);
        let begun = Instant::now();
        black_box(solver.solve(&seen).is_ok());
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..BOARDS).map(time).collect();
    times.sort_unstable();
    Ok(1000.0 * times[times.len() / 2].as_secs_f64())
}

/// Unmasks safe cells where there are any, else an empty cell that is least likely mined.
fn half_unmasked(game: &Minesweeper, solver: &mut Solver, number: u64) -> VisibleBoard {
    let mut state = game.start(&mut Rng::stream(6, number));
    game.play(&mut state, Action::Unmask(BoardCell::new(0, 0)));
    let enough = (game.rows() * game.cols() - game.mines()) / 2;
    while state.seen().score() < enough {
        let Ok(known) = solver.solve(state.seen()) else { break };
        let mines = state.mines().expect("they were laid at the first cell");
        let empty = state.seen().masked().iter().filter(|&cell| !mines.contains(cell));
        let chance = |cell: &BoardCell| known.of(*cell).unwrap_or(1.0);
        let least = empty.min_by(|a, b| chance(a).total_cmp(&chance(b)));
        game.play(&mut state, Action::Unmask(least.expect("half of the empty cells are masked")));
    }
    state.seen().clone()
}

/// A board after a few random cells, if the game is not over and few enough are left.
fn board(game: &Minesweeper, number: u64) -> Option<VisibleBoard> {
    let mut rng = Rng::stream(5, number);
    let (mut state, mut scratch) = (game.start(&mut rng), Vec::new());
    for _ in 0..4 {
        if game.outcome(&state).is_some() {
            return None;
        }
        let mv = game.view(&state).random_move(&mut rng, &mut scratch);
        game.play(&mut state, mv);
    }
    let seen = state.seen();
    (game.outcome(&state).is_none() && seen.masked_count() <= MOST_MASKED).then(|| seen.clone())
}

fn per_second(boards: &[VisibleBoard], mut count: impl FnMut(&VisibleBoard)) -> f64 {
    rate(|_| {
        boards.iter().for_each(&mut count);
        boards.len() as u64
    })
}
