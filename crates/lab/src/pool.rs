//! Recorded games, gathered from files to rate their players.
//!
//! Every game is replayed before it counts, all games are of one kind, and every rated player has met another one.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use outplay_core::Seat;

use crate::error::LabError;
use crate::registry::AnyGame;
use outplay_arena::ratings::{Encounter, Ratings, rate};
use outplay_arena::record::GameRecord;
use outplay_arena::stats::Tally;
use outplay_runtime::files::JsonLinesReader;

/// Why recorded games give no ratings.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// A record is not that of a game.
    #[error("line {line} of {} holds no game: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What the game said.
        reason: Box<LabError>,
    },
    /// Ratings of different games have nothing to do with each other.
    #[error("line {line} of {} is a game of {found}, but those before it are of {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The game of this record.
        found: String,
        /// The game of the records before it.
        expected: String,
    },
    /// A game against nature says nothing about another player.
    #[error("{0} has one player: expected a game of two to rate its players")]
    OnePlayer(String),
    /// There is nothing to rate by.
    #[error("{0} holds no games: expected at least one")]
    Empty(String),
    /// A player's games say nothing about its strength.
    #[error("{0} played only against itself: expected games between different players")]
    OnlyItself(String),
}

/// Opens the game that a text names.
type Open<'a> = dyn Fn(&str) -> Result<Box<dyn AnyGame>, LabError> + 'a;

/// Rates the players of all games in these files, whose boards `open` opens.
pub fn rate_files(paths: &[PathBuf], open: &Open<'_>) -> Result<Ratings, LabError> {
    let mut pool = Pool::default();
    for path in paths {
        for (record, line) in JsonLinesReader::open(path)?.zip(1..) {
            pool.add(record?, path, line, open)?;
        }
    }
    if pool.results.is_empty() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(PoolError::Empty(names.join(", ")).into());
    }
    Ok(pool.rate()?)
}

/// The games of two players who kept their seats.
#[derive(Default)]
struct Meeting {
    tally: Tally,
    different: HashSet<u64>,
}

#[derive(Default)]
struct Pool {
    game: Option<(String, Box<dyn AnyGame>)>,
    results: BTreeMap<[String; 2], Meeting>,
}

impl Pool {
    fn add(
        &mut self,
        record: GameRecord,
        path: &Path,
        line: usize,
        open: &Open<'_>,
    ) -> Result<(), PoolError> {
        let no_game = |reason| PoolError::Record { path: path.to_owned(), line, reason: Box::new(reason) };
        let (game, board) = match &mut self.game {
            Some(game) => game,
            none => none.insert((record.game.clone(), open(&record.game).map_err(no_game)?)),
        };
        if record.game != *game {
            let (path, expected) = (path.to_owned(), game.clone());
            return Err(PoolError::OtherGame { path, line, found: record.game, expected });
        }
        let fingerprint = board.fingerprint(&record).map_err(no_game)?;
        let players: [String; 2] =
            record.players.try_into().map_err(|_| PoolError::OnePlayer(record.game))?;
        let meeting = self.results.entry(players).or_default();
        meeting.tally.count(record.outcome, Seat::First);
        meeting.different.insert(fingerprint);
        Ok(())
    }

    fn rate(&self) -> Result<Ratings, PoolError> {
        let met_others: BTreeSet<&String> =
            self.results.keys().filter(|[first, second]| first != second).flatten().collect();
        if let Some(alone) = self.results.keys().flatten().find(|player| !met_others.contains(player)) {
            return Err(PoolError::OnlyItself(alone.clone()));
        }
        let encounters: Vec<Encounter<'_>> = self
            .results
            .iter()
            .map(|([first, second], Meeting { tally, different })| Encounter {
                first,
                second,
                tally: *tally,
                distinct: different.len() as u64,
            })
            .collect();
        Ok(rate(&encounters, true))
    }
}
