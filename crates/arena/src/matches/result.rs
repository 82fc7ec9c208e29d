//! The result of a match: its games, the standing after each of them, and the summary for scripts.

use outplay_core::{Outcome, Seat};
use serde::Serialize;

use super::distinct::SeenGames;
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
    /// Why the loser gave the game up, if that is how it ended.
    pub forfeit: Option<String>,
    /// A number that this game shares with those that were played exactly like it.
    pub(crate) fingerprint: u64,
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

    /// Which of the players gave the game up, the first-named being 0, and why.
    pub fn forfeit(&self) -> Option<(usize, &str)> {
        let loser = usize::from(self.outcome == Outcome::Win(self.first_named));
        self.forfeit.as_deref().map(|reason| (loser, reason))
    }
}

/// The results of the games counted so far, from the first-named player's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchStanding {
    /// All games, by the seat in which the first-named player sat.
    pub by_seat: [Tally; 2],
    /// How many of them are different games, by the same seat.
    pub distinct_by_seat: [u64; 2],
    /// The complete pairs, if games were played in pairs.
    pub pairs: Option<PairCounts>,
    /// How many of them are different pairs.
    pub distinct_pairs: u64,
    /// The moves of all games together.
    pub plies: u64,
    /// How many games the first-named player gave up, and how many the other.
    pub forfeits: [u64; 2],
    /// Why the first of them was given up.
    pub forfeit_reason: Option<String>,
}

impl MatchStanding {
    pub(super) fn new(paired: bool) -> Self {
        Self {
            by_seat: [Tally::default(); 2],
            distinct_by_seat: [0; 2],
            pairs: paired.then(PairCounts::default),
            distinct_pairs: 0,
            plies: 0,
            forfeits: [0; 2],
            forfeit_reason: None,
        }
    }

    /// Counts a game; `partner` is the one before it, if it may be the second of a pair.
    pub(super) fn count<M>(
        &mut self,
        game: &GameOutcome<M>,
        partner: Option<&GameOutcome<M>>,
        seen: &mut SeenGames,
    ) {
        let seat = game.first_named;
        self.by_seat[seat.index()].count(game.outcome, seat);
        self.distinct_by_seat[seat.index()] += u64::from(seen.is_new_game(game));
        self.plies += game.plies() as u64;
        if let Some((player, reason)) = game.forfeit() {
            self.forfeits[player] += 1;
            self.forfeit_reason.get_or_insert_with(|| reason.to_owned());
        }
        if let (Some(pairs), Some(partner)) = (&mut self.pairs, partner) {
            pairs.count(partner.points() + game.points());
            self.distinct_pairs += u64::from(seen.is_new_pair([partner, game]));
        }
    }

    pub(super) fn test(&self, sprt: &Sprt) -> SprtReport {
        let report = match &self.pairs {
            Some(pairs) => sprt.after_pairs(pairs),
            None => sprt.after_games(&self.tally()),
        };
        report.counting(self.distinct_share())
    }

    /// All games.
    pub fn tally(&self) -> Tally {
        self.by_seat.iter().copied().sum()
    }

    /// How many different games there are among all.
    pub fn distinct_games(&self) -> u64 {
        self.distinct_by_seat.iter().sum()
    }

    /// The share of the units, pairs where there are pairs, that do not repeat an earlier one.
    fn distinct_share(&self) -> f64 {
        match self.pairs.map(|pairs| pairs.pairs()).filter(|&pairs| pairs > 0) {
            Some(pairs) => self.distinct_pairs as f64 / pairs as f64,
            None => self.distinct_games() as f64 / self.tally().games().max(1) as f64,
        }
    }

    /// What the results say, from pairs where there are pairs; nothing before the first game. The score is that of
    /// all games, its certainty that of the different ones.
    pub fn estimate(&self) -> Option<Estimate> {
        let estimate = match &self.pairs {
            Some(pairs) => Estimate::from_pairs(&self.tally(), pairs),
            None => Estimate::from_games(&self.tally()),
        };
        estimate.map(|estimate| estimate.counting(self.distinct_share()))
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
    pub standing: MatchStanding,
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
    /// How many of them are different games: the intervals and the test count no repetition.
    pub distinct_games: u64,
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
    /// How many games the first-named player gave up because it could not go on, and how many the other; each counts
    /// as lost.
    pub forfeits: [u64; 2],
    /// Why the first of them was given up.
    pub forfeit_reason: Option<String>,
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
            distinct_games: self.standing.distinct_games(),
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
            forfeits: self.standing.forfeits,
            forfeit_reason: self.standing.forfeit_reason.clone(),
            sprt: self.sprt,
            interrupted: self.interrupted,
        }
    }
}
