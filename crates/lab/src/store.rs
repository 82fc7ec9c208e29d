//! The data directory: what the lab computes once and keeps; the memory that all its works may use; and the keyboard at
//! which a person can be asked, if there is one.
//!
//! Everything in the directory can be made again. A file that does not read back is rebuilt, never trusted.

use std::any::Any;
use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::Duration;

use crate::keyboard::Keyboard;
use outplay_runtime::files::{make_folder, read_bytes, write_atomically};
use outplay_runtime::{MemoryBudget, MemoryError, MemoryReservation, Watch, WorkError};

/// A data directory, what was read from it so far, and the memory that works may use.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    memory: Arc<MemoryBudget>,
    keyboard: Option<Arc<dyn Keyboard>>,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    /// Held while something is solved: one thing at a time, on all cores.
    solving: Mutex<()>,
}

/// Something that is solved once and then shared.
#[derive(Clone, Copy)]
pub struct Solvable<'a> {
    /// Its name; the file below the root, if it has one.
    pub name: &'a str,
    /// What is said of it to people, such as `solving Push-over 4×4`.
    pub task: &'a str,
    /// The MiB that it may come to use while it is solved.
    pub mebibytes: u32,
    /// Watches the solver, and those who wait for it.
    pub watch: Watch<'a>,
}

/// Solutions on disk up to this many MiB stay in memory; others go with their last user.
const STAYS: u32 = 256;

/// One solution's place in memory.
#[derive(Debug, Default)]
struct Slot {
    solution: Mutex<Option<SharedSolution>>,
    /// Held while the solution is read or built.
    turn: Mutex<()>,
}

/// A solution that is in memory, and its share of it.
#[derive(Debug)]
struct SharedSolution {
    users: Weak<dyn Any + Send + Sync>,
    stays: Option<Arc<dyn Any + Send + Sync>>,
    _memory: MemoryReservation,
}

impl SharedSolution {
    /// Whether nobody uses it.
    fn is_idle(&self) -> bool {
        self.users.strong_count() == usize::from(self.stays.is_some())
    }
}

impl Slot {
    fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.solution().as_ref().and_then(|shared| shared.users.upgrade()?.downcast().ok())
    }

    fn put<T: Send + Sync + 'static>(&self, solution: Arc<T>, stays: bool, memory: MemoryReservation) {
        let solution: Arc<dyn Any + Send + Sync> = solution;
        let users = Arc::downgrade(&solution);
        let stays = stays.then_some(solution);
        *self.solution() = Some(SharedSolution { users, stays, _memory: memory });
    }

    fn solution(&self) -> MutexGuard<'_, Option<SharedSolution>> {
        self.solution.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// The store in this folder, which need not exist yet. Works may use three quarters of the machine's memory.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            memory: MemoryBudget::of_machine(),
            keyboard: None,
            slots: Mutex::default(),
            solving: Mutex::default(),
        }
    }

    /// The store in `OUTPLAY_DATA`, or in the user's own data folder.
    pub fn of_this_user() -> Self {
        Self::at(root_of_user(env::var_os("OUTPLAY_DATA")))
    }

    /// The same with so many MiB for all works together.
    #[must_use]
    pub fn with_memory(self, mebibytes: u32) -> Self {
        Self { memory: MemoryBudget::new(mebibytes), ..self }
    }

    /// The same with a person who can be asked for moves.
    #[must_use]
    pub fn with_keyboard(self, keyboard: Arc<dyn Keyboard>) -> Self {
        Self { keyboard: Some(keyboard), ..self }
    }

    /// The person who can be asked for moves.
    pub const fn keyboard(&self) -> Option<&Arc<dyn Keyboard>> {
        self.keyboard.as_ref()
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The memory that all works may use together.
    pub const fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// A path below the root.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// What the file `name` holds; if it is missing or `decode` refuses it, `build` makes it anew and it is written. It is small, and
    /// kept for as long as the store lives.
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
        let what = Solvable { name, task: name, mebibytes: 0, watch: Watch::nobody() };
        self.share(what, true, || self.read_or_build(name, decode, encode, build))
    }

    /// The same for a solution, which takes much memory and all cores: its memory is reserved, and one is built at a time.
    pub fn keep_solution<T: Send + Sync + 'static>(
        &self,
        what: Solvable<'_>,
        decode: impl FnOnce(&[u8]) -> Option<T>,
        encode: impl FnOnce(&T) -> Vec<u8>,
        build: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<Arc<T>, WorkError> {
        let build_in_turn = || {
            let _solving = wait_for(&self.solving, what.watch)?;
            build()
        };
        self.share(what, what.mebibytes <= STAYS, || {
            self.read_or_build(what.name, decode, encode, build_in_turn)
        })
    }

    /// The same for a solution that is not written.
    pub fn solve<T: Send + Sync + 'static>(
        &self,
        what: Solvable<'_>,
        build: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<Arc<T>, WorkError> {
        self.share(what, false, || {
            let _solving = wait_for(&self.solving, what.watch)?;
            build()
        })
    }

    fn read_or_build<T>(
        &self,
        name: &str,
        decode: impl FnOnce(&[u8]) -> Option<T>,
        encode: impl FnOnce(&T) -> Vec<u8>,
        build: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let path = self.path(name);
        if let Some(read) = read_bytes(&path).ok().and_then(|bytes| decode(&bytes)) {
            return Ok(read);
        }
        let built = build()?;
        make_folder(path.parent().unwrap_or(&self.root))?;
        let bytes = encode(&built);
        write_atomically(&path, |writer| writer.write_all(&bytes))?;
        Ok(built)
    }

    /// What is in memory under this name; else what `make` gives, its memory reserved before.
    fn share<T: Send + Sync + 'static>(
        &self,
        what: Solvable<'_>,
        stays: bool,
        make: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<Arc<T>, WorkError> {
        let slot = self.slot(what.name);
        let _turn = wait_for(&slot.turn, what.watch)?;
        if let Some(shared) = slot.get() {
            return Ok(shared);
        }
        // It does not wait: what asks for a solution may hold memory itself.
        let memory = self.try_reserve(what.task, what.mebibytes)?;
        let made = Arc::new(make()?);
        slot.put(Arc::clone(&made), stays, memory);
        Ok(made)
    }

    /// Reserves so many MiB for what the user asked for, if they are free. If need be, solutions that nobody uses go.
    pub fn try_reserve(&self, asked: &str, mebibytes: u32) -> Result<MemoryReservation, MemoryError> {
        self.drop_solutions(|shared| shared.users.strong_count() == 0);
        self.memory.try_reserve(asked, mebibytes).or_else(|_| {
            self.drop_solutions(SharedSolution::is_idle);
            self.memory.try_reserve(asked, mebibytes)
        })
    }

    /// The same, but waits until they are free. Only for work that holds no memory itself.
    pub fn reserve(
        &self,
        asked: &str,
        mebibytes: u32,
        stop: &AtomicBool,
    ) -> Result<MemoryReservation, WorkError> {
        self.memory.reserve(asked, mebibytes, stop, || self.drop_solutions(SharedSolution::is_idle))
    }

    fn drop_solutions(&self, is_dropped: impl Fn(&SharedSolution) -> bool) {
        self.slots().retain(|_, slot| {
            let mut solution = slot.solution();
            let _ = solution.take_if(|shared| is_dropped(shared));
            // A slot that another thread has is about to be filled.
            solution.is_some() || Arc::strong_count(slot) > 1
        });
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, name: &str) -> Arc<Slot> {
        Arc::clone(self.slots().entry(name.to_owned()).or_default())
    }
}

