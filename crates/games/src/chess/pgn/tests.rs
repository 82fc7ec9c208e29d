//! Reading and writing games.

use outplay_core::{Position, Rng, Seat, View};
use proptest::prelude::*;

use super::*;

fn read_all(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text.as_bytes()).collect()
}

fn read(text: &str) -> PgnGame {
    let mut games = read_all(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap()
}

fn sans(game: &PgnGame) -> Vec<String> {
    let mut position = game.start;
    let mut texts = Vec::new();
    for ply in &game.line.plies {
        texts.push(position.san(ply.mv));
        position.play(ply.mv);
    }
    texts
}

const ANNOTATED: &str = r#"[Event "Casual \"game\""]
[White "A. Anderssen"]
[Black "N. N."]
[Result "1-0"]

{A beginning} 1. e4 e5 2. f4!? {+0.10/12 1.5s} (2. Nf3 Nc6 (2... d6 $6 {Philidor}) 3. Bb5) 2... exf4
; to the end of the line
% an escape
3.Bc4 Qh4+ {[%eval 0.7] [%clk 0:05:00]} 4. Kf1 1-0
"#;

#[test]
fn everything_that_is_said_is_kept() {
    let game = read(ANNOTATED);
    assert_eq!(game.tag("Event"), Some("Casual \"game\""));
    assert_eq!(sans(&game), ["e4", "e5", "f4", "exf4", "Bc4", "Qh4+", "Kf1"]);
    assert_eq!(game.line.comments, ["A beginning"]);
    let plies = &game.line.plies;
    assert_eq!((&plies[2].nags[..], &plies[2].comments[..]), (&[5][..], &["+0.10/12 1.5s".to_owned()][..]));
    let [variation] = &plies[2].variations[..] else { panic!("{plies:?}") };
    assert_eq!(variation.plies.len(), 3);
    assert_eq!(variation.plies[1].variations[0].plies[0].comments, ["Philidor"]);
    assert_eq!(plies[3].comments, ["to the end of the line"]);
    let comment = EngineComment::read(&plies[5].comments[0], Seat::Second);
    assert_eq!(comment.white_score, Some(CommentScore::Centipawns(70)));
    assert_eq!(game.result, PgnResult::Finished(Outcome::Win(Seat::First)));
    let again = read(&game.to_string());
    assert_eq!((&again.line, again.result), (&game.line, game.result));
    assert_eq!(again.to_string(), game.to_string());
}

/// A comment to the end of a line may hold the brace that would end another kind of comment.
#[test]
fn a_closing_brace_in_a_comment_reads_back() {
    let game = read("1. e4 ; better} than 1. d4 {\n1... e5 (1... c5 ;}\n2. Nf3) 2. Nf3 *");
    assert_eq!(game.line.plies[0].comments, ["better} than 1. d4 {"]);
    assert_eq!(read(&game.to_string()).line, game.line);
}

/// The name of a tag may begin with a digit, also at the beginning of a line.
#[test]
fn a_tag_that_begins_with_a_digit_is_a_tag_of_its_game() {
    let game = read("[White \"x\"]\n[1st \"y\"]\n[Black \"z\"]\n\n{said} 1. e4 *\n");
    assert_eq!((game.tag("1st"), game.tag("Black")), (Some("y"), Some("z")));
    assert_eq!(read(&game.to_string()).line, game.line);
}

/// Some programs begin a file with a byte order mark.
#[test]
fn a_byte_order_mark_is_no_part_of_the_first_tag() {
    let [first, second] = &read_all("\u{feff}[White \"x\"]\n\n1. e4 *\n\n[White \"y\"]\n\n1. d4 *\n")[..]
    else {
        panic!("two games");
    };
    assert_eq!(first.as_ref().unwrap().tag("White"), Some("x"));
    assert_eq!(second.as_ref().unwrap().tag("White"), Some("y"));
}

#[test]
fn games_follow_each_other_with_and_without_tags() {
    let games =
        read_all("1. e4 e5 1/2-1/2 1. d4 d5 *\n\n1. c4 0-1\n[White \"x\"]\n\n1. Nf3\n\n[White \"y\"]\n*");
    let lines: Vec<_> = games.into_iter().map(|game| sans(&game.unwrap()).join(" ")).collect();
    assert_eq!(lines, ["e4 e5", "d4 d5", "c4", "Nf3", ""]);
    assert!(read_all("").is_empty() && read_all(" \n\n ").is_empty());
}

#[test]
fn an_error_says_where_and_the_next_game_is_read() {
    let text = "[White \"a\"]\n\n1. e4 e5\n2. Ke3 Nc6 *\n\n[White \"b\"]\n\n1. d4 *\n";
    let games = read_all(text);
    let [Err(error), Ok(next)] = &games[..] else { panic!("{games:?}") };
    assert!(error.to_string().starts_with("line 4, column 4: the move 'Ke3' cannot be played"), "{error}");
    assert_eq!(sans(next), ["d4"]);
    for (text, expected) in [
        ("1. e4 {no end", "line 1, column 7: this comment is not closed"),
        ("1. e4 (1. d4", "ends inside a variation"),
        ("1. e4 ) e5", "')' closes no variation"),
        ("( 1. e4 )", "before any move"),
        ("[White x]\n*", "expected a tag"),
        ("[FEN \"8/8/8/8/8/8/8/8 w\"]\n*", "white has 0 kings"),
        ("1. e4 $900", "'$900' is not a glyph"),
    ] {
        let error = read_all(text).remove(0).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(200));
    assert!(read_all(&deep).remove(0).unwrap_err().to_string().contains("nested more than 100 deep"));
}

/// A game of random moves, with variations, glyphs and comments here and there.
fn random_game(seed: u64) -> PgnGame {
    let mut rng = Rng::new(seed);
    let start = if seed.is_multiple_of(3) { Chess::start_960(rng.below(960) as u16) } else { Chess::start() };
    let mut game = PgnGame::new(start);
    game.line = random_line(&mut rng, start, 60, 2);
    game.tags.push(("Annotator".to_owned(), "back\\slash and \"quotes\"".to_owned()));
    game.result = [PgnResult::Open, PgnResult::Finished(Outcome::Draw)][rng.below(2)];
    game
}

fn random_line(rng: &mut Rng, start: Chess, most: usize, depth: usize) -> PgnLine {
    let (mut position, mut line, mut scratch) = (start, PgnLine::default(), Vec::new());
    if rng.below(4) == 0 {
        line.comments.push("first words".to_owned());
    }
    for _ in 0..=rng.below(most) {
        if position.outcome().is_some() {
            break;
        }
        let mut ply = PgnPly::new(position.random_move(rng, &mut scratch));
        if rng.below(5) == 0 {
            ply.nags.push(rng.below(140) as u8);
            ply.comments.push(
                "a longer comment, of many words, that does not fit in the rest of a line [%clk 0:01:00]"
                    .to_owned(),
            );
        }
        if depth > 0 && rng.below(8) == 0 {
            ply.variations.push(random_line(rng, position, 8, depth - 1));
        }
        position.play(ply.mv);
        line.plies.push(ply);
    }
    line
}

#[test]
fn what_was_written_reads_back() {
    let games: Vec<PgnGame> = (0..40).map(random_game).collect();
    let text: String = games.iter().map(|game| game.to_string() + "\n").collect();
    let read: Vec<PgnGame> = read_all(&text).into_iter().map(Result::unwrap).collect();
    assert_eq!(read.len(), games.len());
    for (read, game) in read.iter().zip(&games) {
        assert_eq!((&read.line, read.result, read.start), (&game.line, game.result, game.start));
        assert_eq!(read.tag("Annotator"), game.tag("Annotator"));
        assert_eq!(read.to_string(), game.to_string());
    }
    let widest =
        text.lines().filter(|line| !line.contains('{') && !line.starts_with('[')).map(str::len).max();
    assert!(widest <= Some(80), "{widest:?}");
}

proptest! {
    #[test]
    fn no_text_does_harm(text in "[ -~\n\\[\\]\\(\\){};$%é]{0,200}") {
        let _ = read_all(&text);
    }

    #[test]
    fn no_change_of_a_game_does_harm(seed in 0u64..50, at in 0usize..4000, with in any::<u8>()) {
        let mut bytes = random_game(seed).to_string().into_bytes();
        let place = at % bytes.len();
        bytes[place] = with;
        let count = PgnReader::new(&bytes[..]).count();
        prop_assert!(count <= 1 + bytes.len());
    }
}

/// Counts what is read of a line that has no end.
struct EndlessLine<'a>(&'a std::cell::Cell<usize>);

impl std::io::Read for EndlessLine<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(b'x');
        self.0.set(self.0.get() + buffer.len());
        Ok(buffer.len())
    }
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let read = std::cell::Cell::new(0);
    let mut games = PgnReader::new(std::io::BufReader::new(EndlessLine(&read)));
    let refusal = games.next().unwrap().unwrap_err().to_string();
    assert_eq!(refusal, "line 1, column 1: this game has no end");
    assert!(read.get() < 20 << 20, "{} bytes were read", read.get());
}
