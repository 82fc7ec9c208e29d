//! Two axes that begin at zero, with ticks, labels and grid lines, for charts of points and of lines.
//!
//! Nothing is drawn below zero, and the last tick is at or beyond the largest number.

use super::pen::{Anchor, SvgPen, WIDTH, tick_text, ticks};

pub(super) const RIGHT: f64 = 24.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 30.0;

/// The ticks of an axis, where they are not chosen automatically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisTicks {
    /// The least upper end of the axis.
    pub to: f64,
    /// From one tick to the next.
    pub step: f64,
}

impl AxisTicks {
    fn ticks(self, reach: f64) -> Vec<f64> {
        let steps = (self.to.max(reach) / self.step - 1e-9).ceil() as u32;
        (0..=steps).map(|i| f64::from(i) * self.step).collect()
    }
}

/// Axes placed on the drawing.
pub(super) struct Axes {
    ends: (f64, f64),
    bottom: f64,
}

impl Axes {
    /// Draws axes that reach these numbers, upwards from `bottom`.
    pub(super) fn draw(
        pen: &mut SvgPen,
        bottom: f64,
        reach: (f64, f64),
        [x_axis, y_axis]: [&str; 2],
        marked: Option<[AxisTicks; 2]>,
    ) -> Self {
        let (x_ticks, y_ticks) = match marked {
            Some([x, y]) => (x.ticks(reach.0), y.ticks(reach.1)),
            None => (ticks(reach.0), ticks(reach.1)),
        };
        let axes = Self { ends: (x_ticks[x_ticks.len() - 1], y_ticks[y_ticks.len() - 1]), bottom };
        for &tick in &y_ticks {
            pen.line(axes.place((0.0, tick)), axes.place((axes.ends.0, tick)), "grid");
            pen.text((LEFT - 8.0, axes.place((0.0, tick)).1 + 4.0), Anchor::End, "soft", &tick_text(tick));
        }
        for &tick in &x_ticks {
            pen.text((axes.place((tick, 0.0)).0, bottom + 18.0), Anchor::Middle, "soft", &tick_text(tick));
        }
        pen.text((f64::midpoint(LEFT, WIDTH - RIGHT), bottom + 36.0), Anchor::Middle, "soft", x_axis);
        pen.text((4.0, 16.0), Anchor::Start, "soft", y_axis);
        axes
    }

    /// The place of a point on the drawing.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let width = WIDTH - LEFT - RIGHT;
        (LEFT + width * x / self.ends.0, self.bottom - (self.bottom - TOP) * y / self.ends.1)
    }
}
