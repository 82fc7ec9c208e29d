//! How the network for the real board was taught: 9×9, ten walls each, by games against itself.
//!
//! Law: `models/README.md` gives the same command.

/// Games that the network which comes with the program learnt from.
pub const GAMES: u64 = 600_000;

/// The parameters of `td-lambda` for so many games.
pub fn parameters(games: u64) -> String {
    format!("games={games},{PARAMETERS}")
}

const PARAMETERS: &str =
    "encoding=ways,hidden=80,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.05,lambda=0.7,deviation=0.1";
