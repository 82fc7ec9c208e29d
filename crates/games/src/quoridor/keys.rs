//! The random numbers from which keys of positions are made.
//!
//! Law: a key is the exclusive or of one number for each thing on the board, so that a move changes it by a few of them.

use outplay_core::mix64;

/// Random numbers from which keys are made: tiles of both pawns, both kinds of walls, walls in hand.
pub(super) struct Keys {
    pub(super) pawns: [[u64; 128]; 2],
    pub(super) horizontal: [u64; 128],
    pub(super) vertical: [u64; 128],
    pub(super) in_hand: [[u64; 16]; 2],
}

/// Whose turn it is.
pub(super) const BLACK_TO_MOVE: u64 = mix64(0x0710);

/// All others.
pub(super) static KEYS: Keys = Keys {
    pawns: [series(1), series(2)],
    horizontal: series(3),
    vertical: series(4),
    in_hand: [series(5), series(6)],
};

const fn series<const K: usize>(number: u64) -> [u64; K] {
    let (mut keys, mut i) = ([0; K], 0);
    while i < K {
        keys[i] = mix64(number << 32 | i as u64);
        i += 1;
    }
    keys
}
