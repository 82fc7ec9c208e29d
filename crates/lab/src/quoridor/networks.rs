//! What a network trained by self-play sees of Quoridor, and the networks that come with the program.
//!
//! A network serves boards of one size with one number of walls in hand; it sees the walls that already stand there.

use std::sync::Arc;

use outplay_core::{Oracle, Seat};
use outplay_games::quoridor::{Cells, Quoridor, QuoridorEncoder, QuoridorSeatEncoder};

use super::exact;
use crate::learning::SelfPlayGame;
use crate::store::Store;
use outplay_runtime::{Watch, WorkError};

/// The networks that come with the program: `models/README.md` says how they were made.
const ONE_WALL: &[u8] = include_bytes!("../../../../models/quoridor-5x5-1.npz");
const THREE_WALLS: &[u8] = include_bytes!("../../../../models/quoridor-5x5-3.npz");
const REAL_BOARD: &[u8] = include_bytes!("../../../../models/quoridor-9x9-10.npz");

/// The walls that either side may have in hand.
fn most_in_hand<C: Cells>(board: &Quoridor<C>) -> u8 {
    Seat::BOTH.map(|seat| board.in_hand(seat)).into_iter().max().unwrap_or_default()
}

impl<C: Cells> SelfPlayGame for Quoridor<C> {
    type Encoder = QuoridorEncoder;
    type SeatEncoder = QuoridorSeatEncoder;
    const ENCODINGS: &'static [&'static str] = &["document", "ways"];

    fn encoder(&self, name: &str) -> QuoridorEncoder {
        let (size, walls) = (self.size(), most_in_hand(self));
        if name == "ways" {
            QuoridorEncoder::with_paths(size, walls)
        } else {
            QuoridorEncoder::document(size, walls)
        }
    }

    fn seat_encoder(&self) -> QuoridorSeatEncoder {
        QuoridorSeatEncoder::new(self.size(), most_in_hand(self))
    }

    fn board(&self) -> Vec<(&'static str, i64)> {
        vec![("N", i64::from(self.size())), ("WALLS", i64::from(most_in_hand(self)))]
    }

    fn shipped(&self) -> Option<&'static [u8]> {
        match (self.size(), most_in_hand(self)) {
            (5, 1) => Some(ONE_WALL),
            (5, 3) => Some(THREE_WALLS),
            (9, 10) => Some(REAL_BOARD),
            _ => None,
        }
    }

    fn oracle(&self, store: &Store, watch: Watch<'_>) -> Result<Arc<dyn Oracle<Self>>, WorkError> {
        Ok(exact::solution(self, store, watch)?)
    }
}
