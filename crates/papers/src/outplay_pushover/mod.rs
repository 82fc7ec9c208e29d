//! Our own study: how well the players of Push-over play, measured against the exact solution of the 4×4 board.

mod keepers;
mod problems;
mod report;
mod row;
mod selftaught;

use crate::artefact::{Artefact, Paper};
use keepers::Keepers;
use outplay_core::Text;
use selftaught::SelfTaught;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-pushover",
    title: Text::new("Push-over measured against perfect play", "Push-over mesuré au jeu parfait"),
    reference: Text::new(
        "A study of this project. The 4×4 game is solved exactly (`outplay solve pushover`), so a move is either \
                a mistake or it is not.",
        "Une étude de ce projet. Le jeu 4×4 est résolu exactement (`outplay solve pushover`) : un coup est une erreur ou ne l’est pas.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/outplay-pushover/published.toml"),
    deviations: include_str!("../../../../papers/outplay-pushover/deviations.md"),
    essay: None,
    timed: &[],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "keepers",
            title: Text::new("Who keeps the value of the game", "Qui garde la valeur de la partie"),
            experiment: &Keepers,
        },
        Artefact {
            name: "selftaught",
            title: Text::new(
                "A player without an expert, as Müller wished for it",
                "Un joueur sans expert, comme Müller le souhaitait",
            ),
            experiment: &SelfTaught,
        },
    ],
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
taught anew; r sees no end of the game, r* does), the others are written as on the command line.

Intervals: they say what other positions, games and networks of the same kind would give. The interval of one player's \
share is Wilson's. All networks are asked about the same positions, so their share varies with the networks and with the \
positions, and its variance is A/k + B/n − E/kn: A is the variance of the k networks' shares, B that of the n positions' \
shares, E the mean square of what neither explains; the interval is Student's with the degrees of freedom of the \
scarcer of the two. A pupil and its master are compared position by position, by the same formula for the differences. \
The interval of a score is that of the pairs; that of several networks, each with openings of its own, is Student's over \
their scores, at least that of all pairs.";
