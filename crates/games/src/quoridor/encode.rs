//! Encodings of a position for networks: binary inputs.
//!
//! The document's encoding, for N tiles along an edge and W walls in hand: white's pawn (N²), black's pawn (N²), horizontal
//! walls ((N−1)²), vertical walls ((N−1)²), white's walls in hand (W+1, one-hot), black's (W+1). The tile in column x and row
//! y has index x + N·y, a wall with south-west tile (a, b) has a + (N−1)·b, all from 0 at the lower left.
//!
//! It tells neither the side to move nor the pawns' distances. Our own encoding adds both: one input that is on while black
//! is to move, and for each player a one-hot block of N² for the length of its shortest path. A player with more walls in
//! hand than the encoding allows is shown with the greatest number it allows.

use outplay_core::{Change, Encoder, Position, Seat, View};

use super::cells::Cells;
use super::rules::{Quoridor, QuoridorMove};

/// An encoding for boards of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoridorEncoder {
    size: u32,
    walls: u32,
    paths: bool,
}

impl QuoridorEncoder {
    /// The document's encoding.
    pub const fn document(size: u8, walls: u8) -> Self {
        Self { size: size as u32, walls: walls as u32, paths: false }
    }

    /// The same with the side to move and the lengths of the shortest paths.
    pub const fn with_paths(size: u8, walls: u8) -> Self {
        Self { paths: true, ..Self::document(size, walls) }
    }

    const fn tiles(self) -> u32 {
        self.size * self.size
    }

    const fn slots(self) -> u32 {
        (self.size - 1) * (self.size - 1)
    }

    #[inline]
    fn pawn_input<C: Cells>(self, seat: Seat, cell: u8) -> u32 {
        let (column, row) = C::column_row(cell);
        self.tiles() * seat.index() as u32 + u32::from(column) + self.size * u32::from(row)
    }

    /// The input of a wall; `kind` is 0 for horizontal, 1 for vertical.
    #[inline]
    fn wall_input<C: Cells>(self, kind: u32, slot: u8) -> u32 {
        let (column, row) = C::column_row(slot);
        2 * self.tiles() + kind * self.slots() + u32::from(column) + (self.size - 1) * u32::from(row)
    }

    #[inline]
    fn in_hand_input(self, seat: Seat, walls: u8) -> u32 {
        let block = 2 * (self.tiles() + self.slots()) + (self.walls + 1) * seat.index() as u32;
        block + u32::from(walls).min(self.walls)
    }

    /// The index of the first input that the document does not have.
    const fn own_inputs_start(self) -> u32 {
        2 * (self.tiles() + self.slots() + self.walls + 1)
    }

    /// The input for the length of a shortest path, which is less than the number of tiles.
    #[inline]
    fn path_input<C: Cells>(self, position: &Quoridor<C>, seat: Seat) -> u32 {
        let steps = position.distance(seat).unwrap_or(0);
        self.own_inputs_start() + 1 + self.tiles() * seat.index() as u32 + steps
    }

    fn each_path_change<C: Cells>(
        self,
        before: &Quoridor<C>,
        mv: QuoridorMove,
        mut visit: impl FnMut(Change),
    ) {
        visit(Change { input: self.own_inputs_start(), on: before.seat() == Seat::First });
        let after = before.after(mv);
        for seat in Seat::BOTH {
            swap(self.path_input(before, seat), self.path_input(&after, seat), &mut visit);
        }
    }
}

/// Turns one input off and another on, unless they are the same.
#[inline]
pub(super) fn swap(before: u32, after: u32, visit: &mut impl FnMut(Change)) {
    if before != after {
        visit(Change { input: before, on: false });
        visit(Change { input: after, on: true });
    }
}

impl<C: Cells> Encoder<Quoridor<C>> for QuoridorEncoder {
    fn inputs(&self) -> usize {
        let own = if self.paths { 1 + 2 * self.tiles() } else { 0 };
        (self.own_inputs_start() + own) as usize
    }

    #[inline]
    fn each_on(&self, position: &Quoridor<C>, mut visit: impl FnMut(u32)) {
        for seat in Seat::BOTH {
            visit(self.pawn_input::<C>(seat, position.pawn(seat)));
            visit(self.in_hand_input(seat, position.in_hand(seat)));
        }
        let walls = position.walls();
        for (kind, walls) in [(0, walls.horizontal), (1, walls.vertical)] {
            walls.iter().for_each(|slot| visit(self.wall_input::<C>(kind, slot)));
        }
        if self.paths {
            if position.seat() == Seat::Second {
                visit(self.own_inputs_start());
            }
            for seat in Seat::BOTH {
                visit(self.path_input(position, seat));
            }
        }
    }

    #[inline]
    fn each_change(&self, position: &Quoridor<C>, mv: QuoridorMove, mut visit: impl FnMut(Change)) {
        let seat = position.seat();
        match mv {
            QuoridorMove::Pawn(cell) => {
                let pawn = self.pawn_input::<C>(seat, position.pawn(seat));
                swap(pawn, self.pawn_input::<C>(seat, cell), &mut visit);
            }
            QuoridorMove::Horizontal(slot) | QuoridorMove::Vertical(slot) => {
                let kind = u32::from(matches!(mv, QuoridorMove::Vertical(_)));
                visit(Change { input: self.wall_input::<C>(kind, slot), on: true });
                let in_hand = position.in_hand(seat);
                swap(self.in_hand_input(seat, in_hand), self.in_hand_input(seat, in_hand - 1), &mut visit);
            }
        }
        if self.paths {
            self.each_path_change(position, mv, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoridor::{LargeQuoridor, SmallQuoridor};
    use outplay_core::PositionNotation;
    use outplay_core::conformance::check_encoder;

    fn on<C: Cells>(bits: QuoridorEncoder, position: &Quoridor<C>) -> Vec<u32> {
        let mut inputs = Vec::new();
        bits.each_on(position, |input| inputs.push(input));
        inputs.sort_unstable();
        inputs
    }

    /// §2.3: 90 inputs for 5×5 with 3 walls; the numbers below are worked out by hand.
    #[test]
    fn the_documents_inputs() {
        let bits = QuoridorEncoder::document(5, 3);
        let mut position = SmallQuoridor::start(5, 3).unwrap();
        assert_eq!(Encoder::<SmallQuoridor>::inputs(&bits), 90);
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
        let bits = QuoridorEncoder::with_paths(5, 3);
        let position = SmallQuoridor::start(5, 3).unwrap();
        assert_eq!(Encoder::<SmallQuoridor>::inputs(&bits), 90 + 1 + 50);
        // Four steps for either: 91 + 4, 116 + 4.
        assert_eq!(on(bits, &position), [2, 47, 85, 89, 95, 120]);
        let after = position.after(position.read_move("c2").unwrap());
        assert_eq!(on(bits, &after), [7, 47, 85, 89, 90, 94, 120]);
    }

    #[test]
    fn a_move_changes_what_it_says() {
        for make in [QuoridorEncoder::document, QuoridorEncoder::with_paths] {
            check_encoder(&SmallQuoridor::start(5, 3).unwrap(), &make(5, 3), 1, 6);
            check_encoder(&SmallQuoridor::start(4, 6).unwrap(), &make(4, 2), 1, 6);
            check_encoder(&LargeQuoridor::start(9, 2).unwrap(), &make(9, 2), 1, 6);
        }
    }
}
