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

pub(super) use evaluation::{ChessEvaluationParams, check_evaluation, evaluate};
pub use foresight::CachedJudge;

use std::path::{Path, PathBuf};

use outplay_core::Text;
use outplay_games::chess::dataset::ClassBounds;

use crate::params;
use crate::params::{ParamKind, ParamType, Tracked};
use crate::registry::{Measure, file_memory};
use division::{Labels, Split};

/// By what those who tell classes apart are judged: by examples that are neither learnt from nor in the test, so that the
/// test stays untouched by any choice.
pub const MEASURES: &[Measure] = &[
    Measure::higher("validation_accuracy", "/validation_accuracy"),
    Measure::higher("test_accuracy", "/test_accuracy"),
    Measure::LOSS,
];

params! {
    /// The set to learn from.
    pub struct ExampleSetParams {
        data: Option<PathBuf> = None,
            "a set that 'outplay data chess' made (the one that comes with the program)"
            | "un ensemble fait par « outplay data chess » (celui livré avec le programme)";
    }
    memory |set| example_memory(set.data.as_deref())
}

/// How many times as large as its file a set is in memory: a position takes some 300 bytes, and a compressed file has two for it.
pub(super) const SET_GROWTH: u64 = 160;

/// The MiB of a set in memory; the one that comes with the program took 97.
fn example_memory(file: Option<&Path>) -> u32 {
    const SHIPPED: u32 = 128;
    SHIPPED.max(file.map_or(0, |path| file_memory(path, SET_GROWTH)))
}

params! {
    /// What of a set is kept for the test.
    pub struct SplitParams {
        split: Tracked<Split> = Split::Game.into(),
            "what is kept for the test: whole games, positions of games that are learnt from (as the document does for neighbours), or the end of the set (as it seems to do for its network)"
            | "ce qu’on garde pour le test : des parties entières, des positions de parties apprises (comme le document pour les voisins), ou la fin de l’ensemble (comme il semble faire pour son réseau)";
        test: Tracked<f64> = 0.3.into(), in 0.0..=0.9,
            "share of the set that is kept for the test" | "la part gardée pour le test";
    }
}

params! {
    /// How positions are labelled.
    pub struct LabelParams {
        labels: Tracked<Labels> = Labels::Mover.into(),
            "whose evaluation is learnt: that of the side that has moved, or White's"
            | "de qui l’évaluation est apprise : du camp qui a joué, ou des Blancs";
        bounds: Tracked<ClassBounds> = ClassBounds::default().into(),
            "bounds between the six classes of evaluations" | "où finissent les six classes d’évaluations";
    }
}

/// Bounds in pawns: `-2/-0.5/0.5/2/5`.
impl ParamType for ClassBounds {
    type Range = ();

    fn kind((): &()) -> ParamKind {
        ParamKind::Text(Text::new(
            "five rising numbers of pawns such as -2/-0.5/0.5/2/5",
            "cinq nombres croissants de pions tels que -2/-0.5/0.5/2/5",
        ))
    }

    fn read(text: &str, (): &()) -> Option<Self> {
        text.parse().ok()
    }

    fn write(&self) -> String {
        self.to_string()
    }
}
