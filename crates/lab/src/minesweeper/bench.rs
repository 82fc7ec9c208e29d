//! How fast Minesweeper is played.
//!
//! Law: one thread, whole games with their referee.

use outplay_games::minesweeper::{FirstClick, Minesweeper, Seen, groups::Groups};

use crate::bench::{Measurement, rate};
use crate::error::LabError;
use crate::matches::{Contestant, MatchPlan, run_match};
use crate::watch::Watch;

/// The boards that other programs are measured on.
const BOARDS: [(usize, usize, usize); 3] = [(10, 10, 10), (16, 16, 40), (16, 30, 99)];

pub(super) fn measure(watch: Watch<'_>) -> Result<Vec<Measurement>, LabError> {
    let mut results = Vec::new();
    for (rows, cols, mines) in BOARDS {
        let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe)
            .map_err(|fault| LabError::refused(fault.to_string()))?;
        let name = format!("minesweeper {rows}×{cols}/{mines}: groups, one thread");
        results.push(Measurement::new(name, games_per_second(&game, watch)?, "games/s"));
    }
    Ok(results)
}

fn games_per_second(game: &Minesweeper, watch: Watch<'_>) -> Result<f64, LabError> {
    const GAMES: u64 = 20;
    let make = || -> Box<dyn outplay_core::Player<Seen>> { Box::new(Groups::new()) };
    let groups = Contestant { name: "groups", make: &make };
    let mut outcome = Ok(());
    let speed = rate(|run| {
        let plan = MatchPlan { games: GAMES, seed: run as u64, threads: Some(1), ..MatchPlan::default() };
        if let Err(error) = run_match(game, &[groups], &plan, &mut |_| {}, watch.stop_flag()) {
            outcome = Err(error);
        }
        GAMES
    });
    outcome?;
    Ok(speed)
}
