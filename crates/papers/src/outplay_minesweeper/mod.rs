//! Our own study: the players of Minesweeper on the boards of Salamone's last chapter, and on the usual boards.

mod boards;
mod report;

use crate::artefact::{Artefact, Paper};
use boards::{BY_DENSITY, BY_SIZE, HARD, OWN_FIRST_CELL, USUAL};
use outplay_core::Text;

/// The study.
pub(super) const PAPER: Paper = Paper {
    slug: "outplay-minesweeper",
    title: Text::new("Minesweeper players side by side", "Les joueurs de démineur côte à côte"),
    reference: Text::new(
        "A study of this project, on the boards of chapter 5 of Salamone 2018 and on the usual ones.",
        "Une étude de ce projet, sur les plateaux du chapitre 5 de Salamone 2018 et sur les plateaux habituels.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/outplay-minesweeper/published.toml"),
    deviations: include_str!("../../../../papers/outplay-minesweeper/deviations.md"),
    essay: None,
    timed: &[],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "by-size",
            title: Text::new(
                "Boards of many sizes, a tenth of the cells mined",
                "Plateaux de toutes tailles, un dixième des cases minées",
            ),
            experiment: &BY_SIZE,
        },
        Artefact {
            name: "by-density",
            title: Text::new(
                "10×10 boards with more and more mines",
                "Plateaux de 10×10 avec de plus en plus de mines",
            ),
            experiment: &BY_DENSITY,
        },
        Artefact {
            name: "usual-boards",
            title: Text::new(
                "The usual boards, every player choosing its first cell",
                "Les plateaux habituels, chaque joueur choisissant sa première case",
            ),
            experiment: &USUAL,
        },
        Artefact {
            name: "hard-boards",
            title: Text::new(
                "The boards with most guesses, late guesses played on from",
                "Les plateaux où l’on devine le plus, avec la suite des paris tardifs",
            ),
            experiment: &HARD,
        },
        Artefact {
            name: "own-first-cell",
            title: Text::new("The network choosing its first cell", "Le réseau choisissant sa première case"),
            experiment: &OWN_FIRST_CELL,
        },
    ],
};

/// How the numbers are made.
const METHOD: &str = "\
Players: `subgrids` is Salamone's best player (section 4.8: flags, playful level 1.15, flag threshold 0.96) over a network that \
was trained by his method with this program; `net` is the network of this project, which sees the whole board and was taught \
by exact probabilities; `groups` takes a cell of the lowest exact probability; `solver` plays to \
win, and is strongest with `effort=deep`.

First cells: in the tables by size and by density chance chooses the first cell, as in the document, and it is empty. Game i \
of a row has the same first cell and the same mines for every player, so that rows compare like with like. In the other \
tables every player chooses for itself.

Numbers: games won, in %, with Wilson's 95% interval; and the mean score over the highest possible one, in %. The \
differences between players on the same games are judged by the games that only one of the two won: their interval is \
that of a mean of paired differences.";
