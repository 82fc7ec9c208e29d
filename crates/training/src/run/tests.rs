//! Runs that are stopped, resumed, killed and refused.

use super::*;
use outplay_runtime::WorkerPool;
use std::sync::atomic::{AtomicBool, Ordering};

/// Adds up its steps, of which it keeps the last five as segments.
#[derive(Default)]
struct Counter {
    done: u64,
    sum: u64,
    conduct: Conduct,
    segments: Vec<Segment>,
}

/// What may happen in the steps of a [`Counter`].
#[derive(Clone, Copy, Default, PartialEq)]
enum Conduct {
    #[default]
    Steady,
    /// The step after the twelfth takes as long as nobody stops it.
    Endless,
    /// A person takes part, and leaves in the fourth step.
    Attended,
}

impl Counter {
    fn new(conduct: Conduct) -> Self {
        Self { conduct, ..Self::default() }
    }
}

impl Training for Counter {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        20
    }

    fn step(&mut self, watch: Watch<'_>) -> Result<TrainingStep, WorkError> {
        while self.conduct == Conduct::Endless && self.done == 12 {
            self.sum += 1;
            watch.check()?;
        }
        if self.conduct == Conduct::Attended && self.done == 3 {
            return Err(WorkError::Stopped);
        }
        self.done += 1;
        self.segments.push(Segment { number: self.done, bytes: self.done.to_string().as_bytes().into() });
        self.segments.drain(..self.segments.len().saturating_sub(5));
        let kept: u64 = self.segments.iter().map(|segment| segment.number).sum();
        self.sum += self.done * self.done + kept;
        let record = serde_json::json!({ "sum": self.sum });
        Ok(TrainingStep { done: self.done, total: 20, finished: self.done == 20, record })
    }

    fn is_attended(&self) -> bool {
        self.conduct == Conduct::Attended
    }

    fn checkpoint(&self) -> Vec<u8> {
        format!("{} {}", self.done, self.sum).into_bytes()
    }

    fn restore(&mut self, checkpoint: &[u8]) -> Result<(), WorkError> {
        let text = String::from_utf8_lossy(checkpoint).into_owned();
        let mut numbers = text.split(' ').map(|number| number.parse().unwrap());
        (self.done, self.sum) = (numbers.next().unwrap(), numbers.next().unwrap());
        let kept = self.done.saturating_sub(4).max(1)..=self.done;
        self.segments.retain(|segment| kept.contains(&segment.number));
        assert!(
            self.segments.iter().map(|segment| segment.number).eq(kept),
            "all that belong to the checkpoint"
        );
        let written = |segment: &Segment| *segment.bytes == *segment.number.to_string().as_bytes();
        assert!(self.segments.iter().all(written));
        Ok(())
    }

    fn segments(&self) -> Vec<Segment> {
        self.segments.clone()
    }

    fn take_segments(&mut self, segments: Vec<Segment>) {
        self.segments = segments;
    }

    fn product(&self) -> Vec<u8> {
        self.sum.to_string().into_bytes()
    }
}

fn run(config: &Value, out: &Path, resume: bool, watch: Watch<'_>) -> Result<TrainingReport, WorkError> {
    Run::prepare(config.clone(), out, resume)?.make(
        &mut Counter::default(),
        &mut WorkerPool::new(Some(1)),
        watch,
    )
}

fn config() -> Value {
    serde_json::json!({ "method": "count" })
}

/// A run that was stopped after this many steps.
fn stopped_after(steps: u64, out: &Path, resume: bool) -> TrainingReport {
    let stop = AtomicBool::new(false);
    let count = |progress: Progress<'_>| {
        stop.fetch_or(progress.done.is_multiple_of(steps), Ordering::Relaxed);
    };
    run(&config(), out, resume, Watch::new(&stop, &count)).unwrap()
}

fn bytes_of(out: &Path) -> [Vec<u8>; 3] {
    let run = TrainingFolder::beside(out);
    [out.to_owned(), run.records(), run.config()].map(|path| fs::read(path).unwrap())
}

#[test]
fn a_resumed_run_leaves_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&config(), &whole, false, Watch::nobody()).unwrap();
    let mut resume = false;
    while !stopped_after(7, &parts, resume).finished {
        resume = true;
        // A record written after the checkpoint, as a crash would leave it.
        let records = TrainingFolder::beside(&parts).records();
        let torn = [fs::read(&records).unwrap(), b"{\"sum\":1}\n\0\0\n{\"sum\":1}\n{\"su".to_vec()].concat();
        fs::write(&records, torn).unwrap();
        // A segment of a step that was not saved.
        let segments = SegmentFolder::in_run(&TrainingFolder::beside(&parts).0);
        segments.add(&[Segment { number: 99, bytes: [][..].into() }]).unwrap();
    }
    assert_eq!(bytes_of(&parts), bytes_of(&whole));
    let left = |out: &Path| fs::read_dir(&TrainingFolder::beside(out).0).unwrap().count();
    assert_eq!([left(&parts), left(&whole)], [2, 2], "the configuration and the records");
}

