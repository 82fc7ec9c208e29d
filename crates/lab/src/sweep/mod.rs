//! Every combination of a method's parameters, tried and compared: `outplay sweep`.
//!
//! The grid, the order of work, the files, the table and the figure. Games and methods name their own measures.
//!
//! A sweep that writes to `DIR` keeps there `config.json` (what was asked), `records.jsonl` (one line per point),
//! `points/` (the product of each point, with its own run) and in the end `report.md` with its figure.
//!
//! Invariants:
//! - points are computed side by side and recorded in order, so the same seed leaves the same bytes on any number of
//!   threads;
//! - one process at a time works on a sweep: its folder is locked before anything is written there;
//! - no point is started twice: one that was stopped or killed continues from its last checkpoint, and one that has
//!   ended is only read.

mod grid;
mod report;

use outplay_runtime::WorkError;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use outplay_core::{ForeignWords, errors};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::registry::{AnyGame, TrainPlan, Trial};
use crate::spec::{Noun, Spec, find_named};
use grid::ParamGrid;
use outplay_runtime::files::{
    JsonLinesAppender, JsonLinesReader, OutputLock, is_empty_folder, make_folder, read_bytes,
    write_atomically,
};
use outplay_runtime::on_threads;
use outplay_runtime::{Progress, Watch};
pub use report::{RankedPoint, SweepReport};

errors! {
    /// Why a sweep cannot begin or go on, or gives no report.
    pub enum SweepError {
        Begun { folder: PathBuf } =
            "{folder} holds a sweep: add --resume to go on with it, or name another folder"
            | "{folder} contient un balayage : ajoutez --resume pour le poursuivre, ou nommez un autre dossier",
        NotEmpty { folder: PathBuf } =
            "{folder} holds something else: expected an empty folder"
            | "{folder} contient autre chose : attendu un dossier vide",
        NotBegun { folder: PathBuf } =
            "{folder} holds no sweep: leave out --resume to begin one"
            | "{folder} ne contient aucun balayage : omettez --resume pour en commencer un",
        OtherParameters { folder: PathBuf, kept: ForeignWords } =
            "{folder} holds a sweep of other parameters ({kept}): expected the same ones to resume it"
            | "{folder} contient un balayage d’autres paramètres ({kept}) : attendu les mêmes pour le poursuivre",
        OutOfOrder { line: usize, path: PathBuf, found: usize } =
            "line {line} of {path} is of point {found}: expected one line for each point in order"
            | "la ligne {line} de {path} est du point {found} : attendu une ligne par point, dans l’ordre",
        NotMeasured { method: &'static str, measures: Vec<&'static str> } =
            "no point of {method} was measured by {measures}: expected parameters with which it is"
            | "aucun point de {method} n’a été mesuré par {measures} : attendu des paramètres qui le permettent",
    }
}

/// A sweep as the user asked for it.
#[derive(Clone, Copy)]
pub struct SweepPlan<'a> {
    /// The method, with parameters that hold everywhere.
    pub method: &'a str,
    /// The parameters that are swept, each `key=value,value` or `key=1..9`.
    pub parameters: &'a [String],
    /// By what points are compared, if not by the method's first measure.
    pub measure: Option<&'a str>,
    /// The seed of every point.
    pub seed: u64,
    /// The folder to write.
    pub out: &'a Path,
    /// Resumes a sweep that is there.
    pub resume: bool,
    /// Points worked on at a time; it changes nothing but the time.
    pub threads: Option<usize>,
}

/// One line of the records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SweepPoint {
    /// From 1.
    #[serde(rename = "point")]
    number: usize,
    /// The swept parameters at this point.
    parameters: Map<String, Value>,
    /// The last record of its run.
    last: Value,
}

