//! The rules of one turn: what the runner does, then the guards in their order, then the holes.
//!
//! Nothing here decides what a guard wants. That is asked of [`GuardMind`], which the referee has and players do not.

use super::moment::{Delays, Fate, Guard, Hole, Moment};
use super::terrain::{Spot, Terrain, Tile};

/// What the runner does in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunnerAction {
    /// A step to the left.
    Left,
    /// A step to the right.
    Right,
    /// A step up a ladder.
    Up,
    /// A step down, or letting go of a rope.
    Down,
    /// Digs the brick below and to the left.
    DigLeft,
    /// Digs the brick below and to the right.
    DigRight,
    /// Nothing; the only action while falling or digging.
    Wait,
}

impl RunnerAction {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 7] =
        [Self::Left, Self::Right, Self::Up, Self::Down, Self::DigLeft, Self::DigRight, Self::Wait];
}

/// What a guard does in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GuardStep {
    /// A step to the left.
    Left,
    /// A step to the right.
    Right,
    /// A step up a ladder.
    Up,
    /// A step down, or letting go of a rope.
    Down,
    /// Nothing.
    Stay,
}

impl GuardStep {
    /// The steps that lead somewhere.
    pub const MOVES: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];
}

/// What decides for the guards.
pub trait GuardMind {
    /// What a guard that can act wants to do. A step that it cannot make is none.
    fn step(&mut self, world: &Physics<'_>, moment: &Moment, guard: usize) -> GuardStep;

    /// Which of `count` cells a guard comes back on.
    fn rebirth(&mut self, count: usize) -> usize;
}

/// The unchanging part of a level: what the rules need besides the [`Moment`].
#[derive(Clone, Copy, Debug)]
pub struct Physics<'a> {
    /// The tiles.
    pub terrain: &'a Terrain,
    /// The delays.
    pub delays: Delays,
}

