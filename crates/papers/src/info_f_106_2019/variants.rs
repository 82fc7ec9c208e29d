//! Part 4: other exploration, other update rules and other activations; and footnote 3, the first weights.

use outplay_nn::Activation;
use outplay_players::{Exploration, Ramp, Rule};

use super::graph::{GREEDY, REFERENCE, by};
use super::report::at_the_end;
use super::study::{Config, SelfPlayStudy, TrainingVariant};
use crate::artefact::Scale;
use outplay_lab::learning::TrainingConfig;

/// Games of self-play, pupils, games of each measurement.
pub(super) const fn sizes(scale: Scale) -> (u64, u64, u64) {
    match scale {
        Scale::Smoke => (200, 2, 10),
        Scale::Desk => (50_000, 4, 500),
        Scale::Full => (100_000, 20, 1000),
    }
}

fn config(scale: Scale, variants: impl Fn(u64) -> Vec<(String, TrainingConfig)>) -> Config {
    let (games, pupils, measured) = sizes(scale);
    let variant = |(label, course)| TrainingVariant::new(label, 5, 1, course);
    Config {
        variants: variants(games).into_iter().map(variant).collect(),
        pupils,
        first_seed: None,
        after: vec![games],
        yardsticks: vec![REFERENCE, GREEDY],
        games: measured,
    }
}

/// §4.1.1 to §4.1.5.
pub(super) const VARIANTS: SelfPlayStudy = SelfPlayStudy {
    name: "variants",
    remark: "5×5 with one wall each, the parameters of §2.8 and one thing changed; one move in twenty is drawn blindly in the \
             measured games.",
    conclusion: Some(
        "the line to compare with is the first, the course of §2.8 itself. Against the reference Q-learning, 60.4% \
                 (52.9 – 67.8), and soft-max at temperature 0.1, 59.1% (50.5 – 67.8), are better than its 37.7% (29.4 – 46.0); \
                 ε = 0.1, 8.0% (3.6 – 12.5), explores too little, soft-max at temperature 1, 9.1% (8.4 – 9.9), too much. The others \
                 cannot be told from it. Against the greedy player nothing is better than the first line, and soft-max at temperature 0.1 \
                 is worse: who learns to beat its like need not beat others.",
    ),
    config: |scale| config(scale, ways_to_explore),
    report: at_the_end,
};

fn ways_to_explore(games: u64) -> Vec<(String, TrainingConfig)> {
    let usual = || by(Rule::TdLambda(0.9), games);
    let exploring = |label: &str, exploration: Exploration| {
        let mut course = usual();
        course.learning.exploration = exploration;
        (label.to_owned(), course)
    };
    let ramp = |from, to| Ramp { from, to, games };
    let epsilon = Exploration::epsilon;
    vec![
        ("TD(λ), ε = 0.3".to_owned(), usual()),
        ("Q-learning".to_owned(), by(Rule::QLearning, games)),
        ("Q(λ) of Watkins".to_owned(), by(Rule::QLambda(0.9), games)),
        exploring("ε = 0.1", epsilon(0.1)),
        exploring("ε from 0.5 to 0.1", Exploration { epsilon: ramp(0.5, 0.1), ..epsilon(0.0) }),
        exploring("noise σ = 0.01", Exploration { noise: Ramp::constant(0.01), ..epsilon(0.3) }),
        exploring("noise σ = 0.1", Exploration { noise: Ramp::constant(0.1), ..epsilon(0.3) }),
        exploring(
            "ε from 0.5 to 0.1, noise from 0.1 to 0",
            Exploration { epsilon: ramp(0.5, 0.1), noise: ramp(0.1, 0.0), ..epsilon(0.0) },
        ),
        exploring("soft-max", Exploration { soft_games: games, ..epsilon(0.3) }),
        exploring(
            "soft-max, temperature 0.1",
            Exploration { soft_games: games, temperature: 0.1, ..epsilon(0.3) },
        ),
        exploring("soft-max for half of the games", Exploration { soft_games: games / 2, ..epsilon(0.3) }),
    ]
}

/// §4.1.6.
pub(super) const ACTIVATIONS: SelfPlayStudy = SelfPlayStudy {
    name: "activations",
    remark: "TD(λ) with the parameters of §2.8 and other activations of the hidden neurons, at the document's learning rate \
             and at a tenth of it; first weights of deviation 0.0001, and 0.1 where it says so.",
    conclusion: Some(
        "at the document's rate nothing is better than its sigmoid, 37.7% (29.4 – 46.0) against the reference: swish does as \
                 well, tanh, 19.4% (12.2 – 26.7), and relu, 19.5% (12.1 – 26.9), do worse. At a tenth of that rate relu comes to 46.7% \
                 (42.0 – 51.3) and leaky-relu, with first weights of 0.1, to 53.2% (46.2 – 60.3), while the sigmoid falls to 15.2% \
                 (13.3 – 17.0). Against the greedy player it is the sigmoid at the low rate that does best, with first weights of 0.1: \
                 88.5% (88.0 – 88.9), every pupil alike.",
    ),
    config: |scale| {
        config(scale, |games| {
            let course = |activation: Activation, alpha: f64, deviation: f64| {
                let mut course = by(Rule::TdLambda(0.9), games);
                (course.activation, course.deviation) = (activation, deviation);
                course.learning.rate = Ramp::constant(alpha);
                let weights = if deviation > 0.01 { ", first weights 0.1" } else { "" };
                (format!("{}, α = {alpha}{weights}", activation.name()), course)
            };
            let settings = [(0.4, 1e-4), (0.04, 1e-4), (0.04, 0.1)];
            Activation::NONLINEAR
                .into_iter()
                .flat_map(|activation| {
                    settings.map(|(alpha, deviation)| course(activation, alpha, deviation))
                })
                .collect()
        })
    },
    report: at_the_end,
};

/// Footnote 3.
pub(super) const DEVIATION: SelfPlayStudy = SelfPlayStudy {
    name: "deviation",
    remark: "Footnote 3: \"what do you observe with a deviation that is too large? and with one close to zero?\" TD(λ) with the \
             parameters of §2.8 and first weights of other deviations.",
    conclusion: Some(
        "too large is 3, with which pupils win 7.4% (2.5 – 12.2) against the reference. Close to zero does no harm, 39.3% \
                 (31.3 – 47.2) with 0.00000001, but zero itself does, 9.0% (4.8 – 13.2): hidden neurons that begin alike stay alike. \
                 In between little can be told apart from the document's 0.0001, 37.7% (29.4 – 46.0); 1 makes the most, 51.9% \
                 (45.8 – 58.1).",
    ),
    config: |scale| {
        config(scale, |games| {
            let course = |deviation: f64| {
                let course = TrainingConfig { deviation, ..by(Rule::TdLambda(0.9), games) };
                (format!("deviation {deviation}"), course)
            };
            [0.0, 1e-8, 1e-4, 0.01, 0.1, 1.0, 3.0].map(course).to_vec()
        })
    },
    report: at_the_end,
};
