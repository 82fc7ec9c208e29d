//! Positions as text: Forsyth–Edwards notation, with the rook's file where castling rights would be ambiguous (X-FEN);
//! files alone, as in Shredder-FEN, are read too.
//!
//! A written position reads back as the same position. A text that is not a position gives an error that names what is
//! wrong.

use std::fmt::Write;

use outplay_core::{Seat, Text, errors};

use super::pieces::{PieceKind, piece_from_fen_letter};
use super::rules::{Chess, DrawClock};
use super::squares::{Bitboard, ChessSquare};
use crate::colours::colour;

errors! {
    /// Why a text is not a position.
    #[derive(Clone, PartialEq, Eq)]
    pub enum FenError {
        NoBoard = "the FEN has no board" | "le FEN est incomplet : il manque les pièces",
        NoSide = "the FEN has no side to move" | "le FEN est incomplet : il manque le trait",
        Trailing { text: String } = "'{text}' follows the FEN, expected nothing" | "« {text} » suit le FEN, rien n’était attendu",
        Piece { letter: char } =
            "'{letter}' is not a piece, expected one of PNBRQKpnbrqk or a number of empty squares"
            | "« {letter} » n’est pas une pièce, attendu une de PNBRQKpnbrqk ou un nombre de cases vides",
        Ranks { found: usize } = "the FEN has {found} ranks, expected 8" | "le FEN a {found} rangées, attendu 8",
        Width { rank: String, found: usize } =
            "rank '{rank}' has {found} squares, expected 8" | "la rangée « {rank} » a {found} cases, attendu 8",
        Side { text: String } = "'{text}' is to move, expected w or b" | "le trait est à « {text} », attendu w ou b",
        Kings { side: Text, found: u32 } =
            "{side} has {found} kings, expected one" | "{side} ont {found} rois, attendu un seul",
        Pieces { side: Text, found: u32 } =
            "{side} has {found} pieces, expected at most 16" | "{side} ont {found} pièces, attendu 16 au plus",
        Pawn { square: ChessSquare } =
            "a pawn stands on {square}, where none can be" | "un pion se trouve en {square}, où il ne peut être",
        OpponentInCheck { side: Text } =
            "{side} is in check and not to move" | "{side} sont en échec sans avoir le trait",
        Castling { letter: char, side: Text } =
            "'{letter}' says that {side} may castle, but its king and a rook do not stand for it"
            | "« {letter} » dit que {side} peuvent roquer, mais leur roi et une tour ne sont pas à leur place",
        CastlingField { text: String } =
            "'{text}' is not a right to castle, expected letters such as KQkq, or -"
            | "« {text} » n’est pas un droit de roque, attendu des lettres telles que KQkq, ou -",
        EnPassant { text: String } =
            "en passant on '{text}': expected a square behind a pawn that has just gone two squares, or -"
            | "prise en passant en « {text} » : attendu la case derrière un pion qui vient d’avancer de deux cases, ou -",
        Clock { text: String } =
            "'{text}' is not a clock of moves without progress, expected a whole number"
            | "« {text} » n’est pas un nombre de coups sans progrès, attendu un nombre entier",
        MoveNumber { text: String } =
            "'{text}' is not a number of a move, expected a whole number"
            | "« {text} » n’est pas un numéro de coup, attendu un nombre entier",
    }
}

/// The greatest move number that is kept.
pub(super) const MAX_MOVE_NUMBER: u16 = u16::MAX / 2;

/// A side's first rank.
const fn home_rank(seat: Seat) -> u8 {
    match seat {
        Seat::First => 0,
        Seat::Second => 7,
    }
}

impl Chess {
    /// The start of a game.
    pub fn start() -> Self {
        Self::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("the usual start")
    }

