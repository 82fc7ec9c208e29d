//! J. De Boeck, G. Joret, C. Nachtegael, A. Pollaris, C. Ternon, *INFO-F-106 : Projet d'informatique. Une intelligence
//! artificielle pour Quoridor*, Université libre de Bruxelles, version of 28 March 2019.
//!
//! A course: learn Quoridor from its rules alone, first with a table on boards without walls in hand, then with a network
//! that plays against itself, then with variants of one's own. It asks for one graph (§2.8), suggests comparisons (part 4,
//! footnote 3) and gives no measurements.

mod competition;
pub(super) mod graph;
mod readings;
mod report;
pub(super) mod study;
mod tables;
mod variants;

use crate::artefact::{Artefact, Paper};
use competition::Competition;
use graph::{ENCODINGS, GRAPH};
use outplay_core::Text;
use readings::{OPPONENTS, START_COLUMNS, TRACES};
use tables::{COURSE_BOARDS, OUR_BOARDS};
use variants::{ACTIVATIONS, DEVIATION, VARIANTS};

/// The document.
pub(super) const PAPER: Paper = Paper {
    slug: "info-f-106-2019",
    title: Text::new(
        "INFO-F-106 2019: Quoridor learnt by self-play",
        "INFO-F-106 2019 : Quoridor appris en jouant contre soi-même",
    ),
    reference: Text::new(
        "Jérôme De Boeck, Gwenaël Joret, Charlotte Nachtegael, Arnaud Pollaris, Cédric Ternon, INFO-F-106 : Projet \
                d'informatique. Une intelligence artificielle pour Quoridor, Université libre de Bruxelles, 28 March 2019.",
        "Jérôme De Boeck, Gwenaël Joret, Charlotte Nachtegael, Arnaud Pollaris, Cédric Ternon, INFO-F-106 : Projet d’informatique. Une intelligence artificielle pour Quoridor, Université libre de Bruxelles, 28 mars 2019.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/info-f-106-2019/published.toml"),
    deviations: include_str!("../../../../papers/info-f-106-2019/deviations.md"),
    essay: Some(include_str!("essay.md")),
    timed: &[],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "tables",
            title: Text::new(
                "Part 1: Monte Carlo, TD(0) and Q-learning with tables, on seven boards",
                "Partie 1 : Monte-Carlo, TD(0) et Q-learning avec des tables, sur sept plateaux",
            ),
            experiment: &OUR_BOARDS,
        },
        Artefact {
            name: "course-boards",
            title: Text::new(
                "Part 1: the three boards of the course, solved and learnt",
                "Partie 1 : les trois plateaux du cours, résolus et appris",
            ),
            experiment: &COURSE_BOARDS,
        },
        Artefact {
            name: "graph",
            title: Text::new("§2.8: the graph", "§2.8 : le graphique"),
            experiment: &GRAPH,
        },
        Artefact {
            name: "opponents",
            title: Text::new(
                "§2.6: learning against another than oneself",
                "§2.6 : apprendre contre un autre que soi-même",
            ),
            experiment: &OPPONENTS,
        },
        Artefact {
            name: "traces",
            title: Text::new(
                "Algorithm 3: one set of traces, or one for each colour",
                "Algorithme 3 : un jeu de traces, ou un par couleur",
            ),
            experiment: &TRACES,
        },
        Artefact {
            name: "start-columns",
            title: Text::new(
                "Even boards: where the pawns begin",
                "Plateaux pairs : où commencent les pions",
            ),
            experiment: &START_COLUMNS,
        },
        Artefact {
            name: "deviation",
            title: Text::new(
                "Footnote 3: the deviation of the first weights",
                "Note 3 : l’écart-type des premiers poids",
            ),
            experiment: &DEVIATION,
        },
        Artefact {
            name: "variants",
            title: Text::new(
                "§4.1.1–4.1.5: ways to explore and to learn",
                "§4.1.1–4.1.5 : façons d’explorer et d’apprendre",
            ),
            experiment: &VARIANTS,
        },
        Artefact {
            name: "activations",
            title: Text::new("§4.1.6: activations", "§4.1.6 : fonctions d’activation"),
            experiment: &ACTIVATIONS,
        },
        Artefact {
            name: "competition",
            title: Text::new("§4.3: the competition", "§4.3 : la compétition"),
            experiment: &Competition,
        },
        Artefact {
            name: "encodings",
            title: Text::new(
                "Beyond the document: what a network sees",
                "Au-delà du document : ce que voit un réseau",
            ),
            experiment: &ENCODINGS,
        },
    ],
};

/// How our numbers are made.
const METHOD: &str = "\
The document sets tasks and reports no measurements; its example of a graph is invented. So everything here is a measurement \
of what it describes, with its parameters where it gives them.

Pupils of one number begin with the same chance in every kind of training, and differ by nothing but the training. Shares are \
games won, as the document counts them; a drawn game is not won. `95% interval` is that of the mean over all pupils that \
could be trained in this way: Student's over the pupils, at least Wilson's over the games; of the positions of an exam, which \
are the same for all pupils, over pupils and positions. Games of the same pupil may be played \
alike, move for move; they count like others, for what is asked is the share of games begun and distracted by chance in this way, and \
each is drawn anew. `sd of networks` says by how much \
pupils differ beyond the chance of their games.";
