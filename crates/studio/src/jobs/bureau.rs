//! All jobs: waiting, running, remembered.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outplay_lab::{Allowance, Store};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::job::{Job, JobInfo, JobState, Request, SavedJob, Wish};
use super::models::Models;
use super::tail::Tail;
use super::work::{End, Means};
use crate::database::{Database, Shelf};
use crate::live::Payload;
use crate::refusal::{Code, Refusal};
use crate::{bounds, clock};

/// How often those who follow hear of progress.
const SHOW_EVERY: Duration = Duration::from_millis(250);

/// How often it is written down how a job stands.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// How long jobs have to come to a good end when the studio closes.
const GRACE: Duration = Duration::from_secs(30);

/// All jobs.
pub(crate) struct Bureau {
    database: Arc<Database>,
    pub(super) means: Means,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
    lanes: Arc<Semaphore>,
    shown: watch::Sender<Payload>,
    closing: AtomicBool,
    runtime: Handle,
}

impl Bureau {
    /// Remembers all jobs and goes on with those that were cut off.
    pub(crate) fn open(
        database: Arc<Database>,
        store: Arc<Store>,
        models: Models,
        threads: usize,
        runtime: Handle,
    ) -> Result<Arc<Self>, Refusal> {
        let lanes = bounds::RUNNING_JOBS.min(threads).max(1);
        let (cores, threads_of_a_player) = (Allowance::new(threads), (threads / lanes).max(1));
        let means = Means { store, models, cores, threads, threads_of_a_player };
        let bureau = Arc::new(Self {
            database,
            means,
            jobs: Mutex::default(),
            lanes: Arc::new(Semaphore::new(lanes)),
            shown: watch::channel(Payload::default()).0,
            closing: AtomicBool::new(false),
            runtime,
        });
        let mut saved: Vec<SavedJob> = bureau.database.newest(Shelf::Jobs, bounds::JOBS)?;
        saved.sort_by_key(|saved| saved.created);
        for saved in saved {
            bureau.remember(saved)?;
        }
        bureau.show_all();
        Ok(bureau)
    }

    fn remember(self: &Arc<Self>, saved: SavedJob) -> Result<(), Refusal> {
        let goes_on = saved.state.is_open();
        let has_model = self.means.models.path(&saved.id).is_some();
        let job = Arc::new(Job::new(saved, has_model));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        if goes_on { self.start(&job).map(drop) } else { self.save(&job) }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        self.jobs().get(id).cloned().ok_or_else(|| Refusal::unknown("job", id))
    }

    fn save(&self, job: &Job) -> Result<(), Refusal> {
        let saved = {
            let mut course = job.course();
            course.saved.updated = clock::now();
            course.to_save()
        };
        self.database.put(Shelf::Jobs, &job.id, saved.updated, &saved)
    }

    /// Takes a request on.
    pub(crate) fn take(self: &Arc<Self>, request: Request) -> Result<JobInfo, Refusal> {
        self.means.check(&request)?;
        self.check_room()?;
        let job = Arc::new(Job::new(SavedJob::new(clock::new_id(), request, JobState::Queued), false));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        self.start(&job)
    }

    /// Remembers something that is done already, with what it leaves in its place.
    pub(super) fn keep(&self, id: String, request: Request) -> Result<JobInfo, Refusal> {
        let job = Arc::new(Job::new(SavedJob::new(id, request, JobState::Finished), true));
        self.save(&job)?;
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        self.show_all();
        Ok(job.show())
    }

    /// Refuses what would be too much.
    pub(super) fn check_room(&self) -> Result<(), Refusal> {
        let jobs = self.jobs();
        let open = jobs.values().filter(|job| job.course().saved.state.is_open()).count();
        if open >= bounds::OPEN_JOBS || jobs.len() >= bounds::JOBS {
            let refusal = format!("there are {open} jobs already: wait for some, or remove old ones");
            return Err(Refusal::new(Code::Busy, refusal));
        }
        Ok(())
    }

