//! What a network with a value and a policy sees of a position. The board is turned by half a turn for black, so that the seat
//! that looks always walks up.
//!
//! Tiles and walls are numbered as in [`super::encode`], after the turn. Paths are told in computed inputs: whether a step
//! leads nearer to the goal cannot be seen from pawns and walls by a network with one hidden layer. A pawn's moves have slots
//! by direction rather than by target, so that what is learnt about them holds on every tile.

use outplay_core::{Change, Seat, SeatEncoder, Symmetry, View};

use super::cells::Cells;
use super::encode::swap;
use super::path_evaluator::race_winner;
use super::rules::{Quoridor, QuoridorMove};

/// An encoding for boards of one size. Inputs, in blocks:
///
/// - the seat's own pawn by tile, the other's;
/// - horizontal walls, vertical ones;
/// - the walls in hand, one-hot, own and other's;
/// - computed: the lengths of the shortest paths, one-hot, own and other's, and by how much the own one is shorter;
/// - for each pawn and direction, whether it is open and whether a step that way leads nearer; the direction in which the
///   other pawn stands beside the own one; which side surely wins the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoridorSeatEncoder {
    size: u32,
    /// The most walls in hand that are told apart.
    most_walls: u32,
    /// Where each block begins, and how many inputs there are.
    starts: [u32; RACE + 2],
}

/// The blocks; of a pair, the seat's own comes first.
const PAWNS: usize = 0;
const WALLS: usize = 2;
const HANDS: usize = 4;
const DISTANCES: usize = 6;
const LEAD: usize = 8;
const STEPS: usize = 9;
const JUMP: usize = 11;
const RACE: usize = 12;

/// Columns to the right and rows ahead of a pawn's moves, in the order of their slots. A move and its opposite are as far from
/// the two ends.
const PAWN_MOVES: [(i8, i8); 12] =
    [(0, 1), (0, 2), (1, 0), (2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1), (-2, 0), (-1, 0), (0, -2), (0, -1)];

/// The slots of pawn moves by `5 * rows + columns`, both counted from -2.
const PAWN_SLOTS: [u16; 25] = {
    let (mut slots, mut slot) = ([0; 25], 0);
    while slot < PAWN_MOVES.len() {
        let (columns, rows) = PAWN_MOVES[slot];
        slots[(5 * (rows + 2) + columns + 2) as usize] = slot as u16;
        slot += 1;
    }
    slots
};

impl QuoridorSeatEncoder {
    /// The encoding for boards of this size and players with up to this many walls in hand. A player with more is shown with
    /// this many.
    pub const fn new(size: u8, walls: u8) -> Self {
        let (size, most_walls) = (size as u32, walls as u32);
        let (tiles, slots, hand) = (size * size, (size - 1) * (size - 1), most_walls + 1);
        let distances = Self::longest(size) + 1;
        let lead = 2 * size + 1;
        let blocks = [tiles, tiles, slots, slots, hand, hand, distances, distances, lead, 8, 8, 4, 2];
        let (mut starts, mut block) = ([0; RACE + 2], 0);
        while block < blocks.len() {
            starts[block + 1] = starts[block] + blocks[block];
            block += 1;
        }
        Self { size, most_walls, starts }
    }

    /// The longest path that is told apart from longer ones.
    const fn longest(size: u32) -> u32 {
        2 * size + 2
    }

    const fn wall_slots(self) -> u32 {
        (self.size - 1) * (self.size - 1)
    }

    /// The number of a tile or wall on a square of this width as the seat sees it.
    #[inline]
    fn number<C: Cells>(cell: u8, width: u32, seat: Seat) -> u32 {
        let (column, row) = C::column_row(cell);
        let number = u32::from(column) + width * u32::from(row);
        if seat == Seat::First { number } else { width * width - 1 - number }
    }

