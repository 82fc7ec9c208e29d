//! The conditions under which an artefact is made, and where its run is stored.

use outplay_runtime::WorkError;
use std::path::PathBuf;

use outplay_core::{Game, MoveOf, Rng};

use super::records::{RecordFolder, Recorder, Records};
use super::{Artefact, Scale};
use outplay_arena::matches::{Contestant, MatchPlan, MatchProgress, MatchStanding, run_match};
use outplay_lab::Store;
use outplay_runtime::on_threads;
use outplay_runtime::{Progress, Watch};

/// What a run gets besides its configuration.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// The document's slug.
    pub paper: &'static str,
    /// The artefact's name.
    pub artefact: &'static str,
    /// The scale, for artefacts that need another one's numbers; a run's own size is in its configuration.
    pub scale: Scale,
    /// The seed of everything.
    pub seed: u64,
    /// Threads to use; it changes nothing but the time.
    pub threads: Option<usize>,
    /// The data directory.
    pub store: &'a Store,
    /// Progress and cancellation.
    pub watch: Watch<'a>,
}

impl Conditions<'_> {
    /// The seed of one task of the run, by its name: tasks with different names have independent seeds. It has 53 bits, so
    /// that it passes through JSON into any language unchanged.
    pub fn seed_of(&self, task: &str) -> u64 {
        Rng::stream(self.seed, fingerprint(task.as_bytes())).seed() >> 11
    }

    /// Shows how far a part of the run has come.
    pub fn show(&self, part: &str, done: u64, total: u64, unit: &str) {
        let task = format!("{}: {part}", self.artefact);
        self.watch.show(Progress { task: &task, done, total, unit });
    }

    /// Runs parallel work on the conditions' threads.
    pub fn on_threads<R: Send>(
        &self,
        work: impl FnOnce() -> Result<R, WorkError> + Send,
    ) -> Result<R, WorkError> {
        on_threads(self.threads, work)
    }

    /// Plays a match as one part of the run: with the seed of its name, on the conditions' threads. A stopped
    /// match leaves nothing.
    pub fn play<G: Game>(
        &self,
        part: &str,
        game: &G,
        contestants: &[Contestant<'_, G::View>],
        plan: &MatchPlan,
    ) -> Result<MatchStanding, WorkError> {
        let plan = MatchPlan { seed: self.seed_of(part), threads: self.threads, ..plan.clone() };
        let mut show = |progress: &MatchProgress<'_, MoveOf<G>>| {
            self.show(part, progress.standing.tally().games(), progress.planned, "games");
        };
        let result = run_match(game, contestants, &plan, &mut show, self.watch.stop_flag())?;
        if result.interrupted { Err(WorkError::Stopped) } else { Ok(result.standing) }
    }

    /// Runs an artefact of the same document to its end, from where it stopped; a finished run is only read.
    pub fn run(&self, artefact: &Artefact) -> Result<Records, WorkError> {
        let conditions = Conditions { artefact: artefact.name, ..*self };
        let folder = conditions.folder(artefact);
        if let Some(finished) = folder.finished_records()? {
            return Ok(finished);
        }
        let mut recorder = Recorder::open(&folder, self.watch.stop_flag())?;
        if !recorder.is_finished() {
            artefact.experiment.run(&conditions, &mut recorder)?;
            recorder.finish()?;
        }
        Ok(recorder.into_records())
    }

    /// The records of a finished run, if there is one.
    pub fn records(&self, artefact: &Artefact) -> Result<Option<Records>, WorkError> {
        self.folder(artefact).finished_records()
    }

    pub(super) fn records_path(&self, artefact: &Artefact) -> PathBuf {
        self.folder(artefact).records_path()
    }

    fn folder(&self, artefact: &Artefact) -> RecordFolder {
        let config = artefact.experiment.config(self.scale);
        let hash = fingerprint(config.to_string().as_bytes());
        let place: PathBuf =
            [self.paper, artefact.name, &format!("{hash:016x}-{}", self.seed)].iter().collect();
        RecordFolder {
            path: self.store.path("runs").join(place),
            about: serde_json::json!({
                "artefact": format!("{}/{}", self.paper, artefact.name),
                "seed": self.seed,
                "config": config,
            }),
        }
    }
}

/// A number for a text that is the same on every machine and in every version (FNV-1a).
pub(crate) fn fingerprint(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_fnv() {
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