/// Tries every point, from where the sweep stands, and reports on what there is.
pub fn run(game: &dyn AnyGame, plan: &SweepPlan<'_>, watch: Watch<'_>) -> Result<SweepReport, WorkError> {
    let begun = Instant::now();
    let trials: Vec<&Trial> = game.info().trials().collect();
    let method: Spec = plan.method.parse()?;
    let trial = find_named(Noun::Method, &method.name, &trials, |trial| trial.listing.name)?;
    check_measure(trial, plan.measure)?;
    let grid = ParamGrid::read(&method, plan.parameters, &trial.listing)?;
    let mut config = grid.config();
    config["game"] = game.info().spec.clone().into();
    config["seed"] = plan.seed.into();
    let folder = SweepFolder(plan.out.to_owned());
    let lock = folder.lock(plan.resume)?;
    let records = if plan.resume { folder.resume(&config)? } else { folder.begin(&config)? };
    let sweep = Sweep { game, plan, grid: &grid, folder: &folder, watch };
    let finished = match sweep.work(records) {
        Ok(()) => true,
        Err(WorkError::Stopped) => false,
        Err(error) => {
            folder.withdraw(lock);
            return Err(error);
        }
    };
    let command = command(game, plan, &grid);
    let report = SweepReport::new(command, &grid, trial, plan, &folder.points()?, finished)?;
    if finished {
        report.write(&folder.0, &grid)?;
    }
    Ok(SweepReport { seconds: begun.elapsed().as_secs_f64(), ..report })
}

fn check_measure(trial: &Trial, measure: Option<&str>) -> Result<(), WorkError> {
    if let Some(name) = measure {
        find_named(Noun::Measure, name, trial.measures, |measure| measure.name)?;
    }
    Ok(())
}

/// What makes it again.
fn command(game: &dyn AnyGame, plan: &SweepPlan<'_>, grid: &ParamGrid) -> String {
    format!("outplay sweep {} {} --seed {} --out DIR", game.info().spec.clone(), grid.written(), plan.seed)
}

/// What every thread of a sweep sees.
struct Sweep<'a> {
    game: &'a dyn AnyGame,
    plan: &'a SweepPlan<'a>,
    grid: &'a ParamGrid,
    folder: &'a SweepFolder,
    watch: Watch<'a>,
}

