//! Where jobs leave their files.
//!
//! Law: a path is made of the studio's folder and a job's name, which the studio itself gave out.

use std::path::{Path, PathBuf};

use crate::clock::is_id;

/// The folders of jobs.
#[derive(Clone, Debug)]
pub(crate) struct Models {
    folder: PathBuf,
}

impl Models {
    /// Below the studio's folder.
    pub(crate) fn below(folder: &Path) -> Self {
        Self { folder: folder.join("jobs") }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a training of this name leaves.
    pub(super) fn product(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.model"))
    }

    /// The lab's folder of the run that leaves it.
    pub(super) fn run(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.model.run"))
    }

    /// The games of a tournament.
    pub(super) fn games(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.games.jsonl"))
    }

    /// The file of a model, if there is one of this name.
    pub(crate) fn path(&self, id: &str) -> Option<PathBuf> {
        let path = is_id(id).then(|| self.product(id))?;
        path.is_file().then_some(path)
    }

    /// Removes all that a job of this name left.
    pub(super) fn clear(&self, id: &str) {
        // What is not there need not be removed, and what cannot be is found by nobody any more.
        let _ = std::fs::remove_file(self.product(id));
        let _ = std::fs::remove_file(self.games(id));
        let _ = std::fs::remove_dir_all(self.run(id));
    }
}
