//! One job: its state, and what is published of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use outplay_core::Text;
use outplay_runtime::Progress;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::errors::JobError;
use super::record_tail::RecordTail;
use super::request::{JobKind, JobRequest};
use super::runner::JobEnd;
use super::standing::TournamentStanding;
use crate::refusal::{Refusal, Resource};
use crate::schemas::{JobActSchema, JobResultSchema};
use crate::socket::TopicMessage;
use crate::{bounds, clock};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    Queued,
    Running,
    Paused,
    Stopped,
    Finished,
    Failed,
}

impl JobState {
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// How far long work is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProgressInfo {
    task: String,
    done: u64,
    total: u64,
    unit: String,
}

impl From<Progress<'_>> for ProgressInfo {
    fn from(progress: Progress<'_>) -> Self {
        let Progress { task, done, total, unit } = progress;
        Self { task: task.to_owned(), done, total, unit: unit.to_owned() }
    }
}

/// A job as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedJob {
    pub(super) id: String,
    pub(super) rev: u64,
    pub(super) request: JobRequest,
    pub(super) state: JobState,
    pub(super) progress: Option<ProgressInfo>,
    /// Seconds spent on it so far.
    pub(super) seconds: f64,
    pub(super) records: u64,
    pub(super) error: Option<Text>,
    pub(super) result: Option<Value>,
    /// How often in a row the studio ended while the job ran, without having been asked to.
    #[serde(default)]
    pub(super) crashes: u32,
    pub(super) created: i64,
    pub(super) updated: i64,
}

impl SavedJob {
    /// A job on which no work was done yet.
    pub(super) fn new(id: String, request: JobRequest, state: JobState) -> Self {
        let now = clock::now();
        Self {
            id,
            rev: 0,
            request,
            state,
            progress: None,
            seconds: 0.0,
            records: 0,
            error: None,
            result: None,
            crashes: 0,
            created: now,
            updated: now,
        }
    }
}

/// A job as the page reads it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobInfo {
    id: String,
    rev: u64,
    kind: JobKind,
    title: Text,
    request: JobRequest,
    state: JobState,
    #[schema(required = true)]
    progress: Option<ProgressInfo>,
    #[schema(required = true)]
    rate: Option<f64>,
    #[schema(required = true)]
    left: Option<f64>,
    seconds: f64,
    records: u64,
    #[schema(value_type = Vec<JobActSchema>)]
    can: Vec<&'static str>,
    #[schema(required = true)]
    error: Option<Text>,
    /// Also while a tournament runs.
    #[schema(value_type = Option<JobResultSchema>, required = true)]
    result: Option<Value>,
    #[schema(required = true)]
    model: Option<String>,
    created: i64,
    updated: i64,
}

impl JobInfo {
    /// How many records there are.
    pub(super) const fn records(&self) -> u64 {
        self.records
    }

    /// The same without its result, for lists.
    pub(super) fn in_short(self) -> Self {
        Self { result: None, ..self }
    }
}

/// What a running job should do when its stop flag is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobIntent {
    Continue,
    Pause,
    Stop,
}

impl JobIntent {
    /// The state of a job that was interrupted for this reason, if it was asked to halt.
    pub(super) const fn halted_state(self) -> Option<JobState> {
        match self {
            Self::Continue => None,
            Self::Pause => Some(JobState::Paused),
            Self::Stop => Some(JobState::Stopped),
        }
    }
}

/// What changes while a job runs.
pub(super) struct JobStatus {
    pub(super) saved: SavedJob,
    pub(super) intent: JobIntent,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) standing: Option<TournamentStanding>,
    pub(super) has_model: bool,
    /// Whether it was removed: it does not begin, is not saved, and its followers are sent nothing more.
    pub(super) is_removed: bool,
    began: Option<Instant>,
    /// When the present task first reported progress, and how far it was.
    first: Option<(Instant, u64)>,
}

/// The pause between two batches of records, in which followers can take the first.
const BATCH_PAUSE: Duration = Duration::from_millis(5);

/// A job.
pub(super) struct Job {
    pub(super) id: String,
    status: Mutex<JobStatus>,
    /// Held while the job is saved and then changed as saved, so that memory and disk agree.
    saving: Mutex<()>,
    pub(super) updates: watch::Sender<TopicMessage>,
    /// How far its records were published, if it has records and has run since the start of the studio.
    announced: Mutex<Option<RecordTail>>,
}

