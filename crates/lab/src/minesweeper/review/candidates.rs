//! Which cells a guess is held against.

use std::cmp::Ordering;

use outplay_core::{Rng, Seat, Turn, View};
use outplay_games::minesweeper::{Action, BoardCell, MinesweeperState, Probabilities, VisibleBoard};

use crate::registry::PlayerFactory;

/// How many cells are tried beside the played one.
const OTHERS: usize = 5;

/// The played move first, then what the player who plays on would do, then what is least likely mined; of several
/// cells, those with fewer neighbours. On an untouched board a corner, an edge and the centre stand for all.
pub(super) fn of(
    state: &MinesweeperState,
    played: Action,
    known: &Probabilities,
    player: &PlayerFactory<VisibleBoard>,
    seed: u64,
) -> Vec<Action> {
    let seen = state.seen();
    let mut all = vec![played, advised(seen, player, seed)];
    all.extend(if state.mines().is_none() { typical(seen) } else { least_likely(seen, known) });
    let mut candidates: Vec<Action> = Vec::new();
    for action in all {
        if !candidates.contains(&action) && seen.is_legal(action) && candidates.len() <= OTHERS {
            candidates.push(action);
        }
    }
    candidates
}

fn advised(seen: &VisibleBoard, player: &PlayerFactory<VisibleBoard>, seed: u64) -> Action {
    let mut player = player();
    player.new_game(Seat::First);
    player.choose(seen, &mut Turn::new(&mut Rng::new(seed)))
}

fn typical(seen: &VisibleBoard) -> Vec<Action> {
    let (row, col) = ((seen.rows() - 1) / 2, (seen.cols() - 1) / 2);
    [BoardCell::new(0, 0), BoardCell::new(0, col), BoardCell::new(row, col)].map(Action::Unmask).to_vec()
}

fn least_likely(seen: &VisibleBoard, known: &Probabilities) -> Vec<Action> {
    let mut cells: Vec<(f64, usize, BoardCell)> = seen
        .masked()
        .iter()
        .map(|cell| (known.of(cell).unwrap_or(1.0), seen.neighbours(cell).count(), cell))
        .collect();
    let order = |a: &(f64, usize, BoardCell), b: &(f64, usize, BoardCell)| -> Ordering {
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
    };
    cells.sort_by(order);
    cells.into_iter().take(2 * OTHERS).map(|(_, _, cell)| Action::Unmask(cell)).collect()
}
