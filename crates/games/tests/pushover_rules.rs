//! The rules of Push-over against known numbers, a slow reference implementation, and the conformance suite.

use outplay_core::conformance::{check_editor, check_game, check_position};
use outplay_core::{Game, Notation, Outcome, Position, PositionNotation, Referee, Rng, Seat, View, perft};
use outplay_games::pushover::{Pushover, PushoverBoard, PushoverMove};
use proptest::prelude::*;

fn referee<const N: usize>() -> Referee<Pushover<N>> {
    Referee { start: Pushover::START, repetitions: None, max_plies: Some(50) }
}

#[test]
fn perft_from_the_empty_board() {
    for n in 0..=5 {
        assert_eq!(perft(&Pushover::<4>::START, n), 16u64.pow(n));
    }
    assert_eq!(perft(&Pushover::<4>::START, 6), 16_774_880);
    for n in 0..=5 {
        assert_eq!(perft(&Pushover::<5>::START, n), 20u64.pow(n));
    }
}

#[test]
fn conforms() {
    check_game(&referee::<4>(), 300, 200, 1);
    check_game(&referee::<5>(), 100, 200, 2);
    check_editor(&referee::<4>(), 100, 200, 5);
    check_editor(&referee::<5>(), 50, 200, 6);
    check_position(&Pushover::<4>::START, 300, 200, 3);
    check_position(&Pushover::<5>::START, 100, 200, 4);
}

/// A reference implementation on a matrix of characters, with the whole history: slow and obvious.
struct ReferenceGame {
    cells: Vec<Vec<char>>,
    history: Vec<Vec<Vec<char>>>,
}

impl ReferenceGame {
    fn new(n: usize) -> Self {
        let cells = vec![vec!['.'; n]; n];
        Self { history: vec![cells.clone()], cells }
    }

    fn pushed(&self, entry: usize, piece: char) -> Vec<Vec<char>> {
        let n = self.cells.len();
        let (side, line) = (entry / n, entry % n);
        let at = |depth: usize| match side {
            0 => (line, depth),
            1 => (line, n - 1 - depth),
            2 => (depth, line),
            _ => (n - 1 - depth, line),
        };
        let mut cells = self.cells.clone();
        let mut carried = piece;
        for depth in 0..n {
            let (row, column) = at(depth);
            std::mem::swap(&mut cells[row][column], &mut carried);
            if carried == '.' {
                break;
            }
        }
        cells
    }

    fn mover(&self) -> char {
        if self.history.len() % 2 == 1 { 'o' } else { '+' }
    }

    fn moves(&self) -> Vec<usize> {
        if self.winner().is_some() {
            return vec![];
        }
        let own_previous = self.history.len().checked_sub(2).map(|i| &self.history[i]);
        let n = self.cells.len();
        (0..4 * n).filter(|&entry| Some(&self.pushed(entry, self.mover())) != own_previous).collect()
    }

    fn play(&mut self, entry: usize) {
        self.cells = self.pushed(entry, self.mover());
        self.history.push(self.cells.clone());
    }

    fn has_line(&self, piece: char) -> bool {
        let n = self.cells.len();
        let full =
            |at: &dyn Fn(usize) -> (usize, usize)| (0..n).all(|i| self.cells[at(i).0][at(i).1] == piece);
        (0..n).any(|k| full(&|i| (k, i)) || full(&|i| (i, k)))
            || full(&|i| (i, i))
            || full(&|i| (i, n - 1 - i))
    }

    fn winner(&self) -> Option<char> {
        let just_moved = if self.mover() == 'o' { '+' } else { 'o' };
        [just_moved, self.mover()].into_iter().find(|&piece| self.has_line(piece))
    }

    fn text(&self) -> String {
        self.cells.iter().flatten().collect()
    }
}

fn compare_with_twin<const N: usize>(seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut position, mut reference) = (Pushover::<N>::START, ReferenceGame::new(N));
    for _ in 0..120 {
        let fast: Vec<usize> = position.moves().iter().map(|mv| mv.0 as usize).collect();
        assert_eq!(fast, reference.moves(), "{}", position.write());
        let winner = position.outcome().map(|outcome| match outcome {
            Outcome::Win(Seat::First) => 'o',
            Outcome::Win(Seat::Second) => '+',
            Outcome::Draw => unreachable!("the board alone never draws"),
        });
        assert_eq!(winner, reference.winner());
        let board = position.write();
        let board = board.split_once('>').map_or(&board[..], |(_, present)| present);
        assert_eq!(board[..N * N], reference.text());
        if fast.is_empty() {
            break;
        }
        let entry = rng.pick(&fast);
        position.play(PushoverMove(entry as u8));
        reference.play(entry);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn agrees_with_the_twin(seed: u64) {
        compare_with_twin::<4>(seed);
        compare_with_twin::<5>(seed);
    }

    /// Pieces never leave without another coming in.
    #[test]
    fn a_push_never_loses_pieces(mine: u16, theirs: u16, entry in 0u8..16) {
        let board = PushoverBoard::<4> { mine: u32::from(mine & !theirs), theirs: u32::from(theirs) };
        let pushed = board.push(PushoverMove(entry));
        prop_assert!(pushed.pieces() >= board.pieces() && pushed.pieces() <= board.pieces() + 1);
        prop_assert_eq!(pushed.mine & pushed.theirs, 0);
        prop_assert_ne!(pushed.mine & PushoverBoard::<4>::entry_cell(PushoverMove(entry)), 0);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-o+.A-Pa-z>é ]{0,40}") {
        let _ = Pushover::<4>::START.read_like(&text);
        let _ = Pushover::<4>::START.read_move(&text);
        let _ = Pushover::<5>::START.read_like(&text);
    }

    #[test]
    fn texts_near_a_position_are_read_or_refused(mut text in "[o+.]{16}[A-P-][o+]", other in "[o+.]{16}>") {
        if let Ok(position) = Pushover::<4>::START.read_like(&text) {
            prop_assert_eq!(position.write(), text.clone());
        }
        text.insert_str(0, &other);
        if let Ok(position) = Pushover::<4>::START.read_like(&text) {
            prop_assert_eq!(Pushover::<4>::START.read_like(&position.write()).unwrap(), position);
        }
    }
}

