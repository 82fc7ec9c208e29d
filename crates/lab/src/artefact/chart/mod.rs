//! Charts as SVG.
//!
//! Belongs here: the few kinds of picture that reports need. Does not belong here: what is shown and why.
//!
//! Laws of this room:
//! - a chart needs nothing from outside, is readable on light and dark ground, and says in words what it shows;
//! - what the document says is a ghost: hollow or dashed, beside our own filled or solid marks;
//! - every axis begins at zero.

mod bars;
mod lines;
mod pen;

pub use bars::{Bar, BarChart, BarRow};
pub use lines::{LineChart, LineSeries};

#[cfg(test)]
pub(super) mod testing {
    /// Whether every element that is opened is closed, in order, and no bare `&` or `<` stands in a text.
    pub(crate) fn is_well_formed(svg: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for piece in svg.split('<').skip(1) {
            let Some((tag, text)) = piece.split_once('>') else { return false };
            if text.contains('&') && !["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|name| text.contains(name)) {
                return false;
            }
            if tag.matches('"').count() % 2 == 1 {
                return false;
            }
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().unwrap_or(""));
            }
        }
        open.is_empty()
    }
}
