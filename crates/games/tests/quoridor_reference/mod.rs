//! A reference implementation of Quoridor with lists of closed passages and no bitboards: slow and obvious.

use std::collections::{BTreeSet, HashSet};

use outplay_core::{Outcome, Seat};

type Tile = (i32, i32);

/// A wall: its south-west tile and whether it lies along the row.
type Wall = (Tile, bool);

/// A game in progress.
pub(crate) struct ReferenceGame {
    size: i32,
    pawns: [Tile; 2],
    in_hand: [u8; 2],
    walls: BTreeSet<Wall>,
    mover: usize,
}

/// The two pairs of tiles that a wall separates.
fn parted(((x, y), horizontal): Wall) -> [(Tile, Tile); 2] {
    if horizontal {
        [((x, y), (x, y + 1)), ((x + 1, y), (x + 1, y + 1))]
    } else {
        [((x, y), (x + 1, y)), ((x, y + 1), (x + 1, y + 1))]
    }
}

fn name((x, y): Tile) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn tile(name: &str) -> Tile {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

impl ReferenceGame {
    pub(crate) fn new(size: u8, walls: u8) -> Self {
        let n = i32::from(size);
        let pawns = [((n - 1) / 2, 0), (n / 2, n - 1)];
        Self { size: n, pawns, in_hand: [walls; 2], walls: BTreeSet::new(), mover: 0 }
    }

    fn is_open(&self, from: Tile, to: Tile) -> bool {
        let on_board = (0..self.size).contains(&to.0) && (0..self.size).contains(&to.1);
        let closed = |wall: &Wall| parted(*wall).iter().any(|&pair| pair == (from, to) || pair == (to, from));
        on_board && !self.walls.iter().any(closed)
    }

    fn neighbours(&self, (x, y): Tile) -> Vec<Tile> {
        let around = [(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)];
        around.into_iter().filter(|&to| self.is_open((x, y), to)).collect()
    }

    fn goal(&self, seat: usize) -> i32 {
        if seat == 0 { self.size - 1 } else { 0 }
    }

    fn has_way(&self, seat: usize) -> bool {
        let (mut seen, mut ahead) = (HashSet::from([self.pawns[seat]]), vec![self.pawns[seat]]);
        while let Some(at) = ahead.pop() {
            if at.1 == self.goal(seat) {
                return true;
            }
            ahead.extend(self.neighbours(at).into_iter().filter(|&next| seen.insert(next)));
        }
        false
    }

    fn steps(&self) -> Vec<Tile> {
        let (me, other) = (self.pawns[self.mover], self.pawns[1 - self.mover]);
        let mut steps = Vec::new();
        for next in self.neighbours(me) {
            if next != other {
                steps.push(next);
                continue;
            }
            let beyond = (2 * other.0 - me.0, 2 * other.1 - me.1);
            if self.is_open(other, beyond) {
                steps.push(beyond);
            } else {
                steps.extend(self.neighbours(other).into_iter().filter(|&aside| aside != me));
            }
        }
        steps
    }

    fn allows(&mut self, wall: Wall) -> bool {
        let ((x, y), horizontal) = wall;
        let along = if horizontal { [(x - 1, y), (x + 1, y)] } else { [(x, y - 1), (x, y + 1)] };
        let meets = self.walls.contains(&((x, y), true))
            || self.walls.contains(&((x, y), false))
            || along.iter().any(|&place| self.walls.contains(&(place, horizontal)));
        if meets {
            return false;
        }
        self.walls.insert(wall);
        let ways = self.has_way(0) && self.has_way(1);
        self.walls.remove(&wall);
        ways
    }

    /// The names of the legal moves, sorted.
    pub(crate) fn moves(&mut self) -> Vec<String> {
        if self.winner().is_some() {
            return vec![];
        }
        let mut moves: Vec<String> = self.steps().into_iter().map(name).collect();
        if self.in_hand[self.mover] > 0 {
            for x in 0..self.size - 1 {
                for y in 0..self.size - 1 {
                    for (horizontal, letter) in [(true, "h"), (false, "v")] {
                        if self.allows(((x, y), horizontal)) {
                            moves.push(name((x, y)) + letter);
                        }
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    pub(crate) fn play(&mut self, mv: &str) {
        if mv.len() == 2 {
            self.pawns[self.mover] = tile(mv);
        } else {
            self.walls.insert((tile(mv), mv.ends_with('h')));
            self.in_hand[self.mover] -= 1;
        }
        self.mover = 1 - self.mover;
    }

    pub(crate) fn winner(&self) -> Option<Outcome> {
        let arrived = |seat: &Seat| self.pawns[seat.index()].1 == self.goal(seat.index());
        Seat::BOTH.into_iter().find(arrived).map(Outcome::Win)
    }
}
