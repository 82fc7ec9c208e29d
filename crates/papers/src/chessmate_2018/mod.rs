//! T. Dahmen, O. Bouvier, R. Macquet, J. Forissier, *ChessMate : jeu d'échecs et intelligence artificielle*, Télécom
//! SudParis, 30 May 2018.
//!
//! Chess from scratch, alpha-beta with three evaluators (material, a network, nearest neighbours) and a Monte-Carlo search. The
//! two learnt evaluators come from games that Stockfish played against itself: a board and a class of its
//! evaluation.

mod neighbours;
mod networks;
mod roundrobin;
mod selfplay;
mod sizes;
mod times;

use crate::artefact::{Artefact, Ghost, Paper};
use neighbours::ByNeighbours;
use networks::{DROPOUT, EPOCHS, LEARNING_RATES};
use outplay_core::Text;
use roundrobin::RoundRobin;
use selfplay::SelfPlayChess;
use sizes::BySize;
use times::Times;

/// The accuracies that the document's network came to, which it gives in percent.
const GHOSTS: &[Ghost] = &[accuracy("test_accuracy"), accuracy("training_accuracy")];

const fn accuracy(name: &'static str) -> Ghost {
    Ghost { game: "chess", method: "net", curve: name, artefact: "epochs", key: name, unit: 0.01 }
}

/// The document.
pub(super) const PAPER: Paper = Paper {
    slug: "chessmate-2018",
    title: Text::new(
        "ChessMate 2018: chess learnt from an engine's games",
        "ChessMate 2018 : les échecs appris des parties d’un moteur",
    ),
    reference: Text::new(
        "Thomas Dahmen, Oscar Bouvier, Raphaël Macquet, Jean Forissier, ChessMate : jeu d'échecs et intelligence \
                artificielle, Télécom SudParis, 30 May 2018.",
        "Thomas Dahmen, Oscar Bouvier, Raphaël Macquet, Jean Forissier, ChessMate : jeu d’échecs et intelligence artificielle, Télécom SudParis, 30 mai 2018.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/chessmate-2018/published.toml"),
    deviations: include_str!("../../../../papers/chessmate-2018/deviations.md"),
    essay: None,
    timed: &["times"],
    ghosts: GHOSTS,
    artefacts: &[
        Artefact {
            name: "times",
            title: Text::new(
                "§3.2.2, §3.2.5: what a judgement, a move and a simulation take",
                "§3.2.2, §3.2.5 : ce que prennent un jugement, un coup et une simulation",
            ),
            experiment: &Times,
        },
        Artefact {
            name: "learning-rates",
            title: Text::new(
                "§3.2.3: the accuracy of the network by learning rate",
                "§3.2.3 : l’exactitude du réseau selon le taux d’apprentissage",
            ),
            experiment: &LEARNING_RATES,
        },
        Artefact {
            name: "epochs",
            title: Text::new(
                "§3.2.3: the accuracy of the network by epochs, with three splits",
                "§3.2.3 : l’exactitude du réseau selon les époques, avec trois partages",
            ),
            experiment: &EPOCHS,
        },
        Artefact {
            name: "dropout",
            title: Text::new(
                "§2.5.4: the dropout by its two readings",
                "§2.5.4 : l’abandon (dropout) selon ses deux lectures",
            ),
            experiment: &DROPOUT,
        },
        Artefact {
            name: "sizes",
            title: Text::new(
                "§2.5.4, §3.2.3: the accuracy of the network by its size and that of its data",
                "§2.5.4, §3.2.3 : l’exactitude du réseau selon sa taille et celle de ses données",
            ),
            experiment: &BySize,
        },
        Artefact {
            name: "neighbours",
            title: Text::new(
                "§3.2.4: the accuracy of nearest neighbours by k, with three splits",
                "§3.2.4 : l’exactitude des plus proches voisins selon k, avec trois partages",
            ),
            experiment: &ByNeighbours,
        },
        Artefact {
            name: "self-play",
            title: Text::new(
                "§3.3.2: chess learnt from self-play alone, which the document wishes for",
                "§3.3.2 : les échecs appris contre soi-même, comme le document le souhaite",
            ),
            experiment: &SelfPlayChess,
        },
        Artefact {
            name: "round-robin",
            title: Text::new(
                "Beyond the document: everyone against everyone",
                "Au-delà du document : chacun contre chacun",
            ),
            experiment: &RoundRobin,
        },
    ],
};

/// How our numbers are made.
const METHOD: &str = "\
The set is the one that comes with the program; `sizes` makes a larger one by itself, with our own engine. Shares are those of test \
positions whose class was told, of six. Intervals are Wilson's over positions: positions of one game are not independent, so they are \
narrower than they should be.

Sets are divided in three ways. `sequential` keeps the end of the set for the test, as the document's 3 million and 1 million positions \
suggest for its network. `position` draws positions at random, as the document does for its neighbours; most test positions then lie \
between two positions of the same game that were learnt from. `game` draws whole games. The difference between `position` and the others \
is what that leak is worth.";
