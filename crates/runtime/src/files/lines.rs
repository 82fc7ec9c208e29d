//! JSON-lines files: one record per line, read in order and appended to.
//!
//! - A line counts once its newline is there: readers skip a torn last line, the appender cuts it off before
//!   it writes, and damage anywhere else is an error that names the line.
//! - A file that does not hold such records is refused and left unchanged. Nothing changes before the first append,
//!   so an appender that appended nothing leaves nothing behind.
//! - There is one appender at a time, by an advisory lock, and every line is written in one piece.
//! - A line has a greatest length, so that a file without line ends does not fill the memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FileError, LineRead, is_at, read_line, try_lock};
use outplay_core::ForeignWords;

/// The longest record, in bytes.
const MAX_RECORD_BYTES: usize = 64 << 20;

/// Reads a JSON-lines file record by record, up to its end or its torn last line.
#[derive(Debug)]
pub struct JsonLinesReader<T> {
    path: PathBuf,
    file: BufReader<File>,
    line: u64,
    /// The line last read: after the last record, the torn one or nothing.
    buffer: Vec<u8>,
    records: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> JsonLinesReader<T> {
    /// Begins at the first line.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(FileError::read(path))?;
        Ok(Self::over(path, file))
    }

    fn over(path: &Path, file: File) -> Self {
        let file = BufReader::new(file);
        Self { path: path.to_owned(), file, line: 0, buffer: Vec::new(), records: PhantomData }
    }

    fn damaged(&self, error: &serde_json::Error) -> FileError {
        FileError::Damaged { path: self.path.clone(), line: self.line, reason: ForeignWords::of(error) }
    }

    /// Reads up to the end or the first line that is no record, and returns where the last good line ends.
    fn sound_end(mut self) -> Result<u64, FileError> {
        let mut end = 0;
        loop {
            match self.next() {
                None | Some(Err(FileError::Damaged { .. } | FileError::LongLine { .. })) => return Ok(end),
                Some(Err(error)) => return Err(error),
                Some(Ok(_)) => end += self.buffer.len() as u64,
            }
        }
    }

    /// Reads to the end and returns where the last complete line ends, if this is a file of `T` and of nothing else.
    /// Where no line is complete, the torn one must be the beginning of a `T`.
    fn check(mut self) -> Result<u64, FileError> {
        let mut end = 0;
        while let Some(record) = self.next() {
            record?;
            end += self.buffer.len() as u64;
        }
        if end == 0 && !self.buffer.is_empty() {
            self.line = 1;
            let torn = serde_json::from_slice::<T>(&self.buffer);
            torn.map(drop)
                .or_else(|error| if error.is_eof() { Ok(()) } else { Err(self.damaged(&error)) })?;
        }
        Ok(end)
    }
}

impl<T: DeserializeOwned> Iterator for JsonLinesReader<T> {
    type Item = Result<T, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        match read_line(&mut self.file, &mut self.buffer, MAX_RECORD_BYTES) {
            Err(source) => return Some(Err(FileError::Read { path: self.path.clone(), source })),
            Ok(LineRead::TooLong) => {
                let (path, line) = (self.path.clone(), self.line + 1);
                return Some(Err(FileError::LongLine { path, line, most: MAX_RECORD_BYTES }));
            }
            Ok(_) if self.buffer.last() != Some(&b'\n') => return None,
            Ok(_) => self.line += 1,
        }
        Some(serde_json::from_slice(&self.buffer).map_err(|error| self.damaged(&error)))
    }
}

/// Adds records to the end of a JSON-lines file.
///
/// An append that fails leaves the file, for every reader, as it was.
#[derive(Debug)]
pub struct JsonLinesAppender<T> {
    path: PathBuf,
    file: File,
    /// Where the last complete line ends.
    end: u64,
    /// Whether part of a line follows `end`.
    torn: bool,
    /// Whether this appender created the file.
    made: bool,
    records: PhantomData<fn(&T)>,
}

