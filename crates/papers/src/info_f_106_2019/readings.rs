//! What the document leaves open, both ways: whose moves the eligibility traces remember, and where the pawns begin on even
//! boards; and §2.6, learning against another than oneself.

use outplay_games::quoridor::StartColumns;
use outplay_lab::learning::TrainingConfig;
use outplay_players::{Rule, TraceSets};

use super::graph::{GREEDY, RANDOM, REFERENCE, by};
use super::report::against_the_first;
use super::study::{Config, SelfPlayStudy, TrainingVariant, Yardstick};
use super::variants::sizes;

/// One set of traces, or one for each colour.
pub(super) const TRACES: SelfPlayStudy = SelfPlayStudy {
    name: "traces",
    remark: "Algorithm 3 writes one pair of matrices Z for all moves; in the program of the course each colour has a pair of its \
             own. 5×5 with one wall each, the parameters of §2.8, both ways.",
    conclusion: None,
    config: |scale| {
        let (games, pupils, measured) = sizes(scale);
        let variant = |name: &str, rule: Rule, traces: TraceSets| {
            let mut course = by(rule, games);
            course.learning.traces = traces;
            let whose =
                if traces == TraceSets::Shared { "one set of traces" } else { "one set for each colour" };
            TrainingVariant::new(format!("{name}, {whose}"), 5, 1, course)
        };
        let both = |name: &'static str, rule: Rule| {
            [TraceSets::Shared, TraceSets::PerSeat].map(|traces| variant(name, rule, traces))
        };
        Config {
            variants: [both("TD(λ)", Rule::TdLambda(0.9)), both("Q(λ)", Rule::QLambda(0.9))].concat(),
            pupils,
            first_seed: None,
            after: vec![games],
            yardsticks: vec![REFERENCE, GREEDY],
            games: measured,
        }
    },
    report: against_the_first,
};

/// Pawns that mirror each other, or share a column.
pub(super) const START_COLUMNS: SelfPlayStudy = SelfPlayStudy {
    name: "start-columns",
    remark: "The document draws odd boards only. On even ones our pawns mirror each other (4×4: b1 and c4); in the program of the \
             course both begin in column (N − 1) // 2 (b1 and b4). 4×4 with one wall each, the parameters of §2.8, each kind \
             measured on its own board.",
    conclusion: None,
    config: |scale| {
        let (games, pupils, measured) = sizes(scale);
        let variant = |label: &str, columns: StartColumns| TrainingVariant {
            columns,
            ..TrainingVariant::new(label.to_owned(), 4, 1, TrainingConfig::of_document("document", games))
        };
        Config {
            variants: vec![
                variant("mirrored", StartColumns::Mirrored),
                variant("the same column", StartColumns::Same),
            ],
            pupils,
            first_seed: None,
            after: vec![games],
            yardsticks: vec![GREEDY, RANDOM, Yardstick::Exam { problems: measured }],
            games: measured,
        }
    },
    report: against_the_first,
};

/// §2.6.
pub(super) const OPPONENTS: SelfPlayStudy = SelfPlayStudy {
    name: "opponents",
    remark: "§2.6: \"it is possible to train an AI against a human player (but this would take very long) or against another AI \
             (for example one that chooses each move at random). But it is also possible to train it by letting it play against \
             itself\". 5×5 with one wall each, the parameters of §2.8. Against another the pupil plays white and black by turns, \
             and learns from every move of the game.",
    conclusion: None,
    config: |scale| {
        let (games, pupils, measured) = sizes(scale);
        let variant = |label: &str, opponent: Option<&'static str>| TrainingVariant {
            opponent,
            ..TrainingVariant::new(label.to_owned(), 5, 1, by(Rule::TdLambda(0.9), games))
        };
        Config {
            variants: vec![
                variant("against itself", None),
                variant("against random moves", Some("random")),
                variant("against the greedy player", Some("greedy:wall=200,eps=0.05")),
                variant("against the reference", Some("net:eps=0.05")),
            ],
            pupils,
            first_seed: None,
            after: vec![games],
            yardsticks: vec![REFERENCE, GREEDY, RANDOM],
            games: measured,
        }
    },
    report: against_the_first,
};
