//! The stages of a game: the walls, on the board and in hand. Within a stage only the pawns and the turn vary, and a
//! wall that was placed never comes back.
//!
//! Laws:
//! - left and right are alike, and so are the colours if the board is turned upside down;
//! - a place is the turn, white's tile and black's tile, tiles counted row by row.

use outplay_core::{Seat, StagedPosition, View};

use super::cells::Cells;
use super::path::Passages;
use super::rules::{Quoridor, Setup};
use super::walls::Walls;

/// The walls of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage<C> {
    size: u8,
    in_hand: [u8; 2],
    walls: Walls<C>,
}

/// A symmetry of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// Exchanges left and right.
    mirrors: bool,
    /// Turns the board upside down and exchanges the colours.
    swaps: bool,
}

impl Symmetry {
    /// All of them, the identity first.
    pub const ALL: [Self; 4] = [
        Self { mirrors: false, swaps: false },
        Self { mirrors: true, swaps: false },
        Self { mirrors: false, swaps: true },
        Self { mirrors: true, swaps: true },
    ];

    /// The image of a column and a row, both at most `last`.
    #[inline]
    const fn of_place(self, (column, row): (u8, u8), last: u8) -> (u8, u8) {
        (if self.mirrors { last - column } else { column }, if self.swaps { last - row } else { row })
    }

    /// The image of what each seat has.
    #[inline]
    const fn of_pair(self, [white, black]: [u8; 2]) -> [u8; 2] {
        if self.swaps { [black, white] } else { [white, black] }
    }
}

impl<C: Cells> Stage<C> {
    /// The stage's image.
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        let image = |slots: C| {
            slots.each().fold(C::NONE, |image, slot| {
                let (column, row) = symmetry.of_place(C::place(slot), self.size - 2);
                image | C::only(C::cell(column, row))
            })
        };
        let Walls { horizontal, vertical } = self.walls;
        let walls = Walls { horizontal: image(horizontal), vertical: image(vertical) };
        Self { size: self.size, in_hand: symmetry.of_pair(self.in_hand), walls }
    }

    /// Whether pawns of either colour have somewhere a way to their goal.
    fn leaves_ways(self) -> bool {
        let outline = C::outline(self.size);
        let passages = Passages::between(self.walls, outline);
        outline.goals.into_iter().all(|goal| !(passages.beside(goal) & !goal).is_empty())
    }
}

impl<C: Cells> Quoridor<C> {
    /// Whether play from this position may lead to a position with these walls on the board and in hand, or to one
    /// like it.
    pub fn may_lead_to(&self, later: &Self) -> bool {
        let (now, then) = (self.setup(), later.setup());
        let spent: Option<u32> = [0, 1]
            .into_iter()
            .map(|seat| now.in_hand[seat].checked_sub(then.in_hand[seat]).map(u32::from))
            .sum();
        now.size == then.size
            && now.walls.or(then.walls) == then.walls
            && spent == Some(then.walls.count() - now.walls.count())
    }
}

impl<C: Cells> StagedPosition for Quoridor<C> {
    type Stage = Stage<C>;
    type Symmetry = Symmetry;

    fn stage(&self) -> Stage<C> {
        let Setup { size, in_hand, walls, .. } = self.setup();
        Stage { size, in_hand, walls }
    }

    fn height(stage: Stage<C>) -> u32 {
        stage.in_hand.into_iter().map(u32::from).sum()
    }

    fn later(stage: Stage<C>) -> Vec<Stage<C>> {
        let free = stage.walls.free(C::outline(stage.size));
        let with = |(_, wall)| Stage { walls: stage.walls.or(wall), ..stage };
        let spent = |stage: Stage<C>| {
            [0, 1].into_iter().filter_map(move |seat| {
                let mut in_hand = stage.in_hand;
                in_hand[seat] = in_hand[seat].checked_sub(1)?;
                Some(Stage { in_hand, ..stage })
            })
        };
        free.each().map(with).filter(|stage| stage.leaves_ways()).flat_map(spent).collect()
    }

    fn canonical(stage: Stage<C>) -> (Stage<C>, Symmetry) {
        let image = |symmetry| (stage.image(symmetry), symmetry);
        let [identity, others @ ..] = Symmetry::ALL.map(image);
        others.into_iter().fold(identity, |best, other| if other.0 < best.0 { other } else { best })
    }

    fn places(stage: Stage<C>) -> usize {
        2 * usize::from(stage.size).pow(4)
    }

    #[inline]
    fn place(&self, symmetry: Symmetry) -> usize {
        let size = usize::from(self.size());
        let tile = |cell| {
            let (column, row) = symmetry.of_place(C::place(cell), self.size() - 1);
            usize::from(row) * size + usize::from(column)
        };
        let [white, black] = symmetry.of_pair(Seat::BOTH.map(|seat| self.pawn(seat)));
        let turn = usize::from((self.seat() == Seat::Second) != symmetry.swaps);
        (turn * size * size + tile(white)) * size * size + tile(black)
    }

    fn at(stage: Stage<C>, place: usize) -> Option<Self> {
        let Stage { size, in_hand, walls } = stage;
        let tiles = usize::from(size).pow(2);
        let cell = |tile: usize| C::cell((tile % usize::from(size)) as u8, (tile / usize::from(size)) as u8);
        let pawns = [cell(place / tiles % tiles), cell(place % tiles)];
        let seat = Seat::BOTH[place / tiles / tiles];
        Self::stand(Setup { size, pawns, in_hand, seat, walls })
    }
}
