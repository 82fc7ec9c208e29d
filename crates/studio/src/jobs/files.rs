//! Where jobs leave their files.
//!
//! Paths are built only from the studio's folder and job identifiers, which the studio gives out.

use std::path::{Path, PathBuf};

use crate::clock::is_id;

/// The paths of the files that jobs leave.
#[derive(Clone, Debug)]
pub(crate) struct JobFiles {
    folder: PathBuf,
}

impl JobFiles {
    /// Below the studio's folder.
    pub(crate) fn below(folder: &Path) -> Self {
        Self { folder: folder.join("jobs") }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The model that a training leaves.
    pub(super) fn product(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.model"))
    }

    /// The folder of its run: checkpoint, configuration, records.
    pub(super) fn run(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.model.run"))
    }

    /// The games of a tournament.
    pub(super) fn games(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.games.jsonl"))
    }

    /// The file of a model, if it exists.
    pub(crate) fn path(&self, id: &str) -> Option<PathBuf> {
        let path = is_id(id).then(|| self.product(id))?;
        path.is_file().then_some(path)
    }

    /// Removes the files of jobs that are not among these: a process that was killed while it removed a job leaves them.
    pub(super) fn clear_others(&self, is_known: impl Fn(&str) -> bool) {
        let names = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        for name in names {
            let id = name.split('.').next().unwrap_or_default();
            if is_id(id) && !is_known(id) {
                self.clear(id);
            }
        }
    }

    /// Removes all files of a job.
    pub(super) fn clear(&self, id: &str) {
        // Errors do not matter: most jobs leave only some of these, and nothing refers to the files any more.
        let _ = std::fs::remove_file(self.product(id));
        let _ = std::fs::remove_file(self.games(id));
        let _ = std::fs::remove_dir_all(self.run(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::new_id;

    #[test]
    fn files_of_unknown_jobs_go_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let files = JobFiles::below(folder.path());
        let [known, gone] = [new_id(), new_id()];
        for id in [&known, &gone] {
            std::fs::create_dir_all(files.run(id)).unwrap();
            std::fs::write(files.product(id), "").unwrap();
            std::fs::write(files.games(id), "").unwrap();
        }
        let note = files.folder().join("notes.txt");
        std::fs::write(&note, "").unwrap();
        files.clear_others(|id| id == known);
        for (path, stays) in [(files.product(&known), true), (files.run(&known), true), (note, true)]
            .into_iter()
            .chain([files.product(&gone), files.run(&gone), files.games(&gone)].map(|path| (path, false)))
        {
            assert_eq!(path.exists(), stays, "{}", path.display());
        }
    }
}
