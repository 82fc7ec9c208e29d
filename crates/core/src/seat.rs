//! The two seats of a game, and how a game ends.

use std::ops::Not;

use serde::{Deserialize, Serialize};

/// One of the two seats. In a one-player game the second seat is nature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Seat {
    /// Moves first.
    First,
    /// Moves second, or is nature.
    Second,
}

impl Seat {
    /// Both seats, in the order of play.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 for the first seat, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Seat {
    type Output = Self;

    /// The seat across the table.
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat won.
    Win(Seat),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The points of `seat`: 1 for a win, ½ for a draw, 0 for a loss.
    pub fn points(self, seat: Seat) -> f64 {
        match self {
            Self::Win(winner) if winner == seat => 1.0,
            Self::Win(_) => 0.0,
            Self::Draw => 0.5,
        }
    }
}
