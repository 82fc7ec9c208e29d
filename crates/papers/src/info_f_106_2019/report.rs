//! The reports of the studies: tables of games won, and curves.

use super::study::{Config, SelfPlayStudy, VariantResult, Yardstick};
use outplay_core::Text;
use outplay_report::{AxisTicks, Block, LineChart, LineSeries, Number, Section};

/// What was done, in a sentence.
pub(super) fn about(study: &SelfPlayStudy, config: &Config) -> String {
    let games = config.after.last().copied().unwrap_or_default();
    let opponents: Vec<String> = config.yardsticks.iter().filter_map(Yardstick::who).collect();
    format!(
        "{} {} pupils of each kind, {games} games of self-play each, measured in {} games, colours alternating: {}.",
        study.remark,
        config.pupils,
        config.games,
        opponents.join("; ")
    )
}

/// What the published run has shown.
pub(super) fn conclusion(study: &SelfPlayStudy) -> Option<Block> {
    let conclusion = study.conclusion?;
    Some(Block::text(format!("In the published run, at full scale with seed 0: {conclusion}")))
}

/// The same as [`at_the_end`], and whether each variant can be told from the first.
pub(super) fn against_the_first(
    study: &SelfPlayStudy,
    config: &Config,
    findings: &[VariantResult],
) -> Section {
    let mut section = at_the_end(study, config, findings);
    let last = config.after.len() - 1;
    let mut sentences = Vec::new();
    for (place, yardstick) in config.yardsticks.iter().enumerate() {
        for (variant, finding) in config.variants.iter().zip(findings).skip(1) {
            let gain = finding.gain(&findings[0], last, place);
            let says = gain.say(["it is worse", "they cannot be told apart", "it is better"]);
            let (title, label, first) = (yardstick.title(), &variant.label, &config.variants[0].label);
            sentences.push(format!("{title}, \"{label}\" minus \"{first}\": {gain}; {says}."));
        }
    }
    section.blocks.push(Block::Items(sentences));
    section
}

/// A table for each yardstick of what the pupils won in the end.
pub(super) fn at_the_end(study: &SelfPlayStudy, config: &Config, findings: &[VariantResult]) -> Section {
    let blocks = [Some(Block::text(about(study, config))), conclusion(study)].into_iter().flatten().collect();
    let mut section = Section { blocks, numbers: Vec::new() };
    let last = config.after.len() - 1;
    for (place, yardstick) in config.yardsticks.iter().enumerate() {
        let numbers: Vec<Number> = config
            .variants
            .iter()
            .zip(findings)
            .map(|(variant, finding)| finding.number(variant.label.clone(), last, place))
            .collect();
        let (drawn, games) = findings
            .iter()
            .map(|finding| finding.drawn(last, place))
            .fold((0, 0), |sum, (d, n)| (sum.0 + d, sum.1 + n));
        section.blocks.push(Block::text(format!(
            "{}, in % ({:.1}% of all were drawn):",
            yardstick.title(),
            100.0 * drawn as f64 / games as f64
        )));
        section.blocks.push(Block::Table(Number::table(&numbers, Text::new("games", "parties"))));
        section.numbers.extend(numbers.into_iter().map(|number| number.called(yardstick.label())));
    }
    section
}

/// The curves of at most three variants by one yardstick: means of the pupils.
pub(super) fn curves(
    study: &SelfPlayStudy,
    config: &Config,
    findings: &[VariantResult],
    which: &[usize],
    yardstick: usize,
    marked: Option<[AxisTicks; 2]>,
) -> Block {
    let series = which.iter().map(|&variant| LineSeries {
        name: config.variants[variant].label.clone(),
        points: (0..config.after.len())
            .map(|point| (config.after[point] as f64, 100.0 * findings[variant].mean(point, yardstick)))
            .collect(),
    });
    let chart = LineChart {
        caption: format!("{}, in %", config.yardsticks[yardstick].title()),
        title: Some(config.yardsticks[yardstick].title()),
        x_axis: "games of self-play".to_owned(),
        y_axis: config.yardsticks[yardstick].axis().to_owned(),
        marked,
        series: series.collect(),
    };
    let name = if yardstick == 0 && which.first() == Some(&0) {
        study.name.to_owned()
    } else {
        format!("{}-{}-{yardstick}", study.name, which.first().copied().unwrap_or_default())
    };
    Block::Figure(chart.figure(name))
}
