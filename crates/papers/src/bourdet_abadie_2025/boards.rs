//! The boards on which the document's method is measured.

use outplay_core::{Game, Player, Rng, Turn};
use outplay_games::minesweeper::groups::GroupsPlayer;
use outplay_games::minesweeper::{FirstClick, Minesweeper, Solver, VisibleBoard};
use serde::Serialize;

use outplay_lab::LabError;

/// A size of board with its mines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) mines: usize,
}

/// The usual ones.
pub(super) const USUAL: [Board; 3] = [
    Board { rows: 10, cols: 10, mines: 10 },
    Board { rows: 16, cols: 16, mines: 40 },
    Board { rows: 16, cols: 30, mines: 99 },
];

impl Board {
    pub(super) fn name(self) -> String {
        format!("{}×{}/{}", self.rows, self.cols, self.mines)
    }

    /// The game on it, with a first cell that is never a mine.
    pub(super) fn game(self) -> Result<Minesweeper, LabError> {
        let game = Minesweeper::new(self.rows, self.cols, self.mines, FirstClick::Safe);
        game.map_err(|fault| LabError::refused(fault.to_string()))
    }

    /// So many boards of this kind, each from a game of its own; games without one are passed over.
    pub(super) fn sample(self, kind: Kind, count: usize, seed: u64) -> Result<Vec<VisibleBoard>, LabError> {
        let (game, mut player) = (self.game()?, GroupsPlayer::new());
        let boards =
            (0..).filter_map(|number| draw(kind, &game, &mut player, &mut Rng::stream(seed, number)));
        Ok(boards.take(count).collect())
    }
}

/// Which boards of a game, after the first cell, are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// All of them.
    Any,
    /// Those on which nothing is certainly empty.
    Guess,
}

/// One of the boards of a game that the document's strategy plays.
fn draw(kind: Kind, game: &Minesweeper, player: &mut GroupsPlayer, rng: &mut Rng) -> Option<VisibleBoard> {
    let (mut state, mut solver, mut boards) = (game.start(rng), Solver::new(), Vec::new());
    while game.outcome(&state).is_none() {
        let seen = game.view(&state);
        let mut is_guess = || solver.solve(seen).is_ok_and(|known| known.safe().is_empty());
        if seen.score() > 0 && (kind == Kind::Any || is_guess()) {
            boards.push(seen.clone());
        }
        let mv = player.choose(seen, &mut Turn::new(rng));
        game.play(&mut state, mv);
    }
    (!boards.is_empty()).then(|| boards.swap_remove(rng.below(boards.len())))
}
