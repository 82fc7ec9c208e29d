//! Which setups are positions: the board, pawns, hands and walls are checked one after the other.

use outplay_core::{Seat, Text, errors};

use super::cells::Cells;
use super::notation::{move_name, tile_name};
use super::rules::{MAX_WALLS, Quoridor, QuoridorMove};
use super::walls::Walls;
use crate::colours::colour;

/// The components of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoridorSetup<C> {
    /// Tiles along an edge.
    pub size: u8,
    /// The pawns' tiles, white's first.
    pub pawns: [u8; 2],
    /// Walls in hand.
    pub in_hand: [u8; 2],
    /// Whose turn it is.
    pub seat: Seat,
    /// Walls on the board.
    pub walls: Walls<C>,
}

errors! {
    /// Why a setup is not a position.
    #[derive(Clone, PartialEq, Eq)]
    pub enum SetupError {
        Incomplete { size: u8 } =
            "expected the size, both pawns with their walls in hand, the side to move and the walls, \
             such as '{size} a1:0 b{size}:0 white'"
            | "attendu la taille, les deux pions avec leurs murs en main, le trait et les murs, \
               par exemple « {size} a1:0 b{size}:0 white »",
        Size { size: u8, largest: u32 } =
            "no board is {size}×{size}, expected a size from 3 to {largest}"
            | "aucun plateau n’est de {size}×{size}, attendu une taille de 3 à {largest}",
        OtherSize { text: String, size: u8 } =
            "'{text}' is not the size of the board, expected {size}" | "« {text} » n’est pas la taille du plateau, attendu {size}",
        Side { text: String } =
            "'{text}' is not a side, expected white or black" | "« {text} » n’est pas un camp, attendu white ou black",
        NotAPawn { text: String } =
            "'{text}' is not a pawn with its walls in hand, expected one such as b2:3"
            | "« {text} » n’est pas un pion avec ses murs en main, attendu b2:3 par exemple",
        Tile { tile: String, size: u8, last: String } =
            "{tile} is not on the {size}×{size} board, expected a tile from a1 to {last}"
            | "{tile} n’est pas sur le plateau {size}×{size}, attendu une case de a1 à {last}",
        InHand { side: Text, walls: u8 } =
            "{side} has {walls} walls in hand, expected at most {MAX_WALLS}"
            | "{side} ont {walls} murs en main, attendu {MAX_WALLS} au plus",
        Pawn { side: Text } = "the pawn of {side} is not on the board" | "{side} ont leur pion hors du plateau",
        NoPawn { side: Text } = "the pawn of {side} is missing" | "{side} n’ont pas de pion",
        SameTile = "both pawns stand on one tile" | "les deux pions sont sur la même case",
        NotAWall { text: String } =
            "'{text}' is not a wall, expected one such as b2h or b2v" | "« {text} » n’est pas un mur, attendu b2h ou b2v par exemple",
        WallTwice { text: String } = "the wall '{text}' stands there twice" | "le mur « {text} » y est deux fois",
        WallMisplaced =
            "a wall stands where none can be, expected two tiles long and inside"
            | "un mur est là où il ne peut y en avoir, attendu long de deux cases et à l’intérieur",
        WallOutside { wall: String, last: String } =
            "the wall {wall} is not on the board, expected one of a1 to {last}"
            | "le mur {wall} sort du plateau, attendu de a1 à {last}",
        WallsMeet { first: String, second: String } =
            "the walls {first} and {second} overlap or cross" | "les murs {first} et {second} se chevauchent ou se croisent",
        NoPath { side: Text } =
            "the walls leave {side} no way to the opposite row"
            | "les murs privent {side} de tout chemin vers la rangée opposée",
        Arrived { side: Text } =
            "{side} has already arrived, so it cannot be its turn" | "déjà arrivés, {side} ne peuvent avoir le trait",
    }
}

