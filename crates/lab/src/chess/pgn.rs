//! Games of chess as files: PGN and FEN, read and written. The syntax of PGN is with the rules of chess.
//!
//! Players elsewhere need not claim a draw, so games that are read go on until the rules end them.

use outplay_runtime::WorkError;
use std::io::BufRead;

use outplay_core::{Position, Referee, errors};
use outplay_games::chess::pgn::{PgnGame, PgnPly, PgnReader, PgnResult};
use outplay_games::chess::{Chess, DrawClock};

use crate::registry::{FormatInfo, GameFormat, PlayedGame};
use outplay_arena::record::GameTranscript;

errors! {
    /// Why a pasted text is no game.
    pub enum PgnTextError {
        NoGame = "the text holds no game: expected PGN" | "le texte ne contient aucune partie : attendu du PGN",
    }
}

/// The games of a text, their main lines only. A game that cannot be read is an error that says where; the next follows.
pub fn read<'a>(source: impl BufRead + 'a) -> impl Iterator<Item = Result<GameTranscript, WorkError>> + 'a {
    PgnReader::new(source).map(|game| Ok(told(&game?)))
}

fn told(game: &PgnGame) -> GameTranscript {
    let mut position = game.start;
    let mut moves = Vec::with_capacity(game.line.plies.len());
    for ply in &game.line.plies {
        moves.push(position.san(ply.mv));
        position.play(ply.mv);
    }
    GameTranscript {
        game: "chess:draws=forced".to_owned(),
        players: ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?").to_owned()).to_vec(),
        setup: 0,
        position: (game.start != Chess::start()).then(|| game.start.fen()),
        random_plies: 0,
        moves,
    }
}

/// The formats in which a game can be written.
pub(super) const FORMATS: &[GameFormat<Referee<Chess>>] = &[
    GameFormat {
        info: FormatInfo { name: "pgn", media_type: "application/x-chess-pgn", holds_many: true },
        write: write_pgn,
    },
    GameFormat {
        info: FormatInfo { name: "fen", media_type: "text/plain", holds_many: false },
        write: |played| Some(played.states.last()?.now.fen()),
    },
];

fn write_pgn(played: &PlayedGame<'_, Referee<Chess>>) -> Option<String> {
    // Which draws are forced is not part of PGN.
    let mut game = PgnGame::new(played.states.first()?.now.with_draw_clock(DrawClock::Fifty));
    game.line.plies = played.moves.iter().map(|&mv| PgnPly::new(mv)).collect();
    game.result = played.result.map_or(PgnResult::Open, PgnResult::Finished);
    game.tags.push(("Event".to_owned(), "Outplay".to_owned()));
    let players = ["White", "Black"].into_iter().zip(played.players);
    game.tags.extend(players.map(|(tag, player)| (tag.to_owned(), player.clone())));
    Some(game.to_string())
}

/// Reads a text that holds a position in FEN or a game in PGN; `None` if it looks like neither.
pub(super) fn read_text(text: &str) -> Option<Result<GameTranscript, WorkError>> {
    let text = text.trim();
    if let Ok(start) = Chess::from_fen(text) {
        let game = GameTranscript {
            position: Some(text.to_owned()),
            players: Vec::new(),
            ..told(&PgnGame::new(start))
        };
        return Some(Ok(game));
    }
    // A row of Minesweeper may have a 1 before a dot, too.
    let is_first_move = |word: &str| {
        let move_text = word.strip_prefix("1.").map(|rest| rest.trim_start_matches('.'));
        word == "1."
            || move_text.is_some_and(|text| text.starts_with(|letter: char| letter.is_ascii_alphabetic()))
    };
    let looks_like_pgn = text.starts_with('[') || text.split_whitespace().any(is_first_move);
    let no_game = || Err(PgnTextError::NoGame.into());
    looks_like_pgn.then(|| read(text.as_bytes()).next().unwrap_or_else(no_game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_texts_are_told_apart() {
        let game = read_text("[White \"A\"]\n\n1. e4 e5 2. Nf3 *").unwrap().unwrap();
        assert_eq!((game.moves.join(" ").as_str(), game.position), ("e4 e5 Nf3", None));
        assert_eq!(game.players, ["A", "?"]);
        assert!(read_text("1. e5").unwrap().is_err());
        assert!(read_text("mines 3").is_none());
        let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
        let position = read_text(fen).unwrap().unwrap();
        assert_eq!((position.position.as_deref(), position.moves.len()), (Some(fen), 0));
        assert!(position.players.is_empty());
    }

    #[test]
    fn games_follow_each_other_and_a_bad_one_says_where() {
        let text = "[White \"A\"]\n\n1. e4 (1. d4) e5 2. Nf3 *\n\n[White \"B\"]\n\n1. e5 1-0\n\n[White \"C\"]\n\n1. d4 1/2-1/2\n";
        let games: Vec<_> = read(text.as_bytes()).collect();
        assert_eq!(games.len(), 3);
        let first = games[0].as_ref().unwrap();
        assert_eq!((first.moves.join(" ").as_str(), &first.position), ("e4 e5 Nf3", &None));
        assert_eq!(first.players, ["A", "?"]);
        assert!(games[1].as_ref().unwrap_err().to_string().starts_with("line 7, column "));
        assert_eq!(games[2].as_ref().unwrap().moves, ["d4"]);
    }

    #[test]
    fn a_game_from_elsewhere_keeps_its_beginning() {
        let text = "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
        let game = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.position.as_deref(), Some("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
        assert_eq!(game.moves, ["e4"]);
    }
}
