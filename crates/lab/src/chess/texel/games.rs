//! The engine's own fast games, as examples: quiet positions and how their games ended.
//!
//! Game i draws from `Rng::stream(seed, i)` and is played by an engine that remembers no other, so the examples are the
//! same on any number of threads.

use outplay_runtime::WorkError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use outplay_core::{Outcome, Position, Rng, Score, Seat, View};
use outplay_games::chess::ClassicEvaluator;
use outplay_games::chess::classic::ClassicWeights;
use outplay_games::chess::engine::{ChessEngine, SearchLimits, SearchRequest, SearchSignals, is_quiet};
use rayon::prelude::*;

use super::TexelExample;
use crate::chess::openings::random_opening;
use outplay_runtime::{Progress, Watch};

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct FastGames {
    pub(super) games: u64,
    /// Positions that the engine visits for a move.
    pub(super) nodes: u64,
    /// Random plies before it takes over.
    pub(super) opening: u32,
    pub(super) seed: u64,
}

/// A game that lasts so long is a draw.
const LONGEST: usize = 300;
/// A side that is this far ahead for this many plies has won.
const DECISIVE: i32 = 1200;
const IN_A_ROW: u32 = 4;

/// The weights that play: those set by hand, so that a fit does not depend on the one before it.
static BY_HAND: LazyLock<Arc<ClassicWeights>> = LazyLock::new(Arc::default);

/// Plays all games.
pub(super) fn play(plan: FastGames, watch: Watch<'_>) -> Result<Vec<TexelExample>, WorkError> {
    let done = AtomicU64::new(0);
    let play = |number| {
        if watch.is_stopped() {
            return Vec::new();
        }
        let examples = play_one(plan, number);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        watch.show(Progress { task: "games", done, total: plan.games, unit: "games" });
        examples
    };
    let examples = (0..plan.games).into_par_iter().flat_map_iter(play).collect();
    if watch.is_stopped() { Err(WorkError::Stopped) } else { Ok(examples) }
}

fn play_one(plan: FastGames, game: u64) -> Vec<TexelExample> {
    let mut position = random_opening(plan.opening, &mut Rng::stream(plan.seed, game));
    let mut engine = ChessEngine::new(1, 1, &ClassicEvaluator::with_weights(Arc::clone(&BY_HAND)));
    let limits = SearchLimits { nodes: Some(plan.nodes), ..SearchLimits::default() };
    let (mut past, mut quiet, mut sure) = (Vec::new(), Vec::new(), 0u32);
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        let is_repeated = past.iter().filter(|&&key| key == position.key()).count() >= 2;
        if is_repeated || past.len() >= LONGEST {
            break Outcome::Draw;
        }
        let question = SearchRequest { past: past.clone(), ..SearchRequest::new(position) };
        let best = engine.search(&question, &limits, SearchSignals::default(), |_| {}).swap_remove(0);
        let (mv, worth) = (best.line[0], best.score);
        let seat = position.seat();
        let centipawns =
            worth.centipawns().unwrap_or_else(|| DECISIVE * worth.mate_in().unwrap_or(0).signum());
        sure = if centipawns.abs() >= DECISIVE { sure + 1 } else { 0 };
        if sure >= IN_A_ROW {
            break Outcome::Win(if centipawns > 0 { seat } else { !seat });
        }
        if worth.centipawns().is_some() && is_quiet(&position) {
            quiet.push((position, for_white(worth.to_score(), seat)));
        }
        past.push(position.key());
        position.play(mv);
    };
    let points = outcome.points(Seat::First) as f32;
    quiet.into_iter().map(|(position, expected)| TexelExample { game, position, points, expected }).collect()
}

/// The chance of white, given the side to move's score.
fn for_white(score: Score, seat: Seat) -> f32 {
    let score = if seat == Seat::First { score } else { -score };
    score.chance() as f32
}
