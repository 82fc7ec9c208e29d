//! Our own study: how well the players of Push-over play, measured against the exact solution of the 4×4 board.

mod keepers;
mod problems;
mod report;

use crate::artefact::{Artefact, Paper};
use keepers::Keepers;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-pushover",
    title: "Push-over measured against perfect play",
    reference: "A study of this project. The 4×4 game is solved exactly (`outplay solve pushover`), so a move is either \
                a mistake or it is not.",
    method: METHOD,
    published: include_str!("../../../../../papers/outplay-pushover/published.toml"),
    deviations: include_str!("../../../../../papers/outplay-pushover/deviations.md"),
    artefacts: &[Artefact {
        name: "keepers",
        title: "Who keeps the value of the game",
        experiment: &Keepers,
    }],
};

/// How the numbers are made.
const METHOD: &str = "\
Positions: games of the expert e2 against itself that begin with four random plies and in which every later move is, \
with a chance of one in four, a random one. From each game one position is drawn among those, after the opening, whose \
value can be lost: some legal moves keep the exact value (win or draw) and some do not. One position a game makes them \
independent. Every player is asked once in each position, knowing nothing of the past; the limit of 50 plies, which is \
no part of the exact solution, is not in force there.

Games: each player against `perfect`, which never gives away a result, wins as fast and loses as slowly as possible. \
Games come in pairs from the same four random plies, seats swapped, and 50 plies are a draw. Nobody can expect more \
than half of the points; `perfect` against itself gives exactly that.

Names: e1 and e2 are the expert at one and two levels, r1 to r*2 the networks of `mueller-1992` (several of them, each \
taught anew; r sees no end of the game, r* does), the others are written as on the command line. The interval of a \
share is Wilson's; that of several networks is Student's over their shares, at least Wilson's. The interval of a score is that of \
the pairs, and leaves the spread between networks out.";
