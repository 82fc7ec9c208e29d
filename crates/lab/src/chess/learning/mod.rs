//! Learning chess from positions with an engine's scores: nearest neighbours and networks, as in ChessMate's document
//! and better.
//!
//! Joins the examples of `games` to the methods of `players` and the networks of `nn`. Examples are made in `data`; the
//! document's tables and figures are in `papers`. Inside this module a value is that of the side that has just moved;
//! it becomes a score only on the way out, and only labels may be White's.

pub mod division;
mod evaluation;
pub mod exam;
mod foresight;
pub mod neighbours;
pub mod network;
mod notes;
#[cfg(test)]
mod tests;
pub mod train;

pub(super) use evaluation::{PARAMS as EVALUATION_PARAMS, evaluate};
pub use foresight::CachedJudge;

use crate::registry::Measure;
use crate::spec::{Param, ParamKind};

/// By what those who tell classes apart are judged: by examples that are neither learnt from nor in the test, so that the
/// test stays untouched by any choice.
pub const MEASURES: &[Measure] = &[
    Measure::higher("validation_accuracy", "/validation_accuracy"),
    Measure::higher("test_accuracy", "/test_accuracy"),
    Measure::LOSS,
];

/// The set to learn from.
pub const DATA: Param = Param {
    name: "data",
    kind: ParamKind::File,
    default: None,
    help: "a set that 'outplay data chess' made (the one that comes with the program)",
};
/// How a set is split.
pub const SPLIT: Param = Param {
    name: "split",
    kind: ParamKind::Word(&["game", "position"]),
    default: Some("game"),
    help: "whether whole games are kept for the test, or positions of games that are learnt from, as in the document",
};
/// Whose labels are learnt.
pub const LABELS: Param = Param {
    name: "labels",
    kind: ParamKind::Word(&["mover", "white"]),
    default: Some("mover"),
    help: "whose evaluation is learnt: that of the side that has moved, or White's",
};
/// The share kept apart for the test.
pub const TEST: Param = Param {
    name: "test",
    kind: ParamKind::Real(0.0, 0.9),
    default: Some("0.3"),
    help: "share of the set that is kept for the test",
};
/// The bounds between the classes.
pub const BOUNDS: Param = Param {
    name: "bounds",
    kind: ParamKind::Text("five rising numbers of pawns such as -2/-0.5/0.5/2/5"),
    default: Some("-2/-0.5/0.5/2/5"),
    help: "bounds between the six classes of evaluations",
};
