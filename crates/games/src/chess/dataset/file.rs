//! Data sets of examples as a stream, game by game.
//!
//! Layout: a mark whose last byte is the version; a note on how the set was made, its length before it (4 bytes); then for
//! each game the number of its examples (2), its result (1), a zero, the number of bytes of its examples (4), the examples, and
//! the CRC-32 of all that (4); at the end a game of no examples with 255 for a result. All numbers are little-endian.
//!
//! A truncated or damaged set is refused with an error that says where; what was read before stays valid.

use std::io::{self, Read, Write};

use outplay_core::{Outcome, Seat, errors};

use super::linked;
use super::packed::PackedExample;
use crate::chess::pgn::PgnResult;

/// The opening mark; its last byte is the version.
const MARK: [u8; 8] = *b"OPLCHES\x02";
const END_CODE: u8 = 255;
/// The greatest accepted length of a note.
const MAX_NOTE_LENGTH: u32 = 1 << 20;

errors! {
    /// What is wrong with a data set.
    pub enum ExampleSetError {
        NotASet = "this is no set of chess positions" | "ce n’est pas un ensemble de positions d’échecs",
        Version { found: u8, expected: u8 } =
            "this set of chess positions has version {found}: expected {expected}"
            | "cet ensemble de positions d’échecs a la version {found} : attendu {expected}",
        /// The end mark is missing.
        Truncated { games: u64, positions: u64 } =
            "the set is cut short after {games} games with {positions} positions"
            | "l’ensemble est tronqué après {games} parties et {positions} positions",
        /// Bytes follow the end mark.
        Surplus { games: u64, positions: u64 } =
            "the set goes on after its end of {games} games with {positions} positions"
            | "l’ensemble continue après sa fin, de {games} parties et {positions} positions",
        /// A checksum or a code is wrong.
        Damaged { game: u64, positions: u64 } =
            "the set is damaged in game {game}, after {positions} positions"
            | "l’ensemble est abîmé dans la partie {game}, après {positions} positions",
        Unreadable { reason: io::Error } =
            "the set cannot be read: {reason}" | "l’ensemble ne peut être lu : {reason}",
    }
}

/// The examples of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameExamples {
    /// In the order of play.
    pub examples: Vec<PackedExample>,
    /// How the game ended.
    pub result: PgnResult,
}

/// Writes a set.
pub struct ExampleSetWriter<W: Write> {
    out: W,
}

impl<W: Write> ExampleSetWriter<W> {
    /// Begins a set with a note on how it was made.
    pub fn new(mut out: W, note: &str) -> io::Result<Self> {
        out.write_all(&MARK)?;
        out.write_all(&(note.len() as u32).to_le_bytes())?;
        out.write_all(note.as_bytes())?;
        Ok(Self { out })
    }

    /// Adds a game. One without examples writes nothing, so callers must not count it.
    pub fn add(&mut self, game: &GameExamples) -> io::Result<()> {
        for examples in game.examples.chunks(usize::from(u16::MAX)) {
            self.block(examples, result_code(game.result))?;
        }
        Ok(())
    }

    /// Ends the set.
    pub fn finish(mut self) -> io::Result<()> {
        self.block(&[], END_CODE)
    }

    fn block(&mut self, examples: &[PackedExample], result: u8) -> io::Result<()> {
        let mut bytes = (examples.len() as u16).to_le_bytes().to_vec();
        bytes.extend([result, 0]);
        let examples = linked::write_game(examples);
        bytes.extend((examples.len() as u32).to_le_bytes());
        bytes.extend(examples);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.out.write_all(&bytes)
    }
}

/// Reads a set game by game, up to the first error.
pub struct ExampleSetReader<R> {
    source: R,
    note: String,
    games: u64,
    positions: u64,
    has_ended: bool,
}