/// Figure 2.3 of the document: o pushed three in a row against a +, + pushed back at A, and o may not
/// play E again, because that would bring back the position on the left.
#[test]
fn figure_2_3() {
    let game = referee::<4>();
    let mut line = game.read_position("+ooo...+...o...Eo").unwrap();
    assert_eq!(line.now.write(), "+ooo...+...o....Eo");
    assert_eq!(line.now.seat(), Seat::Second);
    line.now.play(line.now.read_move("a").unwrap());
    assert_eq!(line.now.write(), "+ooo...+...o....>++oo...+...o....A+");
    let refusal = line.now.read_move("E").unwrap_err().to_string();
    assert!(refusal.contains("'E' is forbidden by the rule against repetition"), "{refusal}");
    assert_eq!(line.now.moves().len(), 15);
}

/// Compare boards, not moves: a perpendicular push can recreate the forbidden board too.
#[test]
fn a_perpendicular_push_can_be_forbidden() {
    let perpendicular = (0..20_000u64).find_map(|seed| {
        let (mut rng, mut position, mut scratch) = (Rng::new(seed), Pushover::<4>::START, Vec::new());
        while position.outcome().is_none() {
            let last_is_row = position.last().is_some_and(|entry| entry.0 < 8);
            let bad: Vec<PushoverMove> =
                PushoverBoard::<4>::entries().filter(|&entry| position.repeats(entry)).collect();
            if bad.iter().any(|entry| position.last().is_some() && (entry.0 < 8) != last_is_row) {
                return Some(position);
            }
            position.play(position.random_move(&mut rng, &mut scratch));
        }
        None
    });
    let position = perpendicular.expect("such a position occurs in random games");
    assert!(position.moves().iter().all(|&mv| !position.repeats(mv)));
}

#[test]
fn both_lines_belong_to_the_one_who_just_moved() {
    let read = |text| Pushover::<4>::START.read_like(text).unwrap();
    assert_eq!(read("oooo++++........-o").outcome(), Some(Outcome::Win(Seat::First)));
    assert_eq!(read("oooo++++........-+").outcome(), Some(Outcome::Win(Seat::Second)));
    assert_eq!(read("oooo...........+P+").outcome(), Some(Outcome::Win(Seat::First)));
    assert_eq!(read("oooo...........+P+").moves(), vec![]);
}

#[test]
fn a_long_game_is_a_draw() {
    let game = Referee { max_plies: Some(3), ..referee::<4>() };
    let mut line = game.read_position("................-+").unwrap();
    for letter in ["A", "E", "B"] {
        assert_eq!(game.outcome(&line), None);
        let mv = game.read_move(&line, letter).unwrap();
        game.play(&mut line, mv);
    }
    assert_eq!(game.outcome(&line), Some(Outcome::Draw));
    assert!(game.read_move(&line, "F").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn positions_that_no_play_leads_to_are_refused() {
    let refusal = |text: &str| Pushover::<4>::START.read_like(text).unwrap_err().to_string();
    assert!(refusal("oo..............-o").contains("2 o and 0 +"));
    assert!(refusal("o..+............-o").contains("one o more than +"));
    assert!(refusal("o...............-+").contains("as many of each"));
    // A full row may have lost any number of pieces.
    assert!(Pushover::<4>::START.read_like("ooo+............-o").is_ok());
    // Every position of real games is accepted, as the conformance suite shows.
}

#[test]
fn refusals_name_what_is_wrong() {
    let refusal = |text: &str| Pushover::<4>::START.read_like(text).unwrap_err().to_string();
    assert!(refusal("+ooo").contains("expected 16 cells"));
    assert!(refusal("+ooo...+...o.....Eo").contains("expected 16 cells"));
    assert!(refusal("xooo...+...o....Eo").contains("'x' is not a cell"));
    assert!(refusal("+ooo...+...o....Zo").contains("'Z' is not an entry"));
    assert!(refusal("+ooo...+...o....Ex").contains("'x' is not a side"));
    assert!(refusal("+ooo...+...o....Ao").contains("a piece of o must stand at that entry"));
    assert!(refusal("................>++oo...+...o....A+").contains("does not lead"));
    let illegal = Pushover::<4>::START.read_move("Q").unwrap_err().to_string();
    assert!(illegal.contains("expected a letter from A to P"), "{illegal}");
}
