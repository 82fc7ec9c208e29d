//! The shared set of shapes as SVG, each in a square of 45 by 45.

use super::Shape;
use crate::Seat;

/// The side of the square in which a shape is drawn.
pub(super) const SIDE: f64 = 45.0;

const LIGHT: &str = "#fdfcf8";
const DARK: &str = "#45423d";
const LINE: &str = "#2c2a27";
const SHINE: &str = "#d8d3c8";

/// The colours of the numbers from 1 to 8.
const DIGITS: [&str; 8] =
    ["#2457c5", "#22783c", "#c0362c", "#3d2c8d", "#8a2f1d", "#1f7f86", "#2c2a27", "#77736b"];

/// The outline of a piece, and the lines over it.
struct ChessmanPath {
    body: &'static str,
    lines: &'static str,
}

/// The foot on which every chessman stands.
const FOOT: &str = "M11.5 39.5v-1.6c0-1.7 1.3-2.9 2.9-2.9h16.2c1.6 0 2.9 1.2 2.9 2.9v1.6z";

/// The chessmen without their foot.
const fn chessman(shape: Shape) -> Option<ChessmanPath> {
    Some(match shape {
        Shape::Pawn => ChessmanPath {
            body: "M15 35c3.2-3.3 4.6-7.4 4.7-13h5.6c.1 5.6 1.5 9.7 4.7 13z M17.3 22.3a1.4 1.4 0 0 1 0-2.8h1.5a5.4 5.4 \
                   0 1 1 7.4 0h1.5a1.4 1.4 0 0 1 0 2.8z",
            lines: "M19 22.2h7",
        },
        Shape::Rook => ChessmanPath {
            body: "M15.6 35l1.3-14.5h11.2L29.4 35z M13 10.2a1 1 0 0 1 1-1h3.6v3.1h2.9V9.2h4v3.1h2.9V9.2H31a1 1 0 0 1 1 \
                   1v6.1l-3.4 4.2H16.4L13 16.3z",
            lines: "M16.6 20.5h11.8 M13.6 16.3h17.8",
        },
        Shape::Knight => ChessmanPath {
            body: "M15.5 35c-.3-5.5 2.2-8.3 5.6-11.4-2.9.5-5 1.6-6.7 3.5-1 1.1-2.5 1.2-3.5.2l-1.3-1.4c-.8-.9-.8-2 \
                   0-3l4.7-6c.4-3.3 1.7-5.7 4.1-7.3L18 6.3c2.2.2 3.9.9 5.2 2.1 6.5.9 9.8 6.3 9.6 14.1-.1 4.3-1.3 8.3-2.6 \
                   12.5z",
            lines: "M17.6 15.2h.1 M24.5 12.5c3 2.5 4.3 6.5 3.7 12.5",
        },
        Shape::Bishop => ChessmanPath {
            body: "M17.3 35c.9-1.4 1.4-2.9 1.5-4.5h7.4c.1 1.6.6 3.1 1.5 4.5z M17.5 30.6c-2.1-1.5-3.4-3.6-3.4-6.5 \
                   0-4.2 3.2-8.7 7-12.3a2.6 2.6 0 1 1 2.8 0c3.8 3.6 7 8.1 7 12.3 0 2.9-1.3 5-3.4 6.5z",
            lines: "M18 30.6h9 M22.5 17.8v6 M19.5 20.8h6",
        },
        Shape::Queen => ChessmanPath {
            body: "M15 35c-.2-2.2-1-5-2.2-7.6L9.3 15.7a2 2 0 1 1 2.2-.6l5.3 6.3 1-9.1a2.1 2.1 0 1 1 2.3-.2l2.4 8.1 \
                   2.4-8.1a2.1 2.1 0 1 1 2.3.2l1 9.1 5.3-6.3a2 2 0 1 1 2.2.6l-3.5 11.7C31 30 30.2 32.8 30 35z",
            lines: "M13.5 29.2c5.8-1.6 12.2-1.6 18 0",
        },
        Shape::King => ChessmanPath {
            body: "M15 35c-.3-1.9-1.2-3.7-2.6-5.5-4.2-5.2-1.2-11.5 4.2-11.5 2 0 3.6.8 4.7 2.3v-6.1h-2.2a1.2 1.2 0 0 1 \
                   0-2.4h2.2V9.6a1.2 1.2 0 0 1 2.4 0v2.2h2.2a1.2 1.2 0 0 1 0 2.4h-2.2v6.1c1.1-1.5 2.7-2.3 4.7-2.3 5.4 0 \
                   8.4 6.3 4.2 11.5-1.4 1.8-2.3 3.6-2.6 5.5z",
            lines: "M22.5 20.5v8.5 M14.3 30.5c5.3-1.5 11.1-1.5 16.4 0",
        },
        _ => return None,
    })
}

