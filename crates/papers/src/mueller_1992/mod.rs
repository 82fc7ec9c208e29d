//! D. Müller, *Utilisation d'un réseau de neurones artificiels comme fonction d'évaluation d'un jeu*, EPFL, 1992.
//!
//! The expert plays against itself; the positions past the middle of those games are labelled by who won; a small
//! network learns the labels by BFGS and replaces the expert's evaluation. The document's finding: the network plays better than
//! the expert it learnt from, once it is helped to see that a game is won.

mod database;
mod report;
mod samples;
mod second;
mod tournament;
mod trained_network;

use outplay_core::{Seat, Text};
use outplay_players::TerminalAwareness;

use crate::artefact::{Artefact, Paper};
use database::PositionDatabase;
use outplay_lab::pushover::network::Encoding;
use outplay_lab::pushover::train::Winners;
use samples::{ALL_POSITIONS, RANDOM_MOVES};
use second::SecondApproach;
use tournament::{EXPERTS, NetworkTournament};

pub(super) use tournament::{Competitor, expert, network};
pub(super) use trained_network::{LIMIT, Schooling, TrainedNetwork};

/// The document.
pub(super) const PAPER: Paper = Paper {
    slug: "mueller-1992",
    title: Text::new(
        "Müller 1992: a neural network as the evaluation function of a game",
        "Müller 1992 : un réseau de neurones comme fonction d’évaluation d’un jeu",
    ),
    reference: Text::new(
        "Didier Müller, Utilisation d'un réseau de neurones artificiels comme fonction d'évaluation d'un jeu, \
                EPFL-DMA, Lausanne, November 1992.",
        "Didier Müller, Utilisation d’un réseau de neurones artificiels comme fonction d’évaluation d’un jeu, EPFL-DMA, Lausanne, novembre 1992.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/mueller-1992/published.toml"),
    deviations: include_str!("../../../../papers/mueller-1992/deviations.md"),
    essay: None,
    timed: &[],
    ghosts: &[],
    artefacts: &[
        Artefact {
            name: "database",
            title: Text::new("§3.1: the data base of positions", "§3.1 : la base de positions"),
            experiment: &PositionDatabase,
        },
        EXPERTS,
        Artefact {
            name: "all-positions",
            title: Text::new(
                "§4.3: a network that is shown all positions",
                "§4.3 : un réseau auquel on montre toutes les positions",
            ),
            experiment: &ALL_POSITIONS,
        },
        Artefact {
            name: "table-4.1",
            title: Text::new(
                "Table 4.1: the network r against the expert",
                "Tableau 4.1 : le réseau r contre l’expert",
            ),
            experiment: &NetworkTournament {
                name: "table-4.1",
                remark: "The network judges everything, also positions in which the game is over.",
                sight: TerminalAwareness::Blind,
                ..FIRST_APPROACH
            },
        },
        TABLE_4_2,
        Artefact {
            name: "table-4.3",
            title: Text::new(
                "Table 4.3: r* taught by as many positions of games won by o as by +",
                "Tableau 4.3 : r* instruit par autant de positions de parties gagnées par o que par +",
            ),
            experiment: &NetworkTournament {
                name: "table-4.3",
                remark: "Half of the sample comes from games won by o, half from games won by +.",
                winners: Winners::Balanced,
                ..FIRST_APPROACH
            },
        },
        Artefact {
            name: "table-4.4",
            title: Text::new(
                "Table 4.4: r* taught by games won by o only",
                "Tableau 4.4 : r* instruit par les seules parties gagnées par o",
            ),
            experiment: &NetworkTournament {
                name: "table-4.4",
                remark: "The whole sample comes from games won by o.",
                winners: Winners::Only(Seat::First),
                ..FIRST_APPROACH
            },
        },
        Artefact {
            name: "table-4.5",
            title: Text::new(
                "Table 4.5: r* taught by games won by + only",
                "Tableau 4.5 : r* instruit par les seules parties gagnées par +",
            ),
            experiment: &NetworkTournament {
                name: "table-4.5",
                remark: "The whole sample comes from games won by +.",
                winners: Winners::Only(Seat::Second),
                ..FIRST_APPROACH
            },
        },
        Artefact {
            name: "random-moves",
            title: Text::new(
                "§4.7: the role of the expert, and games of random moves",
                "§4.7 : le rôle de l’expert, et des parties de coups au hasard",
            ),
            experiment: &RANDOM_MOVES,
        },
        Artefact {
            name: "second-approach",
            title: Text::new(
                "§5: the second approach, 44 features of a position",
                "§5 : la seconde approche, 44 traits d’une position",
            ),
            experiment: &SecondApproach(NetworkTournament {
                name: "second-approach",
                remark: "The document gives no numbers: \"the results were disappointing; in spite of many trials we \
                         never obtained results comparable with those of the first method, although the learning \
                         went well\" (§5.3). Here is the table that it does not print, with networks 44–30–1 that \
                         are helped like r*, beside ours of the first approach (Table 4.2).",
                encoding: Encoding::Features,
                ..FIRST_APPROACH
            }),
        },
    ],
};

/// Networks 16–16–1 on the cells of the board, helped to see the end of the game, taught by all games: r*.
const FIRST_APPROACH: NetworkTournament = NetworkTournament {
    name: "table-4.2",
    remark: "The same networks as in Table 4.1, helped to see that a game is over.",
    encoding: Encoding::Cells,
    winners: Winners::Any,
    sight: TerminalAwareness::Outcomes,
};

/// The table of the first approach, with which the second is compared.
const TABLE_4_2: Artefact = Artefact {
    name: "table-4.2",
    title: Text::new(
        "Table 4.2: r*, the network that is helped to see the end of the game",
        "Tableau 4.2 : r*, le réseau que l’on aide à voir la fin de la partie",
    ),
    experiment: &FIRST_APPROACH,
};

/// How our numbers are made and compared.
const METHOD: &str = "\
The document trained one network for each table and played 1000 games a cell. We do the same several times, each \
time with a new data base, a new sample and new first weights, because a cell varies for two reasons: by the games \
(a binomial error of up to ±3 points in 1000 games) and by the network that happened to come out. Both are \
shown as standard deviations: `sd by chance` is what the games of one network explain, `sd of networks` is by how \
much networks differ beyond that. Where it is large, a single network's table, the document's included, is one draw \
out of many.

`95% interval` is that of our mean: Student's over the networks' shares, at least Wilson's of all games. Cells \
between e1 and e2 involve no network; they are played once and shared by all tables.

`allowed` is half of the 95% interval in which the document's number would differ from our mean if its network were \
one more of ours, with 1000 games: Student's t times the standard deviation between our networks' results (training \
and games) times √(1 + 1/networks), at least what the games alone allow. A cell is `reproduced` if the difference lies \
within it, otherwise it `differs`; a table is reproduced if all its numbers are. Of 16 cells that agree in truth, one \
falls outside by chance in about every second table. \
From a single network (scale smoke) the spread is unknown and left out, so its verdicts mean little. Cells of one \
table share their networks and are not independent of each other.";
