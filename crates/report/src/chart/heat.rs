//! A heat map: a value that depends on two parameters.

use super::pen::{Anchor, SvgPen, WIDTH, label_width};

/// A heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Its caption.
    pub caption: String,
    /// The label of the columns.
    pub x_axis: String,
    /// The label of the rows.
    pub y_axis: String,
    /// The columns.
    pub x: Vec<String>,
    /// The rows.
    pub y: Vec<String>,
    /// The values row by row; `None` where unknown.
    pub values: Vec<Vec<Option<f64>>>,
    /// The values of the darkest and of the brightest colour; the brightest is the best.
    pub span: (f64, f64),
    /// Digits after the point.
    pub digits: usize,
    /// The row and column of the best published value.
    pub ghost: Option<(usize, usize)>,
}

const HEIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 8.0;

impl HeatMap {
    /// The SVG. The best value of ours stands out.
    pub fn svg(&self) -> String {
        let mut pen = SvgPen::new();
        let left = label_width(self.y.iter().map(String::as_str).chain([self.y_axis.as_str()]));
        let width = (WIDTH - left - RIGHT) / self.x.len().max(1) as f64;
        let corner =
            |row: usize, col: usize| (width.mul_add(col as f64, left), HEIGHT.mul_add(row as f64, TOP));
        let best =
            self.values.iter().flatten().flatten().map(|&value| self.shade(value)).fold(f64::MIN, f64::max);
        pen.text((left - 8.0, TOP - 8.0), Anchor::End, "soft", &self.y_axis);
        pen.text((f64::midpoint(left, WIDTH), 14.0), Anchor::Middle, "soft", &self.x_axis);
        for (col, name) in self.x.iter().enumerate() {
            pen.text((corner(0, col).0 + width / 2.0, TOP - 8.0), Anchor::Middle, "soft", name);
        }
        for (row, (name, values)) in self.y.iter().zip(&self.values).enumerate() {
            pen.text((left - 8.0, corner(row, 0).1 + 16.0), Anchor::End, "ink", name);
            for (col, value) in values.iter().enumerate() {
                let Some(value) = *value else { continue };
                let ((x, y), shade) = (corner(row, col), self.shade(value));
                pen.tile((x, y), (width, HEIGHT), &colour(shade));
                let class = if shade >= best { "heat best" } else { "heat" };
                let tone = if shade < 0.55 { " onDark" } else { "" };
                let place = (x + width / 2.0, y + 16.0);
                pen.text(
                    place,
                    Anchor::Middle,
                    &format!("{class}{tone}"),
                    &format!("{value:.*}", self.digits),
                );
            }
        }
        if let Some((row, col)) = self.ghost {
            let (x, y) = corner(row, col);
            pen.bar((x + 1.0, y + 1.0), (width - 2.0, HEIGHT - 2.0), "frame");
        }
        pen.finish(corner(self.y.len(), 0).1 + 8.0, &self.caption)
    }

    /// From 0, the darkest, to 1, the brightest.
    fn shade(&self, value: f64) -> f64 {
        let (dark, bright) = self.span;
        if dark == bright { 1.0 } else { (value - dark) / (bright - dark) }
    }
}

/// From dark blue over green to yellow (after viridis), which stays in order for the colour-blind and in grey.
fn colour(shade: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [253.0, 231.0, 37.0],
    ];
    let place = shade.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let low = (place as usize).min(STOPS.len() - 2);
    let part = place - low as f64;
    let [r, g, b] = [0, 1, 2]
        .map(|i: usize| part.mul_add(STOPS[low + 1][i] - STOPS[low][i], STOPS[low][i]).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_end_to_end() {
        assert_eq!([colour(0.0), colour(0.5), colour(1.0)], ["#440154", "#21918c", "#fde725"]);
        assert_eq!(colour(1.3), colour(1.0));
    }

    #[test]
    fn every_cell_is_drawn_and_the_best_marked() {
        let map = HeatMap {
            caption: "won".into(),
            x_axis: "threshold".into(),
            y_axis: "playful".into(),
            x: vec!["0".into(), "1".into(), "2".into()],
            y: vec!["a".into(), "b".into()],
            values: vec![[1.0, 2.0, 3.0].map(Some).to_vec(), [4.0, 90.0, 6.0].map(Some).to_vec()],
            span: (0.0, 100.0),
            digits: 0,
            ghost: Some((1, 2)),
        };
        // Where less is better the least stands out; unknown cells stay empty.
        let losses = HeatMap {
            values: vec![vec![Some(0.5), None, Some(0.25)]],
            span: (0.5, 0.25),
            digits: 2,
            ..map.clone()
        };
        let svg = losses.svg();
        assert_eq!(svg.matches("style=\"fill:#").count(), 2);
        assert!(svg.contains("class=\"heat best\">0.25<"), "{svg}");
        let svg = map.svg();
        assert_eq!(svg.matches("style=\"fill:#").count(), 6);
        assert_eq!(svg.matches(r#"class="heat best""#).count(), 1);
        assert_eq!(svg.matches(r#"class="frame""#).count(), 1);
    }
}
