//! One job: what was asked, how far it is, what is said of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use outplay_lab::Progress;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::standing::Standing;
use super::tail::Tail;
use crate::live::Payload;
use crate::schemas::{JobActSchema, JobKindSchema, ScaleSchema, StandingSchema};
use crate::wide::Wide;
use crate::{bounds, clock};

/// What can be asked for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// A network or a table learns.
    Training {
        game: String,
        method: String,
        #[serde(default)]
        seed: Wide,
    },
    /// Everyone plays against everyone.
    Tournament {
        game: String,
        players: Vec<String>,
        /// Games of each pairing; a knock-out has its own numbers.
        #[serde(default)]
        games: u64,
        #[serde(default)]
        random_plies: u32,
        #[serde(default)]
        seed: Wide,
        /// Places in a final that follows, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        knockout: Option<u32>,
    },
    /// A document's table or figure is made again.
    Paper {
        artefact: String,
        #[schema(value_type = ScaleSchema)]
        scale: String,
        #[serde(default)]
        seed: Wide,
    },
    /// A network that was brought here: no work, but kept and played with like what was trained.
    Network { game: String, name: String },
}

impl Request {
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Training { .. } => "training",
            Self::Tournament { .. } => "tournament",
            Self::Paper { .. } => "paper",
            Self::Network { .. } => "network",
        }
    }

    pub(super) fn title(&self) -> String {
        match self {
            Self::Training { game, method, .. } => format!("{method} on {game}"),
            Self::Tournament { game, players, .. } => format!("{} players of {game}", players.len()),
            Self::Paper { artefact, scale, .. } => format!("{artefact} ({scale})"),
            Self::Network { name, .. } => name.clone(),
        }
    }

    /// The game of which it makes or brings a network.
    pub(super) fn teaches(&self) -> Option<&str> {
        match self {
            Self::Training { game, .. } | Self::Network { game, .. } => Some(game),
            Self::Tournament { .. } | Self::Paper { .. } => None,
        }
    }
}

/// How a job stands.
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

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProgressInfo {
    task: String,
    done: u64,
    total: u64,
    unit: String,
}

/// A job as it is remembered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedJob {
    pub(super) id: String,
    pub(super) rev: u64,
    pub(super) request: Request,
    pub(super) state: JobState,
    pub(super) progress: Option<ProgressInfo>,
    /// Time spent at it so far.
    pub(super) seconds: f64,
    pub(super) records: u64,
    pub(super) error: Option<String>,
    pub(super) result: Option<Value>,
    pub(super) created: i64,
    pub(super) updated: i64,
}

impl SavedJob {
    /// Nothing has happened yet.
    pub(super) fn new(id: String, request: Request, state: JobState) -> Self {
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
            created: now,
            updated: now,
        }
    }
}

/// A job as it is shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobInfo {
    id: String,
    rev: u64,
    #[schema(value_type = JobKindSchema)]
    kind: &'static str,
    title: String,
    request: Request,
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
    error: Option<String>,
    /// Of a tournament: where it stands.
    #[schema(value_type = Option<StandingSchema>, required = true)]
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

    /// The same for a list.
    pub(super) fn in_short(self) -> Self {
        Self { result: None, ..self }
    }
}

/// What someone wants of a job that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    GoOn,
    Pause,
    Stop,
}

/// What changes while a job runs.
pub(super) struct Course {
    pub(super) saved: SavedJob,
    pub(super) wish: Wish,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) standing: Option<Standing>,
    pub(super) has_model: bool,
    began: Option<Instant>,
    /// When the present task was first heard of, and how far it was.
    first: Option<(Instant, u64)>,
}

/// How long those who follow have to take some records before they are told of the next.
const BREATH: Duration = Duration::from_millis(5);

/// A job.
pub(super) struct Job {
    pub(super) id: String,
    course: Mutex<Course>,
    pub(super) shown: watch::Sender<Payload>,
    /// How far those who follow have heard of its records, if it leaves any and runs or ran here.
    told: Mutex<Option<Tail>>,
}

impl Job {
    pub(super) fn new(saved: SavedJob, has_model: bool) -> Self {
        let (id, topic) = (saved.id.clone(), format!("job:{}", saved.id));
        let course = Course {
            saved,
            wish: Wish::GoOn,
            stop: Arc::default(),
            standing: None,
            has_model,
            began: None,
            first: None,
        };
        let shown = watch::channel(Payload::of(&topic, "job", &course.info())).0;
        Self { id, course: Mutex::new(course), shown, told: Mutex::default() }
    }

    /// Begins to tell of the records after those that are there.
    pub(super) fn tell_of(&self, mut records: Tail) {
        records.skip_all();
        *self.told() = Some(records);
    }

    fn told(&self) -> MutexGuard<'_, Option<Tail>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all who follow the job how it stands, and of its newest records, to the last. Whoever has not heard of those before
    /// them reads for himself.
    pub(super) fn show(&self) -> JobInfo {
        let mut told = self.told();
        let info = self.course().info();
        let payload = Payload::of(&format!("job:{}", self.id), "job", &info);
        let Some(tail) = &mut *told else {
            self.shown.send_replace(payload);
            return info;
        };
        if self.shown.receiver_count() == 0 {
            tail.skip_all();
        }
        loop {
            let stretch = tail.read(bounds::RECORDS, bounds::STRETCH);
            self.shown.send_replace(payload.with_records(&stretch, tail));
            if stretch.is_last {
                return info;
            }
            thread::sleep(BREATH);
        }
    }

    /// Hears how far the work is.
    pub(super) fn hear(&self, progress: Progress<'_>) {
        let mut course = self.course();
        let info = ProgressInfo {
            task: progress.task.to_owned(),
            done: progress.done,
            total: progress.total,
            unit: progress.unit.to_owned(),
        };
        let is_same_task = course.saved.progress.as_ref().is_some_and(|known| known.task == info.task);
        if course.first.is_none() || !is_same_task {
            course.first = Some((Instant::now(), info.done));
        }
        course.saved.progress = Some(info);
        course.saved.rev += 1;
    }
}

impl Course {
    /// The work begins or goes on.
    pub(super) fn begin(&mut self) {
        self.saved.state = JobState::Running;
        self.saved.error = None;
        self.began = Some(Instant::now());
        self.first = None;
        self.saved.rev += 1;
    }

    /// The work has ended for now.
    pub(super) fn end(&mut self, state: JobState) {
        self.saved.seconds = self.seconds();
        self.began = None;
        self.saved.state = state;
        self.saved.rev += 1;
    }

    /// What would have to be remembered if everything ended now.
    pub(super) fn to_save(&self) -> SavedJob {
        let result = self.standing.as_ref().map(Standing::report).or_else(|| self.saved.result.clone());
        SavedJob { seconds: self.seconds(), result, ..self.saved.clone() }
    }

    pub(super) fn halt(&mut self, wish: Wish) {
        self.wish = wish;
        self.stop.store(true, Ordering::Relaxed);
    }

    fn seconds(&self) -> f64 {
        self.saved.seconds + self.began.map_or(0.0, |began| began.elapsed().as_secs_f64())
    }

    /// Units a second since the present task began, and the seconds that are left at that rate.
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
            JobState::Queued | JobState::Running => vec!["pause", "stop"],
            JobState::Paused | JobState::Stopped | JobState::Failed => vec!["resume"],
            JobState::Finished => Vec::new(),
        }
    }

    pub(super) fn info(&self) -> JobInfo {
        let saved = &self.saved;
        let speed = self.speed();
        let running = self.standing.as_ref().map(Standing::report);
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
