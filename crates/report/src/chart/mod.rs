//! Charts as SVG: the few kinds that reports need. What is shown, and why, is the caller's.
//!
//! - A chart is self-contained, readable on light and dark backgrounds, and has its caption as a text alternative.
//! - Published values are ghosts: hollow or dashed marks beside our own filled or solid ones.
//! - Every axis begins at zero.

mod axes;
mod bars;
mod boxes;
mod heat;
mod lines;
mod pen;
mod scatter;

use crate::section::Figure;
pub use axes::AxisTicks;
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
