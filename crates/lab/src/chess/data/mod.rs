//! Sets of chess positions as files: made from annotated games or from games that an engine plays, and described
//! (`outplay data chess`).
//!
//! The format, and which positions of a game are taken, are in `games`. The same games and parameters give the same
//! bytes; a game that cannot be read or played is skipped and counted.

mod engines;
mod played;

use outplay_runtime::WorkError;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::bufread::GzDecoder;
use outplay_core::{Text, errors};
use outplay_games::chess::dataset::{
    BookMoves, CLASSES, ClassBounds, ExampleExtractor, ExampleSetError, ExampleSetReader, ExampleSetWriter,
    GameExamples,
};
use outplay_games::chess::pgn::{PgnError, PgnReader};

use crate::chess::outside::EngineOptions;
use crate::error::BoardError;
use crate::params::{Program, USUAL_MEMORY};
use crate::registry::{DataReport, DataRequest};
use crate::spec::Spec;
use crate::{params, words};
use outplay_runtime::Watch;
use outplay_runtime::files::{self, FileError, make_folder, write_atomically};
use played::PlayedGames;

params! {
    /// Where examples come from and which are taken.
    pub(super) struct ChessDataParams {
        pgn: Option<String> = None,
            in Text::new("a file of games, or a folder of such files", "un fichier de parties, ou un dossier de tels fichiers"),
            "takes the positions of these games, whose moves carry an engine's verdicts"
            | "prend les positions de ces parties, dont un moteur a jugé les coups";
        engine: Option<Program> = None,
            "lets this engine play the games against itself, such as stockfish; 'own' is the program's own"
            | "fait jouer les parties par ce moteur contre lui-même, tel que stockfish ; « own » est celui du programme";
        games: u64 = 100, in 1..=100_000_000, "games that the engine plays" | "parties que le moteur joue";
        depth: Option<u32> = None, in 1..=100,
            "plies it looks ahead (8 if not given)" | "demi-coups qu’il regarde (8 si non donné)";
        nodes: Option<u64> = None, in 1..=1_000_000_000, "positions per move" | "positions par coup";
        opening: u32 = 8, in 0..=60,
            "random plies before the engine plays" | "demi-coups au hasard avant que le moteur joue";
        blind: f64 = 0.0, in 0.0..=1.0,
            "share of random moves, so that games show mistakes and how they are punished"
            | "part de coups au hasard, pour que les parties montrent des fautes et comment elles sont punies";
        plies: u32 = 300, in 1..=2000,
            "a longer game is stopped as a draw" | "une partie plus longue est arrêtée et nulle";
        options: Option<EngineOptions> = None,
            in Text::new("options such as Hash=16;Threads=1", "des options telles que Hash=16;Threads=1"),
            "the engine's own options, separated by semicolons"
            | "les options propres au moteur, séparées par des points-virgules";
        timeout: Duration = Duration::from_secs(10),
            "how long the engine may take to answer" | "combien de temps le moteur peut mettre à répondre";
        mates: bool = false,
            "only games that end in mate, as in the document" | "seulement les parties finies par un mat, comme dans le document";
        book: BookMoves = BookMoves::Dropped,
            "what to do with moves that a comment calls book: skip them, or take them as even positions"
            | "que faire des coups qu’un commentaire dit de bibliothèque : les omettre, ou les prendre pour des positions égales";
    }
    // Games that are read are taken one by one. Those that an engine plays are kept, with their examples: some 16 KiB each.
    memory |own| USUAL_MEMORY.saturating_add(
        own.engine.as_ref().map_or(0, |_| u32::try_from(own.games >> 6).unwrap_or(u32::MAX))
    )
}

words!(BookMoves { "drop" => BookMoves::Dropped, "even" => BookMoves::Even });

errors! {
    /// Why a set of positions cannot be made or read.
    pub enum ChessDataError {
        NoSource =
            "a set is made of games that exist or of games that are played: expected pgn=FILE or engine=COMMAND"
            | "un ensemble se fait de parties qui existent ou de parties jouées : attendu pgn=FICHIER ou engine=COMMANDE",
        NoGameFile { folder: PathBuf } = "{folder} holds no .pgn file" | "{folder} ne contient aucun fichier .pgn",
        NoVerdict { games: Text } =
            "{games} holds no position with a verdict: expected games whose moves an engine has judged"
            | "{games} : aucune position jugée, attendu des parties dont un moteur a jugé les coups",
        Unusable { set: Text, reason: ExampleSetError } = "{set}: {reason}" | "{set} : {reason}",
    }
}

