//! ChessMove notation: standard algebraic notation for people, from-to for programs (UCI).
//!
//! A written move reads back as the same move. Reading ignores marks that change nothing (`+`, `#`, `!`, `?`, `x`, `=`)
//! and accepts zeros for castling. An error names the move.

use outplay_core::scene::{Reserve, Scene, Shape, Touch};
use outplay_core::{
    IllegalMove, MalformedPosition, Outcome, Position, PositionNotation, Seat, Text, View, errors,
};

use super::moves::{ChessMove, MoveKind};
use super::pieces::PieceKind;
use super::rules::Chess;
use super::scene;
use super::squares::ChessSquare;
use crate::colours::SEAT_NAMES;

errors! {
    /// Why a text names no move that can be played.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ChessMoveError {
        NotHere { text: String } = "the move '{text}' cannot be played here" | "le coup « {text} » ne peut être joué ici",
        Unreadable =
            "expected a move such as Nf3, exd5, e8=Q, O-O or e2e4"
            | "attendu un coup tel que Nf3, exd5, e8=Q, O-O ou e2e4 (pièces en anglais)",
        Ambiguous =
            "several pieces could, expected the one's file or rank as well"
            | "plusieurs pièces le pourraient, précisez la colonne ou la rangée",
        Check =
            "the king is in check, or the piece cannot go there" | "le roi est en échec, ou la pièce ne peut y aller",
        NoWhitePiece = "none of white's pieces can do that" | "aucune pièce blanche ne peut faire cela",
        NoBlackPiece = "none of black's pieces can do that" | "aucune pièce noire ne peut faire cela",
    }
}

impl PositionNotation for Chess {
    const SEAT_NAMES: [Text; 2] = SEAT_NAMES;

    fn write_move(&self, mv: ChessMove) -> String {
        self.san(mv)
    }

    fn read_move(&self, text: &str) -> Result<ChessMove, IllegalMove> {
        let text = text.trim();
        self.read_uci(text).or_else(|_| self.read_san(text))
    }

    fn write(&self) -> String {
        self.fen()
    }

    fn read_like(&self, text: &str) -> Result<Self, MalformedPosition> {
        let position = Self::from_fen(text).map_err(MalformedPosition::new)?;
        Ok(position.with_draw_clock(self.draw_clock()))
    }

    fn draw(&self) -> Scene {
        scene::draw(self)
    }

    fn reserves(&self, start: &Self) -> [Vec<Reserve>; 2] {
        scene::reserves(self, start)
    }

    fn touches(&self, mv: ChessMove) -> Vec<Touch> {
        scene::touches(mv)
    }

    fn choice(&self, mv: ChessMove) -> Option<Shape> {
        scene::choice(mv)
    }

    fn attempted_move(&self, touches: &[Touch]) -> Option<String> {
        scene::attempted_move(self, touches)
    }
}

impl Chess {
    /// Standard algebraic notation: `Nf3`, `exd5`, `R1a3`, `e8=Q`, `O-O`, with `+` for check and `#` for mate.
    pub fn san(&self, mv: ChessMove) -> String {
        let (from, to) = (mv.from(), mv.to());
        let mut text = match (mv.kind(), self.kind_on(from)) {
            (MoveKind::Castling, _) => if to.file() > from.file() { "O-O" } else { "O-O-O" }.to_owned(),
            (move_kind, PieceKind::Pawn) => {
                let start = if from.file() == to.file() {
                    String::new()
                } else {
                    format!("{}x", char::from(b'a' + from.file()))
                };
                let promotion = match move_kind {
                    MoveKind::Promotion(kind) => format!("={}", kind.letter()),
                    _ => String::new(),
                };
                format!("{start}{to}{promotion}")
            }
            (_, kind) => {
                let takes = if self.occupied().contains(to) { "x" } else { "" };
                format!("{}{}{takes}{to}", kind.letter(), self.disambiguation(mv, kind))
            }
        };
        let after = self.after(mv);
        if after.in_check() {
            let is_mate = matches!(after.outcome(), Some(Outcome::Win(_)));
            text.push(if is_mate { '#' } else { '+' });
        }
        text
    }

