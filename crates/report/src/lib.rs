//! The parts of reports: numbers with their intervals beside published ones, tables, charts, prose; as Markdown, HTML and SVG.
//!
//! A report is a pure function of its input. The caller decides what is reported and from which records.
#![warn(missing_docs)]

pub mod chart;
pub mod html;
pub mod markdown;
mod number;
pub mod prose;
mod section;

pub use chart::{
    AxisTicks, Bar, BarChart, BarRow, BoxChart, BoxRow, HeatMap, LineChart, LineSeries, ScatterChart,
    ScatterColumn,
};
pub use number::{Badge, NetworkSpread, Number, NumberVerdict, PublishedComparison, reproduced_and_total};
pub use section::{Block, Figure, ReportCell, ReportTable, Section, Tone, english};
