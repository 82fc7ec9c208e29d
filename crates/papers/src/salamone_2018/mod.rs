//! N. Salamone, *Apprentissage automatique du jeu du démineur*, UMONS, 2018.
//!
//! A network learns from masked 5×5 sub-grids whether the cell in their middle is mined; an AI unmasks the cell that
//! it thinks safest. Eight changes, kept or dropped one by one, bring the AI from 18 % to 87 % of games won.

mod boards;
mod improvements;
mod ladder;
mod numbered_network;
mod report;
mod shares;
mod study;
mod sweeps;
mod temper;

use outplay_core::Text;
use outplay_games::minesweeper::subgrids::FlagPolicy;

use crate::artefact::{Artefact, Ghost, Paper};
use boards::{ByBoard, TABLE_3, TABLE_4};
use improvements::Improvements;
use numbered_network::NumberedNetwork;
use shares::DataSets;
use study::{LadderStep, StepVariant};
use temper::Tempers;

/// The squared error that the document's lessons came to on its test set.
const GHOSTS: &[Ghost] = &[error_of("first-ai"), error_of("more-samples"), error_of("longer-training")];

const fn error_of(artefact: &'static str) -> Ghost {
    Ghost { game: "minesweeper", method: "subgrids", curve: "loss", artefact, key: "mse", unit: 1.0 }
}

