//! How often a move wins: by searching every way to go on where few placements are left, else by playing on from it.
//!
//! Mines are drawn uniformly from all placements that fit what is seen, and a player goes on to the end; every
//! candidate meets the same placements, so that candidates are compared pair by pair. The best candidate is
//! picked by a first part of the samples and measured by the others: what was picked by luck does not look good
//! twice.
//!
//! The numbers follow from the board, the candidates and the seed, on any number of threads.

use outplay_runtime::WorkError;
use std::ops::Range;

use outplay_core::{Game, Outcome, Player, Rng, Seat, Turn};
use outplay_games::minesweeper::endgame::{EndgameBudget, win_chance};
use outplay_games::minesweeper::{
    Action, BoardCell, FirstClick, Minesweeper, MinesweeperState, Solver, VisibleBoard,
};
use rayon::prelude::*;

use crate::registry::PlayerFactory;
use outplay_arena::stats::CrossedShares;
use outplay_arena::stats::{Interval, wilson};
use outplay_runtime::Watch;

/// Measuring takes this many samples for each one of picking.
const PICKING: u64 = 4;

/// A chance of winning with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chance {
    pub(super) value: f64,
    pub(super) interval: Interval,
}

impl Chance {
    const fn exact(value: f64) -> Self {
        Self { value, interval: Interval { low: value, high: value } }
    }

    fn of(wins: &[bool]) -> Self {
        let (won, games) = (wins.iter().filter(|&&won| won).count() as u64, wins.len() as u64);
        Self { value: won as f64 / games as f64, interval: wilson(won, games) }
    }
}

/// The played move beside the best that was tried.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compared {
    pub(super) best: Action,
    pub(super) played: Chance,
    pub(super) best_chance: Chance,
    /// What the played move lost against the best: no less than nothing on average, but for chance.
    pub(super) cost: Chance,
    /// How often the played move hit a mine at once; not known where every way to go on was searched.
    pub(super) exploded: Option<f64>,
    /// The games of each; none where every way to go on was searched.
    pub(super) samples: u64,
}

impl Compared {
    /// Whether chance does not explain what the move lost.
    pub(super) fn is_worse(&self) -> bool {
        self.cost.interval.low > ROUNDING
    }

    /// Whether it is known that the move lost nothing.
    pub(super) const fn is_free(&self) -> bool {
        self.samples == 0 && self.cost.value <= ROUNDING
    }

    /// The same from exact chances, best first, of a move that unmasks one cell.
    fn exactly(chances: &[(BoardCell, f64)], played: BoardCell) -> Option<Self> {
        let &(best, best_chance) = chances.first()?;
        let of_played = chances.iter().find(|(cell, _)| *cell == played).map_or(0.0, |&(_, chance)| chance);
        let cost = best_chance - of_played;
        Some(Self {
            best: Action::Unmask(if cost > ROUNDING { best } else { played }),
            played: Chance::exact(of_played),
            best_chance: Chance::exact(best_chance),
            cost: Chance::exact(cost),
            exploded: None,
            samples: 0,
        })
    }
}

/// Chances that differ by less are the same.
const ROUNDING: f64 = 1e-9;

/// How one game went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Won,
    Lost,
    /// By the first move itself.
    Exploded,
}

/// Games that are played on from a board.
pub(super) struct Trials<'a> {
    pub(super) game: &'a Minesweeper,
    pub(super) player: &'a PlayerFactory<VisibleBoard>,
    pub(super) samples: u64,
    pub(super) watch: Watch<'a>,
}

