//! The games of a tournament on disk: those that were kept when it was cut off, and each new one.
//!
//! Laws of this room:
//! - a tournament that goes on takes its games from the file as far as they are there, and goes on writing where they end;
//! - players stand in the file by the names that were asked for, not by the lab's, in which there are files.

use std::iter::Peekable;
use std::path::Path;

use outplay_lab::files::{FileError, JsonLinesAppender, JsonLinesReader};
use outplay_lab::record::{RecordHeader, RecordSink};
use outplay_lab::{GameRecord, LabError};

use super::job::Job;

/// The players of a tournament, in the same order.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// As they were asked for.
    pub(super) asked: &'a [String],
    /// As the lab knows them.
    pub(super) hired: &'a [String],
}

impl Names<'_> {
    fn as_asked(self, record: &GameRecord) -> GameRecord {
        renamed(record, self.hired, self.asked)
    }

    fn as_hired(self, record: &GameRecord) -> GameRecord {
        renamed(record, self.asked, self.hired)
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
    names: Names<'a>,
    file: JsonLinesAppender<GameRecord>,
    /// What was kept and is not recalled yet; nothing once new games are written.
    kept: Option<Peekable<JsonLinesReader<GameRecord>>>,
    broken: Option<FileError>,
}

impl<'a> Journal<'a> {
    pub(super) fn open(job: &'a Job, names: Names<'a>, path: &Path) -> Result<Self, LabError> {
        let file = JsonLinesAppender::open(path)?;
        let kept = Some(JsonLinesReader::open(path)?.peekable());
        Ok(Self { job, names, file, kept, broken: None })
    }

    /// Says whether every game is on disk.
    pub(super) fn close(self) -> Result<(), LabError> {
        self.broken.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Counts a game that is on disk.
    fn count(&self, record: &GameRecord) {
        let mut course = self.job.course();
        course.saved.records += 1;
        if let Some(standing) = &mut course.standing {
            standing.count(record);
        }
    }
}

impl RecordSink for Journal<'_> {
    fn recall(&mut self, header: &RecordHeader<'_>) -> Vec<GameRecord> {
        let names = self.names;
        let is_next = |record: &Result<GameRecord, FileError>| {
            record.as_ref().is_ok_and(|record| header.covers(&names.as_hired(record)))
        };
        let mut recalled = Vec::new();
        while let Some(Ok(record)) = self.kept.as_mut().and_then(|kept| kept.next_if(is_next)) {
            self.count(&record);
            recalled.push(names.as_hired(&record));
        }
        recalled
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
