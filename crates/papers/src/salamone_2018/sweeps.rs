//! §4.1–4.5: one parameter varied, everything else as in the step kept before.

use outplay_games::minesweeper::subgrids::{FlagPolicy, SampleOrder};

use super::numbered_network::NumberedNetwork;
use super::report::{histogram, scatter, scatter_by, sweep};
use super::study::{LadderStep, StepFinding, StepFindings, StepVariant};
use crate::artefact::Scale;
use outplay_lab::minesweeper::subgrids::config::SubgridTrainingConfig;
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_report::{Block, LineChart, LineSeries, Section};

/// §4.1.
pub(super) const RATIO: LadderStep = LadderStep {
    name: "ratio",
    remark: "The first lesson with a share of mined centres from 0.25 to 0.75; the test set has one half. The document \
             sees no share that is better than the others and keeps 0.5; it gives no numbers.",
    variants: |scale, sizes| {
        let hundredths: Vec<u32> =
            if scale == Scale::Smoke { vec![25, 75] } else { (25..=75).step_by(5).collect() };
        let variant = |hundredths: u32| {
            let ratio = f64::from(hundredths) / 100.0;
            StepVariant::new(format!("ratio {ratio:.2}"), NumberedNetwork::first(sizes.with_ratio(ratio)))
        };
        hundredths.into_iter().map(variant).collect()
    },
    report: |study, findings, _| {
        let scatter = |findings: &StepFindings| {
            scatter_by(study.name, "share of mined centres", &along(findings, |lesson| lesson.set.ratio))
        };
        Ok(sweep_with(study, findings, scatter))
    },
};

/// §4.2.
pub(super) const ORDER: LadderStep = LadderStep {
    name: "order",
    remark: "The first lesson in seven orders. Keras, with which the document works, shuffles the samples before each epoch \
             unless told not to; then an order means nothing, and the document's finding that NoBM-BM has the smallest \
             errors is one of chance. Without shuffling, NoBM-BM ends with half a million mined centres in a row and unlearns \
             everything else; the document's 18.2 % of games won cannot come from such a network, so its samples \
             were shuffled. Both are shown.",
    variants: |scale, sizes| {
        let orders =
            if scale == Scale::Smoke { &SampleOrder::OF_DOCUMENT[..1] } else { &SampleOrder::OF_DOCUMENT };
        let variant = |(order, name): &(SampleOrder, &str), shuffle: bool| {
            let label = if shuffle { (*name).to_owned() } else { format!("{name}, not shuffled") };
            StepVariant::new(label, NumberedNetwork::first(sizes.with_order(*order, shuffle)))
        };
        let both = [true, false].into_iter();
        both.flat_map(|shuffle| orders.iter().map(move |order| variant(order, shuffle))).collect()
    },
    report: |study, findings, _| Ok(sweep(study, findings)),
};

/// §4.3. The smallest lesson stands for the document's examples of a histogram and a scatter (Figures 13 and 14).
pub(super) const SIZE: LadderStep = LadderStep {
    name: "size",
    remark: "The first lesson from fewer and more sub-grids without a mask, ten samples of each. The document sees a fall \
             up to 100 000 and little beyond, and takes 1 000 000. Figures 13 and 14 of the document are examples of an \
             unnamed network; ours are of the smallest set.",
    variants: |_, sizes| {
        let parts = [100, 50, 20, 10, 5, 2, 1];
        let grids = parts.map(|part| (sizes.grids / part).max(2));
        let variant = |grids| {
            StepVariant::new(format!("{grids} sub-grids"), NumberedNetwork::first(sizes.with_grids(grids)))
        };
        grids.map(variant).to_vec()
    },
    report: |study, findings, _| {
        let curve = |findings: &StepFindings| {
            lines(study.name, "sub-grids without a mask", &along(findings, |lesson| lesson.set.grids as f64))
        };
        let mut section = sweep_with(study, findings, curve);
        let example = &findings.variants[0].1.errors;
        section.blocks.extend([histogram("example", example, None), scatter("example", example)]);
        Ok(section)
    },
};

