//! How the network for the full board was trained: 9×9, ten walls each, by self-play.
//!
//! `models/README.md` gives the same command.

/// Games that the network which comes with the program learnt from.
pub const GAMES: u64 = 150_000;

/// The parameters of `td-lambda` for this many games.
pub fn parameters(games: u64) -> String {
    format!("games={games},{PARAMETERS}")
}

/// As for the tournament, but with many random moves to the end: a network that meets its own best moves only comes to call
/// won games won wherever it goes, and then walks to and fro in them.
const PARAMETERS: &str =
    "encoding=ways,hidden=80,alpha=0.1,alpha-end=0.01,eps=0.3,eps-end=0.2,lambda=0.7,deviation=0.1";
