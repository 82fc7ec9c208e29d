//! How fast Minesweeper is played.
//!
//! One thread, whole games with their referee.

mod counting;

use outplay_games::minesweeper::{FirstClick, Minesweeper};
use outplay_runtime::WorkError;

use super::subgrids;
use crate::bench::{Measurement, rate};
use crate::store::Store;
use outplay_arena::matches::{Contestant, MatchPlan, run_match};
use outplay_runtime::Watch;

/// The boards that other programs are measured on.
const BOARDS: [(usize, usize, usize); 3] = [(10, 10, 10), (16, 16, 40), (16, 30, 99)];

/// The players whose games are counted.
const PLAYERS: [&str; 4] = ["groups", "solver:effort=fast", "solver", "net"];

pub(super) fn measure(store: &Store, watch: Watch<'_>) -> Result<Vec<Measurement>, WorkError> {
    let mut results = Vec::new();
    for (rows, cols, mines) in BOARDS {
        let game = Minesweeper::new(rows, cols, mines, FirstClick::Safe)?;
        for player in PLAYERS {
            let name = format!("minesweeper {rows}×{cols}/{mines}: {player}, one thread");
            let speed = games_per_second(&game, player, store, watch)?;
            results.push(Measurement::new(name, speed, "games/s"));
        }
    }
    results.extend(subgrids::measure(watch)?);
    results.extend(counting::measure()?);
    Ok(results)
}

fn games_per_second(
    game: &Minesweeper,
    player: &str,
    store: &Store,
    watch: Watch<'_>,
) -> Result<f64, WorkError> {
    const GAMES: u64 = 20;
    let factory = super::board(game.clone()).make_player(player, store, watch)?;
    let contestant = Contestant { name: player, make: &*factory };
    let mut outcome = Ok(());
    let speed = rate(|run| {
        let plan = MatchPlan { games: GAMES, seed: run as u64, threads: Some(1), ..MatchPlan::default() };
        if let Err(error) = run_match(game, &[contestant], &plan, &mut |_| {}, watch.stop_flag()) {
            outcome = Err(error);
        }
        GAMES
    });
    outcome?;
    Ok(speed)
}