impl<R: Read> ExampleSetReader<R> {
    /// Reads the header of a set.
    pub fn new(mut source: R) -> Result<Self, ExampleSetError> {
        let mut mark = [0; MARK.len()];
        fill(&mut source, &mut mark)?.ok_or(ExampleSetError::NotASet)?;
        if mark[..7] != MARK[..7] {
            return Err(ExampleSetError::NotASet);
        }
        if mark[7] != MARK[7] {
            return Err(ExampleSetError::Version { found: mark[7], expected: MARK[7] });
        }
        let cut = ExampleSetError::Truncated { games: 0, positions: 0 };
        let mut length = [0; 4];
        if fill(&mut source, &mut length)?.is_none() {
            return Err(cut);
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_NOTE_LENGTH {
            return Err(ExampleSetError::NotASet);
        }
        let mut note = vec![0; length as usize];
        if fill(&mut source, &mut note)?.is_none() {
            return Err(cut);
        }
        let note = String::from_utf8_lossy(&note).into_owned();
        Ok(Self { source, note, games: 0, positions: 0, has_ended: false })
    }

    /// How the set was made.
    pub fn note(&self) -> &str {
        &self.note
    }

    fn block(&mut self) -> Result<Option<GameExamples>, ExampleSetError> {
        let truncated = ExampleSetError::Truncated { games: self.games, positions: self.positions };
        let damaged = || ExampleSetError::Damaged { game: self.games + 1, positions: self.positions };
        let mut head = [0; 8];
        if fill(&mut self.source, &mut head)?.is_none() {
            return Err(truncated);
        }
        let [low, high, result, _, length @ ..] = head;
        let (count, length) =
            (usize::from(u16::from_le_bytes([low, high])), u32::from_le_bytes(length) as usize);
        if length > linked::most_bytes(count) {
            return Err(damaged());
        }
        let mut rest = vec![0; length + 4];
        if fill(&mut self.source, &mut rest)?.is_none() {
            return Err(truncated);
        }
        let (body, sum) = rest.split_at(length);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&head);
        hasher.update(body);
        if hasher.finalize().to_le_bytes() != sum {
            return Err(damaged());
        }
        if result == END_CODE {
            let (games, positions) = (self.games, self.positions);
            let ends = fill(&mut self.source, &mut [0])?.is_none();
            return if ends { Ok(None) } else { Err(ExampleSetError::Surplus { games, positions }) };
        }
        let result = result_from_code(result).ok_or_else(damaged)?;
        let examples = linked::read_game(count, body).ok_or_else(damaged)?;
        self.games += 1;
        self.positions += count as u64;
        Ok(Some(GameExamples { examples, result }))
    }
}

impl<R: Read> Iterator for ExampleSetReader<R> {
    type Item = Result<GameExamples, ExampleSetError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let block = self.block().transpose();
        self.has_ended = !matches!(block, Some(Ok(_)));
        block
    }
}

/// Fills a buffer; `None` if the stream ended before.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> Result<Option<()>, ExampleSetError> {
    match source.read_exact(buffer) {
        Ok(()) => Ok(Some(())),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(reason) => Err(ExampleSetError::Unreadable { reason }),
    }
}

const RESULTS: [PgnResult; 4] = [
    PgnResult::Open,
    PgnResult::Finished(Outcome::Win(Seat::First)),
    PgnResult::Finished(Outcome::Win(Seat::Second)),
    PgnResult::Finished(Outcome::Draw),
];

fn result_code(result: PgnResult) -> u8 {
    RESULTS.iter().position(|other| *other == result).expect("every result is listed") as u8
}

fn result_from_code(code: u8) -> Option<PgnResult> {
    RESULTS.get(usize::from(code)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;

    fn game(scores: std::ops::Range<i16>) -> GameExamples {
        let examples = scores.map(|score| PackedExample::new(&Chess::start(), score).unwrap()).collect();
        GameExamples { examples, result: PgnResult::Finished(Outcome::Draw) }
    }

    fn written(games: &[GameExamples]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = ExampleSetWriter::new(&mut bytes, "a note").unwrap();
        for game in games {
            writer.add(game).unwrap();
        }
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn sets_read_back() {
        let games = [game(0..40), game(-3..5)];
        let bytes = written(&games);
        let reader = ExampleSetReader::new(&bytes[..]).unwrap();
        assert_eq!(reader.note(), "a note");
        assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), games);
    }

    #[test]
    fn a_cut_or_changed_byte_anywhere_is_noticed() {
        let bytes = written(&[game(0..3), game(0..2)]);
        let read =
            |bytes: &[u8]| ExampleSetReader::new(bytes).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        for length in 0..bytes.len() {
            let sentence = read(&bytes[..length]).unwrap_err().to_string();
            let expected = if length < 8 { "this is no set" } else { "the set is cut short after" };
            assert!(sentence.starts_with(expected), "{length}: {sentence}");
        }
        for place in (0..bytes.len()).filter(|place| !(12..18).contains(place)) {
            let mut changed = bytes.clone();
            changed[place] ^= 64;
            assert!(read(&changed).is_err(), "byte {place}");
        }
        let sentence = read(&[&bytes[..], b"\n"].concat()).unwrap_err().to_string();
        assert_eq!(sentence, "the set goes on after its end of 2 games with 5 positions");
        let sentence = read(&bytes[..bytes.len() - 20]).unwrap_err().to_string();
        assert_eq!(sentence, "the set is cut short after 1 games with 3 positions");
    }
}
