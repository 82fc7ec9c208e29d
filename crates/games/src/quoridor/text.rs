//! Positions as texts.
//!
//! `5 b2:3 c5:2 black c3h d1v` is a board of 5×5, white's pawn on b2 with three walls in hand, black's on c5 with two,
//! black to move, and the walls on the board, horizontal ones first. A position has one text; walls may be read in any
//! order.

use outplay_core::{MalformedPosition, Seat};

use super::cells::Cells;
use super::notation::{move_name, read_move_name, read_tile, tile_name};
use super::rules::{Quoridor, QuoridorMove, QuoridorSetup, SEAT_NAMES, SetupError};
use super::walls::Walls;

/// Writes a setup.
pub(super) fn write<C: Cells>(setup: &QuoridorSetup<C>) -> String {
    let QuoridorSetup { size, pawns, in_hand, seat, walls } = *setup;
    let seat_text = |seat: usize| format!("{}:{}", tile_name::<C>(pawns[seat]), in_hand[seat]);
    let head = [size.to_string(), seat_text(0), seat_text(1), SEAT_NAMES[seat.index()].to_owned()];
    let wall_names = walls.iter().map(|(mv, _)| move_name::<C>(mv));
    head.into_iter().chain(wall_names).collect::<Vec<_>>().join(" ")
}

/// Reads a position on a board of this size.
pub(super) fn read<C: Cells>(text: &str, size: u8) -> Result<Quoridor<C>, MalformedPosition> {
    let refuse = |why: String| MalformedPosition(format!("'{text}' is not a position of Quoridor: {why}"));
    let setup = read_setup(text, size).map_err(refuse)?;
    Quoridor::set_up(setup).map_err(|error| refuse(error.to_string()))
}

fn read_setup<C: Cells>(text: &str, size: u8) -> Result<QuoridorSetup<C>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [written_size, white, black, mover, ref walls @ ..] = words[..] else {
        return Err(format!(
            "expected the size, both pawns with their walls in hand, the side to move and the walls, such as \
             '{size} a1:0 b{size}:0 white'"
        ));
    };
    if written_size != size.to_string() {
        return Err(format!("'{written_size}' is not the size of the board, expected {size}"));
    }
    let (white, black) = (read_seat::<C>(white, size)?, read_seat::<C>(black, size)?);
    let seat = match mover {
        "white" => Seat::First,
        "black" => Seat::Second,
        other => return Err(format!("'{other}' is not a side, expected white or black")),
    };
    let walls = Walls::read(walls.iter().copied(), size).map_err(|error| error.to_string())?;
    Ok(QuoridorSetup { size, pawns: [white.0, black.0], in_hand: [white.1, black.1], seat, walls })
}

/// A pawn's tile and walls in hand: `b2:3`.
fn read_seat<C: Cells>(word: &str, size: u8) -> Result<(u8, u8), String> {
    let parts = word.split_once(':').and_then(|(tile, count)| {
        let plain = count.bytes().all(|byte| byte.is_ascii_digit());
        is_tile(tile).then_some((tile, count.parse().ok().filter(|_| plain)?))
    });
    let (tile, count) = parts
        .ok_or_else(|| format!("'{word}' is not a pawn with its walls in hand, expected one such as b2:3"))?;
    let cell = read_tile::<C>(tile, size).ok_or_else(|| {
        let last = tile_name::<C>(C::cell(size - 1, size - 1));
        format!("{tile} is not on the {size}×{size} board, expected a tile from a1 to {last}")
    })?;
    Ok((cell, count))
}

/// Whether a name denotes a tile on some board.
fn is_tile(name: &str) -> bool {
    matches!(name.as_bytes(), [b'a'..=b'z', b'1'..=b'9'])
}

impl<C: Cells> Walls<C> {
    /// Reads walls on a board of this size, in any order. A name may occur only once; whether the walls fit together is not
    /// checked.
    pub fn read<'a>(names: impl IntoIterator<Item = &'a str>, size: u8) -> Result<Self, SetupError> {
        let mut walls = Self::EMPTY;
        for name in names {
            let wall = match read_move_name::<C>(name, size) {
                Some(QuoridorMove::Horizontal(slot)) => Self::horizontal(slot),
                Some(QuoridorMove::Vertical(slot)) => Self::vertical(slot),
                _ => return Err(SetupError::NotAWall(name.to_owned())),
            };
            if !walls.intersection(wall).is_empty() {
                return Err(SetupError::WallTwice(name.to_owned()));
            }
            walls = walls.union(wall);
        }
        Ok(walls)
    }
}
