//! The rules of Lode Runner a second time, on lists and characters: slow and obvious. Guards do what they are told.

use outplay_games::loderunner::{Delays, Fate, GuardStep, LodeRunnerView, RunnerAction, Tile};

type Cell = (i32, i32);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TwinGuard {
    pub at: Cell,
    pub trapped: u8,
    pub away: u8,
    pub gold: Option<u8>,
    pub climbed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Twin {
    tiles: Vec<Vec<Tile>>,
    delays: Delays,
    pub runner: Cell,
    busy: u8,
    clock: u8,
    pub gold: Vec<Cell>,
    pub holes: Vec<(Cell, u8)>,
    pub guards: Vec<TwinGuard>,
    pub fate: Fate,
}

fn cell(view: &LodeRunnerView, spot: outplay_games::loderunner::Spot) -> Cell {
    (view.terrain().row(spot) as i32, view.terrain().col(spot) as i32)
}

impl Twin {
    /// The twin of a view.
    pub(crate) fn of(view: &LodeRunnerView) -> Self {
        let (terrain, moment) = (view.terrain(), view.moment());
        let row = |row| (0..terrain.cols()).map(|col| terrain.tile(terrain.spot(row, col))).collect();
        Self {
            tiles: (0..terrain.rows()).map(row).collect(),
            delays: view.delays(),
            runner: cell(view, moment.runner),
            busy: moment.busy,
            clock: moment.until_rest,
            gold: moment.gold.iter().map(|spot| cell(view, spot)).collect(),
            holes: moment.holes().iter().map(|hole| (cell(view, hole.at), hole.left)).collect(),
            guards: moment
                .guards()
                .iter()
                .map(|guard| TwinGuard {
                    at: cell(view, guard.at),
                    trapped: guard.trapped,
                    away: guard.away,
                    gold: guard.has_gold.then_some(guard.carry),
                    climbed: guard.climbed,
                })
                .collect(),
            fate: moment.fate,
        }
    }

    fn gold_is_gone(&self) -> bool {
        self.gold.is_empty() && self.guards.iter().all(|guard| guard.gold.is_none())
    }

    fn built(&self, (row, col): Cell) -> Tile {
        let line = usize::try_from(row).ok().and_then(|row| self.tiles.get(row));
        let found = line.and_then(|line| usize::try_from(col).ok().and_then(|col| line.get(col)));
        found.copied().unwrap_or(Tile::Solid)
    }

    fn tile(&self, at: Cell) -> Tile {
        match self.built(at) {
            Tile::Brick if self.holes.iter().any(|(hole, _)| *hole == at) => Tile::Empty,
            Tile::ExitLadder if self.gold_is_gone() => Tile::Ladder,
            Tile::ExitLadder => Tile::Empty,
            tile => tile,
        }
    }

    fn is_free(&self, at: Cell) -> bool {
        self.tile(at) != Tile::Brick && self.tile(at) != Tile::Solid
    }

    fn guard_on(&self, at: Cell) -> Option<usize> {
        self.guards.iter().position(|guard| guard.at == at && guard.away == 0)
    }

    fn stands(&self, at: Cell) -> bool {
        let below = (at.0 + 1, at.1);
        self.tile(at) == Tile::Ladder
            || self.tile(at) == Tile::Rope
            || !self.is_free(below)
            || self.tile(below) == Tile::Ladder
            || self.guard_on(below).is_some()
    }

    /// The actions that the rules allow.
    pub(crate) fn moves(&self) -> Vec<RunnerAction> {
        let (row, col) = self.runner;
        if self.fate != Fate::Running {
            return Vec::new();
        }
        if self.busy > 0 || !self.stands(self.runner) {
            return vec![RunnerAction::Wait];
        }
        let mut moves = Vec::new();
        if self.is_free((row, col - 1)) {
            moves.push(RunnerAction::Left);
        }
        if self.is_free((row, col + 1)) {
            moves.push(RunnerAction::Right);
        }
        if self.tile(self.runner) == Tile::Ladder && self.is_free((row - 1, col)) {
            moves.push(RunnerAction::Up);
        }
        if self.is_free((row + 1, col)) {
            moves.push(RunnerAction::Down);
        }
        for (side, action) in [(-1, RunnerAction::DigLeft), (1, RunnerAction::DigRight)] {
            let beside = (row, col + side);
            if self.tile((row + 1, col + side)) == Tile::Brick
                && self.tile(beside) == Tile::Empty
                && !self.gold.contains(&beside)
                && self.guard_on(beside).is_none()
                && self.holes.len() < 32
            {
                moves.push(action);
            }
        }
        moves.push(RunnerAction::Wait);
        moves
    }

    fn runner_goes(&mut self, to: Cell) {
        self.runner = to;
        if self.guard_on(to).is_some() {
            self.fate = Fate::Caught;
            return;
        }
        self.gold.retain(|gold| *gold != to);
        if to.0 == 0 && self.gold_is_gone() {
            self.fate = Fate::Won;
        }
    }

    /// Plays a turn. `steps` says what each guard that is asked does, in order; `rebirths` on which cell guards come back.
    pub(crate) fn turn(
        &mut self,
        action: RunnerAction,
        steps: &mut Vec<GuardStep>,
        rebirths: &mut Vec<usize>,
    ) {
        let (row, col) = self.runner;
        if !self.stands(self.runner) {
            self.busy = self.busy.saturating_sub(1);
            self.runner_goes((row + 1, col));
        } else if self.busy > 0 {
            self.busy -= 1;
        } else {
            match action {
                RunnerAction::Left => self.runner_goes((row, col - 1)),
                RunnerAction::Right => self.runner_goes((row, col + 1)),
                RunnerAction::Up => self.runner_goes((row - 1, col)),
                RunnerAction::Down => self.runner_goes((row + 1, col)),
                RunnerAction::DigLeft => self.digs((row + 1, col - 1)),
                RunnerAction::DigRight => self.digs((row + 1, col + 1)),
                RunnerAction::Wait => {}
            }
        }
        if self.fate != Fate::Running {
            return;
        }
        let rests = self.delays.rest > 0 && self.clock == 1;
        self.clock = match self.delays.rest {
            0 => self.clock,
            rest if rests => rest,
            _ => self.clock - 1,
        };
        for number in 0..self.guards.len() {
            self.guard_turn(number, rests, steps, rebirths);
        }
        if self.fate == Fate::Running {
            self.close_holes();
        }
        if self.fate == Fate::Running && self.runner.0 == 0 && self.gold_is_gone() {
            self.fate = Fate::Won;
        }
    }

    fn digs(&mut self, brick: Cell) {
        self.holes.push((brick, self.delays.open));
        self.busy = self.delays.dig - 1;
    }

    fn guard_turn(
        &mut self,
        number: usize,
        rests: bool,
        steps: &mut Vec<GuardStep>,
        rebirths: &mut Vec<usize>,
    ) {
        let guard = self.guards[number].clone();
        let (row, col) = guard.at;
        let other_on = |twin: &Self, at| {
            twin.guards.iter().enumerate().any(|(n, g)| n != number && g.away == 0 && g.at == at)
        };
        if guard.away > 1 {
            self.guards[number].away -= 1;
            return;
        }
        if guard.away == 1 {
            for row in 0..self.tiles.len() as i32 {
                let cells: Vec<Cell> = (0..self.tiles[0].len() as i32)
                    .map(|col| (row, col))
                    .filter(|at| self.built(*at) == Tile::Empty && !self.gold.contains(at))
                    .filter(|at| *at != self.runner && self.guard_on(*at).is_none())
                    .collect();
                if !cells.is_empty() {
                    let at = cells[rebirths.remove(0)];
                    self.guards[number] = TwinGuard { at, trapped: 0, away: 0, gold: None, climbed: false };
                    return;
                }
            }
            return;
        }
        if guard.trapped > 1 {
            self.guards[number].trapped -= 1;
            return;
        }
        if guard.trapped == 1 {
            let above = (row - 1, col);
            if self.is_free(above) && !other_on(self, above) {
                self.guards[number].trapped = 0;
                self.guards[number].climbed = true;
                self.guard_goes(number, above);
            }
            return;
        }
        let below = (row + 1, col);
        let holds = [Tile::Ladder, Tile::Rope].contains(&self.tile(guard.at))
            || !self.is_free(below)
            || self.tile(below) == Tile::Ladder
            || other_on(self, below);
        if !holds && !guard.climbed {
            self.guard_goes(number, below);
        } else if !rests {
            self.guards[number].climbed = false;
            let to = match steps.remove(0) {
                GuardStep::Left => Some((row, col - 1)),
                GuardStep::Right => Some((row, col + 1)),
                GuardStep::Up if self.tile(guard.at) == Tile::Ladder => Some((row - 1, col)),
                GuardStep::Down => Some(below),
                GuardStep::Up | GuardStep::Stay => None,
            };
            if let Some(to) = to.filter(|to| self.is_free(*to) && !other_on(self, *to)) {
                self.guard_goes(number, to);
            }
        }
        self.carry_on(number);
    }

    fn carry_on(&mut self, number: usize) {
        let guard = self.guards[number].clone();
        let Some(left) = guard.gold.filter(|_| guard.trapped == 0) else { return };
        let left = left.saturating_sub(1);
        self.guards[number].gold = Some(left);
        let below = (guard.at.0 + 1, guard.at.1);
        let holds = !self.is_free(below)
            || self.tile(below) == Tile::Ladder
            || self.guards.iter().enumerate().any(|(n, g)| n != number && g.away == 0 && g.at == below);
        if left == 0 && holds {
            self.puts_down(number, guard.at);
        }
    }

    fn puts_down(&mut self, number: usize, at: Cell) {
        if self.guards[number].gold.is_some()
            && self.built(at) == Tile::Empty
            && !self.gold.contains(&at)
            && at != self.runner
        {
            self.guards[number].gold = None;
            self.gold.push(at);
            self.gold.sort_unstable();
        }
    }

    fn guard_goes(&mut self, number: usize, to: Cell) {
        self.guards[number].at = to;
        if to == self.runner {
            self.fate = Fate::Caught;
        }
        if self.holes.iter().any(|(hole, _)| *hole == to) {
            self.guards[number].trapped = self.delays.trap;
            self.puts_down(number, (to.0 - 1, to.1));
        } else if self.guards[number].gold.is_none() && self.gold.contains(&to) {
            self.gold.retain(|gold| *gold != to);
            self.guards[number].gold = Some(self.delays.carry);
        }
    }

    fn close_holes(&mut self) {
        self.holes.iter_mut().for_each(|(_, left)| *left -= 1);
        let closed: Vec<Cell> = self.holes.iter().filter(|(_, left)| *left == 0).map(|(at, _)| *at).collect();
        self.holes.retain(|(_, left)| *left > 0);
        for at in closed {
            if self.runner == at {
                self.fate = Fate::Buried;
            }
            if let Some(number) = self.guard_on(at) {
                let away = self.delays.rebirth;
                self.guards[number] = TwinGuard { at, trapped: 0, away, gold: None, climbed: false };
            }
        }
    }
}
