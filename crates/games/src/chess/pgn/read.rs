//! Reads games one by one from a stream that may be larger than memory.
//!
//! The reader is tolerant: tags may be missing or in any order, moves may be written loosely, move numbers are not checked,
//! games may follow each other without a blank line. What cannot be parsed is an error with line and column; reading then
//! continues with the next game. No text makes it panic, loop or use more memory than one game needs.

use std::io::{self, BufRead, Read};

use outplay_core::{IllegalMove, Position, PositionNotation, errors};

use super::{PgnGame, PgnLine, PgnPly, PgnResult};
use crate::chess::FenError;
use crate::chess::rules::Chess;

/// The greatest size of one game, in bytes.
const MAX_GAME_BYTES: usize = 16 << 20;
/// The UTF-8 byte order mark with which some programs begin a file.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// The greatest nesting of variations.
const MAX_NESTING: usize = 100;

errors! {
    /// What is wrong with a game, and where.
    pub enum PgnError {
        Malformed { line: usize, column: usize, reason: PgnFault } =
            "line {line}, column {column}: {reason}" | "ligne {line}, colonne {column} : {reason}",
        Unreadable { reason: io::Error } =
            "the games cannot be read: {reason}" | "les parties ne peuvent être lues : {reason}",
    }

    /// What is wrong with the text of a game.
    #[derive(Clone)]
    pub enum PgnFault {
        Endless = "this game has no end" | "cette partie n’a pas de fin",
        NotATag =
            "expected a tag such as [White \"Anderssen\"]" | "attendu une étiquette telle que [White \"Anderssen\"]",
        OpenTag { name: String } = "the tag {name} has no closing bracket" | "l’étiquette {name} n’a pas de crochet fermant",
        Start { reason: FenError } = "{reason}" | "{reason}",
        Move { reason: IllegalMove } = "{reason}" | "{reason}",
        Glyph { word: String } = "'{word}' is not a glyph" | "« {word} » n’est pas un signe",
        OpenComment = "this comment is not closed" | "ce commentaire n’est pas fermé",
        EarlyVariation = "a variation stands before any move" | "une variante précède tout coup",
        DeepVariation =
            "variations are nested more than {MAX_NESTING} deep"
            | "les variantes sont imbriquées sur plus de {MAX_NESTING} niveaux",
        NoVariation = "')' closes no variation" | "« ) » ne ferme aucune variante",
        OpenVariation = "the game ends inside a variation" | "la partie finit dans une variante",
    }
}

impl From<io::Error> for PgnError {
    fn from(reason: io::Error) -> Self {
        Self::Unreadable { reason }
    }
}

/// Iterator over the games of a stream.
pub struct PgnReader<R> {
    source: R,
    /// The number of the next line.
    next_line: usize,
    /// A line read ahead: the first tag of the next game.
    kept: Option<String>,
    /// The rest of a chunk with several games.
    rest: Option<PgnChunk>,
    has_failed: bool,
}

/// The text of one or more games, and its position in the stream.
struct PgnChunk {
    text: String,
    at: usize,
    line: usize,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads the games of a stream.
    pub const fn new(source: R) -> Self {
        Self { source, next_line: 1, kept: None, rest: None, has_failed: false }
    }

    fn read_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.kept.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        // A longer line is longer than any game.
        let mut line = (&mut self.source).take(MAX_GAME_BYTES as u64 + 1);
        if line.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if self.next_line == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        Ok(Some(text))
    }

    /// The lines up to the tags of the next game.
    fn read_chunk(&mut self) -> Result<Option<PgnChunk>, PgnError> {
        let mut chunk = PgnChunk { text: String::new(), at: 0, line: self.next_line };
        let (mut has_moves, mut in_comment) = (false, false);
        while let Some(line) = self.read_line()? {
            let is_tag = !in_comment && is_tag_line(&line);
            if is_tag && has_moves {
                self.kept = Some(line);
                break;
            }
            self.next_line += 1;
            if !is_tag && !line.starts_with('%') {
                has_moves |= !line.trim().is_empty();
                in_comment = ends_in_comment(&line, in_comment);
            }
            chunk.text.push_str(if line.starts_with('%') && !in_comment { "\n" } else { &line });
            if chunk.text.len() > MAX_GAME_BYTES {
                let reason = PgnFault::Endless;
                return Err(PgnError::Malformed { line: chunk.line, column: 1, reason });
            }
        }
        Ok((!chunk.text.trim().is_empty()).then_some(chunk))
    }
}

/// Whether a line begins as a tag does: a bracket and a name.
fn is_tag_line(line: &str) -> bool {
    line.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(is_in_tag_name))
}

