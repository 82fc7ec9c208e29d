//! A training run on disk.
//!
//! A run that writes `OUT` keeps a folder `OUT.run` beside it: `config.json` (what was asked), `records.jsonl` (one
//! line per step) and, while it is unfinished, `checkpoint.bin` and the checkpoint's `segments`, if it has any. The first checkpoint is written before the first step
//! and the configuration after that, so that a run can be resumed from its first moment on: a folder without a
//! configuration holds no run, one without a checkpoint holds a finished one.
//!
//! Invariants:
//! - a run that was stopped and resumed, any number of times, leaves the same bytes as one that never stopped; so
//!   nothing that depends on the clock is recorded;
//! - everything that can be refused is refused before any work, and a refusal leaves the disk as it was;
//! - one process at a time works on a run: its output is locked before anything is read or written.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use outplay_core::{ForeignWords, errors};
use serde::Serialize;
use serde_json::Value;

use outplay_runtime::files::{
    FileError, JsonLinesAppender, JsonLinesReader, OutputLock, check_writable, make_folder, read_bytes,
    write_atomically,
};
use outplay_runtime::{Progress, Watch};
use outplay_runtime::{WorkError, WorkerPool};

use crate::segments::{Segment, SegmentFolder};

/// Something that learns step by step.
pub trait Training: Send {
    /// What [`size`](Self::size) counts: `games` or `samples`.
    fn unit(&self) -> &'static str;

    /// How much it learns from.
    fn size(&self) -> u64;

    /// One step of work. A step that is stopped may leave anything behind: the training is then restored from a checkpoint or dropped.
    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError>;

    /// Whether a person has a part in its steps, so that none can be made again: each is then saved.
    fn is_attended(&self) -> bool {
        false
    }

    /// Everything needed to go on later exactly as if nothing had happened.
    fn checkpoint(&self) -> Vec<u8>;

    /// Goes back to where the checkpoint was taken.
    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError>;

    /// The parts of the checkpoint that never change once they are made, oldest first. Each is written to disk once.
    fn segments(&self) -> Vec<Segment> {
        Vec::new()
    }

    /// Takes the segments of the checkpoint that is restored next. There may be more of them than that one has.
    fn take_segments(&mut self, _segments: Vec<Segment>) {}

    /// The file that the run is for, as it stands.
    fn product(&self) -> Vec<u8>;
}

/// What one step did.
#[derive(Clone, Debug)]
pub struct TrainingStep {
    /// Steps made so far.
    pub done: u64,
    /// Steps planned, at most.
    pub total: u64,
    /// Whether this was the last one.
    pub finished: bool,
    /// What to remember of it.
    pub record: Value,
}

/// What a run left behind.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport {
    /// What was asked.
    pub config: Value,
    /// How much was learnt from: `{"samples": 3000}` or `{"games": 10000}`, laid flat.
    #[serde(flatten)]
    pub size: serde_json::Map<String, Value>,
    /// The last record.
    pub last: Value,
    /// Time spent in this call.
    pub seconds: f64,
    /// The file written.
    pub out: PathBuf,
    /// Whether the run came to its end.
    pub finished: bool,
}

errors! {
    /// Why a run cannot begin or go on.
    pub enum RunError {
        Unfinished { folder: PathBuf } =
            "{folder} holds an unfinished run: add --resume to go on with it, or remove the folder"
            | "{folder} contient une exécution inachevée : ajoutez --resume pour la poursuivre, ou supprimez le dossier",
        OtherParameters { folder: PathBuf, kept: ForeignWords } =
            "{folder} holds a run with other parameters ({kept}): expected the same ones to resume it"
            | "{folder} contient une exécution avec d’autres paramètres ({kept}) : attendu les mêmes pour la poursuivre",
        NoRun { folder: PathBuf } =
            "{folder} holds no run: leave out --resume to begin one"
            | "{folder} ne contient aucune exécution : omettez --resume pour en commencer une",
        Finished { folder: PathBuf } =
            "{folder} holds a finished run: nothing is left to resume"
            | "{folder} contient une exécution achevée : il ne reste rien à poursuivre",
        DamagedCheckpoint { path: PathBuf } =
            "{path} is damaged: expected a checkpoint of the records beside it"
            | "{path} est abîmé : attendu un point de reprise des enregistrements voisins",
        DamagedRecords { path: PathBuf } =
            "{path} is damaged: expected all records up to the checkpoint beside it"
            | "{path} est abîmé : attendu tous les enregistrements jusqu’au point de reprise voisin",
        Remove { path: PathBuf, source: io::Error } =
            "cannot remove {path}: {source}" | "impossible de supprimer {path} : {source}",
    }
}

