//! The queue of jobs: those that wait, run, or have ended.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use outplay_core::Text;
use outplay_lab::Store;
use outplay_runtime::Allowance;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::errors::JobError;
use super::files::JobFiles;
use super::job::{Job, JobInfo, JobIntent, JobState, SavedJob};
use super::record_tail::RecordTail;
use super::request::{JobKind, JobRequest};
use super::runner::{JobEnd, JobRunner};
use crate::bounds::{self, BoundError};
use crate::clock;
use crate::database::{DocumentKind, StudioDatabase};
use crate::refusal::{Refusal, RequestError, Resource, run_blocking};
use crate::socket::TopicMessage;

/// How often progress is published.
const SHOW_EVERY: Duration = Duration::from_millis(250);

/// How often a running job is saved.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// How long jobs may take to stop when the studio closes.
const GRACE: Duration = Duration::from_secs(30);

/// A job in the queue, with the flag that it has while it waits: one that was halted and queued again has another.
struct WaitingJob {
    job: Arc<Job>,
    stop: Arc<AtomicBool>,
}

/// All jobs.
pub(crate) struct JobQueue {
    database: Arc<StudioDatabase>,
    pub(super) runner: JobRunner,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
    /// Jobs that wait for a slot, in their order.
    waiting: mpsc::UnboundedSender<WaitingJob>,
    updates: watch::Sender<TopicMessage>,
    closing: AtomicBool,
    runtime: Handle,
}

/// Runs jobs in the order in which they were queued, so many at a time, until the queue is dropped.
async fn start_in_order(
    queue: Weak<JobQueue>,
    mut in_order: mpsc::UnboundedReceiver<WaitingJob>,
    slots: usize,
) {
    let slots = Arc::new(Semaphore::new(slots));
    while let Some(waiting) = in_order.recv().await {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let Some(queue) = queue.upgrade() else { return };
        tokio::spawn(async move {
            queue.run(waiting).await;
            drop(slot);
        });
    }
}

impl JobQueue {
    /// Reads all jobs and resumes those that were interrupted.
    pub(crate) fn open(
        database: Arc<StudioDatabase>,
        store: Arc<Store>,
        files: JobFiles,
        threads: usize,
        runtime: Handle,
    ) -> Result<Arc<Self>, Refusal> {
        let slots = bounds::RUNNING_JOBS.min(threads).max(1);
        let (cores, threads_per_player) = (Allowance::new(threads), (threads / slots).max(1));
        let runner = JobRunner { store, files, cores, threads, threads_per_player };
        let (waiting, in_order) = mpsc::unbounded_channel();
        let queue = Arc::new(Self {
            database,
            runner,
            jobs: Mutex::default(),
            waiting,
            updates: watch::channel(TopicMessage::default()).0,
            closing: AtomicBool::new(false),
            runtime,
        });
        queue.runtime.spawn(start_in_order(Arc::downgrade(&queue), in_order, slots));
        let mut saved: Vec<SavedJob> = queue.database.newest(DocumentKind::Job, bounds::JOBS)?;
        saved.sort_by_key(|saved| saved.created);
        queue.runner.files.clear_others(|id| saved.iter().any(|saved| saved.id == id));
        for saved in saved {
            queue.restore(saved);
        }
        queue.publish_list();
        Ok(queue)
    }

    /// Takes a job over from the last run of the studio. What ran when the studio crashed goes on, but only once: the job itself may be
    /// the cause.
    fn restore(self: &Arc<Self>, mut saved: SavedJob) {
        if saved.state == JobState::Running {
            saved.crashes += 1;
            if saved.crashes >= bounds::JOB_CRASHES {
                saved.state = JobState::Stopped;
                saved.error = Some(Text::of(&JobError::Crashed));
            }
        }
        let goes_on = saved.state.is_open();
        let has_model = self.runner.files.path(&saved.id).is_some();
        let job = Arc::new(Job::new(saved, has_model));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        if goes_on {
            self.start(&job);
        }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        self.jobs().get(id).cloned().ok_or_else(|| Refusal::unknown(Resource::Job, id))
    }

