//! `expert`: alpha-beta over paths at ten levels, from one that a beginner beats to the best there is.
//!
//! Law: a higher level looks at more positions and slips no more often than a lower one.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::Referee;
use outplay_games::quoridor::{Cells, PathJudge, PathWeights, Quoridor};
use outplay_players::{AlphaBeta, Budget, EpsilonRandom};

use crate::registry::{Listing, PlayerEntry};
use crate::spec::{Kind, Param};

const PARAMS: &[Param] = &[Param {
    name: "level",
    kind: Kind::Whole(1, LEVELS.len() as i64),
    default: Some("10"),
    help: "1 makes any move half of the time and sees little; from 8 on it never slips; 10 thinks for a second",
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
pub(super) fn expert<C: Cells>() -> PlayerEntry<Referee<Quoridor<C>>> {
    PlayerEntry {
        listing: Listing {
            name: "expert",
            summary: "alpha-beta over paths at ten levels",
            params: PARAMS.to_vec(),
        },
        hire: |_, spec, _, _| {
            let level = spec.resolve("player 'expert'", PARAMS)?.whole("level") as usize;
            let (budget, slips) = LEVELS[level - 1];
            Ok(Arc::new(move || {
                let judge = PathJudge::new(PathWeights::default());
                Box::new(EpsilonRandom::new(AlphaBeta::new(judge, budget), slips))
            }))
        },
    }
}
