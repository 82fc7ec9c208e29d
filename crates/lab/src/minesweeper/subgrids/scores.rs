//! How many cells players unmask (§3.3.4).
//!
//! Game number n under a seed has the same mines and the same first click for every player, so that players can
//! be compared game by game.

use outplay_runtime::WorkError;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::{Game, View};
use outplay_games::minesweeper::subgrids::{FlagPolicy, begin_at_random, play_lockstep};
use outplay_games::minesweeper::{Minesweeper, VisibleBoard};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::network::SubgridNetwork;
use outplay_arena::stats::Shares;
use outplay_arena::stats::{BoxPlotStats, Interval, Z95};
use outplay_runtime::{Progress, Watch};

/// Games that are played in step.
const SHARE: u64 = 100;

/// How often each score occurred, from 0 to the highest possible, which is a game won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores(Vec<u64>);

impl Scores {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The highest possible score.
    pub const fn most(&self) -> usize {
        self.0.len() - 1
    }

    /// Games won.
    pub fn wins(&self) -> u64 {
        self.0[self.most()]
    }

    /// The share of games won.
    pub fn won(&self) -> Shares {
        Shares::of(self.wins(), self.games())
    }

    /// The mean score.
    pub fn mean(&self) -> f64 {
        self.spread().mean
    }

    /// The interval of the mean.
    pub fn mean_interval(&self) -> Interval {
        let half = Z95 * self.deviation() / (self.games() as f64).sqrt();
        Interval { low: self.mean() - half, high: self.mean() + half }
    }

    /// The standard deviation of a score.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 =
            self.0.iter().enumerate().map(|(score, &n)| n as f64 * (score as f64 - mean).powi(2)).sum();
        (squares / self.games() as f64).sqrt()
    }

    /// The first quartile, the median, the third quartile.
    pub fn quartiles(&self) -> [f64; 3] {
        self.spread().quartiles
    }

    /// The standard errors of the quartiles: half the distance between the scores whose ranks bound each, in
    /// standard deviations.
    pub fn quartile_errors(&self) -> [f64; 3] {
        let games = self.games() as f64;
        [0.25, 0.5, 0.75].map(|share: f64| {
            let reach = Z95 * (games * share * (1.0 - share)).sqrt();
            let score = |rank: f64| self.score_at_rank(rank.clamp(0.0, games - 1.0) as u64) as f64;
            (score(games * share + reach) - score(games * share - reach)) / (2.0 * Z95)
        })
    }

    /// The score of this rank, counted from the lowest.
    fn score_at_rank(&self, rank: u64) -> usize {
        let mut below = 0;
        let reaches = |&count: &u64| {
            below += count;
            below > rank
        };
        self.0.iter().position(reaches).unwrap_or(self.most())
    }

    /// The smallest score.
    pub fn min(&self) -> usize {
        self.0.iter().position(|&count| count > 0).unwrap_or(0)
    }

    /// The largest score.
    pub fn max(&self) -> usize {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0)
    }

    /// What a box plot of the scores shows.
    pub fn spread(&self) -> BoxPlotStats {
        let sorted: Vec<f64> = self
            .0
            .iter()
            .enumerate()
            .flat_map(|(score, &count)| std::iter::repeat_n(score as f64, count as usize))
            .collect();
        BoxPlotStats::of(&sorted)
    }

    /// The different scores that lie beyond the whiskers.
    pub fn outliers(&self) -> Vec<f64> {
        let [low, high] = self.spread().whiskers;
        let occurring = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        occurring.map(|(score, _)| score as f64).filter(|score| *score < low || *score > high).collect()
    }
}

/// The scores of the AI with this network and temper.
pub fn network_scores(
    game: &Minesweeper,
    network: &SubgridNetwork,
    temper: FlagPolicy,
    games: u64,
    seed: u64,
    watch: Watch<'_>,
) -> Result<Scores, WorkError> {
    let play = |numbers| play_lockstep(game, temper, &mut network.judge(), seed, numbers);
    play_all(game, games, watch, &play)
}

