//! `expert`: alpha-beta over paths at ten levels, from one that a beginner beats to the best there is.
//!
//! A higher level looks at more positions and slips no more often than a lower one.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::{Referee, Text};
use outplay_games::quoridor::{Cells, PathEvaluator, PathWeights, Quoridor};
use outplay_players::{AlphaBeta, Budget, EpsilonRandom};

use crate::params;
use crate::registry::PlayerDef;

params! {
    /// How strong the player is.
    struct LevelParams {
        level: usize = 10, in 1..=LEVELS.len(),
            "1 = beginner … 10 = full strength, one second per move"
            | "1 = débutant … 10 = pleine force, une seconde par coup";
    }
}

/// What a level may spend on a move, and in which share of its moves it slips.
const LEVELS: [(Budget, f64); 10] = [
    (Budget::nodes(30), 0.5),
    (Budget::nodes(50), 0.35),
    (Budget::nodes(100), 0.25),
    (Budget::nodes(300), 0.16),
    (Budget::nodes(1000), 0.1),
    (Budget::nodes(3000), 0.05),
    (Budget::nodes(10_000), 0.02),
    (Budget::nodes(30_000), 0.0),
    (Budget::nodes(100_000), 0.0),
    (Budget::time(Duration::from_secs(1)), 0.0),
];

/// The player on Quoridor's list.
pub(super) fn expert<C: Cells>() -> PlayerDef<Referee<Quoridor<C>>> {
    PlayerDef::new(
        "expert",
        Text::new("alpha-beta over paths at ten levels", "alpha-bêta sur les chemins, à dix niveaux"),
        LevelParams::default(),
        |_, params: &LevelParams| {
            let (budget, slips) = LEVELS[params.level - 1];
            Ok(Arc::new(move || {
                let judge = PathEvaluator::new(PathWeights::default());
                Box::new(EpsilonRandom::new(AlphaBeta::new(judge, budget), slips))
            }))
        },
    )
}
