//! The result of a sweep: the points from best to worst, as a table and as a figure.
//!
//! A report follows from the records alone. A point whose measure is not a number comes last and is left out of the
//! figure.

use outplay_runtime::WorkError;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use outplay_core::Text;
use serde::Serialize;
use serde_json::{Map, Value};

use super::grid::{Axis, ParamGrid};
use super::{SweepError, SweepPlan, SweepPoint};
use crate::registry::{Better, Measure, Trial};
use outplay_report::markdown::write as write_markdown;
use outplay_report::{Block, Figure, HeatMap, LineChart, LineSeries, ReportCell, ReportTable, english};
use outplay_runtime::files::{make_folder, write_atomically};

/// More lines than this are not drawn in one picture.
const MOST_LINES: usize = 3;
/// Fewer points than this make no curve.
const LEAST_OF_A_CURVE: usize = 4;

/// What became of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct SweepReport {
    /// What makes it again.
    pub command: String,
    /// The seed.
    pub seed: u64,
    /// By what points are compared.
    pub measure: &'static str,
    /// Which end of it is the good one.
    pub better: Better,
    /// All points that are done, the best first.
    pub points: Vec<RankedPoint>,
    /// How many there are in all.
    pub planned: usize,
    /// Whether all are done.
    pub finished: bool,
    /// Time spent in this call.
    pub seconds: f64,
    /// The folder.
    pub out: PathBuf,
}

/// A point with its worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedPoint {
    /// Its number, from 1.
    pub point: usize,
    /// The swept parameters at this point.
    pub parameters: Map<String, Value>,
    /// The measure, if it is a number.
    pub value: Option<f64>,
    /// The last record of its run.
    pub last: Value,
}

/// The file of the picture.
const PICTURE: &str = "sweep";

impl SweepReport {
    pub(super) fn new(
        command: String,
        grid: &ParamGrid,
        trial: &Trial,
        plan: &SweepPlan<'_>,
        points: &[SweepPoint],
        finished: bool,
    ) -> Result<Self, WorkError> {
        let measure = chosen(trial, plan.measure, points)?;
        let mut ranked: Vec<RankedPoint> =
            points.iter().map(|point| RankedPoint::of(point, measure)).collect();
        ranked.sort_by(|a, b| order(measure.better, a.value, b.value));
        Ok(Self {
            command,
            seed: plan.seed,
            measure: measure.name,
            better: measure.better,
            points: ranked,
            planned: grid.len(),
            finished,
            seconds: 0.0,
            out: plan.out.to_owned(),
        })
    }

    /// Writes `report.md` and the figure that it shows.
    pub(super) fn write(&self, folder: &Path, grid: &ParamGrid) -> Result<(), WorkError> {
        let figure = self.figure(grid);
        make_folder(&folder.join("figures"))?;
        let drawing = folder.join("figures").join(format!("{}.svg", figure.name));
        write_atomically(&drawing, |writer| writer.write_all(figure.svg.as_bytes()))?;
        let direction = if self.better == Better::Higher { "higher" } else { "lower" };
        let blocks = [
            Block::Heading(1, Text::new("Sweep", "Balayage")),
            Block::text(format!("`{}`", self.command)),
            Block::text(format!(
                "{} points, the best first; the {direction} the {}, the better.",
                self.points.len(),
                self.measure
            )),
            Block::Figure(figure),
            Block::Table(self.markdown_table()),
        ];
        let text = write_markdown(&blocks);
        Ok(write_atomically(&folder.join("report.md"), |writer| writer.write_all(text.as_bytes()))?)
    }

    /// The table's header: the swept parameters, the measure, the other recorded figures.
    pub fn head(&self) -> Vec<String> {
        let first = self.points.first();
        let swept =
            first.map(|point| point.parameters.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
        [vec!["point".to_owned()], swept, vec![self.measure.to_owned()], self.others()].concat()
    }

    /// The rows below it.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let others = self.others();
        let row = |point: &RankedPoint| {
            let mut cells = vec![point.point.to_string()];
            cells
                .extend(point.parameters.values().map(|value| value.as_str().unwrap_or_default().to_owned()));
            cells.push(number(point.value));
            cells.extend(others.iter().map(|name| number(point.last[name.as_str()].as_f64())));
            cells
        };
        self.points.iter().map(row).collect()
    }

    /// What else the last records say in one number.
    fn others(&self) -> Vec<String> {
        let Some(fields) = self.points.first().and_then(|point| point.last.as_object()) else {
            return Vec::new();
        };
        let numbers = fields.iter().filter(|(name, value)| value.is_f64() && *name != self.measure);
        numbers.map(|(name, _)| name.clone()).collect()
    }

    fn markdown_table(&self) -> ReportTable {
        let left = 1 + self.points.first().map_or(0, |point| point.parameters.len());
        let rows =
            self.rows().into_iter().map(|row| row.into_iter().map(ReportCell::from).collect()).collect();
        ReportTable { left, head: english(self.head()), rows }
    }