/// The scores of the document's random AI: at each turn any masked cell.
pub fn random_scores(
    game: &Minesweeper,
    games: u64,
    seed: u64,
    watch: Watch<'_>,
) -> Result<Scores, WorkError> {
    let play = |number| {
        let (mut state, mut rng) = begin_at_random(game, seed, number);
        let mut scratch = Vec::new();
        while game.outcome(&state).is_none() {
            let action = state.seen().random_move(&mut rng, &mut scratch);
            game.play(&mut state, action);
        }
        state.seen().clone()
    };
    play_all(game, games, watch, &|numbers: Range<u64>| numbers.map(play).collect())
}

fn play_all(
    game: &Minesweeper,
    games: u64,
    watch: Watch<'_>,
    play: &(impl Fn(Range<u64>) -> Vec<VisibleBoard> + Sync),
) -> Result<Scores, WorkError> {
    let done = AtomicU64::new(0);
    let play_share = |first: u64| {
        if watch.is_stopped() {
            return None;
        }
        let numbers = first..(first + SHARE).min(games);
        let played = numbers.end - numbers.start;
        let scores: Vec<usize> = play(numbers).iter().map(VisibleBoard::score).collect();
        let done = done.fetch_add(played, Ordering::Relaxed) + played;
        watch.show(Progress { task: "playing", done, total: games, unit: "games" });
        Some(scores)
    };
    let firsts: Vec<u64> = (0..games).step_by(SHARE as usize).collect();
    let shares: Option<Vec<Vec<usize>>> = firsts.into_par_iter().map(play_share).collect();
    // A game that was going on when the flag was raised may have been played hastily.
    let shares = shares.filter(|_| !watch.is_stopped()).ok_or(WorkError::Stopped)?;
    let mut counts = vec![0; game.rows() * game.cols() - game.mines() + 1];
    shares.concat().into_iter().for_each(|score| counts[score] += 1);
    Ok(Scores(counts))
}

#[cfg(test)]
mod tests {
    use super::super::game_of;
    use super::*;
    use crate::minesweeper::scores;
    use crate::minesweeper::vision::FirstCell;
    use crate::registry::PlayerFactory;
    use outplay_players::Random;
    use std::sync::Arc;

    #[test]
    fn what_scores_say_is_what_their_list_says() {
        let mut counts = vec![0; 91];
        (counts[10], counts[40], counts[50], counts[90]) = (1, 2, 1, 4);
        let scores = Scores(counts);
        assert_eq!((scores.games(), scores.wins(), scores.most()), (8, 4, 90));
        assert_eq!((scores.min(), scores.max(), scores.mean()), (10, 90, 62.5));
        assert_eq!(scores.quartiles(), [40.0, 70.0, 90.0]);
        assert!(
            (scores.deviation()
                - (52.5f64.powi(2) / 8.0
                    + 22.5f64.powi(2) / 4.0
                    + 12.5f64.powi(2) / 8.0
                    + 27.5f64.powi(2) / 2.0)
                    .sqrt())
            .abs()
                < 1e-9
        );
    }

    #[test]
    fn the_random_ai_scores_like_the_random_player() {
        let game = game_of(10, 10, 10).unwrap();
        let make: PlayerFactory<VisibleBoard> = Arc::new(|| Box::new(Random));
        let any = scores::play(&game, &make, FirstCell::Random, 0..2000, 3);
        let own = random_scores(&game, 2000, 3, Watch::nobody()).unwrap();
        let mean = any.iter().map(|&score| f64::from(score)).sum::<f64>() / any.len() as f64;
        assert!((mean - own.mean()).abs() < 3.0, "{mean} {}", own.mean());
        assert_eq!(own, random_scores(&game, 2000, 3, Watch::nobody()).unwrap());
    }
}
