//! White and black, as chess and Quoridor call their seats.

use outplay_core::{Seat, Text};

/// In texts of positions and on the board.
pub(crate) const SEAT_NAMES: [Text; 2] = [Text::new("white", "Blancs"), Text::new("black", "Noirs")];

/// In sentences.
pub(crate) const fn colour(seat: Seat) -> Text {
    match seat {
        Seat::First => Text::new("white", "les Blancs"),
        Seat::Second => Text::new("black", "les Noirs"),
    }
}
