//! Files that survive interruption: the only ways in which the lab reads and writes the disk.
//!
//! A file written by [`write_atomically`] is the whole old one or the whole new one, never a mixture. Records are stored
//! one per line, and a file that does not hold records is never appended to (see [`JsonLinesAppender`]). Work that takes
//! longer holds an [`OutputLock`], so that an output has one writer at a time.

mod lines;
mod lock;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use outplay_core::{ForeignWords, errors};
use tempfile::NamedTempFile;

pub use lines::{JsonLinesAppender, JsonLinesReader};
pub use lock::{OutputLock, is_empty_folder};
use lock::{PREFIX, clean_once, is_at, try_lock};

/// The longest line of a text that people write, in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;
/// The most that is read of a device or pipe, which may have no end.
const MAX_STREAM_BYTES: u64 = 1 << 28;

errors! {
    /// Why a file could not be read or written.
    pub enum FileError {
        Read { path: PathBuf, source: io::Error } = "cannot read {path}: {source}" | "impossible de lire {path} : {source}",
        /// What the file held before is untouched.
        Write { path: PathBuf, source: io::Error } = "cannot write {path}: {source}" | "impossible d’écrire {path} : {source}",
        Busy { path: PathBuf } =
            "cannot write {path}: another process is writing to it"
            | "impossible d’écrire {path} : un autre processus y écrit",
        /// Lines count from 1; the reason is the parser's.
        Damaged { path: PathBuf, line: u64, reason: ForeignWords } =
            "line {line} of {path} is damaged: expected one JSON record, but {reason}"
            | "la ligne {line} de {path} est abîmée : attendu un enregistrement JSON, mais {reason}",
        LongLine { path: PathBuf, line: u64, most: usize } =
            "line {line} of {path} is too long: expected at most {most} bytes"
            | "la ligne {line} de {path} est trop longue : attendu {most} octets au plus",
        TooLong { path: PathBuf, most: u64 } =
            "{path} is too long: expected at most {most} bytes" | "{path} est trop long : attendu {most} octets au plus",
    }
}

impl FileError {
    fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }
}

/// A file to be read from its beginning.
pub fn open(path: &Path) -> Result<BufReader<File>, FileError> {
    File::open(path).map(BufReader::new).map_err(FileError::read(path))
}

/// Whether a file holds JSON records, one per line: it is empty, or its first character that is no blank is `{`.
pub fn holds_records(path: &Path) -> Result<bool, FileError> {
    let mut bytes = open(path)?.bytes();
    let first = bytes.find(|byte| byte.as_ref().map_or(true, |byte| !byte.is_ascii_whitespace()));
    first.transpose().map(|first| first.is_none_or(|byte| byte == b'{')).map_err(FileError::read(path))
}

/// All bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    let is_file = fs::metadata(path).is_ok_and(|about| about.is_file());
    if is_file { fs::read(path).map_err(FileError::read(path)) } else { read_at_most(path, MAX_STREAM_BYTES) }
}

/// All bytes of a file that is refused if it has more of them.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    if read.map_err(FileError::read(path))? as u64 > most {
        return Err(FileError::TooLong { path: path.to_owned(), most });
    }
    Ok(bytes)
}

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRead {
    /// A line, with its line end unless the source ended first.
    Line,
    /// The end of the source.
    End,
    /// A line that is longer than allowed; part of it was read.
    TooLong,
}

/// Reads the next line into `line`, whose content it replaces. No more is read than the longest line that is allowed.
pub fn read_line(source: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<LineRead> {
    line.clear();
    Ok(match source.take(most as u64 + 1).read_until(b'\n', line)? {
        0 => LineRead::End,
        read if read > most => LineRead::TooLong,
        _ => LineRead::Line,
    })
}

/// Creates a folder and its parents, unless they exist. What dead processes left in it is removed.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(FileError::write(path))?;
    clean_once(path);
    Ok(())
}