impl<T: Serialize + DeserializeOwned> JsonLinesAppender<T> {
    /// Opens or creates the file, and locks it against other appenders. A file that is damaged before its last line is
    /// refused.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_up_to(path, JsonLinesReader::<T>::check)
    }

    /// The same for a file that is not the user's and whose records can be made again: what follows its last good line
    /// is cut off by the first append.
    pub fn recover(path: &Path) -> Result<Self, FileError> {
        Self::open_up_to(path, JsonLinesReader::<T>::sound_end)
    }

    fn open_up_to(
        path: &Path,
        end: impl FnOnce(JsonLinesReader<T>) -> Result<u64, FileError>,
    ) -> Result<Self, FileError> {
        let (file, made) = Self::lock(path)?;
        let (path, records) = (path.to_owned(), PhantomData);
        let mut appender = Self { path, file, end: 0, torn: false, made, records };
        let about = appender.file.metadata().map_err(FileError::read(&appender.path))?;
        // A device or pipe has nothing to preserve, and may have no end.
        if about.is_file() {
            let file = appender.file.try_clone().map_err(FileError::read(&appender.path))?;
            appender.end = end(JsonLinesReader::over(&appender.path, file))?;
            appender.torn = appender.end < about.len();
        }
        Ok(appender)
    }

    /// The locked file, and whether it was created here.
    fn lock(path: &Path) -> Result<(File, bool), FileError> {
        loop {
            let (file, made) = open_or_make(path).map_err(FileError::write(path))?;
            if !try_lock(&file).map_err(FileError::write(path))? {
                return Err(FileError::Busy { path: path.to_owned() });
            }
            // Another appender may have created the file, written nothing and just removed it.
            if is_at(&file, path) {
                return Ok((file, made));
            }
        }
    }

    /// Adds one record as one line.
    pub fn append(&mut self, record: &T) -> Result<(), FileError> {
        self.try_append(record).map_err(FileError::write(&self.path))
    }

    fn try_append(&mut self, record: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        if line.len() > MAX_RECORD_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.cut_torn_tail()?;
        if let Err(error) = self.file.write_all(&line) {
            // The next append cuts again, should this attempt fail as well.
            self.torn = true;
            let _ = self.cut_torn_tail();
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Where the last complete line ends: the length of the file for readers.
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// Cuts off what follows `end`, which is the end of a line.
    pub fn cut_back(&mut self, end: u64) -> Result<(), FileError> {
        debug_assert!(end <= self.end);
        self.torn |= end < self.end;
        self.end = end;
        self.cut_torn_tail().map_err(FileError::write(&self.path))
    }

    /// Waits until every appended record has reached the disk, if the file is on one.
    pub fn sync(&self) -> Result<(), FileError> {
        let on_disk = self.file.metadata().is_ok_and(|about| about.is_file());
        if on_disk { self.file.sync_data().map_err(FileError::write(&self.path)) } else { Ok(()) }
    }

    fn cut_torn_tail(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.end)?;
            self.torn = false;
        }
        Ok(())
    }
}

