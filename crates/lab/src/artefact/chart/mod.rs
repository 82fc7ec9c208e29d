//! Charts as SVG.
//!
//! Belongs here: the few kinds of picture that reports need. Does not belong here: what is shown and why.
//!
//! Laws of this room:
//! - a chart needs nothing from outside, is readable on light and dark ground, and says in words what it shows;
//! - what the document says is a ghost: hollow or dashed, beside our own filled or solid marks;
//! - every axis begins at zero.

mod axes;
mod bars;
mod boxes;
mod heat;
mod lines;
mod pen;
mod scatter;

pub use bars::{Bar, BarChart, BarRow};
pub use boxes::{BoxChart, BoxRow};
pub use heat::HeatMap;
pub use lines::{LineChart, LineSeries};
pub use scatter::{ScatterChart, ScatterColumn};
