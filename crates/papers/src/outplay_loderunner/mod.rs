//! Our own study: the players of Lode Runner on generated levels, against every policy of the guards.

mod levels;

use crate::artefact::{Artefact, Paper};
use levels::{ALL_PLAYERS, PLANNER_BY_DIFFICULTY};
use outplay_core::Text;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-loderunner",
    title: Text::new("Lode Runner players side by side", "Les joueurs de Lode Runner côte à côte"),
    reference: Text::new(
        "A study of this project, of the system that the introduction of Bourdet & Abadie 2025 describes.",
        "Une étude de ce projet, du système que décrit l’introduction de Bourdet & Abadie 2025.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/outplay-loderunner/published.toml"),
    deviations: include_str!("../../../../papers/outplay-loderunner/deviations.md"),
    timed: &[],
    essay: None,
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "players",
            title: Text::new(
                "Every player against every policy of the guards",
                "Chaque joueur contre chaque stratégie des gardes",
            ),
            experiment: &ALL_PLAYERS,
        },
        Artefact {
            name: "difficulty",
            title: Text::new(
                "The planner on harder and harder levels",
                "Le planificateur sur des niveaux de plus en plus durs",
            ),
            experiment: &PLANNER_BY_DIFFICULTY,
        },
    ],
};

/// How the numbers are made.
const METHOD: &str = "\
Levels are generated, a new one for each game; each was proven to be finishable without guards, and leaves the \
runner a chance at the start. Game i of a row has the same level \
and the same guards' draws for every player. A game is won if the runner leaves with all the gold within 2000 turns; being caught, being buried \
and running out of time are losses. Players see the board and are not told which policy the guards follow.

Numbers: games won, in %, with Wilson's 95% interval.";
