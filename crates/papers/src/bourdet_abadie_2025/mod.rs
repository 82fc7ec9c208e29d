//! J. Bourdet, F. Abadie, *Compte rendu de projet : Algorithme 2, Minesweeper*, ENSSAT, Lannion, January 2025.
//!
//! Every placement of the mines that agrees with the numbers is counted: first one by one, then by groups of cells that
//! the same numbers touch, whose counts solve a linear system. The strategy unmasks a cell that is least likely
//! mined, ties at random. The document reports one worked example and no measurements.

mod boards;
mod cases;
mod example;
mod formula;
mod methods;
mod strategy;

use crate::artefact::{Artefact, Paper};
use cases::Cases;
use example::WorkedExample;
use formula::Formula;
use methods::Methods;
use outplay_core::Text;
use strategy::Strategy;

/// The document.
pub(super) const PAPER: Paper = Paper {
    slug: "bourdet-abadie-2025",
    title: Text::new(
        "Bourdet & Abadie 2025: the exact probabilities of Minesweeper",
        "Bourdet & Abadie 2025 : les probabilités exactes du démineur",
    ),
    reference: Text::new(
        "Julien Bourdet, Florian Abadie, Compte rendu de projet : Algorithme 2, Minesweeper, ENSSAT, Lannion, \
                January 2025.",
        "Julien Bourdet, Florian Abadie, Compte rendu de projet : Algorithme 2, Minesweeper, ENSSAT, Lannion, janvier 2025.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/bourdet-abadie-2025/published.toml"),
    deviations: include_str!("../../../../papers/bourdet-abadie-2025/deviations.md"),
    essay: None,
    timed: &[],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "example",
            title: Text::new("§2.3: the worked example", "§2.3 : l’exemple détaillé"),
            experiment: &WorkedExample,
        },
        Artefact {
            name: "cases",
            title: Text::new(
                "§2.2 and §2.3: cases to try, naïvely and by groups",
                "§2.2 et §2.3 : cas à essayer, naïvement et par groupes",
            ),
            experiment: &Cases,
        },
        Artefact {
            name: "formula",
            title: Text::new(
                "§2.3: what the printed formula leaves out",
                "§2.3 : ce que la formule imprimée oublie",
            ),
            experiment: &Formula,
        },
        Artefact {
            name: "strategy",
            title: Text::new("§2: how often the strategy wins", "§2 : combien de fois la stratégie gagne"),
            experiment: &Strategy,
        },
        Artefact {
            name: "methods",
            title: Text::new(
                "§2.2 and §2.3: the algorithms as players",
                "§2.2 et §2.3 : les algorithmes comme joueurs",
            ),
            experiment: &Methods,
        },
    ],
};

/// How our numbers are made.
const METHOD: &str = "\
The document describes a method and works one example; it measures nothing. So the example is compared with the document, \
and everything else is a measurement of what the document describes.

`exact` are the probabilities of the solver that this project plays by: the document's groups, and the ways to lay the \
remaining mines off the frontier. `printed` is the document's formula to the letter, ∏ C(group, mines of the group), \
which leaves those out; it is computed by code of its own.

Sampled boards: games of the document's strategy (by exact probabilities); from each game one board is drawn among those \
after the first cell: in `cases` among all of them, in `formula` among those on which nothing was certainly empty, where the \
probabilities decide. One board a game makes them independent.

Intervals are Wilson's for shares and Student's for means. Wins with the one and the other formula are counted in games with \
the same seeds.";