#[test]
fn a_damaged_segment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    stopped_after(7, &out, false);
    let segment = TrainingFolder::beside(&out).0.join("segments/6.bin");
    assert!(!segment.with_file_name("2.bin").exists(), "what the checkpoint does not need is gone");
    let mut bytes = fs::read(&segment).unwrap();
    bytes[4] ^= 1;
    fs::write(&segment, bytes).unwrap();
    let refusal = run(&config(), &out, true, Watch::nobody()).unwrap_err().to_string();
    assert!(refusal.contains("6.bin is damaged"), "{refusal}");
}

#[test]
fn a_run_says_how_far_it_has_come() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    assert_eq!(Run::standing(&config(), &out).unwrap(), RunState::New);
    stopped_after(7, &out, false);
    assert_eq!(Run::standing(&config(), &out).unwrap(), RunState::Unfinished);
    let report = run(&config(), &out, true, Watch::nobody()).unwrap();
    assert_eq!(Run::standing(&config(), &out).unwrap(), RunState::Finished(report.last));
    let other = serde_json::json!({ "method": "other" });
    assert!(Run::standing(&other, &out).unwrap_err().to_string().contains("other parameters"));
}

/// A step that ends the process: what is on disk then is all that is left.
struct Killed;

impl Training for Killed {
    fn unit(&self) -> &'static str {
        "samples"
    }

    fn size(&self) -> u64 {
        20
    }

    fn step(&mut self, _: Watch<'_>) -> Result<TrainingStep, WorkError> {
        Err(RunError::NoRun { folder: PathBuf::new() }.into())
    }

    fn checkpoint(&self) -> Vec<u8> {
        Counter::default().checkpoint()
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), WorkError> {
        Ok(())
    }

    fn product(&self) -> Vec<u8> {
        unreachable!()
    }
}

#[test]
fn a_run_killed_in_its_first_step_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    run(&config(), &whole, false, Watch::nobody()).unwrap();
    for _ in 0..2 {
        let prepared = Run::prepare(config(), &killed, false).unwrap();
        assert!(prepared.make(&mut Killed, &mut WorkerPool::new(Some(1)), Watch::nobody()).is_err());
        let again = run(&config(), &killed, false, Watch::nobody()).unwrap_err();
        assert!(again.to_string().contains("--resume"), "{again}");
        run(&config(), &killed, true, Watch::nobody()).unwrap();
        assert_eq!(bytes_of(&killed), bytes_of(&whole));
    }
}

#[test]
fn an_unfinished_run_is_not_thrown_away_and_not_mixed_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let refused =
        |config: &Value, resume| run(config, &out, resume, Watch::nobody()).unwrap_err().to_string();
    assert!(refused(&config(), true).ends_with("out.run holds no run: leave out --resume to begin one"));
    assert!(!stopped_after(1, &out, false).finished);
    assert!(refused(&config(), false).contains("--resume"));
    let other = serde_json::json!({ "method": "other" });
    assert!(refused(&other, true).contains("other parameters"));

    let prepared = Run::prepare(config(), &out, true).unwrap();
    for resume in [true, false] {
        assert!(refused(&config(), resume).contains("another process"));
    }
    assert!(
        prepared
            .make(&mut Counter::default(), &mut WorkerPool::new(Some(1)), Watch::nobody())
            .unwrap()
            .finished
    );
    assert!(refused(&config(), true).ends_with("holds a finished run: nothing is left to resume"));
    run(&other, &out, false, Watch::nobody()).unwrap();
}

#[test]
fn a_damaged_checkpoint_is_refused_wherever_it_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    stopped_after(9, &out, false);
    let (path, records) = (TrainingFolder::beside(&out).checkpoint(), TrainingFolder::beside(&out).records());
    let (good, lines) = (fs::read(&path).unwrap(), fs::read(&records).unwrap());
    let refused = |damaged: &Path, what: &str| {
        let sentence = run(&config(), &out, true, Watch::nobody()).unwrap_err().to_string();
        assert!(sentence.starts_with(&format!("{} is damaged", damaged.display())), "{what}: {sentence}");
    };
    for place in 0..good.len() {
        let mut damaged = good.clone();
        damaged[place] ^= 1;
        fs::write(&path, damaged).unwrap();
        refused(&path, &format!("byte {place}"));
        fs::write(&path, &good[..place]).unwrap();
        refused(&path, &format!("cut at {place}"));
    }
    for length in [lines.len() as u64 / 2, lines.len() as u64 - 1, lines.len() as u64 + 1, u64::MAX] {
        let training = Checkpoint::read(&good).unwrap().training;
        fs::write(&path, Checkpoint { records: length, training }.write()).unwrap();
        refused(&records, &format!("{length} bytes of records"));
    }
    fs::write(&path, &good).unwrap();
    fs::remove_file(&records).unwrap();
    refused(&records, "no records");
    assert!(!records.exists());
    let spoilt = String::from_utf8(lines.clone()).unwrap().replacen(':', "?", 1);
    fs::write(&records, &spoilt).unwrap();
    refused(&records, "a line before the checkpoint");
    assert_eq!(fs::read_to_string(&records).unwrap(), spoilt);
    fs::write(&records, &lines).unwrap();
    assert!(run(&config(), &out, true, Watch::nobody()).unwrap().finished);
}

