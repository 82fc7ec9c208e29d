//! The boards on which the document's method is measured.

use outplay_core::{Game, Player, Rng, Turn};
use outplay_games::minesweeper::groups::GroupsPlayer;
use outplay_games::minesweeper::{FirstClick, Minesweeper, Solver, VisibleBoard};
use outplay_runtime::WorkError;
use serde::Serialize;

/// The size of a board and its number of mines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct BoardSize {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) mines: usize,
}

/// The usual boards.
pub(super) const USUAL: [BoardSize; 3] = [
    BoardSize { rows: 10, cols: 10, mines: 10 },
    BoardSize { rows: 16, cols: 16, mines: 40 },
    BoardSize { rows: 16, cols: 30, mines: 99 },
];

impl BoardSize {
    pub(super) fn name(self) -> String {
        format!("{}×{}/{}", self.rows, self.cols, self.mines)
    }

    /// The game on it, with a first cell that is never a mine.
    pub(super) fn game(self) -> Result<Minesweeper, WorkError> {
        Ok(Minesweeper::new(self.rows, self.cols, self.mines, FirstClick::Safe)?)
    }

    /// Draws this many boards of this kind, each from its own game; games without one are skipped.
    pub(super) fn sample(
        self,
        kind: BoardSelection,
        count: usize,
        seed: u64,
    ) -> Result<Vec<VisibleBoard>, WorkError> {
        let (game, mut player) = (self.game()?, GroupsPlayer::new());
        let boards =
            (0..).filter_map(|number| draw(kind, &game, &mut player, &mut Rng::stream(seed, number)));
        Ok(boards.take(count).collect())
    }
}

/// Which boards of a game, after the first cell, are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BoardSelection {
    /// All of them.
    Any,
    /// Those on which nothing is certainly empty.
    Guess,
}

/// One of the boards of a game that the document's strategy plays.
fn draw(
    kind: BoardSelection,
    game: &Minesweeper,
    player: &mut GroupsPlayer,
    rng: &mut Rng,
) -> Option<VisibleBoard> {
    let (mut state, mut solver, mut boards) = (game.start(rng), Solver::new(), Vec::new());
    while game.outcome(&state).is_none() {
        let seen = game.view(&state);
        let mut is_guess = || solver.solve(seen).is_ok_and(|known| known.safe().is_empty());
        if seen.score() > 0 && (kind == BoardSelection::Any || is_guess()) {
            boards.push(seen.clone());
        }
        let mv = player.choose(seen, &mut Turn::new(rng));
        game.play(&mut state, mv);
    }
    (!boards.is_empty()).then(|| boards.swap_remove(rng.below(boards.len())))
}
