//! All jobs: waiting, running, remembered.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use outplay_lab::{Store, open_game};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::job::{Job, JobInfo, JobState, Request, SavedJob, Wish};
use super::models::Models;
use super::work::{End, Means, recover};
use crate::database::{Database, Shelf};
use crate::live::Payload;
use crate::refusal::{Code, Refusal};
use crate::{bounds, clock};

/// How often those who follow hear of progress.
const SHOW_EVERY: Duration = Duration::from_millis(250);

/// How long jobs have to come to a good end when the studio closes.
const GRACE: Duration = Duration::from_secs(30);

/// All jobs.
pub(crate) struct Bureau {
    database: Arc<Database>,
    means: Means,
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
        let lanes = bounds::LANES.min(threads).max(1);
        let means = Means { store, models, threads: (threads / lanes).max(1) };
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

    fn remember(self: &Arc<Self>, mut saved: SavedJob) -> Result<(), Refusal> {
        let was_open = saved.state.is_open();
        if was_open && let Request::Tournament { players, .. } = &saved.request {
            let (records, result) = recover(&self.means.models, &saved.id, players);
            (saved.records, saved.result) = (records, Some(result));
            saved.state = JobState::Stopped;
        }
        let goes_on = was_open && saved.request.is_resumable();
        let has_model = self.means.models.path(&saved.id).is_some();
        let job = Arc::new(Job::new(saved, has_model));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        if goes_on { self.start(&job).map(drop) } else { self.save(&job) }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        self.jobs().get(id).cloned().ok_or_else(|| Refusal::unknown("job", id))
    }

    fn save(&self, job: &Job) -> Result<(), Refusal> {
        let saved = {
            let mut course = job.course();
            course.saved.updated = clock::now();
            course.saved.clone()
        };
        self.database.put(Shelf::Jobs, &job.id, saved.updated, &saved)
    }

    /// Takes a request on.
    pub(crate) fn take(self: &Arc<Self>, request: Request) -> Result<JobInfo, Refusal> {
        self.means.check(&request)?;
        let now = clock::now();
        {
            let jobs = self.jobs();
            let open = jobs.values().filter(|job| job.course().saved.state.is_open()).count();
            if open >= bounds::OPEN_JOBS || jobs.len() >= bounds::JOBS {
                let refusal = format!("there are {open} jobs already: wait for some, or remove old ones");
                return Err(Refusal::new(Code::Busy, refusal));
            }
        }
        let saved = SavedJob {
            id: clock::new_id(),
            rev: 0,
            request,
            state: JobState::Queued,
            progress: None,
            seconds: 0.0,
            records: 0,
            error: None,
            result: None,
            created: now,
            updated: now,
        };
        let job = Arc::new(Job::new(saved, false));
        self.jobs().insert(job.id.clone(), Arc::clone(&job));
        self.start(&job)
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
        let mut ticks = interval(SHOW_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            tokio::select! {
                end = &mut work => break end,
                _ = ticks.tick() => {
                    job.show();
                    self.show_all();
                }
            }
        };
        let broke_off = |_| Refusal::new(Code::Failed, "the work broke off by a fault of the program");
        self.conclude(&job, end.map_err(broke_off).and_then(|end| end));
    }

    fn conclude(&self, job: &Job, end: Result<End, Refusal>) {
        {
            let mut course = job.course();
            course.standing = None;
            let closing = self.closing.load(Ordering::Relaxed);
            let (state, result) = match end {
                Ok(End::Finished(result)) => (JobState::Finished, Some(result)),
                // It was not asked to end: the next start goes on with it.
                Ok(End::CutOff(result)) if closing && course.wish == Wish::GoOn => {
                    let resumable = course.saved.request.is_resumable();
                    (if resumable { JobState::Queued } else { JobState::Stopped }, result)
                }
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
        self.shown.send_replace(Payload::of("jobs", &self.list(None)));
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
        let job = self.find(id)?;
        if !job.course().saved.request.is_resumable() {
            return Err(Refusal::refused("a tournament cannot be paused: expected stop"));
        }
        self.halt(&job, Wish::Pause)
    }

    /// Ends a job with what it has.
    pub(crate) fn stop(&self, id: &str) -> Result<JobInfo, Refusal> {
        let job = self.find(id)?;
        self.halt(&job, Wish::Stop)
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
        let (state, resumable) = {
            let course = job.course();
            (course.saved.state, course.saved.request.is_resumable())
        };
        if !resumable || !matches!(state, JobState::Paused | JobState::Stopped | JobState::Failed) {
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

    /// The changes of a job, and where its records are, if it has any.
    pub(crate) fn follow(&self, id: &str) -> Result<(watch::Receiver<Payload>, Option<PathBuf>), Refusal> {
        let job = self.find(id)?;
        let changes = job.shown.subscribe();
        Ok((changes, self.records(id)?))
    }

    pub(crate) fn follow_all(&self) -> watch::Receiver<Payload> {
        let changes = self.shown.subscribe();
        self.show_all();
        changes
    }

    /// Where the records of a job are.
    pub(crate) fn records(&self, id: &str) -> Result<Option<PathBuf>, Refusal> {
        let job = self.find(id)?;
        let course = job.course();
        let models = &self.means.models;
        Ok(match course.saved.request {
            Request::Training { .. } => Some(models.run(id).join("records.jsonl")),
            Request::Tournament { .. } => Some(models.games(id)),
            Request::Paper { .. } => None,
        })
    }

    /// What a training has made so far.
    pub(crate) fn product(&self, id: &str) -> Result<PathBuf, Refusal> {
        self.find(id)?;
        self.means.models.path(id).ok_or_else(|| Refusal::unknown("model", id))
    }

    /// Trainings that have made something, with their games and methods.
    pub(crate) fn trained(&self) -> Vec<(String, String, String, JobState, i64)> {
        let jobs: Vec<Arc<Job>> = self.jobs().values().cloned().collect();
        let trained = jobs.iter().filter_map(|job| {
            let course = job.course();
            let Request::Training { game, method, .. } = &course.saved.request else { return None };
            let SavedJob { state, updated, .. } = course.saved;
            course.has_model.then(|| (job.id.clone(), game.clone(), method.clone(), state, updated))
        });
        trained.collect()
    }

    /// The players who can follow a model, as a page may write them.
    pub(crate) fn followers(&self, id: &str, game: &str) -> Vec<String> {
        let Some(path) = self.means.models.path(id) else { return Vec::new() };
        let Ok(house) = open_game(game, &self.means.store) else { return Vec::new() };
        let takes_file = |listing: &outplay_lab::registry::Listing| {
            listing.params.iter().any(|param| param.name == "file")
        };
        let names = house.players().into_iter().filter(takes_file).map(|listing| listing.name.to_owned());
        let judged = house.evaluators().into_iter().filter(takes_file).map(|listing| listing.name);
        let searching = judged.map(|judge| format!("alphabeta:depth=2,eval={judge}"));
        let written = |player: &String, value: &str| {
            let separator = if player.contains(':') { ',' } else { ':' };
            format!("{player}{separator}file={value}")
        };
        let path = path.to_string_lossy().replace(',', "\\,");
        let can = |player: &String| {
            house.check_player(&written(player, &path), outplay_lab::Watch::nobody()).is_ok()
        };
        names.chain(searching).filter(can).map(|player| written(&player, id)).collect()
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
