//! What changes from turn to turn: the runner, the guards, the gold, the holes. Small and copied freely, because searches
//! keep thousands of them.

use super::terrain::{Spot, SpotSet};

/// The most guards of a level.
pub const MAX_GUARDS: usize = 16;
/// The most holes that can be open at a time.
pub const MAX_HOLES: usize = 32;

/// The delays of the rules, in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delays {
    /// Turns that digging takes; the hole opens with the first.
    pub dig: u8,
    /// Turns that a hole stays open.
    pub open: u8,
    /// Turns that a guard stays in a hole before it climbs out.
    pub trap: u8,
    /// Turns until a guard that was buried comes back.
    pub rebirth: u8,
    /// Turns that a guard carries gold before it puts it down where it can.
    pub carry: u8,
    /// Guards rest every so many turns; 0: never.
    pub rest: u8,
}

/// The proportions of the classic game, as its remake Lode Runner Total Recall has them: in the time of 5 ticks for a cell, a
/// hole is open for 186 ticks, a guard is held for 51 and comes back after 8, and a single guard moves in 2 ticks of 3.
impl Default for Delays {
    fn default() -> Self {
        Self { dig: 2, open: 37, trap: 10, rebirth: 2, carry: 25, rest: 3 }
    }
}

/// A dug brick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Hole {
    /// Where.
    pub at: Spot,
    /// It closes at the end of so many turns.
    pub left: u8,
}

/// A guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Guard {
    /// Where it is; where it was buried, while it is away.
    pub at: Spot,
    /// Turns until it climbs out of the hole that it is in; 0 if it is in none.
    pub trapped: u8,
    /// Turns until it comes back; 0 if it is in play.
    pub away: u8,
    /// Whether it has gold.
    pub has_gold: bool,
    /// Turns until it wants to put its gold down.
    pub carry: u8,
    /// Whether it has just climbed out of a hole, over which it then stands for one action.
    pub climbed: bool,
}

impl Guard {
    /// A guard that stands here.
    pub fn standing(at: Spot) -> Self {
        Self { at, ..Self::default() }
    }

    /// Whether it is on the board.
    #[inline]
    pub const fn is_in_play(&self) -> bool {
        self.away == 0
    }
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Fate {
    /// It goes on.
    #[default]
    Running,
    /// The runner has left by the top with all the gold.
    Won,
    /// A guard has caught the runner.
    Caught,
    /// A hole has closed over the runner.
    Buried,
}

/// A level at one moment. Unused entries of the lists are zero, so that equal moments are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Moment {
    /// Where the runner is.
    pub runner: Spot,
    /// Turns for which the runner is still busy with digging.
    pub busy: u8,
    /// Turns until guards rest next, counted from the rule's number down to 1; 0 if they never do.
    pub until_rest: u8,
    /// Whether the game goes on.
    pub fate: Fate,
    /// The gold on the ground.
    pub gold: SpotSet,
    /// The bricks that are holes now.
    pub open: SpotSet,
    holes: [Hole; MAX_HOLES],
    hole_count: u8,
    guards: [Guard; MAX_GUARDS],
    guard_count: u8,
}

impl Moment {
    /// The beginning of a level, without gold and guards.
    pub fn new(runner: Spot, delays: Delays) -> Self {
        Self { runner, until_rest: delays.rest, ..Self::default() }
    }

    /// The open holes, in the order in which they were dug.
    #[inline]
    pub fn holes(&self) -> &[Hole] {
        &self.holes[..usize::from(self.hole_count)]
    }

    /// The guards, in the order of the level.
    #[inline]
    pub fn guards(&self) -> &[Guard] {
        &self.guards[..usize::from(self.guard_count)]
    }

    #[inline]
    pub(super) fn guards_mut(&mut self) -> &mut [Guard] {
        &mut self.guards[..usize::from(self.guard_count)]
    }

    /// Adds a guard; there is room for it.
    pub fn add_guard(&mut self, guard: Guard) {
        self.guards[usize::from(self.guard_count)] = guard;
        self.guard_count += 1;
    }

    /// Takes all guards away, with the gold that they have.
    pub fn remove_guards(&mut self) {
        self.guards = [Guard::default(); MAX_GUARDS];
        self.guard_count = 0;
    }

    /// Whether one more hole can be open.
    #[inline]
    pub const fn has_room_for_hole(&self) -> bool {
        (self.hole_count as usize) < MAX_HOLES
    }

    /// Opens a hole; there is room for it.
    pub fn add_hole(&mut self, hole: Hole) {
        self.holes[usize::from(self.hole_count)] = hole;
        self.hole_count += 1;
        self.open.insert(hole.at);
    }

    /// Lets a turn pass for all holes and calls `closed` for those that close.
    pub(super) fn age_holes(&mut self, mut closed: impl FnMut(&mut Self, Spot)) {
        let mut kept = 0;
        for number in 0..usize::from(self.hole_count) {
            let hole = Hole { left: self.holes[number].left - 1, ..self.holes[number] };
            if hole.left == 0 {
                self.open.remove(hole.at);
                closed(self, hole.at);
            } else {
                self.holes[kept] = hole;
                kept += 1;
            }
        }
        self.holes[kept..usize::from(self.hole_count)].fill(Hole::default());
        self.hole_count = kept as u8;
    }

    /// The guard in play on this spot, but for the one with the number `except`.
    #[inline]
    pub fn guard_at(&self, spot: Spot, except: Option<usize>) -> Option<usize> {
        let mut guards = self.guards().iter().enumerate();
        guards
            .find(|&(number, guard)| guard.at == spot && guard.is_in_play() && Some(number) != except)
            .map(|(number, _)| number)
    }

    /// The gold that is not yet taken: on the ground and with guards.
    pub fn gold_left(&self) -> usize {
        self.gold.len() + self.guards().iter().filter(|guard| guard.has_gold).count()
    }

    /// Whether the exit ladders are there: all gold is taken.
    #[inline]
    pub fn has_exits(&self) -> bool {
        self.gold.is_empty() && !self.guards().iter().any(|guard| guard.has_gold)
    }
}
