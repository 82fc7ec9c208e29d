//! Writes SVG: shapes, texts, and the colours of all charts.

use std::fmt::Write;

use crate::html::escape;

/// The width of every chart.
pub(super) const WIDTH: f64 = 760.0;
/// Colours that the colour-blind can tell apart (after Paul Tol), on light and on dark ground.
const STYLE: &str = ".ink{fill:#222}.soft{fill:#666}.grid{stroke:#ddd}.axis{stroke:#888}\
.whisker{stroke:#222;stroke-width:1.5}.ghost{fill:#fff;stroke:#b3261e;stroke-width:1.8}\
.s0{fill:#4477aa}.s1{fill:#ccbb44}.s2{fill:#228833}\
.l0{stroke:#4477aa}.l1{stroke:#ee6677}.l2{stroke:#228833}.line{fill:none;stroke-width:1.4}\
.box{fill:#4477aa;fill-opacity:.35;stroke:#4477aa}.median{stroke:#b3261e;stroke-width:2}.mean{fill:#ccbb44;stroke:#222}\
.outlier{fill:none;stroke:#888}.point{fill:#4477aa;fill-opacity:.55}\
.heat{fill:#111;font-size:11px}.onDark{fill:#fff}.best{font-weight:700;text-decoration:underline}\
.frame{fill:none;stroke:#b3261e;stroke-width:2}\
@media(prefers-color-scheme:dark){.ink{fill:#e6e6e6}.soft{fill:#aaa}.grid{stroke:#3a3a3a}.axis{stroke:#777}\
.whisker{stroke:#eee}.ghost{fill:#16181b;stroke:#ff8a80}.s0{fill:#6699cc}.l0{stroke:#77aadd}}";

/// A drawing in the making.
pub(super) struct SvgPen {
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl SvgPen {
    pub(super) fn new() -> Self {
        Self { body: String::new() }
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{text}</text>"#
        ));
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        self.put(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#
        ));
    }

    pub(super) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        self.put(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        ));
    }

    pub(super) fn diamond(&mut self, (x, y): (f64, f64), class: &str) {
        self.put(format_args!(r#"<path d="M{x:.1} {y:.1}m-5 0l5 -5l5 5l-5 5z" class="{class}"/>"#));
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        self.put(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" class="{class}"/>"#));
    }

    /// A rectangle of a colour of its own.
    pub(super) fn tile(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: &str) {
        self.put(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" style="fill:{colour}"/>"#
        ));
    }

    pub(super) fn path(&mut self, points: impl Iterator<Item = (f64, f64)>, class: &str) {
        let points: String = points.map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
        self.put(format_args!(r#"<polyline points="{}" class="{class}"/>"#, points.trim_end()));
    }

    /// The whole drawing; `caption` is its text alternative.
    pub(super) fn finish(self, height: f64, caption: &str) -> String {
        self.finish_from(0.0, height, caption)
    }

    /// The whole drawing of what lies between these heights.
    pub(super) fn finish_from(self, top: f64, bottom: f64, caption: &str) -> String {
        let height = bottom - top;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top:.0} {WIDTH} {height:.0}\" role=\"img\" \
             aria-label=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
             <style>{STYLE}</style>\n{}</svg>\n",
            escape(caption),
            self.body
        )
    }
}

/// The width of the longest of these labels.
pub(super) fn label_width<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    (longest as f64).mul_add(7.0, 20.0).min(WIDTH / 3.0)
}

/// Round numbers from 0 to about `max`: the least of them that is not below it is the last.
pub(super) fn ticks(max: f64) -> Vec<f64> {
    if max <= 0.0 {
        return vec![0.0, 1.0];
    }
    let magnitude = 10f64.powf((max / 5.0).log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude).into_iter().find(|step| step * 5.0 >= max);
    let step = step.unwrap_or(10.0 * magnitude);
    (0..=(max / step - 1e-9).ceil() as u32).map(|i| f64::from(i) * step).collect()
}

/// The text of a tick.
pub(super) fn tick_text(tick: f64) -> String {
    let text = format!("{tick:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_top() {
        assert_eq!(ticks(100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(0.25).last(), Some(&0.25));
        assert_eq!(ticks(200.0).len(), 5);
        for max in [0.013, 0.3, 1.0, 7.0, 33.0, 1234.0] {
            let ticks = ticks(max);
            assert!(*ticks.last().unwrap() >= max - 1e-9 && ticks.len() <= 7, "{max}: {ticks:?}");
        }
        assert_eq!(
            (tick_text(0.05), tick_text(20.0), tick_text(0.0)),
            ("0.05".into(), "20".into(), "0".into())
        );
    }
}
