//! Writing games to a file (`--record FILE`) and reading them back.
//!
//! A file that cannot be written ends the writing and not the games; the user is told at the end. A contest whose games are
//! in the file already is refused, unless it is to be resumed.

use outplay_runtime::WorkError;
use std::path::{Path, PathBuf};

use crate::args::ContestArgs;
use crate::error::CommandError;
use outplay_arena::GameRecord;
use outplay_arena::record::{GameTranscript, RecordError, RecordHeader, RecordSink};
use outplay_lab::AnyGame;
use outplay_runtime::files::{JsonLinesAppender, JsonLinesReader, holds_records, open};

/// Writes games to a file, or nowhere.
pub(crate) struct RecordWriter {
    file: Option<JsonLinesAppender<GameRecord>>,
    failure: Option<WorkError>,
    past: PastGames,
}

impl RecordWriter {
    /// Opens the file, if one was named; nothing is written to it before the first game.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, WorkError> {
        let file = path.map(JsonLinesAppender::open).transpose()?;
        Ok(Self { file, failure: None, past: PastGames::default() })
    }

    /// The same for a contest, which goes on from the games that the file holds if it is to be resumed.
    pub(crate) fn of_contest(contest: &ContestArgs) -> Result<Self, WorkError> {
        let writer = Self::open(contest.record.as_deref())?;
        let past = contest.record.as_deref().map(|path| PastGames::read(path, contest.resume)).transpose()?;
        Ok(Self { past: past.unwrap_or_default(), ..writer })
    }

    pub(crate) fn write(&mut self, record: &GameRecord) {
        if let Some(file) = self.file.as_mut().filter(|_| self.failure.is_none()) {
            self.failure = file.append(record).err().map(WorkError::from);
        }
    }

    /// Does `work` with a sink for its games, if a file was named.
    pub(crate) fn while_recording<T>(
        &mut self,
        work: impl FnOnce(Option<&mut (dyn RecordSink + '_)>) -> T,
    ) -> T {
        if self.file.is_some() { work(Some(self)) } else { work(None) }
    }

    /// Says whether every game is on disk.
    pub(crate) fn close(self) -> Result<(), WorkError> {
        self.failure.map_or(Ok(()), Err)?;
        self.file.map_or(Ok(()), |file| Ok(file.sync()?))
    }
}

impl RecordSink for RecordWriter {
    fn recall(&mut self, header: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError> {
        self.past.recall(header)
    }

    fn keep(&mut self, record: &GameRecord) {
        self.write(record);
    }
}

/// The games that a file held before a contest.
#[derive(Default)]
struct PastGames {
    path: PathBuf,
    records: Vec<GameRecord>,
    /// Whether the contest goes on from them.
    resume: bool,
    /// Whether a match of the contest has asked for its games.
    asked: bool,
}

impl PastGames {
    fn read(path: &Path, resume: bool) -> Result<Self, WorkError> {
        // A device or pipe holds no games.
        let reader = path.is_file().then(|| JsonLinesReader::open(path)).transpose()?;
        let records = reader.into_iter().flatten().collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), records, resume, asked: false })
    }

    /// The games of a match in order from the first. Since games are written in order, the first match of a contest
    /// tells whether there are any.
    fn recall(&mut self, header: &RecordHeader<'_>) -> Result<Vec<GameRecord>, RecordError> {
        let games: Vec<GameRecord> =
            self.records.iter().filter(|record| header.covers(record)).cloned().collect();
        if let Some((record, place)) =
            games.iter().zip(0_u64..).find(|(record, place)| record.index != *place)
        {
            let (path, found, expected) = (self.path.clone(), record.index + 1, place + 1);
            return Err(RecordError::Order { path, found, expected });
        }
        let is_first = !std::mem::replace(&mut self.asked, true);
        let path = self.path.clone();
        match (self.resume, games.is_empty()) {
            (false, false) if is_first => Err(RecordError::Played { path }),
            (true, true) if is_first => Err(RecordError::NotPlayed { path }),
            (false, _) => Ok(Vec::new()),
            (true, _) => Ok(games),
        }
    }
}

/// The game of this number, counted from 1, in a file of recorded games, and how many there are. `option` is what the
/// user wrote the number behind.
pub(crate) fn recorded_game(
    option: &str,
    number: u64,
    file: &Path,
) -> Result<(GameRecord, usize), WorkError> {
    let mut records: Vec<GameRecord> = JsonLinesReader::open(file)?.collect::<Result<_, _>>()?;
    let games = records.len();
    match usize::try_from(number - 1).ok().filter(|&index| index < games) {
        Some(index) => Ok((records.swap_remove(index), games)),
        None => Err(too_few(option, number, file, games).into()),
    }
}

/// The same for a file of records or of the game's own format.
pub(crate) fn told_game(
    game: &dyn AnyGame,
    option: &str,
    number: u64,
    file: &Path,
) -> Result<(GameTranscript, usize), WorkError> {
    if holds_records(file)? {
        return recorded_game(option, number, file).map(|(record, games)| (record.into(), games));
    }
    let (mut games, mut found) = (0, None);
    for told in game.read_games(Box::new(open(file)?))? {
        games += 1;
        if games as u64 == number {
            found = Some(told);
        }
    }
    let told = found.ok_or_else(|| too_few(option, number, file, games))?;
    let told = told.map_err(|reason| CommandError::UnreadableGame { path: file.to_owned(), reason })?;
    Ok((told, games))
}

fn too_few(option: &str, number: u64, file: &Path, games: usize) -> CommandError {
    CommandError::TooFewGames { option: option.to_owned(), number, path: file.to_owned(), games }
}
