//! Locks that vanish with their process, and what dead processes left behind.
//!
//! A file whose name begins with `.unfinished-` is locked for as long as its process works on it. One that nobody has
//! locked was left by a process that was killed: a process removes those when it first makes or writes something in a folder.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{FileError, WriteTarget};

/// How the names of files begin that are not finished.
pub(super) const PREFIX: &str = ".unfinished-";

/// Exclusive use of an output, from before the first change on until this is dropped.
#[derive(Debug)]
pub struct OutputLock {
    /// The locked file and its path; none for a device or pipe, which has nothing to preserve.
    held: Option<(File, PathBuf)>,
}

impl OutputLock {
    /// Refuses an output that another process works on, or to which [`write_atomically`](super::write_atomically) could
    /// not write.
    pub fn take(path: &Path) -> Result<Self, FileError> {
        Self::acquire(path, try_lock)?.ok_or_else(|| FileError::Busy { path: path.to_owned() })
    }

    /// Waits until no other process works on the output: for results that take a moment to write.
    pub fn wait(path: &Path) -> Result<Self, FileError> {
        Ok(Self::acquire(path, wait_for_lock)?.unwrap_or(Self { held: None }))
    }

    fn acquire(path: &Path, lock: impl Fn(&File) -> io::Result<bool>) -> Result<Option<Self>, FileError> {
        let target = WriteTarget::of(path);
        target.check().map_err(FileError::write(path))?;
        if target.is_special() {
            return Ok(Some(Self { held: None }));
        }
        let mut name = OsString::from(PREFIX);
        name.push(target.target.file_name().unwrap_or_default());
        name.push(".lock");
        let place = target.folder().join(name);
        // The name of the lock, which the error carries, means nothing to the reader.
        let refused = |error: io::Error| FileError::write(path)(error.kind().into());
        loop {
            let mut options = OpenOptions::new();
            let file = options.write(true).create(true).truncate(false).open(&place).map_err(refused)?;
            if !lock(&file).map_err(refused)? {
                return Ok(None);
            }
            // The process that held it has just removed it, or another one has taken it for abandoned.
            if is_at(&file, &place) {
                return Ok(Some(Self { held: Some((file, place)) }));
            }
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // Removed before it is unlocked, so that nobody else's lock is removed.
        if let Some((_, place)) = &self.held {
            let _ = fs::remove_file(place);
        }
    }
}

/// Locks a file; false if another process has.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => without_locks(error),
    }
}

fn wait_for_lock(file: &File) -> io::Result<bool> {
    file.lock().map_or_else(without_locks, |()| Ok(true))
}

/// Some file systems have no locks; work goes on without.
fn without_locks(error: io::Error) -> io::Result<bool> {
    if error.kind() == io::ErrorKind::Unsupported { Ok(true) } else { Err(error) }
}

/// Whether this is still the file at this path.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |about: fs::Metadata| (about.dev(), about.ino());
    matches!((file.metadata().map(place), fs::metadata(path).map(place)), (Ok(open), Ok(named)) if open == named)
}

#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Removes what dead processes left in a folder, the first time this process writes there.
pub(super) fn clean_once(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone()) {
        remove_abandoned(&folder);
    }
}

fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(is_unfinished) {
        let path = entry.path();
        let Ok(file) = OpenOptions::new().write(true).open(&path) else { continue };
        // Where there are no locks, nothing tells a dead process from a living one.
        if file.try_lock().is_ok() && is_at(&file, &path) {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_unfinished(entry: &fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with(PREFIX)
        && entry.file_type().is_ok_and(|kind| kind.is_file())
}

/// Whether a folder holds nothing, apart from what a process has not finished.
pub fn is_empty_folder(folder: &Path) -> bool {
    fs::read_dir(folder)
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| is_unfinished(&entry))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_atomically;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn an_output_has_one_writer_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("net");
        let first = OutputLock::take(&out).unwrap();
        for path in [&out, &folder.path().join(".").join("net")] {
            let message = OutputLock::take(path).unwrap_err().to_string();
            assert_eq!(message, format!("cannot write {}: another process is writing to it", path.display()));
        }
        OutputLock::take(&folder.path().join("other")).unwrap();
        write_atomically(&out, |writer| writer.write_all(b"1")).unwrap();
        assert!(OutputLock::take(&out).is_err());
        drop(first);
        drop(OutputLock::take(&out).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a lock leaves nothing");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("missing/net")] {
            let message = OutputLock::take(&path).unwrap_err().to_string();
            assert!(message.starts_with(&format!("cannot write {}: ", path.display())), "{message}");
        }
        if Path::new("/dev/null").exists() {
            let _twice = [OutputLock::take(Path::new("/dev/null")), OutputLock::take(Path::new("/dev/null"))]
                .map(Result::unwrap);
        }
    }

    /// Many threads take, hold and drop the same lock: two never hold it at once.
    #[test]
    fn a_lock_that_comes_and_goes_is_never_held_twice() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("net");
        let (holders, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        let work = |waits: bool| {
            for _ in 0..300 {
                let lock = if waits { OutputLock::wait(&out).ok() } else { OutputLock::take(&out).ok() };
                if lock.is_some() {
                    assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                    taken.fetch_add(1, Ordering::SeqCst);
                    holders.fetch_sub(1, Ordering::SeqCst);
                }
                remove_abandoned(folder.path());
            }
        };
        thread::scope(|scope| {
            for waits in [false, false, true, true] {
                scope.spawn(move || work(waits));
            }
        });
        assert!(taken.into_inner() >= 600);
        assert!(is_empty_folder(folder.path()));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_not_at_its_path_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let (path, kept) = (folder.path().join("lock"), folder.path().join("kept"));
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path));
        fs::rename(&path, &kept).unwrap();
        assert!(!is_at(&file, &path));
        fs::write(&path, "").unwrap();
        assert!(!is_at(&file, &path) && is_at(&file, &kept));
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_living_one_has_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (dead, alive) = (folder.path().join(".unfinished-dead"), folder.path().join(".unfinished-alive"));
        let other = folder.path().join("unfinished");
        for path in [&dead, &alive, &other] {
            fs::write(path, "x").unwrap();
        }
        let held = File::open(&alive).unwrap();
        held.lock().unwrap();
        let lock = OutputLock::take(&folder.path().join("net")).unwrap();
        assert!(!dead.exists() && alive.exists() && other.exists());
        assert!(!is_empty_folder(folder.path()));
        fs::remove_file(&other).unwrap();
        assert!(is_empty_folder(folder.path()));
        drop((held, lock));
    }

    /// A folder is cleaned while another thread writes there: no write fails.
    #[test]
    fn cleaning_does_not_disturb_a_living_writer() {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for number in 0..200 {
                    let path = folder.path().join((number % 5).to_string());
                    write_atomically(&path, |writer| {
                        thread::sleep(Duration::from_micros(50));
                        writer.write_all(b"whole")
                    })
                    .unwrap();
                    assert_eq!(fs::read(&path).unwrap(), b"whole");
                }
            });
            while !writer.is_finished() {
                remove_abandoned(folder.path());
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }
}
