//! Reading a file of records while it is being written.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::PathBuf;

use crate::bounds;
use crate::json_u64::with_text_numbers;

/// How far a file of records has been read.
#[derive(Clone, Debug)]
pub(crate) struct RecordTail {
    path: PathBuf,
    /// Bytes read.
    at: u64,
    /// Records read.
    count: usize,
    /// Whether the records are games, whose 64-bit numbers the page needs as texts.
    games: bool,
}

impl RecordTail {
    /// Begins at the first record.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, at: 0, count: 0, games: false }
    }

    /// Begins at the first game.
    pub(crate) fn of_games(path: PathBuf) -> Self {
        Self { games: true, ..Self::new(path) }
    }

    /// How many records have been read.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Reads the next complete lines: at most `records`, and none after the one that reaches `bytes`.
    pub(crate) fn read(&mut self, records: usize, bytes: usize) -> RecordBatch {
        let from = self.count;
        let lines = self.lines(records, bytes).unwrap_or_default();
        self.count += lines.len();
        let length = lines.iter().map(String::len).sum::<usize>();
        RecordBatch { from, is_last: lines.len() < records && length < bytes, lines }
    }

    /// Skips all records that exist.
    pub(super) fn skip_all(&mut self) {
        while !self.read(bounds::BATCH_RECORDS, usize::MAX).is_last {}
    }

    /// Skips so many records.
    pub(crate) fn skip(mut self, records: usize) -> Self {
        while self.count < records {
            let step = (records - self.count).min(bounds::BATCH_RECORDS);
            if self.read(step, usize::MAX).lines.is_empty() {
                break;
            }
        }
        self
    }

    fn lines(&mut self, records: usize, bytes: usize) -> std::io::Result<Vec<String>> {
        let mut reader = BufReader::new(File::open(&self.path)?);
        reader.seek(SeekFrom::Start(self.at))?;
        let (mut lines, mut length) = (Vec::new(), 0);
        while lines.len() < records && length < bytes {
            let mut line = String::new();
            let read = reader.read_line(&mut line)?;
            if !line.ends_with('\n') {
                break;
            }
            self.at += read as u64;
            line.pop();
            length += line.len();
            lines.push(if self.games { with_text_numbers(&line) } else { line });
        }
        Ok(lines)
    }
}

/// Consecutive records.
pub(crate) struct RecordBatch {
    /// The index of the first.
    pub(crate) from: usize,
    pub(crate) lines: Vec<String>,
    /// Whether the file had no more.
    pub(crate) is_last: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_read_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let mut tail = RecordTail::new(path.clone());
        let mut read = |records, bytes| {
            let RecordBatch { from, lines, is_last } = tail.read(records, bytes);
            (from, lines.join(" "), is_last)
        };
        assert_eq!(read(9, 99), (0, String::new(), true));
        std::fs::write(&path, "1\n2\n3").unwrap();
        assert_eq!(read(1, 99), (0, "1".to_owned(), false));
        assert_eq!(read(9, 99), (1, "2".to_owned(), true));
        std::fs::write(&path, "1\n2\n34\n5\n6").unwrap();
        assert_eq!(read(9, 2), (2, "34".to_owned(), false), "enough bytes");
        assert_eq!(read(9, 2), (3, "5".to_owned(), true));
        let batch = RecordTail::new(path.clone()).skip(3).read(9, 99);
        assert_eq!((batch.from, batch.lines.join(" ").as_str()), (3, "5"));
        let mut tail = RecordTail::new(path);
        tail.skip_all();
        assert_eq!(tail.count(), 4);
    }
}
