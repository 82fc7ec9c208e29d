//! §2.8: the graph that every student had to draw, and what the two encodings make of it.

use super::report::{about, at_the_end, conclusion, curves};
use super::study::{Config, SelfPlayStudy, TrainingVariant, VariantResult, Yardstick};
use crate::artefact::Scale;
use outplay_core::Text;
use outplay_lab::learning::TrainingConfig;
use outplay_players::{LearningConfig, Ramp, Rule};
use outplay_report::{AxisTicks, Block, Number, Section};

/// A course of the document with another rule.
pub(super) fn by(rule: Rule, games: u64) -> TrainingConfig {
    let course = TrainingConfig::of_document("document", games);
    TrainingConfig { learning: LearningConfig { rule, ..course.learning }, ..course }
}

/// The points of the graph: ten, up to a number of games.
pub(crate) fn tenths(games: u64) -> Vec<u64> {
    (1..=10).map(|tenth| tenth * games / 10).collect()
}

/// §2.8.
pub(super) const GRAPH: SelfPlayStudy = SelfPlayStudy {
    name: "graph",
    remark: "5×5 with one wall each, H = 40, α = 0.4, ε = 0.3, λ = 0.9, against the reference that comes with the program, \
             ε = 0.3 for both.",
    conclusion: Some(
        "more games help, most of all the first 40000: TD(λ) wins 20.0% of its games after 10000 and 46.5% after 100000. \
                 Q-learning is ahead at first (30.2%) and no better in the end (47.6%), but its pupils differ less.",
    ),
    config: |scale| {
        let (games, pupils, measured) = match scale {
            Scale::Smoke => (400, 2, 20),
            Scale::Desk => (100_000, 4, 1000),
            Scale::Full => (100_000, 20, 1000),
        };
        let variant = |label: &str, rule| TrainingVariant::new(label.to_owned(), 5, 1, by(rule, games));
        Config {
            variants: vec![variant("TD(λ)", Rule::TdLambda(0.9)), variant("Q-learning", Rule::QLearning)],
            pupils,
            first_seed: None,
            after: tenths(games),
            yardsticks: vec![
                Yardstick::Match { label: "the reference", opponent: "net:eps=0.3", epsilon: 0.3 },
                Yardstick::Exam { problems: measured },
            ],
            games: measured,
        }
    },
    report: graph_report,
};

/// Curves and points of all variants by every yardstick.
pub(crate) fn all_curves(study: &SelfPlayStudy, config: &Config, findings: &[VariantResult]) -> Section {
    curves_and_points(study, config, findings, None)
}

/// The same, the axes of the first curves marked in this way.
fn curves_and_points(
    study: &SelfPlayStudy,
    config: &Config,
    findings: &[VariantResult],
    mut marked: Option<[AxisTicks; 2]>,
) -> Section {
    let mut numbers = Vec::new();
    let mut blocks = vec![Block::text(about(study, config))];
    let variants: Vec<usize> = (0..config.variants.len()).collect();
    for (place, yardstick) in config.yardsticks.iter().enumerate() {
        let mut points = Vec::new();
        for (variant, finding) in config.variants.iter().zip(findings) {
            for (point, after) in config.after.iter().enumerate() {
                let label = format!("{} after {after}", variant.label);
                points.push(finding.number(label, point, place));
            }
        }
        blocks.push(curves(study, config, findings, &variants, place, marked.take()));
        if place == 0 {
            blocks.extend(conclusion(study));
        }
        let chance = match (yardstick, findings.first().and_then(|finding| finding.by_chance)) {
            (Yardstick::Exam { .. }, Some(share)) => format!(" (a random move: {:.1})", 100.0 * share),
            _ => String::new(),
        };
        blocks.push(Block::text(format!("{}, in %{chance}:", yardstick.title())));
        blocks.push(Block::Table(Number::table(&points, Text::new("trials", "essais"))));
        numbers.extend(points.into_iter().map(|number| number.called(yardstick.label())));
    }
    Section { blocks, numbers }
}