    /// Reads a FEN. The last two fields may be missing.
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::NoBoard)?;
        let seat = match fields.next().ok_or(FenError::NoSide)? {
            "w" => Seat::First,
            "b" => Seat::Second,
            other => return Err(FenError::Side { text: other.to_owned() }),
        };
        let mut position = Self::empty(seat);
        position.read_board(board)?;
        position.read_castling_rights(fields.next().unwrap_or("-"))?;
        position.check_opponent_not_in_check()?;
        position.read_en_passant(fields.next().unwrap_or("-"))?;
        let clock = fields.next().unwrap_or("0");
        let no_clock = |_| FenError::Clock { text: clock.to_owned() };
        position.halfmove_clock = clock.parse::<u16>().map_err(no_clock)?.min(255) as u8;
        let number = fields.next().unwrap_or("1");
        let no_number = |_| FenError::MoveNumber { text: number.to_owned() };
        position.fullmove_number = number.parse::<u16>().map_err(no_number)?.clamp(1, MAX_MOVE_NUMBER);
        if let Some(more) = fields.next() {
            return Err(FenError::Trailing { text: more.to_owned() });
        }
        position.refresh_key();
        Ok(position)
    }

    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(FenError::Ranks { found: ranks.len() });
        }
        for (rank, line) in (0..8).rev().zip(&ranks) {
            let mut file = 0;
            for letter in line.chars() {
                if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let (seat, kind) = piece_from_fen_letter(letter).ok_or(FenError::Piece { letter })?;
                if file < 8 {
                    self.toggle_piece(seat, kind, ChessSquare::new(file as u8, rank));
                }
                file += 1;
            }
            if file != 8 {
                return Err(FenError::Width { rank: (*line).to_owned(), found: file });
            }
        }
        self.check_board()
    }

    pub(super) fn check_board(&self) -> Result<(), FenError> {
        for seat in Seat::BOTH {
            let kings = self.pieces(seat, PieceKind::King).len();
            if kings != 1 {
                return Err(FenError::Kings { side: colour(seat), found: kings });
            }
            let pieces = self.pieces_of_seat(seat).len();
            if pieces > 16 {
                return Err(FenError::Pieces { side: colour(seat), found: pieces });
            }
        }
        let misplaced = self.pieces_of_kind(PieceKind::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
        if misplaced.is_empty() { Ok(()) } else { Err(FenError::Pawn { square: misplaced.first() }) }
    }

    pub(super) fn check_opponent_not_in_check(&self) -> Result<(), FenError> {
        let waiting = !self.seat;
        let attackers = self.attackers(self.king(waiting), self.seat, self.occupied());
        if attackers.is_empty() { Ok(()) } else { Err(FenError::OpponentInCheck { side: colour(waiting) }) }
    }

    fn read_castling_rights(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let seat = if letter.is_ascii_uppercase() { Seat::First } else { Seat::Second };
            let rook = match letter.to_ascii_uppercase() {
                'K' => self.outermost_rook(seat, 1),
                'Q' => self.outermost_rook(seat, 0),
                file @ 'A'..='H' => Some(ChessSquare::new(file as u8 - b'A', home_rank(seat))),
                _ => return Err(FenError::CastlingField { text: text.to_owned() }),
            };
            let granted = rook.is_some_and(|rook| self.try_grant_castling(seat, rook));
            granted.then_some(()).ok_or_else(|| FenError::Castling { letter, side: colour(seat) })?;
        }
        Ok(())
    }

    /// Grants the right to castle with this rook. Returns false if king and rook are not on their first rank.
    pub(super) fn try_grant_castling(&mut self, seat: Seat, rook: ChessSquare) -> bool {
        let king = self.king(seat);
        let is_home = [king, rook].iter().all(|square| square.rank() == home_rank(seat));
        let stands = is_home && self.pieces(seat, PieceKind::Rook).contains(rook);
        if stands {
            self.castling_rooks[seat.index()][usize::from(rook.file() > king.file())] = Some(rook);
        }
        stands
    }

    /// The rook on the first rank that is farthest from the king on a wing.
    fn outermost_rook(&self, seat: Seat, wing: usize) -> Option<ChessSquare> {
        let king = self.king(seat);
        let rooks = self.pieces(seat, PieceKind::Rook) & Bitboard::rank(home_rank(seat));
        let is_beyond = |rook: &ChessSquare| (rook.file() > king.file()) == (wing == 1);
        let mut beyond = rooks.into_iter().filter(is_beyond);
        if wing == 0 { beyond.next() } else { beyond.last() }
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let granted = ChessSquare::parse(text).is_some_and(|square| self.try_set_en_passant(square));
        granted.then_some(()).ok_or_else(|| FenError::EnPassant { text: text.to_owned() })
    }

    /// Sets the en passant square. Returns false if no double push can have passed it.
    pub(super) fn try_set_en_passant(&mut self, square: ChessSquare) -> bool {
        let (rank, pawn_rank, from_rank) = if self.seat == Seat::First { (5, 4, 6) } else { (2, 3, 1) };
        let pawn = ChessSquare::new(square.file(), pawn_rank);
        let way = square.bitboard() | ChessSquare::new(square.file(), from_rank).bitboard();
        let has_gone = self.pieces(!self.seat, PieceKind::Pawn).contains(pawn);
        let stands = square.rank() == rank && has_gone && (way & self.occupied()).is_empty();
        if stands {
            self.set_en_passant_if_legal(square);
        }
        stands
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let Some((seat, kind)) = self.piece_on(ChessSquare::new(file, rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    let _ = write!(text, "{empty}");
                    empty = 0;
                }
                text.push(kind.fen_letter(seat));
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            text.push_str(if rank > 0 { "/" } else { "" });
        }
        let side = if self.seat == Seat::First { 'w' } else { 'b' };
        let passant = self.en_passant.map_or("-".to_owned(), |square| square.to_string());
        let _ = write!(
            text,
            " {side} {} {passant} {} {}",
            self.castling_field(),
            self.halfmove_clock,
            self.fullmove_number
        );
        text
    }

    /// The castling field: `KQkq` where the rook is the outermost on its wing, else its file.
    fn castling_field(&self) -> String {
        let mut text = String::new();
        for seat in Seat::BOTH {
            for (wing, letter) in [(1, 'K'), (0, 'Q')] {
                let Some(rook) = self.castling_rooks[seat.index()][wing] else { continue };
                let is_outer = self.outermost_rook(seat, wing) == Some(rook);
                let letter = if is_outer { letter } else { char::from(b'A' + rook.file()) };
                text.push(if seat == Seat::First { letter } else { letter.to_ascii_lowercase() });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// Start position `number` (0 to 959) of Chess960 in Scharnagl's numbering; 518 is the usual one.
    pub fn start_960(number: u16) -> Self {
        debug_assert!(number < 960);
        let row = back_rank_960(number);
        let back: String = row.iter().map(|kind| kind.letter()).collect();
        let text = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{back} w KQkq - 0 1", back.to_ascii_lowercase());
        Self::from_fen(&text).expect("a start position")
    }

    /// The fifty- or seventy-five-move rule in force.
    pub const fn draw_clock(&self) -> DrawClock {
        self.draw_clock
    }
}

/// The back rank of a start position of Chess960: the bishops on squares of both colours, then the queen, the knights in
/// one of ten ways, and rook, king, rook on the three squares left.
fn back_rank_960(number: u16) -> [PieceKind; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut row = [None; 8];
    row[2 * light as usize + 1] = Some(PieceKind::Bishop);
    row[2 * dark as usize] = Some(PieceKind::Bishop);
    let free = |row: &[Option<PieceKind>; 8]| (0..8).filter(|&file| row[file].is_none()).collect::<Vec<_>>();
    row[free(&row)[queen as usize]] = Some(PieceKind::Queen);
    let places = free(&row);
    let (first, second) = KNIGHTS[knights as usize];
    row[places[first]] = Some(PieceKind::Knight);
    row[places[second]] = Some(PieceKind::Knight);
    for (file, kind) in free(&row).into_iter().zip([PieceKind::Rook, PieceKind::King, PieceKind::Rook]) {
        row[file] = Some(kind);
    }
    row.map(|kind| kind.expect("every file is filled"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 17",
            "8/8/8/K2pP2r/8/8/8/7k w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "2r1kr2/8/8/8/8/8/8/1RR1K1R1 w KCk - 0 1",
        ] {
            assert_eq!(Chess::from_fen(text).unwrap().fen(), text);
        }
        let short = Chess::from_fen("4k3/8/8/8/8/8/8/4K3 b").unwrap();
        assert_eq!(short.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    /// Capturing would expose the king on a5 to the rook: no pawn can capture, so no square is kept.
    #[test]
    fn en_passant_is_kept_only_if_it_can_be_taken() {
        let fen = |text| Chess::from_fen(text).unwrap().fen();
        assert_eq!(fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"), "8/8/8/K2pP2r/8/8/8/7k w - - 0 1");
        assert_eq!(fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let refusal = |text: &str| Chess::from_fen(text).unwrap_err().to_string();
        for (text, expected) in [
            ("", "no board"),
            ("8/8/8/8/8/8/8/8", "no side to move"),
            ("8/8/8/8/8/8/8 w", "7 ranks"),
            ("9/8/8/8/8/8/8/8 w", "'9' is not a piece"),
            ("ppppppppp/8/8/8/8/8/8/8 w", "has 9 squares"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings"),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a8"),
            ("4k3/8/8/8/8/8/8/4K2p b - - 0 1", "a pawn stands on h1"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "black is in check and not to move"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x' is to move"),
            ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "'Q' says that white may castle"),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "'X' is not a right"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant on 'e9'"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant on 'e6'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x' is not a clock"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "'2' follows"),
        ] {
            assert!(refusal(text).contains(expected), "{text}: {}", refusal(text));
        }
    }

    /// Numbers 0, 518 and 959 as published.
    #[test]
    fn starts_of_chess960() {
        let row = |number| Chess::start_960(number).fen()[..8].to_ascii_uppercase();
        assert_eq!([row(0), row(518), row(959)], ["BBQNNRKR", "RNBQKBNR", "RKRNNQBB"]);
        let mut all: Vec<String> = (0..960).map(row).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 960);
    }
}
