//! Stairs through several layers of brick: the upper layer is dug from its far end back, then the runner steps into it and
//! does the same one layer lower and one cell shorter.
//!
//! Stairs are a rule from the board to the next action, not a list of actions. A runner that is shown the board half way down,
//! and remembers nothing, goes on where it is.

use super::moment::Moment;
use super::physics::{Physics, RunnerAction};
use super::terrain::{Spot, SpotSet, Tile};

/// The deepest stairs. Deeper ones would take longer than holes stay open.
const MAX_DEPTH: u16 = 8;

/// A way down through brick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stairs {
    /// Where the runner begins: beside the first brick.
    pub(super) top: Spot,
    is_left: bool,
    /// Layers of brick.
    depth: u16,
}

impl Stairs {
    /// The stairs of two layers and more that begin here, if this gold is on the ground.
    pub(super) fn from(
        physics: &Physics<'_>,
        gold: &SpotSet,
        is_empty: impl Fn(Spot) -> bool,
        top: Spot,
        is_left: bool,
    ) -> Vec<Self> {
        let (terrain, mut all) = (physics.terrain, Vec::new());
        for depth in 1..=MAX_DEPTH {
            let stairs = Self { top, is_left, depth };
            let surface = stairs.cell(physics, 0, depth);
            let mut brick = surface;
            let is_brick = (0..depth).all(|_| {
                brick = terrain.below(brick);
                terrain.tile(brick) == Tile::Brick
            });
            if !is_brick || !is_empty(surface) || gold.contains(surface) || !stairs.is_in_time(physics) {
                break;
            }
            if depth > 1 {
                all.push(stairs);
            }
        }
        all
    }

    /// The last hole.
    pub(super) fn end(self, physics: &Physics<'_>) -> Spot {
        self.cell(physics, self.depth, self.depth)
    }

    /// How many turns they take.
    pub(super) fn length(self, physics: &Physics<'_>) -> u16 {
        (1..=self.depth).map(|width| layer_length(physics, width)).sum()
    }

    /// Whether a hole is open for as long as the runner is busy with its layer and begins the next.
    fn is_in_time(self, physics: &Physics<'_>) -> bool {
        layer_length(physics, self.depth) + 1 < u16::from(physics.delays.open)
    }

    /// The cell in this layer (0: where the runner begins) and so many columns from the top.
    fn cell(self, physics: &Physics<'_>, layer: u16, across: u16) -> Spot {
        let row = layer * (physics.terrain.cols() as u16 + 2);
        Spot(if self.is_left { self.top.0 + row - across } else { self.top.0 + row + across })
    }

    /// In which layer the runner is, and how far across; `None` if it is not on the stairs.
    fn place(self, physics: &Physics<'_>, runner: Spot) -> Option<(u16, u16)> {
        let terrain = physics.terrain;
        let layer = terrain.row(runner).checked_sub(terrain.row(self.top))? as u16;
        let (col, top) = (terrain.col(runner), terrain.col(self.top));
        let across = if self.is_left { top.checked_sub(col) } else { col.checked_sub(top) }? as u16;
        (layer < self.depth && (layer..=self.depth).contains(&across)).then_some((layer, across))
    }

    /// Whether the runner is on them.
    pub(super) fn holds(self, physics: &Physics<'_>, runner: Spot) -> bool {
        self.place(physics, runner).is_some()
    }

    /// What a runner on the stairs does next; `None` if it is not on them.
    pub(super) fn next_action(self, physics: &Physics<'_>, moment: &Moment) -> Option<RunnerAction> {
        if !physics.can_act(moment) {
            return Some(RunnerAction::Wait);
        }
        let (layer, across) = self.place(physics, moment.runner)?;
        let (on, back, dig) = if self.is_left {
            (RunnerAction::Left, RunnerAction::Right, RunnerAction::DigLeft)
        } else {
            (RunnerAction::Right, RunnerAction::Left, RunnerAction::DigRight)
        };
        let is_closed = |&far: &u16| !moment.open.contains(self.cell(physics, layer + 1, far));
        let action = match (layer + 1..=self.depth).rev().find(is_closed) {
            Some(far) if across + 1 == far => dig,
            Some(far) if across + 1 > far => back,
            _ => on,
        };
        physics.allows(moment, action).then_some(action)
    }
}

/// The turns for a layer of so many holes: to its far end and back, digging, and a step into the nearest.
fn layer_length(physics: &Physics<'_>, width: u16) -> u16 {
    2 * (width - 1) + width * u16::from(physics.delays.dig) + 2
}