/// §4.4.
pub(super) const BATCH: LadderStep = LadderStep {
    name: "batch",
    remark: "The lesson of §4.3, one epoch, with batches from 10 to 10 000. The document takes 2000, whose errors are the \
             smallest on average.",
    variants: |scale, sizes| {
        let batches: &[usize] =
            if scale == Scale::Smoke { &[10, 2000] } else { &[10, 50, 100, 500, 1000, 2000, 5000, 10_000] };
        let variant = |&batch| {
            StepVariant::new(format!("batch {batch}"), NumberedNetwork::first(sizes.with_batch(batch)))
        };
        batches.iter().map(variant).collect()
    },
    report: |study, findings, _| Ok(sweep(study, findings)),
};

/// §4.4.
pub(super) const EPOCHS: LadderStep = LadderStep {
    name: "epochs",
    remark: "The lesson of §4.3 with batch 2000, after each epoch of one training. The document takes 6, at which \
             the mean and all quartiles of its errors are the smallest; how far it went beyond is not said.",
    variants: |scale, sizes| {
        let last = if scale == Scale::Smoke { 2 } else { 8 };
        let variant = |epochs| {
            StepVariant::new(format!("epochs {epochs}"), NumberedNetwork::first(sizes.with_epochs(epochs)))
        };
        (1..=last).map(variant).collect()
    },
    report: |study, findings, _| {
        let curve = |findings: &StepFindings| {
            lines(study.name, "epochs", &along(findings, |lesson| lesson.epochs as f64))
        };
        Ok(sweep_with(study, findings, curve))
    },
};

/// §4.5.
pub(super) const STRUCTURE: LadderStep = LadderStep {
    name: "structure",
    remark: "Batch 2000, six epochs, with 300–256–128 and with 600–1024–512–256 hidden neurons, both on a tenth \
             of the samples, because the larger network takes ten times as long (deviation 10). The document has \
             the same errors with both, a mean score of 76 and 75, 58.6 % and 58.4 % of games won, and drops the larger one.",
    variants: |scale, sizes| {
        let larger: &[usize] = if scale == Scale::Smoke { &[600, 64] } else { &[600, 1024, 512, 256] };
        let variant = |layers: &[usize]| {
            let name = layers.iter().map(usize::to_string).collect::<Vec<_>>().join("–");
            StepVariant::playing(
                name,
                NumberedNetwork::first(sizes.with_layers(layers)),
                FlagPolicy::WITHOUT_FLAGS,
            )
        };
        vec![variant(&[300, 256, 128]), variant(larger)]
    },
    report: |study, findings, _| Ok(sweep(study, findings)),
};

/// The networks by one parameter of their lessons.
fn along(findings: &StepFindings, of: fn(&SubgridTrainingConfig) -> f64) -> Vec<(f64, &StepFinding)> {
    findings.variants.iter().map(|(variant, finding)| (of(&variant.network.lesson), finding)).collect()
}

/// A sweep with one more figure.
fn sweep_with(
    study: &LadderStep,
    findings: &StepFindings,
    figure: impl Fn(&StepFindings) -> Block,
) -> Section {
    let mut section = sweep(study, findings);
    section.blocks.push(figure(findings));
    section
}

/// How the errors change with a parameter (Figures 20 and 24).
fn lines(name: &str, what: &str, findings: &[(f64, &StepFinding)]) -> Block {
    let series = |series: &str, of: fn(&Errors) -> f64| LineSeries {
        name: series.to_owned(),
        points: findings.iter().map(|(x, finding)| (*x, of(&finding.errors))).collect(),
    };
    let chart = LineChart {
        caption: format!("{name}: errors on the test set by {what}"),
        x_axis: what.to_owned(),
        y_axis: "error".to_owned(),
        series: vec![
            series("mean absolute error", |errors| errors.mae),
            series("mean squared error", |errors| errors.mse),
            series("median of the absolute error", |errors| errors.spread.quartiles[1]),
        ],
        ..LineChart::default()
    };
    Block::Figure(chart.figure(format!("{name}-curve")))
}