    #[inline]
    fn pawn_input<C: Cells>(self, side: Seat, cell: u8, seat: Seat) -> u32 {
        self.starts[PAWNS + usize::from(side != seat)] + Self::number::<C>(cell, self.size, seat)
    }

    /// The input of a wall; `kind` is 0 for horizontal, 1 for vertical.
    #[inline]
    fn wall_input<C: Cells>(self, kind: usize, slot: u8, seat: Seat) -> u32 {
        self.starts[WALLS + kind] + Self::number::<C>(slot, self.size - 1, seat)
    }

    #[inline]
    fn hand_input(self, side: Seat, walls: u8, seat: Seat) -> u32 {
        self.starts[HANDS + usize::from(side != seat)] + u32::from(walls).min(self.most_walls)
    }

    /// The mirror image of a number on a square of this width.
    const fn mirrored(number: u32, width: u32) -> u32 {
        number - number % width + width - 1 - number % width
    }

    fn mirrored_input(self, input: u32) -> u32 {
        let block = self.starts.partition_point(|&start| start <= input) - 1;
        let place = input - self.starts[block];
        // East and west change places.
        let turned = |direction: u32| if direction % 2 == 1 { 4 - direction } else { direction };
        self.starts[block]
            + match block {
                PAWNS..WALLS => Self::mirrored(place, self.size),
                WALLS..HANDS => Self::mirrored(place, self.size - 1),
                STEPS..JUMP => 2 * turned(place / 2) + place % 2,
                JUMP => turned(place),
                _ => place,
            }
    }

    fn mirrored_slot(self, slot: u32) -> u32 {
        let pawn_moves = PAWN_MOVES.len() as u32;
        let Some(wall) = slot.checked_sub(pawn_moves) else {
            let (columns, rows) = PAWN_MOVES[slot as usize];
            return u32::from(pawn_slot(-columns, rows));
        };
        let (kind, number) = (wall / self.wall_slots(), wall % self.wall_slots());
        pawn_moves + kind * self.wall_slots() + Self::mirrored(number, self.size - 1)
    }
}

/// A direction from north on, clockwise, as the seat sees it.
#[inline]
const fn as_seen(direction: usize, seat: Seat) -> u32 {
    (direction ^ (2 * seat.index())) as u32
}

/// The slot of a pawn's move by so many columns and rows.
#[inline]
fn pawn_slot(columns: i8, rows: i8) -> u16 {
    PAWN_SLOTS[(5 * (rows + 2) + columns + 2) as usize]
}

impl<C: Cells> SeatEncoder<Quoridor<C>> for QuoridorSeatEncoder {
    fn inputs(&self) -> usize {
        self.starts[RACE + 1] as usize
    }

    /// Pawns, hands, distances, the lead, open directions, the jump, the race; and a wall at every point that can be the middle
    /// of one.
    fn most_on(&self) -> usize {
        2 + 2 + 2 + 1 + 8 + 1 + 1 + self.wall_slots() as usize
    }

    fn slots(&self) -> usize {
        PAWN_MOVES.len() + 2 * self.wall_slots() as usize
    }

    #[inline]
    fn each_on(&self, position: &Quoridor<C>, seat: Seat, mut visit: impl FnMut(u32)) {
        for side in Seat::BOTH {
            visit(self.pawn_input::<C>(side, position.pawn(side), seat));
            visit(self.hand_input(side, position.in_hand(side), seat));
        }
        let walls = position.walls();
        for (kind, walls) in [walls.horizontal, walls.vertical].into_iter().enumerate() {
            walls.iter().for_each(|slot| visit(self.wall_input::<C>(kind, slot, seat)));
        }
    }

