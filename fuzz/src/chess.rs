//! Texts of chess: positions, moves, games, and the lines of the engine protocol.

use outplay_core::{Position, View};
use outplay_games::chess::Chess;
use outplay_games::chess::pgn::{EngineComment, PgnLine, PgnReader};

use crate::text;

/// A position that is read is written as a text that reads as the same position, and its moves can be written and read.
pub fn fen(input: &[u8]) {
    let Ok(position) = Chess::from_fen(&text(input)) else { return };
    let written = position.fen();
    assert_eq!(Chess::from_fen(&written), Ok(position), "{written}");
    for mv in position.moves() {
        for is_960 in [false, true] {
            let uci = position.uci(mv, is_960);
            let read = position.read_uci(&uci).expect("a written move");
            assert!(read == mv || !is_960, "{written}: {uci}");
        }
        let after = position.after(mv);
        assert_eq!(Chess::from_fen(&after.fen()), Ok(after), "{written}: {}", position.san(mv));
    }
}

/// Lines of a position, if the first one is a FEN, and moves in algebraic notation.
pub fn san(input: &[u8]) {
    let text = text(input);
    let mut lines = text.lines().peekable();
    let start = lines.peek().and_then(|line| Chess::from_fen(line).ok());
    if start.is_some() {
        lines.next();
    }
    let mut position = start.unwrap_or_else(Chess::start);
    for line in lines {
        let Ok(mv) = position.read_san(line) else { continue };
        let written = position.san(mv);
        assert_eq!(position.read_san(&written).ok(), Some(mv), "{}: {written}", position.fen());
        position.play(mv);
    }
}

/// Every game that is read is written as a text that reads as the same game.
pub fn pgn(input: &[u8]) {
    for game in PgnReader::new(input).flatten() {
        read_comments(&game.line);
        let written = game.to_string();
        let again = PgnReader::new(written.as_bytes()).next();
        let again = again.expect("a written game").unwrap_or_else(|error| panic!("{error}:\n{written}"));
        assert_eq!(
            (again.start, &again.line, again.result),
            (game.start, &game.line, game.result),
            "{written}"
        );
    }
}

fn read_comments(line: &PgnLine) {
    for comment in line.plies.iter().flat_map(|ply| &ply.comments) {
        let _ = EngineComment::read(comment, outplay_core::Seat::First);
    }
}

/// A session with the engine. Every search is stopped at once, and tables stay small.
pub fn uci(input: &[u8]) {
    let text = text(input);
    let lines = text.lines().filter(|line| !line.to_ascii_lowercase().contains("hash"));
    let mut session = "setoption name Hash value 1\n".to_owned();
    let mut searches = 0;
    for line in lines {
        session.extend([line, "\nstop\n"]);
        searches += usize::from(command(line) == Some("go"));
    }
    let mut answers = Vec::new();
    outplay_uci::serve(session.as_bytes(), &mut answers).expect("an input and an output that cannot fail");
    let answers = String::from_utf8(answers).expect("answers are text");
    if !text.lines().any(|line| command(line) == Some("quit")) {
        let answered = answers.lines().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answered, searches, "{session}\n{answers}");
    }
}

/// The command of a line: its first word that is one. Unknown words before it are skipped.
fn command(line: &str) -> Option<&str> {
    const COMMANDS: [&str; 11] = [
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "quit",
        "debug",
        "register",
        "setoption",
        "position",
        "go",
    ];
    line.split_whitespace().find(|word| COMMANDS.contains(word))
}