    /// Puts a job in the queue.
    fn start(self: &Arc<Self>, job: &Arc<Job>) -> Result<JobInfo, Refusal> {
        {
            let mut course = job.course();
            course.wish = Wish::GoOn;
            course.stop = Arc::default();
            course.saved.state = JobState::Queued;
            course.saved.rev += 1;
        }
        self.save(job)?;
        let (bureau, waiting) = (Arc::clone(self), Arc::clone(job));
        self.runtime.spawn(async move { bureau.attend(waiting).await });
        let info = job.show();
        self.show_all();
        Ok(info)
    }

    /// Waits for a lane, then follows the job to its end.
    async fn attend(self: Arc<Self>, job: Arc<Job>) {
        let stop = Arc::clone(&job.course().stop);
        let Ok(_lane) = Arc::clone(&self.lanes).acquire_owned().await else { return };
        {
            let mut course = job.course();
            let is_wanted = course.saved.state == JobState::Queued && Arc::ptr_eq(&course.stop, &stop);
            if !is_wanted || self.closing.load(Ordering::Relaxed) {
                return;
            }
            course.begin();
        }
        let _ = self.save(&job);
        let (means, working) = (self.means.clone(), Arc::clone(&job));
        let mut work = tokio::task::spawn_blocking(move || means.run(&working));
        let mut saved = Instant::now();
        let mut ticks = interval(SHOW_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            tokio::select! {
                end = &mut work => break end,
                _ = ticks.tick() => {
                    let is_due = saved.elapsed() > SAVE_EVERY;
                    self.look_after(&job, is_due).await;
                    saved = if is_due { Instant::now() } else { saved };
                }
            }
        };
        let broke_off = |_| Refusal::new(Code::Failed, "the work broke off by a fault of the program");
        let end = end.map_err(broke_off).and_then(|end| end);
        let _ = tokio::task::spawn_blocking(move || self.conclude(&job, end)).await;
    }

    /// Shows how a job stands; before that, also writes it down, so that little is forgotten if the process is killed.
    async fn look_after(self: &Arc<Self>, job: &Arc<Job>, also_save: bool) {
        let (bureau, looked_at) = (Arc::clone(self), Arc::clone(job));
        let look = move || {
            let has_model = bureau.means.models.path(&looked_at.id).is_some();
            looked_at.course().has_model = has_model;
            if also_save {
                // What cannot be written now will be when the job ends, and then it is said.
                let _ = bureau.save(&looked_at);
            }
            looked_at.show();
            bureau.show_all();
        };
        let _ = tokio::task::spawn_blocking(look).await;
    }

    fn conclude(&self, job: &Job, end: Result<End, Refusal>) {
        {
            let mut course = job.course();
            course.standing = None;
            let closing = self.closing.load(Ordering::Relaxed);
            let (state, result) = match end {
                Ok(End::Finished(result)) => (JobState::Finished, Some(result)),
                // It was not asked to end: the next start goes on with it.
                Ok(End::CutOff(result)) if closing && course.wish == Wish::GoOn => (JobState::Queued, result),
                Ok(End::CutOff(result)) => {
                    (if course.wish == Wish::Pause { JobState::Paused } else { JobState::Stopped }, result)
                }
                Err(refusal) => {
                    course.saved.error = Some(refusal.message);
                    (JobState::Failed, None)
                }
            };
            course.saved.result = result.or(course.saved.result.take());
            course.end(state);
        }
        if let Err(refusal) = self.save(job) {
            job.course().saved.error = Some(refusal.message);
        }
        job.show();
        self.show_all();
    }

    /// Shows the list to all who follow it.
    fn show_all(&self) {
        if self.shown.receiver_count() == 0 {
            return;
        }
        self.shown.send_replace(Payload::of("jobs", "jobs", &self.list(None)));
    }

    /// All jobs, newest first.
    pub(crate) fn list(&self, kind: Option<&str>) -> Vec<JobInfo> {
        let jobs: Vec<Arc<Job>> = self.jobs().values().cloned().collect();
        let courses = jobs.iter().map(|job| {
            let course = job.course();
            (course.saved.created, course.saved.request.kind(), course.info())
        });
        let mut listed: Vec<_> = courses.filter(|(_, own, _)| kind.is_none_or(|kind| kind == *own)).collect();
        listed.sort_by_key(|(created, ..)| std::cmp::Reverse(*created));
        listed.into_iter().take(500).map(|(.., info)| info.in_short()).collect()
    }

