//! The parts of reports: numbers with their intervals beside published ones, tables, charts, prose; as Markdown, HTML and SVG.
//!
//! A report is a pure function of what it is given. What is reported, and from which records, is the caller's.
#![warn(missing_docs)]

pub mod chart;
pub mod html;
pub mod markdown;
mod number;
pub mod prose;
mod section;

pub use chart::{
    Bar, BarChart, BarRow, BoxChart, BoxRow, HeatMap, LineChart, LineSeries, Marking, ScatterChart,
    ScatterColumn,
};
pub use number::{Badge, Comparison, Number, Spread, Verdict, reproduced_and_total};
pub use section::{Block, Cell, Figure, Section, Table, Tone};
