//! §4.1–4.5: one parameter varied, everything else as in the step kept before.

use outplay_core::{Language, Text};
use outplay_games::minesweeper::subgrids::{FlagPolicy, SampleOrder, SampleSource};

use super::numbered_network::NumberedNetwork;
use super::report::{PublishedStep, error_figures, readings, score_numbers, sweep};
use super::study::{LadderStep, StepFinding, StepFindings, StepVariant};
use crate::artefact::Scale;
use outplay_lab::minesweeper::subgrids::charts;
use outplay_lab::minesweeper::subgrids::config::{SubgridTrainingConfig, WeightInit};
use outplay_lab::minesweeper::subgrids::errors::Errors;
use outplay_report::{Block, LineChart, LineSeries, Number, Section};

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
            let errors = along(findings, |lesson| lesson.set.ratio);
            let errors: Vec<_> =
                errors.into_iter().map(|(ratio, found)| (ratio, found.errors.all())).collect();
            Block::Figure(charts::scatter_by(
                study.name,
                "share of mined centres",
                &errors,
                Language::English,
            ))
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
    report: |study, findings, published| {
        let curve = |findings: &StepFindings| {
            lines(study.name, "sub-grids without a mask", &along(findings, |lesson| lesson.set.grids as f64))
        };
        let mut section = sweep_with(study, findings, curve);
        let example = &findings.variants[0].1.errors;
        let stated: PublishedStep = published.needed(study.name)?;
        section.blocks.push(Block::text(format!(
            "{}: \"a little more than 40 %\" of the errors of its example are below 0.1 and \"about 30 %\" between 0.3 and 0.7. \
             Of our smallest set's network {:.0} % and {:.0} % are.",
            stated.source,
            100.0 * example.distribution[0],
            100.0 * example.distribution[3..7].iter().sum::<f64>()
        )));
        section.blocks.extend(error_figures("example", example, &stated.error_shares).map(Block::Figure));
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
    remark: "Batch 2000, six epochs, with 300–256–128 and with 600–1024–512–256 hidden neurons. The document has \
             the same errors with both, a mean score of 76 and 75, 58.6 % and 58.4 % of games won, and drops the larger one. \
             At full scale both learn the document's 10 000 000 samples; below it, fewer (deviation 10), and at the smallest \
             scale the larger one has 600–64 neurons.",
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
    report: |study, findings, published| {
        let mut section = sweep(study, findings);
        for ((variant, finding), step) in findings.variants.iter().zip(["longer-training", study.name]) {
            let stated: PublishedStep = published.needed(step)?;
            let Some(scores) = &finding.scores else { continue };
            let numbers = score_numbers(&variant.label, &[scores], Some(&stated));
            let compared: Vec<Number> =
                numbers.into_iter().filter(|number| number.comparison.is_some()).collect();
            section
                .blocks
                .push(Block::text(format!("{} beside the document's ({}).", variant.label, stated.source)));
            section.blocks.push(Block::Table(Number::table(&compared, Text::new("games", "parties"))));
            // The compared number takes the place of the measured one.
            section.numbers.retain(|number| compared.iter().all(|other| other.name != number.name));
            section.numbers.extend(compared);
        }
        Ok(section)
    },
};

/// §4.7 and §4.8, where the text leaves a choice: each reading with the AI of §4.8.
pub(super) const READINGS: LadderStep = LadderStep {
    name: "readings",
    remark: "The last network, with one choice changed at a time, beside the games that the document wins (§4.8). It does not \
             say what the random number of masked cells counts, how first weights are drawn, whether flags stop cascades, or \
             whether flags come back after all were removed. `total`, `uniform` is how the author's program learns: the number \
             counts all masked cells, centre included, and first weights are uniform in ±0.05. `further` counts cells besides \
             the centre; `glorot` is Keras' default. With flags on the board that come back, the AI plays as the author's \
             program does. The second and the third network are of other data sets, first weights and orders. All play with \
             playful level 1.15 and flag threshold 0.96. The order of the samples has no effect where they are shuffled, and \
             without shuffling nothing is learnt (artefact `order`); single precision is what both programs use.",
    variants: |scale, sizes| {
        let read = |source, init| NumberedNetwork::first(sizes.read_as(source, init));
        let variant = |label: &str, network| StepVariant::playing(label, network, FlagPolicy::BEST);
        let own = read(SampleSource::TOTAL, WeightInit::Uniform);
        let flagging = |label: &str, flags_on_board, restores| {
            let policy = FlagPolicy { restores, ..FlagPolicy::BEST };
            StepVariant { flags_on_board, ..StepVariant::playing(label, own.clone(), policy) }
        };
        let mut variants = vec![
            variant("total, uniform", own.clone()),
            variant("further, uniform", read(SampleSource::FURTHER, WeightInit::Uniform)),
            flagging("total, uniform, flags on the board", true, false),
            flagging("total, uniform, flags come back", false, true),
            flagging("total, uniform, flags on the board come back", true, true),
        ];
        if scale != Scale::Smoke {
            variants.push(variant("total, glorot", read(SampleSource::TOTAL, WeightInit::Glorot)));
            variants.push(variant("further, glorot", read(SampleSource::FURTHER, WeightInit::Glorot)));
            let numbered = |number| NumberedNetwork { number, ..own.clone() };
            variants.push(variant("total, uniform, second network", numbered(1)));
            variants.push(variant("total, uniform, third network", numbered(2)));
        }
        variants
    },
    report: readings,
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