fn is_in_tag_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn ends_in_comment(line: &str, mut in_comment: bool) -> bool {
    for char in line.chars() {
        match char {
            ';' if !in_comment => break,
            '{' => in_comment = true,
            '}' => in_comment = false,
            _ => {}
        }
    }
    in_comment
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let chunk = match self.rest.take() {
            Some(rest) => rest,
            None => match self.read_chunk() {
                Ok(chunk) => chunk?,
                Err(error) => {
                    self.has_failed = true;
                    return Some(Err(error));
                }
            },
        };
        let mut parser = PgnParser { chunk: &chunk, at: chunk.at };
        let game = parser.game();
        let at = parser.at;
        if game.is_ok() && !chunk.text[at..].trim().is_empty() {
            self.rest = Some(PgnChunk { at, ..chunk });
        }
        Some(game)
    }
}

/// Parses one game of a chunk.
struct PgnParser<'a> {
    chunk: &'a PgnChunk,
    at: usize,
}

/// A token of the move text.
enum PgnToken<'a> {
    Move(&'a str, usize),
    Glyph(u8),
    Comment(&'a str),
    Open,
    Close,
    End(PgnResult),
}

impl<'a> PgnParser<'a> {
    fn left(&self) -> &'a str {
        &self.chunk.text[self.at..]
    }

    fn error_at(&self, at: usize, reason: PgnFault) -> PgnError {
        let before = &self.chunk.text[..at];
        let line = self.chunk.line + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
        PgnError::Malformed { line, column, reason }
    }

    fn skip_blanks(&mut self) {
        self.at += self.left().len() - self.left().trim_start().len();
    }

    fn game(&mut self) -> Result<PgnGame, PgnError> {
        let (tags, fen_at) = self.tags()?;
        let mut game = PgnGame::new(Chess::start());
        game.tags = tags;
        if let Some(fen) = game.tag("FEN") {
            let bad = |reason| self.error_at(fen_at, PgnFault::Start { reason });
            game.start = Chess::from_fen(fen).map_err(bad)?;
        }
        let result = self.moves(&mut game)?;
        let by_tag = game.tag("Result").and_then(PgnResult::from_mark);
        game.result = result.or(by_tag).unwrap_or(PgnResult::Open);
        Ok(game)
    }

    /// The tags, and the offset of the FEN tag.
    fn tags(&mut self) -> Result<(Vec<(String, String)>, usize), PgnError> {
        let (mut tags, mut fen_at) = (Vec::new(), self.at);
        loop {
            self.skip_blanks();
            let start = self.at;
            let Some(inside) = self.left().strip_prefix('[') else { return Ok((tags, fen_at)) };
            let inside = inside.trim_start();
            let name_end = inside.find(|char| !is_in_tag_name(char));
            let (name, rest) = inside.split_at(name_end.unwrap_or(inside.len()));
            let value = rest.trim_start().strip_prefix('"').and_then(quoted);
            let Some((value, rest)) = value.filter(|_| !name.is_empty()) else {
                return Err(self.error_at(start, PgnFault::NotATag));
            };
            let Some(rest) = rest.trim_start().strip_prefix(']') else {
                return Err(self.error_at(start, PgnFault::OpenTag { name: name.to_owned() }));
            };
            if name == "FEN" {
                fen_at = start;
            }
            tags.push((name.to_owned(), value));
            self.at = self.chunk.text.len() - rest.len();
        }
    }

    /// Parses the moves with their variations, and returns the result if it is given.
    fn moves(&mut self, game: &mut PgnGame) -> Result<Option<PgnResult>, PgnError> {
        let mut lines = vec![OpenLine::at(game.start)];
        loop {
            let (start, depth) = (self.at, lines.len());
            let branch = lines.last_mut().expect("the game itself is never closed");
            match self.token()? {
                Some(PgnToken::Move(text, at)) => {
                    branch.play(text).map_err(|reason| self.error_at(at, PgnFault::Move { reason }))?;
                }
                Some(PgnToken::Glyph(glyph)) => branch.glyph(glyph),
                Some(PgnToken::Comment(text)) => branch.comment(text),
                Some(PgnToken::Open) => {
                    if branch.line.plies.is_empty() {
                        return Err(self.error_at(start, PgnFault::EarlyVariation));
                    }
                    if depth > MAX_NESTING {
                        return Err(self.error_at(start, PgnFault::DeepVariation));
                    }
                    let before = branch.before;
                    lines.push(OpenLine::at(before));
                }
                Some(PgnToken::Close) => {
                    let Some(closed) = (lines.len() > 1).then(|| lines.pop()).flatten() else {
                        return Err(self.error_at(start, PgnFault::NoVariation));
                    };
                    let parent = lines.last_mut().and_then(|branch| branch.line.plies.last_mut());
                    parent.expect("variations are opened after a move").variations.push(closed.line);
                }
                end @ (Some(PgnToken::End(_)) | None) => {
                    if lines.len() > 1 {
                        return Err(self.error_at(start, PgnFault::OpenVariation));
                    }
                    game.line = lines.remove(0).line;
                    return Ok(
                        end.map(|end| if let PgnToken::End(result) = end { result } else { PgnResult::Open })
                    );
                }
            }
        }
    }

    fn token(&mut self) -> Result<Option<PgnToken<'a>>, PgnError> {
        loop {
            self.skip_blanks();
            let (start, left) = (self.at, self.left());
            let Some(first) = left.chars().next() else { return Ok(None) };
            self.at += first.len_utf8();
            match first {
                '(' => return Ok(Some(PgnToken::Open)),
                ')' => return Ok(Some(PgnToken::Close)),
                '{' => {
                    let Some(end) = left.find('}') else {
                        return Err(self.error_at(start, PgnFault::OpenComment));
                    };
                    self.at = start + end + 1;
                    return Ok(Some(PgnToken::Comment(&left[1..end])));
                }
                ';' => {
                    let end = left.find('\n').unwrap_or(left.len());
                    self.at = start + end;
                    return Ok(Some(PgnToken::Comment(left[1..end].trim_end_matches('\r'))));
                }
                _ => {}
            }
            let end =
                left.find(|char: char| char.is_whitespace() || "(){};".contains(char)).unwrap_or(left.len());
            self.at = start + end.max(first.len_utf8());
            if let Some(token) = self.word(start, &left[..end])? {
                return Ok(Some(token));
            }
        }
    }

    /// A word: a result, a glyph, or a move with or without its number; `None` for a number alone.
    fn word(&mut self, start: usize, word: &'a str) -> Result<Option<PgnToken<'a>>, PgnError> {
        if let Some(result) = PgnResult::from_mark(word) {
            return Ok(Some(PgnToken::End(result)));
        }
        if let Some(number) = word.strip_prefix('$') {
            let bad = |_| self.error_at(start, PgnFault::Glyph { word: word.to_owned() });
            let glyph = number.parse().map_err(bad)?;
            return Ok(Some(PgnToken::Glyph(glyph)));
        }
        if let Some(glyph) = MARKS.iter().position(|mark| *mark == word) {
            return Ok(Some(PgnToken::Glyph(glyph as u8 + 1)));
        }
        let is_castling = word.starts_with("0-0");
        let digits = if is_castling {
            0
        } else {
            word.len() - word.trim_start_matches(|char: char| char.is_ascii_digit()).len()
        };
        let rest = &word[digits..];
        let mv = rest.trim_start_matches('.');
        if digits > 0 && rest.is_empty() {
            return Ok(None);
        }
        if mv.is_empty() {
            return Ok(None);
        }
        let plain = mv.trim_end_matches(['!', '?']);
        if plain.len() < mv.len() && !plain.is_empty() {
            self.at = start + (word.len() - mv.len()) + plain.len();
        }
        Ok(Some(PgnToken::Move(plain, start + word.len() - mv.len())))
    }
}

/// The marks for glyphs 1 to 6.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The text up to the closing quote, and the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut is_escaped) = (String::new(), false);
    for (at, char) in text.char_indices() {
        match char {
            '"' if !is_escaped => return Some((value, &text[at + 1..])),
            '\\' if !is_escaped => is_escaped = true,
            '\n' => return None,
            _ => {
                value.push(char);
                is_escaped = false;
            }
        }
    }
    None
}

/// A line that is being parsed.
struct OpenLine {
    /// The position before its last move, where variations begin.
    before: Chess,
    now: Chess,
    line: PgnLine,
}

impl OpenLine {
    fn at(start: Chess) -> Self {
        Self { before: start, now: start, line: PgnLine::default() }
    }

    fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        let mv = self.now.read_move(text)?;
        self.before = self.now;
        self.now.play(mv);
        self.line.plies.push(PgnPly::new(mv));
        Ok(())
    }

    fn glyph(&mut self, glyph: u8) {
        if let Some(ply) = self.line.plies.last_mut() {
            ply.nags.push(glyph);
        }
    }

    fn comment(&mut self, text: &str) {
        let PgnLine { comments, plies } = &mut self.line;
        let comments = plies.last_mut().map_or(comments, |ply| &mut ply.comments);
        comments.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}
