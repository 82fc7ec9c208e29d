//! The stages of a game: the walls on the board and in hand. Within a stage only the pawns and the turn vary, and a placed
//! wall never comes back.
//!
//! Left-right mirroring is a symmetry, and so is turning the board upside down with the colours swapped. The place of a
//! position within its stage is numbered by the turn, white's tile and black's tile, tiles counted row by row.

use outplay_core::{Seat, StagedPosition, View};

use super::cells::Cells;
use super::paths::Passages;
use super::rules::Quoridor;
use super::setup::QuoridorSetup;
use super::walls::Walls;

/// The walls of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallStage<C> {
    size: u8,
    in_hand: [u8; 2],
    walls: Walls<C>,
}

/// A symmetry of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuoridorSymmetry {
    /// Exchanges left and right.
    mirrors: bool,
    /// Turns the board upside down and exchanges the colours.
    swaps: bool,
}

impl QuoridorSymmetry {
    /// All of them, the identity first.
    pub const ALL: [Self; 4] = [
        Self { mirrors: false, swaps: false },
        Self { mirrors: true, swaps: false },
        Self { mirrors: false, swaps: true },
        Self { mirrors: true, swaps: true },
    ];

    /// The image of a column and a row, both at most `last`.
    #[inline]
    const fn apply_to_tile(self, (column, row): (u8, u8), last: u8) -> (u8, u8) {
        (if self.mirrors { last - column } else { column }, if self.swaps { last - row } else { row })
    }

    /// The image of a pair with one value per seat.
    #[inline]
    const fn apply_to_seats(self, [white, black]: [u8; 2]) -> [u8; 2] {
        if self.swaps { [black, white] } else { [white, black] }
    }
}

impl<C: Cells> WallStage<C> {
    /// The image of the stage.
    #[must_use]
    pub fn image(self, symmetry: QuoridorSymmetry) -> Self {
        let image = |slots: C| {
            slots.iter().fold(C::EMPTY, |image, slot| {
                let (column, row) = symmetry.apply_to_tile(C::column_row(slot), self.size - 2);
                image | C::single(C::cell(column, row))
            })
        };
        let Walls { horizontal, vertical } = self.walls;
        let walls = Walls { horizontal: image(horizontal), vertical: image(vertical) };
        Self { size: self.size, in_hand: symmetry.apply_to_seats(self.in_hand), walls }
    }

    /// Whether both goal rows can be entered at all.
    fn leaves_paths(self) -> bool {
        let outline = C::masks(self.size);
        let passages = Passages::between(self.walls, outline);
        outline.goals.into_iter().all(|goal| !(passages.neighbours(goal) & !goal).is_empty())
    }
}

impl<C: Cells> Quoridor<C> {
    /// Whether play from this position may lead to a position with these walls on the board and in hand.
    pub fn may_lead_to(&self, later: &Self) -> bool {
        let (now, then) = (self.setup(), later.setup());
        let spent: Option<u32> = [0, 1]
            .into_iter()
            .map(|seat| now.in_hand[seat].checked_sub(then.in_hand[seat]).map(u32::from))
            .sum();
        now.size == then.size
            && now.walls.union(then.walls) == then.walls
            && spent == Some(then.walls.count() - now.walls.count())
    }
}

impl<C: Cells> StagedPosition for Quoridor<C> {
    type Stage = WallStage<C>;
    type Symmetry = QuoridorSymmetry;

    fn stage(&self) -> WallStage<C> {
        let QuoridorSetup { size, in_hand, walls, .. } = self.setup();
        WallStage { size, in_hand, walls }
    }

    fn height(stage: WallStage<C>) -> u32 {
        stage.in_hand.into_iter().map(u32::from).sum()
    }

    fn later(stage: WallStage<C>) -> Vec<WallStage<C>> {
        let free = stage.walls.free_slots(C::masks(stage.size));
        let with = |(_, wall)| WallStage { walls: stage.walls.union(wall), ..stage };
        let spent = |stage: WallStage<C>| {
            [0, 1].into_iter().filter_map(move |seat| {
                let mut in_hand = stage.in_hand;
                in_hand[seat] = in_hand[seat].checked_sub(1)?;
                Some(WallStage { in_hand, ..stage })
            })
        };
        free.iter().map(with).filter(|stage| stage.leaves_paths()).flat_map(spent).collect()
    }

    fn canonical(stage: WallStage<C>) -> (WallStage<C>, QuoridorSymmetry) {
        let image = |symmetry| (stage.image(symmetry), symmetry);
        let [identity, others @ ..] = QuoridorSymmetry::ALL.map(image);
        others.into_iter().fold(identity, |best, other| if other.0 < best.0 { other } else { best })
    }

    fn places(stage: WallStage<C>) -> usize {
        2 * usize::from(stage.size).pow(4)
    }

    #[inline]
    fn place(&self, symmetry: QuoridorSymmetry) -> usize {
        let size = usize::from(self.size());
        let tile = |cell| {
            let (column, row) = symmetry.apply_to_tile(C::column_row(cell), self.size() - 1);
            usize::from(row) * size + usize::from(column)
        };
        let [white, black] = symmetry.apply_to_seats(Seat::BOTH.map(|seat| self.pawn(seat)));
        let turn = usize::from((self.seat() == Seat::Second) != symmetry.swaps);
        (turn * size * size + tile(white)) * size * size + tile(black)
    }

    fn at(stage: WallStage<C>, place: usize) -> Option<Self> {
        let WallStage { size, in_hand, walls } = stage;
        let tiles = usize::from(size).pow(2);
        let cell = |tile: usize| C::cell((tile % usize::from(size)) as u8, (tile / usize::from(size)) as u8);
        let pawns = [cell(place / tiles % tiles), cell(place % tiles)];
        let seat = Seat::BOTH[place / tiles / tiles];
        Self::set_up_trusted(QuoridorSetup { size, pawns, in_hand, seat, walls })
    }
}