/// Makes a set (or, if the file is to be a .pgn, the games themselves), or describes one.
pub(super) fn data(request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, WorkError> {
    let (spec, seed, out, resume, threads) = match *request {
        DataRequest::Describe(path) => return describe(path),
        DataRequest::Make { spec, seed, out, resume, threads } => (spec, seed, out, resume, threads),
    };
    let owner = Text::new("the data set of chess", "l’ensemble de données des échecs");
    let params = spec.read(&owner, &ChessDataParams::default())?;
    let harvest = ExampleExtractor { only_mates: params.mates, book: params.book };
    match (&params.pgn, &params.engine) {
        (Some(pgn), None) if !resume => from_files(Path::new(pgn), harvest, spec, out, watch),
        (Some(_), None) => Err(BoardError::NothingToResume.into()),
        (None, Some(engine)) => {
            let plan = played::PlayedPlan::of(engine, &params, seed)?;
            let played = plan.games(spec, out, resume, threads, watch)?;
            let report = write_games(&played, harvest, &note(spec, Some(seed)), out)?;
            played::forget(out)?;
            Ok(report)
        }
        _ => Err(ChessDataError::NoSource.into()),
    }
}

/// The set in `out` of games that our own engine played; if it is not there yet, it is made, from where an earlier run stopped.
pub fn own_set(
    parameters: &str,
    seed: u64,
    out: &Path,
    threads: Option<usize>,
    watch: Watch<'_>,
) -> Result<Vec<GameExamples>, WorkError> {
    if !out.exists() {
        let spec: Spec = format!("data:engine={},{parameters}", engines::OWN).parse()?;
        if let Some(folder) = out.parent() {
            make_folder(folder)?;
        }
        let resume = played::is_unfinished(out);
        data(&DataRequest::Make { spec: &spec, seed, out, resume, threads }, watch)?;
    }
    open(out)
}

/// How a set was made, in words that make it again.
fn note(spec: &Spec, seed: Option<u64>) -> String {
    let seed = seed.map_or_else(String::new, |seed| format!(" --seed {seed}"));
    let parameters: Vec<String> = spec.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("outplay data chess {}{seed}", parameters.join(" "))
}

fn from_files(
    pgn: &Path,
    harvest: ExampleExtractor,
    spec: &Spec,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, WorkError> {
    let files = files_in(pgn)?;
    let mut count = Count::default();
    let mut failure = None;
    let written = write_atomically(out, |writer| {
        let mut set = ExampleSetWriter::new(writer, &note(spec, None))?;
        for path in &files {
            if let Err(error) = take_file(path, harvest, &mut set, &mut count, watch) {
                failure = Some(error);
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        if let Err(error) = count.refuse_nothing(named(pgn)) {
            failure = Some(error.into());
            return Err(io::ErrorKind::InvalidData.into());
        }
        set.finish()
    });
    failure.map_or(Ok(()), Err)?;
    written?;
    Ok(count.report())
}

fn take_file(
    path: &Path,
    harvest: ExampleExtractor,
    set: &mut ExampleSetWriter<&mut dyn Write>,
    count: &mut Count,
    watch: Watch<'_>,
) -> Result<(), WorkError> {
    let unreadable = |source| FileError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    for game in PgnReader::new(BufReader::new(file)) {
        if watch.is_stopped() {
            return Err(WorkError::Stopped);
        }
        let example = match game {
            Ok(game) => harvest.extract(&game),
            Err(PgnError::Unreadable { reason: source }) => return Err(unreadable(source).into()),
            Err(error) => {
                count.damaged += 1;
                count.first_damage.get_or_insert_with(|| format!("{}, {error}", path.display()));
                continue;
            }
        };
        count.take(example.as_ref());
        if let Some(example) = example {
            set.add(&example).map_err(|source| FileError::Write { path: path.to_owned(), source })?;
        }
    }
    Ok(())
}

/// The file itself, or the PGN files of a folder in the order of their names.
fn files_in(path: &Path) -> Result<Vec<PathBuf>, WorkError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |source| FileError::Read { path: path.to_owned(), source };
    let mut files: Vec<PathBuf> = fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
    files.retain(|file| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")));
    files.sort();
    if files.is_empty() {
        return Err(ChessDataError::NoGameFile { folder: path.to_owned() }.into());
    }
    Ok(files)
}

fn write_games(
    played: &PlayedGames,
    harvest: ExampleExtractor,
    note: &str,
    out: &Path,
) -> Result<DataReport, WorkError> {
    let PlayedGames { games, given_up } = played;
    let examples: Vec<Option<GameExamples>> = games.iter().map(|game| harvest.extract(game)).collect();
    let mut count =
        Count { given_up: given_up.len() as u64, first_fault: given_up.first().cloned(), ..Count::default() };
    for example in &examples {
        count.take(example.as_ref());
    }
    if out.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")) {
        write_atomically(out, |writer| games.iter().try_for_each(|game| writeln!(writer, "{game}")))?;
        return Ok(count.report());
    }
    count.refuse_nothing(Text::new("the run", "les parties jouées"))?;
    write_atomically(out, |writer| {
        let mut set = ExampleSetWriter::new(writer, note)?;
        examples.iter().flatten().try_for_each(|example| set.add(example))?;
        set.finish()
    })?;
    Ok(count.report())
}

/// What a file is called in refusals.
fn named(path: &Path) -> Text {
    Text::same(path.display().to_string())
}

/// The bytes of a set, which may be compressed with gzip.
pub(super) fn decompressed<'a>(mut source: impl BufRead + 'a) -> Box<dyn Read + 'a> {
    let is_gzip = source.fill_buf().is_ok_and(|head| head.starts_with(&[0x1f, 0x8b]));
    if is_gzip { Box::new(BufReader::new(GzDecoder::new(source))) } else { Box::new(source) }
}

/// All examples of a set in a file.
pub(super) fn open(path: &Path) -> Result<Vec<GameExamples>, WorkError> {
    read(files::open(path)?, &named(path))
}

/// All examples of a set; `name` is what it is called in refusals.
pub(super) fn read(source: impl BufRead, name: &Text) -> Result<Vec<GameExamples>, WorkError> {
    let unusable = |reason| ChessDataError::Unusable { set: name.clone(), reason };
    let reader = ExampleSetReader::new(decompressed(source)).map_err(unusable)?;
    Ok(reader.collect::<Result<_, _>>().map_err(unusable)?)
}

fn describe(path: &Path) -> Result<DataReport, WorkError> {
    let unusable = |reason| ChessDataError::Unusable { set: named(path), reason };
    let reader = ExampleSetReader::new(decompressed(files::open(path)?)).map_err(unusable)?;
    let mut report = DataReport::new();
    report.insert("made_by".into(), reader.note().into());
    let mut count = Count::default();
    for example in reader {
        count.take(Some(&example.map_err(unusable)?));
    }
    report.extend(count.report());
    Ok(report)
}

/// What is counted of a set.
#[derive(Default)]
struct Count {
    games: u64,
    left_out: u64,
    damaged: u64,
    first_damage: Option<String>,
    given_up: u64,
    first_fault: Option<String>,
    positions: u64,
    by_class: [u64; CLASSES],
}

impl Count {
    /// Counts a game; one of which nothing is taken is left out of the set.
    fn take(&mut self, example: Option<&GameExamples>) {
        let Some(example) = example.filter(|example| !example.examples.is_empty()) else {
            self.left_out += 1;
            return;
        };
        self.games += 1;
        self.positions += example.examples.len() as u64;
        for example in &example.examples {
            self.by_class[ClassBounds::default().class(example.score())] += 1;
        }
    }

    fn refuse_nothing(&self, games: Text) -> Result<(), ChessDataError> {
        if self.positions > 0 { Ok(()) } else { Err(ChessDataError::NoVerdict { games }) }
    }

    fn report(self) -> DataReport {
        let mut report = DataReport::new();
        report.insert("games".into(), self.games.into());
        report.insert("games_left_out".into(), self.left_out.into());
        report.insert("damaged_games".into(), self.damaged.into());
        if let Some(damage) = self.first_damage {
            report.insert("first_damage".into(), damage.into());
        }
        if let Some(fault) = self.first_fault {
            report.insert("games_given_up".into(), self.given_up.into());
            report.insert("first_fault".into(), fault.into());
        }
        report.insert("positions".into(), self.positions.into());
        report.insert("class_bounds".into(), ClassBounds::default().to_string().into());
        report.insert("by_class".into(), self.by_class.to_vec().into());
        report
    }
}

#[cfg(test)]
mod tests;
