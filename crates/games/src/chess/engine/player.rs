//! The engine as a player, at full strength or weakened.
//!
//! A weakened player searches as the engine does, adds Gaussian noise from the turn's RNG to every candidate's score, and
//! plays the best of the noisy candidates.

use outplay_core::{Candidate, Player, Rng, Seat, Thought, Turn, View};

use super::{ChessEngine, PrincipalVariation, SearchInfo, SearchLimits, SearchRequest, SearchSignals};
use crate::chess::moves::ChessMove;
use crate::chess::rules::Chess;

/// A player that uses the engine.
pub struct EnginePlayer {
    engine: ChessEngine,
    limits: SearchLimits,
    candidates: usize,
    noise: f64,
}

/// Scores are clamped to this many centipawns before noise is added.
const DECISIVE: f64 = 2000.0;

impl EnginePlayer {
    /// A player with these search limits.
    pub fn new(engine: ChessEngine, limits: SearchLimits) -> Self {
        Self { engine, limits, candidates: 1, noise: 0.0 }
    }

    /// The same, with exact scores for this many of the best moves: for analysis.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        self.candidates = candidates.max(1);
        self
    }

    /// The same, scoring every move with noise of this standard deviation, in centipawns.
    #[must_use]
    pub fn with_noise(mut self, deviation: f64) -> Self {
        self.noise = deviation;
        if deviation > 0.0 {
            self.candidates = usize::MAX;
        }
        self
    }
}

/// The index of the best candidate after Gaussian noise of this standard deviation was added to every score.
pub fn pick_with_noise(variations: &[PrincipalVariation], noise: f64, rng: &mut Rng) -> usize {
    let mut noisy_score = |variation: &PrincipalVariation| {
        let score = match variation.score.mate_in() {
            Some(mate) => DECISIVE * f64::from(mate.signum()),
            None => f64::from(variation.score.0).clamp(-DECISIVE, DECISIVE),
        };
        score + noise * rng.gaussian()
    };
    if noise <= 0.0 {
        return 0;
    }
    let scores: Vec<f64> = variations.iter().map(&mut noisy_score).collect();
    let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    best.map_or(0, |(place, _)| place)
}

fn thought(report: &SearchInfo<'_>) -> Thought<ChessMove> {
    let candidate = |variation: &PrincipalVariation| {
        Candidate::scored(
            variation.line[0],
            variation.score.to_score(),
            variation.node_share,
            variation.line.clone(),
        )
    };
    Thought {
        candidates: report.variations.iter().map(candidate).collect(),
        depth: report.depth,
        nodes: report.nodes,
        elapsed: report.elapsed,
    }
}

impl Player<Chess> for EnginePlayer {
    fn new_game(&mut self, _seat: Seat) {
        self.engine.clear();
    }

    fn choose(&mut self, view: &Chess, turn: &mut Turn<'_, ChessMove>) -> ChessMove {
        let request = SearchRequest {
            position: *view,
            past: turn.past.to_vec(),
            repetitions: turn.repetitions,
            plies_left: turn.plies_left,
            moves: view.moves(),
            candidates: self.candidates,
        };
        let signals = SearchSignals { stop: turn.stop_flag(), pondering: None };
        let show = |report: &SearchInfo<'_>| turn.show(|| thought(report));
        let variations = self.engine.search(&request, &self.limits, signals, show);
        variations[pick_with_noise(&variations, self.noise, turn.rng)].line[0]
    }
}
