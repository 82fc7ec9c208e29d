//! Training runs: steps, records, checkpoints, resumption.
//!
//! A run that writes `OUT` keeps a folder `OUT.run` beside it: `config.json` (what was asked), `records.jsonl`
//! (one line a step, only ever appended to) and, while it is unfinished, `checkpoint.bin`.
//!
//! Law: a run that was stopped and resumed, any number of times, leaves the same bytes as one that never was.
//! So nothing that depends on the clock is recorded.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::error::LabError;
use crate::files::{JsonLinesAppender, make_folder, read_bytes, write_atomically};
use crate::watch::{Progress, Watch};

/// Something that learns step by step.
pub trait Training {
    /// What [`size`](Self::size) counts: `games` or `samples`.
    fn unit(&self) -> &'static str;

    /// How much it learns from.
    fn size(&self) -> u64;

    /// One step of work.
    fn step(&mut self) -> Result<Step, LabError>;

    /// Everything needed to go on later exactly as if nothing had happened.
    fn checkpoint(&self) -> Vec<u8>;

    /// Goes back to where the checkpoint was taken.
    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError>;

    /// The file that the run is for, as it stands.
    fn product(&self) -> Vec<u8>;
}

/// What one step did.
#[derive(Clone, Debug)]
pub struct Step {
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

/// How often a checkpoint is written while the work goes on.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// Runs `training` to its end, or until stopped; writes the product to `out` either way.
pub fn run(
    training: &mut dyn Training,
    config: &Value,
    out: &Path,
    resume: bool,
    watch: Watch<'_>,
) -> Result<TrainingReport, LabError> {
    let begun = Instant::now();
    let folder = RunFolder::beside(out);
    let mut records = if resume { folder.reopen(config, training)? } else { folder.open(config)? };
    let mut saved = Instant::now();
    let (mut last, mut finished) = (Value::Null, false);
    while !finished && !watch.is_stopped() {
        let step = training.step()?;
        records.append(&step.record)?;
        watch.show(Progress { task: "training", done: step.done, total: step.total, unit: "steps" });
        (last, finished) = (step.record, step.finished);
        if saved.elapsed() > CHECKPOINT_EVERY {
            folder.save(training, &records)?;
            saved = Instant::now();
        }
    }
    records.sync()?;
    let product = training.product();
    write_atomically(out, |writer| writer.write_all(&product))?;
    if finished {
        folder.close()?;
    } else {
        folder.save(training, &records)?;
    }
    let size = [(training.unit().to_owned(), Value::from(training.size()))].into_iter().collect();
    let seconds = begun.elapsed().as_secs_f64();
    Ok(TrainingReport { config: config.clone(), size, last, seconds, out: out.to_owned(), finished })
}

/// The folder of a run.
struct RunFolder(PathBuf);

impl RunFolder {
    fn beside(out: &Path) -> Self {
        let mut name = out.as_os_str().to_owned();
        name.push(".run");
        Self(PathBuf::from(name))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Begins a new run; an unfinished one is not thrown away.
    fn open(&self, config: &Value) -> Result<JsonLinesAppender, LabError> {
        if self.file("checkpoint.bin").exists() {
            return Err(LabError::refused(format!(
                "{} holds an unfinished run: add --resume to go on with it, or remove the folder",
                self.0.display()
            )));
        }
        make_folder(&self.0)?;
        let text = format!("{config:#}\n");
        write_atomically(&self.file("config.json"), |writer| writer.write_all(text.as_bytes()))?;
        write_atomically(&self.file("records.jsonl"), |_| Ok(()))?;
        Ok(JsonLinesAppender::open(&self.file("records.jsonl"))?)
    }

    /// Goes on with an unfinished run: the records after the checkpoint are dropped and made again.
    fn reopen(&self, config: &Value, training: &mut dyn Training) -> Result<JsonLinesAppender, LabError> {
        let kept = String::from_utf8(read_bytes(&self.file("config.json"))?).unwrap_or_default();
        if kept.parse::<Value>().ok().as_ref() != Some(config) {
            return Err(LabError::refused(format!(
                "{} holds a run with other parameters ({}): expected the same ones to resume it",
                self.0.display(),
                kept.split_whitespace().collect::<Vec<_>>().join(" ")
            )));
        }
        let path = self.file("checkpoint.bin");
        let damaged = || LabError::refused(format!("{} is damaged: expected a checkpoint", path.display()));
        let bytes = read_bytes(&path)?;
        let (length, checkpoint) = bytes.split_first_chunk::<8>().ok_or_else(damaged)?;
        training.restore(checkpoint)?;
        let records = self.file("records.jsonl");
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let text = read_bytes(&records)?;
        let kept = text.get(..length).ok_or_else(damaged)?;
        write_atomically(&records, |writer| writer.write_all(kept))?;
        Ok(JsonLinesAppender::open(&records)?)
    }

    fn save(&self, training: &dyn Training, records: &JsonLinesAppender) -> Result<(), LabError> {
        records.sync()?;
        let records = self.file("records.jsonl");
        let length = fs::metadata(&records).map_or(0, |metadata| metadata.len());
        let checkpoint = training.checkpoint();
        Ok(write_atomically(&self.file("checkpoint.bin"), |writer| {
            writer.write_all(&length.to_le_bytes())?;
            writer.write_all(&checkpoint)
        })?)
    }

    /// The run is over: its records stay, its checkpoint goes.
    fn close(&self) -> Result<(), LabError> {
        let path = self.file("checkpoint.bin");
        if path.exists() {
            fs::remove_file(&path)
                .map_err(|error| LabError::refused(format!("cannot remove {}: {error}", path.display())))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Adds up its steps.
    #[derive(Default)]
    struct Counter {
        done: u64,
        sum: u64,
    }

    impl Training for Counter {
        fn unit(&self) -> &'static str {
            "samples"
        }

        fn size(&self) -> u64 {
            20
        }

        fn step(&mut self) -> Result<Step, LabError> {
            self.done += 1;
            self.sum += self.done * self.done;
            let record = serde_json::json!({ "sum": self.sum });
            Ok(Step { done: self.done, total: 20, finished: self.done == 20, record })
        }

        fn checkpoint(&self) -> Vec<u8> {
            format!("{} {}", self.done, self.sum).into_bytes()
        }

        fn restore(&mut self, checkpoint: &[u8]) -> Result<(), LabError> {
            let text = String::from_utf8_lossy(checkpoint).into_owned();
            let mut numbers = text.split(' ').map(|number| number.parse().unwrap());
            (self.done, self.sum) = (numbers.next().unwrap(), numbers.next().unwrap());
            Ok(())
        }

        fn product(&self) -> Vec<u8> {
            self.sum.to_string().into_bytes()
        }
    }

    fn bytes_of(out: &Path) -> [Vec<u8>; 3] {
        let run = RunFolder::beside(out);
        [out.to_owned(), run.file("records.jsonl"), run.file("config.json")]
            .map(|path| fs::read(path).unwrap())
    }

    #[test]
    fn a_resumed_run_leaves_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        let config = serde_json::json!({ "method": "count" });
        run(&mut Counter::default(), &config, &whole, false, Watch::nobody()).unwrap();

        let mut resume = false;
        loop {
            let stop = AtomicBool::new(false);
            let stop_after_seven = |progress: Progress<'_>| {
                stop.store(progress.done.is_multiple_of(7), Ordering::Relaxed);
            };
            let watch = Watch::new(&stop, &stop_after_seven);
            let report = run(&mut Counter::default(), &config, &parts, resume, watch).unwrap();
            if report.finished {
                break;
            }
            resume = true;
            // A record written after the checkpoint, as a crash would leave it.
            let records = RunFolder::beside(&parts).file("records.jsonl");
            let torn = [fs::read(&records).unwrap(), b"{\"sum\":1}\n{\"su".to_vec()].concat();
            fs::write(&records, torn).unwrap();
        }
        assert_eq!(bytes_of(&parts), bytes_of(&whole));
    }

    #[test]
    fn an_unfinished_run_is_not_thrown_away_and_not_mixed_up() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let config = serde_json::json!({ "method": "count" });
        let missing = run(&mut Counter::default(), &config, &out, true, Watch::nobody()).unwrap_err();
        assert!(missing.to_string().contains("config.json"), "{missing}");

        let stop = AtomicBool::new(false);
        let at_once = |_: Progress<'_>| stop.store(true, Ordering::Relaxed);
        let report = run(&mut Counter::default(), &config, &out, false, Watch::new(&stop, &at_once)).unwrap();
        assert!(!report.finished);
        let again = run(&mut Counter::default(), &config, &out, false, Watch::nobody()).unwrap_err();
        assert!(again.to_string().contains("--resume"), "{again}");
        let other = serde_json::json!({ "method": "other" });
        let mixed = run(&mut Counter::default(), &other, &out, true, Watch::nobody()).unwrap_err();
        assert!(mixed.to_string().contains("other parameters"), "{mixed}");
    }
}
