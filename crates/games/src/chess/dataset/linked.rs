//! The examples of one game, each position written as the move that leads to it.
//!
//! Layout: the low bytes of all scores, their high bytes, and then one byte for each position: the number of the move that leads
//! to it from the position before, or [`WHOLE`], followed by the position's own bytes. The legal moves of a position are numbered
//! in the order of [`ChessMove`].

use outplay_core::{Position, View};

use super::packed::{PackedExample, SCORE_AT, SIZE};
use crate::chess::moves::ChessMove;
use crate::chess::rules::Chess;

/// Stands before a position that is written whole.
const WHOLE: u8 = u8::MAX;

/// The greatest number of bytes that so many examples take.
pub(super) const fn most_bytes(examples: usize) -> usize {
    examples * (SIZE + 1)
}

/// Writes the examples of a game.
pub(super) fn write_game(examples: &[PackedExample]) -> Vec<u8> {
    let scores = || examples.iter().map(|example| example.score().to_le_bytes());
    let mut bytes: Vec<u8> = scores().map(|[low, _]| low).chain(scores().map(|[_, high]| high)).collect();
    let mut before: Option<Chess> = None;
    for example in examples {
        if let Some(number) = before.and_then(|before| number_of_move(before, example)) {
            bytes.push(number);
        } else {
            bytes.push(WHOLE);
            bytes.extend(&example.bytes()[..SCORE_AT]);
        }
        before = example.position();
    }
    bytes
}

/// Reads as many examples; `None` if the bytes are not those of a game.
pub(super) fn read_game(count: usize, bytes: &[u8]) -> Option<Vec<PackedExample>> {
    let (low, rest) = bytes.split_at_checked(count)?;
    let (high, mut rest) = rest.split_at_checked(count)?;
    let mut examples: Vec<PackedExample> = Vec::with_capacity(count);
    let mut before: Option<Chess> = None;
    for score in low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])) {
        let (&number, after) = rest.split_first()?;
        rest = after;
        let example = if number == WHOLE {
            let (position, after) = rest.split_first_chunk::<SCORE_AT>()?;
            rest = after;
            let example = PackedExample::from_parts(position, score);
            before = example.position();
            example
        } else {
            let position = before.as_mut()?;
            position.play(numbered_move(position, number)?);
            PackedExample::new(position, score)?
        };
        examples.push(example);
    }
    rest.is_empty().then_some(examples)
}

/// The number of the legal move that leads to an example.
fn number_of_move(before: Chess, example: &PackedExample) -> Option<u8> {
    let mut moves = before.moves();
    moves.sort_unstable();
    let leads_there = |&mv: &ChessMove| {
        let mut after = before;
        after.play(mv);
        PackedExample::new(&after, example.score()).as_ref() == Some(example)
    };
    let number = moves.iter().position(leads_there)?;
    u8::try_from(number).ok().filter(|&number| number != WHOLE)
}

fn numbered_move(position: &Chess, number: u8) -> Option<ChessMove> {
    let (mut moves, number) = (position.moves(), usize::from(number));
    (number < moves.len()).then(|| *moves.select_nth_unstable(number).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;
    use proptest::prelude::*;

    /// The examples of a random game, with gaps where positions were left out.
    fn game(number: u64, gaps: bool) -> Vec<PackedExample> {
        let mut rng = Rng::stream(2, number);
        let start = if number.is_multiple_of(2) {
            Chess::start()
        } else {
            Chess::start_960((number * 7 % 960) as u16)
        };
        let (mut position, mut scratch, mut examples) = (start, Vec::new(), Vec::new());
        while position.outcome().is_none() && position.move_number() < 100 {
            position.play(position.random_move(&mut rng, &mut scratch));
            if !gaps || rng.below(4) > 0 {
                examples.push(PackedExample::new(&position, rng.below(4000) as i16 - 2000).unwrap());
            }
        }
        examples
    }

    #[test]
    fn games_read_back_with_a_byte_for_a_move() {
        for number in 0..60 {
            let examples = game(number, false);
            let bytes = write_game(&examples);
            assert_eq!(bytes.len(), 3 * examples.len() + SCORE_AT, "one position is whole");
            assert_eq!(read_game(examples.len(), &bytes).unwrap(), examples);
        }
    }

    #[test]
    fn what_no_move_leads_to_is_whole() {
        for number in 0..60 {
            let examples = game(number, true);
            let bytes = write_game(&examples);
            assert!(bytes.len() > 4 * examples.len() && bytes.len() <= most_bytes(examples.len()));
            assert_eq!(read_game(examples.len(), &bytes).unwrap(), examples);
        }
        let nonsense = PackedExample::from_bytes([255; SIZE]);
        let examples = [nonsense, nonsense, PackedExample::new(&Chess::start(), 7).unwrap()];
        assert_eq!(read_game(3, &write_game(&examples)).unwrap(), examples);
    }

    proptest! {
        /// Whatever bytes are read as a game are written as a game that reads as the same.
        #[test]
        fn damaged_games_are_games_or_nothing(number in 0u64..20, place in 0usize..400, byte in any::<u8>()) {
            let examples = game(number, true);
            let mut bytes = write_game(&examples);
            let place = place % bytes.len();
            bytes[place] = byte;
            if let Some(read) = read_game(examples.len(), &bytes) {
                prop_assert_eq!(read_game(read.len(), &write_game(&read)), Some(read));
            }
        }
    }
}
