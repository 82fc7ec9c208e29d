//! The exact value of tiny boards: the player, and what `solve` answers.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::{Notation, Text};
use outplay_games::minesweeper::optimal::{self, NoExactValue, Optimal, OptimalSolution};
use outplay_games::minesweeper::{Action, Minesweeper, MinesweeperState};
use serde_json::json;

use super::MinesweeperError;
use crate::params;
use crate::params::ParamType;
use crate::registry::{Answer, MoveAnswer, PlayerDef, Worth};
use crate::store::{Solvable, Store};
use outplay_runtime::{Progress, Watch};

/// The player that wins as often as possible.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    PlayerDef::new(
        "optimal",
        Text::new(
            "wins as often as anyone can, on tiny boards",
            "gagne aussi souvent qu’il est possible, sur de tout petits plateaux",
        ),
        OptimalParams {},
        |request, _| {
            let book = book(request.game, request.store, request.watch)?;
            Ok(Arc::new(move || Box::new(Optimal::new(Arc::clone(&book)))))
        },
    )
}

/// The MiB that the largest solution takes.
const SOLUTION_MEMORY: u32 = 200;

params! {
    /// A player that needs nothing but its solution.
    struct OptimalParams {
    }
    memory |_params| SOLUTION_MEMORY
}

/// Whether the best play from this state can be found.
pub(super) fn can_solve(game: &Minesweeper, state: &MinesweeperState) -> bool {
    if state.seen().score() == 0 {
        return !game.is_provable() && optimal::is_solvable(game);
    }
    optimal::is_small(game)
}

/// The solution of a game, from the store or made on the spot.
fn book(game: &Minesweeper, store: &Store, watch: Watch<'_>) -> Result<Arc<OptimalSolution>, WorkError> {
    if game.is_provable() {
        return Err(MinesweeperError::NothingToSolve.into());
    }
    let first = game.first().write();
    let (rows, cols, mines) = (game.rows(), game.cols(), game.mines());
    let name = format!("tables/minesweeper-{rows}x{cols}-{mines}-{first}.bin");
    let task = format!("solving Minesweeper {rows}×{cols}/{mines}");
    let what = Solvable { name: &name, task: &task, mebibytes: SOLUTION_MEMORY, watch };
    watch.show(Progress { task: &task, done: 0, total: 1, unit: "boards" });
    let build = || OptimalSolution::solve(game, watch.stop_flag()).map_err(refusal);
    store.keep_solution(
        what,
        |bytes| OptimalSolution::from_bytes(game, bytes),
        OptimalSolution::to_bytes,
        build,
    )
}

fn refusal(fault: NoExactValue) -> WorkError {
    match fault {
        NoExactValue::Stopped => WorkError::Stopped,
        fault => fault.into(),
    }
}

/// The chance to win by the best play, for each cell that it may begin with.
pub(super) fn answer(
    game: &Minesweeper,
    state: &MinesweeperState,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Answer, WorkError> {
    let seen = state.seen();
    // A board in the middle of a game has fewer placements than the whole game.
    let book =
        if seen.score() == 0 { book(game, store, watch)? } else { Arc::new(OptimalSolution::empty(game)) };
    let worths = book.win_counts(seen, watch.stop_flag()).map_err(refusal)?;
    let best = worths[0].1;
    let counts = [("placements", json!(best.of)), ("placements_won", json!(best.won))];
    Ok(Answer {
        value: Worth::Chance(best.chance()),
        distance: None,
        moves: worths
            .iter()
            .map(|(cell, worth)| MoveAnswer {
                mv: cell.to_string(),
                touches: game.touches(Action::Unmask(*cell)),
                value: Worth::Chance(worth.chance()),
                distance: None,
            })
            .collect(),
        line: Vec::new(),
        counts: counts.map(|(name, count)| (name.to_owned(), count)).into_iter().collect(),
    })
}
