//! The commands of the protocol, read from lines of text.
//!
//! A line is a command, nothing, or refused with one sentence that names the word; no text causes a panic. Unknown words
//! before a command are skipped, as the protocol says. `go` is always a command, because it must be answered: unknown
//! words are skipped, and a limit that cannot be read becomes the smallest possible one.

use std::time::Duration;

use super::error::{UciError, quote};

/// A command of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UciCommand {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// `setup` is all that comes before the moves.
    Position {
        setup: String,
        moves: Vec<String>,
    },
    Go(GoParams),
    Stop,
    PonderHit,
    Quit,
}

/// The parameters of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GoParams {
    /// White's and black's time on the clock, and below their increments.
    pub(super) time: [Option<Duration>; 2],
    pub(super) increment: [Option<Duration>; 2],
    /// Moves until more time is added.
    pub(super) moves_left: Option<u32>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) move_time: Option<Duration>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) only: Vec<String>,
    /// What could not be read: the first few errors.
    errors: Vec<UciError>,
}

impl GoParams {
    /// A line is answered with no more errors than this.
    const MOST_ERRORS: usize = 4;
    /// More moves than any position has; what follows them in a line is skipped.
    const MOST_MOVES: usize = 512;

    pub(super) fn add_error(&mut self, error: UciError) {
        if self.errors.len() < Self::MOST_ERRORS {
            self.errors.push(error);
        }
    }

    pub(super) fn errors(&self) -> &[UciError] {
        &self.errors
    }
}

static GO: [&str; 12] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
];

/// The first command in a line; `None` for an empty line.
pub(super) fn read(line: &str) -> Result<Option<UciCommand>, UciError> {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        return Ok(Some(match word {
            "uci" => UciCommand::Uci,
            "isready" => UciCommand::IsReady,
            "ucinewgame" => UciCommand::NewGame,
            "stop" => UciCommand::Stop,
            "ponderhit" => UciCommand::PonderHit,
            "quit" => UciCommand::Quit,
            // There is no debug output and no registration.
            "debug" | "register" => return Ok(None),
            "setoption" => read_option(&words.collect::<Vec<_>>())?,
            "position" => read_position(&words.collect::<Vec<_>>()),
            "go" => UciCommand::Go(read_go(&words.collect::<Vec<_>>())),
            _ => continue,
        }));
    }
    match line.split_whitespace().next() {
        None => Ok(None),
        Some(word) => Err(UciError::NoCommand { word: quote(word) }),
    }
}

fn read_option(words: &[&str]) -> Result<UciCommand, UciError> {
    let Some((&"name", words)) = words.split_first() else {
        return Err(UciError::NoOptionName);
    };
    let end = words.iter().position(|&word| word == "value");
    let name = words[..end.unwrap_or(words.len())].join(" ");
    Ok(UciCommand::SetOption { name, value: end.map(|end| words[end + 1..].join(" ")) })
}

fn read_position(words: &[&str]) -> UciCommand {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(end);
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    UciCommand::Position { setup: setup.join(" "), moves }
}

fn read_go(words: &[&str]) -> GoParams {
    let mut go = GoParams::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO.contains(word)) {
                    if go.only.len() < GoParams::MOST_MOVES {
                        go.only.push(mv.to_owned());
                    }
                }
            }
            _ if GO.contains(&word) => {
                let text = words.next_if(|word| !GO.contains(word)).unwrap_or_default();
                set_number(&mut go, word, text);
            }
            _ => go.add_error(UciError::GoWord { word: quote(word), known: &GO }),
        }
    }
    go
}

