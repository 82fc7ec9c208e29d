//! Following a file of records while someone else writes it.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::PathBuf;

use crate::bounds;
use crate::wide::readable;

/// How far a file of records has been read.
#[derive(Clone, Debug)]
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

    /// How many records have been read.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Reads the next records that are there as whole lines: at most so many, and no more once so many bytes are read.
    pub(crate) fn read(&mut self, records: usize, bytes: usize) -> Stretch {
        let from = self.count;
        let lines = self.lines(records, bytes).unwrap_or_default();
        self.count += lines.len();
        let length = lines.iter().map(String::len).sum::<usize>();
        Stretch { from, is_last: lines.len() < records && length < bytes, lines }
    }

    /// Passes over all records that are there.
    pub(super) fn skip_all(&mut self) {
        while !self.read(bounds::BATCH_RECORDS, usize::MAX).is_last {}
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
            lines.push(if self.games { readable(&line) } else { line });
        }
        Ok(lines)
    }
}

/// Records that follow each other.
pub(crate) struct Stretch {
    /// How many came before them.
    pub(crate) from: usize,
    pub(crate) lines: Vec<String>,
    /// Whether no others were there.
    pub(crate) is_last: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_are_read_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let mut tail = Tail::new(path.clone());
        let mut read = |records, bytes| {
            let Stretch { from, lines, is_last } = tail.read(records, bytes);
            (from, lines.join(" "), is_last)
        };
        assert_eq!(read(9, 99), (0, String::new(), true));
        std::fs::write(&path, "1\n2\n3").unwrap();
        assert_eq!(read(1, 99), (0, "1".to_owned(), false));
        assert_eq!(read(9, 99), (1, "2".to_owned(), true));
        std::fs::write(&path, "1\n2\n34\n5\n6").unwrap();
        assert_eq!(read(9, 2), (2, "34".to_owned(), false), "enough bytes");
        assert_eq!(read(9, 2), (3, "5".to_owned(), true));
        let mut tail = Tail::new(path);
        tail.skip_all();
        assert_eq!(tail.count(), 4);
    }
}
