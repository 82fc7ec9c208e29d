//! The document's numbers and figures beside ours.

use outplay_core::{Language, Text};
use outplay_runtime::WorkError;
use serde::Deserialize;

use super::study::{LadderStep, StepFinding, StepFindings};
use crate::artefact::Published;
use outplay_arena::stats::{Interval, Z95};
use outplay_arena::stats::{Shares, student_interval};
use outplay_lab::minesweeper::subgrids::charts::{self, ErrorShare};
use outplay_lab::minesweeper::subgrids::errors::{BINS, Errors};
use outplay_lab::minesweeper::subgrids::scores::Scores;
use outplay_report::{Block, BoxChart, BoxRow, Figure, Number, Section, reproduced_and_total};

/// The published numbers of an AI and its network; most steps give only some of them.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct PublishedStep {
    pub(super) source: String,
    #[serde(default)]
    mae: Option<f64>,
    #[serde(default)]
    mse: Option<f64>,
    /// Shares of errors in an interval, in percent, read off a figure by the document itself.
    #[serde(default)]
    pub(super) error_shares: Vec<PublishedShare>,
    #[serde(default)]
    win_rate: Option<f64>,
    #[serde(default)]
    mean: Option<f64>,
    #[serde(default)]
    quartiles: Option<[f64; 3]>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedShare {
    from: f64,
    to: f64,
    percent: f64,
}

/// The document's test sets: sub-grids without a mask, ten samples of each (§3.2.4).
const TEST_GRIDS: f64 = 10_000.0;
/// Games of an AI (§3.4).
pub(super) const GAMES: u64 = 1000;
/// The rounding error of "about 62 %", in points.
const ABOUT: f64 = 1.0;

/// Numbers of several networks of one kind, each known but for a standard error.
struct NetworkMeasurements {
    values: Vec<f64>,
    errors: Vec<f64>,
}

impl NetworkMeasurements {
    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Half of the interval of the mean, by the errors and by how much the networks differ.
    fn half(&self) -> f64 {
        let k = self.values.len() as f64;
        let by_errors = Z95 * self.errors.iter().map(|error| error * error).sum::<f64>().sqrt() / k;
        by_errors.max(self.half_by_networks())
    }

    fn half_by_networks(&self) -> f64 {
        student_interval(&self.values).map_or(0.0, |interval| (interval.high - interval.low) / 2.0)
    }

    /// Half of the interval of the difference to one more network, whose number has this error.
    fn margin(&self, error: f64) -> f64 {
        let k = self.values.len() as f64;
        let by_errors = self.errors.iter().map(|error| error * error).sum::<f64>() / (k * k);
        let by_networks = self.half_by_networks() * (k + 1.0).sqrt();
        (Z95 * (by_errors + error * error).sqrt()).max(by_networks)
    }

    fn number(&self, name: &str, n: u64) -> Number {
        let (mean, half) = (self.mean(), self.half());
        let interval = Interval { low: mean - half, high: mean + half };
        let mut number = Number::new(name, "", mean, interval, n);
        number.groups = self.values.len();
        number
    }
}

/// The errors of networks of one kind beside the document's.
pub(super) fn error_numbers(findings: &[&StepFinding], stated: Option<&PublishedStep>) -> Vec<Number> {
    let samples = findings.iter().map(|finding| finding.errors.samples).sum();
    let grids = findings[0].errors.samples as f64 / 10.0;
    let mean = |name: &str, of: fn(&Errors) -> (f64, f64), published: Option<f64>| {
        let (values, errors): (Vec<f64>, Vec<f64>) =
            findings.iter().map(|finding| of(&finding.errors)).unzip();
        let document_error = errors[0] * (grids / TEST_GRIDS).sqrt();
        let measured = NetworkMeasurements { values, errors };
        let number = measured.number(name, samples).digits(3);
        match published {
            Some(published) => number.against(published, measured.margin(document_error) + 0.0005),
            None => number,
        }
    };
    let mut numbers = vec![
        mean("mean absolute error", |e| (e.mae, e.mae_error), stated.and_then(|stated| stated.mae)),
        mean("mean squared error", |e| (e.mse, e.mse_error), stated.and_then(|stated| stated.mse)),
    ];
    let shares = stated.map_or(&[][..], |stated| &stated.error_shares);
    numbers.extend(shares.iter().map(|share| share_number(findings, share)));
    numbers
}

/// The share of errors in an interval beside the document's. Samples of one sub-grid go together, so there are only as
/// many trials as sub-grids.
fn share_number(findings: &[&StepFinding], stated: &PublishedShare) -> Number {
    let tenth = |edge: f64| (edge * BINS as f64).round() as usize;
    let group = |finding: &&StepFinding| {
        let share: f64 = finding.errors.distribution[tenth(stated.from)..tenth(stated.to)].iter().sum();
        let trials = finding.errors.samples / 10;
        ((share * trials as f64).round() as u64, trials)
    };
    let shares = Shares::of_groups(findings.iter().map(group).collect());
    let name = format!("errors from {} to {}, %", stated.from, stated.to);
    let margin = 100.0 * shares.margin_to(stated.percent / 100.0, TEST_GRIDS as u64) + ABOUT;
    Number::share(name, &shares).against(stated.percent, margin)
}

