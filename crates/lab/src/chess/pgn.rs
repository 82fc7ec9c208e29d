//! Games of chess in PGN, as told to the lab; the format itself is with the rules of chess.
//!
//! Players elsewhere need not claim a draw, so their games go on until the rules end them.

use std::io::BufRead;

use outplay_core::Position;
use outplay_games::chess::Chess;
use outplay_games::chess::pgn::{PgnGame, PgnReader};

use crate::error::LabError;
use outplay_arena::record::GameTranscript;

/// The games of a text, their main lines only. A game that cannot be read is an error that says where; the next follows.
pub fn read<'a>(source: impl BufRead + 'a) -> impl Iterator<Item = Result<GameTranscript, LabError>> + 'a {
    PgnReader::new(source).map(|game| Ok(told(&game.map_err(|error| LabError::refused(error.to_string()))?)))
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

#[cfg(test)]
mod tests {
    use super::*;

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