impl Physics<'_> {
    /// What a cell is now: a hole and an exit ladder that has not appeared are empty.
    #[inline]
    pub fn tile(&self, moment: &Moment, spot: Spot) -> Tile {
        match self.terrain.tile(spot) {
            Tile::Brick if moment.open.contains(spot) => Tile::Empty,
            Tile::ExitLadder => {
                if moment.has_exits() {
                    Tile::Ladder
                } else {
                    Tile::Empty
                }
            }
            tile => tile,
        }
    }

    /// Whether somebody can be on the cell.
    #[inline]
    pub fn is_passable(&self, moment: &Moment, spot: Spot) -> bool {
        match self.terrain.tile(spot) {
            Tile::Brick => moment.open.contains(spot),
            Tile::Solid => false,
            _ => true,
        }
    }

    /// Whether somebody on the cell does not fall: a ladder or a rope there, or something to stand on below. A guard's head
    /// is something to stand on. `except` is the guard that is asked about.
    #[inline]
    pub fn is_supported(&self, moment: &Moment, spot: Spot, except: Option<usize>) -> bool {
        if matches!(self.tile(moment, spot), Tile::Ladder | Tile::Rope) {
            return true;
        }
        let below = self.terrain.below(spot);
        match self.tile(moment, below) {
            Tile::Brick | Tile::Solid | Tile::Ladder => true,
            _ => moment.guard_at(below, except).is_some(),
        }
    }

    /// Whether the runner can act, or must wait because it falls or digs.
    #[inline]
    pub fn can_act(&self, moment: &Moment) -> bool {
        moment.busy == 0 && self.is_supported(moment, moment.runner, None)
    }

    /// The brick that would be dug from the runner's cell.
    pub fn dig_spot(&self, runner: Spot, is_left: bool) -> Spot {
        let beside = if is_left { self.terrain.left(runner) } else { self.terrain.right(runner) };
        self.terrain.below(beside)
    }

    /// Whether the brick below `beside` can be dug: it is one, and nothing is on it.
    fn can_dig(&self, moment: &Moment, beside: Spot) -> bool {
        let brick = self.terrain.below(beside);
        self.tile(moment, brick) == Tile::Brick
            && self.tile(moment, beside) == Tile::Empty
            && !moment.gold.contains(beside)
            && moment.guard_at(beside, None).is_none()
            && moment.has_room_for_hole()
    }

    /// Whether the rules allow the action; the game is not over.
    pub fn allows(&self, moment: &Moment, action: RunnerAction) -> bool {
        let (at, terrain) = (moment.runner, self.terrain);
        if action == RunnerAction::Wait {
            return true;
        }
        if !self.can_act(moment) {
            return false;
        }
        match action {
            RunnerAction::Left => self.is_passable(moment, terrain.left(at)),
            RunnerAction::Right => self.is_passable(moment, terrain.right(at)),
            RunnerAction::Up => {
                self.tile(moment, at) == Tile::Ladder && self.is_passable(moment, terrain.above(at))
            }
            RunnerAction::Down => self.is_passable(moment, terrain.below(at)),
            RunnerAction::DigLeft => self.can_dig(moment, terrain.left(at)),
            RunnerAction::DigRight => self.can_dig(moment, terrain.right(at)),
            RunnerAction::Wait => true,
        }
    }

    /// Plays a turn; the action is allowed and the game is not over.
    pub fn turn(&self, moment: &mut Moment, action: RunnerAction, mind: &mut impl GuardMind) {
        self.move_runner(moment, action);
        if moment.fate != Fate::Running {
            return;
        }
        let is_rest = self.count_rest(moment);
        for number in 0..moment.guards().len() {
            self.move_guard(moment, number, is_rest, mind);
        }
        if moment.fate == Fate::Running {
            moment.age_holes(|moment, at| self.bury(moment, at));
        }
        // The last gold may have been buried while the runner waited at the top.
        self.win_at_top(moment);
    }

    fn count_rest(&self, moment: &mut Moment) -> bool {
        if self.delays.rest == 0 {
            return false;
        }
        moment.until_rest -= 1;
        let is_rest = moment.until_rest == 0;
        if is_rest {
            moment.until_rest = self.delays.rest;
        }
        is_rest
    }

    fn move_runner(&self, moment: &mut Moment, action: RunnerAction) {
        let (at, terrain) = (moment.runner, self.terrain);
        if !self.is_supported(moment, at, None) {
            moment.busy = moment.busy.saturating_sub(1);
            return self.enter(moment, terrain.below(at));
        }
        if moment.busy > 0 {
            moment.busy -= 1;
            return;
        }
        match action {
            RunnerAction::Left => self.enter(moment, terrain.left(at)),
            RunnerAction::Right => self.enter(moment, terrain.right(at)),
            RunnerAction::Up => self.enter(moment, terrain.above(at)),
            RunnerAction::Down => self.enter(moment, terrain.below(at)),
            RunnerAction::DigLeft | RunnerAction::DigRight => {
                let at = self.dig_spot(at, action == RunnerAction::DigLeft);
                moment.add_hole(Hole { at, left: self.delays.open });
                moment.busy = self.delays.dig - 1;
            }
            RunnerAction::Wait => {}
        }
    }

    /// The runner comes to a cell, takes the gold there, and has won at the top with all of it.
    fn enter(&self, moment: &mut Moment, spot: Spot) {
        moment.runner = spot;
        if moment.guard_at(spot, None).is_some() {
            moment.fate = Fate::Caught;
            return;
        }
        moment.gold.remove(spot);
        self.win_at_top(moment);
    }

    fn win_at_top(&self, moment: &mut Moment) {
        if moment.fate == Fate::Running && self.terrain.is_top(moment.runner) && moment.has_exits() {
            moment.fate = Fate::Won;
        }
    }

    fn move_guard(&self, moment: &mut Moment, number: usize, is_rest: bool, mind: &mut impl GuardMind) {
        let guard = moment.guards()[number];
        if guard.away > 0 {
            return self.count_away(moment, number, mind);
        }
        if guard.trapped > 0 {
            return self.count_trapped(moment, number);
        }
        if !guard.climbed && !self.is_supported(moment, guard.at, Some(number)) {
            self.guard_enters(moment, number, self.terrain.below(guard.at));
        } else if !is_rest {
            moment.guards_mut()[number].climbed = false;
            let step = mind.step(self, moment, number);
            if let Some(to) = self.guard_target(moment, number, step) {
                self.guard_enters(moment, number, to);
            }
        }
        self.count_carry(moment, number);
    }

    /// Where the step leads a guard that stands, if it can make it.
    pub fn guard_target(&self, moment: &Moment, number: usize, step: GuardStep) -> Option<Spot> {
        let (at, terrain) = (moment.guards()[number].at, self.terrain);
        let to = match step {
            GuardStep::Left => terrain.left(at),
            GuardStep::Right => terrain.right(at),
            GuardStep::Up if self.tile(moment, at) == Tile::Ladder => terrain.above(at),
            GuardStep::Down => terrain.below(at),
            GuardStep::Up | GuardStep::Stay => return None,
        };
        (self.is_passable(moment, to) && moment.guard_at(to, Some(number)).is_none()).then_some(to)
    }

    /// A guard comes to a cell: it catches the runner, is trapped in a hole, takes gold.
    fn guard_enters(&self, moment: &mut Moment, number: usize, to: Spot) {
        let is_hole = moment.open.contains(to);
        moment.guards_mut()[number].at = to;
        if moment.runner == to {
            moment.fate = Fate::Caught;
        }
        if is_hole {
            moment.guards_mut()[number].trapped = self.delays.trap;
            self.drop_gold(moment, number, self.terrain.above(to));
        } else if !moment.guards()[number].has_gold && moment.gold.contains(to) {
            moment.gold.remove(to);
            let guard = &mut moment.guards_mut()[number];
            (guard.has_gold, guard.carry) = (true, self.delays.carry);
        }
    }

    /// The guard puts its gold on this cell, if nothing is there.
    fn drop_gold(&self, moment: &mut Moment, number: usize, at: Spot) {
        let is_free = self.tile(moment, at) == Tile::Empty
            && self.terrain.tile(at) == Tile::Empty
            && !moment.gold.contains(at)
            && at != moment.runner;
        if moment.guards()[number].has_gold && is_free {
            moment.gold.insert(at);
            let guard = &mut moment.guards_mut()[number];
            (guard.has_gold, guard.carry) = (false, 0);
        }
    }

    fn count_carry(&self, moment: &mut Moment, number: usize) {
        let guard = &mut moment.guards_mut()[number];
        if !guard.has_gold || guard.trapped > 0 {
            return;
        }
        guard.carry = guard.carry.saturating_sub(1);
        let (at, is_due) = (guard.at, guard.carry == 0);
        if is_due && self.is_supported(moment, at, Some(number)) {
            self.drop_gold(moment, number, at);
        }
    }

    fn count_trapped(&self, moment: &mut Moment, number: usize) {
        let guard = moment.guards()[number];
        if guard.trapped > 1 {
            moment.guards_mut()[number].trapped -= 1;
            return;
        }
        let above = self.terrain.above(guard.at);
        if self.is_passable(moment, above) && moment.guard_at(above, Some(number)).is_none() {
            moment.guards_mut()[number] = Guard { trapped: 0, climbed: true, ..guard };
            self.guard_enters(moment, number, above);
        }
    }

    fn count_away(&self, moment: &mut Moment, number: usize, mind: &mut impl GuardMind) {
        if moment.guards()[number].away > 1 {
            moment.guards_mut()[number].away -= 1;
            return;
        }
        let row = (0..self.terrain.rows()).find(|&row| self.rebirth_cells(moment, row).next().is_some());
        if let Some(row) = row {
            let cells = self.rebirth_cells(moment, row).count();
            let at = self.rebirth_cells(moment, row).nth(mind.rebirth(cells)).expect("counted above");
            moment.guards_mut()[number] = Guard::standing(at);
        }
    }

    /// The cells of a row on which a guard can come back.
    fn rebirth_cells(&self, moment: &Moment, row: usize) -> impl Iterator<Item = Spot> {
        let spots = (0..self.terrain.cols()).map(move |col| self.terrain.spot(row, col));
        spots.filter(|&spot| {
            self.terrain.tile(spot) == Tile::Empty
                && !moment.gold.contains(spot)
                && moment.runner != spot
                && moment.guard_at(spot, None).is_none()
        })
    }

    /// A hole closes over whatever is in it. Gold that a guard takes with it counts as taken.
    fn bury(&self, moment: &mut Moment, at: Spot) {
        if moment.runner == at {
            moment.fate = Fate::Buried;
        }
        if let Some(number) = moment.guard_at(at, None) {
            moment.guards_mut()[number] = Guard { at, away: self.delays.rebirth, ..Guard::default() };
        }
    }
}