/// The elements that draw a shape in the colours of its owner.
pub(super) fn drawn(shape: Shape, owner: Option<Seat>) -> String {
    let (fill, line) = if owner == Some(Seat::Second) { (DARK, SHINE) } else { (LIGHT, LINE) };
    if let Some(ChessmanPath { body, lines }) = chessman(shape) {
        return format!(
            "<path d=\"{FOOT} {body}\" fill=\"{fill}\" stroke=\"{LINE}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>\
             <path d=\"{lines}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"1.5\" stroke-linecap=\"round\"/>"
        );
    }
    let thick = |element: &str, colour: &str| {
        format!("<{element} fill=\"none\" stroke=\"{colour}\" stroke-width=\"5\" stroke-linecap=\"round\"/>")
    };
    match shape {
        Shape::Disc => format!(
            "<circle cx=\"22.5\" cy=\"22.5\" r=\"16.5\" fill=\"{fill}\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>\
             <circle cx=\"22.5\" cy=\"22.5\" r=\"11.5\" fill=\"none\" stroke=\"{line}\" stroke-opacity=\"0.4\"/>"
        ),
        Shape::Nought => thick("circle cx=\"22.5\" cy=\"22.5\" r=\"12.5\"", DIGITS[0]),
        Shape::Cross => thick("path d=\"M11 11L34 34M34 11L11 34\"", DIGITS[2]),
        Shape::Wall => {
            format!(
                "<rect x=\"18.5\" y=\"6\" width=\"8\" height=\"33\" rx=\"3\" fill=\"{fill}\" stroke=\"{LINE}\"/>"
            )
        }
        Shape::Cover => "<rect x=\"1.5\" y=\"1.5\" width=\"42\" height=\"42\" rx=\"3\" fill=\"#c6c2b8\" \
                         stroke=\"#a39e92\"/>"
            .to_owned(),
        Shape::Flag => format!(
            "<path d=\"M17 37V9\" stroke=\"{LINE}\" stroke-width=\"2.5\" stroke-linecap=\"round\"/>\
             <path d=\"M18 9l14 6.5-14 6.5z\" fill=\"{}\"/>",
            DIGITS[2]
        ),
        Shape::Mine => format!(
            "<path d=\"M22.5 8v29M8 22.5h29M12.3 12.3l20.4 20.4M32.7 12.3L12.3 32.7\" stroke=\"{LINE}\" \
             stroke-width=\"2.5\" stroke-linecap=\"round\"/><circle cx=\"22.5\" cy=\"22.5\" r=\"9.5\" fill=\"{LINE}\"/>"
        ),
        Shape::Brick | Shape::Stone | Shape::Ladder | Shape::Phantom | Shape::Rope | Shape::Hole => {
            built(shape)
        }
        Shape::Gold => {
            "<path d=\"M6 39l5-13h23l5 13z\" fill=\"#e0b52c\" stroke=\"#7a5b06\" stroke-width=\"1.5\" \
                        stroke-linejoin=\"round\"/>"
                .to_owned()
        }
        Shape::Runner | Shape::Guard => {
            let colour = if shape == Shape::Runner { DIGITS[0] } else { DIGITS[2] };
            format!(
                "<circle cx=\"22.5\" cy=\"10\" r=\"6\" fill=\"{colour}\"/>\
                 <path d=\"M22.5 16v13M22.5 20l-9 6M22.5 20l9 6M22.5 29l-8 13M22.5 29l8 13\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"4\" stroke-linecap=\"round\"/>"
            )
        }
        Shape::Digit(0) => String::new(),
        Shape::Digit(number) => format!(
            "<text x=\"22.5\" y=\"31.5\" font-size=\"26\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{}\">\
             {number}</text>",
            DIGITS[usize::from(number - 1) % DIGITS.len()]
        ),
        _ => unreachable!("chessmen are drawn above"),
    }
}

/// What levels are built of.
fn built(shape: Shape) -> String {
    let rails = |dashes: &str| {
        format!(
            "<path d=\"M12 0v45M33 0v45M12 7h21M12 18h21M12 29h21M12 40h21\" fill=\"none\" stroke=\"#8a5a2b\" \
             stroke-width=\"3\"{dashes}/>"
        )
    };
    match shape {
        Shape::Brick => "<path d=\"M0 0h45v45H0z\" fill=\"#b5654a\"/><path d=\"M0 15h45M0 30h45M15 0v15M34 15v15M15 30v15\" \
                         stroke=\"#7d3f2b\" stroke-width=\"2\"/>"
            .to_owned(),
        Shape::Ladder => rails(""),
        Shape::Phantom => rails(" stroke-opacity=\"0.25\" stroke-dasharray=\"4 4\""),
        Shape::Rope => "<path d=\"M0 8h45\" stroke=\"#8a5a2b\" stroke-width=\"4\"/>".to_owned(),
        Shape::Hole => "<path d=\"M1 1h43v43H1z\" fill=\"#e9e1d4\" stroke=\"#b5654a\" stroke-dasharray=\"5 4\"/>".to_owned(),
        _ => "<path d=\"M0 0h45v45H0z\" fill=\"#6f6b64\"/>".to_owned(),
    }
}
