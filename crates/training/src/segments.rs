//! The parts of a checkpoint that never change once they are made, each in a file of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outplay_runtime::WorkError;
use outplay_runtime::files::{FileError, make_folder, read_bytes, write_atomically};

use crate::run::RunError;

/// A part of a checkpoint that never changes once it is made, such as games to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its number in the training; the same number has the same bytes, whenever it is made.
    pub number: u64,
    /// What it holds.
    pub bytes: Arc<[u8]>,
}

/// The folder of a run's segments: `NUMBER.bin` is the checksum of what follows, and the segment.
pub(crate) struct SegmentFolder(PathBuf);

impl SegmentFolder {
    pub(crate) fn in_run(run: &Path) -> Self {
        Self(run.join("segments"))
    }

    /// All segments, oldest first; a damaged one is refused.
    pub(crate) fn read(&self) -> Result<Vec<Segment>, WorkError> {
        let read = |number| {
            let path = self.path(number);
            let bytes = read_bytes(&path)?;
            let whole = bytes
                .split_first_chunk()
                .filter(|(checksum, content)| crc32fast::hash(content) == u32::from_le_bytes(**checksum));
            let (_, content) = whole.ok_or(RunError::DamagedCheckpoint { path })?;
            Ok(Segment { number, bytes: content.into() })
        };
        self.numbers()?.into_iter().map(read).collect()
    }

    /// Writes the segments that are not there yet.
    pub(crate) fn add(&self, segments: &[Segment]) -> Result<(), WorkError> {
        if segments.is_empty() {
            return Ok(());
        }
        make_folder(&self.0)?;
        for Segment { number, bytes } in segments {
            let path = self.path(*number);
            if !path.exists() {
                let checksum = crc32fast::hash(bytes).to_le_bytes();
                write_atomically(&path, |writer| {
                    writer.write_all(&checksum)?;
                    writer.write_all(bytes)
                })?;
            }
        }
        Ok(())
    }

    /// Removes all but these, and the folder if none is left.
    pub(crate) fn keep(&self, segments: &[Segment]) -> Result<(), WorkError> {
        if !self.0.exists() {
            return Ok(());
        }
        let is_kept = |number| segments.iter().any(|segment| segment.number == number);
        for number in self.numbers()?.into_iter().filter(|&number| !is_kept(number)) {
            let path = self.path(number);
            fs::remove_file(&path).map_err(|source| RunError::Remove { path, source })?;
        }
        if segments.is_empty() {
            let path = self.0.clone();
            fs::remove_dir_all(&path).map_err(|source| RunError::Remove { path, source })?;
        }
        Ok(())
    }

    /// The numbers of the segments that are there, rising.
    fn numbers(&self) -> Result<Vec<u64>, WorkError> {
        if !self.0.exists() {
            return Ok(Vec::new());
        }
        let unreadable = |source| FileError::Read { path: self.0.clone(), source };
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            numbers.extend(name.to_str().and_then(|name| name.strip_suffix(".bin")?.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.0.join(format!("{number}.bin"))
    }
}
