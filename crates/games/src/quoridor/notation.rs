//! Move notation: `e2` for the pawn, `e3h` and `e3v` for a wall, named by its tile nearest a1. An error names the move and
//! the rule that forbids it.

use outplay_core::scene::{Reserve, Scene, Touch};
use outplay_core::{IllegalMove, MalformedPosition, Position, PositionNotation, Text, View, errors};

use super::cells::Cells;
use super::rules::{Quoridor, QuoridorMove};
use super::text;
use super::walls::Walls;
use crate::colours::{SEAT_NAMES, colour};

errors! {
    /// Why a text names no move that can be played.
    #[derive(Clone, PartialEq, Eq)]
    pub enum QuoridorMoveError {
        Unreadable { last: String } =
            "expected a tile from a1 to {last}, with h or v for a wall"
            | "attendu une case de a1 à {last}, avec h ou v pour un mur",
        Pawn { targets: Vec<String> } = "the pawn can go to {targets}" | "le pion peut aller en {targets}",
        WallOutside { last: String } =
            "a wall is two tiles long, expected one from a1 to {last}"
            | "un mur est long de deux cases, attendu un mur de a1 à {last}",
        NoWall { side: Text } = "{side} has no wall in hand" | "{side} n’ont plus de mur en main",
        WallMeets = "it would overlap or cross another wall" | "il chevaucherait ou croiserait un autre mur",
        NoPath =
            "it would leave a pawn no way to the opposite row"
            | "il ne laisserait à un pion aucun chemin vers la rangée opposée",
    }
}

impl<C: Cells> PositionNotation for Quoridor<C> {
    const SEAT_NAMES: [Text; 2] = SEAT_NAMES;

    fn write_move(&self, mv: QuoridorMove) -> String {
        move_name::<C>(mv)
    }

    fn read_move(&self, text: &str) -> Result<QuoridorMove, IllegalMove> {
        let named = text.trim().to_ascii_lowercase();
        let mv = read_move_name::<C>(&named, self.size()).ok_or_else(|| {
            let last = tile_name::<C>(C::cell(self.size() - 1, self.size() - 1));
            IllegalMove::unreadable(text, QuoridorMoveError::Unreadable { last })
        })?;
        if self.is_legal(mv) {
            return Ok(mv);
        }
        if self.outcome().is_some() {
            return Err(IllegalMove::game_over(&named));
        }
        Err(IllegalMove::forbidden(&named, self.objection(mv)))
    }

    fn write(&self) -> String {
        text::write(&self.setup())
    }

    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition> {
        text::read(text, self.size())
    }

    fn draw(&self) -> Scene {
        self.drawn()
    }

    fn reserves(&self, _start: &Self) -> [Vec<Reserve>; 2] {
        self.walls_in_hand()
    }

    fn touches(&self, mv: QuoridorMove) -> Vec<Touch> {
        self.touched(mv)
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        self.attempted(touches)
    }
}

impl<C: Cells> Quoridor<C> {
    /// Why a move is not legal although the game goes on.
    fn objection(&self, mv: QuoridorMove) -> QuoridorMoveError {
        let (slot, wall) = match mv {
            QuoridorMove::Pawn(_) => {
                let targets = self.pawn_targets().iter().map(tile_name::<C>).collect();
                return QuoridorMoveError::Pawn { targets };
            }
            QuoridorMove::Horizontal(slot) => (slot, Walls::horizontal(slot)),
            QuoridorMove::Vertical(slot) => (slot, Walls::vertical(slot)),
        };
        let (column, row) = C::column_row(slot);
        if column + 1 >= self.size() || row + 1 >= self.size() {
            let last = tile_name::<C>(C::cell(self.size() - 2, self.size() - 2));
            QuoridorMoveError::WallOutside { last }
        } else if self.in_hand(self.seat()) == 0 {
            QuoridorMoveError::NoWall { side: colour(self.seat()) }
        } else if self.free_walls().intersection(wall).is_empty() {
            QuoridorMoveError::WallMeets
        } else {
            QuoridorMoveError::NoPath
        }
    }
}

/// The notation of a move.
pub(super) fn move_name<C: Cells>(mv: QuoridorMove) -> String {
    match mv {
        QuoridorMove::Pawn(cell) => tile_name::<C>(cell),
        QuoridorMove::Horizontal(slot) => tile_name::<C>(slot) + "h",
        QuoridorMove::Vertical(slot) => tile_name::<C>(slot) + "v",
    }
}

/// The name of a tile.
pub(super) fn tile_name<C: Cells>(cell: u8) -> String {
    let (column, row) = C::column_row(cell);
    format!("{}{}", char::from(b'a' + column), row + 1)
}

/// Reads the name of a tile on a board of this size.
pub(super) fn read_tile<C: Cells>(name: &str, size: u8) -> Option<u8> {
    let &[column, row] = name.as_bytes() else { return None };
    let (column, row) = (column.checked_sub(b'a')?, row.checked_sub(b'1')?);
    (column < size && row < size).then(|| C::cell(column, row))
}

/// Reads a move, which need not be legal.
pub(super) fn read_move_name<C: Cells>(name: &str, size: u8) -> Option<QuoridorMove> {
    let tile = |name| read_tile::<C>(name, size);
    match name.as_bytes().last()? {
        b'h' => tile(name.strip_suffix('h')?).map(QuoridorMove::Horizontal),
        b'v' => tile(name.strip_suffix('v')?).map(QuoridorMove::Vertical),
        _ => tile(name).map(QuoridorMove::Pawn),
    }
}