/// How often a checkpoint is written while the work goes on, with the product as it stands, so that what was learnt so far
/// can be played with.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);
/// When the first one is written.
const FIRST_CHECKPOINT: Duration = Duration::from_secs(1);
/// How long a step may go on after a stop. One that takes longer is lost, and all that came after the last checkpoint.
const GRACE: Duration = Duration::from_secs(1);

/// How far the run has come that writes some file.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// It has not begun.
    New,
    /// It can be resumed.
    Unfinished,
    /// It came to its end: its last record.
    Finished(Value),
}

/// A run that may begin or go on: its place has been checked, and nothing written.
pub struct Run {
    config: Value,
    out: PathBuf,
    folder: TrainingFolder,
    unfinished: Option<Unfinished>,
    lock: OutputLock,
}

/// What an unfinished run left.
struct Unfinished {
    records: Records,
    checkpoint: Checkpoint,
    segments: Vec<Segment>,
}

type Records = JsonLinesAppender<Value>;

impl Run {
    /// The run that writes `out`: a new one, or an unfinished one to `resume`.
    pub fn prepare(config: Value, out: &Path, resume: bool) -> Result<Self, WorkError> {
        let lock = OutputLock::take(out)?;
        let folder = TrainingFolder::beside(out);
        let unfinished = if resume {
            Some(folder.unfinished(&config)?)
        } else {
            folder.check_free()?;
            None
        };
        Ok(Self { config, out: out.to_owned(), folder, unfinished, lock })
    }

    /// How far the run of this configuration has come that writes `out`; one of another is refused. A finished one whose
    /// records are damaged is to be made again.
    pub fn standing(config: &Value, out: &Path) -> Result<RunState, WorkError> {
        let folder = TrainingFolder::beside(out);
        if !folder.config().exists() {
            return Ok(RunState::New);
        }
        folder.check_config(config)?;
        if folder.checkpoint().exists() {
            return Ok(RunState::Unfinished);
        }
        let mut last = Value::Null;
        for record in JsonLinesReader::open(&folder.records())? {
            last = match record {
                Err(FileError::Damaged { .. } | FileError::LongLine { .. }) => return Ok(RunState::New),
                record => record?,
            };
        }
        Ok(RunState::Finished(last))
    }

    /// Trains to the end, or until stopped, each step on the crew's threads; writes the product either way.
    pub fn make(
        self,
        training: &mut dyn Training,
        crew: &mut WorkerPool,
        watch: Watch<'_>,
    ) -> Result<TrainingReport, WorkError> {
        with_grace(watch.stop_flag(), |late| self.make_steps(training, crew, watch, late))
    }

