//! Recorded games, gathered from files to rate their players.
//!
//! Every game is replayed before it counts, all games are of one kind, and every rated player has met another one.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use outplay_core::{Seat, errors};

use outplay_runtime::WorkError;
use outplay_runtime::files::JsonLinesReader;

use crate::ratings::{Encounter, Ratings, rate};
use crate::record::GameRecord;
use crate::stats::Tally;

errors! {
    /// Why recorded games give no ratings. Lines count from 1.
    pub enum PoolError {
        Record { path: PathBuf, line: usize, reason: WorkError } =
            "line {line} of {path} holds no game: {reason}" | "la ligne {line} de {path} ne contient pas de partie : {reason}",
        /// Ratings of different games have nothing to do with each other.
        OtherGame { path: PathBuf, line: usize, found: String, expected: String } =
            "line {line} of {path} is a game of {found}, but those before it are of {expected}"
            | "la ligne {line} de {path} est une partie de {found}, mais celles d’avant sont de {expected}",
        OnePlayer { game: String } =
            "{game} has one player: expected a game of two to rate its players"
            | "{game} n’a qu’un joueur : attendu un jeu à deux pour classer ses joueurs",
        Empty { files: Vec<PathBuf> } =
            "{files} holds no games: expected at least one" | "{files} ne contient aucune partie : attendu au moins une",
        OnlyItself { player: String } =
            "{player} played only against itself: expected games between different players"
            | "{player} n’a joué que contre lui-même : attendu des parties entre joueurs différents",
    }
}

/// Plays a recorded game through. Games that were played alike have the same number.
pub type Fingerprint = Box<dyn Fn(&GameRecord) -> Result<u64, WorkError>>;

/// Opens the game that a text names.
type Open<'a> = dyn Fn(&str) -> Result<Fingerprint, WorkError> + 'a;

/// Rates the players of all games in these files, whose boards `open` opens.
pub fn rate_files(paths: &[PathBuf], open: &Open<'_>) -> Result<Ratings, WorkError> {
    let mut pool = Pool::default();
    for path in paths {
        for (record, line) in JsonLinesReader::open(path)?.zip(1..) {
            pool.add(record?, path, line, open)?;
        }
    }
    if pool.results.is_empty() {
        return Err(PoolError::Empty { files: paths.to_vec() }.into());
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
    game: Option<(String, Fingerprint)>,
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
        let no_game = |reason| PoolError::Record { path: path.to_owned(), line, reason };
        let (game, fingerprint) = match &mut self.game {
            Some(game) => game,
            none => none.insert((record.game.clone(), open(&record.game).map_err(no_game)?)),
        };
        if record.game != *game {
            let (path, expected) = (path.to_owned(), game.clone());
            return Err(PoolError::OtherGame { path, line, found: record.game, expected });
        }
        let fingerprint = fingerprint(&record).map_err(no_game)?;
        let players: [String; 2] =
            record.players.try_into().map_err(|_| PoolError::OnePlayer { game: record.game })?;
        let meeting = self.results.entry(players).or_default();
        meeting.tally.count(record.outcome, Seat::First);
        meeting.different.insert(fingerprint);
        Ok(())
    }

    fn rate(&self) -> Result<Ratings, PoolError> {
        let met_others: BTreeSet<&String> =
            self.results.keys().filter(|[first, second]| first != second).flatten().collect();
        if let Some(alone) = self.results.keys().flatten().find(|player| !met_others.contains(player)) {
            return Err(PoolError::OnlyItself { player: alone.clone() });
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