    /// Disambiguation from other pieces of the kind that can move to the same square: the file, else the rank, else both.
    fn disambiguation(&self, mv: ChessMove, kind: PieceKind) -> String {
        let rivals: Vec<ChessSquare> = self
            .moves()
            .into_iter()
            .filter(|other| other.to() == mv.to() && other.from() != mv.from())
            .filter(|other| other.kind() != MoveKind::Castling && self.kind_on(other.from()) == kind)
            .map(ChessMove::from)
            .collect();
        let from = mv.from();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != from.file()) {
            from.to_string()[..1].to_owned()
        } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
            from.to_string()[1..].to_owned()
        } else {
            from.to_string()
        }
    }

    /// UCI notation: `e2e4`, `e7e8q`; castling by the king's target square, or in Chess960 by the rook's square.
    pub fn uci(&self, mv: ChessMove, is_960: bool) -> String {
        let (from, mut to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castling && !is_960 {
            to = Self::castling_targets(from, to).0;
        }
        let promoted = mv.promoted().map(|kind| kind.letter().to_ascii_lowercase().to_string());
        format!("{from}{to}{}", promoted.unwrap_or_default())
    }

    /// Reads a legal move in UCI notation. Castling may be written in either way; where the king's move could also be a normal
    /// one, the normal one comes first.
    pub fn read_uci(&self, text: &str) -> Result<ChessMove, IllegalMove> {
        let moves = self.moves();
        let written = |is_960| moves.iter().find(|&&mv| self.uci(mv, is_960) == text).copied();
        let found = written(true).or_else(|| written(false));
        found.ok_or_else(|| IllegalMove::new(ChessMoveError::NotHere { text: text.to_owned() }))
    }

    /// Reads a legal move in algebraic notation.
    pub fn read_san(&self, text: &str) -> Result<ChessMove, IllegalMove> {
        let plain: String = text.chars().filter(|mark| !"+#!?x=-:".contains(*mark)).collect();
        let plain = plain.replace('0', "O");
        let candidates: Vec<ChessMove> =
            self.moves().into_iter().filter(|&mv| self.is_meant(mv, &plain)).collect();
        match candidates[..] {
            [only] => Ok(only),
            [] if self.outcome().is_some() => Err(IllegalMove::game_over(text)),
            [] => Err(IllegalMove::forbidden(text, self.objection(&plain))),
            _ => Err(IllegalMove::forbidden(text, ChessMoveError::Ambiguous)),
        }
    }

    /// Whether a text without marks denotes this move.
    fn is_meant(&self, mv: ChessMove, plain: &str) -> bool {
        let (from, to, kind) = (mv.from(), mv.to(), self.kind_on(mv.from()));
        if mv.kind() == MoveKind::Castling {
            return plain == if to.file() > from.file() { "OO" } else { "OOO" };
        }
        let mut rest = plain;
        if kind != PieceKind::Pawn {
            let Some(stripped) = rest.strip_prefix(kind.letter()) else { return false };
            rest = stripped;
        }
        if let Some(promoted) = mv.promoted() {
            let letter = promoted.letter();
            let Some(stripped) =
                rest.strip_suffix(letter).or_else(|| rest.strip_suffix(letter.to_ascii_lowercase()))
            else {
                return false;
            };
            rest = stripped;
        }
        let (from, to) = (from.to_string(), to.to_string());
        let Some(which) = rest.strip_suffix(to.as_str()) else { return false };
        let is_straight = kind == PieceKind::Pawn && from[..1] == to[..1];
        match which {
            "" => kind != PieceKind::Pawn || is_straight,
            which => which == from || which == &from[..1] || (which == &from[1..] && kind != PieceKind::Pawn),
        }
    }

    fn objection(&self, plain: &str) -> ChessMoveError {
        let names_a_square = plain.len() >= 2
            && plain.is_ascii()
            && (0..plain.len() - 1).any(|at| ChessSquare::parse(&plain[at..at + 2]).is_some());
        if !names_a_square && !plain.starts_with("OO") {
            ChessMoveError::Unreadable
        } else if self.in_check() {
            ChessMoveError::Check
        } else if self.seat() == Seat::First {
            ChessMoveError::NoWhitePiece
        } else {
            ChessMoveError::NoBlackPiece
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    /// Every move of many positions is read back from both of its texts.
    #[test]
    fn moves_read_back() {
        let mut scratch = Vec::new();
        for game in 0..60 {
            let mut rng = Rng::stream(4, game);
            let mut position =
                if game % 2 == 0 { Chess::start() } else { Chess::start_960(rng.below(960) as u16) };
            while position.outcome().is_none() && position.fullmove_number < 60 {
                for mv in position.moves() {
                    let san = position.san(mv);
                    assert_eq!(position.read_move(&san).ok(), Some(mv), "{san} in {}", position.fen());
                    for is_960 in [false, true] {
                        let uci = position.uci(mv, is_960);
                        let read = position.read_uci(&uci).unwrap();
                        assert!(read == mv || (game % 2 == 1 && !is_960), "{uci} in {}", position.fen());
                    }
                }
                position.play(position.random_move(&mut rng, &mut scratch));
            }
        }
    }

    #[test]
    fn texts_of_moves() {
        let san = |fen: &str, uci: &str| {
            let position = Chess::from_fen(fen).unwrap();
            position.san(position.read_uci(uci).unwrap())
        };
        assert_eq!(san("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), "a8=Q+");
        assert_eq!(san("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"), "O-O");
        assert_eq!(san("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"), "O-O-O");
        assert_eq!(san("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1c1"), "Rac1");
        assert_eq!(san("4k3/8/8/R7/8/8/8/R5K1 w - - 0 1", "a1a3"), "R1a3");
        assert_eq!(san("8/8/8/1k6/4Q2Q/8/8/K6Q w - - 0 1", "h4e1"), "Qh4e1");
        assert_eq!(san("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8"), "Ra8#");
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let position = Chess::from_fen("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        for (text, uci) in [
            ("0-0", "e1g1"),
            ("O-O-O", "e1c1"),
            ("exd6", "e5d6"),
            ("ed6", "e5d6"),
            ("e5xd6", "e5d6"),
            ("bxa8=Q", "b7a8q"),
            ("ba8N+", "b7a8n"),
            ("b8=R+", "b7b8r"),
            ("Rxa8+!", "a1a8"),
            ("Ke2", "e1e2"),
        ] {
            let expected = position.read_uci(uci).unwrap();
            assert_eq!(position.read_move(text).unwrap(), expected, "{text}");
        }
        let refusal = |text: &str| position.read_move(text).unwrap_err().to_string();
        assert!(refusal("Nf3").contains("'Nf3' cannot be played: none of white's pieces"));
        assert!(refusal("hello").contains("expected a move such as"));
        assert!(refusal("é").contains("expected a move such as"));
    }
}