    /// Saves the job in this state, on behalf of a caller that holds [`Job::saving`].
    fn save(&self, job: &Job, saved: &SavedJob) -> Result<(), Refusal> {
        self.database.update(DocumentKind::Job, &job.id, saved.updated, saved)?;
        job.status().saved.updated = saved.updated;
        Ok(())
    }

    /// Adds a job that was not saved yet.
    fn add(&self, saved: SavedJob, has_model: bool) -> Result<Arc<Job>, Refusal> {
        self.database.insert(DocumentKind::Job, &saved.id, saved.updated, &saved)?;
        let job = Arc::new(Job::new(saved, has_model));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        Ok(job)
    }

    /// Adds a job to the queue.
    pub(crate) fn submit(self: &Arc<Self>, request: JobRequest) -> Result<JobInfo, Refusal> {
        self.runner.check(&request)?;
        self.check_capacity()?;
        let job = self.add(SavedJob::new(clock::new_id(), request, JobState::Queued), false)?;
        Ok(self.start(&job))
    }

    /// Adds a job that is finished already, its files in place.
    pub(super) fn add_finished(&self, id: String, request: JobRequest) -> Result<JobInfo, Refusal> {
        let job = self.add(SavedJob::new(id, request, JobState::Finished), true)?;
        self.publish_list();
        Ok(job.publish())
    }

    /// Refuses if there are too many jobs.
    pub(super) fn check_capacity(&self) -> Result<(), Refusal> {
        let jobs = self.jobs();
        let open = jobs.values().filter(|job| job.status().saved.state.is_open()).count();
        if open >= bounds::OPEN_JOBS || jobs.len() >= bounds::JOBS {
            return Err(BoundError::Jobs { open }.into());
        }
        Ok(())
    }

    /// Puts a job in the queue.
    fn start(self: &Arc<Self>, job: &Arc<Job>) -> JobInfo {
        {
            let mut status = job.status();
            status.intent = JobIntent::Continue;
            status.stop = Arc::default();
            status.saved.state = JobState::Queued;
            status.saved.rev += 1;
            // The receiver lives as long as the queue.
            let _ = self.waiting.send(WaitingJob { job: Arc::clone(job), stop: Arc::clone(&status.stop) });
        }
        let info = job.publish();
        self.publish_list();
        info
    }

    /// Runs a job to its end, unless it is no longer wanted.
    async fn run(self: Arc<Self>, WaitingJob { job, stop }: WaitingJob) {
        {
            let mut status = job.status();
            let is_wanted = status.saved.state == JobState::Queued && Arc::ptr_eq(&status.stop, &stop);
            if !is_wanted || status.is_removed || self.closing.load(Ordering::Relaxed) {
                return;
            }
            status.begin();
        }
        self.show_progress(&job, true).await;
        let (runner, working) = (self.runner.clone(), Arc::clone(&job));
        let mut work = tokio::task::spawn_blocking(move || runner.run(&working));
        let mut saved = Instant::now();
        let mut ticks = interval(SHOW_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            tokio::select! {
                end = &mut work => break end,
                _ = ticks.tick() => {
                    let is_due = saved.elapsed() > SAVE_EVERY;
                    self.show_progress(&job, is_due).await;
                    saved = if is_due { Instant::now() } else { saved };
                }
            }
        };
        let end = Arc::new(end.unwrap_or_else(|_| Err(RequestError::Crashed.into())));
        loop {
            let (queue, job, end) = (Arc::clone(&self), Arc::clone(&job), Arc::clone(&end));
            let is_done = tokio::task::spawn_blocking(move || queue.finish(&job, &end)).await;
            if is_done.unwrap_or(true) {
                return;
            }
            sleep(SAVE_EVERY).await;
        }
    }

