//! How fast probabilities are found: every placement one by one, the document's linear system, and by groups with a
//! diagram.
//!
//! Law: all three are given the same boards.

use std::hint::black_box;

use outplay_core::{Game, Rng, View};
use outplay_games::minesweeper::solver::linear::LinearSystem;
use outplay_games::minesweeper::{FirstClick, Minesweeper, Seen, Solver, naive};

use crate::bench::{Measurement, rate};
use crate::error::LabError;

/// How many boards there are, and how many masked cells each has at most.
const BOARDS: usize = 50;
const MOST_MASKED: usize = 18;

pub(super) fn measure() -> Result<Vec<Measurement>, LabError> {
    let game =
        Minesweeper::new(5, 5, 5, FirstClick::Safe).map_err(|fault| LabError::refused(fault.to_string()))?;
    let boards: Vec<Seen> = (0..).filter_map(|number| board(&game, number)).take(BOARDS).collect();
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
    Ok(named.map(line).to_vec())
}

/// A board after a few random cells, if the game is not over and few enough are left.
fn board(game: &Minesweeper, number: u64) -> Option<Seen> {
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

fn per_second(boards: &[Seen], mut count: impl FnMut(&Seen)) -> f64 {
    rate(|_| {
        boards.iter().for_each(&mut count);
        boards.len() as u64
    })
}