    /// Curves where one of a few parameters is a row of numbers, else a heat map.
    fn figure(&self, grid: &ParamGrid) -> Figure {
        let axes = grid.swept();
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        let caption = format!("{} by {}", self.measure, names.join(" and "));
        let across = (0..axes.len()).find(|&x| makes_curves(&axes, x));
        match across {
            Some(x) => self.curves(&axes, x, caption),
            None => self.heat_map(&axes, caption),
        }
    }

    fn curves(&self, axes: &[&Axis], x: usize, caption: String) -> Figure {
        let line = |others: &Vec<(&str, &str)>| {
            let point = |value: &'_ String| {
                let number: f64 = value.parse().ok()?;
                Some((number, self.value_at(others, (&axes[x].name, value))?))
            };
            let mut points: Vec<(f64, f64)> = axes[x].values.iter().filter_map(point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let name = if others.is_empty() { self.measure.to_owned() } else { label(others) };
            LineSeries { name, points }
        };
        let series = combinations(axes, x).iter().map(line).collect();
        let (x_axis, y_axis) = (axes[x].name.clone(), self.measure.to_owned());
        LineChart { caption, x_axis, y_axis, series, ..LineChart::default() }.figure(PICTURE)
    }

    /// The last parameter to the right, all others downwards.
    fn heat_map(&self, axes: &[&Axis], caption: String) -> Figure {
        let x = axes.len() - 1;
        let rows = combinations(axes, x);
        let row = |others: &Vec<(&str, &str)>| -> Vec<Option<f64>> {
            axes[x].values.iter().map(|value| self.value_at(others, (&axes[x].name, value))).collect()
        };
        let known = || self.points.iter().filter_map(|point| point.value);
        let (least, most) = (known().fold(f64::MAX, f64::min), known().fold(f64::MIN, f64::max));
        let names: Vec<&str> = axes[..x].iter().map(|axis| axis.name.as_str()).collect();
        let map = HeatMap {
            caption,
            x_axis: axes[x].name.clone(),
            y_axis: names.join(", "),
            x: axes[x].values.clone(),
            y: rows.iter().map(|others| values_of(others)).collect(),
            values: rows.iter().map(row).collect(),
            span: if self.better == Better::Higher { (least, most) } else { (most, least) },
            digits: digits(most),
            ghost: None,
        };
        map.figure(PICTURE)
    }

    fn value_at(&self, others: &[(&str, &str)], own: (&str, &str)) -> Option<f64> {
        let stands = |point: &&RankedPoint| {
            others.iter().chain([&own]).all(|&(name, value)| point.parameters[name].as_str() == Some(value))
        };
        self.points.iter().find(stands)?.value
    }
}

impl RankedPoint {
    fn of(point: &SweepPoint, measure: &Measure) -> Self {
        let value = point.last.pointer(measure.place).and_then(Value::as_f64);
        let SweepPoint { number, parameters, last } = point.clone();
        Self { point: number, parameters, value, last }
    }
}

/// The measure that was asked for, or the method's first that the records hold.
fn chosen<'t>(trial: &'t Trial, name: Option<&str>, points: &[SweepPoint]) -> Result<&'t Measure, WorkError> {
    let held = |measure: &&Measure| points.iter().any(|point| point.last.pointer(measure.place).is_some());
    let asked = |measure: &&Measure| name.is_none_or(|name| measure.name == name);
    let found = trial.measures.iter().filter(asked).find(|measure| points.is_empty() || held(measure));
    found.ok_or_else(|| {
        let names: Vec<&str> = trial.measures.iter().filter(asked).map(|measure| measure.name).collect();
        SweepError::NotMeasured { method: trial.listing.name, measures: names }.into()
    })
}

/// Better points first, equal ones in their order, those without a number last.
fn order(better: Better, a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if better == Better::Higher => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// Whether this axis is a row of whole numbers, and the others give but a few lines over it.
fn makes_curves(axes: &[&Axis], x: usize) -> bool {
    let numbers = axes[x].values.iter().all(|value| value.parse::<u32>().is_ok());
    numbers && axes[x].values.len() >= LEAST_OF_A_CURVE && combinations(axes, x).len() <= MOST_LINES
}

/// Every combination of the axes but one, as names and values.
fn combinations<'a>(axes: &[&'a Axis], without: usize) -> Vec<Vec<(&'a str, &'a str)>> {
    let others = axes.iter().enumerate().filter(|&(place, _)| place != without);
    others.fold(vec![Vec::new()], |rows, (_, axis)| {
        let longer = |row: &Vec<(&'a str, &'a str)>| {
            let more = |value: &'a String| [&row[..], &[(axis.name.as_str(), value.as_str())]].concat();
            axis.values.iter().map(more).collect::<Vec<_>>()
        };
        rows.iter().flat_map(longer).collect()
    })
}

fn label(others: &[(&str, &str)]) -> String {
    others.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

fn values_of(others: &[(&str, &str)]) -> String {
    others.iter().map(|&(_, value)| value).collect::<Vec<_>>().join(", ")
}

/// Three digits that count.
fn digits(most: f64) -> usize {
    if most > 0.0 && most.is_finite() { (2.0 - most.log10().floor()).clamp(0.0, 9.0) as usize } else { 3 }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.*}", digits(value.abs()) + 1))
}
