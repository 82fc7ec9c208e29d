//! What every open game with an exact solution can do with it: `solve`, and the player `perfect`.
//!
//! The exact values know nothing of the referee's limit of length; the answers take it into account.

use outplay_runtime::WorkError;
use std::sync::Arc;

use outplay_core::{Oracle, Position, PositionNotation, Referee, Text, Value, errors};
use outplay_players::{Perfect, ReachableError, ReachableSolution};

use super::board::{PlayerDef, PlayerRequest};
use super::{Answer, Facts, MoveAnswer, Worth};
use crate::store::{Solvable, Store};
use outplay_runtime::{Progress, Watch};

errors! {
    /// Why a position is not solved.
    pub enum SolverError {
        TooFar { position: String } =
            "'{position}' is too far from its end to be solved" | "« {position} » est trop loin de la fin pour être résolu",
        TooLarge { reason: ReachableError } =
            "the board is too large to be solved: {reason}" | "le plateau est trop grand pour être résolu : {reason}",
    }
}

/// How much of an endless line is shown.
const DRAWN_LINE: u32 = 16;

/// The most moves that all positions together may have where a game is solved by listing them all, and does not say how many it has.
pub(crate) const MOST_MOVES: usize = 10_000_000;
/// The bytes that a move takes while such a game is solved, with its share of a position.
const BYTES_PER_MOVE: usize = 107;

/// The exact values of all positions that can follow this one, found by listing them: for games with so few moves in all.
pub(crate) fn exhaustive_solution<P: PositionNotation>(
    start: &P,
    most_moves: usize,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Arc<ReachableSolution<P>>, WorkError> {
    const TASK: &str = "solving the game";
    let show = |found| watch.show(Progress { task: TASK, done: found, total: found, unit: "positions" });
    let name = format!("all positions from {} of {}", start.write(), std::any::type_name::<P>());
    let mebibytes = 1 + ((most_moves * BYTES_PER_MOVE) >> 20) as u32;
    let what = Solvable { name: &name, task: TASK, mebibytes, watch };
    store.solve(what, || {
        ReachableSolution::solve(start, most_moves, &show, watch.stop_flag()).map_err(|error| match error {
            ReachableError::Stopped => WorkError::Stopped,
            ReachableError::TooLarge { .. } => SolverError::TooLarge { reason: error }.into(),
        })
    })
}

/// How many positions an exhaustive solution has, by their values.
pub(super) fn exhaustive_counts<P: Position>(solution: &ReachableSolution<P>) -> Facts {
    let (mut finished, [mut wins, mut losses, mut draws]) = (0_u64, [0_u64; 3]);
    for (position, value) in solution.each() {
        match value {
            _ if position.outcome().is_some() => finished += 1,
            Value::Win(_) => wins += 1,
            Value::Loss(_) => losses += 1,
            Value::Draw => draws += 1,
        }
    }
    let all = wins + losses + draws;
    let positions = serde_json::json!({ "all": all, "wins": wins, "losses": losses, "draws": draws });
    Facts::from_iter([("positions".into(), positions), ("finished_positions".into(), finished.into())])
}

/// The answer for a position of a game that is drawn after so many more plies.
pub(crate) fn exact_answer<P: PositionNotation>(
    oracle: &impl Oracle<P>,
    position: &P,
    plies_left: Option<u32>,
    counts: Facts,
) -> Answer {
    let mut moves = oracle.moves(position);
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value.within(plies_left).score()));
    let moves = moves.into_iter().map(|(mv, value)| {
        let (value, distance) = words(value.within(plies_left));
        MoveAnswer { mv: position.write_move(mv), touches: position.touches(mv), value, distance }
    });
    let (value, distance) = words(oracle.value(position).within(plies_left));
    // A draw by the limit goes on as if there were none, until it is reached.
    let shown = distance.unwrap_or(plies_left.map_or(DRAWN_LINE, |left| left.min(DRAWN_LINE)));
    let line = oracle.principal_variation(position, shown as usize);
    Answer {
        value,
        distance,
        moves: moves.collect(),
        line: line.into_iter().map(|mv| position.write_move(mv)).collect(),
        counts,
    }
}

const fn words(value: Value) -> (Worth, Option<u32>) {
    match value {
        Value::Win(plies) => (Worth::Result("win"), Some(plies)),
        Value::Loss(plies) => (Worth::Result("loss"), Some(plies)),
        Value::Draw => (Worth::Result("draw"), None),
    }
}

/// `perfect`, over the exact values that `oracle` gives.
pub(super) fn perfect_player<P: Position, O: Oracle<P> + 'static>(
    oracle: impl Fn(&PlayerRequest<'_, Referee<P>>) -> Result<Arc<O>, WorkError> + Send + Sync + 'static,
) -> PlayerDef<Referee<P>> {
    PlayerDef::new(
        "perfect",
        Text::new("plays from the exact solution", "joue d’après la solution exacte"),
        (),
        move |request, ()| {
            let oracle = oracle(request)?;
            Ok(Arc::new(move || Box::new(Perfect::new(Arc::clone(&oracle)))))
        },
    )
}
