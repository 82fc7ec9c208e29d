//! Zobrist keys: one random number for each pawn's tile, wall and number of walls in hand, combined by XOR.

use outplay_core::mix64;

/// The random numbers, by what they stand for.
pub(super) struct QuoridorZobristKeys {
    pub(super) pawns: [[u64; 128]; 2],
    pub(super) horizontal: [u64; 128],
    pub(super) vertical: [u64; 128],
    pub(super) in_hand: [[u64; 16]; 2],
}

/// The key of black to move.
pub(super) const BLACK_TO_MOVE: u64 = mix64(0x0710);

/// All other keys.
pub(super) static KEYS: QuoridorZobristKeys = QuoridorZobristKeys {
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
