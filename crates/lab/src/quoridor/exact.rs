//! Exact values of small boards: how large a board may be, where its table is kept, what it holds.
//!
//! A board that is too large is refused before any work.

use std::sync::Arc;

use outplay_core::{PositionNotation, Referee, Text, errors};
use outplay_games::quoridor::{Cells, Quoridor};
use outplay_players::staged::{StagedSolution, StagedSolveError};

use crate::params::USUAL_MEMORY;
use crate::registry::Facts;
use crate::store::{Solvable, Store};
use outplay_runtime::{Progress, Watch, WorkError};

errors! {
    /// Why a board is not solved.
    pub enum QuoridorSolutionError {
        TooLarge { size: u8, white: u8, black: u8, bytes: Text, most: Text } =
            "quoridor {size}×{size} with {white} and {black} walls in hand is too large to be solved: \
             its table would take about {bytes} bytes, expected at most {most} (such as size=5,walls=3)"
            | "quoridor {size}×{size} avec {white} et {black} murs en main est trop grand pour être résolu : \
               sa table prendrait environ {bytes} octets, attendu {most} au plus (par exemple size=5,walls=3)",
        NotSolved { position: String, reason: StagedSolveError } =
            "'{position}' is not solved: {reason}" | "« {position} » n’est pas résolu : {reason}",
    }
}

/// The largest table, in bytes.
const LARGEST: f64 = (4u64 << 30) as f64;

/// How much more than a table may be in memory while it is made, and how far its size may be underestimated.
const PEAK: f64 = 3.0;

/// The largest table that is written to the data directory.
const LARGEST_KEPT: f64 = (1u64 << 30) as f64;

/// The MiB that a table of so many bytes may come to take while it is made.
fn memory_of(places: f64) -> u32 {
    (PEAK * places / f64::from(1 << 20)) as u32 + USUAL_MEMORY
}

/// Whether all positions that may follow this one can be solved.
pub fn is_solvable<C: Cells>(start: &Quoridor<C>) -> bool {
    start.estimated_places() <= LARGEST
}

/// The exact values of all positions that may follow this one, from the store or made on the spot.
pub fn solution<C: Cells>(
    start: &Quoridor<C>,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Arc<StagedSolution<Quoridor<C>>>, WorkError> {
    if !is_solvable(start) {
        return Err(too_large(start).into());
    }
    let task = format!("solving Quoridor {0}×{0}", start.size());
    // A stage is what walls make of the board, images counted once.
    let show = |done, total| watch.show(Progress { task: &task, done, total, unit: "boards" });
    let build = || {
        StagedSolution::solve(start, &show, watch.stop_flag()).map_err(|unsolved| match unsolved {
            StagedSolveError::Stopped => WorkError::Stopped,
            StagedSolveError::TooFar { .. } => {
                QuoridorSolutionError::NotSolved { position: start.write(), reason: unsolved }.into()
            }
        })
    };
    let (name, places) = (file(start), start.estimated_places());
    let what = Solvable { name: &name, task: &task, mebibytes: memory_of(places), watch };
    if places > LARGEST_KEPT {
        return store.solve(what, build);
    }
    store.keep_solution(
        what,
        |bytes| StagedSolution::from_bytes(start, bytes).ok(),
        StagedSolution::to_bytes,
        build,
    )
}

/// The exact values of a game, or of this position of it where the whole game is too large.
pub(super) fn around<C: Cells>(
    game: &Referee<Quoridor<C>>,
    position: &Quoridor<C>,
    store: &Store,
    watch: Watch<'_>,
) -> Result<Arc<StagedSolution<Quoridor<C>>>, WorkError> {
    let start = if is_solvable(&game.start) { &game.start } else { position };
    solution(start, store, watch)
}

fn too_large<C: Cells>(start: &Quoridor<C>) -> QuoridorSolutionError {
    let setup = start.setup();
    let [white, black] = setup.in_hand;
    let (bytes, most) = (scientific(start.estimated_places()), scientific(LARGEST));
    QuoridorSolutionError::TooLarge { size: setup.size, white, black, bytes, most }
}

/// A large number in two digits and its magnitude.
fn scientific(number: f64) -> Text {
    let text = format!("{number:.1e}");
    Text { fr: text.replace('.', ",").into(), en: text.into() }
}

/// Where the table of a start is kept: `tables/quoridor-5-1-1-b2h.bin`, by size, walls in hand and walls on the board.
fn file<C: Cells>(start: &Quoridor<C>) -> String {
    let (setup, text) = (start.setup(), start.write());
    let walls: String = text.split_whitespace().skip(4).map(|wall| format!("-{wall}")).collect();
    format!("tables/quoridor-{}-{}-{}{walls}.bin", setup.size, setup.in_hand[0], setup.in_hand[1])
}

/// What the whole table holds.
pub(super) fn counts<C: Cells>(solution: &StagedSolution<Quoridor<C>>) -> Facts {
    let value_counts = solution.value_counts();
    let mut counts = Facts::new();
    let positions = serde_json::json!({
        "all": value_counts.unfinished(),
        "wins": value_counts.wins,
        "losses": value_counts.losses,
        "draws": value_counts.draws,
        "longest_win": value_counts.longest.as_ref().map(|longest| longest.plies),
        "longest_win_position": value_counts.longest.as_ref().map(|longest| longest.example.write()),
    });
    counts.insert("positions".into(), positions);
    counts.insert("finished_positions".into(), value_counts.finished.into());
    counts.insert("arrangements_of_walls".into(), solution.stages().into());
    counts.insert("table_bytes".into(), solution.size().into());
    counts
}

#[cfg(test)]
mod tests {
    use outplay_games::quoridor::{LargeQuoridor, SmallQuoridor};

    use super::*;

    #[test]
    fn the_estimate_is_close() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        for (size, walls) in [(3, 2), (4, 2), (5, 1)] {
            let start = SmallQuoridor::start(size, walls).unwrap();
            let solved = solution(&start, &store, Watch::nobody()).unwrap().size() as f64;
            let estimate = start.estimated_places();
            // Stages that are their own image stand for fewer than four.
            assert!(
                solved < 1.5 * estimate && estimate < 1.5 * solved,
                "{size}/{walls}: {solved} {estimate}"
            );
        }
        assert!(folder.path().join("tables/quoridor-5-1-1.bin").exists());
        assert!(
            is_solvable(&SmallQuoridor::start(5, 3).unwrap())
                && is_solvable(&LargeQuoridor::start(9, 0).unwrap())
        );
        assert!(
            !is_solvable(&LargeQuoridor::start(9, 10).unwrap())
                && !is_solvable(&SmallQuoridor::start(8, 3).unwrap())
        );
    }
}
