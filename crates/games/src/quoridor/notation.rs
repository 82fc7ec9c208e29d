//! How moves are written: `e2` for the pawn, `e3h` and `e3v` for a wall, named by its tile nearest a1.
//!
//! Law: a refusal names the move and the rule that forbids it.

use outplay_core::scene::{Reserve, Scene, Touch};
use outplay_core::{IllegalMove, MalformedPosition, Position, View, Written};

use super::cells::Cells;
use super::rules::{Move, Quoridor, SEAT_NAMES};
use super::text;
use super::walls::Walls;

impl<C: Cells> Written for Quoridor<C> {
    const SEAT_NAMES: [&'static str; 2] = SEAT_NAMES;

    fn write_move(&self, mv: Move) -> String {
        move_name::<C>(mv)
    }

    fn read_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let named = text.trim().to_ascii_lowercase();
        let mv = read_name::<C>(&named, self.size()).ok_or_else(|| {
            let last = tile_name::<C>(C::cell(self.size() - 1, self.size() - 1));
            IllegalMove(format!(
                "'{text}' is not a move: expected a tile from a1 to {last}, with h or v for a wall"
            ))
        })?;
        if self.is_legal(mv) {
            return Ok(mv);
        }
        Err(IllegalMove(format!("the move '{named}' cannot be played: {}", self.objection(mv))))
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

    fn touches(&self, mv: Move) -> Vec<Touch> {
        self.touched(mv)
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        self.attempted(touches)
    }
}

impl<C: Cells> Quoridor<C> {
    /// Why a move is not legal.
    fn objection(&self, mv: Move) -> String {
        if self.outcome().is_some() {
            return "the game is over".to_owned();
        }
        let (slot, wall) = match mv {
            Move::To(_) => {
                let steps: Vec<String> = self.steps().each().map(tile_name::<C>).collect();
                return format!("the pawn can go to {}", steps.join(", "));
            }
            Move::Horizontal(slot) => (slot, Walls::horizontal(slot)),
            Move::Vertical(slot) => (slot, Walls::vertical(slot)),
        };
        let (column, row) = C::place(slot);
        if column + 1 >= self.size() || row + 1 >= self.size() {
            let last = tile_name::<C>(C::cell(self.size() - 2, self.size() - 2));
            format!("a wall is two tiles long, expected one from a1 to {last}")
        } else if self.in_hand(self.seat()) == 0 {
            format!("{} has no wall in hand", SEAT_NAMES[self.seat().index()])
        } else if self.free_walls().and(wall).is_empty() {
            "it would overlap or cross another wall".to_owned()
        } else {
            "it would leave a pawn no way to the opposite row".to_owned()
        }
    }
}

/// The name of a move.
pub(super) fn move_name<C: Cells>(mv: Move) -> String {
    match mv {
        Move::To(cell) => tile_name::<C>(cell),
        Move::Horizontal(slot) => tile_name::<C>(slot) + "h",
        Move::Vertical(slot) => tile_name::<C>(slot) + "v",
    }
}

/// The name of a tile.
pub(super) fn tile_name<C: Cells>(cell: u8) -> String {
    let (column, row) = C::place(cell);
    format!("{}{}", char::from(b'a' + column), row + 1)
}

/// The tile of a name on a board of this size.
pub(super) fn read_tile<C: Cells>(name: &str, size: u8) -> Option<u8> {
    let &[column, row] = name.as_bytes() else { return None };
    let (column, row) = (column.checked_sub(b'a')?, row.checked_sub(b'1')?);
    (column < size && row < size).then(|| C::cell(column, row))
}

/// The move of a name, which need not be legal.
pub(super) fn read_name<C: Cells>(name: &str, size: u8) -> Option<Move> {
    let tile = |name| read_tile::<C>(name, size);
    match name.as_bytes().last()? {
        b'h' => tile(name.strip_suffix('h')?).map(Move::Horizontal),
        b'v' => tile(name.strip_suffix('v')?).map(Move::Vertical),
        _ => tile(name).map(Move::To),
    }
}
