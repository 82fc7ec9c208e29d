//! The data directory: what the lab computes once and keeps.
//!
//! Everything in it can be made again. A file that does not read back is rebuilt, never trusted.

use outplay_runtime::WorkError;
use std::any::Any;
use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use outplay_runtime::files::{make_folder, read_bytes, write_atomically};

/// A data directory, and what was read from it so far.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    slots: Mutex<HashMap<String, Arc<CachedFile>>>,
}

/// One file's place in memory.
#[derive(Debug, Default)]
struct CachedFile {
    kept: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
    /// Held while the file is read or built.
    turn: Mutex<()>,
}

impl CachedFile {
    fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().and_then(|kept| Arc::clone(kept).downcast().ok())
    }

    fn put<T: Send + Sync + 'static>(&self, made: Arc<T>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    }
}

impl Store {
    /// The store in this folder, which need not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), slots: Mutex::default() }
    }

    /// The store in `OUTPLAY_DATA`, or in the user's own data folder.
    pub fn of_this_user() -> Self {
        Self::at(root_of_user(env::var_os("OUTPLAY_DATA")))
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the root.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// What the file `name` holds; if it is missing or `decode` refuses it, `build` makes it anew and it is
    /// written. It is kept for as long as the store lives.
    ///
    /// Threads that want the same thing at once take turns, so that it is built once. Inside a thread pool nobody
    /// waits, because a waiting thread may have taken over a part of the very work it waits for: there two may build
    /// the same thing, to the same effect.
    pub fn keep<T: Send + Sync + 'static>(
        &self,
        name: &str,
        decode: impl FnOnce(&[u8]) -> Option<T>,
        encode: impl FnOnce(&T) -> Vec<u8>,
        build: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<Arc<T>, WorkError> {
        let slot = self.slot(name);
        let may_wait = rayon::current_thread_index().is_none();
        let _turn = may_wait.then(|| slot.turn.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(kept) = slot.get() {
            return Ok(kept);
        }
        let path = self.path(name);
        let made = if let Some(read) = read_bytes(&path).ok().and_then(|bytes| decode(&bytes)) {
            Arc::new(read)
        } else {
            let built = build()?;
            make_folder(path.parent().unwrap_or(&self.root))?;
            let bytes = encode(&built);
            write_atomically(&path, |writer| writer.write_all(&bytes))?;
            Arc::new(built)
        };
        slot.put(Arc::clone(&made));
        Ok(made)
    }

    fn slot(&self, name: &str) -> Arc<CachedFile> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(name.to_owned()).or_default())
    }
}

/// The folder that the variable names; one that is empty names none.
fn root_of_user(variable: Option<OsString>) -> PathBuf {
    let own =
        || user_data(env::var_os(USER_DATA), env::home_dir()).unwrap_or_else(env::temp_dir).join("outplay");
    variable.filter(|value| !value.is_empty()).map_or_else(own, PathBuf::from)
}

/// The variable in which systems name the folder of the user's data.
const USER_DATA: &str = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };

/// Where programs keep the data of a user, by the custom of the system. Relative paths are not used.
fn user_data(named: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    let custom = if cfg!(windows) {
        "AppData/Roaming"
    } else if cfg!(target_os = "macos") {
        "Library/Application Support"
    } else {
        ".local/share"
    };
    let named =
        named.filter(|_| !cfg!(target_os = "macos")).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(home.filter(|home| home.is_absolute())?.join(custom)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;
    use std::{fs, thread};

    #[test]
    fn what_is_damaged_is_built_again() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Cell::new(0);
        let value = || {
            Store::at(folder.path())
                .keep(
                    "tables/answer",
                    |bytes| (bytes == b"42").then_some(42u32),
                    |value| value.to_string().into_bytes(),
                    || {
                        builds.set(builds.get() + 1);
                        Ok(42)
                    },
                )
                .unwrap()
        };
        assert_eq!((*value(), builds.get()), (42, 1));
        assert_eq!((*value(), builds.get()), (42, 1));
        fs::write(folder.path().join("tables/answer"), b"4").unwrap();
        assert_eq!((*value(), builds.get()), (42, 2));
        assert_eq!(fs::read(folder.path().join("tables/answer")).unwrap(), b"42");
    }

    fn number(store: &Store, build: impl FnOnce() -> Result<u32, WorkError>) -> Result<Arc<u32>, WorkError> {
        store.keep("number", |_| None, |value| value.to_string().into_bytes(), build)
    }

    /// A builder that works on a thread pool may be handed, while it waits, work that wants what it builds.
    #[test]
    fn building_on_a_thread_pool_cannot_wait_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::at(folder.path()));
        let (done, finished) = mpsc::channel();
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let build = || {
                let inner = || number(&store, || Ok(7));
                let (one, other) = rayon::join(inner, inner);
                Ok(*one? + *other?)
            };
            done.send(*pool.install(|| number(&store, build)).unwrap()).unwrap();
        });
        assert_eq!(finished.recv_timeout(Duration::from_secs(20)), Ok(14));
    }

    #[test]
    fn elsewhere_a_thing_is_built_once_and_other_things_do_not_wait() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let builds = AtomicU32::new(0);
        let build = || {
            let other = store.keep("other", |_| None, |_: &u32| Vec::new(), || Ok(5))?;
            thread::sleep(Duration::from_millis(20));
            builds.fetch_add(1, Ordering::Relaxed);
            Ok(*other)
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(*number(&store, build).unwrap(), 5));
            }
        });
        assert_eq!(builds.into_inner(), 1);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_folder_of_the_user_is_where_the_system_has_it() {
        let home = || Some(PathBuf::from("/home/me"));
        assert_eq!(user_data(Some("/data".into()), home()).as_deref(), Some(Path::new("/data")));
        for named in [None, Some(OsString::new()), Some("data".into())] {
            assert_eq!(user_data(named, home()).as_deref(), Some(Path::new("/home/me/.local/share")));
        }
        assert_eq!(user_data(None, Some(PathBuf::new())), None);
    }

    #[test]
    fn an_empty_variable_names_no_folder() {
        assert_eq!(root_of_user(Some("there".into())), Path::new("there"));
        let own = root_of_user(None);
        assert!(own.ends_with("outplay"));
        assert_eq!(root_of_user(Some(OsString::new())), own);
    }
}