/// A new run is locked from its preparation on, before its folder is there.
#[test]
fn two_new_runs_do_not_write_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let prepared = Run::prepare(config(), &out, false).unwrap();
    let refused = run(&config(), &out, false, Watch::nobody()).unwrap_err().to_string();
    assert_eq!(refused, format!("cannot write {}: another process is writing to it", out.display()));
    assert!(!TrainingFolder::beside(&out).0.exists());
    prepared.make(&mut Counter::default(), &mut WorkerPool::new(Some(1)), Watch::nobody()).unwrap();
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["out", "out.run"]);
}

#[test]
fn the_rest_of_a_checkpoint_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    stopped_after(7, &out, false);
    // Another process: this one has written there before.
    let moved = folder.path().join("moved");
    fs::rename(&out, &moved).unwrap();
    fs::rename(TrainingFolder::beside(&out).0, TrainingFolder::beside(&moved).0).unwrap();
    let rest = TrainingFolder::beside(&moved).0.join(".unfinished-a1b2c3");
    fs::write(&rest, "half of it").unwrap();
    assert!(run(&config(), &moved, true, Watch::nobody()).unwrap().finished);
    assert!(!rest.exists());
}

#[test]
fn a_finished_run_whose_records_are_damaged_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&config(), &out, false, Watch::nobody()).unwrap();
    let whole = bytes_of(&out);
    let records = TrainingFolder::beside(&out).records();
    fs::write(&records, b"{\"sum\":1}\nno record\n{\"sum\":2870}\n").unwrap();
    assert_eq!(Run::standing(&config(), &out).unwrap(), RunState::New);
    run(&config(), &out, false, Watch::nobody()).unwrap();
    assert_eq!(bytes_of(&out), whole);
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let places = [folder.path().to_owned(), folder.path().join("missing/out"), file.join("out")];
    for out in places {
        for resume in [false, true] {
            let refused = Run::prepare(config(), &out, resume).err().unwrap().to_string();
            assert!(refused.starts_with(&format!("cannot write {}: ", out.display())), "{refused}");
        }
        assert!(!TrainingFolder::beside(&out).0.exists());
    }
    fs::write(TrainingFolder::beside(&file).0, "no folder").unwrap();
    assert!(Run::prepare(config(), &file, false).is_err());
    assert_eq!(fs::read(&file).unwrap(), b"x");
}

#[test]
fn a_long_step_that_is_stopped_is_lost_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&config(), &whole, false, Watch::nobody()).unwrap();
    let stop = AtomicBool::new(false);
    let show = |progress: Progress<'_>| stop.store(progress.done == 12, Ordering::Relaxed);
    let mut endless = Counter::new(Conduct::Endless);
    // The stop comes during the step after this one.
    let raised = AtomicBool::new(false);
    let begun = Instant::now();
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(100));
            raised.store(true, Ordering::Relaxed);
        });
        let prepared = Run::prepare(config(), &parts, false).unwrap();
        prepared.make(&mut endless, &mut WorkerPool::new(Some(1)), Watch::new(&raised, &show)).unwrap()
    });
    assert!(!report.finished && begun.elapsed() >= GRACE, "a short step would have come to its end");
    assert_eq!(Run::standing(&config(), &parts).unwrap(), RunState::Unfinished);
    run(&config(), &parts, true, Watch::nobody()).unwrap();
    assert_eq!(bytes_of(&parts), bytes_of(&whole));
}

#[test]
fn what_a_person_took_part_in_is_kept_when_they_leave() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    run(&config(), &whole, false, Watch::nobody()).unwrap();
    let prepared = Run::prepare(config(), &parts, false).unwrap();
    let mut attended = Counter::new(Conduct::Attended);
    let report = prepared.make(&mut attended, &mut WorkerPool::new(Some(1)), Watch::nobody()).unwrap();
    assert!(!report.finished);
    let records = fs::read_to_string(TrainingFolder::beside(&parts).records()).unwrap();
    assert_eq!(records.lines().count(), 3);
    run(&config(), &parts, true, Watch::nobody()).unwrap();
    assert_eq!(bytes_of(&parts), bytes_of(&whole));
}