    fn make_steps(
        self,
        training: &mut dyn Training,
        crew: &mut WorkerPool,
        watch: Watch<'_>,
        late: &AtomicBool,
    ) -> Result<TrainingReport, WorkError> {
        let begun = Instant::now();
        let Self { config, out, folder, unfinished, lock: _held_to_the_end } = self;
        let mut records = match unfinished {
            Some(unfinished) => unfinished.restore(training)?,
            None => folder.begin(&config, training)?,
        };
        let (mut saved, mut wait) = (Instant::now(), FIRST_CHECKPOINT);
        let (mut last, mut finished) = (Value::Null, false);
        // Games are learnt from one after the other and so are its steps; samples come in batches, and again and again.
        let unit = if training.unit() == "games" { "games" } else { "steps" };
        while !finished && !watch.is_stopped() {
            let step = match crew.work(|| training.step(Watch::new(late, &|_| {}))) {
                Err(WorkError::Stopped) => {
                    folder.go_back(training, &mut records)?;
                    break;
                }
                step => step?,
            };
            records.append(&step.record)?;
            watch.show(Progress { task: "training", done: step.done, total: step.total, unit });
            (last, finished) = (step.record, step.finished);
            if saved.elapsed() > wait || training.is_attended() {
                folder.save(training, &records)?;
                write_product(training, &out)?;
                (saved, wait) = (Instant::now(), CHECKPOINT_EVERY);
            }
        }
        records.sync()?;
        write_product(training, &out)?;
        if finished {
            remove(&folder.checkpoint())?;
            folder.segments().keep(&[])?;
        } else {
            folder.save(training, &records)?;
        }
        let size = [(training.unit().to_owned(), Value::from(training.size()))].into_iter().collect();
        let seconds = begun.elapsed().as_secs_f64();
        Ok(TrainingReport { config, size, last, seconds, out, finished })
    }
}

/// Runs work that may look at a flag which is raised a while after `stop`.
fn with_grace<T>(stop: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let (late, ended) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait = |is_over: &dyn Fn() -> bool| {
        while !is_over() && !ended.load(Ordering::Relaxed) {
            // The flags wake nobody, but the end of the work does.
            thread::park_timeout(Duration::from_millis(20));
        }
    };
    thread::scope(|scope| {
        let timer = scope.spawn(|| {
            wait(&|| stop.load(Ordering::Relaxed));
            let stopped = Instant::now();
            wait(&|| stopped.elapsed() > GRACE);
            late.store(true, Ordering::Relaxed);
        });
        let result = work(&late);
        ended.store(true, Ordering::Relaxed);
        timer.thread().unpark();
        result
    })
}

fn write_product(training: &dyn Training, out: &Path) -> Result<(), WorkError> {
    let product = training.product();
    Ok(write_atomically(out, |writer| writer.write_all(&product))?)
}

impl Unfinished {
    /// Goes back to the checkpoint: the records after it are dropped and made again.
    fn restore(mut self, training: &mut dyn Training) -> Result<Records, WorkError> {
        training.take_segments(self.segments);
        training.restore(&self.checkpoint.training)?;
        self.records.cut_back(self.checkpoint.records)?;
        Ok(self.records)
    }
}

/// The folder of a run.
struct TrainingFolder(PathBuf);

impl TrainingFolder {
    fn beside(out: &Path) -> Self {
        let mut name = out.as_os_str().to_owned();
        name.push(".run");
        Self(PathBuf::from(name))
    }

    fn config(&self) -> PathBuf {
        self.0.join("config.json")
    }

    fn records(&self) -> PathBuf {
        self.0.join("records.jsonl")
    }

    fn checkpoint(&self) -> PathBuf {
        self.0.join("checkpoint.bin")
    }

    fn segments(&self) -> SegmentFolder {
        SegmentFolder::in_run(&self.0)
    }

    /// Refuses to throw an unfinished run away, and a place where nothing can be written.
    fn check_free(&self) -> Result<(), WorkError> {
        if self.config().exists() && self.checkpoint().exists() {
            return Err(RunError::Unfinished { folder: self.0.clone() }.into());
        }
        if self.0.exists() {
            check_writable(&self.config())?;
        }
        Ok(())
    }

    /// Begins a new run where a finished one may have been.
    fn begin(&self, config: &Value, training: &dyn Training) -> Result<Records, WorkError> {
        make_folder(&self.0)?;
        remove(&self.config())?;
        self.segments().keep(&[])?;
        write_atomically(&self.records(), |_| Ok(()))?;
        let records = Records::open(&self.records())?;
        self.save(training, &records)?;
        write_atomically(&self.config(), |writer| writeln!(writer, "{config:#}"))?;
        Ok(records)
    }

