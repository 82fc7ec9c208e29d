//! Sets of chess positions as files: made from annotated games or from games that an engine plays, and described
//! (`outplay data chess`).
//!
//! The format, and which positions of a game are taken, are in `games`. The same games and parameters give the same
//! bytes; a game that cannot be read or played is skipped and counted.

mod played;

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use outplay_games::chess::dataset::{
    BookMoves, CLASSES, ClassBounds, ExampleExtractor, ExampleSetReader, ExampleSetWriter, GameExamples, SIZE,
};
use outplay_games::chess::pgn::{PgnError, PgnReader};

use crate::error::LabError;
use crate::registry::{DataReport, DataRequest};
use crate::spec::{Param, ParamKind, Spec, Values};
use outplay_runtime::Watch;
use outplay_runtime::files::{FileError, write_atomically};
use played::PlayedGames;

const YES_NO: ParamKind = ParamKind::Word(&["yes", "no"]);

/// Where examples come from and which are taken.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "pgn",
        kind: ParamKind::Text("a file of games, or a folder of such files"),
        default: None,
        help: "takes the positions of these games, whose moves carry an engine's verdicts",
    },
    Param {
        name: "engine",
        kind: ParamKind::Program,
        default: None,
        help: "lets this engine play the games against itself, such as stockfish",
    },
    Param {
        name: "games",
        kind: ParamKind::Whole(1, 100_000_000),
        default: Some("100"),
        help: "games that the engine plays",
    },
    Param {
        name: "depth",
        kind: ParamKind::Whole(1, 100),
        default: None,
        help: "plies it looks ahead (8 if not given)",
    },
    Param {
        name: "nodes",
        kind: ParamKind::Whole(1, 1_000_000_000),
        default: None,
        help: "positions per move",
    },
    Param {
        name: "opening",
        kind: ParamKind::Whole(0, 60),
        default: Some("8"),
        help: "random plies before the engine plays",
    },
    Param {
        name: "blind",
        kind: ParamKind::Real(0.0, 1.0),
        default: Some("0"),
        help: "share of random moves, so that games show mistakes and how they are punished",
    },
    Param {
        name: "plies",
        kind: ParamKind::Whole(1, 2000),
        default: Some("300"),
        help: "a longer game is stopped as a draw",
    },
    Param {
        name: "options",
        kind: ParamKind::Text("options such as Hash=16;Threads=1"),
        default: None,
        help: "the engine's own options, separated by semicolons",
    },
    Param {
        name: "timeout",
        kind: ParamKind::Time,
        default: Some("10s"),
        help: "how long the engine may take to answer",
    },
    Param {
        name: "mates",
        kind: YES_NO,
        default: Some("no"),
        help: "only games that end in mate, as in the document",
    },
    Param {
        name: "book",
        kind: ParamKind::Word(&["drop", "even"]),
        default: Some("drop"),
        help: "what to do with moves that a comment calls book: skip them, or take them as even positions",
    },
];

/// Makes a set (or, if the file is to be a .pgn, the games themselves), or describes one.
pub(super) fn data(request: &DataRequest<'_>, watch: Watch<'_>) -> Result<DataReport, LabError> {
    match request {
        DataRequest::Describe(path) => describe(path),
        DataRequest::Make { spec, seed, out, resume, threads } => {
            let values = spec.resolve("the data set of chess", PARAMS)?;
            let harvest = ExampleExtractor {
                only_mates: values.word("mates") == "yes",
                book: if values.word("book") == "even" { BookMoves::Even } else { BookMoves::Dropped },
            };
            match (values.optional_text("pgn"), values.optional_text("engine")) {
                (Some(pgn), None) if !resume => from_files(Path::new(pgn), harvest, spec, out, watch),
                (Some(_), None) => Err(LabError::NothingToResume),
                (None, Some(engine)) => {
                    let plan = played::PlayedPlan::of(engine, &values, *seed)?;
                    let played = plan.games(spec, out, *resume, *threads, watch)?;
                    let report = write_games(&played, harvest, &note(spec, Some(*seed)), out)?;
                    played::forget(out)?;
                    Ok(report)
                }
                _ => Err(LabError::refused(
                    "a set is made of games that exist or of games that are played: expected pgn=FILE or engine=COMMAND",
                )),
            }
        }
    }
}

