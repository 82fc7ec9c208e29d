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

use crate::section::Figure;
pub use axes::Marking;
pub use bars::{Bar, BarChart, BarRow};
pub use boxes::{BoxChart, BoxRow};
pub use heat::HeatMap;
pub use lines::{LineChart, LineSeries};
pub use scatter::{ScatterChart, ScatterColumn};

macro_rules! become_figures {
    ($($chart:ty),*) => {$(
        impl $chart {
            /// The drawing with its caption, under the name of its file.
            pub fn figure(&self, name: impl Into<String>) -> Figure {
                Figure { name: name.into(), caption: self.caption.clone(), svg: self.svg() }
            }
        }
    )*};
}
become_figures!(BarChart, BoxChart, HeatMap, LineChart, ScatterChart);
