//! Horizontal bars, one row per item, with intervals and ghosts (published values).

use super::pen::{Anchor, SvgPen, WIDTH, label_width, tick_text, ticks};

/// A chart of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// Its caption.
    pub caption: String,
    /// The label of the axis.
    pub axis: String,
    /// Where the axis ends.
    pub limit: f64,
    /// The names of the series, from top to bottom in each row; at most three.
    pub series: Vec<String>,
    /// What a ghost stands for.
    pub ghost: Option<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<BarRow>,
}

/// One row: a bar for each series.
#[derive(Clone, Debug, PartialEq)]
pub struct BarRow {
    /// Its label.
    pub label: String,
    /// Its bars, as far as they exist.
    pub bars: Vec<Option<Bar>>,
    /// The published value.
    pub ghost: Option<f64>,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The value.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

const THICKNESS: f64 = 11.0;
const GAP: f64 = 9.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 24.0;

impl BarChart {
    /// The SVG.
    pub fn svg(&self) -> String {
        let mut pen = SvgPen::new();
        let left = label_width(self.rows.iter().map(|row| row.label.as_str()));
        let place = |value: f64| left + (WIDTH - left - RIGHT) * (value / self.limit).clamp(0.0, 1.0);
        let row_height = self.row_height();
        let bottom = TOP + row_height * self.rows.len() as f64;
        for tick in ticks(self.limit) {
            pen.line((place(tick), TOP), (place(tick), bottom), "grid");
            pen.text((place(tick), bottom + 16.0), Anchor::Middle, "soft", &tick_text(tick));
        }
        pen.text((f64::midpoint(left, WIDTH - RIGHT), bottom + 34.0), Anchor::Middle, "soft", &self.axis);
        self.draw_legend(&mut pen, left);
        for (row, i) in self.rows.iter().zip(0u32..) {
            row.draw(&mut pen, &place, row_height.mul_add(f64::from(i), TOP), row_height);
        }
        pen.line((left, TOP), (left, bottom), "axis");
        pen.finish(bottom + 44.0, &self.caption)
    }

    fn row_height(&self) -> f64 {
        THICKNESS.mul_add(self.series.len() as f64, GAP)
    }

    fn draw_legend(&self, pen: &mut SvgPen, left: f64) {
        let mut x = left;
        let mut entry = |pen: &mut SvgPen, name: &str, is_ghost: bool, class: &str| {
            if is_ghost {
                pen.diamond((x + 6.0, 12.0), class);
            } else {
                pen.bar((x, 7.0), (12.0, 10.0), class);
            }
            pen.text((x + 18.0, 16.0), Anchor::Start, "ink", name);
            x += (name.chars().count() as f64).mul_add(7.0, 40.0);
        };
        for (name, i) in self.series.iter().zip(0..) {
            entry(pen, name, false, &format!("s{i}"));
        }
        if let Some(ghost) = &self.ghost {
            entry(pen, ghost, true, "ghost");
        }
    }
}

impl BarRow {
    fn draw(&self, pen: &mut SvgPen, place: &impl Fn(f64) -> f64, top: f64, height: f64) {
        let middle = top + height / 2.0;
        pen.text((place(0.0) - 8.0, middle + 4.0), Anchor::End, "ink", &self.label);
        for (bar, i) in self.bars.iter().zip(0u32..) {
            let Some(Bar { value, low, high }) = *bar else { continue };
            let y = THICKNESS.mul_add(f64::from(i), top + GAP / 2.0);
            let inset = 1.0;
            pen.bar(
                (place(0.0), y + inset),
                (place(value) - place(0.0), THICKNESS - 2.0 * inset),
                &format!("s{i}"),
            );
            let centre = y + THICKNESS / 2.0;
            pen.line((place(low), centre), (place(high), centre), "whisker");
            for end in [low, high] {
                pen.line((place(end), centre - 3.0), (place(end), centre + 3.0), "whisker");
            }
        }
        if let Some(ghost) = self.ghost {
            pen.diamond((place(ghost), middle), "ghost");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_and_ghost_is_drawn() {
        let bar = |value| Some(Bar { value, low: value - 5.0, high: value + 5.0 });
        let row = |label: &str, bars, ghost| BarRow { label: label.into(), bars, ghost };
        let chart = BarChart {
            caption: "wins & \"losses\" <all>".into(),
            axis: "% won".into(),
            limit: 100.0,
            series: vec!["a".into(), "b".into()],
            ghost: Some("the document".into()),
            rows: vec![
                row("r1 – e1", vec![bar(50.0), bar(2.0)], Some(61.0)),
                row("r*2", vec![None, bar(99.0)], None),
            ],
        };
        let svg = chart.svg();
        // Two in the legend, three in the rows; one ghost in the legend, one in the rows.
        assert_eq!(svg.matches("<rect").count(), 5);
        assert_eq!(svg.matches(r#"class="ghost""#).count(), 2);
        assert!(svg.contains("wins &amp; &quot;losses&quot; &lt;all&gt;") && svg.contains("r*2"));
    }
}
