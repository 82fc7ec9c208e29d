//! The exact value of tiny boards: the player, and what `solve` answers.

use std::sync::Arc;

use outplay_core::Notation;
use outplay_games::minesweeper::optimal::{self, NoExactValue, Optimal, OptimalSolution};
use outplay_games::minesweeper::{Action, FirstClick, Minesweeper, MinesweeperState};
use serde_json::json;

use crate::error::LabError;
use crate::registry::{Answer, MoveAnswer, PlayerDef, Worth};
use crate::store::Store;
use outplay_runtime::{Progress, Watch};

/// The player that wins as often as possible.
pub(super) fn player() -> PlayerDef<Minesweeper> {
    PlayerDef::new("optimal", "wins as often as anyone can, on tiny boards", Vec::new(), |request| {
        let book = book(request.game, request.store, request.watch)?;
        Ok(Arc::new(move || Box::new(Optimal::new(Arc::clone(&book)))))
    })
}

/// Whether the best play from this state can be found.
pub(super) fn can_solve(game: &Minesweeper, state: &MinesweeperState) -> bool {
    if state.seen().score() == 0 {
        return !game.is_provable() && optimal::is_solvable(game);
    }
    optimal::is_small(game)
}

/// The solution of a game, from the store or made on the spot.
fn book(game: &Minesweeper, store: &Store, watch: Watch<'_>) -> Result<Arc<OptimalSolution>, LabError> {
    if game.is_provable() {
        return Err(LabError::refused("guess=no leaves nothing to be solved: expected guess=yes"));
    }
    let first = match game.first() {
        FirstClick::Any => "any",
        FirstClick::Safe => "safe",
        FirstClick::Zero => "zero",
    };
    let (rows, cols, mines) = (game.rows(), game.cols(), game.mines());
    let name = format!("tables/minesweeper-{rows}x{cols}-{mines}-{first}.bin");
    watch.show(Progress { task: "solving", done: 0, total: 1, unit: "boards" });
    let build = || OptimalSolution::solve(game, watch.stop_flag()).map_err(refusal);
    store.keep(&name, |bytes| OptimalSolution::from_bytes(game, bytes), OptimalSolution::to_bytes, build)
}

fn refusal(fault: NoExactValue) -> LabError {
    match fault {
        NoExactValue::Stopped => LabError::Stopped,
        fault => LabError::refused(fault.to_string()),
    }
}

/// The chance to win by the best play, for each cell that it may begin with.
pub(super) fn answer(
    game: &Minesweeper,
    state: &MinesweeperState,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Answer, LabError> {
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
