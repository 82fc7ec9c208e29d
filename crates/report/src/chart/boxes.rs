//! Horizontal box plots, one row per item.

use super::pen::{Anchor, SvgPen, WIDTH, label_width, tick_text, ticks};

/// A chart of boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxChart {
    /// Its caption.
    pub caption: String,
    /// The label of the axis.
    pub axis: String,
    /// The least upper end of the axis.
    pub limit: f64,
    /// What a ghost stands for.
    pub ghost: Option<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<BoxRow>,
}

/// One row: the box from the first to the third quartile.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxRow {
    /// Its label.
    pub label: String,
    /// The first quartile, the median, the third quartile.
    pub quartiles: [f64; 3],
    /// The ends of the whiskers.
    pub whiskers: [f64; 2],
    /// The mean.
    pub mean: f64,
    /// The values beyond the whiskers.
    pub outliers: Vec<f64>,
    /// The published values.
    pub ghosts: Vec<f64>,
}

const HEIGHT: f64 = 34.0;
const BOX: f64 = 16.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 24.0;

impl BoxChart {
    /// The SVG.
    pub fn svg(&self) -> String {
        let mut pen = SvgPen::new();
        let left = label_width(self.rows.iter().map(|row| row.label.as_str()));
        let ticks = ticks(self.limit);
        let end = ticks[ticks.len() - 1];
        let place = |value: f64| left + (WIDTH - left - RIGHT) * (value / end).clamp(0.0, 1.0);
        let bottom = HEIGHT.mul_add(self.rows.len() as f64, TOP);
        for tick in ticks {
            pen.line((place(tick), TOP), (place(tick), bottom), "grid");
            pen.text((place(tick), bottom + 16.0), Anchor::Middle, "soft", &tick_text(tick));
        }
        pen.text((f64::midpoint(left, WIDTH - RIGHT), bottom + 34.0), Anchor::Middle, "soft", &self.axis);
        self.draw_legend(&mut pen, left);
        for (row, i) in self.rows.iter().zip(0u32..) {
            row.draw(&mut pen, &place, HEIGHT.mul_add(f64::from(i) + 0.5, TOP));
        }
        pen.line((left, TOP), (left, bottom), "axis");
        pen.finish(bottom + 44.0, &self.caption)
    }

    fn draw_legend(&self, pen: &mut SvgPen, left: f64) {
        pen.bar((left, 7.0), (14.0, 10.0), "box");
        pen.text((left + 20.0, 16.0), Anchor::Start, "ink", "quartiles and median");
        pen.dot((left + 176.0, 12.0), 3.5, "mean");
        pen.text((left + 186.0, 16.0), Anchor::Start, "ink", "mean");
        if let Some(ghost) = &self.ghost {
            pen.diamond((left + 246.0, 12.0), "ghost");
            pen.text((left + 258.0, 16.0), Anchor::Start, "ink", ghost);
        }
    }
}

impl BoxRow {
    fn draw(&self, pen: &mut SvgPen, place: &impl Fn(f64) -> f64, middle: f64) {
        pen.text((place(0.0) - 8.0, middle + 4.0), Anchor::End, "ink", &self.label);
        let ([first, median, third], [low, high]) = (self.quartiles, self.whiskers);
        for (from, to) in [(low, first), (third, high)] {
            pen.line((place(from), middle), (place(to), middle), "whisker");
        }
        for end in [low, high] {
            pen.line((place(end), middle - 5.0), (place(end), middle + 5.0), "whisker");
        }
        pen.bar((place(first), middle - BOX / 2.0), (place(third) - place(first), BOX), "box");
        pen.line((place(median), middle - BOX / 2.0), (place(median), middle + BOX / 2.0), "median");
        for &outlier in &self.outliers {
            pen.dot((place(outlier), middle), 2.0, "outlier");
        }
        pen.dot((place(self.mean), middle), 3.5, "mean");
        for &ghost in &self.ghosts {
            pen.diamond((place(ghost), middle), "ghost");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_box_outlier_and_ghost_is_drawn() {
        let row = |outliers: Vec<f64>, ghosts| BoxRow {
            label: "random".into(),
            quartiles: [55.0, 71.0, 78.0],
            whiskers: [22.0, 90.0],
            mean: 61.0,
            outliers,
            ghosts,
        };
        let chart = BoxChart {
            caption: "scores".into(),
            axis: "score".into(),
            limit: 90.0,
            ghost: Some("the document".into()),
            rows: vec![row(vec![1.0, 2.0], vec![61.0, 71.0]), row(Vec::new(), Vec::new())],
        };
        let svg = chart.svg();
        assert_eq!(svg.matches(r#"class="box""#).count(), 3);
        assert_eq!(svg.matches(r#"class="outlier""#).count(), 2);
        assert_eq!(svg.matches(r#"class="mean""#).count(), 3);
        assert_eq!(svg.matches(r#"class="ghost""#).count(), 3);
    }
}
