//! Writing games to a file (`--record FILE`) and reading them back.
//!
//! A file that cannot be written ends the writing and not the games; the user is told at the end.

use outplay_runtime::WorkError;
use std::path::Path;

use crate::error::CommandError;
use outplay_arena::GameRecord;
use outplay_arena::record::{GameTranscript, RecordSink};
use outplay_lab::AnyGame;
use outplay_runtime::files::{JsonLinesAppender, JsonLinesReader, holds_records, open};

/// Writes games to a file, or nowhere.
pub(crate) struct RecordWriter {
    file: Option<JsonLinesAppender<GameRecord>>,
    failure: Option<WorkError>,
}

impl RecordWriter {
    /// Opens the file, if one was named; nothing is written to it before the first game.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, WorkError> {
        let file = path.map(JsonLinesAppender::open).transpose()?;
        Ok(Self { file, failure: None })
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
        if self.file.is_some() {
            work(Some(&mut |record: &GameRecord| self.write(record)))
        } else {
            work(None)
        }
    }

    /// Says whether every game is on disk.
    pub(crate) fn close(self) -> Result<(), WorkError> {
        self.failure.map_or(Ok(()), Err)?;
        self.file.map_or(Ok(()), |file| Ok(file.sync()?))
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