    /// Publishes the state of a job, and saves it first if `also_save`, so that little is lost if the process is killed.
    async fn show_progress(self: &Arc<Self>, job: &Arc<Job>, also_save: bool) {
        let (queue, shown_job) = (Arc::clone(self), Arc::clone(job));
        let show = move || {
            let has_model = queue.runner.files.path(&shown_job.id).is_some();
            shown_job.status().has_model = has_model;
            if also_save {
                let _saving = shown_job.saving();
                let saved = shown_job.status().to_save();
                // An error is reported when the job is saved at its end.
                let _ = queue.save(&shown_job, &saved);
            }
            shown_job.publish();
            queue.publish_list();
        };
        let _ = tokio::task::spawn_blocking(show).await;
    }

    /// Saves how a job has ended, and then shows it. False if it could not be saved: then it is shown as running, with the reason, and this
    /// has to be called again.
    fn finish(&self, job: &Job, end: &Result<JobEnd, Refusal>) -> bool {
        let closing = self.closing.load(Ordering::Relaxed);
        let saving = job.saving();
        let ended = job.status().ended(end, closing);
        let saved = self.save(job, &ended);
        let is_removed = job.status().is_removed;
        // Where the studio closes, the job goes on from its files at the next start.
        let is_done = saved.is_ok() || is_removed || closing;
        if is_done {
            job.status().end(ended);
        } else {
            job.status().show_error(saved.err());
        }
        drop(saving);
        if is_removed {
            self.runner.files.clear(&job.id);
        }
        job.publish();
        self.publish_list();
        is_done
    }

    /// Sends the list to all who follow it.
    fn publish_list(&self) {
        if self.updates.receiver_count() == 0 {
            return;
        }
        // Made while no other list can be sent, so that an older one never follows.
        self.updates.send_modify(|message| *message = TopicMessage::of("jobs", "jobs", &self.list(None)));
    }

    /// All jobs, newest first.
    pub(crate) fn list(&self, kind: Option<JobKind>) -> Vec<JobInfo> {
        let jobs: Vec<Arc<Job>> = self.jobs().values().cloned().collect();
        let statuses = jobs.iter().map(|job| {
            let status = job.status();
            (status.saved.created, status.saved.request.kind(), status.info())
        });
        let mut listed: Vec<_> =
            statuses.filter(|(_, own, _)| kind.is_none_or(|kind| kind == *own)).collect();
        listed.sort_by_key(|(created, ..)| std::cmp::Reverse(*created));
        listed.into_iter().take(500).map(|(.., info)| info.in_short()).collect()
    }

    pub(crate) fn show(&self, id: &str) -> Result<JobInfo, Refusal> {
        Ok(self.find(id)?.status().info())
    }

    /// Pauses a job; it can be resumed.
    pub(crate) fn pause(&self, id: &str) -> Result<JobInfo, Refusal> {
        self.halt(&*self.find(id)?, JobIntent::Pause)
    }

    /// Ends a job with what it has so far.
    pub(crate) fn stop(&self, id: &str) -> Result<JobInfo, Refusal> {
        self.halt(&*self.find(id)?, JobIntent::Stop)
    }

    fn halt(&self, job: &Job, intent: JobIntent) -> Result<JobInfo, Refusal> {
        {
            let _saving = job.saving();
            let saved = {
                let status = job.status();
                status.halted(intent).ok_or_else(|| status.halt_refusal())?
            };
            self.save(job, &saved)?;
            let mut status = job.status();
            status.halt(intent);
            if status.saved.state == JobState::Queued {
                status.end(saved);
            }
        }
        let info = job.publish();
        self.publish_list();
        Ok(info)
    }

    /// Resumes a job that was paused, stopped or failed.
    pub(crate) fn resume(self: &Arc<Self>, id: &str) -> Result<JobInfo, Refusal> {
        let job = self.find(id)?;
        let _saving = job.saving();
        let saved = job.status().resumed().ok_or(JobError::NothingToResume)?;
        self.save(&job, &saved)?;
        job.status().saved = saved;
        Ok(self.start(&job))
    }