/// The document.
pub(super) const PAPER: Paper = Paper {
    slug: "salamone-2018",
    title: Text::new(
        "Salamone 2018: machine learning of Minesweeper",
        "Salamone 2018 : apprentissage automatique du démineur",
    ),
    reference: Text::new(
        "Nico Salamone, Apprentissage automatique du jeu du démineur, projet de Master en sciences informatiques, \
                Université de Mons, 2017–2018.",
        "Nico Salamone, Apprentissage automatique du jeu du démineur, projet de Master en sciences informatiques, Université de Mons, 2017–2018.",
    ),
    method: METHOD,
    published: include_str!("../../../../papers/salamone-2018/published.toml"),
    deviations: include_str!("../../../../papers/salamone-2018/deviations.md"),
    essay: None,
    timed: &[],
    ghosts: GHOSTS,
    artefacts: &[
        Artefact {
            name: "data-sets",
            title: Text::new(
                "§4.6, §5: duplicates and high numbers in the data sets",
                "§4.6, §5 : doublons et grands chiffres dans les ensembles",
            ),
            experiment: &DataSets,
        },
        Artefact {
            name: "random",
            title: Text::new("§3.4: the random AI", "§3.4 : l’IA aléatoire"),
            experiment: &LadderStep {
                name: "random",
                remark: "At each turn any masked cell is unmasked. This settles what the document leaves open of the \
                         rules: the first click is safe, and a 0 unmasks its neighbours.",
                variants: |_, _| Vec::new(),
                report: report::random,
            },
        },
        Artefact {
            name: "first-ai",
            title: Text::new("§3.4, Figures 15–17: the first AI", "§3.4, figures 15–17 : la première IA"),
            experiment: &LadderStep {
                name: "first-ai",
                remark: "The document's lesson: 25–300–256–128–1, 1 000 000 samples, batch 10, one epoch. Several networks of \
                         this one lesson show by how much networks differ by chance.",
                variants: |_, sizes| {
                    let network = |number| NumberedNetwork { lesson: sizes.first(), number };
                    let variant = |number: u64| {
                        StepVariant::playing(
                            format!("network {}", number + 1),
                            network(number),
                            FlagPolicy::WITHOUT_FLAGS,
                        )
                    };
                    (0..sizes.networks).map(variant).collect()
                },
                report: report::step,
            },
        },
        Artefact {
            name: "ratio",
            title: Text::new(
                "§4.1, Figure 18: the share of mined centres",
                "§4.1, figure 18 : la part de centres minés",
            ),
            experiment: &sweeps::RATIO,
        },
        Artefact {
            name: "order",
            title: Text::new(
                "§4.2, Figure 19: the order of the samples",
                "§4.2, figure 19 : l’ordre des exemples",
            ),
            experiment: &sweeps::ORDER,
        },
        Artefact {
            name: "size",
            title: Text::new(
                "§4.3, Figures 13, 14 and 20: the number of samples",
                "§4.3, figures 13, 14 et 20 : le nombre d’exemples",
            ),
            experiment: &sweeps::SIZE,
        },
        Artefact {
            name: "more-samples",
            title: Text::new(
                "§4.3, Figures 21 and 22: ten times as many samples",
                "§4.3, figures 21 et 22 : dix fois plus d’exemples",
            ),
            experiment: &LadderStep {
                name: "more-samples",
                remark: "The document's lesson: the first one, with 10 000 000 samples.",
                variants: |_, sizes| {
                    vec![StepVariant::playing(
                        "network",
                        NumberedNetwork::first(sizes.more()),
                        FlagPolicy::WITHOUT_FLAGS,
                    )]
                },
                report: report::step,
            },
        },
        Artefact {
            name: "batch",
            title: Text::new("§4.4, Figure 23: the size of the batch", "§4.4, figure 23 : la taille du lot"),
            experiment: &sweeps::BATCH,
        },
        Artefact {
            name: "epochs",
            title: Text::new(
                "§4.4, Figure 24: the number of epochs",
                "§4.4, figure 24 : le nombre d’époques",
            ),
            experiment: &sweeps::EPOCHS,
        },
        Artefact {
            name: "longer-training",
            title: Text::new(
                "§4.4, Figures 25 and 26: batch 2000, six epochs",
                "§4.4, figures 25 et 26 : lots de 2000, six époques",
            ),
            experiment: &LadderStep {
                name: "longer-training",
                remark: "The document's lesson: 10 000 000 samples, batch 2000, six epochs.",
                variants: |_, sizes| {
                    vec![StepVariant::playing(
                        "network",
                        NumberedNetwork::first(sizes.longer()),
                        FlagPolicy::WITHOUT_FLAGS,
                    )]
                },
                report: report::step,
            },
        },
        Artefact {
            name: "structure",
            title: Text::new("§4.5: a larger structure", "§4.5 : une structure plus grande"),
            experiment: &sweeps::STRUCTURE,
        },
        Artefact {
            name: "duplicates",
            title: Text::new(
                "§4.6, Figures 27 and 28: no sub-grid twice",
                "§4.6, figures 27 et 28 : aucune sous-grille deux fois",
            ),
            experiment: &LadderStep {
                name: "duplicates",
                remark: "As in §4.4, but every sub-grid without a mask occurs once in the training set, and none of them \
                         in the test set, which is therefore another one and harder.",
                variants: |_, sizes| {
                    let network = NumberedNetwork::first(sizes.without_duplicates());
                    vec![StepVariant::playing("network", network, FlagPolicy::WITHOUT_FLAGS)]
                },
                report: report::step,
            },
        },
        Artefact {
            name: "flags",
            title: Text::new("§4.7: the AI with flags", "§4.7 : l’IA avec drapeaux"),
            experiment: &LadderStep {
                name: "flags",
                remark: "As in §4.6, with flags in the samples and in play: what is surest is done first.",
                variants: |_, sizes| {
                    vec![StepVariant::playing(
                        "network",
                        NumberedNetwork::first(sizes.with_flags()),
                        FlagPolicy::NEUTRAL,
                    )]
                },
                report: report::step,
            },
        },
        Artefact {
            name: "temper",
            title: Text::new(
                "§4.8, Figures 29–31: playful level and flag threshold",
                "§4.8, figures 29–31 : niveau de jeu et seuil des drapeaux",
            ),
            experiment: &Tempers,
        },
        Artefact {
            name: "table-3",
            title: Text::new("Table 3: boards of other sizes", "Tableau 3 : plateaux d’autres tailles"),
            experiment: &ByBoard {
                name: "table-3",
                remark: "The AI of §4.8, taught on 10×10 with 10 mines, on boards of which a tenth is mined. The document \
                         gives densities; the numbers of mines are those that round to them.",
                boards: &TABLE_3,
            },
        },
        Artefact {
            name: "table-4",
            title: Text::new("Table 4: other densities", "Tableau 4 : autres densités"),
            experiment: &ByBoard {
                name: "table-4",
                remark: "The same AI on 10×10 with more or fewer mines.",
                boards: &TABLE_4,
            },
        },
        Artefact {
            name: "readings",
            title: Text::new(
                "§4.8: the last AI by each reading of the text",
                "§4.8 : la dernière IA selon chaque lecture du texte",
            ),
            experiment: &sweeps::READINGS,
        },
        Artefact {
            name: "improvements",
            title: Text::new(
                "§6: the two improvements that were not tried",
                "§6 : les deux améliorations qui ne furent pas essayées",
            ),
            experiment: &Improvements,
        },
    ],
};

/// How our numbers are made and compared.
const METHOD: &str = "\
The document teaches one network for each step and judges it by its errors on a test set of 100 000 samples (10 000 \
sub-grids, ten masks of each) and by 1000 games on 10×10 cells with 10 mines. We do the same; networks are shared \
between artefacts and taught from the same data sets, and all AIs play the same boards from the same first clicks.

`95% interval` is that of our number: of errors by the sub-grids of the test set, whose ten samples are not independent; \
of shares Wilson's; of means and quartiles of scores by the games. Where several networks of one lesson are taught \
(`first-ai`), it is at least Student's over the networks.

`allowed` is half of the 95% interval in which the document's number would differ from ours if nothing but chance did: the \
chance of both test sets or games, half a unit of the document's last digit, one point where it says \"about\", and with \
several networks how much they differ. With a single network this last part is unknown and left out: \
`first-ai` shows how large it is, and a number that `differs` elsewhere by no more than that is no contradiction. \
At scales below `full` the networks learn from a tenth of the document's samples or fewer (each section says how many), so \
that their numbers are expected to fall short of the document's.";
