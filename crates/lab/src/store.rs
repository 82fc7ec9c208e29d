//! The data directory: what the lab computes once and keeps.
//!
//! Law: everything in it can be made again. A file that does not read back is rebuilt, never trusted.

use std::any::Any;
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::LabError;
use crate::files::{make_folder, read_bytes, write_atomically};

/// A data directory, and what was read from it so far.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    held: Mutex<HashMap<String, Arc<dyn Any + Send + Sync>>>,
}

impl Store {
    /// The store in this folder, which need not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), held: Mutex::default() }
    }

    /// The store in `OUTPLAY_DATA`, or in the user's own data folder.
    pub fn of_this_user() -> Self {
        let own = || dirs::data_dir().unwrap_or_else(env::temp_dir).join("outplay");
        Self::at(env::var_os("OUTPLAY_DATA").map_or_else(own, PathBuf::from))
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
    /// written. It is read or built once for as long as the store lives.
    pub fn keep<T: Send + Sync + 'static>(
        &self,
        name: &str,
        decode: impl FnOnce(&[u8]) -> Option<T>,
        encode: impl FnOnce(&T) -> Vec<u8>,
        build: impl FnOnce() -> Result<T, LabError>,
    ) -> Result<Arc<T>, LabError> {
        // Held while building, so that two threads do not build the same thing at once.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = held.get(name).and_then(|kept| Arc::clone(kept).downcast::<T>().ok()) {
            return Ok(kept);
        }
        let path = self.path(name);
        let kept = if let Some(read) = read_bytes(&path).ok().and_then(|bytes| decode(&bytes)) {
            Arc::new(read)
        } else {
            let built = build()?;
            make_folder(path.parent().unwrap_or(&self.root))?;
            let bytes = encode(&built);
            write_atomically(&path, |writer| writer.write_all(&bytes))?;
            Arc::new(built)
        };
        held.insert(name.to_owned(), Arc::clone(&kept) as Arc<dyn Any + Send + Sync>);
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs;

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
}