/// Replaces the file at `path` by what `write` produces, completely or not at all.
///
/// The new content goes to a temporary file in the same folder, reaches the disk, and only then takes the
/// name. After any error the old file is untouched and the temporary one gone. A link keeps pointing where it
/// points; a device or pipe, which has nothing to preserve, is written directly.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    WriteTarget::of(path).replace(write).map_err(FileError::write(path))
}

/// Checks that [`write_atomically`] could write to `path`, without changing anything: for work that
/// writes its result at the end.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    WriteTarget::of(path).check().map_err(FileError::write(path))
}

/// The path that is to be written, and the metadata of what is there now.
struct WriteTarget {
    target: PathBuf,
    old: Option<Metadata>,
}

impl WriteTarget {
    fn of(path: &Path) -> Self {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        Self { target, old }
    }

    /// Whether the target exists and is not a regular file.
    fn is_special(&self) -> bool {
        self.old.as_ref().is_some_and(|old| !old.is_file())
    }

    fn folder(&self) -> &Path {
        self.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    fn check(&self) -> io::Result<()> {
        // A path that ends in a slash names a folder, even if it does not exist.
        let names_a_folder = self.target.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_a_folder || self.old.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if self.target.file_name().is_none() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if self.is_special() { Ok(()) } else { self.temporary().map(drop) }
    }

    fn replace(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.is_special() {
            return fill(&OpenOptions::new().write(true).open(&self.target)?, write);
        }
        let temporary = self.temporary()?;
        fill(temporary.as_file(), write)?;
        temporary.as_file().sync_all()?;
        temporary.persist(&self.target)?;
        sync_folder(self.folder());
        Ok(())
    }

    /// The new file, still empty and under a temporary name.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        // Renaming ignores the permissions of the file it replaces, so a read-only file is refused here.
        let permissions = self.old.as_ref().map(Metadata::permissions);
        if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        fs::metadata(self.folder())?;
        clean_once(self.folder());
        let temporary = tempfile::Builder::new()
            .prefix(PREFIX)
            .make_in(self.folder(), create_locked)
            // The name of the temporary file, which the error carries, means nothing to the reader.
            .map_err(|error| io::Error::from(error.kind()))?;
        if let Some(permissions) = permissions {
            temporary.as_file().set_permissions(permissions)?;
        }
        Ok(temporary)
    }
}

/// A new file that is locked. One that another process takes for abandoned before that is given up: another name is tried.
fn create_locked(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if try_lock(&file)? && is_at(&file, path) { Ok(file) } else { Err(io::ErrorKind::AlreadyExists.into()) }
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()
}

/// Syncs the folder, so that the new name reaches the disk too. Not every system allows this; the content is
/// safe by then, so errors are ignored.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
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
            let checked = check_writable(&path).unwrap_err().to_string();
            assert!(checked.starts_with(&format!("cannot write {}: ", path.display())), "{checked}");
        }
        for path in [Path::new(""), &folder.path().join("new/")] {
            assert!(check_writable(path).is_err(), "{}", path.display());
        }
        assert_eq!(names_in(folder.path()), ["file"]);
    }

    #[test]
    fn lines_and_streams_have_an_end() {
        let (mut source, mut line) = (io::Cursor::new(b"abc\nabcd\nab"), Vec::new());
        let mut next = |most| (read_line(&mut source, &mut line, most).unwrap(), line.clone());
        assert_eq!(next(4), (LineRead::Line, b"abc\n".to_vec()));
        assert_eq!(next(4).0, LineRead::TooLong);
        assert_eq!(next(4), (LineRead::Line, b"ab".to_vec()));
        assert_eq!(next(4).0, LineRead::End);
        let endless = Path::new("/dev/zero");
        if endless.exists() {
            let message = read_bytes(endless).unwrap_err().to_string();
            assert_eq!(message, "/dev/zero is too long: expected at most 268435456 bytes");
        }
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
        assert!(check_writable(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn a_check_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "old").unwrap();
        for path in [&old, &new] {
            check_writable(path).unwrap();
        }
        assert_eq!(fs::read(&old).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["old"]);
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
}
