//! What a network sees of a position: inputs that are on or off.
//!
//! The document's encoding, for N tiles along an edge and W walls in hand: white's pawn (N²), black's pawn (N²),
//! horizontal walls ((N−1)²), vertical walls ((N−1)²), white's walls in hand (W+1, one of them on), black's (W+1). A tile
//! in column x and row y has number x + N·y, a wall named by its south-west tile a + (N−1)·b, all from 0 at the lower
//! left.
//!
//! It does not say who is to move, nor how far the pawns have to go. The encoding of our own adds both: one input that
//! is on while black is to move, and for each player one of N² for the length of its shortest way.
//!
//! Law: a player with more walls in hand than the encoding knows is seen with the most it knows.

use outplay_core::{Change, Encoder, Position, Seat, View};

use super::cells::Cells;
use super::rules::{Move, Quoridor};

/// An encoding for boards of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    size: u32,
    walls: u32,
    ways: bool,
}

impl Bits {
    /// The document's encoding.
    pub const fn of_document(size: u8, walls: u8) -> Self {
        Self { size: size as u32, walls: walls as u32, ways: false }
    }

    /// The same with the side to move and the lengths of the shortest ways.
    pub const fn with_ways(size: u8, walls: u8) -> Self {
        Self { ways: true, ..Self::of_document(size, walls) }
    }

    const fn tiles(self) -> u32 {
        self.size * self.size
    }

    const fn slots(self) -> u32 {
        (self.size - 1) * (self.size - 1)
    }

    #[inline]
    fn pawn<C: Cells>(self, seat: Seat, cell: u8) -> u32 {
        let (column, row) = C::place(cell);
        self.tiles() * seat.index() as u32 + u32::from(column) + self.size * u32::from(row)
    }

    /// A wall of the first kind, horizontal, or of the second.
    #[inline]
    fn wall<C: Cells>(self, kind: u32, slot: u8) -> u32 {
        let (column, row) = C::place(slot);
        2 * self.tiles() + kind * self.slots() + u32::from(column) + (self.size - 1) * u32::from(row)
    }

    #[inline]
    fn in_hand(self, seat: Seat, walls: u8) -> u32 {
        let block = 2 * (self.tiles() + self.slots()) + (self.walls + 1) * seat.index() as u32;
        block + u32::from(walls).min(self.walls)
    }

    /// Where the document's inputs end and ours begin.
    const fn of_our_own(self) -> u32 {
        2 * (self.tiles() + self.slots() + self.walls + 1)
    }

    /// The length of a shortest way is at most the number of tiles less one.
    #[inline]
    fn way<C: Cells>(self, position: &Quoridor<C>, seat: Seat) -> u32 {
        let steps = position.distance(seat).unwrap_or(0);
        self.of_our_own() + 1 + self.tiles() * seat.index() as u32 + steps
    }

    fn each_way_change<C: Cells>(self, before: &Quoridor<C>, mv: Move, mut visit: impl FnMut(Change)) {
        visit(Change { input: self.of_our_own(), on: before.seat() == Seat::First });
        let after = before.after(mv);
        for seat in Seat::BOTH {
            swap(self.way(before, seat), self.way(&after, seat), &mut visit);
        }
    }
}

/// One input goes off and another on, unless they are one.
#[inline]
fn swap(before: u32, after: u32, visit: &mut impl FnMut(Change)) {
    if before != after {
        visit(Change { input: before, on: false });
        visit(Change { input: after, on: true });
    }
}

impl<C: Cells> Encoder<Quoridor<C>> for Bits {
    fn inputs(&self) -> usize {
        let own = if self.ways { 1 + 2 * self.tiles() } else { 0 };
        (self.of_our_own() + own) as usize
    }

