//! One training with several seeds, side by side.
//!
//! Each seed leaves the same bytes as if it were trained alone, on any number of threads, in a file of its own whose
//! name contains the seed.

use outplay_runtime::WorkError;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use rayon::prelude::*;

use crate::learning::LearningError;
use crate::registry::{AnyGame, TrainPlan};
use crate::spec::Spec;
use outplay_runtime::on_threads;
use outplay_runtime::{Progress, Watch};
use outplay_training::TrainingReport;

/// The file of one seed: `a.npz` becomes `a-7.npz`.
pub fn file_of(out: &Path, seed: u64) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let name = match out.extension() {
        Some(end) => format!("{stem}-{seed}.{}", end.to_string_lossy()),
        None => format!("{stem}-{seed}"),
    };
    out.with_file_name(name)
}

/// Trains with this many seeds from the plan's on, one a thread. A failed training ends the others at their next step.
pub fn train_seeds(
    game: &dyn AnyGame,
    plan: &TrainPlan<'_>,
    seeds: u64,
    watch: Watch<'_>,
) -> Result<Vec<TrainingReport>, WorkError> {
    let method: Spec = plan.method.parse()?;
    if seeds > 1 && ["first", "second"].iter().any(|seat| method.get(seat) == Some("human")) {
        return Err(LearningError::OnePersonOnly.into());
    }
    let progress = Mutex::new(vec![(0, 0); seeds as usize]);
    let train = |number: u64| {
        let seed = plan.seed + number;
        let show = |own: Progress<'_>| {
            let mut all = progress.lock().unwrap_or_else(PoisonError::into_inner);
            all[number as usize] = (own.done, own.total);
            // Those that have not begun are as long as this one.
            let total = all.iter().map(|&(_, total)| if total == 0 { own.total } else { total }).sum();
            watch.show(Progress { done: all.iter().map(|&(done, _)| done).sum(), total, ..own });
        };
        let out = file_of(plan.out, seed);
        let alone = TrainPlan { seed, out: &out, threads: Some(1), ..*plan };
        game.train(&alone, Watch::new(watch.stop_flag(), &show))
    };
    on_threads(plan.threads, || (0..seeds).into_par_iter().map(train).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, open_game};
    use std::sync::Arc;

    #[test]
    fn every_seed_leaves_what_it_leaves_alone() {
        let folder = tempfile::tempdir().unwrap();
        let game = open_game("quoridor:size=4,walls=1", &Arc::new(Store::at(folder.path()))).unwrap();
        let out = folder.path().join("a.npz");
        let method = "td-lambda:games=60,every=20,check=4,hidden=8";
        let plan = TrainPlan { method, seed: 5, out: &out, resume: false, threads: Some(2) };
        let reports = train_seeds(&*game, &plan, 3, Watch::nobody()).unwrap();
        let outs: Vec<&Path> = reports.iter().map(|report| report.out.as_path()).collect();
        assert_eq!(outs, ["a-5.npz", "a-6.npz", "a-7.npz"].map(|name| folder.path().join(name)));
        let alone = folder.path().join("alone");
        game.train(&TrainPlan { seed: 6, out: &alone, threads: None, ..plan }, Watch::nobody()).unwrap();
        assert_eq!(std::fs::read(&alone).unwrap(), std::fs::read(outs[1]).unwrap());
        let person = TrainPlan { method: "td-lambda:games=2,second=human", ..plan };
        let refused = train_seeds(&*game, &person, 2, Watch::nobody()).unwrap_err().to_string();
        assert!(refused.starts_with("a person cannot play against several"), "{refused}");
    }
}
