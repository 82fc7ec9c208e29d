//! What cannot be done with a board of Minesweeper.

use outplay_core::errors;

errors! {
    /// Why something cannot be done with a board.
    pub enum MinesweeperError {
        NothingToSolve =
            "guess=no leaves nothing to be solved: expected guess=yes"
            | "guess=no ne laisse rien à résoudre : attendu guess=yes",
        NoPlacement =
            "no placement of the mines agrees with the numbers"
            | "aucune disposition des mines ne s’accorde avec les chiffres",
    }
}