/// With the axes that the document asks for: a mark for every measurement, and tens up to 60%.
fn graph_report(study: &SelfPlayStudy, config: &Config, findings: &[VariantResult]) -> Section {
    let games = config.after.last().copied().unwrap_or_default() as f64;
    let marked = [AxisTicks { to: games, step: games / 10.0 }, AxisTicks { to: 60.0, step: 10.0 }];
    let mut section = curves_and_points(study, config, findings, Some(marked));
    section.blocks.push(Block::text(
        "The document's own graph is invented (it says so), and its reference is not public; so there is nothing to \
         compare with. The reference here is the first network that its stated command makes.",
    ));
    section
}

/// What a network sees.
pub(super) const ENCODINGS: SelfPlayStudy = SelfPlayStudy {
    name: "encodings",
    remark: "TD(λ), α = 0.1 and else the document's parameters; `document` is what the document's network sees, `ways` adds whose \
             turn it is and how long the shortest ways are. With first weights of the document's deviation, 0.0001, many hidden \
             neurons stay alike at this rate, whatever they see; with 0.1 the encodings can be compared. Pupils draw one move in \
             twenty blindly.",
    conclusion: Some(
        "with first weights of deviation 0.1 our own encoding gains: against the greedy player 87.7% (83.9 – 91.5) of the \
                 games are won instead of 71.6% (58.2 – 85.0) with one wall, and 88.3% (87.5 – 89.1) instead of 83.1% (78.3 – 88.0) \
                 with three, and its pupils differ less. It fails with one wall and the document's first weights of 0.0001, 45.6% \
                 (18.4 – 72.7) against 78.5% (65.9 – 91.1): some of its pupils learn next to nothing and do not even beat random \
                 moves, against which they win 74.4% (55.3 – 93.5) where all others win 96% or more.",
    ),
    config: |scale| {
        let (games, pupils, measured) = match scale {
            Scale::Smoke => (400, 2, 20),
            Scale::Desk => (100_000, 4, 1000),
            Scale::Full => (200_000, 10, 1000),
        };
        let variant = |walls: u8, encoding: &str, deviation: f64| {
            let mut course = TrainingConfig { deviation, ..TrainingConfig::of_document(encoding, games) };
            course.learning.rate = Ramp::constant(0.1);
            let hands = if walls == 1 { "1 wall".to_owned() } else { format!("{walls} walls") };
            let label = format!("{hands}, {encoding}, first weights {deviation}");
            TrainingVariant::new(label, 5, walls, course)
        };
        let of = |walls| {
            [0.1, 1e-4].into_iter().flat_map(move |deviation| {
                ["document", "ways"].map(|encoding| variant(walls, encoding, deviation))
            })
        };
        Config {
            variants: [1, 3].into_iter().flat_map(of).collect(),
            pupils,
            first_seed: None,
            after: tenths(games),
            yardsticks: vec![GREEDY, RANDOM],
            games: measured,
        }
    },
    report: |study, config, findings| {
        let mut section = at_the_end(study, config, findings);
        for first in [0, 4] {
            section.blocks.push(curves(study, config, findings, &[first, first + 1], 0, None));
        }
        section
    },
};

/// The greedy shortest-path player.
pub(crate) const GREEDY: Yardstick = Yardstick::Match {
    label: "the greedy shortest-path player",
    opponent: "greedy:wall=200,eps=0.05",
    epsilon: 0.05,
};
/// Random moves.
pub(crate) const RANDOM: Yardstick =
    Yardstick::Match { label: "random moves", opponent: "random", epsilon: 0.05 };
/// The network of the graph.
pub(super) const REFERENCE: Yardstick =
    Yardstick::Match { label: "the reference", opponent: "net:eps=0.05", epsilon: 0.05 };