    /// Removes a job for good, stops it, and removes its files: here, or where it does not stop soon, when it has.
    pub(crate) async fn remove(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        let job = self.find(id)?;
        let (queue, removed) = (Arc::clone(self), Arc::clone(&job));
        run_blocking(move || queue.forget(&removed)).await?;
        let files = self.runner.files.clone();
        let cleared = self.runtime.spawn(async move {
            while job.status().saved.state == JobState::Running {
                sleep(Duration::from_millis(20)).await;
            }
            files.clear(&job.id);
        });
        // A job that takes long to stop is cleared later, or when the studio is next opened.
        let _ = timeout(GRACE, cleared).await;
        Ok(())
    }

    fn forget(&self, job: &Job) -> Result<(), Refusal> {
        let _saving = job.saving();
        if !self.database.remove(DocumentKind::Job, &job.id)? {
            return Err(Refusal::unknown(Resource::Job, &job.id));
        }
        self.jobs().remove(&job.id);
        job.remove();
        self.publish_list();
        Ok(())
    }

    /// The updates of a job, and its records, if it has any.
    pub(crate) fn follow(
        &self,
        id: &str,
    ) -> Result<(watch::Receiver<TopicMessage>, Option<RecordTail>), Refusal> {
        let job = self.find(id)?;
        let changes = job.updates.subscribe();
        Ok((changes, self.records(id)?))
    }

    pub(crate) fn follow_all(&self) -> watch::Receiver<TopicMessage> {
        let changes = self.updates.subscribe();
        self.publish_list();
        changes
    }

    /// The records of a job.
    pub(crate) fn records(&self, id: &str) -> Result<Option<RecordTail>, Refusal> {
        Ok(self.runner.records(&*self.find(id)?))
    }

    /// The game of a tournament, its job, and the file of its games.
    pub(super) fn games(&self, id: &str) -> Result<(String, JobInfo, PathBuf), Refusal> {
        let job = self.find(id)?;
        let status = job.status();
        match &status.saved.request {
            JobRequest::Tournament { game, .. } => {
                Ok((game.clone(), status.info(), self.runner.files.games(id)))
            }
            _ => Err(JobError::NoGames.into()),
        }
    }

    /// All jobs.
    pub(super) fn all_jobs(&self) -> Vec<Arc<Job>> {
        self.jobs().values().cloned().collect()
    }

    /// Asks all jobs to stop, and waits until they have.
    pub(crate) async fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        let jobs: Vec<Arc<Job>> = self.jobs().values().cloned().collect();
        for job in &jobs {
            job.status().stop.store(true, Ordering::Relaxed);
        }
        let ended = async {
            while jobs.iter().any(|job| job.status().saved.state == JobState::Running) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let _ = timeout(GRACE, ended).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job that ran when the studio crashed goes on; after the second crash it waits for a person, who can resume it.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_that_ran_at_two_crashes_is_not_resumed_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let database = Arc::new(StudioDatabase::open(&folder.path().join("studio.sqlite")).unwrap());
        let request = JobRequest::Training {
            game: "pushover".to_owned(),
            method: "td-lambda:games=1000000000".to_owned(),
            seed: crate::json_u64::JsonU64::default(),
        };
        let mut saved = SavedJob::new("j7f2k9qd".to_owned(), request, JobState::Running);
        for (crashes, goes_on) in [(0, true), (1, false)] {
            saved.crashes = crashes;
            let save = if crashes == 0 { StudioDatabase::insert } else { StudioDatabase::update };
            save(&database, DocumentKind::Job, &saved.id, saved.updated, &saved).unwrap();
            let store = Arc::new(Store::at(folder.path()));
            let files = JobFiles::below(folder.path());
            let queue = JobQueue::open(Arc::clone(&database), store, files, 1, Handle::current()).unwrap();
            let job = queue.find(&saved.id).unwrap();
            let state = job.status().saved.state;
            assert_eq!(state.is_open(), goes_on, "{state:?} after {crashes} crashes before this one");
            if !goes_on {
                assert_eq!(job.status().saved.error, Some(Text::of(&JobError::Crashed)));
                queue.resume(&saved.id).unwrap();
                assert!(job.status().saved.state.is_open() && job.status().saved.crashes == 0);
            }
            queue.close().await;
        }
    }
}
