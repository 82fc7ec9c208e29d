//! Our own study: how strong the players of Quoridor are on the real board, and what self-play makes of it.

mod lists;
mod matches;
mod nine;

use crate::artefact::{Artefact, Paper};
use lists::{LEVELS, METHODS, NETWORK, TOURNOI, WEIGHTS};
use nine::NINE;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-quoridor",
    title: "Quoridor players side by side",
    reference: "A study of this project: the real board of 9×9 with ten walls, and the tournament board of INFO-F-106.",
    method: METHOD,
    published: include_str!("../../../../papers/outplay-quoridor/published.toml"),
    deviations: include_str!("../../../../papers/outplay-quoridor/deviations.md"),
    timed: &["levels"],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "methods",
            title: "Alpha-beta and Monte-Carlo tree search on 9×9",
            experiment: &METHODS,
        },
        Artefact { name: "weights", title: "What a wall is worth on 9×9", experiment: &WEIGHTS },
        Artefact { name: "levels", title: "The levels of the expert on 9×9", experiment: &LEVELS },
        Artefact {
            name: "tournoi",
            title: "The tournament's AI on 5×5 with three walls",
            experiment: &TOURNOI,
        },
        Artefact { name: "nine", title: "9×9 learnt by self-play", experiment: &NINE },
        Artefact { name: "network", title: "The network of 9×9 against searches", experiment: &NETWORK },
    ],
};

/// How the numbers are made.
const METHOD: &str = "\
Matches are those of `outplay match`: pairs of games from the same random moves with colours swapped, a draw half a point. The \
score is the share of points of the first-named player; its 95% interval is that of the pairs and counts no game twice.";
