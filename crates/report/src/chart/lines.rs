//! Line charts: values that change along an axis.

use super::axes::{Axes, AxisTicks};
use super::pen::{Anchor, SvgPen, WIDTH};

/// A chart of lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// Its caption.
    pub caption: String,
    /// The title, for charts that are shown without surrounding text.
    pub title: Option<String>,
    /// The label of the x axis.
    pub x_axis: String,
    /// The label of the y axis.
    pub y_axis: String,
    /// The ticks of the two axes, if not chosen automatically.
    pub marked: Option<[AxisTicks; 2]>,
    /// The lines; those of one name share a colour and an entry in the legend, three names at most.
    pub series: Vec<LineSeries>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSeries {
    /// Its label.
    pub name: String,
    /// Its points, from left to right, none below zero.
    pub points: Vec<(f64, f64)>,
}

const BOTTOM: f64 = 300.0;
/// The height of a title, which stands above the rest and moves nothing.
const TITLE: f64 = 24.0;

impl LineChart {
    /// The SVG.
    pub fn svg(&self) -> String {
        let mut pen = SvgPen::new();
        let points = || self.series.iter().flat_map(|series| &series.points);
        let farthest = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
        let reach = (farthest(|point| point.0), farthest(|point| point.1));
        let axes = Axes::draw(&mut pen, BOTTOM, reach, [&self.x_axis, &self.y_axis], self.marked);
        let names = self.names();
        self.draw_legend(&mut pen, &names);
        for series in &self.series {
            let colour = names.iter().position(|&name| name == series.name).unwrap_or(0);
            pen.path(series.points.iter().map(|&point| axes.place(point)), &format!("line l{colour}"));
        }
        let mut top = 0.0;
        if let Some(title) = &self.title {
            pen.text((WIDTH / 2.0, -8.0), Anchor::Middle, "ink", title);
            top = -TITLE;
        }
        pen.finish_from(top, BOTTOM + 46.0, &self.caption)
    }

    /// The different names, in order of appearance.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in &self.series {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }

    fn draw_legend(&self, pen: &mut SvgPen, names: &[&str]) {
        let mut x = (self.y_axis.chars().count() as f64).mul_add(7.0, 40.0);
        for (name, i) in names.iter().zip(0..) {
            pen.path([(x, 12.0), (x + 22.0, 12.0)].into_iter(), &format!("line l{i}"));
            pen.text((x + 28.0, 16.0), Anchor::Start, "ink", name);
            x += (name.chars().count() as f64).mul_add(7.0, 50.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_name_share_a_legend() {
        let series = |name: &str, height| LineSeries {
            name: name.into(),
            points: (0..5).map(|x| (f64::from(x), height / f64::from(x + 1))).collect(),
        };
        let chart = LineChart {
            caption: "falling".into(),
            x_axis: "steps".into(),
            y_axis: "loss".into(),
            series: vec![series("a", 0.2), series("a", 0.25), series("b", 0.1)],
            ..LineChart::default()
        };
        let svg = chart.svg();
        assert!(svg.contains(r#"viewBox="0 0 760 346""#), "{svg}");
        let marked = [AxisTicks { to: 4.0, step: 1.0 }, AxisTicks { to: 0.2, step: 0.1 }];
        let titled = LineChart { title: Some("Title".into()), marked: Some(marked), ..chart.clone() }.svg();
        assert!(
            titled.contains(r#"viewBox="0 -24 760 370""#) && titled.contains(">Title</text>"),
            "{titled}"
        );
        // An axis always reaches the largest number.
        assert!(titled.contains(">0.3</text>") && !titled.contains(">0.4</text>"), "{titled}");
        assert_eq!(svg.matches("<polyline").count(), 5);
        assert_eq!(svg.matches("line l1").count(), 2);
        let empty = LineChart { series: Vec::new(), ..chart }.svg();
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}