impl Job {
    pub(super) fn new(saved: SavedJob, has_model: bool) -> Self {
        let (id, topic) = (saved.id.clone(), format!("job:{}", saved.id));
        let status = JobStatus {
            saved,
            intent: JobIntent::Continue,
            stop: Arc::default(),
            standing: None,
            has_model,
            is_removed: false,
            began: None,
            first: None,
        };
        let updates = watch::channel(TopicMessage::of(&topic, "job", &status.info())).0;
        let (status, saving) = (Mutex::new(status), Mutex::default());
        Self { id, status, saving, updates, announced: Mutex::default() }
    }

    /// Publishes records from now on, beginning after those that exist.
    pub(super) fn announce_after(&self, mut records: RecordTail) {
        records.skip_all();
        *self.announced() = Some(records);
    }

    fn announced(&self) -> MutexGuard<'_, Option<RecordTail>> {
        self.announced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> MutexGuard<'_, JobStatus> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn saving(&self) -> MutexGuard<'_, ()> {
        self.saving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the job for good, and tells its followers that it was removed.
    pub(super) fn remove(&self) {
        // No earlier state can be sent after this message.
        let _announced = self.announced();
        {
            let mut status = self.status();
            status.is_removed = true;
            status.halt(JobIntent::Stop);
        }
        self.updates.send_replace(TopicMessage::gone(&format!("job:{}", self.id), Resource::Job, &self.id));
    }

    /// Publishes the state of the job and all its new records. A follower that has missed earlier records reads them from disk.
    pub(super) fn publish(&self) -> JobInfo {
        let mut announced = self.announced();
        let (info, is_removed) = {
            let status = self.status();
            (status.info(), status.is_removed)
        };
        if is_removed {
            return info;
        }
        let payload = TopicMessage::of(&format!("job:{}", self.id), "job", &info);
        let Some(tail) = &mut *announced else {
            self.updates.send_replace(payload);
            return info;
        };
        if self.updates.receiver_count() == 0 {
            tail.skip_all();
        }
        loop {
            let batch = tail.read(bounds::BATCH_RECORDS, bounds::BATCH_BYTES);
            self.updates.send_replace(payload.with_records(&batch, tail));
            if batch.is_last {
                return info;
            }
            thread::sleep(BATCH_PAUSE);
        }
    }

    /// Notes how far the work is.
    pub(super) fn set_progress(&self, progress: Progress<'_>) {
        let mut status = self.status();
        let info = ProgressInfo::from(progress);
        let is_same_task = status.saved.progress.as_ref().is_some_and(|known| known.task == info.task);
        if status.first.is_none() || !is_same_task {
            status.first = Some((Instant::now(), info.done));
        }
        status.saved.progress = Some(info);
        status.saved.rev += 1;
    }
}

impl JobStatus {
    /// The work starts or is resumed.
    pub(super) fn begin(&mut self) {
        self.saved.state = JobState::Running;
        self.saved.error = None;
        self.began = Some(Instant::now());
        self.first = None;
        self.saved.rev += 1;
    }

    /// The work has ended for now, and this was saved.
    pub(super) fn end(&mut self, saved: SavedJob) {
        self.saved = SavedJob { rev: self.saved.rev + 1, ..saved };
        self.standing = None;
        self.began = None;
    }

    /// Shows why the end of the work could not be saved.
    pub(super) fn show_error(&mut self, refusal: Option<Refusal>) {
        self.saved.error = refusal.map(|refusal| refusal.message);
        self.saved.rev += 1;
    }

    /// The job as it has to be saved when its work has ended so.
    pub(super) fn ended(&self, end: &Result<JobEnd, Refusal>, is_closing: bool) -> SavedJob {
        let (state, result, error) = match end {
            Ok(JobEnd::Finished(result)) => (JobState::Finished, Some(result.clone()), None),
            Ok(JobEnd::Interrupted(result)) => {
                // Where no client asked it to end, it goes on when the studio starts again.
                let unasked = if is_closing { JobState::Queued } else { JobState::Stopped };
                (self.intent.halted_state().unwrap_or(unasked), result.clone(), None)
            }
            Err(refusal) => (JobState::Failed, None, Some(refusal.message.clone())),
        };
        let result = result.or_else(|| self.saved.result.clone());
        SavedJob { state, error, result, crashes: 0, ..self.to_save() }
    }

