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

    /// Removes all files of a job.
    pub(super) fn clear(&self, id: &str) {
        // Errors do not matter: most jobs leave only some of these, and nothing refers to the files any more.
        let _ = std::fs::remove_file(self.product(id));
        let _ = std::fs::remove_file(self.games(id));
        let _ = std::fs::remove_dir_all(self.run(id));
    }
}
