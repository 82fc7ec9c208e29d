//! Paths between the walls, ignoring pawns, by flood fill on bitboards.
//!
//! [`Passages::reaches`] only tells whether there is a path, in as few steps as it can; all other searches go tile by tile.

use super::cells::{BoardMasks, Cells};
use super::walls::Walls;

/// The open passages of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passages<C> {
    /// Tiles that are open to the north.
    north: C,
    /// Tiles that are open to the east.
    east: C,
}

impl<C: Cells> Passages<C> {
    #[inline]
    pub(super) fn between(walls: Walls<C>, outline: &BoardMasks<C>) -> Self {
        Self {
            north: outline.north & !(walls.horizontal | walls.horizontal << 1),
            east: outline.east & !(walls.vertical | walls.vertical << C::STRIDE),
        }
    }

    /// The tiles one step north, east, south and west of these.
    #[inline]
    pub(super) fn steps(self, tiles: C) -> [C; 4] {
        [
            (tiles & self.north) << C::STRIDE,
            (tiles & self.east) << 1,
            (tiles >> C::STRIDE) & self.north,
            (tiles >> 1) & self.east,
        ]
    }

    /// The tiles one step away from any of these.
    #[inline]
    pub fn neighbours(self, tiles: C) -> C {
        let [north, east, south, west] = self.steps(tiles);
        north | east | south | west
    }

    /// Whether there is a path from some tile of one set to some tile of the other.
    #[inline]
    pub(super) fn reaches(self, from: C, goal: C) -> bool {
        let mut filled = from;
        loop {
            let before = filled;
            // One direction after the other: a step may turn several corners.
            filled = filled | (filled & self.north) << C::STRIDE;
            filled = filled | (filled & self.east) << 1;
            filled = filled | (filled >> 1) & self.east;
            filled = filled | (filled >> C::STRIDE) & self.north;
            if !(filled & goal).is_empty() {
                return true;
            }
            if filled == before {
                return false;
            }
        }
    }

    /// The length of a shortest path, if there is one.
    #[inline]
    pub fn distance(self, from: C, goal: C) -> Option<u32> {
        let (mut filled, mut steps) = (from, 0);
        while (filled & goal).is_empty() {
            let next = filled | self.neighbours(filled);
            if next == filled {
                return None;
            }
            (filled, steps) = (next, steps + 1);
        }
        Some(steps)
    }

    /// The shortest path lengths of both pawns at once, which is faster than one after the other. Both must have a path.
    #[inline]
    pub(super) fn distances(self, pawns: [C; 2], goals: [C; 2]) -> [u32; 2] {
        let ([mut one, mut other], mut steps) = (pawns, [0; 2]);
        loop {
            let under_way = [(one & goals[0]).is_empty(), (other & goals[1]).is_empty()];
            if under_way == [false; 2] {
                return steps;
            }
            steps[0] += u32::from(under_way[0]);
            steps[1] += u32::from(under_way[1]);
            one = one | self.neighbours(one);
            other = other | self.neighbours(other);
        }
    }

    /// The tiles that are nearer to the goal than this one, and its distance. There must be a path.
    #[inline]
    pub(super) fn nearer_tiles(self, from: C, goal: C) -> (C, u32) {
        let (mut filled, mut nearer, mut steps) = (goal, C::EMPTY, 0);
        while (filled & from).is_empty() {
            nearer = filled;
            filled = filled | self.neighbours(filled);
            steps += 1;
        }
        (nearer, steps)
    }

    /// The same of both pawns at once, which is faster than one after the other.
    #[inline]
    pub(super) fn nearer_tiles_of_both(self, pawns: [C; 2], goals: [C; 2]) -> [(C, u32); 2] {
        let (mut filled, mut found) = (goals, [(C::EMPTY, 0); 2]);
        loop {
            let under_way = [0, 1].map(|seat| (filled[seat] & pawns[seat]).is_empty());
            if under_way == [false; 2] {
                return found;
            }
            for seat in [0, 1] {
                let (nearer, steps) = found[seat];
                found[seat] =
                    (if under_way[seat] { filled[seat] } else { nearer }, steps + u32::from(under_way[seat]));
                filled[seat] = filled[seat] | self.neighbours(filled[seat]);
            }
        }
    }

    /// Whether a runner at this distance arrives by a shortest path whatever a chaser without walls does: nowhere on it can
    /// the chaser block it, or stand beside it and jump. `ahead`: the runner is to move.
    pub(super) fn wins_race(self, runner: C, chaser: C, goal: C, steps: u32, ahead: bool) -> bool {
        let (mut places, mut chased) = (runner, chaser);
        if !ahead {
            if !(self.neighbours(chaser) & runner).is_empty() {
                return false;
            }
            chased = chased | self.neighbours(chased);
        }
        for _ in 1..steps {
            let threatened = chased | self.neighbours(chased);
            places = self.neighbours(places) & !threatened;
            chased = threatened;
        }
        !(self.neighbours(places) & !chased & goal).is_empty()
    }

    /// The walls that would block one particular shortest path from the tile: any other wall leaves it open. There must be a
    /// path.
    pub(super) fn blocking_walls(self, from: C, goal: C) -> Walls<C> {
        const LONGEST: usize = 81;
        let mut rings = [C::EMPTY; LONGEST];
        let (mut filled, mut steps) = (from, 0);
        while (filled & goal).is_empty() {
            rings[steps] = filled;
            filled = filled | self.neighbours(filled);
            steps += 1;
        }
        let mut tile = C::single((filled & goal).lowest());
        let (mut north, mut east) = (C::EMPTY, C::EMPTY);
        for &ring in rings[..steps].iter().rev() {
            let earlier = C::single((self.neighbours(tile) & ring).lowest());
            // The passage between two tiles belongs to the southern or western one.
            let both = tile | earlier;
            north = north | (both & both >> C::STRIDE);
            east = east | (both & both >> 1);
            tile = earlier;
        }
        Walls { horizontal: north | north >> 1, vertical: east | east >> C::STRIDE }
    }
}