fn set_number(go: &mut GoParams, word: &str, text: &str) {
    let least = match word {
        // A clock may already have run out.
        "wtime" | "btime" | "winc" | "binc" => i64::MIN,
        "movetime" => 0,
        _ => 1,
    };
    let number = text.parse().ok().filter(|&number: &i64| number >= least).unwrap_or_else(|| {
        let words = format!("go {word} {}", quote(text)).trim_end().to_owned();
        go.add_error(UciError::GoNumber { words });
        least
    });
    let number = number.max(0) as u64;
    let time = Some(Duration::from_millis(number));
    let small = Some(u32::try_from(number).unwrap_or(u32::MAX));
    match word {
        "wtime" => go.time[0] = time,
        "btime" => go.time[1] = time,
        "winc" => go.increment[0] = time,
        "binc" => go.increment[1] = time,
        "movestogo" => go.moves_left = small,
        "depth" => go.depth = small,
        "nodes" => go.nodes = Some(number),
        "mate" => go.mate = small,
        _ => go.move_time = time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(read("  \t "), Ok(None));
        assert_eq!(read("uci"), Ok(Some(UciCommand::Uci)));
        let option = |name: &str, value: Option<&str>| {
            Ok(Some(UciCommand::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }))
        };
        assert_eq!(read("setoption name Hash value 32"), option("Hash", Some("32")));
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
        let Ok(Some(UciCommand::Position { setup, moves })) =
            read("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2 c1c2")
        else {
            panic!("a position");
        };
        assert_eq!((setup.as_str(), moves.len()), ("fen 8/8/8/8/8/8/8/K1k5 w - - 0 1", 2));
        let Ok(Some(UciCommand::Go(go))) =
            read("go ponder wtime 1000 btime -5 winc 10 searchmoves e2e4 d2d4 depth 7 nodes 99 infinite")
        else {
            panic!("go");
        };
        assert_eq!(go.time, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!((go.only.len(), go.depth, go.nodes), (2, Some(7), Some(99)));
        assert!(go.ponder && go.infinite);
    }

    #[test]
    fn refusals_name_the_word() {
        let refusal = |line: &str| read(line).unwrap_err().to_string();
        assert!(refusal("hello").contains("'hello' is no command"));
        assert!(refusal("setoption Hash").contains("without a name"));
    }

    #[test]
    fn words_before_a_command_are_skipped() {
        assert_eq!(read("joho uci"), Ok(Some(UciCommand::Uci)));
        assert_eq!(read("joho joho stop at once"), Ok(Some(UciCommand::Stop)));
    }

    #[test]
    fn errors_of_go_are_reported_and_leave_a_limit() {
        let go = |line: &str| match read(line) {
            Ok(Some(UciCommand::Go(go))) => go,
            other => panic!("{line}: {other:?}"),
        };
        for (line, error) in [
            ("go depth x", "go depth x: expected a whole number"),
            ("go depth", "go depth: expected a whole number"),
            ("go depth infinite", "go depth: expected a whole number"),
            ("go depth -3", "go depth -3: expected a whole number"),
        ] {
            let go = go(line);
            assert_eq!((go.depth, go.errors().len()), (Some(1), 1), "{line}");
            assert!(go.errors()[0].to_string().starts_with(error), "{line}: {}", go.errors()[0]);
        }
        let soon = go("go movetime soon nodes 0 wtime -5");
        assert_eq!((soon.move_time, soon.nodes, soon.errors().len()), (Some(Duration::ZERO), Some(1), 2));
        let sideways = go("go wtime 1000 foo winc 10");
        assert_eq!(sideways.increment[0], Some(Duration::from_millis(10)));
        assert!(sideways.errors()[0].to_string().starts_with("go foo: expected one of wtime"));
    }

    proptest! {
        #[test]
        fn no_line_does_harm(line in "\\PC*") {
            let _ = read(&line);
        }

        #[test]
        fn no_line_of_known_words_does_harm(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "go", "position", "startpos", "fen", "moves", "setoption", "name", "value", "e2e4", "depth", "-1",
                    "99999999999999999999", "searchmoves", "wtime", "infinite", "8/8/8/8/8/8/8/8", "w", "-",
                ]),
                0..8,
            )
        ) {
            let _ = read(&words.join(" "));
        }
    }
}
