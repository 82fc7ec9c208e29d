//! What a search is after: the gold that may be taken next, or the exit, and how far it is from everywhere.

use super::greedy::Stillness;
use super::moment::{Fate, Moment};
use super::order::next_gold;
use super::physics::{Physics, RunnerAction};
use super::stairs::Stairs;
use super::terrain::{MAX_SPOTS, Spot, SpotSet};
use super::ways::Ways;

/// What a search is after.
pub(super) struct Goal {
    /// The gold that may be taken next; of other gold the runner keeps off.
    pub(super) allowed: SpotSet,
    /// The length of the way from every spot.
    pub(super) lengths: Vec<u16>,
    /// Stairs that lead nearer to the goal, in the order of their tops.
    pub(super) stairs: Vec<Stairs>,
}

/// How much longer a way is taken to be that only the relaxed graph has.
const UNSURE: u16 = 200;

impl Goal {
    /// The next goal at this moment: gold on the ground, or the exit if there is no gold.
    pub(super) fn at(physics: &Physics<'_>, moment: &Moment) -> Self {
        let exact = Ways::at(physics, moment, false);
        if !moment.gold.is_empty() {
            let next = next_gold(physics, moment, &exact);
            // Nothing is known to be reachable: whatever looks near is tried.
            let allowed = if next.is_empty() { moment.gold } else { next };
            let targets: Vec<Spot> = allowed.iter().collect();
            return Self::by_ways(physics, moment, &exact, allowed, &targets);
        }
        if moment.has_exits() {
            let top = physics.terrain.spots().take_while(|&spot| physics.terrain.is_top(spot));
            let targets: Vec<Spot> = top.collect();
            return Self::by_ways(physics, moment, &exact, SpotSet::default(), &targets);
        }
        // Only guards have gold. They come to the runner, or put it down: nothing is nearer than anything else.
        Self { allowed: SpotSet::default(), lengths: vec![0; MAX_SPOTS], stairs: Vec::new() }
    }

    fn by_ways(
        physics: &Physics<'_>,
        moment: &Moment,
        exact: &Ways,
        allowed: SpotSet,
        targets: &[Spot],
    ) -> Self {
        let mut lengths = exact.lengths_to(targets.iter().copied());
        let relaxed = Ways::at(physics, moment, true).lengths_to(targets.iter().copied());
        for (length, relaxed) in lengths.iter_mut().zip(relaxed) {
            *length = (*length).min(relaxed.saturating_add(UNSURE));
        }
        let leads_on = |stairs: &&Stairs| lengths[stairs.end(physics).index()] < lengths[stairs.top.index()];
        let stairs = exact.stairs().iter().filter(leads_on).copied().collect();
        Self { allowed, lengths, stairs }
    }

    /// The stairs that lead nearer to the goal from where the runner is.
    pub(super) fn stairs_from(&self, top: Spot) -> &[Stairs] {
        let first = self.stairs.partition_point(|stairs| stairs.top < top);
        let count = self.stairs[first..].partition_point(|stairs| stairs.top == top);
        &self.stairs[first..first + count]
    }

    /// Whether an action leads nearer to the goal, if guards stay where they are.
    pub(super) fn is_nearer_after(
        &self,
        physics: &Physics<'_>,
        moment: &Moment,
        action: RunnerAction,
    ) -> bool {
        let here = self.estimate(physics, moment);
        if let RunnerAction::DigLeft | RunnerAction::DigRight = action {
            let brick = physics.dig_spot(moment.runner, action == RunnerAction::DigLeft);
            return self.lengths[brick.index()] < here;
        }
        let mut next = *moment;
        physics.turn(&mut next, action, &mut Stillness);
        next.fate == Fate::Won || self.estimate(physics, &next) < here
    }

    /// An estimate of the turns to the goal.
    pub(super) fn estimate(&self, physics: &Physics<'_>, moment: &Moment) -> u16 {
        let at = moment.runner;
        let mut least = self.lengths[at.index()];
        let (row, col) = (physics.terrain.row(at), physics.terrain.col(at));
        for hole in moment.holes() {
            let (hole_row, hole_col) = (physics.terrain.row(hole.at), physics.terrain.col(hole.at));
            let down = match hole_row.wrapping_sub(row) {
                0 => 0,
                1 => 1,
                _ => continue,
            };
            let way = col.abs_diff(hole_col) as u16 + down;
            least = least.min(self.lengths[hole.at.index()].saturating_add(way));
        }
        least
    }
}