/// Waits for a turn until the work is stopped; inside a thread pool nobody waits.
fn wait_for<'a>(turn: &'a Mutex<()>, watch: Watch<'_>) -> Result<Option<MutexGuard<'a, ()>>, WorkError> {
    if rayon::current_thread_index().is_some() {
        return Ok(None);
    }
    loop {
        match turn.try_lock() {
            Ok(taken) => return Ok(Some(taken)),
            Err(TryLockError::Poisoned(taken)) => return Ok(Some(taken.into_inner())),
            Err(TryLockError::WouldBlock) if watch.is_stopped() => return Err(WorkError::Stopped),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
        }
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
    use std::fs;
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    fn small(name: &str) -> Solvable<'_> {
        Solvable { name, task: name, mebibytes: 1, watch: Watch::nobody() }
    }

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
    fn elsewhere_a_thing_is_built_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let builds = AtomicU32::new(0);
        let build = || {
            thread::sleep(Duration::from_millis(20));
            builds.fetch_add(1, Ordering::Relaxed);
            Ok(5)
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
    fn one_thing_is_solved_at_a_time_and_a_stop_ends_the_wait() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        let (solving, stop) = (AtomicU32::new(0), AtomicBool::new(false));
        let build = || {
            assert_eq!(solving.fetch_add(1, Ordering::SeqCst), 0);
            thread::sleep(Duration::from_millis(20));
            solving.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        let what = Solvable { watch: Watch::new(&stop, &|_| {}), ..small("d") };
        thread::scope(|scope| {
            let works = ["a", "b", "c"].map(|name| scope.spawn(|| store.solve(small(name), build).map(drop)));
            for work in works {
                work.join().unwrap().unwrap();
            }
            let _busy = store.solving.lock().unwrap();
            let waiting = scope.spawn(|| store.solve(what, || Ok(())).map(drop));
            thread::sleep(Duration::from_millis(20));
            assert!(!waiting.is_finished());
            stop.store(true, Ordering::Relaxed);
            assert!(matches!(waiting.join().unwrap(), Err(WorkError::Stopped)));
        });
    }

    #[test]
    fn solutions_stay_within_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).with_memory(1000);
        let solve = |name, mebibytes| store.solve(Solvable { mebibytes, ..small(name) }, || Ok(mebibytes));
        let used = solve("used", 700).unwrap();
        let refused = solve("other", 400).unwrap_err().to_string();
        assert!(refused.starts_with("'other' may need 400 MiB of memory and 300 are free"), "{refused}");
        assert!(Arc::ptr_eq(&used, &solve("used", 700).unwrap()));
        drop(used);
        drop(solve("other", 400).unwrap());
        let reads = Cell::new(0);
        let on_disk = |mebibytes| {
            let decode = |_: &[u8]| Some(reads.replace(reads.get() + 1));
            let what = Solvable { mebibytes, ..small("small") };
            store.keep_solution(what, decode, |_| Vec::new(), || Ok(0)).map(drop).unwrap();
        };
        on_disk(200);
        on_disk(200);
        assert_eq!(reads.get(), 0, "what is small stays");
        drop(solve("large", 900).unwrap());
        on_disk(200);
        assert_eq!(reads.get(), 1, "until its memory is needed");
        drop(solve("large", 900).unwrap());
        on_disk(300);
        on_disk(300);
        assert_eq!(reads.get(), 3, "what is large goes with its last user");
        let refused = solve("too large", 1001).unwrap_err().to_string();
        assert_eq!(refused, "'too large' may need 1001 MiB of memory, expected at most 1000 (--memory)");
    }

    #[test]
    fn an_empty_variable_names_no_folder() {
        assert_eq!(root_of_user(Some("there".into())), Path::new("there"));
        let own = root_of_user(None);
        assert!(own.ends_with("outplay"));
        assert_eq!(root_of_user(Some(OsString::new())), own);
    }
}