    #[inline]
    fn each_change(
        &self,
        position: &Quoridor<C>,
        mv: QuoridorMove,
        seat: Seat,
        mut visit: impl FnMut(Change),
    ) {
        let mover = position.seat();
        let (kind, slot) = match mv {
            QuoridorMove::Pawn(cell) => {
                let pawn = self.pawn_input::<C>(mover, position.pawn(mover), seat);
                return swap(pawn, self.pawn_input::<C>(mover, cell, seat), &mut visit);
            }
            QuoridorMove::Horizontal(slot) => (0, slot),
            QuoridorMove::Vertical(slot) => (1, slot),
        };
        visit(Change { input: self.wall_input::<C>(kind, slot, seat), on: true });
        let in_hand = position.in_hand(mover);
        let hand = |walls| self.hand_input(mover, walls, seat);
        swap(hand(in_hand), hand(in_hand - 1), &mut visit);
    }

    #[inline]
    fn each_computed(&self, position: &Quoridor<C>, mut visit: impl FnMut(u32)) {
        let (me, other) = (position.seat(), !position.seat());
        let passages = position.passages();
        let pawns = Seat::BOTH.map(|seat| C::single(position.pawn(seat)));
        let found = passages.nearer_tiles_of_both(pawns, position.masks().goals);
        for (block, side) in [me, other].into_iter().enumerate() {
            let (nearer, distance) = found[side.index()];
            visit(self.starts[DISTANCES + block] + distance.min(Self::longest(self.size)));
            for (direction, tile) in passages.steps(pawns[side.index()]).into_iter().enumerate() {
                if !tile.is_empty() {
                    let leads_nearer = u32::from(!(tile & nearer).is_empty());
                    visit(self.starts[STEPS + block] + 2 * as_seen(direction, me) + leads_nearer);
                }
                if tile == pawns[other.index()] {
                    visit(self.starts[JUMP] + as_seen(direction, me));
                }
            }
        }
        let [mine, theirs] = [me, other].map(|side| found[side.index()].1);
        visit(self.starts[LEAD] + (theirs + self.size).saturating_sub(mine).min(2 * self.size));
        if let Some(winner) = race_winner(position, mine, theirs) {
            visit(self.starts[RACE] + u32::from(winner != me));
        }
    }