impl Trials<'_> {
    /// The first candidate, which was played, beside the best of all.
    pub(super) fn compare(
        &self,
        state: &MinesweeperState,
        candidates: &[Action],
        seed: u64,
    ) -> Result<Compared, WorkError> {
        let is_fair = state.mines().is_some() || self.game.first() == FirstClick::Any;
        if let (Action::Unmask(cell), true) = (candidates[0], is_fair) {
            let chances = win_chance(&mut Solver::new(), state.seen(), EndgameBudget::default());
            if let Some(exact) = chances.and_then(|chances| Compared::exactly(&chances, cell)) {
                return Ok(exact);
            }
        }
        let picking = self.samples.div_ceil(PICKING);
        let best = match candidates {
            [_, only] => *only,
            _ => self.pick(state, candidates, seed, 0..picking)?,
        };
        let measured = self.fare(state, &[candidates[0], best], seed, picking..picking + self.samples)?;
        let wins = |place: usize| -> Vec<bool> {
            measured.iter().map(|ends| ends[place.min(ends.len() - 1)] == End::Won).collect()
        };
        let (played, best_wins) = (wins(0), wins(1));
        let (cost, interval) = CrossedShares::of(std::slice::from_ref(&best_wins)).minus(&played);
        let exploded = measured.iter().filter(|ends| ends[0] == End::Exploded).count();
        Ok(Compared {
            best,
            played: Chance::of(&played),
            best_chance: Chance::of(&best_wins),
            cost: Chance { value: cost, interval },
            exploded: Some(exploded as f64 / self.samples as f64),
            samples: self.samples,
        })
    }

    /// The candidate that wins most often; the earlier one of several.
    fn pick(
        &self,
        state: &MinesweeperState,
        candidates: &[Action],
        seed: u64,
        samples: Range<u64>,
    ) -> Result<Action, WorkError> {
        let ends = self.fare(state, candidates, seed, samples)?;
        let won = |place: usize| ends.iter().filter(|ends| ends[place] == End::Won).count();
        let best = (0..candidates.len()).max_by_key(|&place| (won(place), std::cmp::Reverse(place)));
        Ok(candidates[best.unwrap_or(0)])
    }

    /// How each sample ends by each action.
    fn fare(
        &self,
        state: &MinesweeperState,
        actions: &[Action],
        seed: u64,
        samples: Range<u64>,
    ) -> Result<Vec<Vec<End>>, WorkError> {
        let ends: Option<Vec<Vec<End>>> = samples
            .into_par_iter()
            .map_init(
                || (Solver::new(), (self.player)()),
                |(solver, player), sample| {
                    let deal = deal(state, solver, &mut Rng::stream(seed, sample))?;
                    let play = |&action: &Action| self.play_on(&deal, action, player, seed, sample);
                    (!self.watch.is_stopped()).then(|| actions.iter().map(play).collect())
                },
            )
            .collect();
        ends.ok_or(WorkError::Stopped)
    }

    /// Plays the action and then as the player does, which needs no flags.
    fn play_on(
        &self,
        deal: &MinesweeperState,
        action: Action,
        player: &mut Box<dyn Player<VisibleBoard>>,
        seed: u64,
        sample: u64,
    ) -> End {
        let mut state = deal.clone();
        self.game.play(&mut state, action);
        if state.seen().is_lost() {
            return End::Exploded;
        }
        let seen = state.seen().clone().without_flags();
        let plain = Minesweeper::like(&seen, FirstClick::Any).expect("the board is that of a game");
        let mut rng = Rng::stream(!seed, sample);
        let mut state = MinesweeperState::set_up(seen, state.mines().cloned(), Rng::new(0));
        player.new_game(Seat::First);
        loop {
            match plain.outcome(&state) {
                Some(Outcome::Win(Seat::First)) => return End::Won,
                Some(_) => return End::Lost,
                None => {
                    let action = player.choose(state.seen(), &mut Turn::new(&mut rng));
                    plain.play(&mut state, action);
                }
            }
        }
    }
}

/// The board as it is seen, over mines drawn anew. Before the first unmasking there are none yet.
fn deal(state: &MinesweeperState, solver: &mut Solver, rng: &mut Rng) -> Option<MinesweeperState> {
    let seen = state.seen().clone();
    let mines = match state.mines() {
        Some(_) => Some(solver.sample(&seen, rng).ok()?),
        None => None,
    };
    Some(MinesweeperState::set_up(seen, mines, Rng::new(rng.seed())))
}
