//! The document's figures: errors in ten intervals, errors by what is unmasked, scores as boxes, games won by playful
//! level and flag threshold.

use outplay_arena::stats::Shares;
use outplay_core::{Language, Text};
use outplay_report::{Bar, BarChart, BarRow, BoxChart, BoxRow, Figure, HeatMap, ScatterChart, ScatterColumn};

use super::errors::{BINS, Errors, ErrorsOfSome, FINE_BINS};
use super::scores::Scores;

/// What a score counts.
const UNMASKED: Text = Text::new("unmasked empty cells", "cases vides dévoilées");

/// One of two texts.
fn said(language: Language, en: impl Into<String>, fr: impl Into<String>) -> String {
    match language {
        Language::English => en.into(),
        Language::French => fr.into(),
    }
}

/// A share of errors that was published, in percent.
#[derive(Clone, Copy, Debug)]
pub struct ErrorShare {
    /// The smallest error of its interval.
    pub from: f64,
    /// The largest.
    pub to: f64,
    /// The share.
    pub percent: f64,
}

/// Errors in ten intervals (Figures 13, 15, 21, 25, 27), with what was published of them.
pub fn histogram(name: &str, errors: &Errors, published: &[ErrorShare], language: Language) -> Figure {
    let row = |tenth: usize| {
        let (from, to) = (tenth as f64 / BINS as f64, (tenth + 1) as f64 / BINS as f64);
        let share = errors.distribution[tenth];
        let trials = errors.samples / 10;
        let interval = Shares::of((share * trials as f64).round() as u64, trials).interval();
        let bar = Bar { value: 100.0 * share, low: 100.0 * interval.low, high: 100.0 * interval.high };
        let ghost = published.iter().find(|share| share.from == from && share.to == to);
        BarRow {
            label: format!("{from:.1}–{to:.1}"),
            bars: vec![Some(bar)],
            ghost: ghost.map(|share| share.percent),
        }
    };
    let chart = BarChart {
        caption: said(
            language,
            format!("{name}: the distribution of the absolute errors on the test set"),
            format!("{name} : la distribution des erreurs absolues sur l’ensemble de test"),
        ),
        axis: said(language, "% of samples", "% des exemples"),
        limit: 100.0,
        series: vec![said(language, "ours", "les nôtres")],
        ghost: (!published.is_empty()).then(|| said(language, "the document", "le document")),
        rows: (0..BINS).map(row).collect(),
    };
    chart.figure(format!("{name}-errors"))
}

/// Errors against the number of unmasked empty cells (Figures 14, 16, 22, 26, 28).
pub fn scatter(name: &str, errors: &Errors, language: Language) -> Figure {
    let columns = errors.by_unmasked.iter().enumerate().filter(|(_, some)| some.samples > 0);
    let columns = columns.map(|(unmasked, some)| (unmasked as f64, some.clone())).collect::<Vec<_>>();
    scatter_by(name, UNMASKED.get(language), &columns, language)
}

/// Errors against something else (Figure 18).
pub fn scatter_by(name: &str, what: &str, errors: &[(f64, ErrorsOfSome)], language: Language) -> Figure {
    let height = |bin: usize| (bin as f64 + 0.5) / FINE_BINS as f64;
    let column = |(x, some): &(f64, ErrorsOfSome)| ScatterColumn {
        x: *x,
        points: some.bins.iter().enumerate().map(|(bin, &count)| (height(bin), count)).collect(),
        mean: some.mean,
    };
    let chart = ScatterChart {
        caption: said(
            language,
            format!(
                "{name}: absolute errors by {what}; a point's area is its share of the errors above its place"
            ),
            format!(
                "{name} : erreurs absolues selon {what} ; l’aire d’un point est sa part des erreurs au-dessus de sa place"
            ),
        ),
        x_axis: what.to_owned(),
        y_axis: said(language, "absolute error", "erreur absolue"),
        columns: errors.iter().map(column).collect(),
    };
    chart.figure(format!("{name}-scatter"))
}

/// One AI of a box plot of scores, with published values beside it.
pub fn score_row(label: &str, scores: &Scores, published: Vec<f64>) -> BoxRow {
    let spread = scores.spread();
    BoxRow {
        label: label.to_owned(),
        quartiles: spread.quartiles,
        whiskers: spread.whiskers,
        mean: spread.mean,
        outliers: scores.outliers(),
        ghosts: published,
    }
}

/// Scores as boxes (Figures 17 and 31); the highest one is a game won.
pub fn score_boxes(name: &str, most: usize, rows: Vec<BoxRow>, language: Language) -> Figure {
    let has_ghosts = rows.iter().any(|row| !row.ghosts.is_empty());
    let chart = BoxChart {
        caption: said(
            language,
            format!("{name}: scores; {most} is a game won"),
            format!("{name} : scores ; {most} est une partie gagnée"),
        ),
        axis: UNMASKED.get(language).to_owned(),
        limit: most as f64,
        ghost: has_ghosts.then(|| {
            said(language, "the document's mean and quartiles", "la moyenne et les quartiles du document")
        }),
        rows,
    };
    chart.figure(name)
}

/// The playful levels and flag thresholds of a heat map, in hundredths.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct PolicyGrid {
    /// Playful levels.
    pub levels: Vec<u32>,
    /// Flag thresholds.
    pub thresholds: Vec<u32>,
}

impl PolicyGrid {
    /// Every pair, level by level.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.levels.iter().flat_map(|&level| self.thresholds.iter().map(move |&threshold| (level, threshold)))
    }

    /// The heat map of % of games won (Figures 29 and 30); a square may be unknown. The document's best is marked.
    pub fn figure(
        &self,
        name: &str,
        where_: &str,
        won: impl Fn((u32, u32)) -> Option<f64>,
        language: Language,
    ) -> Figure {
        let text = |hundredths: &u32| format!("{:.2}", f64::from(*hundredths) / 100.0);
        let place = |list: &[u32], wanted: u32| list.iter().position(|&hundredths| hundredths == wanted);
        let row = |&level: &u32| self.thresholds.iter().map(|&threshold| won((level, threshold))).collect();
        let map = HeatMap {
            caption: said(
                language,
                format!("{name}: % of games won by playful level and flag threshold, {where_}"),
                format!(
                    "{name} : % de parties gagnées selon le niveau playful et le seuil des drapeaux, {where_}"
                ),
            ),
            x_axis: said(language, "flag threshold", "seuil des drapeaux"),
            y_axis: said(language, "playful level", "niveau playful"),
            x: self.thresholds.iter().map(text).collect(),
            y: self.levels.iter().map(text).collect(),
            values: self.levels.iter().map(row).collect(),
            span: (0.0, 100.0),
            digits: 0,
            ghost: place(&self.levels, 115).zip(place(&self.thresholds, 96)),
        };
        map.figure(name)
    }
}