    #[inline]
    fn each_on(&self, position: &Quoridor<C>, mut visit: impl FnMut(u32)) {
        for seat in Seat::BOTH {
            visit(self.pawn::<C>(seat, position.pawn(seat)));
            visit(self.in_hand(seat, position.in_hand(seat)));
        }
        let walls = position.walls();
        for (kind, walls) in [(0, walls.horizontal), (1, walls.vertical)] {
            walls.each().for_each(|slot| visit(self.wall::<C>(kind, slot)));
        }
        if self.ways {
            if position.seat() == Seat::Second {
                visit(self.of_our_own());
            }
            for seat in Seat::BOTH {
                visit(self.way(position, seat));
            }
        }
    }

    #[inline]
    fn each_change(&self, position: &Quoridor<C>, mv: Move, mut visit: impl FnMut(Change)) {
        let seat = position.seat();
        match mv {
            Move::To(cell) => {
                let pawn = self.pawn::<C>(seat, position.pawn(seat));
                swap(pawn, self.pawn::<C>(seat, cell), &mut visit);
            }
            Move::Horizontal(slot) | Move::Vertical(slot) => {
                let kind = u32::from(matches!(mv, Move::Vertical(_)));
                visit(Change { input: self.wall::<C>(kind, slot), on: true });
                let in_hand = position.in_hand(seat);
                swap(self.in_hand(seat, in_hand), self.in_hand(seat, in_hand - 1), &mut visit);
            }
        }
        if self.ways {
            self.each_way_change(position, mv, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoridor::{Large, Small};
    use outplay_core::{PositionNotation, Rng};

    fn on<C: Cells>(bits: Bits, position: &Quoridor<C>) -> Vec<u32> {
        let mut inputs = Vec::new();
        bits.each_on(position, |input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    /// §2.3: 90 inputs for 5×5 with 3 walls; the numbers below are worked out by hand.
    #[test]
    fn the_documents_inputs() {
        let bits = Bits::of_document(5, 3);
        let mut position = Small::start(5, 3).unwrap();
        assert_eq!(Encoder::<Small>::inputs(&bits), 90);
        // c1 is 2, c5 is 25 + 2 + 5·4; three walls left are the last of four: 82 + 3, 86 + 3.
        assert_eq!(on(bits, &position), [2, 47, 85, 89]);
        for mv in ["a1h", "d4v", "b1"] {
            position.play(position.read_move(mv).unwrap());
        }
        // a1h is 50, d4v is 66 + 3 + 4·3; b1 is 1; two walls left each.
        assert_eq!(on(bits, &position), [1, 47, 50, 81, 84, 88]);
    }

    #[test]
    fn our_own_inputs() {
        let bits = Bits::with_ways(5, 3);
        let position = Small::start(5, 3).unwrap();
        assert_eq!(Encoder::<Small>::inputs(&bits), 90 + 1 + 50);
        // Four steps for either: 91 + 4, 116 + 4.
        assert_eq!(on(bits, &position), [2, 47, 85, 89, 95, 120]);
        let after = position.after(position.read_move("c2").unwrap());
        assert_eq!(on(bits, &after), [7, 47, 85, 89, 90, 94, 120]);
    }

    fn changes_lead_on<C: Cells>(start: Quoridor<C>, bits: Bits) {
        let (mut rng, mut scratch, mut position) = (Rng::new(6), Vec::new(), start);
        while position.outcome().is_none() {
            let before = on(bits, &position);
            for mv in position.moves() {
                let mut inputs = before.clone();
                bits.each_change(&position, mv, |Change { input, on }| {
                    assert_ne!(inputs.contains(&input), on, "{input} after {mv:?}");
                    if on { inputs.push(input) } else { inputs.retain(|&other| other != input) }
                });
                inputs.sort_unstable();
                assert_eq!(inputs, on(bits, &position.after(mv)), "{mv:?} in {}", position.write());
            }
            position.play(position.random_move(&mut rng, &mut scratch));
        }
    }

    #[test]
    fn a_move_changes_what_it_says() {
        for make in [Bits::of_document, Bits::with_ways] {
            changes_lead_on(Small::start(5, 3).unwrap(), make(5, 3));
            changes_lead_on(Small::start(4, 6).unwrap(), make(4, 2));
            changes_lead_on(Large::start(9, 2).unwrap(), make(9, 2));
        }
    }
}
