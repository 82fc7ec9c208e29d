//! What a network trained by self-play sees of chess.

use outplay_games::chess::{Chess, ChessEncoder, ChessSeatEncoder};

use crate::learning::SelfPlayGame;

impl SelfPlayGame for Chess {
    type Encoder = ChessEncoder;
    type SeatEncoder = ChessSeatEncoder;
    const ENCODINGS: &'static [&'static str] = &["pieces"];

    fn encoder(&self, _name: &str) -> ChessEncoder {
        ChessEncoder
    }

    fn seat_encoder(&self) -> ChessSeatEncoder {
        ChessSeatEncoder
    }

    /// A network serves every start of Chess960.
    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", 8)]
    }
}