    #[inline]
    fn slot(&self, position: &Quoridor<C>, mv: QuoridorMove) -> u16 {
        let seat = position.seat();
        let (kind, slot) = match mv {
            QuoridorMove::Pawn(cell) => {
                let (to, from) = (C::column_row(cell), C::column_row(position.pawn(seat)));
                let slot = pawn_slot(to.0 as i8 - from.0 as i8, to.1 as i8 - from.1 as i8);
                let last = PAWN_MOVES.len() as u16 - 1;
                return if seat == Seat::First { slot } else { last - slot };
            }
            QuoridorMove::Horizontal(slot) => (0, slot),
            QuoridorMove::Vertical(slot) => (1, slot),
        };
        let number = Self::number::<C>(slot, self.size - 1, seat);
        PAWN_MOVES.len() as u16 + (kind * self.wall_slots() + number) as u16
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let slots = SeatEncoder::<Quoridor<C>>::slots(self) as u32;
        let inputs = self.starts[RACE + 1];
        vec![Symmetry {
            inputs: (0..inputs).map(|input| self.mirrored_input(input)).collect(),
            slots: (0..slots).map(|slot| self.mirrored_slot(slot) as u16).collect(),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoridor::{LargeQuoridor, SmallQuoridor};
    use outplay_core::PositionNotation;
    use outplay_core::conformance::check_seat_encoder;

    /// What the side to move sees, as (block, place).
    fn seen<C: Cells>(encoder: QuoridorSeatEncoder, position: &Quoridor<C>) -> Vec<(usize, u32)> {
        let mut inputs = Vec::new();
        encoder.each_on(position, position.seat(), |input| inputs.push(input));
        encoder.each_computed(position, |input| inputs.push(input));
        inputs.sort_unstable();
        let place = |input| {
            let block = encoder.starts.partition_point(|&start| start <= input) - 1;
            (block, input - encoder.starts[block])
        };
        inputs.into_iter().map(place).collect()
    }

    fn read(text: &str) -> SmallQuoridor {
        SmallQuoridor::start(5, 3).unwrap().read_like(text).unwrap()
    }

    #[test]
    fn paths_walls_and_directions_are_shown() {
        let encoder = QuoridorSeatEncoder::new(5, 3);
        assert_eq!(SeatEncoder::<SmallQuoridor>::inputs(&encoder), 50 + 32 + 8 + 26 + 11 + 16 + 4 + 2);
        // A wall above c2 and d2: white goes round it by b2 in four steps; black, on c4, goes down in four, too.
        let position = read("5 c2:3 c4:1 white c2h");
        let expected = [
            (PAWNS, 7),
            (PAWNS + 1, 17),
            (WALLS, 2 + 4),
            (HANDS, 3),
            (HANDS + 1, 1),
            (DISTANCES, 4),
            (DISTANCES + 1, 4),
            (LEAD, 5),
            // East is open, so is south; only the step to the west leads nearer.
            (STEPS, 2),
            (STEPS, 4),
            (STEPS, 7),
            // Black goes south or west.
            (STEPS + 1, 0),
            (STEPS + 1, 2),
            (STEPS + 1, 5),
            (STEPS + 1, 7),
        ];
        assert_eq!(seen(encoder, &position), expected);
    }

    /// The same position with the colours exchanged and the board turned by half a turn looks the same.
    #[test]
    fn both_seats_see_the_board_as_their_own() {
        let encoder = QuoridorSeatEncoder::new(5, 3);
        for (white, black) in [
            ("5 c2:3 c4:1 white c2h", "5 c2:1 c4:3 black b3h"),
            ("5 b3:0 b4:2 white a1v b3v", "5 d2:2 d3:0 black d4v c2v"),
        ] {
            let [white, black] = [white, black].map(read);
            assert_eq!(seen(encoder, &white), seen(encoder, &black));
            let slots = |position: &SmallQuoridor| {
                let moves = position.moves().into_iter();
                let mut slots: Vec<u16> = moves.map(|mv| encoder.slot(position, mv)).collect();
                slots.sort_unstable();
                slots
            };
            assert_eq!(slots(&white), slots(&black));
        }
    }

    #[test]
    fn jumps_and_decided_races_are_shown() {
        let encoder = QuoridorSeatEncoder::new(5, 3);
        let last = |text| seen(encoder, &read(text)).pop().unwrap();
        // Black has white's pawn ahead; it can be hindered, and so can white.
        assert_eq!(last("5 c3:0 c4:1 black"), (JUMP, 0));
        assert_eq!(last("5 a4:0 e4:0 white"), (RACE, 0));
        assert_eq!(last("5 a3:0 e2:0 white"), (RACE, 1));
    }

    #[test]
    fn conforms() {
        check_seat_encoder(&[SmallQuoridor::start(5, 3).unwrap()], &QuoridorSeatEncoder::new(5, 3), 100, 1);
        check_seat_encoder(&[SmallQuoridor::start(7, 10).unwrap()], &QuoridorSeatEncoder::new(7, 4), 5, 2);
        check_seat_encoder(&[LargeQuoridor::start(9, 10).unwrap()], &QuoridorSeatEncoder::new(9, 10), 5, 3);
        // No middle column: the mirrored start is another one.
        let even = ["4 b1:2 c4:2 white", "4 c1:2 b4:2 white"];
        let even = even.map(|text| SmallQuoridor::start(4, 2).unwrap().read_like(text).unwrap());
        check_seat_encoder(&even, &QuoridorSeatEncoder::new(4, 2), 200, 4);
        let walls = ["5 c1:2 c5:2 white a2h d3v", "5 c1:2 c5:2 white d2h a3v"].map(read);
        check_seat_encoder(&walls, &QuoridorSeatEncoder::new(5, 2), 50, 5);
    }
}