    /// The job as it has to be saved when it was asked to halt; `None` if it neither waits nor runs, or cannot pause.
    pub(super) fn halted(&self, intent: JobIntent) -> Option<SavedJob> {
        let is_possible = intent != JobIntent::Pause || self.saved.request.can_pause();
        let state = intent.halted_state().filter(|_| self.saved.state.is_open() && is_possible)?;
        Some(SavedJob { state, ..self.to_save() })
    }

    /// Why the job was not halted.
    pub(super) const fn halt_refusal(&self) -> JobError {
        if self.saved.state.is_open() { JobError::Unpausable } else { JobError::NotOpen }
    }

    /// The job as it has to be saved when it waits again; `None` if there is nothing to go on with.
    pub(super) fn resumed(&self) -> Option<SavedJob> {
        let can_resume = matches!(self.saved.state, JobState::Paused | JobState::Stopped | JobState::Failed);
        can_resume.then(|| SavedJob { state: JobState::Queued, crashes: 0, error: None, ..self.to_save() })
    }

    /// The job as it would have to be saved if the process ended now. One that was asked to halt does not go on after a restart.
    pub(super) fn to_save(&self) -> SavedJob {
        let result =
            self.standing.as_ref().map(TournamentStanding::report).or_else(|| self.saved.result.clone());
        let state = match self.saved.state {
            JobState::Running => self.intent.halted_state().unwrap_or(JobState::Running),
            state => state,
        };
        SavedJob { state, seconds: self.seconds(), result, updated: clock::now(), ..self.saved.clone() }
    }

    pub(super) fn halt(&mut self, intent: JobIntent) {
        self.intent = intent;
        self.stop.store(true, Ordering::Relaxed);
    }

    fn seconds(&self) -> f64 {
        self.saved.seconds + self.began.map_or(0.0, |began| began.elapsed().as_secs_f64())
    }

    /// Units per second since the present task began, and the seconds left at that rate.
    fn speed(&self) -> Option<(f64, f64)> {
        let ((since, from), progress) = self.first.zip(self.saved.progress.as_ref())?;
        let elapsed = since.elapsed().as_secs_f64();
        let done = progress.done.saturating_sub(from);
        let is_known = self.began.is_some() && done > 0 && elapsed > 0.2;
        let rate = done as f64 / elapsed;
        is_known.then(|| (rate, progress.total.saturating_sub(progress.done) as f64 / rate))
    }

    fn can(&self) -> Vec<&'static str> {
        match self.saved.state {
            JobState::Queued | JobState::Running if self.saved.request.can_pause() => vec!["pause", "stop"],
            JobState::Queued | JobState::Running => vec!["stop"],
            JobState::Paused | JobState::Stopped | JobState::Failed => vec!["resume"],
            JobState::Finished => Vec::new(),
        }
    }

    pub(super) fn info(&self) -> JobInfo {
        let saved = &self.saved;
        let speed = self.speed();
        let running = self.standing.as_ref().map(TournamentStanding::report);
        JobInfo {
            id: saved.id.clone(),
            rev: saved.rev,
            kind: saved.request.kind(),
            title: saved.request.title(),
            request: saved.request.clone(),
            state: saved.state,
            progress: saved.progress.clone(),
            rate: speed.map(|(rate, _)| rate),
            left: speed.map(|(_, left)| left),
            seconds: self.seconds(),
            records: saved.records,
            can: self.can(),
            error: saved.error.clone(),
            result: running.or_else(|| saved.result.clone()),
            model: self.has_model.then(|| saved.id.clone()),
            created: saved.created,
            updated: saved.updated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Older versions saved errors in English only.
    #[test]
    fn a_job_of_an_older_version_is_read() {
        let saved = r#"{ "id": "j7f2k9qd", "rev": 3, "request": { "kind": "training", "game": "pushover", "method": "network", "seed": "1" },
            "state": "failed", "progress": null, "seconds": 1.5, "records": 0, "error": "stopped before the end", "result": null,
            "created": 1, "updated": 2 }"#;
        let saved: SavedJob = serde_json::from_str(saved).unwrap();
        assert_eq!(saved.error, Some(Text::same("stopped before the end")));
        assert_eq!(saved.request.title(), Text::new("network on pushover", "network sur pushover"));
    }
}