/// How a set was made, in words that make it again.
fn note(spec: &Spec, seed: Option<u64>) -> String {
    let seed = seed.map_or_else(String::new, |seed| format!(" --seed {seed}"));
    let parameters: Vec<String> = spec.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("outplay data chess {}{seed}", parameters.join(" "))
}

/// The options that a text names, separated by semicolons.
fn options(values: &Values) -> Result<Vec<(String, String)>, LabError> {
    super::outside::options(values.optional_text("options").unwrap_or_default())
}

fn from_files(
    pgn: &Path,
    harvest: ExampleExtractor,
    spec: &Spec,
    out: &Path,
    watch: Watch<'_>,
) -> Result<DataReport, LabError> {
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
        if let Err(error) = count.refuse_nothing(&pgn.display().to_string()) {
            failure = Some(error);
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
) -> Result<(), LabError> {
    let unreadable = |source| FileError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    for game in PgnReader::new(BufReader::new(file)) {
        if watch.is_stopped() {
            return Err(LabError::Stopped);
        }
        let example = match game {
            Ok(game) => harvest.extract(&game),
            Err(PgnError::Unreadable(source)) => return Err(unreadable(source).into()),
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
fn files_in(path: &Path) -> Result<Vec<PathBuf>, LabError> {
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
        return Err(LabError::refused(format!("{} holds no .pgn file", path.display())));
    }
    Ok(files)
}

fn write_games(
    played: &PlayedGames,
    harvest: ExampleExtractor,
    note: &str,
    out: &Path,
) -> Result<DataReport, LabError> {
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
    count.refuse_nothing("the run")?;
    write_atomically(out, |writer| {
        let mut set = ExampleSetWriter::new(writer, note)?;
        examples.iter().flatten().try_for_each(|example| set.add(example))?;
        set.finish()
    })?;
    Ok(count.report())
}

/// All examples of a set in a file.
pub(super) fn open(path: &Path) -> Result<Vec<GameExamples>, LabError> {
    let file = File::open(path).map_err(|source| FileError::Read { path: path.to_owned(), source })?;
    read(BufReader::new(file), &path.display().to_string())
}

/// All examples of a set; `name` is what it is called in refusals.
pub(super) fn read(source: impl Read, name: &str) -> Result<Vec<GameExamples>, LabError> {
    let refused = |error| LabError::refused(format!("{name}: {error}"));
    ExampleSetReader::new(source).map_err(refused)?.collect::<Result<_, _>>().map_err(refused)
}

fn describe(path: &Path) -> Result<DataReport, LabError> {
    let refused = |error| LabError::refused(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(|source| FileError::Read { path: path.to_owned(), source })?;
    let reader = ExampleSetReader::new(BufReader::new(file)).map_err(refused)?;
    let mut report = DataReport::new();
    report.insert("made_by".into(), reader.note().into());
    let mut count = Count::default();
    for example in reader {
        count.take(Some(&example.map_err(refused)?));
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

    fn refuse_nothing(&self, source: &str) -> Result<(), LabError> {
        if self.positions > 0 {
            return Ok(());
        }
        Err(LabError::refused(format!(
            "{source} holds no position with a verdict: expected games whose moves an engine has judged"
        )))
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
        report.insert("bytes_a_position".into(), SIZE.into());
        report.insert("class_bounds".into(), ClassBounds::default().to_string().into());
        report.insert("by_class".into(), self.by_class.to_vec().into());
        report
    }
}

#[cfg(test)]
mod tests;
