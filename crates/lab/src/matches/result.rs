//! What a match leaves behind.

use outplay_core::{Outcome, Seat};
use serde::Serialize;

use crate::stats::{Elo, Estimate, PairCounts, Sprt, SprtReport, Tally};

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOutcome<M> {
    /// The number of the game in its match, from 0.
    pub index: u64,
    /// The number from which its beginning was drawn; see [`set_up`](super::set_up).
    pub setup: u64,
    /// Where the first-named player sat.
    pub first_named: Seat,
    /// How many of the moves were drawn at random.
    pub opening_plies: usize,
    /// All moves from the beginning.
    pub moves: Vec<M>,
    /// Who won.
    pub outcome: Outcome,
}

impl<M> GameOutcome<M> {
    /// The number of moves, those of the opening included.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The points of the first-named player.
    pub fn points(&self) -> f64 {
        self.outcome.points(self.first_named)
    }
}

/// The results of the games counted so far, from the first-named player's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// All games, by the seat in which the first-named player sat.
    pub by_seat: [Tally; 2],
    /// The complete pairs, if games were played in pairs.
    pub pairs: Option<PairCounts>,
    /// The moves of all games together.
    pub plies: u64,
}

impl Standing {
    pub(super) fn new(paired: bool) -> Self {
        Self { by_seat: [Tally::default(); 2], pairs: paired.then(PairCounts::default), plies: 0 }
    }

    /// Counts a game; `previous` is the one before it, its partner if it is the second of a pair.
    pub(super) fn count<M>(&mut self, game: &GameOutcome<M>, previous: Option<&GameOutcome<M>>) {
        self.by_seat[game.first_named.index()].count(game.outcome, game.first_named);
        self.plies += game.plies() as u64;
        if let (Some(pairs), Some(partner), 1) = (&mut self.pairs, previous, game.index % 2) {
            pairs.count(partner.points() + game.points());
        }
    }

    pub(super) fn test(&self, sprt: &Sprt) -> SprtReport {
        match &self.pairs {
            Some(pairs) => sprt.after_pairs(pairs),
            None => sprt.after_games(&self.tally()),
        }
    }

    /// All games.
    pub fn tally(&self) -> Tally {
        self.by_seat.iter().copied().sum()
    }

    /// What the results say, from pairs where there are pairs; nothing before the first game.
    pub fn estimate(&self) -> Option<Estimate> {
        match &self.pairs {
            Some(pairs) => Estimate::from_pairs(&self.tally(), pairs),
            None => Estimate::from_games(&self.tally()),
        }
    }

    /// The mean length of a game in plies.
    pub fn average_plies(&self) -> Option<f64> {
        let games = self.tally().games();
        (games > 0).then(|| self.plies as f64 / games as f64)
    }
}

/// A match that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult<M> {
    /// The counted games, in order.
    pub games: Vec<GameOutcome<M>>,
    /// Their results.
    pub standing: Standing,
    /// Where the sequential test ended, if there was one.
    pub sprt: Option<SprtReport>,
    /// Whether the stop flag ended the match.
    pub interrupted: bool,
}

/// The numbers of a match, as they are written for scripts. What does not exist (the score of no games, an
/// unbounded Elo) is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Games counted.
    pub games: u64,
    /// Wins, draws and losses of the first-named player.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share of points it made, and the interval of what it may expect.
    pub score: Option<f64>,
    /// The lower end.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
    /// By how much it is the stronger one.
    #[serde(flatten)]
    pub elo: Elo,
    /// The likelihood that it is the stronger one at all.
    pub superiority: Option<f64>,
    /// Its results when it sat first.
    pub sitting_first: Tally,
    /// Its results when it sat second.
    pub sitting_second: Tally,
    /// How many pairs brought it 0, ½, 1, 1½ and 2 points.
    pub pairs: Option<PairCounts>,
    /// The mean length of a game.
    pub average_plies: Option<f64>,
    /// Where the sequential test ended.
    pub sprt: Option<SprtReport>,
    /// Whether the match was stopped before its end.
    pub interrupted: bool,
}

impl<M> MatchResult<M> {
    /// The numbers of the match.
    pub fn summary(&self) -> MatchSummary {
        let estimate = self.standing.estimate();
        let interval = estimate.map(|estimate| estimate.score_interval());
        let [sitting_first, sitting_second] = self.standing.by_seat;
        MatchSummary {
            games: self.standing.tally().games(),
            tally: self.standing.tally(),
            score: estimate.map(|estimate| estimate.score()),
            score_low: interval.map(|interval| interval.low),
            score_high: interval.map(|interval| interval.high),
            elo: estimate.map_or(Elo::UNKNOWN, |estimate| estimate.elo()),
            superiority: estimate.map(|estimate| estimate.superiority()),
            sitting_first,
            sitting_second,
            pairs: self.standing.pairs,
            average_plies: self.standing.average_plies(),
            sprt: self.sprt,
            interrupted: self.interrupted,
        }
    }
}
