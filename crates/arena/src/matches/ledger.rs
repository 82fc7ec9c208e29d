//! Counts finished games in order, whatever the order in which they end.

use std::collections::BTreeMap;

use super::distinct::SeenGames;
use super::{GameOutcome, MatchError, MatchObserver, MatchPlan, MatchProgress, MatchResult, MatchStanding};
use crate::stats::{SprtReport, SprtVerdict};

type GameAttempt<M> = Result<GameOutcome<M>, MatchError>;

/// The games counted so far, and those that wait for an earlier one to end.
///
/// Games are counted in whole units (a pair, or a game that has no partner), without a gap.
pub(super) struct MatchLedger<'a, 'o, M> {
    plan: &'a MatchPlan,
    observer: &'a mut MatchObserver<'o, M>,
    waiting: BTreeMap<u64, GameAttempt<M>>,
    counted: Vec<GameOutcome<M>>,
    seen: SeenGames,
    standing: MatchStanding,
    sprt: Option<SprtReport>,
    failure: Option<MatchError>,
}

impl<'a, 'o, M> MatchLedger<'a, 'o, M> {
    pub(super) fn new(plan: &'a MatchPlan, paired: bool, observer: &'a mut MatchObserver<'o, M>) -> Self {
        let standing = MatchStanding::new(paired);
        let sprt = plan.sprt.map(|sprt| standing.test(&sprt));
        Self {
            plan,
            observer,
            waiting: BTreeMap::new(),
            counted: Vec::new(),
            seen: SeenGames::default(),
            standing,
            sprt,
            failure: None,
        }
    }

    /// Takes in game `index` and counts whatever has become complete by it.
    pub(super) fn enter(&mut self, index: u64, played: GameAttempt<M>) {
        self.waiting.insert(index, played);
        while !self.is_closed() && self.next_unit_is_complete() {
            self.count_next_unit();
        }
    }

    /// Whether the result is settled.
    pub(super) fn is_closed(&self) -> bool {
        self.failure.is_some() || self.is_decided() || self.counted_games() == self.plan.games
    }

    pub(super) fn close(self) -> Result<MatchResult<M>, MatchError> {
        let interrupted = !self.is_closed();
        match self.failure {
            Some(error) => Err(error),
            None => {
                Ok(MatchResult { games: self.counted, standing: self.standing, sprt: self.sprt, interrupted })
            }
        }
    }

    fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|report| report.verdict != SprtVerdict::Continue)
    }

    fn counted_games(&self) -> u64 {
        self.counted.len() as u64
    }

    fn next_unit(&self) -> std::ops::Range<u64> {
        let start = self.counted_games();
        let length = if self.standing.pairs.is_some() { 2 } else { 1 };
        start..(start + length).min(self.plan.games)
    }

    fn next_unit_is_complete(&self) -> bool {
        self.next_unit().all(|index| self.waiting.contains_key(&index))
    }

    fn count_next_unit(&mut self) {
        for index in self.next_unit() {
            match self.waiting.remove(&index) {
                Some(Ok(game)) => self.count(game),
                Some(Err(error)) => {
                    self.failure = Some(error);
                    return;
                }
                None => unreachable!("game {index} belongs to a complete unit"),
            }
        }
        self.sprt = self.plan.sprt.map(|sprt| self.standing.test(&sprt));
    }

    fn count(&mut self, game: GameOutcome<M>) {
        let partner = self.counted.last().filter(|_| game.index % 2 == 1);
        self.standing.count(&game, partner, &mut self.seen);
        (self.observer)(&MatchProgress { game: &game, standing: &self.standing, planned: self.plan.games });
        self.counted.push(game);
    }
}
