//! Our own study: how strong the players of Quoridor are on the real board, and what self-play makes of it.

mod lists;
mod matches;
mod nine;

use crate::artefact::{Artefact, Paper};
pub(crate) use matches::{ListedMatch, ListedMatchResult, MatchSide, play_listed};

use lists::{LEVELS, METHODS, NETWORK, TOURNOI, WEIGHTS};
use nine::NINE;
use outplay_core::Text;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-quoridor",
    title: Text::new("Quoridor players side by side", "Les joueurs de Quoridor côte à côte"),
    reference: Text::new(
        "A study of this project: the real board of 9×9 with ten walls, and the tournament board of INFO-F-106.",
        "Une étude de ce projet : le vrai plateau de 9×9 avec dix murs, et le plateau du tournoi d’INFO-F-106.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/outplay-quoridor/published.toml"),
    deviations: include_str!("../../../../papers/outplay-quoridor/deviations.md"),
    essay: None,
    timed: &["levels"],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "methods",
            title: Text::new(
                "Alpha-beta and Monte-Carlo tree search on 9×9",
                "Alpha-bêta et recherche de Monte-Carlo sur 9×9",
            ),
            experiment: &METHODS,
        },
        Artefact {
            name: "weights",
            title: Text::new("What a wall is worth on 9×9", "Ce que vaut un mur sur 9×9"),
            experiment: &WEIGHTS,
        },
        Artefact {
            name: "levels",
            title: Text::new("The levels of the expert on 9×9", "Les niveaux de l’expert sur 9×9"),
            experiment: &LEVELS,
        },
        Artefact {
            name: "tournoi",
            title: Text::new(
                "The tournament's AI on 5×5 with three walls",
                "L’IA du tournoi sur 5×5 avec trois murs",
            ),
            experiment: &TOURNOI,
        },
        Artefact {
            name: "nine",
            title: Text::new("9×9 learnt by self-play", "9×9 appris en jouant contre soi-même"),
            experiment: &NINE,
        },
        Artefact {
            name: "network",
            title: Text::new("The network of 9×9 against searches", "Le réseau de 9×9 contre des recherches"),
            experiment: &NETWORK,
        },
    ],
};

/// How the numbers are made.
const METHOD: &str = "\
Matches are those of `outplay match`: pairs of games from the same random moves with colours swapped, a draw half a point. The \
score is the share of points of the first-named player; its 95% interval is that of the pairs and counts no game twice.";
