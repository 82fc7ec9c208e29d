//! Examples from games whose moves carry an engine's evaluation in their comments.
//!
//! A move without an evaluation gives no example, nor does a move that ends the game.

use outplay_core::{Outcome, Position, Seat, View};

use super::file::GameExamples;
use super::packed::{MATE, PackedExample};
use crate::chess::pgn::{CommentScore, EngineComment, PgnGame, PgnPly};
use crate::chess::rules::Chess;

/// How book moves, which no engine evaluated, are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BookMoves {
    /// They give no example.
    #[default]
    Dropped,
    /// They score 0, as in the document's first set.
    Even,
}

/// Which games and moves are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExampleExtractor {
    /// Only games that end in mate, as in the document.
    pub only_mates: bool,
    /// How book moves are treated.
    pub book: BookMoves,
}

impl ExampleExtractor {
    /// The examples of a game; `None` if such games are not taken.
    pub fn extract(&self, game: &PgnGame) -> Option<GameExamples> {
        let (mut position, mut examples) = (game.start, Vec::new());
        for ply in &game.line.plies {
            let mover = position.seat();
            position.play(ply.mv);
            if let Some(score) = self.score(ply, mover)
                && position.outcome().is_none()
            {
                examples.extend(PackedExample::new(&position, score));
            }
        }
        let is_taken = !self.only_mates || is_mate(&position);
        is_taken.then_some(GameExamples { examples, result: game.result })
    }

    /// The evaluation of a move, for the side that made it.
    fn score(self, ply: &PgnPly, mover: Seat) -> Option<i16> {
        let comments = ply.comments.iter().map(|comment| EngineComment::read(comment, mover));
        let for_white = comments.into_iter().find_map(|comment| match (comment.white_score, self.book) {
            (Some(CommentScore::Centipawns(score)), _) => {
                Some(score.clamp(1 - i32::from(MATE), i32::from(MATE) - 1) as i16)
            }
            // Mate in 0: the side is already mated.
            (Some(CommentScore::Mate(moves)), _) => Some(if moves > 0 { MATE } else { -MATE }),
            (None, BookMoves::Even) => comment.is_book.then_some(0),
            (None, BookMoves::Dropped) => None,
        })?;
        Some(if mover == Seat::First { for_white } else { -for_white })
    }
}

fn is_mate(position: &Chess) -> bool {
    matches!(position.outcome(), Some(Outcome::Win(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::PgnReader;

    const GAME: &str =
        "1. f3 {book} e5 {book} 2. a3 {-0.57/13 0.30s} a6 {+0.60/3} 3. g4 {-M1/9} Qh4# {+M1/1} 0-1";

    fn scores(extractor: ExampleExtractor, text: &str) -> Option<Vec<i16>> {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        extractor.extract(&game).map(|game| game.examples.iter().map(PackedExample::score).collect())
    }

    /// Scores are the mover's; the mating move gives no example.
    #[test]
    fn verdicts_become_scores() {
        assert_eq!(scores(ExampleExtractor::default(), GAME), Some(vec![-57, 60, -MATE]));
        let with_book = ExampleExtractor { book: BookMoves::Even, ..ExampleExtractor::default() };
        assert_eq!(scores(with_book, GAME), Some(vec![0, 0, -57, 60, -MATE]));
    }

    #[test]
    fn games_without_mate_are_left_out_if_asked() {
        let mates = ExampleExtractor { only_mates: true, ..ExampleExtractor::default() };
        assert_eq!(scores(mates, GAME), Some(vec![-57, 60, -MATE]));
        let open = "1. e4 {+0.30/8} e5 {-0.20/8} 1/2-1/2";
        assert_eq!(scores(mates, open), None);
        assert_eq!(scores(ExampleExtractor::default(), open), Some(vec![30, -20]));
    }

    #[test]
    fn the_position_is_the_one_after_the_move() {
        let game = PgnReader::new(&b"1. e4 {+0.30/8} *"[..]).next().unwrap().unwrap();
        let game = ExampleExtractor::default().extract(&game).unwrap();
        let position = game.examples[0].position().unwrap();
        assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }
}
