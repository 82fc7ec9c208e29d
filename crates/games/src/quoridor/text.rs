//! Positions as texts.
//!
//! `5 b2:3 c5:2 black c3h d1v` is a board of 5×5, white's pawn on b2 with three walls in hand, black's on c5 with two,
//! black to move, and the walls on the board, horizontal ones first. A position has one text; walls may be read in any
//! order.

use outplay_core::{MalformedPosition, Seat, errors};

use super::cells::Cells;
use super::notation::{move_name, read_move_name, read_tile, tile_name};
use super::rules::{Quoridor, QuoridorMove};
use super::setup::{QuoridorSetup, SetupError};
use super::walls::Walls;
use crate::colours::SEAT_NAMES;

errors! {
    /// What is not a position.
    #[derive(Clone, PartialEq, Eq)]
    pub enum QuoridorPositionError {
        Text { text: String, reason: SetupError } =
            "'{text}' is not a position of Quoridor: {reason}" | "« {text} » n’est pas une position de Quoridor : {reason}",
        Draft { reason: SetupError } =
            "this is not a position of Quoridor: {reason}" | "ce n’est pas une position de Quoridor : {reason}",
    }
}

/// Writes a setup.
pub(super) fn write<C: Cells>(setup: &QuoridorSetup<C>) -> String {
    let QuoridorSetup { size, pawns, in_hand, seat, walls } = *setup;
    let seat_text = |seat: usize| format!("{}:{}", tile_name::<C>(pawns[seat]), in_hand[seat]);
    let head = [size.to_string(), seat_text(0), seat_text(1), SEAT_NAMES[seat.index()].to_string()];
    let wall_names = walls.iter().map(|(mv, _)| move_name::<C>(mv));
    head.into_iter().chain(wall_names).collect::<Vec<_>>().join(" ")
}

/// Reads a position on a board of this size.
pub(super) fn read<C: Cells>(text: &str, size: u8) -> Result<Quoridor<C>, MalformedPosition> {
    read_setup(text, size)
        .and_then(Quoridor::set_up)
        .map_err(|reason| QuoridorPositionError::Text { text: text.to_owned(), reason })
        .map_err(MalformedPosition::new)
}

fn read_setup<C: Cells>(text: &str, size: u8) -> Result<QuoridorSetup<C>, SetupError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [written_size, white, black, mover, ref walls @ ..] = words[..] else {
        return Err(SetupError::Incomplete { size });
    };
    if written_size != size.to_string() {
        return Err(SetupError::OtherSize { text: written_size.to_owned(), size });
    }
    let (white, black) = (read_seat::<C>(white, size)?, read_seat::<C>(black, size)?);
    let seat = match mover {
        "white" => Seat::First,
        "black" => Seat::Second,
        other => return Err(SetupError::Side { text: other.to_owned() }),
    };
    let walls = Walls::read(walls.iter().copied(), size)?;
    Ok(QuoridorSetup { size, pawns: [white.0, black.0], in_hand: [white.1, black.1], seat, walls })
}

/// A pawn's tile and walls in hand: `b2:3`.
fn read_seat<C: Cells>(word: &str, size: u8) -> Result<(u8, u8), SetupError> {
    let parts = word.split_once(':').and_then(|(tile, count)| {
        let plain = count.bytes().all(|byte| byte.is_ascii_digit());
        is_tile(tile).then_some((tile, count.parse().ok().filter(|_| plain)?))
    });
    let (tile, count) = parts.ok_or_else(|| SetupError::NotAPawn { text: word.to_owned() })?;
    let cell = read_tile::<C>(tile, size).ok_or_else(|| {
        let last = tile_name::<C>(C::cell(size - 1, size - 1));
        SetupError::Tile { tile: tile.to_owned(), size, last }
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
                _ => return Err(SetupError::NotAWall { text: name.to_owned() }),
            };
            if !walls.intersection(wall).is_empty() {
                return Err(SetupError::WallTwice { text: name.to_owned() });
            }
            walls = walls.union(wall);
        }
        Ok(walls)
    }
}