    /// Refuses a run that was begun with another configuration.
    fn check_config(&self, config: &Value) -> Result<(), WorkError> {
        let kept = String::from_utf8(read_bytes(&self.config())?).unwrap_or_default();
        if kept.parse::<Value>().ok().as_ref() == Some(config) {
            return Ok(());
        }
        let kept = ForeignWords::of(&kept.split_whitespace().collect::<Vec<_>>().join(" "));
        Err(RunError::OtherParameters { folder: self.0.clone(), kept }.into())
    }

    /// What is left of an unfinished run of this configuration.
    fn unfinished(&self, config: &Value) -> Result<Unfinished, WorkError> {
        if !self.config().exists() {
            return Err(RunError::NoRun { folder: self.0.clone() }.into());
        }
        self.check_config(config)?;
        if !self.checkpoint().exists() {
            return Err(RunError::Finished { folder: self.0.clone() }.into());
        }
        // A run that ends soon writes no further checkpoint: nothing else would remove the rest of one.
        make_folder(&self.0)?;
        let records = Records::recover(&self.records())?;
        let checkpoint = self.last_checkpoint()?;
        if checkpoint.records > records.end() || !self.ends_a_line(checkpoint.records) {
            return Err(RunError::DamagedRecords { path: self.records() }.into());
        }
        Ok(Unfinished { records, checkpoint, segments: self.segments().read()? })
    }

    /// Whether the records have a line that ends there.
    fn ends_a_line(&self, length: u64) -> bool {
        let Ok(text) = read_bytes(&self.records()) else { return false };
        let kept = usize::try_from(length).ok().and_then(|length| text.get(..length));
        kept.is_some_and(|kept| kept.is_empty() || kept.ends_with(b"\n"))
    }

    fn last_checkpoint(&self) -> Result<Checkpoint, WorkError> {
        let checkpoint = Checkpoint::read(&read_bytes(&self.checkpoint())?);
        Ok(checkpoint.ok_or_else(|| RunError::DamagedCheckpoint { path: self.checkpoint() })?)
    }

    /// Returns to the last checkpoint, after a step that was stopped.
    fn go_back(&self, training: &mut dyn Training, records: &mut Records) -> Result<(), WorkError> {
        let checkpoint = self.last_checkpoint()?;
        training.take_segments(self.segments().read()?);
        training.restore(&checkpoint.training)?;
        Ok(records.cut_back(checkpoint.records)?)
    }

    /// Writes a checkpoint. Its segments are on disk before it, and those of the former one until it is.
    fn save(&self, training: &dyn Training, records: &Records) -> Result<(), WorkError> {
        records.sync()?;
        let segments = training.segments();
        self.segments().add(&segments)?;
        let checkpoint = Checkpoint { records: records.end(), training: training.checkpoint() };
        write_atomically(&self.checkpoint(), |writer| writer.write_all(&checkpoint.write()))?;
        self.segments().keep(&segments)
    }
}

fn remove(path: &Path) -> Result<(), WorkError> {
    if path.exists() {
        fs::remove_file(path).map_err(|source| RunError::Remove { path: path.to_owned(), source })?;
    }
    Ok(())
}

/// Where a run can go on. On disk: the checksum of all that follows, the length of the records, and what the
/// training needs.
struct Checkpoint {
    records: u64,
    training: Vec<u8>,
}

impl Checkpoint {
    fn write(&self) -> Vec<u8> {
        let content = [&self.records.to_le_bytes()[..], &self.training].concat();
        [&crc32fast::hash(&content).to_le_bytes()[..], &content].concat()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (checksum, content) = bytes.split_first_chunk()?;
        let (records, training) = content.split_first_chunk()?;
        (crc32fast::hash(content) == u32::from_le_bytes(*checksum))
            .then(|| Self { records: u64::from_le_bytes(*records), training: training.to_vec() })
    }
}
