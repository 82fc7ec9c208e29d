//! Named 5×5 boards with walls already placed, for games without walls in hand, as in the first part of the document.
//! The last three are those of the course's own program. Every board is a legal start position.

use super::SmallQuoridor;
use super::cells::Cells;
use super::rules::Quoridor;
use super::setup::SetupError;
use super::walls::Walls;

/// A board with walls.
#[derive(Clone, Copy, Debug)]
pub struct NamedBoard {
    /// Its name.
    pub name: &'static str,
    /// What is interesting about it.
    pub summary: &'static str,
    /// Its walls, as a text position names them.
    pub walls: &'static str,
}

/// The boards there are.
pub const BOARDS: [NamedBoard; 10] = [
    NamedBoard {
        name: "corridor",
        summary: "a lane of one tile from row to row: the pawn that jumps there wins the race",
        walls: "b1v c1v b3v c3v",
    },
    NamedBoard {
        name: "hourglass",
        summary: "every way leads through c3: a duel for one tile",
        walls: "a2h d2h a3h d3h",
    },
    NamedBoard {
        name: "snake",
        summary: "one long bend walked from both ends: the pawns must pass each other",
        walls: "a2h c2h b3h d3h",
    },
    NamedBoard {
        name: "shields",
        summary: "a wall before each pawn: go round on the side where the other does not come",
        walls: "b1h c4h",
    },
    NamedBoard {
        name: "staircase",
        summary: "steps across the board: the way along them ends in a detour",
        walls: "a1h b2h c3h d4h",
    },
    NamedBoard {
        name: "pinwheel",
        summary: "two ways of equal length for either side: which one will the other take?",
        walls: "c1h b4h b2v c3v",
    },
    NamedBoard {
        name: "pocket",
        summary: "white's straight way is a dead end: which way round?",
        walls: "b3h b2v c2v",
    },
    NamedBoard { name: "empty", summary: "no walls at all: who gets to jump?", walls: "" },
    NamedBoard {
        name: "offset",
        summary: "two walls in the middle that overlap by a tile: on which side do the pawns pass?",
        walls: "b3h c2h",
    },
    NamedBoard {
        name: "zigzag",
        summary: "every row is crossed from edge to edge: one path for both, walked from both ends",
        walls: "a4h c4h b3h d3h a2h c2h b1h d1h",
    },
];

impl NamedBoard {
    /// Tiles along an edge of all these boards.
    pub const SIZE: u8 = 5;

    /// The start of a game on this board, with this number of walls in hand.
    pub fn start(&self, in_hand: u8) -> Result<SmallQuoridor, SetupError> {
        Quoridor::start_with_walls(Self::SIZE, in_hand, self.walls())
    }

    /// The walls.
    pub fn walls<C: Cells>(&self) -> Walls<C> {
        Walls::read(self.walls.split_whitespace(), Self::SIZE).expect("the walls of a named board are walls")
    }
}