/// The scores of AIs of one kind beside the document's.
pub(super) fn score_numbers(name: &str, all: &[&Scores], stated: Option<&PublishedStep>) -> Vec<Number> {
    let games: u64 = all.iter().map(|scores| scores.games()).sum();
    let document_scale = (all[0].games() as f64 / GAMES as f64).sqrt();
    let won = Shares::of_groups(all.iter().map(|scores| (scores.wins(), scores.games())).collect());
    let mut win_rate = Number::share(format!("{name}: games won, %"), &won);
    if let Some(published) = stated.and_then(|stated| stated.win_rate) {
        win_rate = win_rate.against(published, 100.0 * won.margin_to(published / 100.0, GAMES) + 0.05);
    }
    let number = |what: &str, of: &dyn Fn(&Scores) -> (f64, f64), published: Option<f64>| {
        let (values, errors): (Vec<f64>, Vec<f64>) = all.iter().map(|scores| of(scores)).unzip();
        let document_error = errors[0] * document_scale;
        let measured = NetworkMeasurements { values, errors };
        let number = measured.number(&format!("{name}: {what}"), games);
        // The document rounds scores to whole numbers.
        match published {
            Some(published) => number.against(published, measured.margin(document_error) + 0.5),
            None => number,
        }
    };
    let mut numbers = vec![
        win_rate,
        number(
            "mean score",
            &|scores| (scores.mean(), scores.deviation() / (scores.games() as f64).sqrt()),
            stated.and_then(|stated| stated.mean),
        ),
    ];
    for (i, what) in ["first quartile", "median", "third quartile"].into_iter().enumerate() {
        let published = stated.and_then(|stated| stated.quartiles).map(|quartiles| quartiles[i]);
        numbers.push(number(what, &|scores| (scores.quartiles()[i], scores.quartile_errors()[i]), published));
    }
    numbers
}

/// §3.4: the random AI.
pub(super) fn random(
    study: &LadderStep,
    findings: &StepFindings,
    published: &Published,
) -> Result<Section, WorkError> {
    let stated: PublishedStep = published.needed(study.name)?;
    let numbers = score_numbers("random AI", &[&findings.random], Some(&stated));
    let blocks = vec![
        Block::text(format!("{}. {}", stated.source, study.remark)),
        Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
    ];
    Ok(Section { blocks, numbers })
}

/// A step of the ladder: networks of one lesson with their errors and games.
pub(super) fn step(
    study: &LadderStep,
    findings: &StepFindings,
    published: &Published,
) -> Result<Section, WorkError> {
    let stated: PublishedStep = published.needed(study.name)?;
    let all: Vec<&StepFinding> = findings.variants.iter().map(|(_, finding)| finding).collect();
    let scores: Vec<&Scores> = all.iter().filter_map(|finding| finding.scores.as_ref()).collect();
    let mut numbers = error_numbers(&all, Some(&stated));
    numbers.extend(score_numbers("AI", &scores, Some(&stated)));
    let lesson = &findings.variants[0].0.network.lesson;
    let mut blocks = vec![
        Block::text(format!("{}. {}", stated.source, study.remark)),
        Block::text(format!(
            "Ours learnt {} samples, {} times over, in batches of {}: `outplay train minesweeper subgrids {} --seed {} \
             --out FILE` makes the (first) network.",
            lesson.samples(),
            lesson.epochs,
            lesson.batch,
            lesson.to_string().replace(',', " "),
            all[0].seed
        )),
        Block::Table(Number::table(&numbers, Text::new("samples or games", "exemples ou parties"))),
    ];
    blocks.extend(error_figures(study.name, &all[0].errors, &stated.error_shares).map(Block::Figure));
    let mut rows: Vec<BoxRow> = findings
        .variants
        .iter()
        .zip(&scores)
        .map(|((variant, _), scores)| score_row(&variant.label, scores, &stated))
        .collect();
    rows.push(BoxRow { ghosts: Vec::new(), ..score_row("random AI", &findings.random, &stated) });
    let most = findings.random.most();
    blocks.push(Block::Figure(charts::score_boxes(
        &format!("{}-scores", study.name),
        most,
        rows,
        Language::English,
    )));
    Ok(Section { blocks, numbers })
}

