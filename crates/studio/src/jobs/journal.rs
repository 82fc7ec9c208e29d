//! The games of a tournament on disk.
//!
//! A resumed tournament reads its games back from the file as far as they go and appends the others. The file names players as the
//! request did; the lab's names contain paths.

use outplay_runtime::WorkError;
use std::iter::Peekable;
use std::path::Path;

use outplay_arena::GameRecord;
use outplay_arena::record::{RecordError, RecordHeader, RecordSink};
use outplay_runtime::files::{FileError, JsonLinesAppender, JsonLinesReader};

use super::job::Job;

/// The players of a tournament under both names, in the same order.
#[derive(Clone, Copy)]
pub(super) struct PlayerNames<'a> {
    /// As the request wrote them.
    pub(super) asked: &'a [String],
    /// As the lab reads them, with paths for models.
    pub(super) resolved: &'a [String],
}

impl PlayerNames<'_> {
    fn as_asked(self, record: &GameRecord) -> GameRecord {
        renamed(record, self.resolved, self.asked)
    }

    fn as_resolved(self, record: &GameRecord) -> GameRecord {
        renamed(record, self.asked, self.resolved)
    }
}

fn renamed(record: &GameRecord, from: &[String], to: &[String]) -> GameRecord {
    let mut record = record.clone();
    for name in &mut record.players {
        if let Some(place) = from.iter().position(|known| known == name) {
            name.clone_from(&to[place]);
        }
    }
    record
}

/// The file, and how far it was read.
pub(super) struct Journal<'a> {
    job: &'a Job,
    names: PlayerNames<'a>,
    file: JsonLinesAppender<GameRecord>,
    /// The games on disk that were not read back yet; `None` once new games are written.
    kept: Option<Peekable<JsonLinesReader<GameRecord>>>,
    broken: Option<FileError>,
}

impl<'a> Journal<'a> {
    pub(super) fn open(job: &'a Job, names: PlayerNames<'a>, path: &Path) -> Result<Self, WorkError> {
        let mut file = JsonLinesAppender::recover(path)?;
        // Games from a damaged line on are played again.
        file.cut_back(file.end())?;
        let kept = Some(JsonLinesReader::open(path)?.peekable());
        Ok(Self { job, names, file, kept, broken: None })
    }

    /// Syncs the games to the disk. Fails if one could not be written.
    pub(super) fn close(self) -> Result<(), WorkError> {
        self.broken.map_or_else(|| self.file.sync(), Err).map_err(WorkError::from)
    }

    /// Counts a game.
    fn count(&self, record: &GameRecord) {
        let mut status = self.job.status();
        status.saved.records += 1;
        if let Some(standing) = &mut status.standing {
            standing.count(record);
        }
    }
}

impl RecordSink for Journal<'_> {
    fn recall(&mut self, header: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError> {
        let names = self.names;
        let is_next = |record: &Result<GameRecord, FileError>| {
            record.as_ref().is_ok_and(|record| header.covers(&names.as_resolved(record)))
        };
        let mut recalled = Vec::new();
        while let Some(Ok(record)) = self.kept.as_mut().and_then(|kept| kept.next_if(is_next)) {
            self.count(&record);
            recalled.push(names.as_resolved(&record));
        }
        Ok(recalled)
    }

    fn keep(&mut self, record: &GameRecord) {
        self.kept = None;
        let record = self.names.as_asked(record);
        match self.file.append(&record) {
            Ok(()) => self.count(&record),
            Err(error) => drop(self.broken.get_or_insert(error)),
        }
    }
}