impl<T> Drop for JsonLinesAppender<T> {
    fn drop(&mut self) {
        if self.made && self.end == 0 {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The file, opened for appending, and whether it was created just now.
fn open_or_make(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok((options.create(true).open(path)?, false))
        }
        made => Ok((made?, true)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(path: &Path) -> Result<Vec<u32>, FileError> {
        JsonLinesReader::open(path)?.collect()
    }

    fn open(path: &Path) -> Result<JsonLinesAppender<u32>, FileError> {
        JsonLinesAppender::open(path)
    }

    #[test]
    fn an_append_to_a_full_disk_is_an_error_every_time() {
        let device = Path::new("/dev/full");
        if !device.exists() {
            return;
        }
        let mut appender = open(device).unwrap();
        for _ in 0..2 {
            assert!(appender.append(&1).is_err());
            assert_eq!(appender.end(), 0);
        }
        drop(appender);
        assert!(device.exists());
    }

    #[test]
    fn records_come_back_in_order_over_several_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for record in 0..5_u32 {
            let mut appender = open(&path).unwrap();
            appender.append(&record).unwrap();
            appender.sync().unwrap();
        }
        assert_eq!(read_all(&path).unwrap(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_torn_tail_is_passed_over_and_cut_off_by_the_first_append() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for torn in ["4".to_owned(), "{\"mov".to_owned(), "9".repeat(10_000), "\0".repeat(5000)] {
            let before = format!("1\n2\n{torn}");
            fs::write(&path, &before).unwrap();
            assert_eq!(read_all(&path).unwrap(), [1, 2]);
            let mut appender = open(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), before);
            appender.append(&3).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n3\n");
        }
    }

    #[test]
    fn a_first_line_may_be_torn_but_not_foreign() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, r#"[1,"tw"#).unwrap();
        JsonLinesAppender::<(u32, String)>::open(&path).unwrap().append(&(3, String::new())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[3,\"\"]\n");
        for foreign in ["my diary", "{\"mov", "\0\0", "1\nmy diary\n3\n", "my diary\n1", "-1", "1\n\n"] {
            fs::write(&path, foreign).unwrap();
            let message = open(&path).unwrap_err().to_string();
            assert!(message.contains(&format!(" of {} is damaged", path.display())), "{message}");
            assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
        }
    }

    #[test]
    fn one_appends_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let mut first = open(&path).unwrap();
        let message = open(&path).unwrap_err().to_string();
        assert_eq!(message, format!("cannot write {}: another process is writing to it", path.display()));
        first.append(&1).unwrap();
        assert!(matches!(open(&path), Err(FileError::Busy { .. })));
        drop(first);
        open(&path).unwrap().append(&2).unwrap();
        assert_eq!(read_all(&path).unwrap(), [1, 2]);
    }

    /// The lock is advisory; a line that another process appended all the same is not overwritten.
    #[test]
    fn lines_go_to_the_end_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let mut appender = open(&path).unwrap();
        appender.append(&1).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"2\n").unwrap();
        appender.append(&3).unwrap();
        assert_eq!(read_all(&path).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn an_appender_that_appended_nothing_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new.jsonl"), folder.path().join("old.jsonl"));
        drop(open(&new).unwrap());
        assert!(!new.exists());
        fs::write(&old, "").unwrap();
        drop(open(&old).unwrap());
        assert!(old.exists());
    }

    #[test]
    fn records_can_be_cut_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, "1\n2\n3\n4").unwrap();
        let mut appender = open(&path).unwrap();
        appender.cut_back(4).unwrap();
        appender.append(&5).unwrap();
        assert_eq!((read_all(&path).unwrap(), appender.end()), (vec![1, 2, 5], 6));
    }

    #[test]
    fn damage_elsewhere_names_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for damage in ["1\n{\"mov\n3\n", "1\n\n3\n", "1\n\"two\"\n", "1\n2 2\n"] {
            fs::write(&path, damage).unwrap();
            let message = read_all(&path).unwrap_err().to_string();
            assert!(message.starts_with(&format!("line 2 of {} is damaged", path.display())), "{message}");
        }
        fs::write(&path, b"1\n\xff\xfe\n").unwrap();
        assert!(matches!(read_all(&path), Err(FileError::Damaged { line: 2, .. })));
    }

    #[test]
    fn a_file_that_can_be_made_again_is_good_up_to_its_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for damaged in ["1\n2\n{\"mov\n4\n", "1\n2\n\n4\n", "1\n2\n\"three\"\n4", "1\n2\n3"] {
            fs::write(&path, damaged).unwrap();
            let mut appender = JsonLinesAppender::<u32>::recover(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
            appender.append(&3).unwrap();
            assert_eq!(read_all(&path).unwrap(), [1, 2, 3]);
        }
    }

    /// The file is sparse: it has no line end, and takes no place on the disk.
    #[test]
    fn a_line_without_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, "1\n").unwrap();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        let sentence = format!("line 2 of {} is too long: expected at most 67108864 bytes", path.display());
        assert_eq!(read_all(&path).unwrap_err().to_string(), sentence);
        assert_eq!(open(&path).unwrap_err().to_string(), sentence);
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/records.jsonl");
        assert!(matches!(read_all(&path), Err(FileError::Read { .. })));
        assert!(matches!(open(&path), Err(FileError::Write { .. })));
    }
}
