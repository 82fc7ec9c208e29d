//! Encodings of a position for networks: the document's two, and one for networks that learn by self-play.
//!
//! The document's two look from the side that *just moved* (the document swaps colours so that o has just moved), so a
//! network's output is that side's chance. The third one shows colours, because its network evaluates for o regardless of the
//! side to move.

use outplay_core::{Change, Encoder, Seat, View};

use super::{Pushover, PushoverBoard, PushoverMove};

/// One input for each cell that holds an `o`, one for each that holds a `+`, and one that is on while `+` is to move:
/// 33 on the 4×4 board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushoverEncoder;

impl PushoverEncoder {
    /// The index of the first input of a block: the cells of either seat, then the side to move.
    const fn block_start(n: usize, block: usize) -> u32 {
        (n * n * block) as u32
    }
}

impl<const N: usize> Encoder<Pushover<N>> for PushoverEncoder {
    fn inputs(&self) -> usize {
        2 * N * N + 1
    }

    #[inline]
    fn each_on(&self, position: &Pushover<N>, mut visit: impl FnMut(u32)) {
        let PushoverBoard { mine, theirs } = position.board();
        let own = position.seat().index();
        each_bit(mine, |cell| visit(Self::block_start(N, own) + cell));
        each_bit(theirs, |cell| visit(Self::block_start(N, 1 - own) + cell));
        if position.seat() == Seat::Second {
            visit(Self::block_start(N, 2));
        }
    }

    #[inline]
    fn each_change(&self, position: &Pushover<N>, mv: PushoverMove, mut visit: impl FnMut(Change)) {
        let (before, own) = (position.board(), position.seat().index());
        let after = before.push(mv);
        for (block, before, after) in [(own, before.mine, after.mine), (1 - own, before.theirs, after.theirs)]
        {
            each_bit(before ^ after, |cell| {
                visit(Change { input: Self::block_start(N, block) + cell, on: after >> cell & 1 == 1 });
            });
        }
        visit(Change { input: Self::block_start(N, 2), on: position.seat() == Seat::First });
    }
}

/// Visits the cells of a bitboard.
#[inline]
pub(super) fn each_bit(mut cells: u32, mut visit: impl FnMut(u32)) {
    while cells != 0 {
        visit(cells.trailing_zeros());
        cells &= cells - 1;
    }
}

/// The first approach: one input per cell, 1 for a piece of the side that just moved, 0 for its opponent's,
/// ½ for an empty cell. `board` is seen by the side to move, as in a position.
pub fn cells<const N: usize>(board: PushoverBoard<N>, out: &mut [f32]) {
    for (cell, input) in out.iter_mut().enumerate().take(N * N) {
        let (mine, theirs) = (board.mine >> cell & 1, board.theirs >> cell & 1);
        *input = 0.5 * (1.0 + theirs as f32 - mine as f32);
    }
}

/// How many inputs the second approach has: 44 on the 4×4 board.
pub const fn feature_count(n: usize) -> usize {
    4 * (2 * n + 2) + 4
}

/// The second approach: for each row, column and main diagonal the friendly and enemy pieces and the longest
/// friendly and enemy cluster, then friendly and enemy pieces in the centre and in the corners; everything
/// divided by `N`. Friendly is the side that just moved.
pub fn features<const N: usize>(board: PushoverBoard<N>, out: &mut [f32]) {
    let rows = (0..N).map(|i| board.row(i));
    let columns = (0..N).map(|i| board.column(i));
    let lines = rows.chain(columns).chain(board.diagonals());
    let mut values = [0; feature_count(5)];
    let mut count = 0;
    let mut add = |value: u32| {
        values[count] = value;
        count += 1;
    };
    for (enemy, friendly) in lines {
        [friendly, enemy].map(u32::count_ones).into_iter().for_each(&mut add);
        [friendly, enemy].map(longest_cluster).into_iter().for_each(&mut add);
    }
    for region in [centre::<N>(), corners::<N>()] {
        [board.theirs, board.mine].map(|side| (side & region).count_ones()).into_iter().for_each(&mut add);
    }
    for (input, value) in out.iter_mut().zip(&values[..count]) {
        *input = *value as f32 / N as f32;
    }
}

/// The length of the longest run of set bits.
fn longest_cluster(mut line: u32) -> u32 {
    let mut length = 0;
    while line != 0 {
        line &= line >> 1;
        length += 1;
    }
    length
}

/// All cells that do not touch an edge.
fn centre<const N: usize>() -> u32 {
    let inner = 1..N - 1;
    inner.clone().flat_map(|row| inner.clone().map(move |column| 1 << (row * N + column))).sum()
}

fn corners<const N: usize>() -> u32 {
    1 | 1 << (N - 1) | 1 << (N * (N - 1)) | 1 << (N * N - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Position;
    use outplay_core::conformance::check_encoder;

    /// o has just moved: `+oo.` on the first row, `o` in the last corner.
    const BOARD: PushoverBoard<4> = PushoverBoard { mine: 0b0001, theirs: 0b0110 | 1 << 15 };

    #[test]
    fn a_move_changes_what_it_says() {
        check_encoder(&Pushover::<4>::START, &PushoverEncoder, 5, 3);
        check_encoder(&Pushover::<5>::START, &PushoverEncoder, 5, 3);
    }

    #[test]
    fn colours_are_the_seats_whoever_is_to_move() {
        let seen = |position: Pushover<4>| {
            let mut on = Vec::new();
            PushoverEncoder.each_on(&position, |input| on.push(input));
            on.sort_unstable();
            on
        };
        // A enters the upper left corner from the left, o first; P the lower right one from below.
        let after_o = Pushover::START.after(PushoverMove(0));
        assert_eq!(seen(after_o), [0, 32]);
        assert_eq!(seen(after_o.after(PushoverMove(15))), [0, 16 + 15]);
    }

    #[test]
    fn cells_are_one_half_and_zero() {
        let mut inputs = [9.0; 16];
        cells(BOARD, &mut inputs);
        assert_eq!(inputs[..4], [0.0, 1.0, 1.0, 0.5]);
        assert_eq!(inputs[15], 1.0);
        assert!(inputs[4..15].iter().all(|&input| input == 0.5));
    }

    #[test]
    fn features_count_pieces_and_clusters() {
        let mut inputs = [9.0; 44];
        features(BOARD, &mut inputs);
        assert_eq!(feature_count(4), 44);
        // First row: two friendly in one cluster, one enemy.
        assert_eq!(inputs[..4], [0.5, 0.25, 0.5, 0.25]);
        // Fourth column: the corner piece.
        assert_eq!(inputs[28..32], [0.25, 0.0, 0.25, 0.0]);
        // The falling diagonal has one of each.
        assert_eq!(inputs[32..36], [0.25, 0.25, 0.25, 0.25]);
        // Nothing in the centre; one of each in the corners.
        assert_eq!(inputs[40..], [0.0, 0.0, 0.25, 0.25]);
    }

    #[test]
    fn clusters_are_runs() {
        assert_eq!([0b0000, 0b1011, 0b0110, 0b1111, 0b0101].map(longest_cluster), [0, 2, 2, 4, 1]);
    }
}
