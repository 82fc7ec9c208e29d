//! What every game with an exact solution can do with it: `solve`, and the player `perfect`.
//!
//! Law: the oracle knows nothing of the referee's limit of length; answers do.

use std::sync::Arc;

use outplay_core::{Game, Oracle, Position, PositionNotation, Value};
use outplay_players::Perfect;

use super::{Answer, Factory, Facts, Hire, Listing, MoveAnswer, PlayerEntry, Worth};
use crate::error::LabError;
use crate::spec::Spec;

/// How much of an endless line is shown.
const DRAWN_LINE: u32 = 16;

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
        MoveAnswer { mv: position.write_move(mv), value, distance }
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

/// `perfect`, hired by the game.
pub(crate) fn perfect_player<G: Game>(hire: Hire<G>) -> PlayerEntry<G> {
    PlayerEntry {
        listing: Listing { name: "perfect", summary: "plays from the exact solution", params: Vec::new() },
        hire,
    }
}

/// Makes `perfect`, if the user wrote no parameters, from the oracle that the game has.
pub(crate) fn hire_perfect<P: Position, O: Oracle<P> + ?Sized + 'static>(
    spec: &Spec,
    oracle: impl FnOnce() -> Result<Arc<O>, LabError>,
) -> Result<Factory<P>, LabError> {
    spec.resolve("player 'perfect'", &[])?;
    let oracle = oracle()?;
    Ok(Arc::new(move || Box::new(Perfect::new(Arc::clone(&oracle)))))
}
