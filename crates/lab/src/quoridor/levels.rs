//! `expert`: alpha-beta over paths at ten levels, from one that a beginner beats to the best there is.
//!
//! A higher level looks at more positions and slips no more often than a lower one.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::Referee;
use outplay_games::quoridor::{Cells, PathEvaluator, PathWeights, Quoridor};
use outplay_players::{AlphaBeta, Budget, EpsilonRandom};

use crate::registry::PlayerDef;
use crate::spec::{Param, ParamKind};

const PARAMS: &[Param] = &[Param {
    name: "level",
    kind: ParamKind::Whole(1, LEVELS.len() as i64),
    default: Some("10"),
    help: "1 = beginner … 10 = full strength, one second per move",
}];

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
    PlayerDef::new("expert", "alpha-beta over paths at ten levels", PARAMS.to_vec(), |request| {
        let (budget, slips) = LEVELS[request.values.whole("level") as usize - 1];
        Ok(Arc::new(move || {
            let judge = PathEvaluator::new(PathWeights::default());
            Box::new(EpsilonRandom::new(AlphaBeta::new(judge, budget), slips))
        }))
    })
}
