//! Following a file of records while someone else writes it.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::PathBuf;

use crate::wide::readable;

/// How far a file of records has been read.
pub(crate) struct Tail {
    path: PathBuf,
    /// Bytes read.
    at: u64,
    /// Records read.
    count: usize,
    /// Whether the records are those of games.
    games: bool,
}

impl Tail {
    /// From the first record on.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, at: 0, count: 0, games: false }
    }

    /// From the first game on, written so that a page can read it.
    pub(crate) fn of_games(path: PathBuf) -> Self {
        Self { games: true, ..Self::new(path) }
    }

    /// Reads at most so many records that are there as whole lines. Returns how many came before them.
    pub(crate) fn read(mut self, limit: usize) -> (Self, usize, Vec<String>) {
        let from = self.count;
        let lines = self.lines(limit).unwrap_or_default();
        self.count += lines.len();
        (self, from, lines)
    }

    /// Passes over so many records.
    pub(crate) fn skip(mut self, records: usize) -> Self {
        while self.count < records {
            let step = (records - self.count).min(crate::bounds::RECORDS);
            let (next, _, lines) = self.read(step);
            self = next;
            if lines.is_empty() {
                break;
            }
        }
        self
    }

    fn lines(&mut self, limit: usize) -> std::io::Result<Vec<String>> {
        let mut reader = BufReader::new(File::open(&self.path)?);
        reader.seek(SeekFrom::Start(self.at))?;
        let mut lines = Vec::new();
        while lines.len() < limit {
            let mut line = String::new();
            let read = reader.read_line(&mut line)?;
            if !line.ends_with('\n') {
                break;
            }
            self.at += read as u64;
            line.pop();
            lines.push(if self.games { readable(&line) } else { line });
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_read_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let (tail, from, lines) = Tail::new(path.clone()).read(9);
        assert!(from == 0 && lines.is_empty());
        std::fs::write(&path, "1\n2\n3").unwrap();
        let (tail, from, lines) = tail.read(1);
        assert_eq!((from, lines.join(" ").as_str()), (0, "1"));
        let (tail, from, lines) = tail.read(9);
        assert_eq!((from, lines.join(" ").as_str()), (1, "2"));
        std::fs::write(&path, "1\n2\n34\n5\n").unwrap();
        let (_, from, lines) = tail.read(9);
        assert_eq!((from, lines.join(" ").as_str()), (2, "34 5"));
        let (_, from, lines) = Tail::new(path).skip(3).read(9);
        assert_eq!((from, lines.join(" ").as_str()), (3, "5"));
    }
}
