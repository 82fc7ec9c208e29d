//! The files of a run: a folder with `config.json`, `environment.json` and `records.jsonl`.
//!
//! A record is written once, when its unit of work is done, and never changes. Nothing in it depends on
//! the clock, the threads or the machine's name, except in artefacts whose numbers are times.

use outplay_runtime::WorkError;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{ForeignWords, errors};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use outplay_runtime::files::{FileError, JsonLinesAppender, JsonLinesReader, make_folder, write_atomically};

/// The key of the last record of a run.
const FINISHED: &str = "finished";

/// One line of `records.jsonl`.
#[derive(Serialize, Deserialize)]
struct RecordLine {
    key: String,
    value: Value,
}

/// The folder of a run.
pub(super) struct RecordFolder {
    pub(super) path: PathBuf,
    /// The content of `config.json`.
    pub(super) about: Value,
}

impl RecordFolder {
    pub(super) fn records_path(&self) -> PathBuf {
        self.path.join("records.jsonl")
    }

    fn read(&self) -> Result<Records, FileError> {
        let mut values = Map::new();
        if self.records_path().exists() {
            for line in JsonLinesReader::<RecordLine>::open(&self.records_path())? {
                let RecordLine { key, value } = line?;
                values.insert(key, value);
            }
        }
        Ok(Records { values })
    }

    /// The records of a finished run; one whose records are damaged is not finished.
    pub(super) fn finished_records(&self) -> Result<Option<Records>, WorkError> {
        match self.read() {
            Err(FileError::Damaged { .. } | FileError::LongLine { .. }) => Ok(None),
            records => Ok(Some(records?).filter(Records::is_finished)),
        }
    }

    /// Writes the configuration and the environment; a resumed run keeps what is there.
    fn describe(&self) -> Result<(), WorkError> {
        for (name, content) in [("config.json", &self.about), ("environment.json", &environment())] {
            let path = self.path.join(name);
            if !path.exists() {
                write_atomically(&path, |writer| writeln!(writer, "{content:#}"))?;
            }
        }
        Ok(())
    }
}

/// The version of the program and the kind of machine.
fn environment() -> Value {
    serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
        "cpus": std::thread::available_parallelism().map_or(1, usize::from),
    })
}

errors! {
    /// Why the records of a run give no report.
    pub enum ExperimentRecordError {
        Missing { key: String } = "the records hold no '{key}'" | "les enregistrements n’ont pas de « {key} »",
        Unexpected { key: String, reason: ForeignWords } =
            "the record '{key}' is not what was expected: {reason}"
            | "l’enregistrement « {key} » n’est pas ce qui était attendu : {reason}",
    }
}

/// The results of a run by key, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    values: Map<String, Value>,
}

impl Records {
    /// The result under this key.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, WorkError> {
        let missing = || ExperimentRecordError::Missing { key: key.to_owned() };
        let value = self.values.get(key).ok_or_else(missing)?;
        T::deserialize(value).map_err(|error| {
            ExperimentRecordError::Unexpected { key: key.to_owned(), reason: ForeignWords::of(&error) }.into()
        })
    }

    /// The results whose keys begin with `prefix`, under the rest of their keys.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Self {
        let below =
            |(key, value): (&String, &Value)| Some((key.strip_prefix(prefix)?.to_owned(), value.clone()));
        Self { values: self.values.iter().filter_map(below).collect() }
    }

    fn is_finished(&self) -> bool {
        self.values.contains_key(FINISHED)
    }
}

/// Does each unit of work once and records its result.
pub struct Recorder<'a> {
    records: Records,
    file: JsonLinesAppender<RecordLine>,
    stop: &'a AtomicBool,
}

impl<'a> Recorder<'a> {
    /// Opens the run in this folder, or begins it.
    pub(super) fn open(folder: &RecordFolder, stop: &'a AtomicBool) -> Result<Self, WorkError> {
        make_folder(&folder.path)?;
        let mut file = JsonLinesAppender::recover(&folder.records_path())?;
        // Units of work from a damaged line on are done again.
        file.cut_back(file.end())?;
        folder.describe()?;
        Ok(Self { records: folder.read()?, file, stop })
    }

