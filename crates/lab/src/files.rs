//! Files that survive interruption.
//!
//! Belongs here: the only ways in which the lab reads and writes the disk. Does not belong here: what is written.
//!
//! Laws of this room:
//! - a file written by [`write_atomically`] is the whole old one or the whole new one, never a mixture;
//! - a line of a JSON-lines file counts once its newline is there: readers pass over a torn last line, the
//!   appender cuts it off before it goes on, and damage anywhere else is an error that names the line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file could not be created or written; what it held before is untouched.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A complete line is not what the reader expected.
    #[error("line {line} of {} is damaged: expected one JSON record, but {source}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What the parser said.
        source: serde_json::Error,
    },
}

impl FileError {
    fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }
}

/// All bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(FileError::read(path))
}

/// Makes a folder and those above it, unless they are there.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(FileError::write(path))
}

/// Replaces the file at `path` by what `write` produces, at once or not at all.
///
/// The new content goes to a temporary file in the same folder, reaches the disk, and only then takes the
/// name. After any error the old file is untouched and the temporary one gone. A link keeps pointing where it
/// points; a device or pipe, which has nothing to preserve, is written directly.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    replace(path, write).map_err(FileError::write(path))
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fill(&OpenOptions::new().write(true).open(&target)?, write);
    }
    // Renaming needs no leave of the file it replaces, so a file marked read-only is refused here.
    let permissions = old.map(|old| old.permissions());
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    let temporary = tempfile::Builder::new()
        .prefix(".unfinished-")
        .make_in(folder, |name| OpenOptions::new().write(true).create_new(true).open(name))
        // The name of the temporary file, which the error carries, means nothing to whoever reads it.
        .map_err(|error| io::Error::from(error.kind()))?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    fill(temporary.as_file(), write)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target)?;
    sync_folder(folder);
    Ok(())
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()
}

/// Lets the new name reach the disk too. Not every system lets a folder be opened or synced; the content is
/// safe by then, so a refusal changes nothing.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Reads a JSON-lines file record by record, up to its end or its torn last line.
#[derive(Debug)]
pub struct JsonLinesReader<T> {
    path: PathBuf,
    file: BufReader<File>,
    line: u64,
    buffer: Vec<u8>,
    records: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> JsonLinesReader<T> {
    /// Begins at the first line.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(FileError::read(path))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            line: 0,
            buffer: Vec::new(),
            records: PhantomData,
        })
    }
}

impl<T: DeserializeOwned> Iterator for JsonLinesReader<T> {
    type Item = Result<T, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.buffer.clear();
        if let Err(source) = self.file.read_until(b'\n', &mut self.buffer) {
            return Some(Err(FileError::Read { path: self.path.clone(), source }));
        }
        if self.buffer.last() != Some(&b'\n') {
            return None;
        }
        self.line += 1;
        let (path, line) = (&self.path, self.line);
        let damaged = |source| FileError::Damaged { path: path.clone(), line, source };
        Some(serde_json::from_slice(&self.buffer).map_err(damaged))
    }
}

/// Adds records to the end of a JSON-lines file.
///
/// Law: an append that fails leaves the file, for every reader, as it was.
#[derive(Debug)]
pub struct JsonLinesAppender {
    path: PathBuf,
    file: File,
    /// Where the last complete line ends.
    end: u64,
    /// Whether part of a line stands beyond `end`.
    torn: bool,
}

impl JsonLinesAppender {
    /// Opens the file, or makes it, and cuts off a torn last line.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::try_open(path).map_err(FileError::write(path))
    }

    fn try_open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        let end = end_of_complete_lines(&mut file, length)?;
        let mut appender = Self { path: path.to_owned(), file, end, torn: end < length };
        appender.cut_torn_tail()?;
        Ok(appender)
    }

    /// Adds one record as one line.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), FileError> {
        self.try_append(record).map_err(FileError::write(&self.path))
    }

    fn try_append(&mut self, record: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.cut_torn_tail()?;
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(&line) {
            // The next append cuts again, should this attempt fail as well.
            self.torn = true;
            let _ = self.cut_torn_tail();
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Waits until every appended record has reached the disk.
    pub fn sync(&self) -> Result<(), FileError> {
        self.file.sync_data().map_err(FileError::write(&self.path))
    }

    fn cut_torn_tail(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.end)?;
            self.torn = false;
        }
        Ok(())
    }
}

/// The place just after the last newline among the first `length` bytes, sought from the end.
fn end_of_complete_lines(file: &mut File, length: u64) -> io::Result<u64> {
    const BLOCK: u64 = 4096;
    let mut block = Vec::new();
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::by_ref(file).take(end - start).read_to_end(&mut block)?;
        if let Some(newline) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn read_all(path: &Path) -> Result<Vec<u32>, FileError> {
        JsonLinesReader::open(path)?.collect()
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        write_atomically(&path, |out| out.write_all(b"old and long")).unwrap();
        write_atomically(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names_in(folder.path()), ["net"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        write_atomically(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |out| {
            out.write_all(&vec![0; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let message = failed.unwrap_err().to_string();
        assert!(message.starts_with(&format!("cannot write {}: ", path.display())), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["net"]);
    }

    #[test]
    fn unwritable_places_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        let unwritable = [folder.path().join("missing/net"), file.join("net"), folder.path().to_owned()];
        for path in unwritable {
            let message = write_atomically(&path, |_| Ok(())).unwrap_err().to_string();
            assert!(message.contains(&format!("{}: ", path.display())), "{message}");
            assert!(!message.contains("unfinished"), "{message}");
        }
        assert_eq!(names_in(folder.path()), ["file"]);
    }

    #[test]
    fn a_read_only_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(write_atomically(&path, |out| out.write_all(b"new")).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("net"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    /// A device on which every write says that the disk is full; None where there is none.
    fn full_disk() -> Option<&'static Path> {
        Some(Path::new("/dev/full")).filter(|device| device.exists())
    }

    #[test]
    fn a_full_disk_is_an_error_and_the_device_stays() {
        let Some(device) = full_disk() else { return };
        let error = write_atomically(device, |out| out.write_all(b"new")).unwrap_err();
        let FileError::Write { source, .. } = &error else { panic!("{error}") };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata(device).unwrap().is_file());
    }

    #[test]
    fn an_append_to_a_full_disk_is_an_error_every_time() {
        let Some(device) = full_disk() else { return };
        let mut appender = JsonLinesAppender::open(device).unwrap();
        for _ in 0..2 {
            assert!(appender.append(&1).is_err());
            assert_eq!(appender.end, 0);
        }
    }

    #[test]
    fn records_come_back_in_order_over_several_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for record in 0..5_u32 {
            let mut appender = JsonLinesAppender::open(&path).unwrap();
            appender.append(&record).unwrap();
            appender.sync().unwrap();
        }
        assert_eq!(read_all(&path).unwrap(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_torn_tail_is_passed_over_and_then_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        for torn in ["4".to_owned(), "{\"mov".to_owned(), "9".repeat(10_000), "\0".repeat(5000)] {
            fs::write(&path, format!("1\n2\n{torn}")).unwrap();
            assert_eq!(read_all(&path).unwrap(), [1, 2]);
            JsonLinesAppender::open(&path).unwrap().append(&3).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n3\n");
        }
        fs::write(&path, "torn from the beginning").unwrap();
        JsonLinesAppender::open(&path).unwrap().append(&3).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "3\n");
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
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/records.jsonl");
        assert!(matches!(read_all(&path), Err(FileError::Read { .. })));
        assert!(matches!(JsonLinesAppender::open(&path), Err(FileError::Write { .. })));
    }
}
