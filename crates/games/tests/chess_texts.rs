//! Arbitrary texts of positions and moves: none panics, and what is accepted is written back as the same.

use outplay_core::{Position, PositionNotation, Rng, View};
use outplay_games::chess::Chess;
use proptest::prelude::*;

/// A position of a random game of chess or Chess960.
fn somewhere(seed: u64) -> Chess {
    let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
    let mut position =
        if seed.is_multiple_of(2) { Chess::start() } else { Chess::start_960(rng.below(960) as u16) };
    for _ in 0..rng.below(80) {
        let next = position.after(position.random_move(&mut rng, &mut scratch));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// A text with some characters changed, removed, doubled or moved.
fn mutated(text: &str, changes: &[(u8, usize, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(how, place, char) in changes {
        if chars.is_empty() {
            break;
        }
        let place = place % chars.len();
        match how % 4 {
            0 => chars[place] = char,
            1 => drop(chars.remove(place)),
            2 => chars.insert(place, char),
            _ => chars.rotate_left(place),
        }
    }
    chars.into_iter().collect()
}

fn changes(letters: &'static str) -> impl Strategy<Value = Vec<(u8, usize, char)>> {
    let letters: Vec<char> = letters.chars().collect();
    prop::collection::vec((any::<u8>(), any::<usize>(), prop::sample::select(letters)), 0..6)
}

fn is_written_back(text: &str) {
    if let Ok(position) = Chess::from_fen(text) {
        let again = Chess::from_fen(&position.fen()).unwrap();
        assert_eq!((again, again.fen()), (position, position.fen()), "{text}");
        // What is accepted can be played on.
        position.moves().into_iter().for_each(|mv| drop(position.after(mv).moves()));
    }
}

fn reads_as_it_writes(position: &Chess, text: &str) {
    for mv in
        [position.read_san(text), position.read_uci(text), position.read_move(text)].into_iter().flatten()
    {
        assert!(position.moves().contains(&mv), "{text} in {}", position.fen());
        assert_eq!(position.read_san(&position.san(mv)).ok(), Some(mv), "{text} in {}", position.fen());
        assert_eq!(position.read_uci(&position.uci(mv, true)).ok(), Some(mv), "{text} in {}", position.fen());
    }
}

proptest! {
    #[test]
    fn any_text_is_a_position_or_refused(text in "\\PC*") {
        is_written_back(&text);
    }

    #[test]
    fn a_changed_position_is_one_or_refused(seed in any::<u64>(), changes in changes("PNBRQKpnbrqk12345678/ wb-KQkqAHah36é")) {
        is_written_back(&mutated(&somewhere(seed).fen(), &changes));
    }

    #[test]
    fn any_text_is_a_move_or_refused(seed in any::<u64>(), text in "\\PC*") {
        reads_as_it_writes(&somewhere(seed), &text);
    }

    #[test]
    fn a_changed_move_is_one_or_refused(seed in any::<u64>(), changes in changes("NBRQKOabcdefgh12345678x=+#-q0!é")) {
        let position = somewhere(seed);
        for mv in position.moves() {
            for text in [position.san(mv), position.uci(mv, seed % 2 == 1)] {
                reads_as_it_writes(&position, &mutated(&text, &changes));
            }
        }
    }
}