/// Where the pawns begin on boards of even size, which have no middle column. On odd ones both begin in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartColumns {
    /// White left of the middle and black right of it, so that both see the same board.
    #[default]
    Mirrored,
    /// Both left of the middle, as in the program of the document's course.
    Same,
}

impl<C: Cells> Quoridor<C> {
    /// The start of a game: pawns in the middle of their rows, mirrored on boards of even size, each player with this
    /// number of walls.
    pub fn start(size: u8, walls: u8) -> Result<Self, SetupError> {
        Self::start_with_walls(size, walls, Walls::EMPTY)
    }

    /// The same with walls already placed.
    pub fn start_with_walls(size: u8, in_hand: u8, walls: Walls<C>) -> Result<Self, SetupError> {
        Self::start_in(StartColumns::Mirrored, size, in_hand, walls)
    }

    /// The same with the pawns in these columns.
    pub fn start_in(
        columns: StartColumns,
        size: u8,
        in_hand: u8,
        walls: Walls<C>,
    ) -> Result<Self, SetupError> {
        Self::check_size(size)?;
        let whites = (size - 1) / 2;
        let blacks = match columns {
            StartColumns::Mirrored => size - 1 - whites,
            StartColumns::Same => whites,
        };
        let pawns = [C::cell(whites, 0), C::cell(blacks, size - 1)];
        Self::set_up(QuoridorSetup { size, pawns, in_hand: [in_hand; 2], seat: Seat::First, walls })
    }

    /// Refuses sizes without a board.
    pub(super) fn check_size(size: u8) -> Result<(), SetupError> {
        let possible = (3..=C::STRIDE).contains(&u32::from(size));
        if possible { Ok(()) } else { Err(SetupError::Size { size, largest: C::STRIDE }) }
    }

    /// Checks a setup and builds its position.
    pub fn set_up(setup: QuoridorSetup<C>) -> Result<Self, SetupError> {
        let QuoridorSetup { size, pawns, in_hand, seat, walls } = setup;
        Self::check_size(size)?;
        for seat in Seat::BOTH {
            let (column, row) = C::column_row(pawns[seat.index()]);
            if column >= size || row >= size {
                return Err(SetupError::Pawn { side: colour(seat) });
            }
            let walls = in_hand[seat.index()];
            if walls > MAX_WALLS {
                return Err(SetupError::InHand { side: colour(seat), walls });
            }
        }
        if pawns[0] == pawns[1] {
            return Err(SetupError::SameTile);
        }
        check_walls(walls, size)?;
        let position = Self::of_setup(setup);
        let is_cut_off = |&seat: &Seat| position.distance(seat).is_none();
        if let Some(cut_off) = Seat::BOTH.into_iter().find(is_cut_off) {
            return Err(SetupError::NoPath { side: colour(cut_off) });
        }
        if position.has_arrived(seat) {
            return Err(SetupError::Arrived { side: colour(seat) });
        }
        Ok(position)
    }
}

/// Refuses walls that are not on a board of this size, or not all at once.
fn check_walls<C: Cells>(walls: Walls<C>, size: u8) -> Result<(), SetupError> {
    let (outline, mut placed) = (C::masks(size), Walls::EMPTY);
    for (mv, wall) in walls.iter() {
        if ((wall.horizontal | wall.vertical) & outline.slots).is_empty() {
            let last = tile_name::<C>(C::cell(size - 2, size - 2));
            return Err(SetupError::WallOutside { wall: move_name::<C>(mv), last });
        }
        if placed.free_slots(outline).intersection(wall).is_empty() {
            let meets =
                |other: &(QuoridorMove, Walls<C>)| other.1.free_slots(outline).intersection(wall).is_empty();
            let (other, _) = placed.iter().find(meets).expect("what is not free is taken by a wall");
            let (first, second) = (move_name::<C>(other), move_name::<C>(mv));
            return Err(SetupError::WallsMeet { first, second });
        }
        placed = placed.union(wall);
    }
    Ok(())
}
