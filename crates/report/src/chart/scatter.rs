//! A scatter plot of many points, drawn by how many lie at each place, with a line through their means.

use super::axes::{Axes, RIGHT};
use super::pen::{Anchor, SvgPen, WIDTH};

/// A chart of points.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterChart {
    /// Its caption.
    pub caption: String,
    /// The label of the x axis.
    pub x_axis: String,
    /// The label of the y axis.
    pub y_axis: String,
    /// The columns of points, from left to right.
    pub columns: Vec<ScatterColumn>,
}

/// All points with one x.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterColumn {
    /// Its x.
    pub x: f64,
    /// How many points have each y.
    pub points: Vec<(f64, u64)>,
    /// Their mean.
    pub mean: f64,
}

const BOTTOM: f64 = 330.0;

impl ScatterChart {
    /// The SVG. A point's area says what share of its column it is.
    pub fn svg(&self) -> String {
        let mut pen = SvgPen::new();
        let most = |of: &dyn Fn(&ScatterColumn) -> f64| self.columns.iter().map(of).fold(0.0, f64::max);
        let highest = most(&|column| column.points.iter().map(|point| point.0).fold(0.0, f64::max));
        let reach = (most(&|column| column.x), highest);
        let axes = Axes::draw(&mut pen, BOTTOM, reach, [&self.x_axis, &self.y_axis], None);
        for column in &self.columns {
            let all: u64 = column.points.iter().map(|point| point.1).sum();
            for &(y, count) in column.points.iter().filter(|point| point.1 > 0) {
                let radius = (12.0 * (count as f64 / all as f64).sqrt()).max(0.6);
                pen.dot(axes.place((column.x, y)), radius, "point");
            }
        }
        let means = self.columns.iter().map(|column| axes.place((column.x, column.mean)));
        pen.path(means, "line l1");
        let legend = WIDTH - RIGHT - 70.0;
        pen.path([(legend, 12.0), (legend + 22.0, 12.0)].into_iter(), "line l1");
        pen.text((legend + 28.0, 16.0), Anchor::Start, "ink", "mean");
        pen.finish(BOTTOM + 46.0, &self.caption)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_with_points_is_drawn() {
        let column = |x: f64| ScatterColumn { x, points: vec![(0.05, 90), (0.5, 0), (0.95, 10)], mean: 0.14 };
        let chart = ScatterChart {
            caption: "errors".into(),
            x_axis: "unmasked".into(),
            y_axis: "error".into(),
            columns: vec![column(0.0), column(24.0)],
        };
        let svg = chart.svg();
        assert_eq!(svg.matches(r#"class="point""#).count(), 4);
        let empty = ScatterChart { columns: Vec::new(), ..chart }.svg();
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}