    /// The result under this key: the recorded one, or else what `compute` gives, recorded from now on. A
    /// stopped recorder starts nothing.
    pub fn once<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        compute: impl FnOnce() -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        if self.has(key) {
            return self.records.get(key);
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(WorkError::Stopped);
        }
        let value = compute()?;
        let written = serde_json::to_value(&value).expect("results are plain data");
        let line = RecordLine { key: key.to_owned(), value: written };
        self.file.append(&line)?;
        self.records.values.insert(line.key, line.value);
        Ok(value)
    }

    /// Whether there is a result under this key.
    pub fn has(&self, key: &str) -> bool {
        self.records.values.contains_key(key)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.records.is_finished()
    }

    /// Marks the run as finished.
    pub(super) fn finish(&mut self) -> Result<(), WorkError> {
        self.once(FINISHED, || Ok(true))?;
        Ok(self.file.sync()?)
    }

    pub(super) fn into_records(self) -> Records {
        self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(path: &std::path::Path) -> RecordFolder {
        RecordFolder { path: path.join("run"), about: serde_json::json!({ "config": 1 }) }
    }

    #[test]
    fn a_unit_of_work_is_done_once_for_all_time() {
        let place = tempfile::tempdir().unwrap();
        let (folder, stop) = (folder(place.path()), AtomicBool::new(false));
        let mut recorder = Recorder::open(&folder, &stop).unwrap();
        assert_eq!(recorder.once("a", || Ok(0.1 + 0.2)).unwrap(), 0.1 + 0.2);
        drop(recorder);
        // A unit that was being written when the power failed.
        let mut torn = fs::read(folder.records_path()).unwrap();
        torn.extend(b"{\"key\":\"b\",\"val");
        fs::write(folder.records_path(), torn).unwrap();

        let mut recorder = Recorder::open(&folder, &stop).unwrap();
        assert_eq!(recorder.once("a", || -> Result<f64, _> { unreachable!() }).unwrap(), 0.1 + 0.2);
        assert_eq!(recorder.once("b", || Ok(2u64)).unwrap(), 2);
        assert_eq!(folder.finished_records().unwrap(), None);
        recorder.finish().unwrap();
        let records = folder.finished_records().unwrap().unwrap();
        assert_eq!(records, recorder.into_records());
        assert_eq!(records.get::<u64>("b").unwrap(), 2);
        let names = ["config.json", "environment.json", "records.jsonl"];
        assert!(names.iter().all(|name| folder.path.join(name).exists()));
    }

    #[test]
    fn a_run_with_a_damaged_line_is_made_again_from_there() {
        let place = tempfile::tempdir().unwrap();
        let (folder, stop) = (folder(place.path()), AtomicBool::new(false));
        let work = |expected: &[u64]| {
            let mut recorder = Recorder::open(&folder, &stop).unwrap();
            let mut done = Vec::new();
            for unit in 0..4u64 {
                let compute = || Ok(unit * unit);
                done.extend((!recorder.has(&unit.to_string())).then_some(unit));
                recorder.once(&unit.to_string(), compute).unwrap();
            }
            recorder.finish().unwrap();
            assert_eq!(done, expected);
        };
        work(&[0, 1, 2, 3]);
        let whole = fs::read_to_string(folder.records_path()).unwrap();
        for damaged in [
            whole.replacen("\"key\":\"2\"", "\"kex\":\"2\"", 1),
            whole.replacen("{\"key\":\"2\"", "\n{\"key\":\"2\"", 1),
        ] {
            fs::write(folder.records_path(), damaged).unwrap();
            assert_eq!(folder.finished_records().unwrap(), None);
            work(&[2, 3]);
            assert_eq!(fs::read_to_string(folder.records_path()).unwrap(), whole);
        }
        work(&[]);
    }

    #[test]
    fn one_run_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let (folder, stop) = (folder(place.path()), AtomicBool::new(false));
        let _recorder = Recorder::open(&folder, &stop).unwrap();
        let refused = Recorder::open(&folder, &stop).err().unwrap().to_string();
        assert!(refused.contains("another process"), "{refused}");
    }

    #[test]
    fn a_stopped_recorder_begins_nothing_and_failures_are_not_recorded() {
        let place = tempfile::tempdir().unwrap();
        let (folder, stop) = (folder(place.path()), AtomicBool::new(false));
        let mut recorder = Recorder::open(&folder, &stop).unwrap();
        let failed = recorder.once("a", || {
            Err::<u64, _>(WorkError::from(ExperimentRecordError::Missing { key: "no".to_owned() }))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the records hold no 'no'");
        recorder.once("a", || Ok(1u64)).unwrap();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(recorder.once("a", || Ok(2u64)).unwrap(), 1);
        assert!(matches!(recorder.once("b", || Ok(2u64)), Err(WorkError::Stopped)));
    }

    #[test]
    fn missing_and_unexpected_records_are_named() {
        let mut values = Map::new();
        values.insert("a".into(), "text".into());
        let records = Records { values };
        assert!(records.get::<u64>("b").unwrap_err().to_string().contains("no 'b'"));
        assert!(records.get::<u64>("a").unwrap_err().to_string().contains("'a' is not"));
    }
}