impl Sweep<'_> {
    /// Works on all points that are not recorded yet.
    fn work(&self, records: SweepRecords) -> Result<(), WorkError> {
        let first = records.next;
        let next = AtomicUsize::new(first);
        let (ledger, halt) = (Mutex::new(records), AtomicBool::new(false));
        let progress = Mutex::new(vec![(0, 0); self.grid.len() - first]);
        let failure = Mutex::new(None);
        let work_on_points = || {
            while !halt.load(Ordering::Relaxed) && !self.watch.is_stopped() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.grid.len() {
                    break;
                }
                let show = |own: Progress<'_>| {
                    halt.fetch_or(self.watch.is_stopped(), Ordering::Relaxed);
                    self.show(own, &mut lock(&progress), number - first);
                };
                let point = self.point(number, Watch::new(&halt, &show));
                let recorded = point.and_then(|point| lock(&ledger).take(number, point));
                if let Err(error) = recorded {
                    halt.store(true, Ordering::Relaxed);
                    lock(&failure).get_or_insert(error);
                }
            }
        };
        on_threads(self.plan.threads, || {
            rayon::broadcast(|_| work_on_points());
            Ok::<_, WorkError>(())
        })?;
        let failure = lock(&failure).take();
        failure.map_or(Ok(()), Err)?;
        let ledger = lock(&ledger);
        ledger.file.sync()?;
        if ledger.next == self.grid.len() { Ok(()) } else { Err(WorkError::Stopped) }
    }

    fn point(&self, number: usize, watch: Watch<'_>) -> Result<SweepPoint, WorkError> {
        let spec = self.grid.point(number);
        let (method, out) = (spec.to_string(), self.folder.point(number));
        let plan =
            TrainPlan { method: &method, seed: self.plan.seed, out: &out, resume: false, threads: Some(1) };
        let last = self.game.attempt(&plan, watch)?;
        let value = |name: &str| spec.get(name).map_or(Value::Null, Value::from);
        let swept = self.grid.swept();
        let parameters = swept.iter().map(|axis| (axis.name.clone(), value(&axis.name))).collect();
        Ok(SweepPoint { number: number + 1, parameters, last })
    }

    /// Points that have not begun are taken to be as long as the one that shows itself.
    fn show(&self, own: Progress<'_>, all: &mut [(u64, u64)], place: usize) {
        all[place] = (own.done, own.total);
        let total = all.iter().map(|&(_, total)| if total == 0 { own.total } else { total }).sum();
        let done = all.iter().map(|&(done, _)| done).sum();
        self.watch.show(Progress { task: "sweeping", done, total, unit: "steps" });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The records of a sweep, which are written in the order of the points.
struct SweepRecords {
    file: JsonLinesAppender<SweepPoint>,
    /// The first point that is not recorded.
    next: usize,
    /// Points that ended before an earlier one did.
    waiting: BTreeMap<usize, SweepPoint>,
}

impl SweepRecords {
    fn take(&mut self, number: usize, point: SweepPoint) -> Result<(), WorkError> {
        self.waiting.insert(number, point);
        while let Some(point) = self.waiting.remove(&self.next) {
            self.file.append(&point)?;
            self.next += 1;
        }
        Ok(())
    }
}

/// The folder of a sweep.
struct SweepFolder(PathBuf);

impl SweepFolder {
    fn config(&self) -> PathBuf {
        self.0.join("config.json")
    }

    fn records(&self) -> PathBuf {
        self.0.join("records.jsonl")
    }

    fn runs(&self) -> PathBuf {
        self.0.join("points")
    }

    /// What the point of this number makes.
    fn point(&self, number: usize) -> PathBuf {
        self.runs().join(format!("{:04}", number + 1))
    }

    /// Locks the folder, which is made if a sweep is to begin there.
    fn lock(&self, resume: bool) -> Result<OutputLock, WorkError> {
        if resume && !self.config().exists() {
            return Err(SweepError::NotBegun { folder: self.0.clone() }.into());
        }
        make_folder(&self.0)?;
        Ok(OutputLock::take(&self.config())?)
    }

    /// Begins a sweep in a folder that is empty.
    fn begin(&self, config: &Value) -> Result<SweepRecords, WorkError> {
        let folder = self.0.clone();
        if self.config().exists() {
            return Err(SweepError::Begun { folder }.into());
        }
        if !is_empty_folder(&self.0) {
            return Err(SweepError::NotEmpty { folder }.into());
        }
        write_atomically(&self.config(), |writer| writeln!(writer, "{config:#}"))?;
        self.open()
    }

    /// Resumes the sweep of this configuration.
    fn resume(&self, config: &Value) -> Result<SweepRecords, WorkError> {
        let folder = self.0.clone();
        let kept: Option<Value> = serde_json::from_slice(&read_bytes(&self.config())?).ok();
        if kept.as_ref() != Some(config) {
            let kept = ForeignWords::of(&kept.unwrap_or_default());
            return Err(SweepError::OtherParameters { folder, kept }.into());
        }
        self.open()
    }

    fn open(&self) -> Result<SweepRecords, WorkError> {
        make_folder(&self.runs())?;
        let mut file = JsonLinesAppender::recover(&self.records())?;
        // What is damaged is read again from the runs of the points.
        file.cut_back(file.end())?;
        let points = self.points()?;
        if let Some((expected, found)) = (1..).zip(&points).find(|(number, point)| *number != point.number) {
            let (path, found) = (self.records(), found.number);
            return Err(SweepError::OutOfOrder { line: expected, path, found }.into());
        }
        Ok(SweepRecords { file, next: points.len(), waiting: BTreeMap::new() })
    }

    fn points(&self) -> Result<Vec<SweepPoint>, WorkError> {
        if !self.records().exists() {
            return Ok(Vec::new());
        }
        Ok(JsonLinesReader::open(&self.records())?.collect::<Result<_, _>>()?)
    }

    /// Takes back what was written for a sweep of which no point has begun.
    fn withdraw(&self, lock: OutputLock) {
        // A folder that holds anything is not removed.
        if fs::remove_dir(self.runs()).is_ok() {
            let _ = fs::remove_file(self.records());
            let _ = fs::remove_file(self.config());
            drop(lock);
            let _ = fs::remove_dir(&self.0);
        }
    }
}

#[cfg(test)]
mod tests;
