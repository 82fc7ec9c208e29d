//! What a run could not try: tests append a line each to a file (`outplay_testing::skip`), and so do these chores.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The list of one run.
pub(crate) struct SkipList {
    file: PathBuf,
}

impl SkipList {
    /// An empty list in a file of its own.
    pub(crate) fn create(file: &Path) -> Result<Self, String> {
        let failed = |error| format!("cannot write {}: {error}", file.display());
        fs::create_dir_all(file.parent().unwrap_or(file)).map_err(failed)?;
        fs::write(file, "").map_err(failed)?;
        // Tests run in the folders of their crates.
        Ok(Self { file: fs::canonicalize(file).map_err(failed)? })
    }

    /// The file that `OUTPLAY_SKIPPED` is to name.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Adds what was not tried and why.
    pub(crate) fn add(&self, what: &str, reason: &str) -> Result<(), String> {
        let file = OpenOptions::new().append(true).open(&self.file);
        file.and_then(|mut file| writeln!(file, "{what}: {reason}"))
            .map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }

    /// Shows the list. A strict caller takes a list that is not empty for a failure.
    pub(crate) fn close(self, is_strict: bool) -> Result<(), String> {
        let text = fs::read_to_string(&self.file)
            .map_err(|error| format!("cannot read {}: {error}", self.file.display()))?;
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        if lines.is_empty() {
            return Ok(());
        }
        eprintln!("skipped, because something is missing here:");
        for line in &lines {
            eprintln!("  {line}");
        }
        if is_strict { Err(format!("{} skipped, and CI=true allows none", lines.len())) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(name: &str) -> SkipList {
        let folder = std::env::temp_dir().join(format!("outplay-xtask-{}", std::process::id()));
        SkipList::create(&folder.join(name)).unwrap()
    }

    #[test]
    fn an_empty_list_is_always_fine() {
        assert_eq!(list("empty").close(true), Ok(()));
    }

    #[test]
    fn a_skip_fails_a_strict_run_only() {
        for is_strict in [false, true] {
            let list = list(&format!("one-{is_strict}"));
            list.add("the page", "no Chromium").unwrap();
            assert_eq!(fs::read_to_string(list.file()).unwrap(), "the page: no Chromium\n");
            assert_eq!(list.close(is_strict).is_err(), is_strict);
        }
    }
}