/// Every reading of §4.8 beside its games won, and whether any of them gives these.
pub(super) fn readings(
    study: &LadderStep,
    findings: &StepFindings,
    published: &Published,
) -> Result<Section, WorkError> {
    let stated: PublishedStep = published.needed("temper")?;
    let mut numbers = Vec::new();
    for (variant, finding) in &findings.variants {
        let scores: Vec<&Scores> = finding.scores.iter().collect();
        numbers.push(score_numbers(&variant.label, &scores, Some(&stated)).swap_remove(0));
    }
    let (given, all) = reproduced_and_total(&numbers);
    let best = numbers.iter().max_by(|one, other| one.ours.total_cmp(&other.ours));
    let best = best.map_or("", |number| number.name.as_str());
    let document = stated.win_rate.unwrap_or_default();
    let verdict = match given {
        0 => format!(
            "None of these {all} readings gives the document's {document} %; nearest comes \"{best}\"."
        ),
        _ => format!(
            "Of these {all} readings, {given} agree with the document's {document} % within chance; most is won by \"{best}\"."
        ),
    };
    let errors = findings
        .variants
        .iter()
        .flat_map(|(variant, finding)| {
            error_numbers(&[finding], None).into_iter().map(|number| prefixed(&variant.label, number))
        })
        .collect::<Vec<_>>();
    let blocks = vec![
        Block::text(study.remark),
        Block::text(verdict),
        Block::Table(Number::table(&numbers, Text::new("games", "parties"))),
        Block::text("Their errors on the test set:"),
        Block::Table(Number::table(&errors, Text::new("samples", "exemples"))),
    ];
    numbers.extend(errors);
    Ok(Section { blocks, numbers })
}

/// Networks side by side, told apart by their errors and, if they played, by their games.
pub(super) fn sweep(study: &LadderStep, findings: &StepFindings) -> Section {
    let mut numbers = Vec::new();
    for (variant, finding) in &findings.variants {
        numbers.extend(
            error_numbers(&[finding], None).into_iter().map(|number| prefixed(&variant.label, number)),
        );
        if let Some(scores) = &finding.scores {
            numbers.push(score_numbers(&variant.label, &[scores], None).swap_remove(0));
        }
    }
    let least = |of: fn(&Errors) -> f64| {
        let smaller =
            |a: &&(_, StepFinding), b: &&(_, StepFinding)| of(&a.1.errors).total_cmp(&of(&b.1.errors));
        findings.variants.iter().min_by(smaller).map_or("", |(variant, _)| variant.label.as_str())
    };
    let blocks = vec![
        Block::text(study.remark),
        Block::text(format!(
            "The smallest mean absolute error is that of {}, the smallest mean squared error that of {}.",
            least(|errors| errors.mae),
            least(|errors| errors.mse)
        )),
        error_boxes(study.name, findings),
        Block::Table(Number::table(&numbers, Text::new("samples or games", "exemples ou parties"))),
    ];
    Section { blocks, numbers }
}

/// The histogram and the scatter of a network's errors, with what the document says of them.
pub(super) fn error_figures(name: &str, errors: &Errors, stated: &[PublishedShare]) -> [Figure; 2] {
    let share = |&PublishedShare { from, to, percent }: &PublishedShare| ErrorShare { from, to, percent };
    let stated: Vec<ErrorShare> = stated.iter().map(share).collect();
    [
        charts::histogram(name, errors, &stated, Language::English),
        charts::scatter(name, errors, Language::English),
    ]
}

fn prefixed(label: &str, mut number: Number) -> Number {
    number.name = format!("{label}: {}", number.name);
    number
}

/// Errors of several networks as boxes (Figures 19, 23).
fn error_boxes(name: &str, findings: &StepFindings) -> Block {
    let row = |(variant, finding): &(super::study::StepVariant, StepFinding)| {
        let spread = finding.errors.spread;
        BoxRow {
            label: variant.label.clone(),
            quartiles: spread.quartiles,
            whiskers: spread.whiskers,
            mean: spread.mean,
            outliers: Vec::new(),
            ghosts: Vec::new(),
        }
    };
    let chart = BoxChart {
        caption: format!("{name}: absolute errors on the test set, network by network, without outliers"),
        axis: "absolute error".to_owned(),
        limit: 1.0,
        ghost: None,
        rows: findings.variants.iter().map(row).collect(),
    };
    Block::Figure(chart.figure(format!("{name}-boxes")))
}

/// One AI of a box plot of scores, with the document's mean and quartiles as ghosts.
pub(super) fn score_row(label: &str, scores: &Scores, stated: &PublishedStep) -> BoxRow {
    charts::score_row(label, scores, stated.quartiles.into_iter().flatten().chain(stated.mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_that_differ_widen_the_interval() {
        let alike = NetworkMeasurements { values: vec![0.2; 4], errors: vec![0.01; 4] };
        assert!((alike.half() - Z95 * 0.005).abs() < 1e-9);
        assert!((alike.margin(0.01) - Z95 * (0.000_025f64 + 0.0001).sqrt()).abs() < 1e-9);
        let apart = NetworkMeasurements { values: vec![0.1, 0.3, 0.15, 0.25], errors: vec![0.01; 4] };
        assert!(apart.half() > 0.1 && apart.margin(0.01) > 2.0 * apart.half());
    }
}