    pub(crate) fn show(&self, id: &str) -> Result<JobInfo, Refusal> {
        Ok(self.find(id)?.course().info())
    }

    /// Pauses a job: it can go on later.
    pub(crate) fn pause(&self, id: &str) -> Result<JobInfo, Refusal> {
        self.halt(&*self.find(id)?, Wish::Pause)
    }

    /// Ends a job with what it has.
    pub(crate) fn stop(&self, id: &str) -> Result<JobInfo, Refusal> {
        self.halt(&*self.find(id)?, Wish::Stop)
    }

    fn halt(&self, job: &Job, wish: Wish) -> Result<JobInfo, Refusal> {
        {
            let mut course = job.course();
            match course.saved.state {
                JobState::Running => course.halt(wish),
                JobState::Queued => {
                    course.halt(wish);
                    course.end(if wish == Wish::Pause { JobState::Paused } else { JobState::Stopped });
                }
                _ => return Err(Refusal::refused("the job neither waits nor runs")),
            }
        }
        self.save(job)?;
        let info = job.show();
        self.show_all();
        Ok(info)
    }

    /// Goes on with a job that was paused, stopped or failed.
    pub(crate) fn resume(self: &Arc<Self>, id: &str) -> Result<JobInfo, Refusal> {
        let job = self.find(id)?;
        let state = job.course().saved.state;
        if !matches!(state, JobState::Paused | JobState::Stopped | JobState::Failed) {
            return Err(Refusal::refused("there is nothing to go on with in this job"));
        }
        self.start(&job)
    }

    /// Forgets a job that has ended, and all that it left.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), Refusal> {
        let job = self.find(id)?;
        job.course().halt(Wish::Stop);
        let ended = async {
            while job.course().saved.state == JobState::Running {
                sleep(Duration::from_millis(20)).await;
            }
        };
        if timeout(GRACE, ended).await.is_err() {
            return Err(Refusal::new(Code::Busy, "the job has not stopped yet: try again later"));
        }
        self.jobs().remove(id);
        self.database.remove(Shelf::Jobs, id)?;
        self.means.models.clear(id);
        job.shown.send_replace(Payload::gone("job", id));
        self.show_all();
        Ok(())
    }

    /// The changes of a job, and its records, if it has any.
    pub(crate) fn follow(&self, id: &str) -> Result<(watch::Receiver<Payload>, Option<Tail>), Refusal> {
        let job = self.find(id)?;
        let changes = job.shown.subscribe();
        Ok((changes, self.records(id)?))
    }

    pub(crate) fn follow_all(&self) -> watch::Receiver<Payload> {
        let changes = self.shown.subscribe();
        self.show_all();
        changes
    }

    /// The records of a job.
    pub(crate) fn records(&self, id: &str) -> Result<Option<Tail>, Refusal> {
        Ok(self.means.records(&*self.find(id)?))
    }

    /// The game of a tournament, what is said of it, and where its games are.
    pub(super) fn games(&self, id: &str) -> Result<(String, JobInfo, PathBuf), Refusal> {
        let job = self.find(id)?;
        let course = job.course();
        match &course.saved.request {
            Request::Tournament { game, .. } => {
                Ok((game.clone(), course.info(), self.means.models.games(id)))
            }
            _ => Err(Refusal::refused("only tournaments leave games")),
        }
    }

    /// All jobs as they are.
    pub(super) fn all(&self) -> Vec<Arc<Job>> {
        self.jobs().values().cloned().collect()
    }

    /// Asks all jobs to come to a good end, and waits for it.
    pub(crate) async fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        let jobs: Vec<Arc<Job>> = self.jobs().values().cloned().collect();
        for job in &jobs {
            job.course().stop.store(true, Ordering::Relaxed);
        }
        let ended = async {
            while jobs.iter().any(|job| job.course().saved.state == JobState::Running) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let _ = timeout(GRACE, ended).await;
    }
}
