//! The best AI for the document's tournament (§4.3) that we know how to train: 5×5, three walls each, unattended.
//!
//! What is trained is an ordinary run of a method of self-play, so it can be stopped, resumed and made again by
//! `train`; `docs/methods/self-play.md` says how its parameters were found.

/// The tournament's game.
pub const BOARD: &str = "quoridor:size=5,walls=3";

/// The method with its parameters for this many games.
pub fn method(games: u64) -> String {
    format!("td-lambda:games={games},{PARAMETERS},depth=5")
}

const PARAMETERS: &str =
    "encoding=ways,hidden=80,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.05,lambda=0.7,deviation=0.1";
